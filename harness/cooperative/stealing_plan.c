/* The work-stealing apps as a survey: the points of each suite, and the experiments. */
#include "harness/cooperative/stealing.h"
#include "harness/device/launch_defaults.h"

/* A point that takes longer has hung. */
#define DEADLINE_S 60.0

/* Which points there are: what a suite's scale says. */
enum scale {
    ADAPTED, /* sizes for a GPU */
    SMALL,
    SEEDS, /* the small sizes, under many random schedules */
    SCALES
};

/* The values of an axis, by scale. */
struct values {
    uint32_t of[SCALES][10];
    uint32_t count[SCALES];
};

static enum scale scale_of(const struct mu_circumstances *of)
{
    return (enum scale)mu_survey_options_of(of)->suite->scale;
}

static void append(const struct mu_circumstances *of, const struct values *table, struct mu_json *values)
{
    const enum scale scale = scale_of(of);
    for (uint32_t i = 0; i < table->count[scale]; i++) mu_json_append_number(values, table->of[scale][i]);
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

/* Random schedules, in parts that a process has time for: those of a suite of times are few, and the parts are several
 * processes, which intervals need. */
AXIS(seeds, {{{20}, {20}, {100}}, {1, 1, 1}})
AXIS(first_seeds, {{{1, 21, 41, 61}, {1}, {1, 101, 201, 301, 401, 501, 601, 701, 801, 901}}, {4, 1, 10}})

/* Appends the team: at most two workgroups for each compute unit of a GPU, which fit whatever a kernel needs. These
 * kernels have no roll call, and wait for workgroups that are to leave. */
static void team(const struct mu_circumstances *of, struct mu_json *values)
{
    const struct mu_survey_options *options = mu_survey_options_of(of);
    const uint32_t most = of->info->cpu ? options->team : 2 * mu_device_units(of->info);
    mu_json_append_number(values, options->team < most ? options->team : most);
}

#define OTHERS                                                                                                         \
    {"seeds", "random schedules of the team's size", seeds}, {"first_seed", "the first of them", first_seeds},         \
        {"team", "workgroups that steal", team}, {"turns", "times that each form is timed", turns},                    \
    {                                                                                                                  \
        0                                                                                                              \
    }

/* Loads beside them. */
AXIS(loaded_points, {{{LARGE_OCTREE}, {200000}, {0}}, {1, 1, 0}})
AXIS(loaded_depths, {{{LARGE_GAME}, {8}, {0}}, {1, 1, 0}})
AXIS(loaded_turns, {{{5}, {5}, {0}}, {1, 1, 0}})
AXIS(processes, {{{1, 2, 3}, {1}, {0}}, {3, 1, 0}})

static void loads(const struct mu_circumstances *of, struct mu_json *values)
{
    static const char *const of_gpus[] = {"light", "medium", "heavy"};
    if (scale_of(of) == SMALL) mu_json_append_text(values, "brief");
    for (size_t i = 0; scale_of(of) == ADAPTED && i < sizeof of_gpus / sizeof of_gpus[0]; i++)
        mu_json_append_text(values, of_gpus[i]);
}

#define LOADS                                                                                                          \
    {"load", "what is served meanwhile", loads}, {"process", "the same in so many processes", processes},              \
        {"team", "workgroups, the scheduler counted", team},                                                           \
        {"turns", "runs beside each load, at most", loaded_turns},                                                     \
    {                                                                                                                  \
        0                                                                                                              \
    }

static const struct mu_axis loaded_octrees[] = {{"points", "in the octree", loaded_points}, LOADS};
static const struct mu_axis loaded_games[] = {{"depth", "turns that are looked ahead", loaded_depths}, LOADS};

static const struct mu_axis octrees[] = {{"points", "in the octree", points}, OTHERS};
static const struct mu_axis games[] = {{"depth", "turns that are looked ahead", depths}, OTHERS};

/* Returns whether a load can run: it needs a team of three. */
static bool takes_load(const struct mu_circumstances *of)
{
    return mu_survey_may_persist(of) && mu_survey_options_of(of)->team >= 3;
}

#define FAMILY(axes) ((const struct mu_axis *const[]){axes, NULL})

static const struct mu_experiment experiments[] = {
    {.name = "octree",
     .purpose = "points partitioned into an octree by workgroups that steal, in the original and the cooperative form",
     .families = FAMILY(octrees),
     .applies = mu_survey_may_persist,
     .measure = mu_stealing_octree,
     .tables = "stealing"},
    {.name = "game",
     .purpose = "the value of a game tree, found in the same two forms",
     .families = FAMILY(games),
     .applies = mu_survey_may_persist,
     .measure = mu_stealing_game,
     .tables = "stealing"},
    {.name = "octree-load",
     .purpose = "the octree while parked workgroups serve the tasks of a load",
     .families = FAMILY(loaded_octrees),
     .applies = takes_load,
     .measure = mu_stealing_octree,
     .tables = "stealing"},
    {.name = "game-load",
     .purpose = "the game tree in the same form",
     .families = FAMILY(loaded_games),
     .applies = takes_load,
     .measure = mu_stealing_game,
     .tables = "stealing"},
    {0},
};

static const struct mu_survey_kind kind = {
    .kind = "persistent", .request = "stealing", .experiments = experiments, .deadline_s = DEADLINE_S};

const struct mu_survey_suite mu_stealing_suites[] = {
    {"stealing", "the work-stealing apps of the cooperative-kernels study, in sizes for a GPU", &kind, ADAPTED,
     "stealing"},
    {"stealing-small", "the same in sizes for two cores", &kind, SMALL, "stealing"},
    {"stealing-seeds", "the same under 1000 random schedules of the team's size", &kind, SEEDS, "stealing"},
    {0},
};

int mu_stealing_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    return mu_experiment_serve(experiments, request, response, err);
}
