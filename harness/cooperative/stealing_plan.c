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

/* 1000 random schedules, in parts that a process has time for. */
AXIS(seeds, {{{250}, {20}, {100}}, {1, 1, 1}})
AXIS(first_seeds, {{{1, 251, 501, 751}, {1}, {1, 101, 201, 301, 401, 501, 601, 701, 801, 901}}, {4, 1, 10}})

/* Returns whether a point has this part of the schedules. The large sizes have the first part only, since the host
 * takes long to check them. */
static bool has_part(const struct mu_circumstances *of, const json_t *point)
{
    (void)of;
    const bool large = mu_json_number(point, "points") >= LARGE_OCTREE || mu_json_number(point, "depth") >= LARGE_GAME;
    return !large || mu_json_number(point, "first_seed") == 1;
}

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

/* Loads beside them: runs that take some of the load's periods. */
AXIS(loaded_points, {{{1000000}, {200000}, {0}}, {1, 1, 0}})
AXIS(loaded_depths, {{{10}, {8}, {0}}, {1, 1, 0}})
AXIS(loaded_turns, {{{9}, {5}, {0}}, {1, 1, 0}})

static void loads(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_text(values, "brief");
    if (scale_of(of) == ADAPTED) mu_json_append_text(values, "medium");
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
     .has = has_part,
     .measure = mu_stealing_octree,
     .tables = "stealing"},
    {.name = "game",
     .purpose = "the value of a game tree, found in the same two forms",
     .families = FAMILY(games),
     .applies = mu_survey_may_persist,
     .has = has_part,
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
