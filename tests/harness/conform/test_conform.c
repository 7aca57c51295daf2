/* harness/conform: what measurements say of statements, without a device. */
#include "base/memory.h"
#include "harness/conform/conform.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

/* A GPU with two atomics paths, of which it uses c11. */
static struct mu_device_info device(void)
{
    struct mu_device_info info = {.compute_units = 4, .max_workgroup = 256, .local_bytes = 32768};
    snprintf(info.name, sizeof info.name, "device");
    snprintf(info.vendor, sizeof info.vendor, "vendor");
    snprintf(info.driver, sizeof info.driver, "1.0");
    info.available[MU_ATOMICS_C11] = info.available[MU_ATOMICS_FENCES] = true;
    info.atomics = MU_ATOMICS_C11;
    return info;
}

static void add(struct mu_conform *conform, const char *text)
{
    json_t *measurement = json_loads(text, 0, NULL);
    if (measurement == NULL) printf("Bail out! not JSON: %s\n", text);
    json_array_append_new(conform->measurements, measurement);
}

static const struct mu_conform_statement *find(const struct mu_conform *conform, const char *name)
{
    for (size_t i = 0; i < conform->count; i++)
        if (strcmp(conform->statements[i].name, name) == 0) return &conform->statements[i];
    return NULL;
}

static bool is(const struct mu_conform *conform, const char *name, enum mu_conform_verdict verdict)
{
    const struct mu_conform_statement *statement = find(conform, name);
    return statement != NULL && statement->verdict == verdict;
}

#define POINT(experiment, path, more)                                                                                  \
    "{\"parameters\":{\"experiment\":\"" experiment "\",\"round\":1,\"atomics\":\"" path                               \
    "\",\"form\":\"ordered\"" more "},"
#define BARRIER(path, kind) POINT("barriers", path, ",\"barrier\":\"" kind "\"")
#define COUNTS(test, instances, weak)                                                                                  \
    "\"outcome\":\"ok\",\"test\":\"" test "\",\"outcome_of_interest\":\"seen\",\"instances\":" instances               \
    ",\"weak\":" weak

static void fill(struct mu_conform *conform, const struct mu_device_info *info)
{
    *conform = (struct mu_conform){
        .info = info, .selftest = {.trust = MU_TRUSTED}, .measurements = json_array(), .known = NULL};
    add(conform, BARRIER("c11", "counter") COUNTS("counter", "1000", "0") ",\"launches\":5,\"team\":4}");
    add(conform, BARRIER("c11", "counter") COUNTS("counter", "1000", "3") ",\"launches\":5,\"team\":4}");
    add(conform, BARRIER("c11", "tree") COUNTS("tree", "1000", "0") ",\"launches\":5,\"team\":1}");
    add(conform, BARRIER("c11", "xf") "\"outcome\":\"deadlock\",\"message\":\"rank 1 waited\"}");
    add(conform, BARRIER("c11", "split") "\"outcome\":\"crash\",\"message\":\"signal 11\\nand more\"}");
    add(conform, BARRIER("fences", "counter") COUNTS("counter", "1000", "1") ",\"launches\":5,\"team\":4}");
    add(conform, BARRIER("fences", "tree") COUNTS("tree", "1000", "0") ",\"launches\":5,\"team\":4}");
    add(conform, BARRIER("fences", "xf") "\"outcome\":\"unsupported\",\"message\":\"no\"}");
    add(conform, POINT("shapes", "c11", "") COUNTS("MP", "4000000", "0") "}");
    add(conform, POINT("stressed", "c11", "") COUNTS("WRC", "1000", "1") "}");
}

static void test_verdicts(void)
{
    const struct mu_device_info info = device();
    struct mu_conform conform;
    struct mu_error err = {0};
    fill(&conform, &info);
    CHECK(mu_conform_judge(&conform, &err) == MU_OK && conform.rounds == 1, "statements are judged");
    CHECK(is(&conform, "self-test", MU_CONFORM_NOT_REFUTED), "a device that is trusted");
    CHECK(is(&conform, "barrier/c11/counter", MU_CONFORM_REFUTED) &&
              find(&conform, "barrier/c11/counter")->runs == 10 && find(&conform, "barrier/c11/counter")->seen > 2.5,
          "an outcome that is forbidden and was seen once refutes, and runs are added up");
    CHECK(is(&conform, "barrier/c11/tree", MU_CONFORM_NOT_TRIED), "one workgroup at a time says nothing");
    CHECK(is(&conform, "barrier/c11/xf", MU_CONFORM_REFUTED), "a wait that ran out refutes");
    CHECK(is(&conform, "barrier/c11/split", MU_CONFORM_NOT_TRIED) &&
              find(&conform, "barrier/c11/split")->status == MU_CRASH &&
              strcmp(find(&conform, "barrier/c11/split")->why, "crash: signal 11") == 0,
          "a crash refutes nothing, and is told in one line: %s", find(&conform, "barrier/c11/split")->why);
    CHECK(is(&conform, "barrier/fences/xf", MU_CONFORM_NOT_TRIED) &&
              find(&conform, "barrier/fences/xf")->status == MU_OK,
          "nor does what a device cannot do");
    CHECK(is(&conform, "memory/c11/MP", MU_CONFORM_NOT_REFUTED) && is(&conform, "memory/c11/WRC", MU_CONFORM_REFUTED) &&
              is(&conform, "memory/c11/LB", MU_CONFORM_NOT_TRIED),
          "each litmus test is judged by its own counts, under stress, too");
    CHECK(!find(&conform, "barrier/fences/counter")->relied && find(&conform, "barrier/c11/counter")->relied &&
              find(&conform, "roll-call/fences/atomic") == NULL,
          "what is said through another path is not relied on");
    mu_conform_release(&conform);
}

