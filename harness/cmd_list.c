/* muster list */
#include "apps/app.h"
#include "harness/command.h"
#include "harness/suites.h"
#include "inputs/generators.h"
#include "variants/variant.h"

#include <argp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Print one JSON object", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    (void)text;
    if (key == 'j') {
        *(bool *)state->input = true;
        return 0;
    }
    if (key == ARGP_KEY_ARG) argp_usage(state);
    return ARGP_ERR_UNKNOWN;
}

/* Appends a row to a section of the list; prints it when the list is for people. */
static void add_row(json_t *rows, bool json, const char *name, const char *purpose)
{
    json_array_append_new(rows, json_pack("{s:s, s:s}", "name", name, "purpose", purpose));
    if (!json) printf("  %-16s %s\n", name, purpose);
}

static json_t *add_section(json_t *object, bool json, const char *name)
{
    json_t *rows = json_array();
    json_object_set_new(object, name, rows);
    if (!json) printf("%s\n", name);
    return rows;
}

static void add_choices(json_t *object, bool json, const char *section, const struct mu_choice *table)
{
    json_t *rows = add_section(object, json, section);
    for (size_t i = 0; table[i].name != NULL; i++) add_row(rows, json, table[i].name, table[i].purpose);
}

static void add_apps(json_t *object, bool json)
{
    json_t *rows = add_section(object, json, "apps");
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) {
        char name[64];
        snprintf(name, sizeof name, "%s/%s", (*app)->suite, (*app)->name);
        add_row(rows, json, name, (*app)->purpose);
        json_t *row = json_array_get(rows, json_array_size(rows) - 1);
        json_object_set_new(row, "kind", json_string((*app)->kind == MU_KIND_MESH ? "mesh" : "graph"));
    }
}

static void add_suites(json_t *object, bool json)
{
    json_t *rows = add_section(object, json, "suites");
    for (const struct mu_suite *suite = mu_suites; suite->name != NULL; suite++) {
        char text[256];
        snprintf(text, sizeof text,
                 "%s; %u processes a test, %u samples or more together, each process to %g %%, for %g s, or to %u "
                 "samples",
                 suite->purpose, suite->repeats, suite->min_samples, 100 * suite->target_width, suite->max_time_s,
                 suite->max_samples);
        add_row(rows, json, suite->name, text);
    }
}

int mu_cmd_list(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, NULL, "Lists apps, variants, roll calls, barriers, atomics paths, suites and generators.",
        NULL,    NULL,  NULL};
    bool json = false;
    struct mu_error err = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &json);
    json_t *object = json_object();
    add_apps(object, json);
    add_choices(object, json, "variants", mu_variants);
    add_choices(object, json, "roll calls", mu_rollcalls);
    add_choices(object, json, "barriers", mu_barriers);
    add_choices(object, json, "atomics", mu_atomics_paths);
    add_choices(object, json, "yields", mu_yields);
    add_suites(object, json);
    json_t *rows = add_section(object, json, "generators");
    for (const struct mu_generator *const *generator = mu_generators; *generator != NULL; generator++)
        add_row(rows, json, (*generator)->syntax, (*generator)->purpose);
    if (json && json_dumpf(object, stdout, JSON_INDENT(2)) == 0) putchar('\n');
    json_decref(object);
    mu_finish_output(&err);
    return mu_report(&err);
}
