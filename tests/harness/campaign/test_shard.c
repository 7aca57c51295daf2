/* harness/campaign/shard: the parts of a campaign are the same everywhere, and together they are the campaign. */
#include "harness/campaign/campaign.h"

#include "base/memory.h"
#include "tests/harness/engine/fake_environment.h"
#include "tests/tap.h"

enum { INPUTS = 13, MOST_STEPS = 4096 };

static const char *const inputs[INPUTS] = {"road:4",  "road:5",  "road:6",  "road:7",  "road:8",  "road:9", "road:10",
                                           "road:11", "road:12", "road:13", "road:14", "road:15", "road:16"};

struct plan {
    struct fake_environment fake;
    struct mu_device_info info;
    struct mu_campaign_options options;
    struct mu_campaign campaign;
    struct mu_error err;
};

/* Two apps on thirteen inputs, three variants, tuned, part `number` of `count`. */
static void make(struct plan *plan, uint32_t number, uint32_t count, const char *costs, bool cpu)
{
    memset(plan, 0, sizeof *plan);
    plan->info = fake_device(cpu);
    struct mu_campaign_options *options = &plan->options;
    mu_option_line_make(&options->line, true);
    options->suite = &mu_suites[0];
    options->apps[options->app_count++] = mu_app_find("pannotia/mis", &plan->err);
    options->apps[options->app_count++] = mu_app_find("lonestar/bfs", &plan->err);
    for (int i = 0; i < INPUTS; i++) options->inputs[options->input_count++] = inputs[i];
    mu_form_list_read("multi-kernel,portable,specialised", &options->forms, &plan->err);
    options->repeats = 3;
    options->order_seed = 1;
    options->tuned = true;
    options->tune = (struct mu_tune_options){.least = MU_TUNE_LEAST, .max_time_s = 1};
    options->shard = (struct mu_shard){number, count, costs};
    const struct mu_engine_environment environment = fake_environment(&plan->fake);
    mu_campaign_plan(options, &plan->info, &environment, &plan->campaign, &plan->err);
}

static bool same_step(const struct mu_step *a, const struct mu_step *b)
{
    return a->work == b->work && a->test == b->test && a->repeat == b->repeat && a->order == b->order;
}

/* Whether the steps of all parts are those of the whole plan, each once, in the order that they have there. */
static bool parts_are_the_whole(uint32_t count, const char *costs)
{
    static struct plan whole, part;
    static unsigned seen[MOST_STEPS];
    bool right = true;
    memset(seen, 0, sizeof seen);
    make(&whole, 0, 0, NULL, false);
    for (uint32_t number = 1; number <= count; number++) {
        make(&part, number, count, costs, number % 2 == 0);
        const struct mu_engine *engine = &part.campaign.engine;
        uint32_t at = 0;
        right = right && part.err.status == MU_OK && engine->step_count > 0 && part.campaign.own_comparisons > 0;
        for (uint32_t i = 0; i < engine->step_count; i++) {
            while (at < whole.campaign.engine.step_count &&
                   !same_step(&whole.campaign.engine.steps[at], &engine->steps[i]))
                at++;
            if (at < whole.campaign.engine.step_count) seen[at]++;
            right = right && at < whole.campaign.engine.step_count;
        }
        mu_campaign_free(&part.campaign);
    }
    for (uint32_t i = 0; i < whole.campaign.engine.step_count; i++) right = right && seen[i] == 1;
    right = right && whole.err.status == MU_OK && whole.campaign.engine.step_count <= MOST_STEPS;
    mu_campaign_free(&whole.campaign);
    return right;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0, "writing %s", path);
}

/* Costs of which the dearest is a hundred times the cheapest, and one comparison that the file does not have. */
static void write_costs(const char *path)
{
    static struct plan plan;
    make(&plan, 0, 0, NULL, false);
    struct mu_json costs = mu_json_object();
    for (uint32_t i = 1; i < plan.campaign.comparison_count; i++)
        mu_json_set_real(&costs, plan.campaign.comparisons[i].text, 0.5 + 0.5 * (i * 7919 % 100));
    json_t *object = mu_json_take(&costs, "costs", NULL);
    CHECK(json_dump_file(object, path, 0) == 0, "costs of comparisons");
    json_decref(object);
    mu_campaign_free(&plan.campaign);
}

