#include "harness/commands/text/help.h"

#include "analysis/tables/tables.h"
#include "apps/app.h"
#include "harness/commands/text/field.h"
#include "harness/commands/text/terms.h"
#include "harness/run/option_line.h"

#include <stdio.h>
#include <string.h>

enum { EXAMPLES = 3, OFTEN = 12, INDENT = 6, COLUMN = 29, WIDTH = 79 };

/* The one-screen help of a command: examples, and its most frequent options. */
static const struct page {
    const char *command;
    struct {
        const char *line, *purpose;
    } examples[EXAMPLES];
    const char *often[OFTEN];
} pages[] = {
    {"muster run",
     {{"muster run mis", "on the first device"},
      {"muster run bfs --input=road:300 --device=pocl", "an input and a device"},
      {"muster run mis --variant=multi-kernel --json", "a record, for programs"}},
     {"input", "device", "variant", "condition", "workgroup", "team", "rollcall", "barrier", "samples", "json"}},
    {"muster bench",
     {{"muster bench --device=pocl", "the suite smoke"},
      {"muster bench --suite=paper --budget=10m", "what fits into ten minutes"},
      {"muster bench bfs mis --input=graph.gr", "two apps on your own graph"}},
     {"suite", "input", "device", "variants", "budget", "repeats", "tune", "set", "restart", "dry-run"}},
    {"muster tune",
     {{"muster tune mis --device=pocl --quick", "few sizes, full teams"},
      {"muster tune --suite=paper", "all that the suite has"},
      {"muster tune bfs --input=graph.gr --retune", "anew, on your own graph"}},
     {"suite", "input", "device", "variants", "quick", "retune", "barrier", "deadline", "json"}},
};

/* Parts of a command's options. */
static const struct {
    const char *name, *purpose;
    int group;
} parts[] = {{"what", "What is run", MU_GROUP_WHAT},
             {"where", "Where", MU_GROUP_WHERE},
             {"synchronisation", "How workgroups synchronise", MU_GROUP_HOW},
             {"measuring", "How it is measured", MU_GROUP_MEASURE},
             {"output", "What comes out", MU_GROUP_OUTPUT}};
enum { PARTS = sizeof parts / sizeof parts[0] };

/* ---- Lines ---- */

/* Prints a text, broken between words. The line has `used` characters already; later lines begin at `column`. */
static void wrap(const char *text, size_t used, size_t column)
{
    for (const char *word = text; *word != '\0';) {
        const size_t length = strcspn(word, " \v");
        if (used + 1 + length > WIDTH && used > column) {
            printf("\n%*s", (int)column, "");
            used = column;
        } else if (word != text) {
            putchar(' ');
            used++;
        }
        printf("%.*s", (int)length, word);
        used += length;
        if (word[length] == '\v') break;
        word += length + (word[length] == ' ');
    }
    putchar('\n');
}

static void print_named(const char *name, const char *text)
{
    const bool fits = strlen(name) < COLUMN - INDENT;
    printf(fits ? "%*s%-*s " : "%*s%*s\n", INDENT, "", fits ? COLUMN - INDENT - 1 : 0, name);
    if (!fits) printf("%*s", COLUMN, "");
    wrap(text, COLUMN, COLUMN);
}

/* Prints an option. `of`, which may be empty, is printed before it: "muster bench ". */
static void print_option_of(const char *of, const char *name, const char *argument, const char *text)
{
    char spelled[256];
    snprintf(spelled, sizeof spelled, "%s--%s%s%s", of, name, argument != NULL ? "=" : "",
             argument != NULL ? argument : "");
    print_named(spelled, text);
}

static void print_option(const char *name, const char *argument, const char *text)
{
    print_option_of("", name, argument, text);
}

/* ---- Options of argp ---- */

/* State of a walk through an argp and its children. It looks for the option of a name, for one whose name contains a
 * word, or for all options of a group, which it prints. */
struct walk {
    const char *name, *part, *command;
    int group;
    const struct argp_option *found;
    struct mu_nearest *nearest;
};

