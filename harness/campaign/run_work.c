/* The work of a campaign's runs: a process measures one test, or several of an app on an input (options->together).
 *
 * The engine goes through the steps one by one. The first step that has no record takes those that follow it along.
 * When their turns come, they find their records in the store. So the plan and its outcome do not depend on how many
 * tests share a process. */
#include "harness/campaign/campaign.h"

#include "base/memory.h"
#include "harness/engine/batch.h"
#include "harness/engine/order.h"

#include <string.h>

/* A run of a test. */
struct run {
    const struct mu_step *step;
    struct mu_test test;
};

/* The runs that share a process. */
struct company {
    struct mu_campaign *campaign;
    struct run *runs;
    struct mu_point *points; /* of the runs, in the same order */
    size_t count;
};

/* ---- For struct mu_batch ---- */

static int call_company(void *context, const size_t *which, size_t count, struct mu_call *call, struct mu_error *err)
{
    const struct company *company = context;
    const struct mu_test *first = &company->runs[which[0]].test;
    if (mu_campaign_mark(company->campaign, err) != MU_OK) return err->status;
    struct mu_json request = mu_json_object(), tests = mu_json_array();
    for (size_t i = 0; i < count && company->count > 1; i++)
        mu_json_append(&tests, mu_test_request(&company->runs[which[i]].test));
    *call = (struct mu_call){.deadline_s = first->deadline, .settings = first->driver, .placement = first->placement};
    mu_json_set_text(&request, "kind", "suite");
    mu_json_set_text(&request, "suite", company->campaign->options->suite->experiment.name);
    mu_json_set(&request, "test", mu_test_request(first));
    mu_json_set(&request, "device", mu_device_to_json(company->campaign->info));
    if (company->count > 1) mu_json_set_part(&request, "tests", &tests);
    mu_json_release(&tests);
    company->campaign->others = (uint32_t)count - 1;
    company->campaign->engine.current = company->runs[which[0]].step;
    call->request = mu_json_take(&request, "the request of a run", err);
    return err->status;
}

/* Adds what the campaign knows of a run to its record. */
static void add_place(const struct company *company, size_t which, struct mu_json *record)
{
    const struct mu_campaign *campaign = company->campaign;
    const struct mu_campaign_options *options = campaign->options;
    const struct mu_step *step = company->runs[which].step;
    const struct mu_configuration *configuration = &campaign->configurations[mu_step_configuration(campaign, step)];
    char rng[MU_ORDER_TEXT];
    mu_order_describe(options->order_seed, rng);
    mu_json_set_text(record, "kind", "measure");
    mu_json_set_text(record, "key", company->points[which].key);
    mu_json_set_text(record, "suite", options->input_count != 0 ? "custom" : options->suite->experiment.name);
    mu_json_set_text(record, "set", campaign->set);
    if (configuration->label[0] != '\0') mu_json_set_text(record, "label", configuration->label);
    mu_json_set_number(record, "repeat", step->repeat);
    mu_json_set_number(record, "order", step->order);
    mu_json_set_text(record, "rng", rng);
    mu_json_set_flag(record, "tuned", options->tuned);
    if (options->together > 1) mu_json_set_number(record, "together", options->together);
}

static int record_run(void *context, size_t which, const struct mu_answer *answer, struct mu_json *records,
                      struct mu_error *err)
{
    const struct company *company = context;
    const struct run *run = &company->runs[which];
    struct mu_json record = mu_test_record(&run->test, company->campaign->info, answer->response, answer->outcome);
    if (answer->not_placed[0] != '\0') mu_json_set_text(&record, "placement", answer->not_placed);
    /* Of several runs each has told its own time. */
    if (json_object_get(answer->response, "wall_ns") == NULL) mu_json_set_number(&record, "wall_ns", answer->wall_ns);
    add_place(company, which, &record);
    mu_json_append_part(records, &record);
    return err->status;
}

/* Counts the runs behind this one that have no record yet and can run. *next gets the step of the first of them. */
static uint32_t count_pending(const struct company *company, size_t which, const struct mu_step **next)
{
    uint32_t count = 0;
    for (size_t i = which + 1; i < company->count; i++) {
        if (company->points[i].record != NULL || company->points[i].refused.status != MU_OK) continue;
        if (count == 0) *next = company->runs[i].step;
        count++;
    }
    return count;
}

