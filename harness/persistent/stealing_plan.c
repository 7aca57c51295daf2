/* The points of the work-stealing apps, in each suite. */
#include "harness/persistent/persistent.h"

/* Values of an axis in the suites from MU_STEALING_ADAPTED on. */
struct values {
    uint32_t of[MU_STEALING_END - MU_STEALING_ADAPTED][10];
    uint32_t count[MU_STEALING_END - MU_STEALING_ADAPTED];
};

static enum mu_persistent_scale scale_of(const struct mu_circumstances *of)
{
    const struct mu_persistent_options *options = of->options;
    return options->suite->scale;
}

static void append(const struct mu_circumstances *of, const struct values *table, struct mu_json *values)
{
    const int row = (int)scale_of(of) - MU_STEALING_ADAPTED;
    for (uint32_t i = 0; row >= 0 && i < table->count[row]; i++) mu_json_append_number(values, table->of[row][i]);
}

#define AXIS(name, ...)                                                                                                \
    static void name(const struct mu_circumstances *of, struct mu_json *values)                                        \
    {                                                                                                                  \
        static const struct values table = __VA_ARGS__;                                                                \
        append(of, &table, values);                                                                                    \
    }

/* The largest sizes. The small suite has the larger game, too, which takes hundredths of a second. */
#define LARGE_OCTREE 1000000
#define LARGE_GAME   9

/* A game tree of so many turns has 5^0 + 5^1 + … items but for columns that are full and games that have ended. */
AXIS(points, {{{100000, LARGE_OCTREE}, {600}, {600}}, {2, 1, 1}})
AXIS(depths, {{{7, LARGE_GAME}, {3, LARGE_GAME}, {3}}, {2, 2, 1}})
AXIS(turns, {{{9}, {2}, {2}}, {1, 1, 1}})

/* 1000 random schedules, in parts that a process has time for. */
AXIS(seeds, {{{250}, {20}, {100}}, {1, 1, 1}})
AXIS(first_seeds, {{{1, 251, 501, 751}, {1}, {1, 101, 201, 301, 401, 501, 601, 701, 801, 901}}, {4, 1, 10}})

/* The large sizes have the first of these parts only: the host takes long to compare what they leave. */
bool mu_stealing_has(const struct mu_circumstances *of, const json_t *point)
{
    (void)of;
    const bool large = mu_json_number(point, "points") >= LARGE_OCTREE || mu_json_number(point, "depth") >= LARGE_GAME;
    return !large || mu_json_number(point, "first_seed") == 1;
}

/* These kernels have no roll call, and wait for workgroups that are to leave: so no more than fit whatever a kernel
 * needs, which on a GPU is two for each compute unit. */
static void team(const struct mu_circumstances *of, struct mu_json *values)
{
    const struct mu_persistent_options *options = of->options;
    const uint32_t most = of->info->cpu ? options->team : 2 * of->info->compute_units;
    mu_json_append_number(values, options->team < most ? options->team : most);
}

#define OTHERS                                                                                                         \
    {"seeds", "random schedules of the team's size", seeds}, {"first_seed", "the first of them", first_seeds},         \
        {"team", "workgroups that steal", team}, {"turns", "times that each form is timed", turns},                    \
    {                                                                                                                  \
        0                                                                                                              \
    }

/* Loads beside them: runs that take some of the load's periods. */
AXIS(loaded_points, {{{1000000}, {200000}, {0}}, {1, 1, 0}})
AXIS(loaded_depths, {{{10}, {8}, {0}}, {1, 1, 0}})
AXIS(loaded_turns, {{{9}, {5}, {0}}, {1, 1, 0}})

static void loads(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_text(values, "brief");
    if (scale_of(of) == MU_STEALING_ADAPTED) mu_json_append_text(values, "medium");
}

#define LOADS                                                                                                          \
    {"load", "what is served meanwhile", loads}, {"team", "workgroups, the scheduler counted", team},                  \
        {"turns", "runs beside each load", loaded_turns},                                                              \
    {                                                                                                                  \
        0                                                                                                              \
    }

static const struct mu_axis loaded_octrees[] = {{"points", "in the octree", loaded_points}, LOADS};
static const struct mu_axis loaded_games[] = {{"depth", "turns that are looked ahead", loaded_depths}, LOADS};

static const struct mu_axis octrees[] = {{"points", "in the octree", points}, OTHERS};
static const struct mu_axis games[] = {{"depth", "turns that are looked ahead", depths}, OTHERS};

const struct mu_axis *const mu_stealing_octrees[] = {octrees, NULL};
const struct mu_axis *const mu_stealing_games[] = {games, NULL};
const struct mu_axis *const mu_stealing_loaded_octrees[] = {loaded_octrees, NULL};
const struct mu_axis *const mu_stealing_loaded_games[] = {loaded_games, NULL};
