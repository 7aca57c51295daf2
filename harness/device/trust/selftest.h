/* The self-test that decides whether a device is trusted. */
#ifndef MU_HARNESS_DEVICE_TRUST_SELFTEST_H
#define MU_HARNESS_DEVICE_TRUST_SELFTEST_H

#include "base/error.h"
#include "harness/device/device.h"
#include "harness/device/settings.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum mu_trust {
    MU_REFUSED,     /* results of this device mean nothing */
    MU_TRUST_ALONE, /* right, but never more than one workgroup at a time was seen */
    MU_TRUSTED      /* several workgroups synchronised, and counted right */
};

struct mu_selftest {
    enum mu_trust trust;
    bool steps;          /* what launches of one step need works: atomics count right, and long loops end. Where the
                            device is refused all the same, multi-kernel can be run on it */
    char reason[256];    /* one line */
    uint32_t team;       /* workgroups that met in the roll call */
    enum mu_yield yield; /* how waiting workgroups let others run: what the trial found or info asks for */
    char yield_reason[160];
    enum mu_subgroups subgroups; /* the first path that the device reports and whose trial worked */
    uint32_t subgroup_size;      /* work-items of a subgroup of the trial's kernel */
    char subgroups_reason[160];
    double poll_ns;              /* what one poll of an acquire spin takes */
    uint32_t spin_limit;         /* polls that take between 4 and 8 s, a power of two: the default bound of spins */
    struct mu_settings settings; /* of the driver, without which the device is refused */
    /* Not part of the JSON. late: a trial met its deadline, so what it would have found is not known. until_ns: when
     * all trials must have ended, by mu_now_ns, or 0. */
    bool late;
    uint64_t until_ns;
};

/* Runs the test in this process on an open device. With only_steps it leaves out the kernel of barriers, without which
 * a device is refused. A device that fails is a verdict, not an error: MU_OK with MU_REFUSED. Errors: MU_BUILD,
 * MU_DEVICE, MU_NO_MEMORY. */
int mu_selftest_run(const struct mu_target *target, const struct mu_device_info *info, bool only_steps,
                    struct mu_selftest *result, struct mu_error *err);

/* Gets the verdict from the cache, or in children with deadlines, all of which end after deadline_s seconds, unless
 * that is 0; for the parent. A crash or a hang there is MU_REFUSED. The cache keeps no verdict that is late: a busy
 * machine may be quiet the next time. */
int mu_selftest_get(const struct mu_device_info *info, bool use_cache, double deadline_s, struct mu_selftest *result,
                    struct mu_error *err);

/* Returns the seconds that a child of the self-test may take, at most `usual`; at least a little, in which it only
 * starts. */
double mu_selftest_left(const struct mu_selftest *result, double usual);

/* Fills in result's yield, yield_reason and, if the deadline passed, late: what info asks for, or what a trial finds in
 * a child with these settings. A failed trial is a reason, not an error: MU_INTERRUPTED only. mu_yield_try is the
 * child's side: MU_OK if the kernel was built, ran, and every call succeeded. */
int mu_yield_choose(const struct mu_device_info *info, const struct mu_settings *settings, struct mu_selftest *result,
                    struct mu_error *err);
int mu_yield_try(const struct mu_target *target, const struct mu_device_info *info, enum mu_yield yield,
                 struct mu_error *err);

/* Does the same for result's subgroups, of the paths in info->subgroup_paths. mu_subgroups_try is the child's side:
 * MU_OK and the size of subgroups if all functions did what they should. */
int mu_subgroups_choose(const struct mu_device_info *info, const struct mu_settings *settings,
                        struct mu_selftest *result, struct mu_error *err);
int mu_subgroups_try(const struct mu_target *target, const struct mu_device_info *info, enum mu_subgroups subgroups,
                     uint32_t *size, struct mu_error *err);

/* Returns the work-items of a subgroup of this kernel, for which a compiler may choose another size than for the
 * trial's. It is what the driver tells for launches in such workgroups, by OpenCL 3.0 or cl_khr_subgroups. If it tells
 * nothing that divides a workgroup, it is the size that the trial saw. */
uint32_t mu_subgroup_size_of(const struct mu_target *target, cl_kernel kernel, size_t workgroup,
                             const struct mu_selftest *selftest);

/* Returns the units by which defaults go; 0 if those that the device tells count. A device that tells one unit may run
 * several groups at once, as rusticl does on a GPU's driver, and the self-test then met them. */
uint32_t mu_selftest_resident(const struct mu_device_info *info, const struct mu_selftest *result);

/* Returns the class of OpenCL features that the device offers (Sorensen's thesis, section 2.3): "1.x"; "2.0" with
 * atomics that acquire and release; "2.1" with subgroups too; "FP" where barriers between workgroups are trusted,
 * whatever the size of its subgroups. */
const char *mu_feature_class(const struct mu_device_info *info, const struct mu_selftest *result);

const char *mu_trust_text(enum mu_trust trust);
json_t *mu_selftest_to_json(const struct mu_selftest *result);
int mu_selftest_from_json(const json_t *object, struct mu_selftest *result, struct mu_error *err);

#endif