/* Shows that one of several runs has ended, and which one runs next unless the process has ended. */
static int pass_run(void *context, size_t which, json_t *records, struct mu_error *err)
{
    const struct company *company = context;
    struct mu_campaign *campaign = company->campaign;
    const struct mu_point *point = &company->points[which];
    const struct mu_step *next = NULL;
    (void)records;
    campaign->others = 0;
    mu_engine_pass(&campaign->engine, company->runs[which].step, mu_point_status(point),
                   mu_json_text_or(point->record, "message", NULL));
    const uint32_t pending = count_pending(company, which, &next);
    if (pending != 0) {
        campaign->others = pending - 1;
        mu_engine_show(&campaign->engine, next);
    }
    return err->status;
}

/* ---- Who shares a process ---- */

/* Returns true if a step of the plan shares the process of an earlier one. A test of first launches shares none. */
static bool joins(const struct mu_campaign *campaign, const struct mu_step *first, const struct mu_step *step)
{
    const struct mu_comparison *a = mu_step_comparison(campaign, first), *b = mu_step_comparison(campaign, step);
    const struct mu_asked one = mu_campaign_asked(campaign, first), other = mu_campaign_asked(campaign, step);
    return step->work == first->work && step->repeat == first->repeat && a->asked.app == b->asked.app &&
           strcmp(a->input, b->input) == 0 && one.options[MU_TEST_condition].number != MU_FIRST &&
           other.options[MU_TEST_condition].number != MU_FIRST;
}

/* Adds a step, resolved, with its key. */
static int add_run(struct company *company, const struct mu_step *step, struct mu_error *err)
{
    struct mu_campaign *campaign = company->campaign;
    const struct mu_engine_environment *environment = &campaign->engine.environment;
    const struct mu_asked asked = mu_campaign_asked(campaign, step);
    struct run *run = &company->runs[company->count];
    struct mu_point *point = &company->points[company->count];
    run->step = step;
    environment->resolve(environment->context, &asked, &run->test, &point->refused);
    if (point->refused.status == MU_INTERRUPTED) return mu_fail(err, MU_INTERRUPTED, "interrupted");
    if (mu_campaign_key(campaign, step, &run->test, point->key, err) == MU_OK) company->count++;
    return err->status;
}

/* Gathers the step, and if it has no record those behind it that share its process. */
static int gather(struct company *company, const struct mu_step *step, uint32_t most, struct mu_error *err)
{
    const struct mu_engine *engine = &company->campaign->engine;
    const struct mu_step *end = engine->steps + engine->step_count, *first = step;
    if (add_run(company, step, err) != MU_OK || mu_store_has(&company->campaign->runs, company->points[0].key))
        return err->status;
    for (step++; step < end && company->count < most && joins(company->campaign, first, step); step++)
        if (!mu_engine_leaves_out(engine, step) && add_run(company, step, err) != MU_OK) break;
    return err->status;
}

/* ---- A step ---- */

static void end_step(const struct company *company, bool fresh, struct mu_ending *ending)
{
    struct mu_point *point = &company->points[0];
    const int status = mu_point_status(point);
    *ending = (struct mu_ending){.fresh = fresh,
                                 .status = status,
                                 .harm = fresh ? mu_batch_harm(status) : MU_OK,
                                 .record = json_incref(point->record),
                                 .message = mu_json_text_or(point->record, "message", NULL)};
}

static int run_company(struct company *company, struct mu_engine *engine, struct mu_ending *ending,
                       struct mu_error *err)
{
    struct mu_batch batch = {.store = &company->campaign->runs,
                             .points = company->points,
                             .count = company->count,
                             .context = company,
                             .call = call_company,
                             .alone = company->count == 1,
                             .careful = true,
                             .record = record_run,
                             .kept = company->count > 1 ? pass_run : NULL};
    if (mu_batch_run(&batch, engine, 0, err) == MU_OK)
        end_step(company, batch.fresh != 0 || mu_engine_has_passed(engine, company->runs[0].step), ending);
    company->campaign->others = 0;
    return err->status;
}

int mu_campaign_run_tests(struct mu_engine *engine, const struct mu_step *step, struct mu_ending *ending,
                          struct mu_error *err)
{
    struct mu_campaign *campaign = engine->context;
    const uint32_t most = campaign->options->together > 1 ? campaign->options->together : 1;
    struct company company = {.campaign = campaign};
    company.runs = mu_calloc(most, sizeof *company.runs, "the runs of a process", err);
    company.points = mu_calloc(most, sizeof *company.points, "the runs of a process", err);
    if (err->status == MU_OK && gather(&company, step, most, err) == MU_OK) run_company(&company, engine, ending, err);
    mu_free(company.runs);
    mu_points_release(company.points, company.count);
    mu_free(company.points);
    return err->status;
}
