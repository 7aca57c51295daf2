#include "harness/run/option_line.h"

#include <stdio.h>
#include <string.h>

static void append(char *text, size_t bytes, const char *more)
{
    const size_t used = strlen(text);
    snprintf(text + used, bytes - used, "%s", more);
}

static void add(struct mu_option_line *line, const struct mu_option *row, int setting, int group, const char *help)
{
    const size_t i = line->count++;
    mu_option_spell(row, line->spelled[i], sizeof line->spelled[i]);
    snprintf(line->help[i], sizeof line->help[i], "%s", help);
    line->names[i] = row->name;
    line->settings[i] = setting;
    line->options[i] =
        (struct argp_option){line->spelled[i], MU_LINE_KEYS + (int)i, row->argument, 0, line->help[i], group};
}

static void add_settings(struct mu_option_line *line, bool campaign)
{
    for (int i = 0; i < MU_TEST_OPTION_COUNT; i++) {
        const struct mu_option *row = &mu_test_options[i];
        char help[MU_LINE_HELP];
        if ((row->is & MU_OPTION_HIDDEN) != 0 || (campaign && (row->is & MU_OPTION_ONE) != 0)) continue;
        mu_option_describe(row, help, sizeof help);
        add(line, row, i, row->group, help);
    }
}

static const struct mu_option *row_of(const struct mu_app *app, const char *name)
{
    const int i = mu_option_find(app->options, name);
    return i < 0 ? NULL : &app->options[i];
}

/* Returns true if an earlier app describes its option of this name in the same words. */
static bool is_described(const struct mu_app *const *app, const char *name, const char *description)
{
    char other[MU_LINE_HELP];
    for (const struct mu_app *const *before = mu_apps; before < app; before++) {
        const struct mu_option *row = row_of(*before, name);
        if (row == NULL) continue;
        mu_option_describe(row, other, sizeof other);
        if (strcmp(other, description) == 0) return true;
    }
    return false;
}

/* Writes "lonestar/bfs, pannotia/mis: what it is; lonestar/mst: what it is there". */
static void describe_apps(const char *name, char *help, size_t bytes)
{
    help[0] = '\0';
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) {
        char own[MU_LINE_HELP], other[MU_LINE_HELP];
        const struct mu_option *row = row_of(*app, name);
        if (row == NULL) continue;
        mu_option_describe(row, own, sizeof own);
        if (is_described(app, name, own)) continue;
        append(help, bytes, help[0] != '\0' ? "; " : "");
        for (const struct mu_app *const *same = app; *same != NULL; same++) {
            const struct mu_option *another = row_of(*same, name);
            if (another == NULL) continue;
            mu_option_describe(another, other, sizeof other);
            if (strcmp(own, other) != 0) continue;
            append(help, bytes, same != app ? ", " : "");
            append(help, bytes, (*same)->suite);
            append(help, bytes, "/");
            append(help, bytes, (*same)->name);
        }
        append(help, bytes, ": ");
        append(help, bytes, own);
    }
}

static bool is_listed(const struct mu_option_line *line, const char *name)
{
    for (size_t i = 0; i < line->count; i++)
        if (strcmp(line->names[i], name) == 0) return true;
    return false;
}

static void add_app_options(struct mu_option_line *line)
{
    char help[MU_LINE_HELP];
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++)
        for (const struct mu_option *row = (*app)->options; row->name != NULL && line->count < MU_LINE_OPTIONS; row++) {
            if (is_listed(line, row->name)) continue;
            describe_apps(row->name, help, sizeof help);
            add(line, row, -1, MU_GROUP_APPS, help);
        }
}

/* Sets an option. The last one given counts. */
static void give(struct mu_option_line *line, size_t option, const char *text)
{
    size_t i = 0;
    while (i < line->given_count && line->given[i].name != line->names[option]) i++;
    if (i == MU_LINE_GIVEN) {
        mu_fail(&line->err, MU_USAGE, "--%s: more than %d options of a test", line->spelled[option], MU_LINE_GIVEN);
        return;
    }
    line->given[i] = (struct mu_given){.name = line->names[option], .setting = line->settings[option], .text = text};
    if (i == line->given_count) line->given_count++;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct mu_option_line *line = state->input;
    if (key < MU_LINE_KEYS || (size_t)(key - MU_LINE_KEYS) >= line->count) return ARGP_ERR_UNKNOWN;
    give(line, (size_t)(key - MU_LINE_KEYS), text);
    return 0;
}

int mu_option_line_give(struct mu_option_line *line, const char *option, char *text, struct mu_error *err)
{
    char *equals = strchr(text, '=');
    if (equals == NULL)
        return mu_fail(err, MU_USAGE, "--%s=%s: not NAME=%s", option, text,
                       strcmp(option, "sweep") == 0 ? "LIST" : "VALUE");
    *equals = '\0';
    for (size_t i = 0; i < line->count; i++)
        if (strcmp(line->spelled[i], text) == 0) {
            give(line, i, equals + 1);
            return MU_OK;
        }
    return mu_fail(err, MU_USAGE, "--%s=%s: no option of a test has this name (see muster run --help)", option, text);
}

int mu_option_line_default(struct mu_option_line *line, const char *text, struct mu_error *err)
{
    const size_t length = strcspn(text, "=");
    for (size_t i = 0; i < line->count; i++) {
        if (strlen(line->spelled[i]) != length || strncmp(line->spelled[i], text, length) != 0) continue;
        for (size_t g = 0; g < line->given_count; g++)
            if (strcmp(line->given[g].name, line->names[i]) == 0) return MU_OK;
        give(line, i, text + length + 1);
        if (line->given_count != 0) line->given[line->given_count - 1].is_default = true;
        return MU_OK;
    }
    return mu_fail(err, MU_USAGE, "%s: no option of a test has this name", text);
}

void mu_option_line_make(struct mu_option_line *line, bool campaign)
{
    memset(line, 0, sizeof *line);
    add_settings(line, campaign);
    add_app_options(line);
    line->argp = (struct argp){.options = line->options, .parser = parse};
}

int mu_given_ask(const struct mu_given *given, const char *text, struct mu_asked *asked, struct mu_error *err)
{
    if (given->setting >= 0)
        return mu_option_parse(&mu_test_options[given->setting], text, &asked->options[given->setting], err);
    struct mu_app_setup setup = {0};
    memcpy(setup.values, asked->app_values, sizeof setup.values);
    if (mu_app_set(asked->app, given->name, text, &setup, err) == MU_OK)
        memcpy(asked->app_values, setup.values, sizeof setup.values);
    return err->status;
}

int mu_option_line_ask(const struct mu_option_line *line, struct mu_asked *asked, struct mu_error *err)
{
    if (line->err.status != MU_OK) return mu_fail(err, line->err.status, "%s", line->err.message);
    for (size_t i = 0; i < line->given_count && err->status == MU_OK; i++)
        mu_given_ask(&line->given[i], line->given[i].text, asked, err);
    return err->status;
}
