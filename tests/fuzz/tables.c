/* Fuzz target: the tables of files of records and of measurements. The first byte says what is asked for:
 *
 *   *  all tables of the file, each as a text and in one of the other forms
 *   /  all tables of a folder of results, in which the file is all that a chip has, but for its profile
 *   %  the same of one chip, app, input and variant
 *
 * and any other byte is one table of the file in one form. */
#include "analysis/tables/tables.h"

#include "base/limits.h"
#include "tests/fuzz/fuzz.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

fuzz_run fuzz_tables;

/* What a chip's folder holds beside its profile: one file by all these names. */
static const char *const names[] = {"runs.jsonl", "probe.jsonl", "litmus.jsonl"};

static const char profile[] = "[profile]\nformat = 1\n[chip]\nname = c\n[selftest]\ntrust = trusted\nvariants = all\n"
                              "[launch]\npipelined_ns = 1800\nblocking_ns = 40000\nword_ns = 30000\n"
                              "readback = blocking\n[barrier]\ncost_ns = 150\n";

static char root[PATH_MAX];

static void remove_root(void)
{
    char path[PATH_MAX + 32];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/c/%s", root, names[i]);
        remove(path);
    }
    static const char *const rest[] = {"c/chip.ini", "c", ""};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", root, rest[i]);
        remove(path);
    }
}

/* A folder of results with the folder of a chip `c`, whose files are all this one; its path, or NULL. */
static const char *make_root(const char *file)
{
    char path[PATH_MAX + 32];
    const char *const place = fuzz_place("tables");
    if (place == NULL || root[0] != '\0') return root[0] != '\0' ? root : NULL;
    snprintf(root, sizeof root, "%s", place);
    snprintf(path, sizeof path, "%s/c", root);
    if (mkdir(root, 0700) != 0 || mkdir(path, 0700) != 0 || atexit(remove_root) != 0) return NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/c/%s", root, names[i]);
        if (symlink(file, path) != 0) return NULL;
    }
    snprintf(path, sizeof path, "%s/c/chip.ini", root);
    FILE *about = fopen(path, "w");
    const bool written = about != NULL && fputs(profile, about) != EOF;
    return about != NULL && fclose(about) == 0 && written ? root : NULL;
}

/* Where notes and tables go. */
static FILE *nowhere(void)
{
    static FILE *file;
    if (file == NULL) file = fopen("/dev/null", "w");
    fuzz_require(file != NULL, "/dev/null can be opened");
    return file;
}

/* One table, printed in one of its forms; but for that of scheduler models, which reads no records and searches for
 * long. */
static void fill_table(size_t number, enum mu_grid_format format, const struct mu_table_request *request)
{
    const struct mu_table *table = mu_tables[number];
    struct mu_error err = {0};
    struct mu_grids grids = {.err = &err};
    struct mu_table_request own = *request;
    own.plain_rows = mu_grid_is_for_programs(format);
    fuzz_require(mu_table_find(table->name, &err) == table, "a table has its name");
    if (strcmp(table->name, "schedulers") == 0) return;
    if (fuzz_succeeded(table->fill(&own, &grids), &err)) mu_grids_print(&grids, format, nowhere());
    mu_grids_release(&grids);
}

void fuzz_tables(const uint8_t *data, size_t size)
{
    struct mu_error err = {0};
    size_t count = 1;
    while (mu_tables[count] != NULL) count++;
    const char *const path = size > 0 ? fuzz_file(data + 1, size - 1) : NULL;
    if (path == NULL) return;
    const char *const folder = make_root(path);
    const bool all = strchr("*/%", data[0]) != NULL && data[0] != 0, of_folder = all && data[0] != '*';
    struct mu_table_request request = {.root = "/dev/null", .sets = &path, .set_count = 1};
    if (of_folder && folder != NULL) request = (struct mu_table_request){.root = folder, .paper = true};
    if (data[0] == '%') {
        request.chip = "c";
        request.app = "mis";
        request.input = "road:60";
        request.variant = "portable";
        request.studied = true;
    }
    mu_memory_limit_set(UINT64_C(1) << 22);
    fuzz_require(mu_table_find("", &err) == NULL && err.status == MU_USAGE, "no table is without a name");
    if (!all) fill_table(data[0] % count, data[0] / count % MU_GRID_FORMATS, &request);
    for (size_t i = 0; all && i < count; i++) {
        fill_table(i, MU_GRID_TEXT, &request);
        fill_table(i, 1 + (i + size) % (MU_GRID_FORMATS - 1), &request);
    }
}
