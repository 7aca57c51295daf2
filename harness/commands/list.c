/* muster list */
#include "apps/app.h"
#include "base/json.h"
#include "harness/campaign/suites.h"
#include "harness/commands/command.h"
#include "inputs/generators/generators.h"
#include "variants/variant.h"

#include <argp.h>
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

/* The list that is made: printed as it grows, or built as JSON and printed at the end. */
struct list {
    struct mu_json object, rows; /* rows: of the section that is being made */
    bool json;
};

static void begin_section(struct list *list, const char *name)
{
    list->rows = mu_json_array();
    if (!list->json) printf("%s\n", name);
}

static void end_section(struct list *list, const char *name)
{
    mu_json_set_part(&list->object, name, &list->rows);
}

/* A row of the section; `kind` NULL where its rows have none. */
static void add_row(struct list *list, const char *name, const char *purpose, const char *kind)
{
    struct mu_json row = mu_json_object();
    mu_json_set_text(&row, "name", name);
    mu_json_set_text(&row, "purpose", purpose);
    if (kind != NULL) mu_json_set_text(&row, "kind", kind);
    mu_json_append_part(&list->rows, &row);
    if (!list->json) printf("  %-16s %s\n", name, purpose);
}

static void add_choices(struct list *list, const char *section, const struct mu_choice *table)
{
    begin_section(list, section);
    for (size_t i = 0; table[i].name != NULL; i++) add_row(list, table[i].name, table[i].purpose, NULL);
    end_section(list, section);
}

static void add_apps(struct list *list)
{
    begin_section(list, "apps");
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) {
        char name[64];
        snprintf(name, sizeof name, "%s/%s", (*app)->suite, (*app)->name);
        add_row(list, name, (*app)->purpose, (*app)->kind == MU_KIND_MESH ? "mesh" : "graph");
    }
    end_section(list, "apps");
}

static void add_suites(struct list *list)
{
    begin_section(list, "suites");
    for (const struct mu_suite *suite = mu_suites; suite->name != NULL; suite++) {
        char text[256];
        snprintf(text, sizeof text,
                 "%s; %u processes a test, %u samples or more together, each process to %g %%, for %g s, or to %u "
                 "samples",
                 suite->purpose, suite->repeats, suite->min_samples, 100 * suite->target_width, suite->max_time_s,
                 suite->max_samples);
        add_row(list, suite->name, text, NULL);
    }
    end_section(list, "suites");
}

static void add_generators(struct list *list)
{
    begin_section(list, "generators");
    for (const struct mu_generator *const *generator = mu_generators; *generator != NULL; generator++)
        add_row(list, (*generator)->syntax, (*generator)->purpose, NULL);
    end_section(list, "generators");
}

int mu_cmd_list(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, NULL, "Lists apps, variants, roll calls, barriers, atomics paths, suites and generators.",
        NULL,    NULL,  NULL};
    struct list list = {.object = mu_json_object()};
    struct mu_error err = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &list.json);
    add_apps(&list);
    add_choices(&list, "variants", mu_variants);
    add_choices(&list, "roll calls", mu_rollcalls);
    add_choices(&list, "barriers", mu_barriers);
    add_choices(&list, "atomics", mu_atomics_paths);
    add_choices(&list, "yields", mu_yields);
    add_suites(&list);
    add_generators(&list);
    if (list.json) mu_print_built(&list.object, 17, &err);
    mu_json_release(&list.object);
    mu_finish_output(&err);
    return mu_report(&err);
}
