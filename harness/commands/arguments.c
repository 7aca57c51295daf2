#include "harness/commands/arguments.h"

#include "base/user/nearest.h"
#include "harness/commands/command.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is known of a word behind "--". */
struct look_up {
    const char *word;
    size_t length;
    const struct argp_option *found; /* the first whose name begins so, as getopt has it */
    struct mu_nearest nearest;
    const char *longer[2]; /* the first whose names end so, as --max-samples for samples */
};

static void try_longer(struct look_up *look, const char *name)
{
    const size_t length = strlen(name), slot = look->longer[0] != NULL;
    if (look->length < 3 || length <= look->length || look->longer[slot] != NULL) return;
    const char *end = name + length - look->length;
    if (end[-1] == '-' && strcmp(end, look->word) == 0) look->longer[slot] = name;
}

static void look_up(const struct argp *argp, struct look_up *look)
{
    for (const struct argp_option *option = argp->options;
         option != NULL && (option->name != NULL || option->key != 0 || option->doc != NULL); option++) {
        if (option->name == NULL) continue;
        if (look->found == NULL && strncmp(option->name, look->word, look->length) == 0) look->found = option;
        mu_nearest_try(&look->nearest, option->name);
        try_longer(look, option->name);
    }
    for (const struct argp_child *child = argp->children; child != NULL && child->argp != NULL; child++)
        look_up(child->argp, look);
}

static int refuse(const struct look_up *look, const char *command, struct mu_error *err)
{
    const char *name = strchr(command, ' ');
    const bool near = look->nearest.best != NULL, two = !near && look->longer[1] != NULL;
    return mu_fail(err, MU_USAGE, "unrecognized option '--%s' (did you mean --%s%s%s?); `muster help%s` lists all",
                   look->word, near ? look->nearest.best : look->longer[0], two ? " or --" : "",
                   two ? look->longer[1] : "", name != NULL ? name : "");
}

int mu_arguments_refuse(const struct argp_state *state, const char *text, struct mu_error *err)
{
    return mu_fail(err, MU_USAGE, "'%s' is too much: %s takes options only", text, state->name);
}

/* ---- What argp prints ---- */

static bool parsing;

/* At the end of a program that argp ends, which does not look whether its text could be written. */
static void check_help(void)
{
    struct mu_error err = {0};
    if (parsing && mu_finish_output(&err) != MU_OK) _exit(mu_report(&err));
}

static void parse(const struct argp *argp, int argc, char **argv, void *input)
{
    parsing = atexit(check_help) == 0;
    argp_parse(argp, argc, argv, 0, NULL, input);
    parsing = false;
}

/* ---- The command line ---- */

/* What argp adds to every command. */
static const struct argp_option own_options[] = {{.name = "help", .key = '?'}, {.name = "usage", .key = 1}, {0}};
static const struct argp own = {.options = own_options};

int mu_arguments_parse(const struct argp *argp, int argc, char **argv, void *input, struct mu_error *err)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        char word[80];
        if (strncmp(argv[i], "--", 2) != 0) continue;
        snprintf(word, sizeof word, "%.*s", (int)strcspn(argv[i] + 2, "="), argv[i] + 2);
        struct look_up look = {.word = word, .length = strlen(word), .nearest = {.word = word}};
        look_up(argp, &look);
        look_up(&own, &look);
        if (look.found == NULL && (look.nearest.best != NULL || look.longer[0] != NULL))
            return refuse(&look, argv[0], err);
        /* The next word is the option's value, whatever it looks like. */
        if (look.found != NULL && look.found->arg != NULL && strchr(argv[i], '=') == NULL) i++;
    }
    parse(argp, argc, argv, input);
    return err->status;
}
