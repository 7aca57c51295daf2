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

#define POCL   "Portable Computing Language"
#define NVIDIA "NVIDIA CUDA"
#define ROCM   "AMD Accelerated Parallel Processing"
#define INTEL  "Intel(R) OpenCL"
#define IGPU   "Intel(R) OpenCL HD Graphics"

/* What a driver says, and the name that is made of it. `version` is the device's for Adreno, else the platform's. [h]:
 * seen on hosts of this project; [k]: as these drivers are known to name such devices, which no host here has. */
static const struct {
    const char *platform, *version, *driver, *device, *board;
    bool cpu;
    uint32_t units;
    const char *chip;
} rows[] = {
    {NVIDIA, "OpenCL 3.0 CUDA 13.0.98", "580.159.04", "NVIDIA H200", "", false, 132, "nvidia-h200-132"}, /* [h] */
    {NVIDIA, "OpenCL 3.0 CUDA 13.0.98", "580.159.04", "NVIDIA H100 80GB HBM3", "", false, 132,
     "nvidia-h100-80gb-hbm3-132"},                                                                             /* [h] */
    {NVIDIA, "OpenCL 1.2 CUDA 9.1", "390.77", "GeForce GTX 980", "", false, 16, "geforce-gtx-980-16"},         /* [k] */
    {NVIDIA, "OpenCL 1.2 CUDA 9.1", "390.77", "GeForce GTX 1080", "", false, 20, "geforce-gtx-1080-20"},       /* [k] */
    {NVIDIA, "OpenCL 1.2 CUDA 9.1", "390.77", "GeForce GTX 1080 Ti", "", false, 28, "geforce-gtx-1080-ti-28"}, /* [k] */
    {NVIDIA, "OpenCL 3.0 CUDA", "535", "NVIDIA GeForce RTX 3060", "", false, 28,
     "nvidia-geforce-rtx-3060-28"}, /* [k] */
    {NVIDIA, "OpenCL 3.0 CUDA", "535", "NVIDIA GeForce RTX 4090", "", false, 128,
     "nvidia-geforce-rtx-4090-128"},                                                                          /* [k] */
    {NVIDIA, "OpenCL 3.0 CUDA", "535", "NVIDIA RTX A6000", "", false, 84, "nvidia-rtx-a6000-84"},             /* [k] */
    {NVIDIA, "OpenCL 3.0 CUDA", "535", "NVIDIA A100-SXM4-40GB", "", false, 108, "nvidia-a100-sxm4-40gb-108"}, /* [k] */
    {NVIDIA, "OpenCL 3.0 CUDA", "535", "NVIDIA A100-PCIE-40GB", "", false, 108, "nvidia-a100-pcie-40gb-108"}, /* [k] */
    {NVIDIA, "OpenCL 1.2 CUDA", "440", "Tesla V100-SXM2-16GB", "", false, 80, "tesla-v100-sxm2-16gb-80"},     /* [k] */
    {NVIDIA, "OpenCL 1.2 CUDA", "440", "Tesla T4", "", false, 40, "tesla-t4-40"},                             /* [k] */
    {NVIDIA, "OpenCL 1.2 CUDA", "440", "Quadro P2000", "", false, 8, "quadro-p2000-8"},                       /* [k] */
    {ROCM, "OpenCL 2.1 AMD-APP (3513.0)", "3513.0 (HSA1.1,LC)", "gfx1030", "AMD Radeon RX 6800 XT", false, 36,
     "amd-radeon-rx-6800-xt-gfx1030-36"}, /* [k] */
    {ROCM, "OpenCL 2.1 AMD-APP (3513.0)", "3513.0 (HSA1.1,LC)", "gfx1030", "AMD Radeon RX 6900 XT", false, 40,
     "amd-radeon-rx-6900-xt-gfx1030-40"}, /* [k] */
    {ROCM, "OpenCL 2.1 AMD-APP", "3590.0", "gfx1100", "AMD Radeon RX 7900 XTX", false, 48,
     "amd-radeon-rx-7900-xtx-gfx1100-48"}, /* [k] */
    {ROCM, "OpenCL 2.1 AMD-APP", "3590.0", "gfx90a:sramecc+:xnack-", "AMD Instinct MI210", false, 104,
     "amd-instinct-mi210-gfx90a-sramecc-xnack-104"},                                     /* [k] */
    {ROCM, "OpenCL 2.0 AMD-APP", "3075.10", "Ellesmere", "", false, 36, "ellesmere-36"}, /* [k] */
    {"rusticl", "OpenCL 3.0 ", "23.1.3", "AMD Radeon RX 7900 XTX (navi31, LLVM 16.0.6, DRM 3.52, 6.4.4-arch1)", "",
     false, 96, "rusticl-23.1-amd-radeon-rx-7900-xtx-navi31-96"}, /* [k] */
    {"rusticl", "OpenCL 3.0 ", "24.0.5", "AMD Radeon RX 6600 (radeonsi, navi23, LLVM 17.0.6, DRM 3.57, 6.8.1)", "",
     false, 28, "rusticl-24.0-amd-radeon-rx-6600-radeonsi-navi23-28"}, /* [k] */
    {"rusticl", "OpenCL 3.0 ", "22.3.6", "llvmpipe (LLVM 15.0.6, 256 bits)", "", true, 8,
     "rusticl-22.3-llvmpipe-8"}, /* [h] */
    {"rusticl", "OpenCL 3.0 ", "23.1.3", "Mesa Intel(R) UHD Graphics 620 (KBL GT2)", "", false, 24,
     "rusticl-23.1-mesa-intel-uhd-620-kbl-gt2-24"}, /* [k] */
    {"Clover", "OpenCL 1.1 Mesa 22.3.6", "22.3.6", "AMD Radeon RX 580 Series (polaris10, LLVM 15.0.6, DRM 3.49)", "",
     false, 36, "clover-22.3-amd-radeon-rx-580-series-polaris10-36"},                                       /* [k] */
    {IGPU, "OpenCL 3.0 ", "23.17", "Intel(R) Arc(TM) A770 Graphics", "", false, 512, "intel-arc-a770-512"}, /* [k] */
    {IGPU, "OpenCL 3.0 ", "24.52", "Intel(R) Arc(TM) B580 Graphics", "", false, 160, "intel-arc-b580-160"}, /* [k] */
    {IGPU, "OpenCL 2.1 ", "18.21", "Intel(R) Gen9 HD Graphics NEO", "", false, 24, "intel-gen9-hd-neo-24"}, /* [k] */
    {IGPU, "OpenCL 1.2 ", "r5", "Intel(R) HD Graphics 5500", "", false, 24, "intel-hd-5500-24"},            /* [k] */
    {IGPU, "OpenCL 2.0 ", "r5", "Intel(R) HD Graphics 520", "", false, 24, "intel-hd-520-24"},              /* [k] */
    {IGPU, "OpenCL 3.0 ", "22.43", "Intel(R) Iris(R) Xe Graphics", "", false, 96, "intel-iris-xe-96"},      /* [k] */
    {IGPU, "OpenCL 1.2 ", "r5", "Intel(R) Iris(TM) Graphics 6100", "", false, 48, "intel-iris-6100-48"},    /* [k] */
    {IGPU, "OpenCL 3.0 ", "22.43", "Intel(R) Graphics [0x46a6]", "", false, 96, "intel-0x46a6-96"},         /* [k] */
    {"ARM Platform", "OpenCL 1.2 v1.r12p0", "1.2", "Mali-T628", "", false, 4, "mali-t628-4"},               /* [k] */
    {"ARM Platform", "OpenCL 1.2 v1.r12p0", "1.2", "Mali-T628", "", false, 2, "mali-t628-2"},               /* [k] */
    {"ARM Platform", "OpenCL 3.0 v1.r32p1", "3.0", "Mali-G78", "", false, 20, "mali-g78-20"},               /* [k] */
    {"ARM Platform", "OpenCL 3.0 v1.g13p0", "3.0", "Mali-LODX r0p0", "", false, 4, "mali-lodx-r0p0-4"},     /* [k] */
    {"QUALCOMM Snapdragon(TM)", "OpenCL 2.0 Adreno(TM) 540", "OpenCL 2.0", "QUALCOMM Adreno(TM)", "", false, 4,
     "qualcomm-adreno-540-4"}, /* [k] */
    {"QUALCOMM Snapdragon(TM)", "OpenCL 3.0 Adreno(TM) 740", "OpenCL 3.0", "QUALCOMM Adreno(TM)", "", false, 6,
     "qualcomm-adreno-740-6"},                                                                       /* [k] */
    {"Apple", "OpenCL 1.2 (Nov 2022)", "1.2 1.0", "Apple M1 Pro", "", false, 16, "apple-m1-pro-16"}, /* [k] */
    {"clvk", "OpenCL 3.0 clvk", "3.0 CLVK on Vulkan v1.3.224 driver 2", "NVIDIA H200", "", false, 132,
     "clvk-3.0-nvidia-h200-132"},                                                                    /* [k] */
    {POCL, "OpenCL 3.0 PoCL 6.0", "6.0", "NVIDIA H200", "", false, 132, "pocl-6.0-nvidia-h200-132"}, /* [k] */
    {POCL, "OpenCL 2.0 PoCL 3.0", "3.0", "pthread-skylake-avx512-AMD EPYC", "", true, 2,
     "pocl-3.0-skylake-avx512-amd-epyc-2"}, /* [k] */
    {POCL, "OpenCL 3.0 PoCL 3.1+debian  Linux", "3.1+debian", "pthread-skylake-avx512-AMD EPYC", "", true, 2,
     "pocl-3.1-skylake-avx512-amd-epyc-2"}, /* [h] */
    {POCL, "OpenCL 3.0 PoCL 5.0+debian", "5.0+debian", "cpu-skylake-avx512-Intel(R) Xeon(R) Processor", "", true, 16,
     "pocl-5.0-skylake-avx512-intel-xeon-16"}, /* [h] */
    {POCL, "OpenCL 1.2 pocl 1.4", "1.4", "pthread-Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz", "", true, 8,
     "pocl-1.4-intel-core-i7-8550u-1.80ghz-8"},                                                               /* [k] */
    {POCL, "OpenCL 3.0 PoCL 5.0", "5.0", "cpu-cortex-a76-0xd0b", "", true, 4, "pocl-5.0-cortex-a76-0xd0b-4"}, /* [k] */
    {INTEL, "OpenCL 3.1 LINUX", "2026.22.10.0.01_160000", "AMD EPYC", "", true, 2,
     "intel-2026.22-amd-epyc-2"}, /* [h] */
    {INTEL, "OpenCL 3.1 LINUX", "2026.22.10.0.01_160000", "Intel(R) Xeon(R) Processor", "", true, 16,
     "intel-2026.22-xeon-16"}, /* [h] */
    {INTEL, "OpenCL 2.1 LINUX", "18.1.0.0920", "Intel(R) Xeon(R) CPU E5-2690 v4 @ 2.60GHz", "", true, 56,
     "intel-18.1-xeon-e5-2690-v4-2.60ghz-56"}, /* [k] */
    {"Oclgrind", "OpenCL 1.2 (Oclgrind 21.10)", "Oclgrind 21.10", "Oclgrind Simulator", "", true, 1,
     "oclgrind-21.10-simulator-1"},                                          /* [h] */
    {"Some platform", "", "", "---", "", true, 3, "some-platform-device-3"}, /* none: a driver that says nothing */
    {"", "", "", "", "", false, 3, "device-3"},
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
        CHECK(strcmp(chips[i], rows[i].chip) == 0, "'%s' is %s (%s)", rows[i].device, chips[i], rows[i].chip);
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
