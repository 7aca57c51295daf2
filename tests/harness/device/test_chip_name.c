/* harness/device/chip_name: models and short names, from what devices call themselves. Two models never have one name.
 */
#include "harness/device/chip_name.h"

#include "base/memory.h"
#include "harness/device/aliases.h"
#include "harness/device/device.h"
#include "harness/device/device_list.h"
#include "tests/tap.h"

#include <string.h>
#include <unistd.h>

#define POCL      "Portable Computing Language"
#define CLOVER    "Clover"
#define NVIDIA    "NVIDIA CUDA"
#define ROCM      "AMD Accelerated Parallel Processing"
#define INTEL     "Intel(R) OpenCL"
#define IGPU      "Intel(R) OpenCL HD Graphics"
#define IGRAPHICS "Intel(R) OpenCL Graphics"

/* Where a row was seen: on a host of this project; as a file of results/old of github.com/krrishnarraj/clpeak at commit
 * 18c668f1c940; or in a public thread, where somebody shows what clinfo or a like program prints. What a source does
 * not tell is empty. */
#define HERE   "a host of this project"
#define CLPEAK "github.com/krrishnarraj/clpeak/tree/18c668f1c940/results/old/"
#define GITHUB "github.com/"

/* What a driver says, the name that is made of it, and where it was seen. `version` is the device's for Adreno, else
 * the platform's. */