static void look_at(struct walk *walk, const struct argp_option *option, int group)
{
    if (walk->nearest != NULL) mu_nearest_try(walk->nearest, option->name);
    if (walk->name != NULL && strcmp(walk->name, option->name) == 0) walk->found = option;
    if (walk->group != 0 && group == walk->group) print_option(option->name, option->arg, option->doc);
    if (walk->part != NULL && option->key < MU_LINE_KEYS && strstr(option->name, walk->part) != NULL) {
        char of[64];
        snprintf(of, sizeof of, "%s ", walk->command);
        print_option_of(of, option->name, option->arg, option->doc);
    }
}

/* Walks through the options of one argp. As for argp, an option without a group belongs to the group of the option
 * before it. */
static void walk_options(const struct argp *argp, struct walk *walk)
{
    int group = 0;
    for (const struct argp_option *option = argp->options;
         option != NULL && (option->name != NULL || option->key != 0 || option->doc != NULL || option->group != 0);
         option++) {
        if (option->group != 0) group = option->group;
        if (option->name != NULL) look_at(walk, option, group);
    }
    for (const struct argp_child *child = argp->children; child != NULL && child->argp != NULL; child++)
        walk_options(child->argp, walk);
}

static const struct argp_option *find_option(const struct argp *argp, const char *name)
{
    struct walk walk = {.name = name};
    walk_options(argp, &walk);
    return walk.found;
}

/* ---- A command ---- */

static const struct page *find_page(const char *command)
{
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
        if (strcmp(pages[i].command, command) == 0) return &pages[i];
    return NULL;
}

static void print_more(const struct page *page)
{
    char more[512];
    int used = snprintf(more, sizeof more, "More: --help=" MU_HELP_ALL ", or `muster help %s TOPIC`, where TOPIC is",
                        strchr(page->command, ' ') + 1);
    for (size_t i = 0; i < PARTS; i++) used += snprintf(more + used, sizeof more - (size_t)used, " %s,", parts[i].name);
    snprintf(more + used, sizeof more - (size_t)used, " an app or an option. " MU_TERMS_HINT);
    putchar('\n');
    wrap(more, 0, 0);
}

/* Returns the text of what a command takes besides options, of its argp or, as for argp, of a child. */
static const char *arguments_of(const struct argp *argp)
{
    const char *text = argp->args_doc;
    for (const struct argp_child *child = argp->children; text == NULL && child != NULL && child->argp != NULL; child++)
        text = arguments_of(child->argp);
    return text;
}

static void print_page(const struct page *page, const struct argp *argp)
{
    const char *arguments = arguments_of(argp);
    printf("Usage: %s [OPTION...]%s%s\n", page->command, arguments != NULL ? " " : "",
           arguments != NULL ? arguments : "");
    wrap(argp->doc, 0, 0);
    printf("\nExamples:\n");
    for (size_t i = 0; i < EXAMPLES; i++) printf("  %-48s %s\n", page->examples[i].line, page->examples[i].purpose);
    printf("\nFrequent options:\n");
    for (size_t i = 0; i < OFTEN && page->often[i] != NULL; i++) {
        const struct argp_option *option = find_option(argp, page->often[i]);
        if (option != NULL) print_option(option->name, option->arg, option->doc);
    }
    print_more(page);
}

static void print_app(const struct mu_app *app)
{
    char help[MU_LINE_HELP], name[40];
    printf("%s/%s: ", app->suite, app->name);
    wrap(app->purpose, 0, 2);
    for (const struct mu_option *row = app->options; row->name != NULL; row++) {
        mu_option_describe(row, help, sizeof help);
        mu_option_spell(row, name, sizeof name);
        print_option(name, row->argument, help);
    }
}

static bool print_part(const struct argp *argp, const char *topic)
{
    for (size_t i = 0; i < PARTS; i++) {
        if (strcmp(parts[i].name, topic) != 0) continue;
        struct walk walk = {.group = parts[i].group};
        printf("%s:\n", parts[i].purpose);
        walk_options(argp, &walk);
        return true;
    }
    return false;
}

static const struct mu_app *find_app(const char *name)
{
    struct mu_error none = {0};
    return name[0] != '\0' ? mu_app_find(name, &none) : NULL;
}

static void refuse_topic(const struct argp *argp, const char *topic, struct mu_error *err)
{
    char hint[MU_HINT_BYTES];
    struct mu_nearest nearest = {.word = topic};
    struct walk walk = {.nearest = &nearest};
    walk_options(argp, &walk);
    for (size_t i = 0; i < PARTS; i++) mu_nearest_try(&nearest, parts[i].name);
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) mu_nearest_try(&nearest, (*app)->name);
    mu_fail(err, MU_USAGE,
            "--help=%s: no such topic%s; there are: all, what, where, synchronisation, measuring, "
            "output, every app and every option",
            topic, mu_nearest_hint(&nearest, hint, sizeof hint));
}

