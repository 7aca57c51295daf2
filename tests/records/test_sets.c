/* records/sets: which records of a set are read. */
#include "records/sets.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const char *const labels[] = {"a", "ab", "b", "a"};
enum { RECORDS = sizeof labels / sizeof labels[0] };

/* Counts the records that come. */
static int take(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    (void)record;
    (void)place;
    (void)line;
    (void)err;
    ++*(size_t *)context;
    return MU_OK;
}

/* How many records of the file have the label, by a set's name. */
static size_t count_labelled(const char *path, const char *label)
{
    char set[128];
    size_t count = 0;
    const char *const sets[] = {set};
    struct mu_error err = {0};
    const struct mu_record_sink sink = {.take = take, .context = &count};
    snprintf(set, sizeof set, "%s@%s", path, label);
    mu_records_read("/dev/null", sets, 1, &sink, stderr, &err);
    return err.status == MU_OK ? count : 99;
}

/* A packed file whose only line would be too long: it is refused by its bound, and not read into memory. */
static void test_long_line(void)
{
    static char zeros[1 << 20];
    char path[] = "/tmp/muster-long-XXXXXX";
    const int descriptor = mkstemp(path);
    gzFile file = descriptor >= 0 ? gzdopen(descriptor, "wb1") : NULL;
    size_t count = 0;
    const char *const sets[] = {path};
    struct mu_error err = {0};
    const struct mu_record_sink sink = {.take = take, .context = &count};
    memset(zeros, '0', sizeof zeros);
    for (int i = 0; file != NULL && i < 80; i++) gzwrite(file, zeros, sizeof zeros);
    if (file != NULL) gzclose(file);
    mu_records_read("/dev/null", sets, 1, &sink, stderr, &err);
    CHECK(err.status == MU_LIMIT && strstr(err.message, path) != NULL &&
              strstr(err.message, ":1: the line has more") != NULL,
          "a line has a bound: %s", err.message);
    unlink(path);
}

int main(void)
{
    test_long_line();
    char path[] = "/tmp/muster-sets-XXXXXX";
    const int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file == NULL) return 99;
    for (int i = 0; i < RECORDS; i++)
        fprintf(file,
                "{\"schema\":4,\"kind\":\"measure\",\"key\":\"%d\",\"app\":\"pannotia/mis\",\"input\":\"road:9\","
                "\"variant\":\"portable\",\"outcome\":\"ok\",\"chip\":\"c\",\"label\":\"%s\",\"samples_ns\":[5]}\n",
                i, labels[i]);
    if (fclose(file) != 0) return 99;
    CHECK(count_labelled(path, "a") == 2, "a label is the whole of it");
    CHECK(count_labelled(path, "ab") == 1 && count_labelled(path, "b") == 1, "each has its own records");
    CHECK(count_labelled(path, "c") == 99, "a label that no record has is an error");
    unlink(path);
    return tap_done();
}
