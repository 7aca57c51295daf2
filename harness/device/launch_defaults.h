/* How to launch where neither the user nor the chip's profile says it: rules that need only the device's description.
 * Its units are those that a user says, else those that the device tells. Where it tells one, they are those that the
 * self-test found. */
#ifndef MU_HARNESS_DEVICE_LAUNCH_DEFAULTS_H
#define MU_HARNESS_DEVICE_LAUNCH_DEFAULTS_H

#include "harness/device/device.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns the units that launches go by. */
uint32_t mu_device_units(const struct mu_device_info *info);

uint32_t mu_default_workgroup(const struct mu_device_info *info);

/* The least patience on devices other than CPUs. An app's workgroups may arrive less evenly than those of a probe's
 * simple kernel, which needs a few reads at most there. It was not chosen for any app: some reads more or fewer are a
 * microsecond or two. */
#define MU_PATIENCE_LEAST 16

/* Returns the patience of a roll call, in unchanged reads. A CPU's driver runs a workgroup on each of its threads,
 * which wake up late: there patience is long, and the size is known. On other devices a read takes longer than the next
 * group takes to come, and each vain read is added to the time. */
uint32_t mu_default_patience(const struct mu_device_info *info);

/* Returns the value to which a profile's patience is raised where the size is known, so that patience only ends the
 * wait for groups that do not come. How late a thread of a CPU's driver wakes up depends more on the machine than on
 * the chip's name: of two machines of one chip name, one needed many times the patience of the other
 * (results/experiments/patience). On other devices a profile's patience counts.
 *
 * mu_default_expected returns the expected size; 0: unknown. */
uint32_t mu_least_patience(const struct mu_device_info *info);
uint32_t mu_default_expected(const struct mu_device_info *info);

/* Returns how many workgroups portable launches where nobody says it: for each compute unit, more groups and more
 * work-items than any known chip holds at once. */
#define MU_GROUPS_PER_UNIT 40
#define MU_ITEMS_PER_UNIT  4096
uint32_t mu_default_groups(const struct mu_device_info *info, uint32_t workgroup);

/* Does the same for an app whose steps have so many elements at most: launches no more groups than have a work-item for
 * each. Any others would cost time in the roll call and at every barrier, and have nothing to do. The few groups of a
 * CPU, whose work-items run one after another, all have elements. */
uint32_t mu_fitting_groups(const struct mu_device_info *info, uint32_t workgroup, uint64_t elements);

/* Returns how many workgroups keep the device busy, for launches whose groups need not be co-resident: a CPU's threads;
 * else as many as the largest known chips hold at once. */
#define MU_RESIDENT_GROUPS 32
#define MU_RESIDENT_ITEMS  2048
uint32_t mu_default_grid(const struct mu_device_info *info, uint32_t workgroup);

/* Returns what a program that is not an app's is compiled for, in variant specialised: with this atomics path, and with
 * the kind of waiting that the device's programs have by default. */
struct mu_build mu_default_build(const struct mu_device_info *info, enum mu_atomics atomics, uint32_t workgroup,
                                 uint32_t spin_limit);

/* Returns the clock of kernels that are built for the path and this kind of yield: the best that they have. */
enum mu_load_clock mu_choose_load_clock(const struct mu_device_info *info, enum mu_atomics atomics,
                                        enum mu_yield yield);

/* Returns how many polls take about `seconds`, when one takes poll_ns (mu_selftest.poll_ns); between 2^10 and 2^31.
 * Polls of many groups on one word take longer. On a CPU a worker may wait for its core for many milliseconds, which a
 * short bound would call a deadlock. */
uint32_t mu_polls_in(double poll_ns, double seconds);

/* Returns the same as the nearest power of two. A bound is part of its program: self-tests that differ slightly then
 * find the same one compiled. */
uint32_t mu_polls_about(double poll_ns, double seconds);

#endif
