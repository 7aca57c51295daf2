/* Fuzz target: `muster results merge`. */
#include "harness/commands/results/merge.h"

#include "base/files/stream.h"
#include "base/limits.h"
#include "harness/commands/results/spool.h"
#include "records/sets.h"
#include "tests/fuzz/fuzz.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fuzz_run fuzz_merge;

static char merged[PATH_MAX], again[PATH_MAX];

static void remove_files(void)
{
    remove(merged);
    remove(again);
}

static bool is_wanted(const void *unwanted, const json_t *record)
{
    const char *app = mu_json_text_or(record, "app", NULL);
    return unwanted == NULL || app == NULL || strcmp(app, unwanted) != 0;
}

/* What is told of the files goes to standard error. */
static bool merge(const char *const *sets, size_t count, const char *output, const void *unwanted)
{
    struct mu_error err = {0};
    const struct mu_merge_request request = {.root = "/dev/null",
                                             .sets = sets,
                                             .set_count = count,
                                             .output = output,
                                             .is_wanted = is_wanted,
                                             .context = unwanted};
    return fuzz_succeeded(mu_results_merge(&request, &err), &err);
}

static bool same_content(const char *one, const char *other)
{
    struct mu_error err = {0};
    struct mu_source left = {0}, right = {0};
    const bool read = mu_source_read(one, &left, &err) == MU_OK && mu_source_read(other, &right, &err) == MU_OK;
    const bool same = read && left.size == right.size && memcmp(left.bytes, right.bytes, left.size) == 0;
    mu_source_release(&left);
    mu_source_release(&right);
    return same;
}

/* For mu_record_sink: keeps every other line. */
static int put(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    (void)record;
    return mu_spool_put(context, place % 2 == 0 ? line : NULL, place, err);
}

static int count_record(void *context, json_t *record, struct mu_error *err)
{
    size_t *count = context;
    (void)err;
    fuzz_require(json_is_string(json_object_get(record, "app")), "a record that was kept is one");
    ++*count;
    return MU_OK;
}

/* The records that were merged, through the file between reading and printing. */
static void spool(void)
{
    struct mu_error err = {0};
    struct mu_spool spool = {0};
    const struct mu_record_sink sink = {.take = put, .context = &spool};
    const char *const path = merged;
    size_t count = 0;
    if (fuzz_succeeded(mu_records_read("/dev/null", &path, 1, &sink, stderr, &err), &err) &&
        fuzz_succeeded(mu_spool_each(&spool, NULL, count_record, &count, &err), &err))
        fuzz_require(count == (spool.count + 1) / 2, "every other record was kept");
    mu_spool_release(&spool);
}

/* What was merged is whole: merged once more, alone or with what it was made of, it stays as it is. */
void fuzz_merge(const uint8_t *data, size_t size)
{
    const char *const path = fuzz_file(data, size);
    if (path == NULL) return;
    if (merged[0] == '\0') {
        const char *place = fuzz_place("merged.jsonl");
        if (place != NULL) snprintf(merged, sizeof merged, "%s", place);
        place = fuzz_place("again.jsonl");
        if (place != NULL) snprintf(again, sizeof again, "%s", place);
        if (atexit(remove_files) != 0) return;
    }
    const char *const sets[] = {merged, path};
    mu_memory_limit_set(UINT64_C(1) << 23);
    if (!merge(&path, 1, merged, NULL)) return;
    fuzz_require(merge(sets, 1, again, NULL) && same_content(merged, again), "what was merged is read, and stays");
    fuzz_require(merge(sets, 2, again, NULL) && same_content(merged, again), "nor does what it was made of change it");
    spool();
    merge(&path, 1, again, "lonestar/bfs");
}