bool mu_help_print(const struct argp *argp, const char *command, const char *topic, struct mu_error *err)
{
    const struct page *page = find_page(command);
    if (topic == NULL && page != NULL) print_page(page, argp);
    if (topic == NULL) return page != NULL;
    if (strcmp(topic, MU_HELP_ALL) == 0) return false;
    if (topic[0] == MU_HELP_FIND) {
        struct walk walk = {.part = topic + 1, .command = command};
        walk_options(argp, &walk);
        return true;
    }
    const struct argp_option *option = find_option(argp, topic);
    const struct mu_app *app = page != NULL ? find_app(topic) : NULL;
    if (page != NULL && print_part(argp, topic)) return true;
    if (app != NULL)
        print_app(app);
    else if (option != NULL)
        print_option(option->name, option->arg, option->doc);
    else
        refuse_topic(argp, topic, err);
    return true;
}

/* ---- A word ---- */

/* Prints a heading before the first entry below it. */
static void head(bool *headed, const char *heading)
{
    if (!*headed) printf("%s\n", heading);
    *headed = true;
}

static bool print_tables(const char *word)
{
    bool headed = false;
    for (const struct mu_table *const *table = mu_tables; *table != NULL; table++) {
        if (strstr((*table)->name, word) == NULL) continue;
        head(&headed, "Tables (muster table NAME):");
        print_named((*table)->name, (*table)->purpose);
    }
    return headed;
}

/* Prints the options of tests whose names contain the word, and the choices of an option with exactly that name.
 * Returns true if it printed something. */
static bool print_test_options(const char *word)
{
    bool headed = false;
    for (size_t i = 0; i < MU_TEST_OPTION_COUNT; i++) {
        char name[40], help[MU_LINE_HELP];
        const struct mu_option *row = &mu_test_options[i];
        mu_option_spell(row, name, sizeof name);
        if ((row->is & MU_OPTION_HIDDEN) != 0 || strstr(name, word) == NULL) continue;
        head(&headed, "Options of a test (muster run; muster bench and tune take lists):");
        mu_option_describe(row, help, sizeof help);
        print_option(name, row->argument, help);
        for (size_t j = 0; strcmp(name, word) == 0 && row->choices != NULL && row->choices[j].name != NULL; j++) {
            char choice[64];
            snprintf(choice, sizeof choice, "  %s", row->choices[j].name);
            if (row->choices[j].purpose != NULL) print_named(choice, row->choices[j].purpose);
        }
    }
    return headed;
}

static bool print_app_options(const char *word)
{
    bool headed = false;
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) {
        char help[MU_LINE_HELP], name[40], takes[160];
        const int i = mu_option_find((*app)->options, word);
        if (i < 0) continue;
        head(&headed, "Options of single apps:");
        mu_option_describe(&(*app)->options[i], help, sizeof help);
        mu_option_spell(&(*app)->options[i], name, sizeof name);
        snprintf(takes, sizeof takes, "%s/%s ", (*app)->suite, (*app)->name);
        print_option_of(takes, name, (*app)->options[i].argument, help);
    }
    return headed;
}

bool mu_help_word(const char *word)
{
    const struct mu_app *app = find_app(word);
    bool found = mu_terms_print_word(word);
    found = print_tables(word) || found;
    if (app != NULL) print_app(app);
    found = print_test_options(word) || found;
    return print_app_options(word) || found || app != NULL;
}

void mu_help_try(struct mu_nearest *nearest)
{
    static char names[MU_TEST_OPTION_COUNT][40];
    mu_terms_try(nearest);
    for (const struct mu_table *const *table = mu_tables; *table != NULL; table++)
        mu_nearest_try(nearest, (*table)->name);
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) mu_nearest_try(nearest, (*app)->name);
    for (size_t i = 0; i < MU_TEST_OPTION_COUNT; i++) {
        mu_option_spell(&mu_test_options[i], names[i], sizeof names[i]);
        mu_nearest_try(nearest, names[i]);
    }
}
