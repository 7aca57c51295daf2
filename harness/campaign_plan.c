/* The plan of a campaign: what runs, in which order. */
#include "harness/campaign.h"
#include "harness/launch_defaults.h"

#include "base/memory.h"
#include "harness/identity.h"
#include "inputs/rng.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

/* A purpose of random numbers (inputs/rng.h) that no generator has. */
#define ORDER UINT64_C(0x6f72646572)

/* ---- Comparisons ---- */

static int add_comparison(struct mu_campaign *campaign, const struct mu_app *app, const char *input,
                          struct mu_error *err)
{
    struct mu_test test = campaign->options->base;
    if (mu_resize((void **)&campaign->comparisons, campaign->comparison_count + 1, sizeof *campaign->comparisons,
                  "a campaign's tests", err) != MU_OK)
        return err->status;
    struct mu_comparison *added = &campaign->comparisons[campaign->comparison_count];
    memset(added, 0, sizeof *added);
    campaign->comparison_count++;
    test.app = app;
    test.input = input;
    added->app = app;
    added->input = mu_strdup(input, err);
    mu_file_hash(input, &added->file_hash, err);
    test.file_hash = added->file_hash;
    added->text = mu_comparison_text(&test, err);
    for (uint32_t i = 0; i + 1 < campaign->comparison_count && err->status == MU_OK; i++)
        if (strcmp(campaign->comparisons[i].text, added->text) == 0)
            mu_fail(err, MU_USAGE, "--input=%s: named twice", input);
    return err->status;
}

static bool is_wanted(const struct mu_campaign_options *options, const struct mu_app *app)
{
    for (size_t i = 0; i < options->app_count; i++)
        if (options->apps[i] == app) return true;
    return options->app_count == 0;
}

/* NULL for an app that this program does not have. */
static const struct mu_app *find_app(const char *name)
{
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) {
        const size_t length = strlen((*app)->suite);
        if (strncmp((*app)->suite, name, length) == 0 && name[length] == '/' &&
            strcmp((*app)->name, name + length + 1) == 0)
            return *app;
    }
    return NULL;
}

static int add_suite_row(struct mu_campaign *campaign, const struct mu_suite_row *row, struct mu_error *err)
{
    char path[PATH_MAX] = "";
    const char *folder = campaign->options->originals;
    const struct mu_app *app = find_app(row->app);
    if (app == NULL || !is_wanted(campaign->options, app)) return MU_OK;
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

/* Labels "a", "b", … tell the slots of a variant that is named more than once. */
static void add_slots(struct mu_campaign *campaign)
{
    const struct mu_campaign_options *options = campaign->options;
    for (size_t i = 0; i < options->variant_count; i++) {
        struct mu_slot *slot = &campaign->slots[campaign->slot_count++];
        unsigned same = 0, before = 0;
        char letter[2] = "";
        for (size_t j = 0; j < options->variant_count; j++) {
            same += options->variants[j] == options->variants[i];
            before += j < i && options->variants[j] == options->variants[i];
        }
        if (same > 1) letter[0] = (char)('a' + before);
        slot->variant = options->variants[i];
        snprintf(slot->label, sizeof slot->label, "%.70s%s%s", options->label != NULL ? options->label : "",
                 options->label != NULL && same > 1 ? "-" : "", letter);
    }
}

/* A hash of a text, for a stream of random numbers of its own: FNV-1a. */
static uint64_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text != '\0'; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

/* The slots in the random order of one repeat: Fisher and Yates. */
static void shuffle_slots(const struct mu_campaign *campaign, uint32_t comparison, uint32_t repeat, uint32_t *slots)
{
    const uint64_t seed = campaign->options->order_seed ^ hash_text(campaign->comparisons[comparison].text);
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

/* The first slot of each variant is the one that is tuned. */
static bool is_first_of_variant(const struct mu_campaign *campaign, uint32_t slot)
{
    for (uint32_t i = 0; i < slot; i++)
        if (campaign->slots[i].variant == campaign->slots[slot].variant) return false;
    return true;
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
            if (is_first_of_variant(campaign, slot)) add_step(campaign, true, comparison, slot, 0);
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
    if (add_comparisons(campaign, err) != MU_OK) return err->status;
    add_slots(campaign);
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

struct mu_test mu_campaign_test(const struct mu_campaign *campaign, const struct mu_step *step)
{
    const struct mu_campaign_options *options = campaign->options;
    const struct mu_comparison *comparison = &campaign->comparisons[step->comparison];
    struct mu_test test = options->base;
    test.app = comparison->app;
    test.input = comparison->input;
    test.file_hash = comparison->file_hash;
    test.variant = campaign->slots[step->slot].variant;
    if (test.rollcall_open) test.rollcall = campaign->rollcall;
    if (options->tuned) {
        const struct mu_tuned *tuned = &comparison->tuned[test.variant];
        test.workgroup = tuned->found ? tuned->workgroup : 0;
        test.team = tuned->found ? tuned->team : 0;
    }
    if (test.workgroup == 0) test.workgroup = mu_default_workgroup(campaign->info);
    if (test.variant == MU_MULTI_KERNEL) test.team = 0;
    return test;
}

char *mu_campaign_key(const struct mu_campaign *campaign, const struct mu_step *step, struct mu_error *err)
{
    const struct mu_test test = mu_campaign_test(campaign, step);
    char *text = mu_test_text(&test, campaign->info, err);
    if (text == NULL) return NULL;
    char *key =
        mu_format(err, "measure set=%s label=%s %s workgroup=%" PRIu32 " team=%" PRIu32 " repeat=%" PRIu32,
                  campaign->set, campaign->slots[step->slot].label, text, test.workgroup, test.team, step->repeat);
    mu_free(text);
    return key;
}
