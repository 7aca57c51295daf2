/* The framework's options: what a test is beside its app, its input and the app's own options. One row each; the
 * members of struct mu_test (harness/run/run.h), the command line, the request to the child, the record, the key and
 * the columns follow from them. */
#ifndef MU_HARNESS_RUN_OPTIONS_H
#define MU_HARNESS_RUN_OPTIONS_H

#include "base/option.h"
#include "inputs/formats/reading.h"
#include "records/implementations.h"
#include "records/optimisations/stored.h"

/* Groups of the help. */
enum { MU_GROUP_WHAT = 1, MU_GROUP_WHERE, MU_GROUP_HOW, MU_GROUP_MEASURE, MU_GROUP_OUTPUT, MU_GROUP_APPS };

#define MU_MANY_GROUPS (1u << 24)

/* tree_from: with nothing between the barriers, the tree is the quicker one from fewer groups on (on an H200 from 1056:
 * results/reports/costs.md). Steps between them spread the arrivals out, which the one word likes: hence a
 * threshold above that of empty barriers.
 *
 * No suite sets tree_from and yield_polls, which come from the profile. They are options since the keys of records hold
 * them, and so that a profile's choice can be tried against another. */

#define MU_TEST_OPTIONS(X)                                                                                             \
    X(variant, uint, .argument = "NAME", .group = MU_GROUP_WHAT, .is = MU_OPTION_FIELD | MU_OPTION_ONE,                \
      .choices = mu_variants, .otherwise = "portable", .help = "How steps are synchronised")                           \
    X(condition, uint, .argument = "NAME", .group = MU_GROUP_WHAT, .choices = mu_conditions, .otherwise = "warm",      \
      .help = "What is known, and warm, when a sample is taken; only portable can be cold")                            \
    X(seed, ulong, .argument = "NUMBER", .group = MU_GROUP_WHAT, .is = MU_OPTION_FIELD | MU_OPTION_INPUT, .min = 0,    \
      .max = UINT64_MAX >> 1, .otherwise = "1", .help = "Seed of generators and sampling")                             \
    X(input_format, uint, .argument = "NAME", .group = MU_GROUP_WHAT, .is = MU_OPTION_INPUT | MU_OPTION_RARE,          \
      .choices = mu_input_formats, .words = {{"auto", MU_FORMAT_AUTO}}, .otherwise = "auto",                           \
      .usual = "auto: told by the content", .help = "The format of the input's file, see muster list formats")         \
    X(weights, real, .argument = "RULE", .group = MU_GROUP_WHAT, .is = MU_OPTION_INPUT | MU_OPTION_RARE,               \
      .most = MU_WEIGHTS_FACTOR, .prefix = "scaled:",                                                                  \
      .words = {{"auto", MU_WEIGHTS_AUTO},                                                                             \
                {"file", MU_WEIGHTS_FILE},                                                                             \
                {"generated", MU_WEIGHTS_GENERATED},                                                                   \
                {"rounded", MU_WEIGHTS_ROUNDED}},                                                                      \
      .otherwise = "auto", .usual = "auto: the file's whole numbers, or generated where it has none",                  \
      .help = "Which weights the apps that use them get")                                                              \
    X(workgroup, uint, .argument = "SIZE", .group = MU_GROUP_WHERE, .is = MU_OPTION_FIELD | MU_OPTION_POWER, .min = 1, \
      .max = 65536, .usual = "256 on a CPU, else 128; at most what the device has",                                    \
      .help = "Work-items in a workgroup, a power of two")                                                             \
    X(team_limit, uint, .option = "team", .argument = "GROUPS", .group = MU_GROUP_WHERE, .is = MU_OPTION_FOUND,        \
      .min = 1, .max = MU_MANY_GROUPS, .words = {{"auto", MU_AUTO}, {"bound", MU_TEAM_BOUND}}, .otherwise = "auto",    \
      .usual = "auto: as many as fit; bound, for specialised: the same, proven",                                       \
      .help = "Workgroups that specialised launches, or each step of multi-kernel with a fixed grid, and at most so "  \
              "many in portable's team")                                                                               \
    X(rollcall, uint, .argument = "NAME", .group = MU_GROUP_HOW, .variants = MU_IN_PORTABLE, .is = MU_OPTION_FIELD,    \
      .choices = mu_rollcalls, .usual = "the profile's, else atomic", .help = "How portable finds its team")           \
    X(ids, uint, .argument = "NAME", .group = MU_GROUP_HOW, .variants = MU_IN_PERSISTENT, .choices = mu_id_kinds,      \
      .otherwise = "auto", .help = "Which numbers workgroups go by")                                                   \
    X(barrier, uint, .argument = "NAME", .group = MU_GROUP_HOW, .variants = MU_IN_FIXED_TEAM, .is = MU_OPTION_FIELD,   \
      .choices = mu_barriers, .otherwise = "auto", .usual = "auto, by team size", .help = "How the team synchronises") \
    X(tree_from, uint, .argument = "GROUPS", .group = MU_GROUP_HOW, .variants = MU_IN_FIXED_TEAM, .min = 1,            \
      .max = UINT32_MAX - 1, .words = {{"never", UINT32_MAX}}, .otherwise = "1536",                                    \
      .usual = "the profile's, else 1536", .help = "The smallest team for which the barrier auto is tree")             \
    X(atomics, uint, .argument = "PATH", .group = MU_GROUP_HOW, .is = MU_OPTION_FIELD, .choices = mu_atomics_paths,    \
      .usual = "the device's, see muster devices; fences with CL1.2", .help = "How atomics and fences are compiled")   \
    X(subgroups, uint, .argument = "PATH", .group = MU_GROUP_HOW, .is = MU_OPTION_RARE, .choices = mu_subgroup_paths,  \
      .otherwise = "none", .usual = "the device's for apps that use them, see muster devices; else none",              \
      .help = "How the work-items of a subgroup do things together")                                                   \
    X(yield, uint, .argument = "NAME", .group = MU_GROUP_HOW, .variants = MU_IN_PERSISTENT, .is = MU_OPTION_FIELD,     \
      .choices = mu_yields, .words = {{"auto", MU_YIELD_AUTO}}, .otherwise = "auto",                                   \
      .usual = "auto, syscall on a CPU that takes it", .help = "How a workgroup that waits lets others run")           \
    X(yield_polls, uint, .argument = "POLLS", .group = MU_GROUP_HOW, .variants = MU_IN_PERSISTENT,                     \
      .is = MU_OPTION_FIELD | MU_OPTION_POWER, .min = 1, .max = 1u << 30, .otherwise = "256",                          \
      .usual = "the profile's, else 256", .help = "Polls between two yields, a power of two")                          \
    X(c_standard, uint, .option = "cl-std", .argument = "NAME", .group = MU_GROUP_HOW, .is = MU_OPTION_FIELD,          \
      .choices = mu_c_standards, .usual = "the newest that the device compiles",                                       \
      .help = "What kernels are compiled as")                                                                          \
    X(readback, uint, .argument = "NAME", .group = MU_GROUP_HOW, .choices = mu_readbacks,                              \
      .words = {{"auto", MU_READBACK_AUTO}}, .otherwise = "auto",                                                      \
      .usual = "the profile's, else the faster one, measured",                                                         \
      .help = "How the host reads flags of multi-kernel, and what a team reports")                                     \
    X(grid, uint, .argument = "NAME", .group = MU_GROUP_HOW, .variants = MU_IN_MULTI_KERNEL, .choices = mu_step_grids, \
      .otherwise = "elements", .help = "Which workgroups multi-kernel launches for a step; fixed: --team of them")     \
    X(groups, uint, .argument = "GROUPS", .group = MU_GROUP_HOW, .variants = MU_IN_PORTABLE, .is = MU_OPTION_FOUND,    \
      .min = 1, .max = MU_MANY_GROUPS,                                                                                 \
      .usual = "more than fit, at most 40 for each compute unit, and no more than have work",                          \
      .help = "Workgroups that portable launches")                                                                     \
    X(expected, uint, .argument = "GROUPS", .group = MU_GROUP_HOW, .variants = MU_IN_PERSISTENT,                       \
      .is = MU_OPTION_FOUND, .min = 1, .max = MU_MANY_GROUPS, .words = {{"auto", MU_AUTO}},                            \
      .usual = "the profile's, else compute units of a CPU, else what a few roll calls found",                         \
      .help = "Team size at which the roll call closes at once")                                                       \
    X(patience, uint, .argument = "READS", .group = MU_GROUP_HOW, .variants = MU_IN_PERSISTENT, .min = 1,              \
      .max = UINT32_MAX, .usual = "the profile's, on a CPU at least 262144; else 4194304 on a CPU, else 16",           \
      .help = "Unchanged reads after which the roll call atomic closes")                                               \
    X(rollcall_delay, uint, .argument = "TIMES", .group = MU_GROUP_HOW, .variants = MU_IN_PORTABLE,                    \
      .is = MU_OPTION_FIELD, .min = 0, .max = UINT32_MAX, .otherwise = "0",                                            \
      .help = "The other roll calls: times that a group takes the mutex between polling and closing")                  \
    X(spin_limit, uint, .argument = "POLLS", .group = MU_GROUP_HOW, .is = MU_OPTION_FOUND, .min = 1,                   \
      .max = UINT32_MAX, .usual = "4 to 8 s worth", .help = "Polls after which a wait is a deadlock")                  \
    X(rounds, uint, .argument = "STEPS", .group = MU_GROUP_HOW, .is = MU_OPTION_EFFORT, .min = 1, .max = UINT32_MAX,   \
      .words = {{"auto", 0}}, .otherwise = "auto", .usual = "auto: 16 for each vertex or triangle, and 2^20 more",     \
      .help = "Steps that a plan may have; with more it is one without end")                                           \
    X(strategy, uint, .argument = "NAME", .group = MU_GROUP_HOW, .is = MU_OPTION_RARE, .choices = mu_strategy_kinds,   \
      .otherwise = "none",                                                                                             \
      .help = "Optimisations of a program of suite irgl, as far as no option names them: those that muster advise "    \
              "has found to pay")                                                                                      \
    X(perturb, uint, .argument = "SEED", .group = MU_GROUP_HOW, .variants = MU_IN_PERSISTENT,                          \
      .is = MU_OPTION_ONE | MU_OPTION_RARE, .min = 1, .max = 1u << 30, .words = {{"none", 0}}, .otherwise = "none",    \
      .help = "Random waits, which show missing barriers; each execution has the next seed")                           \
    X(resizing, uint, .argument = "NAME", .group = MU_GROUP_HOW, .variants = MU_IN_COOPERATIVE, .is = MU_OPTION_RARE,  \
      .choices = mu_resizings, .otherwise = "query", .help = "How many workgroups a barrier of cooperative takes")     \
    X(stress, uint, .argument = "SEED", .group = MU_GROUP_HOW, .variants = MU_IN_COOPERATIVE,                          \
      .is = MU_OPTION_ONE | MU_OPTION_RARE, .min = 1, .max = 1u << 30, .words = {{"none", 0}}, .otherwise = "none",    \
      .help = "A random size of the team behind each barrier of cooperative; each execution has the next seed")        \
    X(load, uint, .argument = "NAME", .group = MU_GROUP_HOW, .variants = MU_IN_COOPERATIVE, .is = MU_OPTION_RARE,      \
      .choices = mu_loads, .otherwise = "none", .help = "What else gets workgroups of cooperative meanwhile")          \
    X(load_groups, uint, .option = "load-groups", .argument = "GROUPS", .group = MU_GROUP_HOW,                         \
      .variants = MU_IN_COOPERATIVE, .is = MU_OPTION_RARE, .min = 1, .max = MU_MANY_GROUPS,                            \
      .words = {{"quarter", MU_LOAD_QUARTER}, {"half", MU_LOAD_HALF}, {"most", MU_LOAD_MOST_GROUPS}},                  \
      .otherwise = "quarter", .help = "How many workgroups a task of the load gets; most: all but one of the team")    \
    X(samples, uint, .argument = "N", .group = MU_GROUP_MEASURE, .is = MU_OPTION_EFFORT | MU_OPTION_ONE, .min = 1,     \
      .max = 1000000, .otherwise = "10", .help = "Timed executions")                                                   \
    X(warmup, uint, .argument = "N", .group = MU_GROUP_MEASURE, .min = 0, .max = 1000000,                              \
      .words = {{"auto", MU_WARMUP_AUTO}}, .otherwise = "auto",                                                        \
      .usual = "auto: 1; on a CPU as many as take 0.1 s, at most 50 a sample", .help = "Executions before them")       \
    X(min_samples, uint, .is = MU_OPTION_EFFORT | MU_OPTION_HIDDEN, .min = 0, .max = 1000000, .otherwise = "0",        \
      .help = "Samples of a process before its interval may end it; 0: it takes exactly `samples`")                    \
    X(target_width, real, .is = MU_OPTION_EFFORT | MU_OPTION_HIDDEN, .most = 1, .unit = "parts",                       \
      .words = {{"none", 0}}, .otherwise = "none",                                                                     \
      .help = "Relative half-width of the median's interval that ends a process")                                      \
    X(max_time_s, real, .is = MU_OPTION_EFFORT | MU_OPTION_HIDDEN, .most = 1e7, .unit = "seconds",                     \
      .words = {{"none", 0}}, .otherwise = "none", .help = "Time for samples after which a process ends")              \
    X(layout, ulong, .argument = "SEED", .group = MU_GROUP_MEASURE, .is = MU_OPTION_EFFORT, .min = 0,                  \
      .max = UINT64_MAX >> 1, .otherwise = "0",                                                                        \
      .usual = "0: in order, without offsets; of campaigns another one for each process",                              \
      .help = "Order and offsets of the buffers on the device")                                                        \
    X(placement, uint, .argument = "NAME", .group = MU_GROUP_MEASURE, .choices = mu_placements,                        \
      .words = {{"auto", MU_PLACEMENT_AUTO}}, .otherwise = "auto",                                                     \
      .usual = "auto: cores, unless another muster does so already",                                                   \
      .help = "Where the threads of a CPU's driver run")                                                               \
    X(deadline, real, .argument = "SECONDS", .group = MU_GROUP_MEASURE, .is = MU_OPTION_EFFORT, .most = 1e7,           \
      .unit = "seconds", .otherwise = "120", .help = "Time after which a process is killed")                           \
    X(trace, flag, .group = MU_GROUP_MEASURE, .variants = MU_IN_MULTI_KERNEL, .is = MU_OPTION_EFFORT,                  \
      .otherwise = "false",                                                                                            \
      .help = "Behind the samples of multi-kernel, one more execution whose record tells each step's launches, "       \
              "elements and times (default: no such execution)")                                                       \
    X(check, flag, .option = "no-check", .group = MU_GROUP_MEASURE, .is = MU_OPTION_ONE, .otherwise = "true",          \
      .help = "Do not check the results (default: every result is checked)")                                           \
    X(cache, flag, .option = "no-cache", .group = MU_GROUP_MEASURE, .is = MU_OPTION_EFFORT | MU_OPTION_ONE,            \
      .otherwise = "true", .help = "Compile, self-test and generate the input anew (default: use the cache)")

