/* The experiments of the persistent-threads study: the table, and the points of each suite. */
#include "harness/persistent/persistent.h"

#include "harness/device/launch_defaults.h"
#include "harness/persistent/implementations.h"

#include <string.h>

const struct mu_persistent_suite mu_persistent_suites[] = {
    {"persistent", "the persistent-threads study, in sizes that suit the chip", MU_PERSISTENT_ADAPTED, "persistent"},
    {"persistent-2012", "the same with the study's own parameters", MU_PERSISTENT_2012, "persistent"},
    {"persistent-small", "a few points of it, for two cores", MU_PERSISTENT_SMALL, "persistent"},
    {"stealing", "the work-stealing apps of the cooperative-kernels study, in sizes for a GPU", MU_STEALING_ADAPTED,
     "stealing"},
    {"stealing-small", "the same in sizes for two cores", MU_STEALING_SMALL, "stealing"},
    {"stealing-seeds", "the same under 1000 random schedules of the team's size", MU_STEALING_SEEDS, "stealing"},
    {0},
};

const struct mu_persistent_suite *mu_persistent_find(const char *name)
{
    for (const struct mu_persistent_suite *suite = mu_persistent_suites; suite->name != NULL; suite++)
        if (strcmp(suite->name, name) == 0) return suite;
    return NULL;
}

static const struct mu_persistent_options *options_of(const struct mu_circumstances *of)
{
    return of->options;
}

static enum mu_persistent_scale scale_of(const struct mu_circumstances *of)
{
    return options_of(of)->suite->scale;
}

/* ---- Values of the axes ---- */

/* The values of an axis, by scale. */
struct values {
    const uint32_t *of[3];
    size_t count[3];
};

static void append(const struct mu_circumstances *of, const struct values *table, struct mu_json *values)
{
    const enum mu_persistent_scale scale = scale_of(of);
    for (size_t i = 0; i < table->count[scale]; i++) mu_json_append_number(values, table->of[scale][i]);
}

/* An axis with the same values on all chips: ADAPTED, 2012, SMALL, each a list in parentheses. */
#define AXIS(name, adapted, study, small)                                                                              \
    static void name(const struct mu_circumstances *of, struct mu_json *values)                                        \
    {                                                                                                                  \
        static const uint32_t of_adapted[] = {UNPACK adapted}, of_study[] = {UNPACK study},                            \
                              of_small[] = {UNPACK small};                                                             \
        static const struct values table = {{of_adapted, of_study, of_small},                                          \
                                            {sizeof of_adapted / sizeof *of_adapted,                                   \
                                             sizeof of_study / sizeof *of_study, sizeof of_small / sizeof *of_small}}; \
        append(of, &table, values);                                                                                    \
    }
#define UNPACK(...) __VA_ARGS__

static void team(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, options_of(of)->team);
}

/* The study's queue was shared by 1 to 240 blocks. */
static void queue_team(const struct mu_circumstances *of, struct mu_json *values)
{
    static const uint32_t study[] = {1, 30, 60, 120, 240};
    const uint32_t own = options_of(of)->team;
    if (scale_of(of) == MU_PERSISTENT_2012)
        for (size_t i = 0; i < sizeof study / sizeof study[0]; i++)
            if (study[i] <= own) mu_json_append_number(values, study[i]);
    if (scale_of(of) != MU_PERSISTENT_2012 || (own > study[0] && own < study[1])) mu_json_append_number(values, own);
}

static void turns(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, scale_of(of) == MU_PERSISTENT_SMALL ? 2 : 9);
}

/* Multiples of the team; the study's blocks, of which its GPU held at most 240. */
static void blocks(const struct mu_circumstances *of, struct mu_json *values)
{
    static const uint32_t study[] = {30, 60, 120, 240, 480, 960};
    const uint32_t own = options_of(of)->team;
    if (scale_of(of) == MU_PERSISTENT_2012)
        for (size_t i = 0; i < sizeof study / sizeof study[0]; i++) mu_json_append_number(values, study[i]);
    else
        mu_axis_powers(own, scale_of(of) == MU_PERSISTENT_SMALL ? own : 8 * own, 2, values);
}

static void team_blocks(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, options_of(of)->team);
}

/* Figure 10 has 1000 multiply-adds; the text says that the trend is the same up to 2000. */
AXIS(figure_fmas, (1000), (1000, 2000, 4000), (100))
AXIS(few_rounds, (10, 100, 1000), (1, 10, 50, 100, 500), (21))
AXIS(swept_fmas, (1, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000), (1, 10, 100, 1000, 10000), (1, 1000))
AXIS(sweep_rounds, (100), (100), (21))

