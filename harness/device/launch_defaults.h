/* How to launch where neither the user nor the chip's profile says it: rules that need no more than the device's
 * description. Its units are those that it tells; or where it tells one, those that the self-test found; or those that
 * a user says. */
#ifndef MU_HARNESS_DEVICE_LAUNCH_DEFAULTS_H
#define MU_HARNESS_DEVICE_LAUNCH_DEFAULTS_H

#include "harness/device/device.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns the units that launches go by. */
uint32_t mu_device_units(const struct mu_device_info *info);

uint32_t mu_default_workgroup(const struct mu_device_info *info);

/* On devices other than CPUs a patience is at least so long, since an app's workgroups may arrive less evenly than a
 * probe's simple kernel, which needs a few reads at most there. Not chosen for any app: some reads more or fewer are a
 * microsecond or two. */
#define MU_PATIENCE_LEAST 16

/* The roll call: patience, in unchanged reads, and expected size, 0 for unknown. A CPU driver runs a workgroup on each
 * of its threads, which wake up late: there the size is known and patience long. On other devices a read takes longer
 * than the next group takes to come, and each one that is waited for in vain is added to the time. */
uint32_t mu_default_patience(const struct mu_device_info *info);

/* What a profile's patience is raised to where the size is known, so that patience only ends the wait for groups that
 * do not come. How late a thread of a CPU's driver wakes up depends on the machine more than on the chip that it is
 * called by: PoCL with two workers needed 256 reads on one machine, and on another of the same chip name 4096 found
 * four teams of five with a worker missing (results/experiments/patience). On other devices a profile's word stands. */
uint32_t mu_least_patience(const struct mu_device_info *info);
uint32_t mu_default_expected(const struct mu_device_info *info);

/* Workgroups that portable launches where nobody says how many: for each compute unit, more groups and more work-items
 * than any known chip holds at once. */
#define MU_GROUPS_PER_UNIT 40
#define MU_ITEMS_PER_UNIT  4096
uint32_t mu_default_groups(const struct mu_device_info *info, uint32_t workgroup);

/* The same for an app whose steps have so many elements at most: no more groups than have a work-item for each of them,
 * since any others cost time in the roll call and at every barrier, and have nothing to do. A CPU's few groups, whose
 * work-items run one after another, all have. */
uint32_t mu_fitting_groups(const struct mu_device_info *info, uint32_t workgroup, uint64_t elements);

/* Workgroups that keep the device busy, for launches whose groups need not be co-resident: a CPU's threads; else what
 * the largest known chips hold at once. */
#define MU_RESIDENT_GROUPS 32
#define MU_RESIDENT_ITEMS  2048
uint32_t mu_default_grid(const struct mu_device_info *info, uint32_t workgroup);

/* What a program is compiled for that is not an app's, in variant specialised: with the atomics path, and waiting as
 * the device's programs do unless somebody says otherwise. */
struct mu_build mu_default_build(const struct mu_device_info *info, enum mu_atomics atomics, uint32_t workgroup,
                                 uint32_t spin_limit);

/* Returns the clock of kernels that are built for the path and this kind of yield: the best that they have. */
enum mu_load_clock mu_choose_load_clock(const struct mu_device_info *info, enum mu_atomics atomics,
                                        enum mu_yield yield);

/* How many polls take about `seconds`, when one takes poll_ns (mu_selftest.poll_ns); between 2^10 and 2^31. Polls of
 * many groups on one word take longer than that; and on a CPU a worker may wait for its core for many milliseconds,
 * which a short bound would call a deadlock. */
uint32_t mu_polls_in(double poll_ns, double seconds);

/* The same as the nearest power of two. A bound is part of the program that has it: self-tests that differ by a little
 * find the same one compiled. */
uint32_t mu_polls_about(double poll_ns, double seconds);

#endif
