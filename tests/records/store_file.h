/* A store of records "run 0", "run 1", … in a folder of the test, and the file behind it. */
#ifndef MU_TESTS_STORE_FILE_H
#define MU_TESTS_STORE_FILE_H

#include "records/store.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/muster-store-XXXXXX";
static char path[64], cut_path[80];

static json_t *make_record(unsigned number)
{
    char key[32];
    snprintf(key, sizeof key, "run %u", number);
    return json_pack("{s:s, s:s, s:[i,i,i]}", "key", key, "outcome", "ok", "samples_ns", 100 + number, 200, 300);
}

static int append(struct mu_store *store, unsigned number, struct mu_error *err)
{
    json_t *record = make_record(number);
    const int status = mu_store_append(store, record, err);
    json_decref(record);
    return status;
}

/* The file with records 0 to count - 1. */
static inline void make_file(unsigned count)
{
    struct mu_error err = {0};
    struct mu_store store;
    unlink(path);
    unlink(cut_path);
    if (mu_store_open(path, &store, &err) != MU_OK) return;
    for (unsigned i = 0; i < count; i++) append(&store, i, &err);
    mu_store_close(&store);
}

static size_t file_size(const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 ? (size_t)status.st_size : 0;
}

static inline char *read_file(const char *name)
{
    const size_t bytes = file_size(name);
    char *text = calloc(bytes + 1, 1);
    FILE *file = fopen(name, "r");
    if (text != NULL && file != NULL && fread(text, 1, bytes, file) != bytes) text[0] = '\0';
    if (file != NULL) fclose(file);
    return text;
}

static inline void write_file(const char *text, size_t bytes)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) return;
    if (fwrite(text, 1, bytes, file) != bytes) printf("# cannot write %s\n", path);
    fclose(file);
}

static inline bool holds_runs(unsigned count)
{
    struct mu_error err = {0};
    struct mu_store store;
    char key[32];
    if (mu_store_open(path, &store, &err) != MU_OK) {
        printf("# %s\n", err.message);
        return false;
    }
    bool all = mu_store_count(&store) == count;
    for (unsigned i = 0; i < count && all; i++) {
        snprintf(key, sizeof key, "run %u", i);
        json_t *expected = make_record(i);
        json_t *found = mu_store_find(&store, key, &err);
        all = json_equal(found, expected);
        json_decref(found);
        json_decref(expected);
    }
    mu_store_close(&store);
    return all;
}

static inline bool make_folder(void)
{
    if (mkdtemp(folder) == NULL) return false;
    snprintf(path, sizeof path, "%s/runs.jsonl", folder);
    snprintf(cut_path, sizeof cut_path, "%s.cut", path);
    return true;
}

static inline void remove_folder(void)
{
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) printf("# %s is left\n", folder);
}

#endif
