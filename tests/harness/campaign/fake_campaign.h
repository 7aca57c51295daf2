/* A campaign in an environment without a driver: its children are a table of times. */
#ifndef MU_TESTS_FAKE_CAMPAIGN_H
#define MU_TESTS_FAKE_CAMPAIGN_H

#include "harness/campaign/campaign.h"

#include "tests/harness/engine/fake_environment.h"
#include "tests/tap.h"

/* A row of the table: a configuration, and what a sample of it takes, or how it ends. */
struct row {
    const char *variant;
    uint32_t workgroup, team; /* 0: any */
    uint32_t time_us;
    int status;       /* MU_CRASH and MU_DEADLINE end the process */
    uint32_t step_us; /* that each process of the row takes longer than the one before */
};

static uint32_t processes[64]; /* by row: how many there were */

static const struct row *row_of(const struct fake_environment *fake, const json_t *values)
{
    const struct row *row = fake->table;
    const uint32_t workgroup = mu_json_count(values, "workgroup"), team = mu_json_count(values, "team_limit");
    for (; row->variant != NULL; row++)
        if (mu_json_is(values, "variant", row->variant) && (row->workgroup == 0 || row->workgroup == workgroup) &&
            (row->team == 0 || row->team == team))
            return row;
    return NULL;
}

/* The response of a child for a test, which found a full team of 32 groups where it was to find one. */
static json_t *answer_test(struct fake_environment *fake, const json_t *test, int *status)
{
    char text[64];
    const json_t *values = json_object_get(test, "values");
    const struct row *row = row_of(fake, values);
    const json_t *team = json_object_get(values, "team_limit");
    if (json_is_integer(team))
        snprintf(text, sizeof text, "%s %u %u", mu_json_text(values, "variant"), mu_json_count(values, "workgroup"),
                 mu_json_count(values, "team_limit"));
    else
        snprintf(text, sizeof text, "%s %u", mu_json_text(values, "variant"), mu_json_count(values, "workgroup"));
    fake_note(fake, text);
    if (row == NULL) return json_pack("{s:s, s:s}", "outcome", "unsupported", "message", "not in the table");
    const struct row *first = fake->table;
    const uint32_t time_us = row->time_us + row->step_us * processes[row - first]++;
    if (row->status == MU_CRASH || row->status == MU_DEADLINE) *status = row->status;
    if (row->status != MU_OK)
        return json_pack("{s:s, s:s}", "outcome", mu_status_outcome(row->status), "message", "as the table says");
    struct mu_json samples = mu_json_array();
    for (int i = 0; i < 7; i++) mu_json_append_number(&samples, UINT64_C(1000) * time_us);
    return json_pack("{s:s, s:o, s:I, s:I}", "outcome", "ok", "samples_ns", mu_json_take(&samples, "samples", NULL),
                     "team", (json_int_t)(json_is_integer(team) ? json_integer_value(team) : 32), "wall_ns",
                     (json_int_t)(fake->call_ns / 5));
}

static json_t *answer(struct fake_environment *fake, const json_t *request, int *status)
{
    size_t i;
    json_t *try;
    /* A run asks for its suite; a try of a tuning tells the best so far. */
    if (json_object_get(request, "best_ns") == NULL && !mu_json_is(request, "suite", "smoke")) *status = MU_CRASH;
    if (*status != MU_OK) return NULL;
    if (json_object_get(request, "tests") == NULL) {
        json_t *response = answer_test(fake, json_object_get(request, "test"), status);
        json_object_del(response, "wall_ns");
        return response;
    }
    struct mu_json parts = mu_json_array();
    json_array_foreach (json_object_get(request, "tests"), i, try) {
        json_t *part = answer_test(fake, try, status);
        if (*status == MU_OK) mu_json_append(&parts, json_incref(part));
        json_decref(part);
        if (*status != MU_OK) break;
    }
    return json_pack("{s:o}", "parts", mu_json_take(&parts, "parts", NULL));
}

/* ---- A campaign ---- */

struct setting {
    struct fake_environment fake;
    struct mu_device_info info;
    struct mu_campaign_options options;
    struct mu_campaign campaign;
    struct mu_error err;
    char folder[64], told[32768], given[4][64];
};

/* Compares these variants, named with commas. */
static void compare(struct mu_campaign_options *options, const char *names)
{
    struct mu_error err = {0};
    mu_form_list_read(names, &options->forms, &err);
    CHECK(err.status == MU_OK, "comparing %s", names);
}

/* pannotia/mis on a small input, in the variants multi-kernel and portable. */
static void prepare(struct setting *setting, const struct row *rows)
{
    struct mu_error err = {0};
    *setting =
        (struct setting){.info = fake_device(false),
                         .fake = {.answer = answer, .call_ns = 10000000000, .health = MU_TRUSTED, .table = rows}};
    snprintf(setting->folder, sizeof setting->folder, "/tmp/fake_campaign.XXXXXX");
    CHECK(mkdtemp(setting->folder) != NULL && setenv("MUSTER_RESULTS", setting->folder, 1) == 0, "a folder");
    memset(processes, 0, sizeof processes);
    struct mu_campaign_options *options = &setting->options;
    mu_option_line_make(&options->line, true);
    options->suite = &mu_suites[0];
    options->apps[options->app_count++] = mu_app_find("pannotia/mis", &err);
    options->inputs[options->input_count++] = "road:6";
    compare(options, "multi-kernel,portable");
    options->repeats = 4;
    options->order_seed = 1;
    options->tune = (struct mu_tune_options){.least = MU_TUNE_LEAST, .max_time_s = 1};
}

static void run(struct setting *setting)
{
    struct captured captured;
    setting->fake.facts =
        (struct mu_facts){.info = &setting->info, .selftest = {.trust = MU_TRUSTED, .spin_limit = 1 << 20}};
    setting->fake.calls = setting->fake.checks = 0;
    setting->err = (struct mu_error){0};
    const struct mu_engine_environment environment = fake_environment(&setting->fake);
    mu_campaign_free(&setting->campaign);
    setting->campaign = (struct mu_campaign){0};
    capture(&captured);
    if (mu_campaign_plan(&setting->options, &setting->info, &environment, &setting->campaign, &setting->err) == MU_OK &&
        mu_campaign_open(&setting->campaign, &setting->err) == MU_OK)
        mu_campaign_run(&setting->campaign, &setting->err);
    release(&captured, setting->told, sizeof setting->told);
    if (setting->err.status != MU_OK) printf("# %s\n", setting->err.message);
}

static void discard(struct setting *setting)
{
    char command[96];
    mu_campaign_free(&setting->campaign);
    snprintf(command, sizeof command, "rm -rf '%s'", setting->folder);
    if (system(command) != 0) printf("# %s is left\n", setting->folder);
}

static inline bool tells(const struct setting *setting, const char *text)
{
    return is_told(setting->told, text);
}

static uint32_t count_calls(const struct setting *setting, const char *what)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < setting->fake.calls; i++) count += strstr(setting->fake.log[i], what) != NULL;
    return count;
}

#endif
