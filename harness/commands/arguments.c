#include "harness/commands/arguments.h"

#include "base/user/nearest.h"
#include "harness/commands/command.h"
#include "harness/commands/text/help.h"
#include "harness/device/device.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The result of looking up a word behind "--" among a command's options. */
struct look_up {
    const char *word;
    size_t length;
    const struct argp_option *found; /* the first option whose name begins so, as getopt would choose */
    struct mu_nearest nearest;
    const char *longer[2]; /* the first whose name ends so, as --max-samples for samples */
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

error_t mu_arguments_store(const struct mu_argument_place *places, int key, const char *text)
{
    while (places->key != 0 && places->key != key) places++;
    if (places->key == 0) return ARGP_ERR_UNKNOWN;
    if (places->text != NULL) *places->text = text;
    if (places->given != NULL) *places->given = true;
    return 0;
}

error_t mu_arguments_options(const struct mu_argument_place *places, int key, const char *text,
                             const struct argp_state *state, struct mu_error *err)
{
    if (key != ARGP_KEY_ARG) return mu_arguments_store(places, key, text);
    mu_arguments_refuse(state, text, err);
    return 0;
}

error_t mu_arguments_app(const char **app, int key, const char *text, const struct argp_state *state)
{
    if (key == ARGP_KEY_NO_ARGS) argp_error(state, "which app? (see muster list)");
    if (key != ARGP_KEY_ARG) return key == ARGP_KEY_NO_ARGS ? 0 : ARGP_ERR_UNKNOWN;
    if (*app != NULL) argp_error(state, "one app at a time: '%s' is too much", text);
    *app = text;
    return 0;
}

int mu_arguments_input(const char *text, bool once, struct mu_error *err)
{
    static const char *const own_names[] = {"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};
    struct stat about;
    for (size_t i = 0; i < sizeof own_names / sizeof own_names[0]; i++)
        if (strcmp(text, own_names[i]) == 0)
            return mu_fail(err, MU_USAGE, "--input=%s: not a file, and a process that measures has no standard input",
                           text);
    if (once || stat(text, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)) return MU_OK;
    return mu_fail(err, MU_USAGE, "--input=%s: not a file, and every process that measures reads its input", text);
}

int mu_arguments_units(const char *text, uint32_t *units, struct mu_error *err)
{
    uint64_t number = 0;
    if (mu_parse_number("units", text, 1, MU_MOST_UNITS, &number, err) == MU_OK) *units = (uint32_t)number;
    return err->status;
}

/* ---- What argp prints ---- */

static bool parsing;

/* Ends the program with an error if the help text could not be written, which argp does not check. Called at exit. */
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

/* Options that argp adds to every command. */
static const struct argp_option own_options[] = {{.name = "help", .key = '?'}, {.name = "usage", .key = 1}, {0}};
static const struct argp own = {.options = own_options};

/* Returns true if a word asks for help. *topic gets the text behind "--help=", or NULL. */
static bool asks_for_help(const char *word, const char **topic)
{
    static const char help[] = "--help";
    const size_t length = sizeof help - 1;
    *topic = NULL;
    if (strcmp(word, help) == 0 || strcmp(word, "-?") == 0) return true;
    if (strncmp(word, help, length) != 0 || word[length] != '=') return false;
    *topic = word + length + 1;
    return true;
}

/* Prints the help that a word asks for and ends the program, as argp would. If argp is to print it, the word becomes
 * "--help". */
static int help(const struct argp *argp, char **word, const char *command, struct mu_error *err)
{
    static char plain[] = "--help";
    const char *topic = NULL;
    if (!asks_for_help(*word, &topic)) return MU_OK;
    if (mu_help_print(argp, command, topic, err)) {
        if (err->status != MU_OK) return err->status;
        mu_finish_output(err);
        exit(mu_report(err));
    }
    *word = plain;
    return MU_OK;
}

int mu_arguments_parse(const struct argp *argp, int argc, char **argv, void *input, struct mu_error *err)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        char word[80];
        if (help(argp, &argv[i], argv[0], err) != MU_OK) return err->status;
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