AXIS(reduce_blocks, (4, 64, 1024, 16384, 65536), (4, 64, 1024, 16384), (8))
AXIS(stages_blocks, (1024, 16384), (1024, 16384), (8))
AXIS(stages_fmas, (100, 1000), (100, 1000), (20))
AXIS(stages_keep, (0, 1, 8, 32, 64, 128, 256), (0, 1, 4, 16, 32, 64, 128, 256), (0, 100, 256))

AXIS(consumer_fmas, (0, 10, 100, 1000), (1, 10, 100, 1000), (10))
AXIS(consumer_blocks, (16, 128, 1024, 8192), (32, 128, 512, 2048), (16))
AXIS(gap_blocks, (16), (16), (16))
AXIS(no_fmas, (0), (0), (0))

AXIS(complete_depths, (6, 12), (1, 2, 4, 6, 8, 10, 12), (5))
AXIS(complete_inputs, (1, 32), (1, 16, 128), (3))
AXIS(forest_fmas, (0, 100, 1000, 10000), (0, 1000, 5000, 10000, 50000), (0, 200))
AXIS(tilted_depths, (50, 500), (50, 200, 500, 1000), (10))
AXIS(tilted_inputs, (128), (128), (7))

static void complete(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_text(values, "complete");
}

static void tilted(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_text(values, "tilted");
}

static void kinds(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_text(values, "compute");
    mu_json_append_text(values, "memory");
}

static void compute(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_text(values, "compute");
}

/* ---- Axes ---- */

#define FMAS   "fmas", "multiply-adds of each work-item, for each item or round"
#define TEAM   "team", "workgroups that stay, at most"
#define TURNS  "turns", "times that each implementation is timed"
#define DEPTH  "depth", "levels of a tree"
#define INPUTS "inputs", "trees"

static const struct mu_axis gaps[] = {{"kind", "what the consumer does", compute},
                                      {FMAS, no_fmas},
                                      {"blocks", "of the consumer", gap_blocks},
                                      {TEAM, team},
                                      {TURNS, turns},
                                      {0}};
static const struct mu_axis handovers[] = {{"kind", "what the consumer does", kinds},
                                           {FMAS, consumer_fmas},
                                           {"blocks", "of the consumer", consumer_blocks},
                                           {TEAM, team},
                                           {TURNS, turns},
                                           {0}};
static const struct mu_axis reductions[] = {{"blocks", "of items", reduce_blocks}, {TEAM, team}, {TURNS, turns}, {0}};
static const struct mu_axis two_stages[] = {{FMAS, stages_fmas},
                                            {"keep", "items of each block that go on", stages_keep},
                                            {"blocks", "of items", stages_blocks},
                                            {TEAM, team},
                                            {TURNS, turns},
                                            {0}};
static const struct mu_axis sync_figure[] = {{FMAS, figure_fmas},
                                             {"blocks", "blocks of a round", blocks},
                                             {"rounds", "synchronisations", few_rounds},
                                             {TEAM, team},
                                             {TURNS, turns},
                                             {0}};
static const struct mu_axis sync_sweep[] = {{FMAS, swept_fmas},
                                            {"blocks", "blocks of a round", team_blocks},
                                            {"rounds", "synchronisations", sweep_rounds},
                                            {TEAM, team},
                                            {TURNS, turns},
                                            {0}};
static const struct mu_axis complete_forest[] = {{"shape", "of the trees", complete},
                                                 {FMAS, forest_fmas},
                                                 {DEPTH, complete_depths},
                                                 {INPUTS, complete_inputs},
                                                 {TEAM, queue_team},
                                                 {TURNS, turns},
                                                 {0}};
static const struct mu_axis tilted_forest[] = {{"shape", "of the trees", tilted},
                                               {FMAS, forest_fmas},
                                               {DEPTH, tilted_depths},
                                               {INPUTS, tilted_inputs},
                                               {TEAM, queue_team},
                                               {TURNS, turns},
                                               {0}};

#define FAMILIES(...) ((const struct mu_axis *const[]){__VA_ARGS__, NULL})

/* ---- Which points are too much ---- */

/* Multiply-adds that a chip does in about a tenth of a second: of a CPU a core with vectors, of a GPU a multiprocessor.
 * What takes longer, once in one implementation, is left out of the adapted and of the small suite; of the study's own
 * parameters, what takes a hundred times as long. */
#define CPU_UNIT_FMAS 2e8
#define GPU_UNIT_FMAS 1e10
#define ITEM_FMAS     200.0 /* what an item costs without any */

static bool is_affordable(const struct mu_circumstances *of, double items, double fmas)
{
    static const double factors[] = {1, 100, 0.05};
    const double budget = (of->info->cpu ? CPU_UNIT_FMAS : GPU_UNIT_FMAS) * of->info->compute_units;
    return items * MU_PT_BLOCK * (fmas + ITEM_FMAS) <= budget * factors[scale_of(of)];
}

