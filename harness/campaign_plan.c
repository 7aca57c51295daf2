/* The plan of a campaign: what runs, in which order. */
#include "harness/campaign.h"
#include "harness/launch_defaults.h"

#include "base/hash.h"
#include "base/memory.h"
#include "harness/identity.h"
#include "inputs/rng.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

/* A purpose of random numbers (inputs/rng.h) that no generator has. */
#define ORDER UINT64_C(0x6f72646572)

/* ---- Sweeps ---- */

/* Whether an option belongs to what is compared, and so to comparisons, or to how it is done, and so to slots. */
static bool is_of_input(const struct mu_given *given)
{
    return given->setting < 0 || (mu_test_options[given->setting].is & MU_OPTION_INPUT) != 0;
}

/* How many values a list with commas has. */
static uint32_t count_values(const char *list)
{
    uint32_t count = 1;
    for (; list != NULL && *list != '\0'; list++) count += *list == ',';
    return count;
}

/* Value i of a list into `text`; NULL for a flag, which has no text. */
static const char *pick_value(const char *list, uint32_t i, char *text, size_t bytes)
{
    if (list == NULL) return NULL;
    for (; i > 0; i--) list = strchr(list, ',') + 1;
    snprintf(text, bytes, "%.*s", (int)strcspn(list, ","), list);
    return text;
}

/* The options that a comparison of this app sweeps, or those that its slots do. */
static bool sweeps(const struct mu_given *given, const struct mu_app *app)
{
    if (app == NULL) return !is_of_input(given);
    return is_of_input(given) && (given->setting >= 0 || mu_option_find(app->options, given->name) >= 0);
}

static int count_points(const struct mu_option_line *line, const struct mu_app *app, uint32_t *count,
                        struct mu_error *err)
{
    size_t points = 1;
    for (size_t i = 0; i < line->given_count; i++)
        if (sweeps(&line->given[i], app) &&
            (!mu_mul_size(points, count_values(line->given[i].text), &points) || points > MU_CAMPAIGN_POINTS))
            return mu_fail(err, MU_LIMIT, "the options have more than %d combinations", MU_CAMPAIGN_POINTS);
    *count = (uint32_t)points;
    return MU_OK;
}

/* Asks for point `point` of the sweeps; `shown`, when not NULL, gets the values of those options that have several. */
static int ask_point(const struct mu_option_line *line, const struct mu_app *app, uint32_t point,
                     struct mu_asked *asked, struct mu_error *err, char shown[128])
{
    char text[128];
    for (size_t i = 0; i < line->given_count; i++) {
        const struct mu_given *given = &line->given[i];
        if (!sweeps(given, app)) continue;
        const uint32_t values = count_values(given->text);
        const char *value = pick_value(given->text, point % values, text, sizeof text);
        point /= values;
        if (mu_given_ask(given, value, asked, err) != MU_OK) return err->status;
        if (shown == NULL || values < 2) continue;
        const size_t used = strlen(shown);
        snprintf(shown + used, 128 - used, " %s=%s", given->name, value);
    }
    return MU_OK;
}

/* An option of an app that none of the campaign's apps has is a mistake. */
static int check_taken(const struct mu_campaign *campaign, struct mu_error *err)
{
    const struct mu_option_line *line = &campaign->options->line;
    for (size_t i = 0; i < line->given_count; i++) {
        bool taken = line->given[i].setting >= 0;
        for (uint32_t c = 0; c < campaign->comparison_count && !taken; c++)
            taken = mu_option_find(campaign->comparisons[c].asked.app->options, line->given[i].name) >= 0;
        if (!taken) return mu_fail(err, MU_USAGE, "--%s: no app of this campaign takes it", line->given[i].name);
    }
    return MU_OK;
}

/* ---- Comparisons ---- */

static int add_point(struct mu_campaign *campaign, const struct mu_app *app, const char *input, uint32_t point,
                     struct mu_error *err)
{
    struct mu_test test;
    if (mu_resize((void **)&campaign->comparisons, campaign->comparison_count + 1, sizeof *campaign->comparisons,
                  "a campaign's tests", err) != MU_OK)
        return err->status;
    struct mu_comparison *added = &campaign->comparisons[campaign->comparison_count];
    memset(added, 0, sizeof *added);
    campaign->comparison_count++;
    added->asked = campaign->options->base;
    added->asked.app = app;
    added->input = mu_strdup(input, err);
    added->asked.input = added->input;
    if (mu_file_hash(input, &added->asked.file_hash, err) != MU_OK ||
        ask_point(&campaign->options->line, app, point, &added->asked, err, NULL) != MU_OK)
        return err->status;
    mu_resolve_defaults(&added->asked, &test);
    added->text = mu_comparison_text(&test, err);
    for (uint32_t i = 0; i + 1 < campaign->comparison_count && err->status == MU_OK; i++)
        if (strcmp(campaign->comparisons[i].text, added->text) == 0)
            mu_fail(err, MU_USAGE, "%s: named twice", added->text);
    return err->status;
}

