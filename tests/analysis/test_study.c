/* analysis/study: how records become measurements, which of several measurements of a test stays, and that every
 * allocation may fail. */
#include "analysis/baseline.h"
#include "analysis/headline.h"
#include "analysis/study.h"
#include "base/memory.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

/* Adds a record of pannotia/mis; `more` are further members, as JSON, with ' in the place of ". */
static void add(json_t *records, const char *variant, const char *more)
{
    char text[700];
    snprintf(text, sizeof text, "{'schema':4,'app':'pannotia/mis','input':'road:9','variant':'%s','chip':'c',%s}",
             variant, more);
    for (char *c = text; *c != '\0'; c++)
        if (*c == '\'') *c = '"';
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
    add(records, "portable", "'kind':'measure','outcome':'ok','samples_ns':[100,400,100],'date':'2026-02'");
    add(records, "portable", "'kind':'measure','outcome':'ok','samples_ns':[400],'date':'2026-01'");
    add(records, "portable", "'kind':'tune','outcome':'ok','samples_ns':[1]");
    const int status = mu_study_make(records, MU_STUDY_MEASURED, &study, &err);
    const struct mu_measurement *one = only(&study);
    CHECK(status == MU_OK && one != NULL && one->process_count == 2 && one->sample_count == 4 && one->failed == 0,
          "processes of a test are one measurement; tries of a tuning are not");
    CHECK(one != NULL && one->has_level && fabs(exp(one->level.log_value) - 200) < 1e-9,
          "its time is the geometric mean of the medians");
    CHECK(one != NULL && strcmp(one->last_date, "2026-02") == 0 && one->processes[0].values[1] > 399,
          "its date is the newest, its samples are in order");
    mu_study_release(&study);
    add(records, "portable", "'kind':'measure','outcome':'deadlock','samples_ns':[1,2]");
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
    add(records, "portable", "'workgroup':32,'outcome':'ok','samples_ns':[300]");
    add(records, "portable", "'workgroup':64,'outcome':'ok','samples_ns':[200],'team_limit':8");
    add(records, "portable", "'workgroup':128,'outcome':'crash'");
    CHECK(chosen(records) == 64, "of single runs the fastest: %u", chosen(records));
    add(records, "portable", "'workgroup':256,'kind':'measure','outcome':'ok','samples_ns':[900],'date':'2'");
    CHECK(chosen(records) == 256, "a campaign wins over single runs: %u", chosen(records));
    add(records, "portable", "'workgroup':512,'kind':'measure','outcome':'deadlock','date':'3'");
    CHECK(chosen(records) == 512, "of a campaign the newest, even if it failed: %u", chosen(records));
    add(records, "portable",
        "'workgroup':1024,'driver':'9','kind':'measure','outcome':'ok','samples_ns':[1],'date':'1'");
    CHECK(chosen(records) == 512, "an older driver leaves: %u", chosen(records));
    add(records, "portable",
        "'workgroup':2048,'driver':'9','kind':'measure','outcome':'ok','samples_ns':[1],'date':'4'");
    CHECK(chosen(records) == 2048, "a newer driver wins: %u", chosen(records));
    json_decref(records);
}

/* Times of two clocks are of no one measurement, and are never put beside each other. */
static void test_clocks(void)
{
    struct mu_error err = {0};
    struct mu_study study;
    json_t *records = json_array();
    add(records, "portable", "'kind':'measure','clock':'launch','outcome':'ok','samples_ns':[10]");
    add(records, "portable", "'kind':'measure','clock':'launch','outcome':'ok','samples_ns':[11]");
    add(records, "portable", "'kind':'measure','clock':'run','outcome':'ok','samples_ns':[20]");
    add(records, "specialised", "'kind':'measure','clock':'run','outcome':'ok','samples_ns':[9]");
    add(records, "multi-kernel", "'kind':'measure','clock':'launch','outcome':'ok','samples_ns':[30]");
    add(records, "specialised", "'clock':'launch','outcome':'ok','samples_ns':[40]");
    mu_study_make(records, MU_STUDY_MEASURED, &study, &err);
    mu_study_choose(&study);
    size_t of_run = 0, of_launch = 0, pairs = 0, processes = 0;
    for (size_t i = 0; i < study.count; i++) {
        const struct mu_measurement *m = &study.measurements[i];
        const bool is_run = strcmp(m->clock, "run") == 0;
        const struct mu_measurement *multi = mu_study_find(&study, m, m, "multi-kernel");
        const struct mu_measurement *specialised = mu_study_find(&study, m, m, "specialised");
        of_run += is_run;
        of_launch += strcmp(m->clock, "launch") == 0;
        pairs += multi != NULL && is_run;
        pairs += specialised != NULL && strcmp(specialised->clock, m->clock) != 0;
        if (!is_run && strcmp(m->variant, "portable") == 0) processes += m->process_count;
    }
    CHECK(of_run == 2 && of_launch == 3, "%zu of clock run, %zu of the one before, which a single run has, too", of_run,
          of_launch);
    CHECK(pairs == 0, "no measurement is found beside one of another clock");
    CHECK(processes == 2, "records that name no clock are of the one before");
    mu_study_release(&study);
    json_decref(records);
}

