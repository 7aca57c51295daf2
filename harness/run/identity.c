#include "harness/run/identity.h"

#include "base/hash.h"
#include "base/memory.h"
#include "variants/kernel_tokens.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Returns "text name=value" and frees text. NULL stays NULL. */
static char *add(char *text, const char *name, const char *value, struct mu_error *err)
{
    if (text == NULL) return NULL;
    char *longer = mu_format(err, "%s%s%s=%s", text, text[0] != '\0' ? " " : "", name, value);
    mu_free(text);
    return longer;
}

/* Returns true for a value that a process finds for itself, or a self-test has calibrated. It counts as the word that
 * left it open. */
static bool is_found(const struct mu_option *row, enum mu_origin from)
{
    return (row->is & MU_OPTION_FOUND) != 0 && (from == MU_FROM_DEVICE || from == MU_FROM_ROLL_CALL);
}

static char *add_setting(char *text, const struct mu_test *test, int setting, struct mu_error *err)
{
    char shown[MU_VALUE_TEXT] = "auto";
    const struct mu_option *row = &mu_test_options[setting];
    const struct mu_value value = mu_test_value(test, (enum mu_test_option)setting);
    if (!is_found(row, value.from)) mu_option_format(row, &value, shown);
    return add(text, row->name, value.from != MU_FROM_NOBODY ? shown : "unknown", err);
}

static bool is_default_of_rare(const struct mu_test *test, int setting)
{
    const struct mu_option *row = &mu_test_options[setting];
    const struct mu_value value = mu_test_value(test, (enum mu_test_option)setting), usual = mu_option_default(row);
    return (row->is & MU_OPTION_RARE) != 0 && mu_option_same(row, &value, &usual);
}

/* Adds the settings that describe the input, or those that do not. Frees text, as `add` does. */
static char *add_settings(char *text, const struct mu_test *test, bool input, struct mu_error *err)
{
    for (int i = 0; i < MU_TEST_OPTION_COUNT; i++) {
        const struct mu_option *row = &mu_test_options[i];
        if (((row->is & MU_OPTION_INPUT) != 0) == input && (row->is & MU_OPTION_EFFORT) == 0 &&
            mu_test_option_applies(row, test->variant) && !is_default_of_rare(test, i))
            text = add_setting(text, test, i, err);
    }
    return text;
}

char *mu_comparison_text(const struct mu_test *test, struct mu_error *err)
{
    char value[MU_VALUE_TEXT];
    char *text = mu_format(err, "%s/%s %s", test->app->suite, test->app->name, test->input);
    if (test->file_hash.known) {
        mu_hash_text(test->file_hash.value, value);
        text = add(text, "file", value, err);
    }
    text = add_settings(text, test, true, err);
    for (size_t i = 0; test->app->options[i].name != NULL; i++) {
        mu_option_format(&test->app->options[i], &test->app_values[i], value);
        text = add(text, test->app->options[i].name, value, err);
    }
    return text;
}

char *mu_options_text(const struct mu_test *test, struct mu_error *err)
{
    char units[16];
    char *text = add_settings(mu_strdup("", err), test, false, err);
    snprintf(units, sizeof units, "%u", test->units);
    return test->units != 0 ? add(text, "user-units", units, err) : text;
}

int mu_configuration_hash(const struct mu_test *test, uint64_t *hash, struct mu_error *err)
{
    struct mu_hash state;
    char *comparison = mu_comparison_text(test, err), *settings = mu_options_text(test, err);
    mu_hash_start(&state);
    if (comparison != NULL) mu_hash_add(&state, comparison, strlen(comparison) + 1);
    if (settings != NULL) mu_hash_add(&state, settings, strlen(settings) + 1);
    *hash = mu_hash_end(&state);
    mu_free(comparison);
    mu_free(settings);
    return err->status;
}

static int add_kernels(struct mu_hash *hash, const struct mu_test *test, enum mu_barrier barrier, struct mu_error *err)
{
    struct mu_sources sources;
    const struct mu_build build = {.variant = test->variant,
                                   .rollcall = test->rollcall,
                                   .barrier = barrier,
                                   .atomics = test->atomics,
                                   .subgroups = test->subgroups,
                                   .yield = test->variant == MU_MULTI_KERNEL ? MU_YIELD_NONE : test->yield,
                                   .c_standard = mu_c_standards[test->c_standard].name,
                                   .perturb = test->variant != MU_MULTI_KERNEL && test->perturb != 0,
                                   .load = test->variant == MU_COOPERATIVE && test->load != MU_LOAD_NONE,
                                   .load_clock = test->load_clock,
                                   .values = test->app_values};
    if (mu_sources_collect(test->app, &build, test->kernel_dir, &sources, err) != MU_OK) return err->status;
    const uint64_t tokens = mu_tokens_hash(&sources);
    mu_hash_u64(hash, &tokens, 1);
    mu_sources_free(&sources);
    return MU_OK;
}

int mu_kernel_hash(const struct mu_test *test, uint64_t *hash, struct mu_error *err)
{
    static const enum mu_barrier automatic[] = {MU_BARRIER_COUNTER, MU_BARRIER_TREE};
    struct mu_hash state;
    mu_hash_start(&state);
    if (test->variant == MU_MULTI_KERNEL || test->barrier != MU_BARRIER_AUTO)
        add_kernels(&state, test, test->barrier, err);
    else
        for (size_t i = 0; i < sizeof automatic / sizeof automatic[0]; i++)
            if (add_kernels(&state, test, automatic[i], err) != MU_OK) break;
    *hash = mu_hash_end(&state);
    return err->status;
}

char *mu_test_text(const struct mu_test *test, const struct mu_device_info *info, struct mu_error *err)
{
    uint64_t kernels = 0;
    if (mu_kernel_hash(test, &kernels, err) != MU_OK) return NULL;
    char *comparison = mu_comparison_text(test, err), *settings = mu_options_text(test, err), *text = NULL;
    if (comparison != NULL && settings != NULL)
        text = mu_format(err,
                         "%s %s kernels=%016" PRIx64 " vendor=%s device=%s platform=%s units=%u driver=%s schema=%d "
                         "clock=%s",
                         comparison, settings, kernels, info->vendor, info->name, info->platform, info->compute_units,
                         info->driver, MU_RECORD_SCHEMA, MU_CLOCK);
    mu_free(comparison);
    mu_free(settings);
    return text;
}