static int add_comparison(struct mu_campaign *campaign, const struct mu_app *app, const char *input,
                          struct mu_error *err)
{
    uint32_t points;
    if (count_points(&campaign->options->line, app, &points, err) != MU_OK) return err->status;
    for (uint32_t point = 0; point < points; point++)
        if (add_point(campaign, app, input, point, err) != MU_OK) return err->status;
    return MU_OK;
}

static bool is_wanted(const struct mu_campaign_options *options, const struct mu_app *app)
{
    for (size_t i = 0; i < options->app_count; i++)
        if (options->apps[i] == app) return true;
    return options->app_count == 0;
}

static int add_suite_row(struct mu_campaign *campaign, const struct mu_suite_row *row, struct mu_error *err)
{
    char path[PATH_MAX] = "";
    const char *folder = campaign->options->originals;
    const struct mu_app *app = mu_app_find(row->app, err);
    if (app == NULL) return err->status;
    if (!is_wanted(campaign->options, app)) return MU_OK;
    if (folder != NULL && mu_suite_original(row, folder, path, sizeof path, err) != MU_OK) return err->status;
    return add_comparison(campaign, app, path[0] != '\0' ? path : row->input, err);
}

static int add_comparisons(struct mu_campaign *campaign, struct mu_error *err)
{
    const struct mu_campaign_options *options = campaign->options;
    if (options->input_count == 0) {
        for (const struct mu_suite_row *row = options->suite->rows; row->app != NULL; row++)
            if (add_suite_row(campaign, row, err) != MU_OK) return err->status;
    } else {
        for (const struct mu_app *const *app = mu_apps; *app != NULL; app++)
            for (size_t i = 0; i < options->input_count && is_wanted(options, *app); i++)
                if (add_comparison(campaign, *app, options->inputs[i], err) != MU_OK) return err->status;
    }
    if (campaign->comparison_count == 0)
        return mu_fail(err, MU_USAGE, "suite %s has none of these apps", options->suite->name);
    return MU_OK;
}

/* ---- Slots and steps ---- */

/* The variants at one point of the sweeps. Labels "a", "b", … tell those apart that are named more than once. */
static int add_slots_of_point(struct mu_campaign *campaign, const struct mu_asked *point, const char *shown,
                              struct mu_error *err)
{
    const struct mu_campaign_options *options = campaign->options;
    const uint32_t first = campaign->slot_count;
    if (first + options->variant_count > MU_MAX_SLOTS)
        return mu_fail(err, MU_LIMIT, "more than %d variants and settings are compared", MU_MAX_SLOTS);
    for (size_t i = 0; i < options->variant_count; i++) {
        struct mu_slot *slot = &campaign->slots[campaign->slot_count];
        unsigned same = 0, before = 0;
        char letter[2] = "";
        slot->tuned_as = campaign->slot_count++;
        for (size_t j = options->variant_count; j-- > 0;) {
            if (options->variants[j] != options->variants[i]) continue;
            same++;
            before += j < i;
            slot->tuned_as = j <= i ? first + (uint32_t)j : slot->tuned_as;
        }
        if (same > 1) letter[0] = (char)('a' + before);
        slot->variant = options->variants[i];
        memcpy(slot->options, point->options, sizeof slot->options);
        snprintf(slot->point, sizeof slot->point, "%s", shown);
        snprintf(slot->label, sizeof slot->label, "%.70s%s%s", options->label != NULL ? options->label : "",
                 options->label != NULL && same > 1 ? "-" : "", letter);
    }
    return MU_OK;
}

static int add_slots(struct mu_campaign *campaign, struct mu_error *err)
{
    uint32_t points;
    if (count_points(&campaign->options->line, NULL, &points, err) != MU_OK) return err->status;
    for (uint32_t point = 0; point < points; point++) {
        struct mu_asked asked = {0};
        char shown[128] = "";
        if (ask_point(&campaign->options->line, NULL, point, &asked, err, shown) != MU_OK ||
            add_slots_of_point(campaign, &asked, shown, err) != MU_OK)
            return err->status;
    }
    return MU_OK;
}

/* The slots in the random order of one repeat: Fisher and Yates. */
static void shuffle_slots(const struct mu_campaign *campaign, uint32_t comparison, uint32_t repeat, uint32_t *slots)
{
    const char *text = campaign->comparisons[comparison].text;
    const uint64_t seed = campaign->options->order_seed ^ mu_hash_bytes(text, strlen(text));
    const uint64_t stream = mu_random_stream(seed, ORDER + repeat);
    for (uint32_t i = 0; i < campaign->slot_count; i++) slots[i] = i;
    for (uint32_t i = campaign->slot_count; i > 1; i--) {
        const uint32_t other = mu_random_below(stream, i, i), last = slots[i - 1];
        slots[i - 1] = slots[other];
        slots[other] = last;
    }
}