/* Returns true if tests in this variant can have the condition: only portable has a team to find, so only portable is
 * cold. */
bool mu_condition_applies(enum mu_condition condition, uint32_t variant);

/* Which variants take a setting. */
#define MU_IN_MULTI_KERNEL (1u << MU_MULTI_KERNEL)
#define MU_IN_COOPERATIVE  (1u << MU_COOPERATIVE)
#define MU_IN_PORTABLE     (1u << MU_PORTABLE | MU_IN_COOPERATIVE) /* its roll call is cooperative's, too */
#define MU_IN_FIXED_TEAM   (1u << MU_PORTABLE | 1u << MU_SPECIALISED)
#define MU_IN_PERSISTENT   (MU_IN_PORTABLE | 1u << MU_SPECIALISED)

/* What words stand for. */
#define MU_FORMAT_AUTO      255u
#define MU_AUTO             0u
#define MU_TEAM_BOUND       UINT32_MAX
#define MU_READBACK_AUTO    255u
#define MU_LOAD_QUARTER     (UINT32_MAX - 2)
#define MU_LOAD_HALF        (UINT32_MAX - 1)
#define MU_LOAD_MOST_GROUPS UINT32_MAX
#define MU_YIELD_AUTO       255u
/* Executions before the samples: one; on a CPU as many as take 0.1 s (at most 50 for each sample), since the system
 * needs some time slices to give each worker a core of its own, and until then persistent kernels wait for
 * milliseconds. */
#define MU_WARMUP_AUTO UINT32_MAX

struct mu_test_options {
    MU_TEST_OPTIONS(MU_OPTION_MEMBER)
};

#define MU_TEST_OPTION_INDEX(member, kind, ...) MU_TEST_##member,
enum mu_test_option { MU_TEST_OPTIONS(MU_TEST_OPTION_INDEX) MU_TEST_OPTION_COUNT };
#undef MU_TEST_OPTION_INDEX

/* The rows, in this order, ended by one without a name. Offsets are those of struct mu_test_options. */
extern const struct mu_option mu_test_options[];

/* Returns true if tests in this variant have the setting at all. */
bool mu_test_option_applies(const struct mu_option *row, uint32_t variant);

#endif