/* Two sets of a chip: both stay, and single runs of a test that one of them has do not. */
static void test_sets(void)
{
    struct mu_error err = {0};
    struct mu_study study;
    json_t *records = json_array();
    add(records, "portable", "'outcome':'ok','samples_ns':[1],'seed':1");
    add(records, "portable", "'kind':'measure','set':'b','outcome':'ok','samples_ns':[2],'seed':1");
    add(records, "portable", "'kind':'measure','set':'a','outcome':'ok','samples_ns':[3],'seed':1");
    add(records, "specialised", "'outcome':'ok','samples_ns':[4],'seed':1");
    mu_study_make(records, MU_STUDY_MEASURED, &study, &err);
    mu_study_choose(&study);
    CHECK(study.count == 3, "sets stay apart: %zu", study.count);
    if (study.count == 3) {
        const struct mu_measurement *m = study.measurements;
        CHECK(strcmp(m[0].variant, "specialised") == 0 && m[0].set[0] == '\0' && strcmp(m[1].set, "a") == 0 &&
                  strcmp(m[2].set, "b") == 0,
              "a single run leaves where a campaign has its test");
        CHECK(mu_study_find(&study, &m[1], &m[0], "portable") == &m[1] &&
                  mu_study_find(&study, &m[2], &m[0], "portable") == &m[2] &&
                  mu_study_find(&study, &m[0], &m[1], "portable") == NULL,
              "a measurement is found in its set and no other");
    }
    mu_study_release(&study);
    json_decref(records);
}

/* Returns the time of multi-kernel among records of its two forms, with `processes` of each, `each` in a session.
 * Processes of the one form take times[0] and times[1] in turn, those of the other times[2]. `better` gets the form
 * that was chosen. */
static double baseline(const double times[3], int processes, int each, char better[32])
{
    struct mu_error err = {0};
    struct mu_study study;
    double time = 0;
    json_t *records = json_array();
    for (int i = 0; i < processes; i++)
        for (int fixed = 0; fixed < 2; fixed++) {
            char more[300];
            snprintf(more, sizeof more,
                     "'kind':'measure','set':'s','outcome':'ok','samples_ns':[%.0f],"
                     "'session':{'boot':'%d'},'configuration':{'grid':'%s'},'configuration_hash':'%d'",
                     fixed ? times[2] : times[i % 2], i / each, fixed ? "fixed" : "elements", fixed);
            add(records, "multi-kernel", more);
        }
    if (mu_study_make(records, MU_STUDY_MEASURED, &study, &err) != MU_OK) return 0;
    mu_study_choose(&study);
    mu_study_take_baselines(&study, &err);
    snprintf(better, 32, "none");
    for (size_t i = 0; i < study.count; i++) {
        if (strcmp(study.measurements[i].variant, "multi-kernel") != 0) continue;
        time = exp(study.measurements[i].level.log_value);
        if (study.measurements[i].better != NULL) snprintf(better, 32, "%s", study.measurements[i].better);
    }
    mu_study_release(&study);
    json_decref(records);
    return time;
}

/* One half of the processes chooses the better form of multi-kernel, the other reports its time, in any order. */
static void test_baseline(void)
{
    char better[32];
    double time = baseline((const double[]){100, 110, 200}, 6, 6, better);
    CHECK(strcmp(better, "multi-kernel") == 0 && fabs(time - sqrt(100 * 110)) < 0.5,
          "a form that wins whatever chooses has the time of all its processes: %s, %.1f", better, time);
    time = baseline((const double[]){300, 310, 200}, 6, 6, better);
    CHECK(strcmp(better, "multi-kernel-fixed") == 0 && fabs(time - 200) < 1e-6, "the other form: %s, %.1f", better,
          time);
    time = baseline((const double[]){100, 300, 200}, 6, 6, better);
    CHECK(time > sqrt(100 * 300) * 1.1 && time < 300,
          "a form that wins by luck is reported by the processes that did not choose it: %s, %.1f", better, time);
    CHECK(fabs(time - baseline((const double[]){300, 100, 200}, 6, 6, better)) < 1e-6,
          "the order of the records changes nothing");
    time = baseline((const double[]){300, 100, 200}, 1, 1, better);
    CHECK(strcmp(better, "none") == 0 && fabs(time - 300) < 1e-6, "one process chooses nothing: %s, %.1f", better,
          time);
    time = baseline((const double[]){100, 110, 200}, 6, 3, better);
    CHECK(strcmp(better, "multi-kernel") == 0 && fabs(time - sqrt(100 * 110)) < 2,
          "each of two sessions has a part in both halves: %s, %.1f", better, time);
    baseline((const double[]){300, 100, 200}, 2, 1, better);
    CHECK(strcmp(better, "none") == 0, "nor does one process in each of two sessions: %s", better);
}

