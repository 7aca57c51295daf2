/* The experiments of the persistent-threads study: the table, and the points of each suite. */
#include "harness/persistent/persistent.h"

#include "harness/device/launch_defaults.h"
#include "harness/engine/workbench.h"

/* A point that takes longer has hung. */
#define DEADLINE_S 60.0

/* Which points there are: what a suite's scale says. */
enum scale {
    ADAPTED, /* sizes that suit the chip: its teams, and work that it does in about a second a point */
    OF_2012, /* the study's own */
    SMALL,   /* a few, of milliseconds each */
};

static enum scale scale_of(const struct mu_circumstances *of)
{
    return (enum scale)mu_survey_options_of(of)->suite->scale;
}

/* ---- Values of the axes ---- */

/* The values of an axis, by scale. */
struct values {
    const uint32_t *of[3];
    size_t count[3];
};

static void append(const struct mu_circumstances *of, const struct values *table, struct mu_json *values)
{
    const enum scale scale = scale_of(of);
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
    mu_json_append_number(values, mu_survey_options_of(of)->team);
}

/* Appends the teams that share a queue; in the study 1 to 240 blocks. */
static void queue_team(const struct mu_circumstances *of, struct mu_json *values)
{
    static const uint32_t study[] = {1, 30, 60, 120, 240};
    const uint32_t own = mu_survey_options_of(of)->team;
    if (scale_of(of) == OF_2012)
        for (size_t i = 0; i < sizeof study / sizeof study[0]; i++)
            if (study[i] <= own) mu_json_append_number(values, study[i]);
    if (scale_of(of) != OF_2012 || (own > study[0] && own < study[1])) mu_json_append_number(values, own);
}

static void turns(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, scale_of(of) == SMALL ? 2 : 9);
}

/* Lists multiples of the team, or the study's blocks, of which its GPU held at most 240. */
static void blocks(const struct mu_circumstances *of, struct mu_json *values)
{
    static const uint32_t study[] = {30, 60, 120, 240, 480, 960};
    const uint32_t own = mu_survey_options_of(of)->team;
    if (scale_of(of) == OF_2012)
        for (size_t i = 0; i < sizeof study / sizeof study[0]; i++) mu_json_append_number(values, study[i]);
    else
        mu_axis_powers(own, scale_of(of) == SMALL ? own : 8 * own, 2, values);
}

static void team_blocks(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, mu_survey_options_of(of)->team);
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
    const double budget = (of->info->cpu ? CPU_UNIT_FMAS : GPU_UNIT_FMAS) * mu_device_units(of->info);
    return items * MU_WORKBENCH_BLOCK * (fmas + ITEM_FMAS) <= budget * factors[scale_of(of)];
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
    const double idle = (double)mu_device_units(of->info) / (double)mu_json_number(point, "team");
    return is_affordable(of, items * (idle > 1 ? idle : 1), (double)mu_json_number(point, "fmas"));
}

static bool has_blocks(const struct mu_circumstances *of, const json_t *point)
{
    return is_affordable(of, (double)mu_json_number(point, "blocks"), (double)mu_json_number(point, "fmas"));
}

static bool is_timed(const struct mu_circumstances *of)
{
    return mu_survey_may_persist(of) && of->info->timer_ns != 0;
}

static const struct mu_experiment experiments[] = {
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
     .applies = mu_survey_may_persist,
     .has = has_blocks,
     .together = 8,
     .measure = mu_persistent_handover,
     .tables = "persistent"},
    {.name = "sync",
     .purpose = "rounds of work: launches against the global barrier",
     .families = FAMILIES(sync_figure, sync_sweep),
     .applies = mu_survey_may_persist,
     .has = has_sync,
     .together = 16,
     .measure = mu_persistent_sync,
     .tables = "persistent"},
    {.name = "forest",
     .purpose = "items that have children: a launch for each level against work queues",
     .families = FAMILIES(complete_forest, tilted_forest),
     .applies = mu_survey_may_persist,
     .has = has_forest,
     .together = 4,
     .measure = mu_persistent_forest,
     .tables = "persistent"},
    {.name = "reduce",
     .purpose = "a sum: launches against one global barrier",
     .families = FAMILIES(reductions),
     .applies = mu_survey_may_persist,
     .has = has_blocks,
     .together = 8,
     .measure = mu_persistent_reduce,
     .tables = "persistent"},
    {.name = "stages",
     .purpose = "work in two stages: one kernel, two, and a queue in local memory",
     .families = FAMILIES(two_stages),
     .applies = mu_survey_may_persist,
     .has = has_blocks,
     .together = 8,
     .measure = mu_persistent_stages,
     .tables = "persistent"},
    {0},
};

static const struct mu_survey_kind kind = {.kind = "persistent", .experiments = experiments, .deadline_s = DEADLINE_S};

const struct mu_survey_suite mu_persistent_suites[] = {
    {"persistent", "the persistent-threads study, in sizes that suit the chip", &kind, ADAPTED, "persistent"},
    {"persistent-2012", "the same with the study's own parameters", &kind, OF_2012, "persistent"},
    {"persistent-small", "a few points of it, for two cores", &kind, SMALL, "persistent"},
    {0},
};

int mu_persistent_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    return mu_experiment_serve(experiments, request, response, err);
}
