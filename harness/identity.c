#include "harness/identity.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>

/* " name=value" for an option that the app takes; "auto" for the value that leaves the choice to it. */
static void add_option(char *text, size_t bytes, const char *name, uint32_t value, uint32_t automatic)
{
    size_t used = 0;
    while (text[used] != '\0') used++;
    if (value == automatic)
        snprintf(text + used, bytes - used, " %s=auto", name);
    else
        snprintf(text + used, bytes - used, " %s=%" PRIu32, name, value);
}

char *mu_comparison_text(const struct mu_test *test, struct mu_error *err)
{
    const struct mu_app_options *options = &test->options;
    char taken[128] = "", file[32] = "";
    if (test->file_hash.known) snprintf(file, sizeof file, " file=%016" PRIx64, test->file_hash.value);
    if (test->app->needs & MU_NEEDS_SOURCE) add_option(taken, sizeof taken, "source", options->source, MU_SOURCE_AUTO);
    if (test->app->needs & MU_TAKES_DELTA) add_option(taken, sizeof taken, "delta", options->delta, MU_DELTA_AUTO);
    if (test->app->needs & MU_TAKES_SOURCES)
        add_option(taken, sizeof taken, "sources", options->sources, MU_SOURCES_AUTO);
    return mu_format(err, "%s/%s %s%s seed=%" PRIu64 "%s", test->app->suite, test->app->name, test->input, file,
                     options->seed, taken);
}

char *mu_test_text(const struct mu_test *test, const struct mu_device_info *info, struct mu_error *err)
{
    char how[128] = "", limit[40] = "", yield[32] = "";
    char *comparison = mu_comparison_text(test, err);
    if (comparison == NULL) return NULL;
    if (test->variant == MU_PORTABLE)
        snprintf(how, sizeof how, " rollcall=%s barrier=%s", mu_rollcalls[test->rollcall].name,
                 mu_barriers[test->barrier].name);
    else if (test->variant == MU_SPECIALISED)
        snprintf(how, sizeof how, " barrier=%s", mu_barriers[test->barrier].name);
    if (test->spin_limit != 0) snprintf(limit, sizeof limit, " spin-limit=%" PRIu32, test->spin_limit);
    if (test->variant != MU_MULTI_KERNEL && test->yield >= 0)
        snprintf(yield, sizeof yield, " yield=%s", mu_yields[test->yield].name);
    char *text = mu_format(
        err, "%s variant=%s%s%s atomics=%s%s%s%s checked=%d driver=%s schema=%d", comparison,
        mu_variants[test->variant].name, how, yield, test->atomics >= 0 ? mu_atomics_paths[test->atomics].name : "auto",
        limit, test->kernel_dir != NULL ? " kernels=" : "", test->kernel_dir != NULL ? test->kernel_dir : "",
        test->check, info->driver, MU_RECORD_SCHEMA);
    mu_free(comparison);
    return text;
}
