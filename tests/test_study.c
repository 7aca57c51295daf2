/* analysis/study: how records become measurements, which of several measurements of a test stays, and that every
 * allocation may fail. */
#include "analysis/study.h"
#include "base/memory.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

/* A record of pannotia/mis; `more` are further members, as JSON. */
static void add(json_t *records, const char *variant, const char *more)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"schema\":2,\"app\":\"pannotia/mis\",\"input\":\"road:9\",\"variant\":\"%s\",\"chip\":\"c\",%s}",
             variant, more);
    json_array_append_new(records, json_loads(text, 0, NULL));
}

static const struct mu_measurement *only(const struct mu_study *study)
{
    return study->count == 1 ? &study->measurements[0] : NULL;
}

static void test_clusters(void)
{
    struct mu_error err = {0};
    struct mu_study study;
    json_t *records = json_array();
    add(records, "portable",
        "\"kind\":\"measure\",\"outcome\":\"ok\",\"samples_ns\":[100,400,100],\"date\":\"2026-02\"");
    add(records, "portable", "\"kind\":\"measure\",\"outcome\":\"ok\",\"samples_ns\":[400],\"date\":\"2026-01\"");
    add(records, "portable", "\"kind\":\"tune\",\"outcome\":\"ok\",\"samples_ns\":[1]");
    const int status = mu_study_make(records, MU_STUDY_MEASURED, &study, &err);
    const struct mu_measurement *one = only(&study);
    CHECK(status == MU_OK && one != NULL && one->process_count == 2 && one->sample_count == 4 && one->failed == 0,
          "processes of a test are one measurement; tries of a tuning are not");
    CHECK(one != NULL && one->has_level && fabs(exp(one->level.log_value) - 200) < 1e-9,
          "its time is the geometric mean of the medians");
    CHECK(one != NULL && strcmp(one->last_date, "2026-02") == 0 && one->processes[0].values[1] > 399,
          "its date is the newest, its samples are in order");
    mu_study_release(&study);
    add(records, "portable", "\"kind\":\"measure\",\"outcome\":\"deadlock\",\"samples_ns\":[1,2]");
    mu_study_make(records, MU_STUDY_MEASURED, &study, &err);
    one = only(&study);
    CHECK(one != NULL && one->failed == 1 && one->process_count == 2 && one->record_count == 3 &&
              strcmp(one->outcome, "deadlock") == 0,
          "a process that failed gives the measurement its outcome, and no samples");
    mu_study_release(&study);
    mu_study_make(records, MU_STUDY_TUNED, &study, &err);
    CHECK(only(&study) != NULL && strcmp(only(&study)->kind, "tune") == 0, "tries alone");
    mu_study_release(&study);
    json_decref(records);
}

/* The workgroup size of what stays of the records. */
static uint32_t chosen(const json_t *records)
{
    struct mu_error err = {0};
    struct mu_study study;
    uint32_t workgroup = 0;
    if (mu_study_make(records, MU_STUDY_MEASURED, &study, &err) != MU_OK) return 0;
    mu_study_choose(&study);
    if (only(&study) != NULL) workgroup = only(&study)->workgroup;
    mu_study_release(&study);
    return workgroup;
}

static void test_choice(void)
{
    json_t *records = json_array();
    add(records, "portable", "\"workgroup\":32,\"outcome\":\"ok\",\"samples_ns\":[300]");
    add(records, "portable", "\"workgroup\":64,\"outcome\":\"ok\",\"samples_ns\":[200],\"team_limit\":8");
    add(records, "portable", "\"workgroup\":128,\"outcome\":\"crash\"");
    CHECK(chosen(records) == 64, "of single runs the fastest: %u", chosen(records));
    add(records, "portable",
        "\"workgroup\":256,\"kind\":\"measure\",\"outcome\":\"ok\",\"samples_ns\":[900],\"date\":\"2\"");
    CHECK(chosen(records) == 256, "a campaign wins over single runs: %u", chosen(records));
    add(records, "portable", "\"workgroup\":512,\"kind\":\"measure\",\"outcome\":\"deadlock\",\"date\":\"3\"");
    CHECK(chosen(records) == 512, "of a campaign the newest, even if it failed: %u", chosen(records));
    add(records, "portable",
        "\"workgroup\":1024,\"driver\":\"9\",\"kind\":\"measure\",\"outcome\":\"ok\",\"samples_ns\":[1],\"date\":"
        "\"1\"");
    CHECK(chosen(records) == 512, "an older driver leaves: %u", chosen(records));
    add(records, "portable",
        "\"workgroup\":2048,\"driver\":\"9\",\"kind\":\"measure\",\"outcome\":\"ok\",\"samples_ns\":[1],\"date\":"
        "\"4\"");
    CHECK(chosen(records) == 2048, "a newer driver wins: %u", chosen(records));
    json_decref(records);
}

static void test_keys(void)
{
    struct mu_error err = {0};
    struct mu_study study;
    json_t *records = json_array();
    add(records, "portable", "\"outcome\":\"ok\",\"samples_ns\":[1],\"seed\":1,\"delta\":0");
    add(records, "portable", "\"outcome\":\"ok\",\"samples_ns\":[1],\"seed\":1,\"delta\":32");
    add(records, "portable", "\"outcome\":\"ok\",\"samples_ns\":[1],\"label\":\"b\"");
    add(records, "portable", "\"outcome\":\"ok\",\"samples_ns\":[1],\"input_hash\":\"f00\"");
    add(records, "multi-kernel", "\"outcome\":\"ok\",\"samples_ns\":[1]");
    add(records, "portable", "\"outcome\":\"ok\"");
    mu_study_make(records, MU_STUDY_MEASURED, &study, &err);
    mu_study_choose(&study);
    CHECK(study.count == 6, "options, labels, inputs of another content and variants make tests: %zu", study.count);
    bool shown = false, labelled = false, lacking = false;
    for (size_t i = 0; i < study.count; i++) {
        shown = shown || strcmp(study.measurements[i].shown, "road:9 delta=32") == 0;
        labelled = labelled || strcmp(study.measurements[i].chip, "c@b") == 0;
        lacking = lacking || strcmp(study.measurements[i].outcome, "no-samples") == 0;
    }
    CHECK(shown && labelled, "options that are not the usual ones are shown, and labels");
    CHECK(lacking, "ok without samples is no time");
    mu_study_release(&study);
    json_decref(records);
}

static void test_memory(void)
{
    json_t *records = json_array();
    bool reported = true, done = false;
    unsigned long n = 1;
    for (int i = 0; i < 3; i++)
        add(records, i == 2 ? "specialised" : "portable", "\"outcome\":\"ok\",\"samples_ns\":[1,2,3],\"seed\":1");
    for (; n < 500 && !done; n++) {
        struct mu_error err = {0};
        struct mu_study study;
        mu_fail_allocation(n);
        const int status = mu_study_make(records, MU_STUDY_MEASURED, &study, &err);
        mu_fail_allocation(0);
        done = status == MU_OK;
        reported = reported && (done || (status == MU_NO_MEMORY && study.count == 0));
        mu_study_release(&study);
    }
    CHECK(reported && done && n > 20, "each of %lu allocations may fail", n - 2);
    json_decref(records);
}

int main(void)
{
    test_clusters();
    test_choice();
    test_keys();
    test_memory();
    return tap_done();
}
