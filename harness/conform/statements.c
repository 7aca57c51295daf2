/* The statements that muster's synchronisation relies on, and the points that each of them needs. */
#include "harness/conform/judge.h"

#include "analysis/progress/wild.h"
#include "base/memory.h"
#include "harness/conform/synthesised.h"
#include "harness/device/launch_defaults.h"
#include "harness/litmus/litmus.h"
#include "records/scheduler_models.h"

#include <fnmatch.h>
#include <string.h>

const char *const mu_conform_verdict_names[MU_CONFORM_VERDICTS_COUNT] = {"not tried", "not refuted", "refuted"};

#define ALONE "alone on the device"

bool mu_conform_matches(const char *only, const char *name)
{
    return only == NULL || fnmatch(only, name, 0) == 0;
}

/* ---- The list ---- */

/* Appends a statement if its name is selected, and judges it. `of` may be NULL for one that has its verdict already. */
static int add(struct mu_conform *conform, const struct mu_conform_statement *statement,
               const struct mu_conform_subject *of, struct mu_error *err)
{
    if (!mu_conform_matches(conform->options.only, statement->name)) return MU_OK;
    if (conform->count == conform->room) {
        const size_t room = conform->room == 0 ? 64 : 2 * conform->room;
        if (mu_resize((void **)&conform->statements, room, sizeof *statement, "statements", err) != MU_OK)
            return err->status;
        conform->room = room;
    }
    struct mu_conform_statement *added = &conform->statements[conform->count++];
    *added = *statement;
    if (of != NULL) mu_conform_judge_one(added, of, conform->measurements);
    if (added->verdict == MU_CONFORM_NOT_TRIED && added->why[0] == '\0')
        snprintf(added->why, sizeof added->why, "%s",
                 of != NULL && conform->info->simulator                ? "the device is a simulator"
                 : of != NULL && conform->selftest.trust == MU_REFUSED ? "the self-test refuses the device"
                                                                       : "the budget was used before");
    return MU_OK;
}

static int add_selftest(struct mu_conform *conform, struct mu_error *err)
{
    const struct mu_selftest *selftest = &conform->selftest;
    struct mu_conform_statement statement = {.name = "self-test",
                                             .text = "loops, atomics and barriers of a small plan count right",
                                             .stress = ALONE,
                                             .relied = true,
                                             .runs = 1};
    statement.verdict = selftest->trust == MU_REFUSED   ? MU_CONFORM_REFUTED
                        : selftest->trust == MU_TRUSTED ? MU_CONFORM_NOT_REFUTED
                                                        : MU_CONFORM_NOT_TRIED;
    if (selftest->trust != MU_TRUSTED) snprintf(statement.why, sizeof statement.why, "%s", selftest->reason);
    return add(conform, &statement, NULL, err);
}

/* Promises of scheduler models. Those that no specification makes are not relied on, except by roll call lobe, which is
 * refused where they do not hold. */
static const struct promise {
    const char *model;
    enum mu_idiom idiom;
    enum mu_id_order order;
    bool relied;
} promises[] = {
    {"OBE", MU_IDIOM_MUTEX, MU_IDS_ASCENDING, true},        {"OBE", MU_IDIOM_MUTEX, MU_IDS_DESCENDING, true},
    {"OBE", MU_IDIOM_BARRIER_TEAM, MU_IDS_ASCENDING, true}, {"OBE", MU_IDIOM_BARRIER_TEAM, MU_IDS_DESCENDING, true},
    {"OBE", MU_IDIOM_TWO_WAY_TEAM, MU_IDS_ASCENDING, true}, {"OBE", MU_IDIOM_TWO_WAY_TEAM, MU_IDS_DESCENDING, true},
    {"HSA", MU_IDIOM_ONE_WAY, MU_IDS_ASCENDING, false},     {"LOBE", MU_IDIOM_BARRIER_LOBE, MU_IDS_ASCENDING, false},
};
enum { PROMISES = sizeof promises / sizeof promises[0] };

static void name_promise(const struct promise *promise, char *name, size_t bytes)
{
    snprintf(name, bytes, "progress/%s/%s-%s", promise->model, mu_idiom_name(promise->idiom),
             mu_id_order_name(promise->order));
}

static int add_progress(struct mu_conform *conform, struct mu_error *err)
{
    for (const struct promise *promise = promises; promise < promises + PROMISES && err->status == MU_OK; promise++) {
        const struct mu_conform_subject of = {
            .experiment = "progress", .idiom = (int)promise->idiom, .order = (int)promise->order};
        struct mu_conform_statement statement = {.stress = "more workgroups than fit", .relied = promise->relied};
        name_promise(promise, statement.name, sizeof statement.name);
        snprintf(statement.text, sizeof statement.text, "workgroups go on as %s promises: %s, ids %s", promise->model,
                 mu_idiom_text(promise->idiom), mu_id_order_name(promise->order));
        add(conform, &statement, &of, err);
    }
    return err->status;
}

