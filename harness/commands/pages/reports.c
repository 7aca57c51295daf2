/* muster reports: fills in Markdown pages from records. */
#include "analysis/pages/page.h"
#include "base/memory.h"
#include "base/plain.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/engine/progress.h"
#include "records/results.h"

#include <argp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum option_key { KEY_RESULTS = 256, KEY_CHECK };

static const struct argp_option options[] = {
    {"results", KEY_RESULTS, "FOLDER", 0,
     "The folder of results, with a folder for each chip (default: MUSTER_RESULTS, else results, else the published "
     "ones)",
     0},
    {"check", KEY_CHECK, NULL, 0,
     "Write nothing, and exit with 1 where a page is not what its records give (default: fill the pages in)", 0},
    {0},
};

struct arguments {
    const char *results;
    bool check;
    struct mu_page *pages; /* paths on the command line */
    size_t count;
    struct mu_error err;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    const struct mu_argument_place places[] = {
        {KEY_RESULTS, &arguments->results, NULL}, {KEY_CHECK, NULL, &arguments->check}, {0}};
    switch (key) {
    case ARGP_KEY_ARG:
        arguments->pages[arguments->count++].path = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        mu_fail(&arguments->err, MU_USAGE, "which pages? muster reports PAGE…, such as README.md");
        return 0;
    default:
        return mu_arguments_store(places, key, text);
    }
}

/* Returns the start of line `number` of a text, and its length without the newline. */
static const char *line_at(const char *text, size_t bytes, size_t number, int *length)
{
    const char *end = text + bytes;
    for (; number > 1; number--) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        text = newline != NULL ? newline + 1 : end;
    }
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    *length = (int)((newline != NULL ? newline : end) - text);
    if (*length > 200) *length = 200;
    return text;
}

/* Prints the first line that differs from what the records give. */
static void tell_difference(const struct mu_page *page, size_t line)
{
    int before = 0, after = 0;
    const char *old = line_at((const char *)page->before.bytes, page->before.size, line, &before);
    const char *new = line_at(page->text, page->bytes, line, &after);
    printf("%s:%zu: not what the records give\n- %.*s\n+ %.*s\n", page->path, line, before, old, after, new);
}

/* Replaces the files by the new pages. A signal neither truncates a file nor leaves a temporary one. */
static int write_pages(const struct arguments *arguments, struct mu_error *err)
{
    sigset_t signals, before;
    sigfillset(&signals);
    for (size_t i = 0; i < arguments->count && err->status == MU_OK; i++) {
        const struct mu_page *page = &arguments->pages[i];
        if (mu_page_difference(page) == 0) continue;
        sigprocmask(SIG_BLOCK, &signals, &before);
        mu_page_write(page, err);
        sigprocmask(SIG_SETMASK, &before, NULL);
        if (err->status == MU_OK) printf("%s\n", page->path);
    }
    return err->status;
}

static int check_pages(const struct arguments *arguments, struct mu_error *err)
{
    size_t wrong = 0;
    for (size_t i = 0; i < arguments->count; i++) {
        const size_t line = mu_page_difference(&arguments->pages[i]);
        if (line == 0) continue;
        tell_difference(&arguments->pages[i], line);
        wrong++;
    }
    if (wrong == 0) return MU_OK;
    return mu_fail(err, MU_WRONG, "%zu of %zu pages are not what the records give; muster reports fills them in", wrong,
                   arguments->count);
}

/* Fills in all pages before it writes the first, so that a mistake in one leaves all of them as they are. */
static int run(struct arguments *arguments, struct mu_error *err)
{
    struct mu_filled_tables tables = {0};
    struct mu_progress progress;
    const char *root = arguments->results;
    if (root == NULL) root = mu_results_reading_root();
    mu_progress_start(&progress, NULL, 0);
    for (size_t i = 0; i < arguments->count && err->status == MU_OK; i++) {
        struct mu_page *page = &arguments->pages[i];
        mu_progress_show_part(&progress, page->path, i, arguments->count);
        if (mu_page_fill(page->path, root, &tables, page, err) != MU_OK || page->marker_count != 0) continue;
        mu_progress_clear(&progress);
        mu_note(stderr, "%s has no markers, and stays as it is", page->path);
    }
    mu_progress_end(&progress);
    mu_filled_release(&tables);
    if (err->status != MU_OK) return err->status;
    return arguments->check ? check_pages(arguments, err) : write_pages(arguments, err);
}

int mu_cmd_reports(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "PAGE...",
        "Fills in Markdown pages: what stands between a marker and its end becomes a table or a cell of the records.\v"
        "  <!-- table NAME [FILTER...] [COLUMN...] -->  <!-- end -->\n"
        "  <!-- cell NAME [FILTER...] COLUMN --><!-- end -->\n"
        "  <!-- records -->  <!-- end -->\n\n"
        "A table, a filter of its rows (column=value) and a column are those of muster table NAME --format=csv. "
        "only-chip=, only-app=, only-input=, only-variant=, from=SET and with=paper are the options of muster table. "
        "Where there is no record a cell is –.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {0};
    struct mu_error *err = &arguments.err;
    arguments.pages = mu_calloc((size_t)argc, sizeof *arguments.pages, "pages", err);
    if (err->status == MU_OK && mu_arguments_parse(&argp, argc, argv, &arguments, err) == MU_OK) run(&arguments, err);
    for (size_t i = 0; i < arguments.count; i++) mu_page_release(&arguments.pages[i]);
    mu_free(arguments.pages);
    mu_finish_output(err);
    return mu_report(err);
}
