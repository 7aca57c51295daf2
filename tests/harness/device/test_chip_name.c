/* harness/device/chip_name: short names, from what devices call themselves. */
#include "harness/device/chip_name.h"

#include "harness/device/device.h"
#include "tests/tap.h"

#include <string.h>

static void test_name(const char *platform, const char *device, bool cpu, uint32_t units, const char *expected)
{
    struct mu_device_info info = {.cpu = cpu, .compute_units = units};
    char chip[64];
    snprintf(info.platform, sizeof info.platform, "%s", platform);
    snprintf(info.name, sizeof info.name, "%s", device);
    mu_chip_name(&info, chip, sizeof chip);
    CHECK(strcmp(chip, expected) == 0, "'%s' is %s (%s)", device, chip, expected);
}

int main(void)
{
    const char *pocl = "Portable Computing Language";
    test_name("NVIDIA CUDA", "NVIDIA H200", false, 132, "h200");
    test_name("NVIDIA CUDA", "Tesla V100-SXM2-16GB", false, 80, "v100");
    test_name("NVIDIA CUDA", "NVIDIA GeForce RTX 4090", false, 128, "rtx");
    test_name(pocl, "pthread-skylake-avx512-AMD EPYC", true, 2, "pocl-epyc-2");
    test_name(pocl, "pthread-AMD EPYC 9B14", true, 4, "pocl-epyc-4");
    test_name(pocl, "pthread-skylake-avx512-Intel(R) Xeon(R) Processor", true, 2, "pocl-skylake-2");
    test_name(pocl, "cpu-sapphirerapids-Intel(R) Xeon(R) Processor", true, 4, "pocl-sapphirerapids-4");
    test_name(pocl, "pthread-Intel(R) Xeon(R) Processor", true, 2, "pocl-xeon-2");
    test_name(pocl, "pthread-Intel(R) Core(TM) Processor", true, 2, "pocl-core-2");
    test_name("NVIDIA CUDA", "NVIDIA Graphics Device", false, 80, "nvidia");
    test_name("rusticl", "llvmpipe (LLVM 15.0.6, 256 bits)", true, 8, "rusticl-llvm-8");
    test_name("Oclgrind", "Oclgrind Simulator", true, 1, "oclgrind-simulator-1");
    test_name("Some CPU platform", "", true, 3, "cpu-chip-3");
    test_name("", "---", false, 3, "chip");
    struct mu_device_info info = {.cpu = true, .compute_units = 2, .platform = "Portable Computing Language"};
    char chip[64];
    snprintf(info.name, sizeof info.name, "cpu-skylake-avx512-AMD EPYC");
    snprintf(info.platform_version, sizeof info.platform_version, "OpenCL 3.0 PoCL 3.1+debian Linux");
    mu_chip_name(&info, chip, sizeof chip);
    CHECK(strcmp(chip, "pocl-epyc-2") == 0, "PoCL 3.1 is plain pocl: %s", chip);
    snprintf(info.platform_version, sizeof info.platform_version, "OpenCL 3.0 PoCL 6.0+debian Linux");
    mu_chip_name(&info, chip, sizeof chip);
    CHECK(strcmp(chip, "pocl6-epyc-2") == 0, "PoCL 6.0 is another chip: %s", chip);
    info = (struct mu_device_info){.compute_units = 1};
    char tiny[4];
    snprintf(info.name, sizeof info.name, "NVIDIA H200");
    mu_chip_name(&info, tiny, sizeof tiny);
    CHECK(strlen(tiny) < sizeof tiny, "a short place gets a short name: %s", tiny);
    return tap_done();
}