static const struct {
    const char *platform, *version, *driver, *device, *board;
    bool cpu;
    uint32_t units;
    const char *chip, *seen;
} rows[] = {
    {NVIDIA, "OpenCL 3.0 CUDA 13.0.98", "580.159.04", "NVIDIA H200", "", false, 132, "nvidia-h200-132", HERE},
    {NVIDIA, "OpenCL 3.0 CUDA 13.0.98", "580.159.04", "NVIDIA H100 80GB HBM3", "", false, 132,
     "nvidia-h100-80gb-hbm3-132", HERE},
    {NVIDIA, "", "343.19", "GeForce GTX 980", "", false, 16, "geforce-gtx-980-16",
     CLPEAK "NVIDIA_CUDA/GeForce_GTX_980"},
    {NVIDIA, "", "367.27", "GeForce GTX 1080", "", false, 20, "geforce-gtx-1080-20",
     CLPEAK "NVIDIA_CUDA/GeForce_GTX_1080"},
    {NVIDIA, "", "410.48", "GeForce GTX 1080 Ti", "", false, 28, "geforce-gtx-1080-ti-28",
     GITHUB "Polytonic/Chlorine/issues/32"},
    {NVIDIA, "", "565.57.01", "NVIDIA GeForce GTX 1660 Ti", "", false, 24, "nvidia-geforce-gtx-1660-ti-24",
     CLPEAK "NVIDIA_CUDA/GeForce_GTX_1660_Ti"},
    {NVIDIA, "OpenCL 3.0 CUDA 11.3.55", "465.89", "NVIDIA GeForce RTX 2070 SUPER", "", false, 40,
     "nvidia-geforce-rtx-2070-super-40", GITHUB "hashcat/hashcat/issues/2745"},
    {NVIDIA, "", "", "NVIDIA GeForce RTX 3050", "", false, 18, "nvidia-geforce-rtx-3050-18",
     GITHUB "GPGPUCourse/GPGPUTasks2025/pull/9"},
    {NVIDIA, "", "", "NVIDIA GeForce RTX 3080 Ti", "", false, 80, "nvidia-geforce-rtx-3080-ti-80",
     GITHUB "GPGPUCourse/GPGPUTasks2023/pull/10"},
    {NVIDIA, "", "", "NVIDIA GeForce RTX 4060 Ti", "", false, 34, "nvidia-geforce-rtx-4060-ti-34",
     GITHUB "GPGPUCourse/GPGPUTasks2026/pull/76"},
    {NVIDIA, "", "", "NVIDIA GeForce RTX 4070 Ti", "", false, 60, "nvidia-geforce-rtx-4070-ti-60",
     GITHUB "GPGPUCourse/GPGPUTasks2025/pull/88"},
    {NVIDIA, "", "", "NVIDIA GeForce RTX 4070 Laptop GPU", "", false, 36, "nvidia-geforce-rtx-4070-laptop-36",
     GITHUB "GPGPUCourse/GPGPUTasks2026/pull/125"},
    {NVIDIA, "", "515.48.07", "NVIDIA A100-SXM4-40GB", "", false, 108, "nvidia-a100-sxm4-40gb-108",
     CLPEAK "NVIDIA_CUDA/NVIDIA_A100-SXM4-40GB"},
    {NVIDIA, "", "455.23.05", "Tesla V100-PCIE-32GB", "", false, 80, "tesla-v100-pcie-32gb-80",
     CLPEAK "NVIDIA_CUDA/Tesla_V100"},
    {NVIDIA, "", "", "Tesla V100-SXM2-16GB", "", false, 80, "tesla-v100-sxm2-16gb-80",
     GITHUB "GPGPUCourse/GPGPUTasks2026/pull/129"},
    {NVIDIA, "", "560.35.03", "Tesla T4", "", false, 40, "tesla-t4-40", CLPEAK "NVIDIA_CUDA/Tesla_T4"},
    {NVIDIA, "", "455.45.01", "Quadro P620", "", false, 4, "quadro-p620-4", CLPEAK "NVIDIA_CUDA/Quadro_P620"},
    {ROCM, "", "3602.0 (HSA1.1,LC)", "gfx1100", "AMD Radeon RX 7900 XTX", false, 48,
     "amd-radeon-rx-7900-xtx-gfx1100-48", GITHUB "RainbowMiner/RainbowMiner/issues/2758"},
    {ROCM, "", "", "gfx1035", "", false, 6, "gfx1035-6", GITHUB "GPGPUCourse/GPGPUTasks2025/pull/5"},
    {ROCM, "", "", "gfx1036", "", false, 1, "gfx1036-1", GITHUB "GPGPUCourse/GPGPUTasks2025/pull/88"},
    {ROCM, "", "3406.0 (HSA1.1,LC)", "gfx908:sramecc+:xnack-", "", false, 120, "gfx908-sramecc-xnack-120",
     CLPEAK "AMD_Accelerated_Parallel_Processing/AMD_MI100"},
    {ROCM, "", "3452.0 (HSA1.1,LC)", "gfx90a:sramecc+:xnack-", "", false, 110, "gfx90a-sramecc-xnack-110",
     CLPEAK "AMD_Accelerated_Parallel_Processing/AMD_MI250X"},
    {ROCM, "", "3137.0 (HSA1.1,LC)", "gfx906+sram-ecc", "", false, 60, "gfx906-sram-ecc-60",
     CLPEAK "AMD_Accelerated_Parallel_Processing/Radeon-MI50-PCIeGen4"},
    {ROCM, "", "1411.4 (VM)", "Hawaii", "", false, 44, "hawaii-44",
     CLPEAK "AMD_Accelerated_Parallel_Processing/R9_290x"},
    {ROCM, "", "1598.5 (VM)", "Hawaii", "", false, 40, "hawaii-40",
     CLPEAK "AMD_Accelerated_Parallel_Processing/AMD_Hawaii_W8100"},
    {ROCM, "", "1912.5 (VM)", "Fiji", "", false, 64, "fiji-64", CLPEAK "AMD_Accelerated_Parallel_Processing/R9_Nano"},
    {"rusticl", "OpenCL 3.0 ", "22.3.6", "llvmpipe (LLVM 15.0.6, 256 bits)", "", true, 8, "rusticl-22.3-llvmpipe-8",
     HERE},
    {"rusticl", "", "24.1.5", "AMD Radeon RX 570 Series (radeonsi, polaris10, LLVM 18.1.8, DRM 3.57, 6.10.2-aosc-main)",
     "", false, 32, "rusticl-24.1-amd-radeon-rx-570-series-radeonsi-polaris10-32",
     GITHUB "AOSC-Dev/aosc-os-abbs/pull/7596"},
    {CLOVER, "", "24.0.7", "AMD Radeon RX 550 / 550 Series (radeonsi, polaris12, LLVM 17.0.6, DRM 3.54, 6.6.51)", "",
     false, 8, "clover-24.0-amd-radeon-rx-550-550-series-radeonsi-polaris12-8",
     GITHUB "krrishnarraj/clpeak/issues/117"},
    {CLOVER, "OpenCL 1.1 Mesa 22.3.7 - kisak-mesa PPA", "22.3.7 - kisak-mesa PPA",
     "RENOIR (renoir, LLVM 15.0.7, DRM 3.54, 6.5.3-060503-generic)", "", false, 7, "clover-22.3-renoir-renoir-7",
     GITHUB "llvm/llvm-project/issues/52665"},
    {CLOVER, "", "22.1.0-devel", "AMD Radeon RX 5500 XT (navi14, LLVM 13.0.1, DRM 3.41, 5.13.0-28-generic)", "", false,
     22, "clover-22.1-amd-radeon-rx-5500-xt-navi14-22", GITHUB "todxx/teamredminer/issues/510"},
    {CLOVER, "", "18.2.0-devel", "Radeon RX 560 Series (POLARIS11, DRM 3.26.0, 4.16.15-amd, LLVM 6.0.1)", "", false, 16,
     "clover-18.2-radeon-rx-560-series-polaris11-16", GITHUB "ROCm/legacy-rocm-build/issues/361"},
    {CLOVER, "", "20.2.3", "AMD OLAND (DRM 2.50.0, 5.9.12-200.fc33.x86_64, LLVM 11.0.0)", "", false, 6,
     "clover-20.2-amd-oland-6", CLPEAK "Mesa/AMD_Oland_W4170M"},
    {CLOVER, "", "11.0.4", "AMD HAWAII (DRM 2.43.0, LLVM 3.7.0)", "", false, 44, "clover-11.0-amd-hawaii-44",
     CLPEAK "Mesa/AMD_HAWAII_W9100"},
    {IGRAPHICS, "", "26.05.37020", "Intel(R) Arc(TM) A750 Graphics", "", false, 448, "intel-arc-a750-448",
     GITHUB "AOSC-Dev/aosc-os-abbs/pull/15050"},
    {IGRAPHICS, "", "", "Intel(R) Iris(R) Xe Graphics", "", false, 96, "intel-iris-xe-96",
     GITHUB "GPGPUCourse/GPGPUTasks2025/pull/126"},
    {IGRAPHICS, "", "", "Intel(R) UHD Graphics", "", false, 96, "intel-uhd-96",
     GITHUB "GPGPUCourse/GPGPUTasks2026/pull/125"},
    {IGPU, "", "", "Intel(R) UHD Graphics 620", "", false, 24, "intel-uhd-620-24",
     GITHUB "GPGPUCourse/GPGPUTasks2023/pull/16"},
    {IGPU, "", "19.32.13826", "Intel(R) Gen9 HD Graphics NEO", "", false, 24, "intel-gen9-hd-neo-24",
     CLPEAK "Intel_Graphics_Compute_Runtime/Intel_UHD_Graphics_620"},
    {IGPU, "", "18.29.0", "Intel(R) Gen9 HD Graphics NEO", "", false, 12, "intel-gen9-hd-neo-12",
     GITHUB "intel/compute-runtime/issues/62"},
    {IGPU, "", "20.47.18513", "Intel(R) Graphics Gen9 [0x9bc4]", "", false, 24, "intel-gen9-0x9bc4-24",
     CLPEAK "Intel_Graphics_Compute_Runtime/Intel_Core_i7-10875h"},
    {IGPU, "", "20.47.18513", "Intel(R) Graphics Gen9 [0x1912]", "", false, 23, "intel-gen9-0x1912-23",
     CLPEAK "Intel_Graphics_Compute_Runtime/Intel_HD_Graphics_530"},
    {INTEL, "", "10.18.10.3308", "Intel(R) HD Graphics 4600", "", false, 20, "intel-hd-4600-20",
     CLPEAK "Intel(R)_OpenCL/Intel_HD_4600"},
    {"Intel Gen OCL Driver", "", "1.0.3", "Intel(R) HD Graphics Bay Trail-T", "", false, 4, "intel-hd-bay-trail-t-4",
     GITHUB "OpenKinect/libfreenect2/issues/251"},
    {"Experiment Intel Gen OCL Driver", "", "0.8.0", "Intel(R) HD Graphics IvyBridge GT1", "", false, 64,
     "intel-hd-ivybridge-gt1-64", CLPEAK "Beignet/Intel_HD_Graphics_IvyBridge_GT1"},
    {"Apple", "", "1.2(Feb 26 2016 23:23:55)", "Iris", "", false, 40, "iris-40", CLPEAK "Apple/Iris"},
    {"Apple", "", "1.2(May 5 2014 20:39:23)", "Iris Pro", "", false, 280, "iris-pro-280", CLPEAK "Apple/Iris_pro"},
    {"Apple", "OpenCL 1.2 (May  8 2021 03:14:28)", "1.2 1.0", "Apple M1", "", false, 8, "apple-m1-8",
     GITHUB "hashcat/hashcat/issues/2976"},
    {"Apple", "", "", "Apple M1 Pro", "", false, 14, "apple-m1-pro-14", GITHUB "GPGPUCourse/GPGPUTasks2025/pull/43"},
    {"Apple", "", "", "Apple M2", "", false, 8, "apple-m2-8", GITHUB "GPGPUCourse/GPGPUTasks2025/pull/148"},
    {"Apple", "", "", "Apple M2", "", false, 10, "apple-m2-10", GITHUB "GPGPUCourse/GPGPUTasks2025/pull/112"},
    {"ARM Platform", "", "1.1", "Mali-T604", "", false, 4, "mali-t604-4", CLPEAK "ARM_Platform/Mali-T604"},
    {"ARM Platform", "", "1.2", "Mali-T628", "", false, 4, "mali-t628-4", CLPEAK "ARM_Platform/Mali-T628-cl1.2-4core"},
    {"ARM Platform", "OpenCL 1.2 v1.r12p0-04rel0.03af15950392f3702b248717f4938b82", "1.2", "Mali-T628", "", false, 2,
     "mali-t628-2", GITHUB "plaidml/plaidml/issues/227"},
    {"QUALCOMM Snapdragon(TM)", "OpenCL 2.0 Adreno(TM) 650",
     "OpenCL 2.0 QUALCOMM build: commit #191610ae03 changeid #Ic907de5ed0 Date: 09/17/20 Thu Local Branch:  Remote "
     "Branch: refs/tags/AU_LINUX_ANDROID_LA.UM.9.12.10.00.00.582.274 Compiler E031.37.12.01",
     "QUALCOMM Adreno(TM)", "", false, 3, "qualcomm-adreno-650-3", GITHUB "xmrig/xmrig/issues/2383"},
    {"Moore Threads OpenCL", "", "20241010 release kuae1.3.0_musa3.1.0 db329f8fb@20241009", "MUSA GEN1-104", "", false,
     32, "moore-threads-opencl-musa-gen1-104-32", CLPEAK "Moore_Threads_OpenCL/MTT_S80"},
    {"clvk", "", "1.2 CLVK on Vulkan v1.1.189 driver 10105", "Apple M1", "", false, 1, "clvk-1.2-apple-m1-1",
     CLPEAK "Apple/m1_clvk"},
    {POCL, "", "3.0-rc2", "NVIDIA A100-SXM4-40GB", "", false, 108, "pocl-3.0-nvidia-a100-sxm4-40gb-108",
     CLPEAK "Portable_Computing_Language/NVIDIA_A100-SXM4-40GB"},
    {POCL, "", "1.3", "NVIDIA Tegra X1", "", false, 1, "pocl-1.3-nvidia-tegra-x1-1",
     CLPEAK "Portable_Computing_Language/Jetson_Nano_Tegra_X1"},
    {POCL, "OpenCL 3.0 PoCL 3.1+debian  Linux", "3.1+debian", "pthread-skylake-avx512-AMD EPYC", "", true, 2,
     "pocl-3.1-skylake-avx512-amd-epyc-2", HERE},
    {POCL, "OpenCL 3.0 PoCL 5.0+debian", "5.0+debian", "cpu-skylake-avx512-Intel(R) Xeon(R) Processor", "", true, 16,
     "pocl-5.0-skylake-avx512-intel-xeon-16", HERE},
    {POCL, "", "1.8", "pthread-AMD EPYC 7662 64-Core Processor", "", true, 128, "pocl-1.8-amd-epyc-7662-64-core-128",
     CLPEAK "Portable_Computing_Language/AMD_EPYC_7662"},
    {POCL, "", "1.4", "pthread-AMD Ryzen Threadripper 3970X 32-Core Processor", "", true, 64,
     "pocl-1.4-amd-ryzen-threadripper-3970x-32-core-64",
     CLPEAK "Portable_Computing_Language/AMD_Ryzen_Threadripper_3970X"},
    {POCL, "", "3.0-rc2", "pthread-Intel(R) Core(TM) i7-7800X CPU @ 3.50GHz", "", true, 12,
     "pocl-3.0-intel-core-i7-7800x-3.50ghz-12", CLPEAK "Portable_Computing_Language/Intel_i7-7800X"},
    {POCL, "", "6.0", "cpu-alderlake-13th Gen Intel(R) Core(TM) i9-13900K", "", true, 32,
     "pocl-6.0-alderlake-13th-gen-intel-core-i9-13900k-32", CLPEAK "Portable_Computing_Language/Intel_i9-13900K"},
    {POCL, "", "3.0-rc2", "pthread-POWER9, altivec supported", "", true, 160, "pocl-3.0-power9-altivec-supported-160",
     CLPEAK "Portable_Computing_Language/IBM_POWER9"},
    {POCL, "OpenCL 1.2 pocl 0.10", "0.10", "pthread-Intel(R) Core(TM) i7-4710MQ CPU @ 2.50GHz", "", true, 8,
     "pocl-0.10-intel-core-i7-4710mq-2.50ghz-8", GITHUB "boostorg/compute/issues/493"},
    {INTEL, "OpenCL 3.1 LINUX", "2026.22.10.0.01_160000", "AMD EPYC", "", true, 2, "intel-2026.22-amd-epyc-2", HERE},
    {INTEL, "OpenCL 3.1 LINUX", "2026.22.10.0.01_160000", "Intel(R) Xeon(R) Processor", "", true, 16,
     "intel-2026.22-xeon-16", HERE},
    {INTEL, "", "1.2.0.117", "AMD Ryzen 7 3700X 8-Core Processor", "", true, 16,
     "intel-1.2-amd-ryzen-7-3700x-8-core-16", CLPEAK "Intel(R)_OpenCL/AMD_Ryzen_7_3700X"},
    {"Intel(R) CPU Runtime for OpenCL(TM) Applications", "", "18.1.0.0920", "Intel(R) Core(TM) i7-10875H CPU @ 2.30GHz",
     "", true, 16, "intel-18.1-core-i7-10875h-2.30ghz-16", CLPEAK "Intel(R)_OpenCL/Intel_Core_i7-10875h"},
    {"Oclgrind", "OpenCL 1.2 (Oclgrind 21.10)", "Oclgrind 21.10", "Oclgrind Simulator", "", true, 1,
     "oclgrind-21.10-simulator-1", HERE},
    {"Some platform", "", "", "---", "", true, 3, "some-platform-device-3", NULL}, /* drivers that say nothing */
    {"", "", "", "", "", false, 3, "device-3", NULL},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void make(size_t row, char *chip, size_t bytes)
{
    struct mu_device_info info = {.cpu = rows[row].cpu, .compute_units = rows[row].units};
    snprintf(info.platform, sizeof info.platform, "%s", rows[row].platform);
    snprintf(info.platform_version, sizeof info.platform_version, "%s", rows[row].version);
    snprintf(info.driver, sizeof info.driver, "%s", rows[row].driver);
    mu_device_model(rows[row].device, rows[row].version, rows[row].board, info.name, sizeof info.name);
    mu_chip_name(&info, chip, bytes);
}

/* A kernel of another release leaves Mesa's model as it is. */
static void test_upgrade(void)
{
    char before[MU_NAME_BYTES], after[MU_NAME_BYTES];
    mu_device_model("AMD Radeon RX 6600 (radeonsi, navi23, LLVM 17.0.6, DRM 3.57, 6.8.1)", "", "", before,
                    sizeof before);
    mu_device_model("AMD Radeon RX 6600 (radeonsi, navi23, LLVM 18.1.0, DRM 3.59, 6.9.0-arch)", "", "", after,
                    sizeof after);
    CHECK(strcmp(before, after) == 0, "an upgrade changes no model: %s", after);
}

/* ---- Names that a user gives ---- */

static struct mu_device_info device(const char *chip, const char *name)
{
    struct mu_device_info info = {.compute_units = 3};
    snprintf(info.chip, sizeof info.chip, "%s", chip);
    snprintf(info.name, sizeof info.name, "%s", name);
    return info;
}

static int keep(struct mu_device_info *info, const char *name)
{
    struct mu_error err = {0};
    return mu_alias_keep(info, name, 0, &err);
}

static void write_aliases(const char *root, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", root, MU_ALIASES_FILE);
    FILE *file = fopen(path, "w");
    if (file == NULL) return;
    fputs(text, file);
    fclose(file);
}

static void test_aliases(void)
{
    static const char *const wrong[] = {"{", "[]", "{\"../x\": {}}", "{\"a\": 1}", "{\"a\": {}, \"a\": {}}"};
    char root[] = "/tmp/muster-names-XXXXXX", command[80];
    struct mu_error err = {0};
    if (mkdtemp(root) == NULL || setenv("MUSTER_RESULTS", root, 1) != 0) return;
    struct mu_device_info first = device("card", "A"), both[2] = {device("card", "A"), device("card", "B")};
    CHECK(mu_aliases_apply(both, 2, &err) == MU_OK && strcmp(both[0].chip, "card") == 0, "no file gives no name");
    CHECK(keep(&first, "mine") == MU_OK && strcmp(first.chip, "mine") == 0, "a chip is given a name");
    CHECK(mu_aliases_apply(both, 2, &err) == MU_OK && strcmp(both[0].chip, "mine") == 0 &&
              strcmp(both[1].chip, "card") == 0,
          "it has that from then on, and an unlike one of the same short name has not: %s, %s", both[0].chip,
          both[1].chip);
    CHECK(keep(&both[1], "mine") == MU_USAGE, "a name is of one chip");
    CHECK(keep(&both[0], "yours") == MU_OK && keep(&both[1], "mine") == MU_OK, "a name that is given up is free");
    struct mu_device_info again[2] = {device("card", "A"), device("card", "B")};
    CHECK(mu_aliases_apply(again, 2, &err) == MU_OK && strcmp(again[0].chip, "yours") == 0 &&
              strcmp(again[1].chip, "mine") == 0,
          "both have theirs");
    CHECK(mu_alias_keep(&again[0], "yours", 7, &err) == MU_OK && keep(&again[0], "yours") == MU_OK &&
              keep(&again[0], "his") == MU_OK,
          "units are kept with a name, and a new one keeps them");
    again[0] = device("card", "A");
    CHECK(mu_aliases_apply(again, 2, &err) == MU_OK && again[0].resident == 7 && again[1].resident == 0 &&
              strcmp(again[0].chip, "his") == 0,
          "a chip has the units that were given: %u", again[0].resident);
    CHECK(keep(&first, "a/b") == MU_USAGE && keep(&first, "") == MU_USAGE, "a name that is a path is refused");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct mu_error told = {0};
        write_aliases(root, wrong[i]);
        CHECK(mu_aliases_apply(again, 2, &told) == MU_INPUT && strstr(told.message, root) != NULL,
              "refused: a file %s: %s", wrong[i], told.message);
    }
    struct mu_error told = {0};
    char file[128];
    snprintf(file, sizeof file, "%s/%s", root, MU_ALIASES_FILE);
    CHECK(setenv("MUSTER_RESULTS", file, 1) == 0 && mu_aliases_apply(again, 2, &told) == MU_IO &&
              strstr(told.message, "json: Not a directory") != NULL,
          "a file in the place of the folder: %s", told.message);
    snprintf(command, sizeof command, "rm -rf %s", root);
    if (system(command) != 0) printf("# %s is left\n", root);
}