static bool has_sync(const struct mu_circumstances *of, const json_t *point)
{
    return is_affordable(of, (double)mu_json_number(point, "blocks") * (double)mu_json_number(point, "rounds"),
                         (double)mu_json_number(point, "fmas"));
}

static bool has_forest(const struct mu_circumstances *of, const json_t *point)
{
    const double inputs = (double)mu_json_number(point, "inputs"), depth = (double)mu_json_number(point, "depth");
    const bool is_complete = mu_json_is(point, "shape", "complete");
    const double items =
        is_complete ? inputs * (double)((UINT64_C(1) << mu_json_number(point, "depth")) - 1) : inputs * depth;
    /* Few blocks leave most of the chip idle. */
    const double idle = (double)of->info->compute_units / (double)mu_json_number(point, "team");
    return is_affordable(of, items * (idle > 1 ? idle : 1), (double)mu_json_number(point, "fmas"));
}

static bool has_blocks(const struct mu_circumstances *of, const json_t *point)
{
    return is_affordable(of, (double)mu_json_number(point, "blocks"), (double)mu_json_number(point, "fmas"));
}

static bool is_possible(const struct mu_circumstances *of)
{
    return of->selftest->trust != MU_REFUSED && !of->info->simulator && of->info->max_workgroup >= MU_PT_BLOCK;
}

static bool is_trusted(const struct mu_circumstances *of)
{
    return scale_of(of) < MU_PERSISTENT_SCALES && is_possible(of);
}

bool mu_stealing_applies(const struct mu_circumstances *of)
{
    return scale_of(of) >= MU_PERSISTENT_SCALES && is_possible(of);
}

/* A load needs a clock in kernels, and a team of three. */
static bool takes_load(const struct mu_circumstances *of)
{
    const struct mu_persistent_options *options = of->options;
    return mu_stealing_applies(of) && options->team >= 3 &&
           mu_has_clock(of->info, of->info->atomics, of->selftest->yield);
}

static bool is_timed(const struct mu_circumstances *of)
{
    return is_trusted(of) && of->info->timer_ns != 0;
}

const struct mu_experiment mu_persistent_experiments[] = {
    {.name = "gap",
     .purpose = "from a producer's end to its consumer's start",
     .families = FAMILIES(gaps),
     .applies = is_timed,
     .event_times = true,
     .measure = mu_persistent_gap,
     .tables = "persistent"},
    {.name = "handover",
     .purpose =
         "a producer that finds out how much its consumer has to do: read-back and launch against groups that stay",
     .families = FAMILIES(handovers),
     .applies = is_trusted,
     .has = has_blocks,
     .together = 8,
     .measure = mu_persistent_handover,
     .tables = "persistent"},
    {.name = "sync",
     .purpose = "rounds of work: launches against the global barrier",
     .families = FAMILIES(sync_figure, sync_sweep),
     .applies = is_trusted,
     .has = has_sync,
     .together = 16,
     .measure = mu_persistent_sync,
     .tables = "persistent"},
    {.name = "forest",
     .purpose = "items that have children: a launch for each level against work queues",
     .families = FAMILIES(complete_forest, tilted_forest),
     .applies = is_trusted,
     .has = has_forest,
     .together = 4,
     .measure = mu_persistent_forest,
     .tables = "persistent"},
    {.name = "reduce",
     .purpose = "a sum: launches against one global barrier",
     .families = FAMILIES(reductions),
     .applies = is_trusted,
     .has = has_blocks,
     .together = 8,
     .measure = mu_persistent_reduce,
     .tables = "persistent"},
    {.name = "stages",
     .purpose = "work in two stages: one kernel, two, and a queue in local memory",
     .families = FAMILIES(two_stages),
     .applies = is_trusted,
     .has = has_blocks,
     .together = 8,
     .measure = mu_persistent_stages,
     .tables = "persistent"},
    {.name = "octree",
     .purpose = "points partitioned into an octree by workgroups that steal, in the original and the cooperative form",
     .families = mu_stealing_octrees,
     .applies = mu_stealing_applies,
     .has = mu_stealing_has,
     .measure = mu_persistent_octree,
     .tables = "stealing"},
    {.name = "game",
     .purpose = "the value of a game tree, found in the same implementation",
     .families = mu_stealing_games,
     .applies = mu_stealing_applies,
     .has = mu_stealing_has,
     .measure = mu_persistent_game,
     .tables = "stealing"},
    {.name = "octree-load",
     .purpose = "the octree while parked workgroups serve the tasks of a load",
     .families = mu_stealing_loaded_octrees,
     .applies = takes_load,
     .measure = mu_persistent_octree,
     .tables = "stealing"},
    {.name = "game-load",
     .purpose = "the game tree in the same implementation",
     .families = mu_stealing_loaded_games,
     .applies = takes_load,
     .measure = mu_persistent_game,
     .tables = "stealing"},
    {0},
};
