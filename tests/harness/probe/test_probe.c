/* harness/probe/probe: what a profile makes of measurements: the choice of a barrier, and of a patience. */
#include "harness/device/launch_defaults.h"
#include "harness/probe/probe.h"

#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

struct shape {
    uint32_t workgroup, team;
    double counter_ns, tree_ns;
};

static void add_barrier(json_t *measurements, const struct shape *shape, const char *barrier, double ns)
{
    json_array_append_new(measurements,
                          json_pack("{s:s, s:s, s:{s:s, s:i, s:i}, s:s, s:i, s:[f]}", "outcome", "ok", "driver", "1",
                                    "parameters", "experiment", "barrier", "workgroup", (int)shape->workgroup,
                                    "local_bytes", 1, "barrier", barrier, "team", (int)shape->team, "ns", ns));
}

/* A profile is of the time and the program of its measurements, whenever it is written. */
static void test_origin(void)
{
    static const char *const made[][2] = {
        {"2026-01-03T00:00:00Z", "abc-dirty"}, {"2026-01-04T00:00:00Z", "abc"}, {"2026-01-02T00:00:00Z", "abc-dirty"}};
    const struct mu_device_info info = {.max_workgroup = 1024};
    const struct mu_selftest selftest = {.trust = MU_TRUSTED};
    struct mu_profile profile;
    json_t *measurements = json_array();
    for (int i = 0; i < 3; i++)
        json_array_append_new(measurements, json_pack("{s:s, s:s, s:s, s:s, s:{s:s, s:i}}", "outcome", "ok", "driver",
                                                      "1", "date", made[i][0], "commit", made[i][1], "parameters",
                                                      "experiment", "none", "place", i));
    mu_probe_summarise(&info, &selftest, measurements, &profile);
    CHECK(strcmp(profile.chip_probed, "2026-01-04T00:00:00Z") == 0, "probed when it was: %s", profile.chip_probed);
    CHECK(strcmp(profile.chip_commit, "abc-dirty, abc") == 0, "… by whom: %s", profile.chip_commit);
    json_decref(measurements);
}

/* The threshold for shapes that end in one without a team. */
static uint32_t tree_from(const struct shape *shapes)
{
    const struct mu_device_info info = {.max_workgroup = 1024};
    const struct mu_selftest selftest = {.trust = MU_TRUSTED};
    struct mu_profile profile;
    json_t *measurements = json_array();
    for (; shapes->team != 0; shapes++) {
        add_barrier(measurements, shapes, "counter", shapes->counter_ns);
        add_barrier(measurements, shapes, "tree", shapes->tree_ns);
    }
    mu_probe_summarise(&info, &selftest, measurements, &profile);
    json_decref(measurements);
    return profile.barrier_tree_from;
}

/* The polls of a device whose rounds cost so many ns with 16, 64, 256 … polls between two yields. */
static uint32_t yield_polls(const double apart[], const double together[], size_t count)
{
    json_t *measurements = json_array();
    for (size_t i = 0; i < 2 * count; i++)
        json_array_append_new(measurements,
                              json_pack("{s:{s:s}, s:s, s:i, s:[f]}", "parameters", "experiment", "yield", "threads",
                                        i < count ? "apart" : "together", "polls", 16 << (2 * (i % count)), "ns",
                                        i < count ? apart[i] : together[i - count]));
    const uint32_t polls = mu_probe_yield_polls(measurements);
    json_decref(measurements);
    return polls;
}

static void test_yield_polls(void)
{
    static const double slow[] = {400, 200, 100, 99}, quick[] = {500, 600, 1000, 3000}, none[4];
    CHECK(yield_polls(slow, quick, 4) == 256, "polls: a compromise between threads apart and threads together");
    CHECK(yield_polls(slow, none, 4) == 0, "polls: no choice from one extreme alone");
    CHECK(yield_polls(none, none, 0) == 0, "polls: none measured");
}