/* Commands that name a device by what it is called in itself go on when a user has given it a name. */
static void test_found(void)
{
    struct mu_error err = {0};
    struct mu_device_list *list = mu_calloc(1, sizeof *list, "a list of devices", &err);
    if (list == NULL) return;
    list->count = 1;
    list->devices[0] = device("mine", "Radeon RX 6600");
    char own[MU_CHIP_BYTES];
    mu_chip_name(&list->devices[0], own, sizeof own);
    CHECK(mu_device_find(list, own, &err) == &list->devices[0], "a chip with a given name is found as %s", own);
    CHECK(mu_device_find(list, "mine", &err) == &list->devices[0], "... and by the name that was given");
    CHECK(mu_device_find(list, "yours", &err) == NULL && err.status == MU_DEVICE, "... but by no other");
    mu_free(list);
}

/* Files of several devices in one folder have a tag of each. */
static void test_tags(void)
{
    static const struct {
        const char *what, *chips[2], *names[2];
        bool tagged;
    } pairs[] = {{"equal ones", {"card", "card"}, {"A", "A"}, true},
                 {"unlike ones of one short name", {"card", "card"}, {"A", "B"}, true},
                 {"unlike ones", {"card", "other"}, {"A", "B"}, false}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct mu_device_info infos[2] = {device(pairs[i].chips[0], pairs[i].names[0]),
                                          device(pairs[i].chips[1], pairs[i].names[1])};
        for (int k = 0; k < 2; k++) snprintf(infos[k].uuid, sizeof infos[k].uuid, "index:%d", k);
        mu_device_tell_apart(infos, 2);
        CHECK((infos[0].tag[0] != '\0') == pairs[i].tagged &&
                  (strcmp(infos[0].tag, infos[1].tag) != 0) == pairs[i].tagged,
              "tags of %s: '%s', '%s'", pairs[i].what, infos[0].tag, infos[1].tag);
    }
}

int main(void)
{
    char chips[ROWS][MU_CHIP_BYTES], tiny[4];
    for (size_t i = 0; i < ROWS; i++) {
        make(i, chips[i], sizeof chips[i]);
        CHECK(strcmp(chips[i], rows[i].chip) == 0, "'%s' is %s (%s), seen at %s", rows[i].device, chips[i],
              rows[i].chip, rows[i].seen != NULL ? rows[i].seen : "no place");
        size_t alike = 0;
        while (alike < i && strcmp(chips[alike], chips[i]) != 0) alike++;
        CHECK(alike == i, "no other is called %s", chips[i]);
    }
    test_upgrade();
    test_aliases();
    test_found();
    test_tags();
    make(0, tiny, sizeof tiny);
    CHECK(strlen(tiny) < sizeof tiny, "a short place gets a short name: %s", tiny);
    return tap_done();
}
