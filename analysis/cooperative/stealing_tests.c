#include "analysis/cooperative/stealing.h"

#include "base/json.h"
#include "base/memory.h"

#include <string.h>

const char *mu_stealing_app(const json_t *parameters, uint64_t *size)
{
    static const struct {
        const char *app, *size;
    } apps[] = {{"octree", "points"}, {"game", "depth"}};
    const char *experiment = mu_json_text(parameters, "experiment");
    for (size_t i = 0; i < sizeof apps / sizeof apps[0]; i++) {
        if (strncmp(experiment, apps[i].app, strlen(apps[i].app)) != 0) continue;
        *size = mu_json_number(parameters, apps[i].size);
        return apps[i].app;
    }
    return NULL;
}

static void forget(struct mu_stealing_test *test)
{
    mu_processes_release(&test->original);
    mu_processes_release(&test->cooperative);
}

/* Finds the test of a measurement, or adds it; NULL after a failure. Measurements of an earlier build are forgotten. */
static struct mu_stealing_test *find_test(struct mu_stealing_tests *tests, const json_t *measurement,
                                          struct mu_error *err)
{
    const json_t *parameters = json_object_get(measurement, "parameters");
    struct mu_stealing_test wanted = {.commit = mu_json_text(measurement, "commit")};
    wanted.app = mu_stealing_app(parameters, &wanted.size);
    wanted.team = mu_json_number(parameters, "team");
    size_t at = 0;
    while (at < tests->count && (strcmp(tests->tests[at].app, wanted.app) != 0 ||
                                 tests->tests[at].size != wanted.size || tests->tests[at].team != wanted.team))
        at++;
    if (at < tests->count && strcmp(tests->tests[at].commit, wanted.commit) == 0) return &tests->tests[at];
    if (at == tests->count) {
        if (mu_resize((void **)&tests->tests, at + 1, sizeof wanted, "tests", err) != MU_OK) return NULL;
        tests->count++;
    } else
        forget(&tests->tests[at]);
    tests->tests[at] = wanted;
    return &tests->tests[at];
}

static void add_schedules(struct mu_stealing_test *test, const json_t *measurement)
{
    const uint64_t least = mu_json_number(measurement, "least_team");
    if (test->seeds == 0 || least < test->least) test->least = least;
    test->seeds += mu_json_number(json_object_get(measurement, "parameters"), "seeds");
    test->right += mu_json_number(measurement, "right");
    test->left += mu_json_number(measurement, "left");
    test->came += mu_json_number(measurement, "came");
}

static int add_measurement(struct mu_stealing_tests *tests, struct mu_json *sessions, const json_t *measurement,
                           struct mu_error *err)
{
    struct mu_stealing_test *test = find_test(tests, measurement, err);
    const size_t session = mu_processes_session(sessions, measurement);
    if (test == NULL) return err->status;
    const json_t *ns = json_object_get(measurement, "ns");
    if (mu_json_is(measurement, "implementation", "original")) mu_processes_add(&test->original, ns, session, err);
    if (mu_json_is(measurement, "implementation", "cooperative"))
        mu_processes_add(&test->cooperative, ns, session, err);
    if (mu_json_is(measurement, "implementation", "stress")) add_schedules(test, measurement);
    return err->status;
}

int mu_stealing_tests_make(const json_t *measurements, struct mu_stealing_tests *tests, struct mu_error *err)
{
    size_t i;
    json_t *measurement;
    struct mu_json sessions = mu_json_object();
    json_array_foreach ((json_t *)measurements, i, measurement) {
        const json_t *parameters = json_object_get(measurement, "parameters");
        if (err->status == MU_OK && mu_json_is(measurement, "outcome", "ok") &&
            (mu_json_is(parameters, "experiment", "octree") || mu_json_is(parameters, "experiment", "game")))
            add_measurement(tests, &sessions, measurement, err);
    }
    if (sessions.lost) mu_fail(err, MU_NO_MEMORY, "out of memory: sessions");
    mu_json_release(&sessions);
    for (i = 0; i < tests->count && err->status == MU_OK; i++)
        if (mu_processes_level(&tests->tests[i].original, err) == MU_OK)
            mu_processes_level(&tests->tests[i].cooperative, err);
    return err->status;
}

void mu_stealing_tests_release(struct mu_stealing_tests *tests)
{
    for (size_t i = 0; i < tests->count; i++) forget(&tests->tests[i]);
    mu_free(tests->tests);
    *tests = (struct mu_stealing_tests){0};
}