static void test_news(void)
{
    const struct mu_device_info info = device();
    struct mu_conform conform;
    struct mu_error err = {0};
    fill(&conform, &info);
    mu_conform_judge(&conform, &err);
    mu_conform_mark(&conform);
    CHECK(find(&conform, "barrier/c11/counter")->is_new && !find(&conform, "barrier/fences/counter")->is_new &&
              mu_conform_status(&conform) == MU_WRONG,
          "without a baseline what is relied on and refuted is new");
    conform.known = json_pack("{s:s, s:s, s:s}", "barrier/c11/counter", "refuted", "barrier/c11/xf", "refuted",
                              "memory/c11/WRC", "refuted");
    mu_conform_mark(&conform);
    CHECK(mu_conform_status(&conform) == MU_CRASH, "beside a baseline that has all refutations the crash is left");
    json_object_set_new(conform.known, "barrier/fences/counter", json_string("not refuted"));
    mu_conform_mark(&conform);
    CHECK(find(&conform, "barrier/fences/counter")->is_new, "what the baseline tried in vain is new, relied on or not");
    conform.waivers = json_pack("{s:s}", "barrier/*", "known");
    mu_conform_mark(&conform);
    CHECK(mu_conform_status(&conform) == MU_OK, "a waiver covers refutations and crashes");
    mu_conform_release(&conform);
}

static void test_score(void)
{
    const struct mu_device_info info = device();
    struct mu_conform conform;
    struct mu_error err = {0};
    fill(&conform, &info);
#define MUTANT(form) "{\"parameters\":{\"experiment\":\"mutants\",\"atomics\":\"c11\",\"form\":\"" form "\"},"
    add(&conform, MUTANT("relaxed") COUNTS("MP", "1000000", "10") "}");
    add(&conform, MUTANT("unreleased") COUNTS("MP", "1000000", "1") "}");
    add(&conform, MUTANT("unacquired") COUNTS("MP", "1000000", "0") "}");
    add(&conform, MUTANT("unreleased") COUNTS("LB", "1000000", "5") "}");
    add(&conform, MUTANT("relaxed") COUNTS("SB", "1000000", "5") "}");
    mu_conform_judge(&conform, &err);
    CHECK(conform.score.mutants == 3 && conform.score.observed == 2 && fabs(conform.score.rarest - 1e-6) < 1e-9,
          "mutants that can have their outcome are counted: %zu of %zu", conform.score.observed, conform.score.mutants);
    CHECK(mu_conform_would_have_seen(&conform.score, 3.0e6) && !mu_conform_would_have_seen(&conform.score, 2.9e6),
          "one in a million is seen with 95 %% in three million");
    conform.score.rarest = 0;
    CHECK(!mu_conform_would_have_seen(&conform.score, 1e12), "without a mutant there is no confidence");
    mu_conform_release(&conform);
}

/* What JSON from elsewhere holds is not what it should be. */
static void test_hostile(void)
{
    const struct mu_device_info info = device();
    struct mu_conform conform = {.info = &info, .measurements = json_array()};
    struct mu_error err = {0};
    add(&conform, "{\"parameters\":7,\"outcome\":\"ok\"}");
    add(&conform, "{}");
    add(&conform, "[]");
    add(&conform, BARRIER("c11", "counter") "\"outcome\":\"ok\",\"instances\":\"many\",\"weak\":[],\"team\":{}}");
    add(&conform, "{\"parameters\":{\"experiment\":\"bound\"},\"outcome\":\"ok\",\"verdicts\":[7,[],{}]}");
    add(&conform, "{\"parameters\":{\"experiment\":\"progress\"},\"outcome\":\"ok\",\"progress\":[]}");
    CHECK(mu_conform_judge(&conform, &err) == MU_OK && is(&conform, "self-test", MU_CONFORM_REFUTED) &&
              is(&conform, "barrier/c11/counter", MU_CONFORM_NOT_TRIED),
          "measurements that are none refute nothing");
    json_t *verdicts = mu_conform_to_json(&conform, &err);
    CHECK(verdicts != NULL && json_array_size(json_object_get(verdicts, "statements")) == conform.count,
          "and all statements are told");
    json_decref(verdicts);
    mu_conform_release(&conform);
}

int main(void)
{
    test_verdicts();
    test_news();
    test_score();
    test_hostile();
    return tap_done();
}