static void test_tree_from(void)
{
    static const struct {
        const char *what;
        struct shape shapes[8];
        uint32_t tree_from;
    } cases[] = {
        {"tree never ahead", {{256, 132, 1000, 1900}, {256, 1056, 1900, 2000}}, UINT32_MAX},
        {"tree ahead by four per cent", {{256, 132, 1000, 1900}, {256, 1056, 2080, 2000}}, UINT32_MAX},
        {"tree ahead by six per cent", {{256, 132, 1000, 1900}, {256, 1056, 2120, 2000}}, 1056},
        {"tree ahead at the largest team alone",
         {{256, 528, 1200, 1900}, {256, 1056, 2080, 2000}, {128, 2112, 4700, 2000}},
         2112},
        {"a large lead is no excuse for a small one below it",
         {{64, 1056, 2000, 1990}, {64, 2112, 9000, 2000}, {64, 4224, 20000, 2000}},
         2112},
        {"shapes of one team count together",
         {{256, 1056, 2000, 2000}, {64, 1056, 3000, 2000}, {64, 2112, 4700, 2000}},
         1056},
        {"a small team is no reason", {{256, 2, 400, 200}, {256, 32, 400, 200}}, UINT32_MAX},
        {"noise swallowed the cost of tree", {{256, 1056, 2000, 0}}, UINT32_MAX},
        {"no counter to compare with", {{256, 1056, 0, 2000}}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t found = tree_from(cases[i].shapes);
        CHECK(found == cases[i].tree_from, "%s: tree from %u", cases[i].what, found);
    }
}

static void add_recall(json_t *measurements, const char *experiment, int workgroup, int patience, bool full, double ns)
{
    json_array_append_new(measurements,
                          json_pack("{s:s, s:s, s:{s:s, s:i, s:i, s:i}, s:i, s:i, s:b, s:[f, f, f]}", "outcome", "ok",
                                    "driver", "1", "parameters", "experiment", experiment, "workgroup", workgroup,
                                    "local_bytes", 1, "runs", 200, "parts", 1, "patience", patience, "full", (int)full,
                                    "ns", ns, ns, ns));
}

static void add_patience(json_t *measurements, int workgroup, int patience, bool full, double ns)
{
    add_recall(measurements, "patience", workgroup, patience, full, ns);
}

/* What is verified where roll calls with the patience found take so long. */
static uint32_t chosen(int patience, double ns)
{
    json_t *measurements = json_array();
    add_patience(measurements, 1, patience / 4, false, ns / 4);
    add_patience(measurements, 1, patience, true, ns);
    add_patience(measurements, 256, patience / 4 + 1, true, ns / 2);
    const uint32_t choice = mu_probe_choose_patience(measurements);
    json_decref(measurements);
    return choice;
}

static void test_patience(void)
{
    CHECK(chosen(1000, 1e4) == 4000, "four times what was found");
    CHECK(chosen(1, 1e4) == MU_PATIENCE_LEAST, "but not less than %d", MU_PATIENCE_LEAST);
    CHECK(chosen(1000, 4e7) == 2000 && chosen(1000, 6e7) == 1000 && chosen(1000, 1e9) == 1000,
          "less where roll calls take long");
    json_t *none = json_array();
    add_patience(none, 1, 16, false, 1e4);
    CHECK(mu_probe_choose_patience(none) == 0, "none where none was enough");
    json_decref(none);
}

/* A patience that fails in a fresh process is followed by a larger one in another, so often and no more. */
static void test_verify(void)
{
    const struct mu_device_info info = {.max_workgroup = 1024};
    const struct mu_selftest selftest = {.trust = MU_TRUSTED};
    struct mu_profile profile;
    json_t *measurements = json_array();
    json_t *parameters =
        json_pack("{s:s, s:i, s:i, s:i}", "experiment", "verify", "workgroup", 1, "local_bytes", 1, "runs", 200);
    add_patience(measurements, 1, 1000, true, 1e4);
    CHECK(!mu_probe_is_verified(measurements, parameters), "nothing is verified yet");
    add_recall(measurements, "verify", 1, 4000, false, 1e4);
    CHECK(mu_probe_choose_patience(measurements) == 16000, "four times what was not enough");
    CHECK(!mu_probe_is_verified(measurements, parameters), "which is verified next");
    mu_probe_summarise(&info, &selftest, measurements, &profile);
    CHECK(profile.rollcall_patience == 0, "what is not verified is in no profile");
    add_recall(measurements, "verify", 1, 16000, true, 1e4);
    CHECK(mu_probe_is_verified(measurements, parameters), "and enough");
    add_recall(measurements, "verify", 256, 16000, true, 1e4);
    mu_probe_summarise(&info, &selftest, measurements, &profile);
    CHECK(mu_probe_choose_patience(measurements) == 16000 && profile.rollcall_patience == 16000,
          "the profile has the one that was enough");
    add_recall(measurements, "verify", 512, 16000, false, 1e4);
    mu_probe_summarise(&info, &selftest, measurements, &profile);
    CHECK(profile.rollcall_patience == 0, "and none where one microbenchmark fails");
    json_object_set_new(parameters, "workgroup", json_integer(512));
    for (int try = 2; try <= MU_VERIFY_TRIES; try++) {
        CHECK(!mu_probe_is_verified(measurements, parameters), "try %d", try);
        add_recall(measurements, "verify", 512, 16000, false, 1e4);
    }
    CHECK(mu_probe_is_verified(measurements, parameters), "and no more");
    json_decref(parameters);
    json_decref(measurements);
}

/* The workgroups at which roll calls are timed, in the order of the points. */
static void test_fine(void)
{
    static const struct {
        uint32_t largest;
        bool fine;
        const char *workgroups;
    } cases[] = {{128, false, "32 64 128 "},
                 {128, true, "32 64 128 8 16 24 40 48 56 72 80 88 96 104 112 120 "},
                 {36, true, "32 8 16 24 "}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct mu_device_info info = {.max_workgroup = cases[i].largest};
        const struct mu_selftest selftest = {.trust = MU_TRUSTED};
        const struct mu_probe_options options = {.fine = cases[i].fine};
        const struct mu_circumstances of = {.info = &info, .selftest = &selftest, .options = &options};
        struct mu_json points = mu_json_array();
        char workgroups[256] = "";
        size_t at, used = 0;
        json_t *point;
        mu_experiment_points(mu_experiment_find(mu_probe_experiments, "cost"), &of, &points);
        json_array_foreach (points.value, at, point)
            if (used < sizeof workgroups)
                used += (size_t)snprintf(workgroups + used, sizeof workgroups - used, "%u ",
                                         (unsigned)mu_json_number(point, "workgroup"));
        CHECK(strcmp(workgroups, cases[i].workgroups) == 0, "workgroups up to %u%s: %s", cases[i].largest,
              cases[i].fine ? ", fine" : "", workgroups);
        mu_json_release(&points);
    }
}

/* Rows that share a process do so with all in between, and can: one queue serves them, and one process each point. */
static void test_processes(void)
{
    for (const struct mu_experiment *row = mu_probe_experiments; row->name != NULL; row++) {
        if (row->process == NULL) continue;
        const struct mu_experiment *first = row;
        while (first > mu_probe_experiments && first[-1].process != NULL &&
               strcmp(first[-1].process, row->process) == 0)
            first--;
        for (const struct mu_experiment *other = mu_probe_experiments; other < first; other++)
            CHECK(other->process == NULL || strcmp(other->process, row->process) != 0, "%s stands with its like",
                  row->name);
        CHECK(row->event_times == first->event_times && row->processes <= 1 && row->together == first->together &&
                  row->is_done == NULL,
              "%s can share a process", row->name);
    }
}

int main(void)
{
    test_fine();
    test_origin();
    test_tree_from();
    test_yield_polls();
    test_patience();
    test_verify();
    test_processes();
    return tap_done();
}