/* A part of the synchronisation that exists in several kinds, such as barriers. */
struct kinds {
    const char *part, *experiment, *axis, *stress;
    const char *subject, *text; /* "barrier", "is crossed by all" */
};

static int add_kind(struct mu_conform *conform, const struct kinds *kinds, int path, const char *what, bool relied,
                    struct mu_error *err)
{
    const char *through = mu_atomics_paths[path].name;
    const struct mu_conform_subject of = {kinds->experiment, kinds->axis, through, what, NULL, -1, 0};
    struct mu_conform_statement statement = {.stress = kinds->stress, .relied = relied};
    snprintf(statement.name, sizeof statement.name, "%s/%s/%s", kinds->part, through, what);
    snprintf(statement.text, sizeof statement.text, "%s %s through atomics path %s %s", kinds->subject, what, through,
             kinds->text);
    return add(conform, &statement, &of, err);
}

/* Adds the statements about one atomics path: barriers, roll calls, mutexes, litmus tests. Roll calls are tried only
 * through the device's own path. */
static int add_path(struct mu_conform *conform, int path, struct mu_error *err)
{
    static const struct kinds barriers = {"barrier", "barriers",
                                          "barrier", "a workgroup on each compute unit",
                                          "barrier", "is crossed by all, and shows what was written before it"},
                              locks = {"mutex",
                                       "locks",
                                       "lock",
                                       "a workgroup on each compute unit",
                                       "the mutex of roll call",
                                       "loses no addition that is made under it"},
                              rollcalls = {"roll-call", "rollcalls",
                                           "rollcall",  "more workgroups than fit",
                                           "roll call", "finds a team that is on the device at once"},
                              memory = {"memory",
                                        "shapes",
                                        NULL,
                                        "near and far, on one line and on several, with other groups' loads and stores "
                                        "and without",
                                        "litmus test",
                                        ""};
    const bool relied = path == (int)conform->info->atomics;
    for (int i = MU_BARRIER_COUNTER; mu_barriers[i].name != NULL && err->status == MU_OK; i++)
        if (mu_device_has_barrier(conform->info, (enum mu_barrier)i))
            add_kind(conform, &barriers, path, mu_barriers[i].name, relied, err);
    for (int i = MU_ROLLCALL_ATOMIC; relied && mu_rollcalls[i].name != NULL && err->status == MU_OK; i++)
        add_kind(conform, &rollcalls, path, mu_rollcalls[i].name, i != MU_ROLLCALL_LOBE, err);
    for (int i = MU_ROLLCALL_TICKET; i <= MU_ROLLCALL_SPIN && err->status == MU_OK; i++)
        add_kind(conform, &locks, path, mu_rollcalls[i].name, relied, err);
    for (const struct mu_litmus_shape *shape = mu_litmus_shape_table; shape->name != NULL && err->status == MU_OK;
         shape++) {
        struct kinds of = memory;
        char text[128];
        if (!mu_litmus_is_forbidden(shape, MU_LITMUS_ORDERED)) continue;
        snprintf(text, sizeof text, "never ends with: %s", shape->outcome);
        of.text = text;
        add_kind(conform, &of, path, shape->name, relied, err);
    }
    return err->status;
}

/* Adds the statement that a program ends. It is relied on if OBE promises that. */
static int add_program(struct mu_conform *conform, const struct mu_synthesised *program, size_t number,
                       const char *placement, struct mu_error *err)
{
    const struct mu_conform_subject of = {"programs", "program", NULL, program->text, placement, -1, 0};
    struct mu_conform_statement statement = {.stress = "more workgroups than fit",
                                             .relied = (program->allowed >> MU_LTS_OBE & 1u) != 0};
    mu_synthesised_name(program, number, placement, statement.name, sizeof statement.name);
    snprintf(statement.text, sizeof statement.text, "the program %.96s, which needs %.10s, ends, its threads %.12s",
             program->text, mu_lts_needs(program->allowed), placement);
    return add(conform, &statement, &of, err);
}

static int add_programs(struct mu_conform *conform, struct mu_error *err)
{
    struct mu_synthesised chosen[MU_LTS_SCHEDULERS];
    size_t count = 0;
    mu_synthesis_choose(chosen, &count, err);
    for (size_t i = 0; i < count; i++)
        for (const char *const *placement = mu_synthesised_placements; *placement != NULL && err->status == MU_OK;
             placement++)
            add_program(conform, &chosen[i], i, *placement, err);
    return err->status;
}