/* What a record's configuration says of the condition is part of a measurement's variant. */
static void test_forms(void)
{
    static const char *const words[][3] = {
        {"portable", "'configuration':{'condition':'cold'}", "portable-cold"},
        {"portable", "'configuration':{'condition':'first'}", "portable-first"},
        {"portable", "'configuration':{'condition':'warm'}", "portable"},
        {"portable", "'seed':1", "portable"},
        {"multi-kernel", "'configuration':{'condition':'first','grid':'fixed'}", "multi-kernel-first"},
        {"specialised", "'team_from':'bound','configuration':{'condition':'warm'}", "specialised-bound"},
        {"specialised", "'configuration':{'team_limit':'bound'}", "specialised-bound"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct mu_error err = {0};
        struct mu_study study;
        json_t *records = json_array();
        add(records, words[i][0], words[i][1]);
        mu_study_make(records, MU_STUDY_MEASURED, &study, &err);
        CHECK(study.count == 1 && strcmp(study.measurements[0].variant, words[i][2]) == 0, "%s with %s is %s",
              words[i][0], words[i][1], words[i][2]);
        mu_study_release(&study);
        json_decref(records);
    }
}

/* How many measurements two records make, of which each has members of its own, as JSON. */
static size_t pooled(const char *first, const char *second)
{
    struct mu_error err = {0};
    struct mu_study study;
    char more[600];
    const char *const both[] = {first, second};
    json_t *records = json_array();
    for (size_t i = 0; i < 2; i++) {
        snprintf(more, sizeof more, "'kind':'measure','outcome':'ok','samples_ns':[100]%s%s",
                 both[i][0] != '\0' ? "," : "", both[i]);
        add(records, "portable", more);
    }
    const size_t count = mu_study_make(records, MU_STUDY_MEASURED, &study, &err) == MU_OK ? study.count : 0;
    mu_study_release(&study);
    json_decref(records);
    return count;
}

/* What is never put together. */
static void test_pooling(void)
{
#define KNOWN "'configuration':{},'comparison':'pannotia/mis road:9 seed=1',"
#define SAME  KNOWN "'configuration_hash':'a'"
#define DEVICE(vendor, name, platform, units, uuid)                                                                    \
    SAME ",'device':{'vendor':'" vendor "','name':'" name "','platform':'" platform "','compute_units':" units         \
         ",'uuid':'" uuid "'}"
    static const struct {
        const char *what, *first, *second;
        size_t count;
    } cases[] = {
        {"the same", SAME ",'kernel_hash':'k'", SAME ",'kernel_hash':'k'", 1},
        {"another commit that says the same", SAME ",'commit':'1'", SAME ",'commit':'2'", 1},
        {"what the run found", SAME ",'barrier':'tree','expected':7", SAME ",'barrier':'counter','expected':8", 1},
        {"configurations", SAME, KNOWN "'configuration_hash':'b'", 2},
        {"host programs", KNOWN "'program_hash':'a'", KNOWN "'program_hash':'b'", 2},
        {"kernels", KNOWN "'kernel_hash':'a'", KNOWN "'kernel_hash':'b'", 2},
        {"sets", KNOWN "'set':'a'", KNOWN "'set':'b'", 2},
        {"labels", KNOWN "'label':'a'", KNOWN "'label':'b'", 2},
        {"clocks", KNOWN "'clock':'launch'", KNOWN "'clock':'run'", 2},
        {"drivers", KNOWN "'driver':'1'", KNOWN "'driver':'2'", 2},
        {"equal devices of two hosts", DEVICE("A", "B", "C", "8", "1"), DEVICE("A", "B", "C", "8", "2"), 1},
        {"vendors", DEVICE("A", "B", "C", "8", "1"), DEVICE("X", "B", "C", "8", "1"), 2},
        {"models", DEVICE("A", "B", "C", "8", "1"), DEVICE("A", "X", "C", "8", "1"), 2},
        {"platforms", DEVICE("A", "B", "C", "8", "1"), DEVICE("A", "B", "X", "8", "1"), 2},
        {"numbers of units", DEVICE("A", "B", "C", "8", "1"), DEVICE("A", "B", "C", "9", "1"), 2},
        {"teams, without a hash", "'team_limit':1", "'team_limit':2", 2},
    };
#undef DEVICE
#undef SAME
#undef KNOWN
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK(pooled(cases[i].first, cases[i].second) == cases[i].count, "%s: %zu", cases[i].what, cases[i].count);
}

/* A process that crashed tells less; it is one of its test all the same. Options that nobody chose are not shown. */
static void test_words(void)
{
    struct mu_error err = {0};
    struct mu_study study;
    json_t *records = json_array();
    static const char plan[] =
        "'configuration':{},'configuration_hash':'a','configuration_from':{'delta':'%s','batch':'%s'},"
        "'comparison':'pannotia/mis road:9 seed=1 delta=%s batch=%s',%s";
    char more[400], crash[400];
    snprintf(crash, sizeof crash, plan, "default", "default", "auto", "4", "'outcome':'crash'");
    add(records, "portable", crash);
    snprintf(more, sizeof more, plan, "input", "default", "auto", "4",
             "'outcome':'ok','samples_ns':[1],'seed':1,'delta':17,'input_hash':'f00'");
    add(records, "portable", more);
    mu_study_make(records, MU_STUDY_MEASURED, &study, &err);
    CHECK(only(&study) != NULL && only(&study)->failed == 1 && only(&study)->process_count == 1 &&
              strcmp(only(&study)->outcome, "crash") == 0 && strstr(only(&study)->options, "input_hash=f00") != NULL,
          "a process that crashed belongs to its test");
    CHECK(only(&study) != NULL && strcmp(only(&study)->shown, "road:9") == 0, "what nobody chose is not shown");
    mu_study_release(&study);
    add(records, "specialised", crash);
    mu_study_make(records, MU_STUDY_MEASURED, &study, &err);
    CHECK(study.count == 2 && strcmp(study.measurements[0].options, study.measurements[1].options) == 0,
          "… and so does a form of which every process crashed");
    mu_study_release(&study);
    json_array_clear(records);
    snprintf(more, sizeof more, plan, "option", "option", "none", "8", "'outcome':'ok','samples_ns':[1]");
    add(records, "portable", more);
    mu_study_make(records, MU_STUDY_MEASURED, &study, &err);
    CHECK(only(&study) != NULL && strcmp(only(&study)->shown, "road:9 delta=none batch=8") == 0,
          "what somebody chose is shown: %s", only(&study) != NULL ? only(&study)->shown : "");
    mu_study_release(&study);
    json_decref(records);
}

static void test_keys(void)
{
    struct mu_error err = {0};
    struct mu_study study;
    json_t *records = json_array();
    add(records, "portable", "'outcome':'ok','samples_ns':[1],'seed':1,'delta':0");
    add(records, "portable", "'outcome':'ok','samples_ns':[1],'seed':1,'delta':32");
    add(records, "portable", "'outcome':'ok','samples_ns':[1],'label':'b'");
    add(records, "portable", "'outcome':'ok','samples_ns':[1],'input_hash':'f00'");
    add(records, "multi-kernel", "'outcome':'ok','samples_ns':[1]");
    add(records, "portable", "'outcome':'ok'");
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
        add(records, i == 2 ? "specialised" : "portable", "'outcome':'ok','samples_ns':[1,2,3],'seed':1");
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

static void test_headline(void)
{
    char text[256];
    struct mu_headline headline = {.chip = "gpu", .set = "", .tests = 3, .speedups = 1, .slowdowns = 2};
    headline.speedup = (struct mu_ratio){.value = 0.00123, .low = 0.0012, .high = 0.0013, .has_interval = true};
    headline.slowdown.value = 1.234;
    CHECK(strcmp(mu_headline_text(&headline, text, sizeof text),
                 "gpu: speedup 0.0012 [0.0012, 0.0013] over 1 test, slowdown 1.23 over 2 tests; 3 of 3 measurements "
                 "ended well") == 0,
          "a line for a headline, in which no ratio is 0: %s", text);
}

int main(void)
{
    test_headline();
    test_clusters();
    test_choice();
    test_clocks();
    test_sets();
    test_baseline();
    test_forms();
    test_pooling();
    test_words();
    test_keys();
    test_memory();
    return tap_done();
}
