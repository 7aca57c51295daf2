/* muster list */
#include "apps/app.h"
#include "base/json.h"
#include "base/user/nearest.h"
#include "harness/campaign/forms.h"
#include "harness/campaign/suites.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/commands/study.h"
#include "harness/commands/text/field.h"
#include "harness/probe/probe.h"
#include "inputs/formats/formats.h"
#include "inputs/generators/generators.h"
#include "variants/variant.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Print one JSON object", 0},
    {0},
};

/* The list: printed as it grows, or built as JSON and printed at the end. */
struct list {
    struct mu_json object, rows; /* rows of the current section */
    bool json;
    unsigned wanted; /* sections that are wanted, a bit each; 0: all */
    struct mu_error err;
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

/* Adds a row to the section. `kind` is NULL in sections whose rows have none. */
static void add_row(struct list *list, const char *name, const char *purpose, const char *kind)
{
    struct mu_json row = mu_json_object();
    mu_json_set_text(&row, "name", name);
    mu_json_set_text(&row, "purpose", purpose);
    if (kind != NULL) mu_json_set_text(&row, "kind", kind);
    mu_json_append_part(&list->rows, &row);
    static const struct mu_field_look look = {.indent = 2, .name_width = 19};
    if (!list->json) mu_field(&look, name, "%s", purpose);
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
    for (const struct mu_suite *suite = mu_suites; suite->experiment.name != NULL; suite++) {
        const struct mu_experiment *experiment = &suite->experiment;
        char text[512];
        snprintf(text, sizeof text,
                 "%s; %u processes a test, %u samples or more together, each process to %g %%, for %g s, or to %u "
                 "samples; muster table %s",
                 experiment->purpose, experiment->processes, suite->min_samples, 100 * suite->target_width,
                 suite->max_time_s, suite->max_samples, experiment->tables);
        add_row(list, experiment->name, text, NULL);
    }
    for (size_t i = 0; mu_study_suite_at(i) != NULL; i++)
        add_row(list, mu_study_suite_at(i)->name, mu_study_suite_at(i)->purpose, NULL);
    end_section(list, "suites");
}

static void add_experiments(struct list *list)
{
    begin_section(list, "experiments");
    for (const struct mu_experiment *experiment = mu_probe_experiments; experiment->name != NULL; experiment++) {
        char text[256];
        snprintf(text, sizeof text, "%s%s%s", experiment->purpose, experiment->tables == NULL ? "" : "; muster table ",
                 experiment->tables == NULL ? "" : experiment->tables);
        add_row(list, experiment->name, text, NULL);
    }
    end_section(list, "experiments");
}

static void add_inputs(struct list *list)
{
    begin_section(list, "inputs");
    for (const struct mu_suite_original *original = mu_suite_originals; original->input != NULL; original++) {
        char text[256];
        snprintf(text, sizeof text, "stands in for %s (%s)", original->name, original->from);
        add_row(list, original->input, text, NULL);
    }
    end_section(list, "inputs");
}

static void add_generators(struct list *list)
{
    begin_section(list, "generators");
    for (const struct mu_generator *const *generator = mu_generators; *generator != NULL; generator++)
        add_row(list, (*generator)->syntax, (*generator)->purpose, NULL);
    end_section(list, "generators");
}

static void add_formats(struct list *list)
{
    begin_section(list, "formats");
    for (const struct mu_format *const *format = mu_formats; *format != NULL; format++) {
        char text[256];
        const bool writes = (*format)->write != NULL;
        snprintf(text, sizeof text, "%s; told by %s; %s%s", (*format)->purpose, (*format)->mark,
                 writes ? "read and written, suffix " : "read", writes ? (*format)->suffixes[0] : "");
        add_row(list, (*format)->name, text, NULL);
    }
    end_section(list, "formats");
}

/* ---- Sections ---- */

static void add_variants(struct list *list)
{
    add_choices(list, "variants", mu_variants);
}

static void add_forms(struct list *list)
{
    begin_section(list, "forms");
    for (const struct mu_form *form = mu_forms; form->name != NULL; form++)
        add_row(list, form->name, form->purpose, NULL);
    end_section(list, "forms");
}

static void add_conditions(struct list *list)
{
    add_choices(list, "conditions", mu_conditions);
}

static void add_rollcalls(struct list *list)
{
    add_choices(list, "roll calls", mu_rollcalls);
}

static void add_barriers(struct list *list)
{
    add_choices(list, "barriers", mu_barriers);
}

static void add_atomics(struct list *list)
{
    add_choices(list, "atomics", mu_atomics_paths);
}

static void add_yields(struct list *list)
{
    add_choices(list, "yields", mu_yields);
}

static void add_subgroups(struct list *list)
{
    add_choices(list, "subgroups", mu_subgroup_paths);
}

/* Sections, by their names on the command line. */
static const struct {
    const char *name;
    void (*add)(struct list *list);
} sections[] = {
    {"apps", add_apps},
    {"variants", add_variants},
    {"forms", add_forms},
    {"conditions", add_conditions},
    {"rollcalls", add_rollcalls},
    {"barriers", add_barriers},
    {"atomics", add_atomics},
    {"yields", add_yields},
    {"subgroups", add_subgroups},
    {"suites", add_suites},
    {"experiments", add_experiments},
    {"inputs", add_inputs},
    {"generators", add_generators},
    {"formats", add_formats},
};

enum { SECTIONS = sizeof sections / sizeof sections[0] };

static void want(struct list *list, const char *name)
{
    char hint[MU_HINT_BYTES];
    struct mu_nearest nearest = {.word = name};
    for (size_t i = 0; i < SECTIONS; i++) {
        mu_nearest_try(&nearest, sections[i].name);
        if (strcmp(sections[i].name, name) != 0) continue;
        list->wanted |= 1u << i;
        return;
    }
    mu_fail(&list->err, MU_USAGE, "nothing called '%s' can be listed%s; `muster list` lists everything", name,
            mu_nearest_hint(&nearest, hint, sizeof hint));
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct list *list = state->input;
    if (key == 'j')
        list->json = true;
    else if (key == ARGP_KEY_ARG)
        want(list, text);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

int mu_cmd_list(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "[SECTION...]",
        "Lists apps, variants, their forms, conditions, roll calls, barriers, atomics "
        "paths, yields, subgroups, suites, the probe's experiments, generators and formats; or only the "
        "SECTIONs: apps, variants, forms, conditions, rollcalls, barriers, atomics, "
        "yields, subgroups, suites, experiments, generators, formats.",
        NULL,
        NULL,
        NULL};
    struct list list = {.object = mu_json_object()};
    mu_arguments_parse(&argp, argc, argv, &list, &list.err);
    for (size_t i = 0; i < SECTIONS && list.err.status == MU_OK; i++)
        if (list.wanted == 0 || (list.wanted & 1u << i) != 0) sections[i].add(&list);
    if (list.json && list.err.status == MU_OK) mu_print_built(&list.object, 17, &list.err);
    mu_json_release(&list.object);
    mu_finish_output(&list.err);
    return mu_report(&list.err);
}