static int add_bound(struct mu_conform *conform, struct mu_error *err)
{
    const struct mu_conform_subject of = {.experiment = "bound", .idiom = -1};
    /* On a CPU, a worker thread that the system has suspended cannot be told from one that does not exist. */
    struct mu_conform_statement statement = {
        .name = "bound", .stress = "one workgroup more or fewer each time", .relied = !conform->info->cpu};
    snprintf(statement.text, sizeof statement.text,
             "as many workgroups of %u as the occupancy bound says go on while the others wait, each time",
             mu_default_workgroup(conform->info));
    return add(conform, &statement, &of, err);
}

int mu_conform_judge(struct mu_conform *conform, struct mu_error *err)
{
    size_t i;
    json_t *measurement;
    json_array_foreach (conform->measurements, i, measurement) {
        const uint32_t round = mu_json_count(json_object_get(measurement, "parameters"), "round");
        if (round > conform->rounds) conform->rounds = round;
    }
    mu_conform_count_mutants(conform);
    if (add_selftest(conform, err) == MU_OK && add_progress(conform, err) == MU_OK) add_programs(conform, err);
    for (int path = 0; mu_atomics_paths[path].name != NULL && err->status == MU_OK; path++)
        if (conform->info->available[path]) add_path(conform, path, err);
    if (err->status == MU_OK) add_bound(conform, err);
    if (err->status == MU_OK && conform->count == 0)
        return mu_fail(err, MU_USAGE, "--only=%s: no statement about %s has such a name", conform->options.only,
                       conform->info->name);
    return err->status;
}

/* ---- What is needed for them ---- */

/* Returns true if a wanted statement needs the progress tests. A single point measures all promises, and another one
 * all shapes of a path. */
static bool needs_progress(const char *only)
{
    char name[96];
    for (const struct promise *promise = promises; promise < promises + PROMISES; promise++) {
        name_promise(promise, name, sizeof name);
        if (mu_conform_matches(only, name)) return true;
    }
    return false;
}

static bool needs_program(const char *only, const json_t *point)
{
    struct mu_synthesised chosen[MU_LTS_SCHEDULERS];
    struct mu_error err = {0};
    size_t count = 0;
    char name[96];
    if (only == NULL || mu_synthesis_choose(chosen, &count, &err) != MU_OK) return true;
    for (size_t i = 0; i < count; i++) {
        mu_synthesised_name(&chosen[i], i, mu_json_text(point, "placement"), name, sizeof name);
        if (mu_json_is(point, "program", chosen[i].text)) return mu_conform_matches(only, name);
    }
    return false;
}

static bool needs_shapes(const char *only, const char *path)
{
    char name[96];
    for (const struct mu_litmus_shape *shape = mu_litmus_shape_table; shape->name != NULL; shape++) {
        snprintf(name, sizeof name, "memory/%s/%s", path, shape->name);
        if (mu_litmus_is_forbidden(shape, MU_LITMUS_ORDERED) && mu_conform_matches(only, name)) return true;
    }
    return false;
}

bool mu_conform_needs(const struct mu_circumstances *of, const json_t *point)
{
    static const struct {
        const char *experiment, *part, *axis;
    } rows[] = {{"barriers", "barrier", "barrier"}, {"rollcalls", "roll-call", "rollcall"}, {"locks", "mutex", "lock"}};
    const struct mu_conform_options *options = of->options;
    const char *path = mu_json_text(point, "atomics");
    char name[96];
    if (mu_json_is(point, "experiment", "progress")) return needs_progress(options->only);
    if (mu_json_is(point, "experiment", "programs")) return needs_program(options->only, point);
    if (mu_json_is(point, "experiment", "shapes")) return needs_shapes(options->only, path);
    snprintf(name, sizeof name, "%s", mu_json_text(point, "experiment"));
    /* Mutants and the search for stress belong to no single statement. */
    if (mu_json_is(point, "experiment", "search") || mu_json_is(point, "experiment", "stressed"))
        snprintf(name, sizeof name, "mutants");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (mu_json_is(point, "experiment", rows[i].experiment))
            snprintf(name, sizeof name, "%s/%s/%s", rows[i].part, path, mu_json_text(point, rows[i].axis));
    return mu_conform_matches(options->only, name);
}

void mu_conform_release(struct mu_conform *conform)
{
    mu_free(conform->statements);
    json_decref(conform->measurements);
    json_decref(conform->known);
    json_decref(conform->waivers);
    conform->statements = NULL;
    conform->measurements = conform->known = conform->waivers = NULL;
}