static void add_step(struct mu_campaign *campaign, bool tunes, uint32_t comparison, uint32_t slot, uint32_t repeat)
{
    campaign->steps[campaign->step_count++] = (struct mu_step){
        .tunes = tunes, .comparison = comparison, .slot = slot, .repeat = repeat, .order = campaign->run_count};
    campaign->run_count += !tunes;
}

static int add_steps(struct mu_campaign *campaign, struct mu_error *err)
{
    uint32_t slots[MU_MAX_SLOTS];
    const uint32_t repeats = campaign->options->repeats;
    size_t most = 0;
    if (!mu_mul_size(campaign->comparison_count, (size_t)(repeats + 1) * campaign->slot_count, &most) ||
        most > UINT32_MAX)
        return mu_fail(err, MU_LIMIT, "the campaign has too many runs");
    campaign->steps = mu_calloc(most, sizeof *campaign->steps, "a campaign's plan", err);
    if (campaign->steps == NULL) return err->status;
    for (uint32_t comparison = 0; comparison < campaign->comparison_count; comparison++) {
        for (uint32_t slot = 0; slot < campaign->slot_count && campaign->options->tuned; slot++)
            if (campaign->slots[slot].tuned_as == slot) add_step(campaign, true, comparison, slot, 0);
        for (uint32_t repeat = 0; repeat < repeats; repeat++) {
            shuffle_slots(campaign, comparison, repeat, slots);
            for (uint32_t i = 0; i < campaign->slot_count; i++) add_step(campaign, false, comparison, slots[i], repeat);
        }
    }
    return MU_OK;
}

int mu_campaign_plan(const struct mu_campaign_options *options, const struct mu_device_info *info,
                     struct mu_campaign *campaign, struct mu_error *err)
{
    const char *set = options->set != NULL ? options->set : options->input_count != 0 ? "custom" : options->suite->name;
    campaign->options = options;
    campaign->info = info;
    if ((size_t)snprintf(campaign->set, sizeof campaign->set, "%s", set) >= sizeof campaign->set)
        return mu_fail(err, MU_USAGE, "--set=%s: the name is too long", set);
    if (options->line.err.status != MU_OK)
        return mu_fail(err, options->line.err.status, "%s", options->line.err.message);
    if (add_comparisons(campaign, err) != MU_OK || check_taken(campaign, err) != MU_OK ||
        add_slots(campaign, err) != MU_OK)
        return err->status;
    return add_steps(campaign, err);
}

void mu_campaign_free(struct mu_campaign *campaign)
{
    for (uint32_t i = 0; i < campaign->comparison_count; i++) {
        mu_free(campaign->comparisons[i].input);
        mu_free(campaign->comparisons[i].text);
    }
    mu_free(campaign->comparisons);
    mu_free(campaign->steps);
    mu_store_close(&campaign->runs);
    mu_store_close(&campaign->tries);
}

/* ---- What a step is ---- */

struct mu_asked mu_campaign_asked(const struct mu_campaign *campaign, const struct mu_step *step)
{
    const struct mu_comparison *comparison = &campaign->comparisons[step->comparison];
    const struct mu_slot *slot = &campaign->slots[step->slot];
    struct mu_asked asked = comparison->asked;
    for (int i = 0; i < MU_TEST_OPTION_COUNT; i++)
        if (slot->options[i].from != MU_FROM_NOBODY) asked.options[i] = slot->options[i];
    mu_ask(&asked, MU_TEST_variant, slot->variant, MU_FROM_OPTION);
    const struct mu_tuned *tuned = &comparison->tuned[slot->tuned_as];
    if (tuned->found) {
        mu_ask(&asked, MU_TEST_workgroup, tuned->workgroup, MU_FROM_TUNING);
        mu_ask(&asked, MU_TEST_team_limit, tuned->team, MU_FROM_TUNING);
    }
    return asked;
}

char *mu_campaign_key(const struct mu_campaign *campaign, const struct mu_step *step, const struct mu_test *test,
                      struct mu_error *err)
{
    char *text = mu_test_text(test, campaign->info, err);
    if (text == NULL) return NULL;
    char *whole = mu_format(err, "measure set=%s label=%s %s repeat=%" PRIu32, campaign->set,
                            campaign->slots[step->slot].label, text, step->repeat);
    char *key = mu_key_new(whole, err);
    mu_free(whole);
    mu_free(text);
    return key;
}