/* No part costs more than a mean part and the dearest comparison. */
static void check_balance(const char *costs, uint32_t count)
{
    static struct plan plan;
    double load[2 * INPUTS], sum = 0, most = 0;
    uint32_t parts[2 * INPUTS];
    make(&plan, 0, 0, NULL, false);
    const struct mu_shard shard = {1, count, costs};
    CHECK(mu_shard_deal(&plan.campaign, &shard, parts, load, &plan.err) == MU_OK, "dealt to %u parts", count);
    for (uint32_t i = 0; i < count; i++) sum += load[i];
    for (uint32_t i = 0; i < count; i++) most = load[i] > most ? load[i] : most;
    CHECK(most <= sum / count + 50 && most >= sum / count, "%u parts: the largest takes %.1f s, a mean one %.1f", count,
          most, sum / count);
    mu_campaign_free(&plan.campaign);
}

/* Of one comparison the cost is known: the others count as much, so that the parts are alike. */
static void check_unknown(const char *path)
{
    static struct plan plan;
    make(&plan, 0, 0, NULL, false);
    const uint32_t all = plan.campaign.own_comparisons;
    json_t *costs = json_pack("{s:f}", plan.campaign.comparisons[0].text, 100.0);
    CHECK(json_dump_file(costs, path, 0) == 0, "the cost of one comparison");
    json_decref(costs);
    mu_campaign_free(&plan.campaign);
    make(&plan, 1, 2, path, false);
    CHECK(plan.err.status == MU_OK && plan.campaign.own_comparisons == all / 2,
          "a cost that is not known is that of the others: %u of %u", plan.campaign.own_comparisons, all);
    mu_campaign_free(&plan.campaign);
}

static void refuses(uint32_t number, uint32_t count, const char *costs, int status, const char *what)
{
    static struct plan plan;
    make(&plan, number, count, costs, false);
    CHECK(plan.err.status == status, "refused: %s (%s)", what, plan.err.message);
    mu_campaign_free(&plan.campaign);
}

static void check_words(void)
{
    static const char *const bad[] = {"",     "/",    "1",    "0/3",      "4/3", "1/0",
                                      "-1/3", "1/3x", "1 /3", "1/100001", "a/b", "1/"};
    struct mu_shard shard = {0};
    struct mu_error err = {0};
    CHECK(mu_shard_parse("3/8", &shard, &err) == MU_OK && shard.number == 3 && shard.count == 8, "3/8");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        err = (struct mu_error){0};
        CHECK(mu_shard_parse(bad[i], &shard, &err) == MU_USAGE, "'%s' is no part", bad[i]);
    }
}

/* What is expected of each comparison is written, and cuts the plan as it was expected. */
static void check_written(const char *path)
{
    static struct plan plan;
    double load[4] = {0};
    uint32_t parts[2 * INPUTS];
    make(&plan, 0, 0, NULL, false);
    const char *const groups[] = {"measure", "measure lonestar/bfs", NULL};
    mu_progress_start(&plan.campaign.engine.progress, &plan.campaign.engine.environment, 1);
    mu_progress_learn(&plan.campaign.engine.progress, groups, 90);
    const struct mu_shard shard = {1, 4, path};
    CHECK(mu_shard_write_costs(&plan.campaign, path, &plan.err) == MU_OK &&
              mu_shard_deal(&plan.campaign, &shard, parts, load, &plan.err) == MU_OK,
          "costs as earlier runs took: %s", plan.err.message);
    CHECK(load[0] > 9 * 3 * 90 && load[0] < 2 * load[3] && load[3] < 2 * load[0], "each part takes %.0f to %.0f s",
          load[0], load[3]);
    mu_progress_end(&plan.campaign.engine.progress);
    mu_campaign_free(&plan.campaign);
}

int main(void)
{
    char costs[] = "/tmp/test_shard.XXXXXX";
    const int fd = mkstemp(costs);
    CHECK(fd >= 0 && close(fd) == 0, "a file of costs");
    check_words();
    for (uint32_t count = 1; count <= 2 * INPUTS; count += 5)
        CHECK(parts_are_the_whole(count, NULL), "%u parts are the campaign, every step once", count);
    refuses(1, 2 * INPUTS + 1, NULL, MU_USAGE, "more parts than comparisons");
    write_costs(costs);
    for (uint32_t count = 2; count <= 2 * INPUTS; count += 6) {
        CHECK(parts_are_the_whole(count, costs), "%u parts by costs are the campaign", count);
        check_balance(costs, count);
    }
    check_written(costs);
    check_unknown(costs);
    write_text(costs, "{\"a\": -1}");
    refuses(1, 2, costs, MU_INPUT, "a negative cost");
    write_text(costs, "[1, 2]");
    refuses(1, 2, costs, MU_INPUT, "an array of costs");
    write_text(costs, "{\"a\": 1");
    refuses(1, 2, costs, MU_INPUT, "costs that are no JSON");
    unlink(costs);
    refuses(1, 2, costs, MU_IO, "no file of costs");
    return tap_done();
}
