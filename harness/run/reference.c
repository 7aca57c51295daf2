/* Checks of results: reference answers that are cached on disk, and right answers that are corrupted. */
#include "harness/run/process.h"

#include "apps/corrupt.h"
#include "base/files/cache.h"
#include "base/memory.h"
#include "harness/device/child.h"
#include "harness/device/commit.h"

#include <inttypes.h>
#include <string.h>

#define KIND MU_INPUT_CACHE_KIND "-reference"

/* Returns everything that a reference depends on, which the caller frees. That is the host's part of the program that
 * makes it, what it is, the input, and what prepare has derived of that. So what a check found out about that graph
 * holds for this one, too. It also has the app's setup as prepare has left it, but for options of the schedule, which
 * change no answer. NULL if none is to be cached, as of apps outside the tree (suite own), whose sources the program's
 * hash does not count. */
static char *key_of(const struct mu_process *process)
{
    const struct mu_app *app = process->test.app;
    const struct mu_app_setup *setup = &process->instance->setup;
    if (!process->input_cache.use || process->input_cache.most_bytes == 0 || app->reference_bytes == NULL ||
        strcmp(app->suite, "own") == 0 || mu_program[0] == '\0')
        return NULL;
    char *key = mu_format(NULL, "program %s, commit %s\n%s/%s on %016" PRIx64 ", seed %" PRIu64 "%s\n", mu_program,
                          mu_commit, app->suite, app->reference_name != NULL ? app->reference_name : app->name,
                          process->input_hash, setup->seed, setup->single ? ", single" : "");
    for (size_t i = 0; key != NULL && app->options[i].name != NULL; i++) {
        if ((app->options[i].is & MU_OPTION_SCHEDULE) != 0) continue;
        const struct mu_value value = setup->values[i];
        char *longer = mu_format(NULL, "%s%s=%" PRIu64 " %a\n", key, app->options[i].name, value.number, value.real);
        mu_free(key);
        key = longer;
    }
    return key;
}

/* Returns the cached reference; NULL for none. */
static void *get(const struct mu_process *process, const char *key)
{
    const size_t bytes = process->test.app->reference_bytes(process->instance);
    uint64_t has = 0;
    struct mu_cache_reader *reader = mu_cache_open(KIND, key, strlen(key), &has);
    void *reference = reader != NULL && has == bytes ? mu_malloc(bytes, 1, "a kept reference", NULL) : NULL;
    const bool whole = reference != NULL && mu_cache_read(reader, reference, bytes);
    if (mu_cache_close(reader) && whole) return reference;
    mu_free(reference);
    return NULL;
}

static void put(const struct mu_process *process, const char *key)
{
    const struct mu_cache_part parts[] = {
        {process->instance->reference, process->test.app->reference_bytes(process->instance)}, {"", 0}};
    const uint64_t most = process->input_cache.most_bytes;
    if (parts[0].count <= most && mu_cache_trim(MU_INPUT_CACHE_KIND, most - parts[0].count, parts[0].count))
        (void)mu_cache_put_parts(KIND, key, strlen(key), parts, 2);
}

int mu_check_result(struct mu_process *process, struct mu_error *err)
{
    struct mu_instance *instance = process->instance;
    if (instance->reference != NULL) return process->test.app->check(instance, err);
    char *key = key_of(process);
    instance->reference = key != NULL ? get(process, key) : NULL;
    if (instance->reference != NULL) {
        struct mu_error by_kept = {0};
        if (process->test.app->check(instance, &by_kept) == MU_OK) {
            mu_free(key);
            return MU_OK;
        }
        mu_free(instance->reference);
        instance->reference = NULL;
    }
    const uint64_t start = mu_now_ns();
    process->test.app->check(instance, err);
    if (err->status == MU_OK && key != NULL && instance->reference != NULL &&
        mu_now_ns() - start >= process->input_cache.least_ns)
        put(process, key);
    mu_free(key);
    return err->status;
}

/* ---- Does the app's check refuse what is wrong? ---- */

static int try_result(struct mu_process *process, size_t buffer, struct mu_json *refusals, struct mu_error *err)
{
    const struct mu_app *app = process->instance->app;
    struct mu_json of = mu_json_array();
    for (const struct mu_corruption *how = mu_corruptions; how->name != NULL && err->status == MU_OK; how++) {
        struct mu_error verdict = {0};
        bool changed = false;
        if (mu_corrupt(process->instance, buffer, how, &changed, &verdict, err) != MU_OK) break;
        if (verdict.status == MU_NO_MEMORY) mu_fail(err, MU_NO_MEMORY, "%s", verdict.message);
        mu_json_append(&of, changed ? json_boolean(verdict.status != MU_OK) : json_null());
    }
    mu_json_set_part(refusals, app->buffers[buffer].name, &of);
    return err->status;
}

int mu_try_checker(struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    const struct mu_app *app = process->instance->app;
    struct mu_json refusals = mu_json_object();
    mu_child_phase("check of a corrupted answer");
    for (size_t buffer = 0; buffer < app->buffer_count && err->status == MU_OK; buffer++)
        if (app->buffers[buffer].role == MU_ROLE_RESULT && app->length(process->instance, buffer) > 1)
            try_result(process, buffer, &refusals, err);
    mu_json_set_part(record, "refusals", &refusals);
    return err->status;
}
