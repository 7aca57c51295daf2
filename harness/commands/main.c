/* muster: the program. Finds the subcommand, or serves as the child of another muster. */
#include "base/limits.h"
#include "base/user/nearest.h"
#include "harness/commands/command.h"
#include "harness/commands/text/help.h"
#include "harness/commands/text/terms.h"
#include "harness/device/child.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *purpose;
    bool takes_note; /* signals are noted, so that the command can end its child or its file; other commands end at once
                      */
} commands[] = {
    {"run", mu_cmd_run, "run one app on one input in one variant, check the result, print the times", true},
    {"bench", mu_cmd_bench, "run a campaign of apps, inputs and variants on a device, ending in a table", true},
    {"submit", mu_cmd_submit, "run a campaign in parts on a cluster, and show their progress", true},
    {"tune", mu_cmd_tune, "find the best workgroup size and team of each app, input and variant on a device", true},
    {"results", mu_cmd_results, "list, filter and export recorded runs", false},
    {"probe", mu_cmd_probe, "measure a chip, and write its profile for later runs", true},
    {"litmus", mu_cmd_litmus, "run litmus tests of the memory accesses that synchronisation relies on", true},
    {"conform", mu_cmd_conform, "test whether workgroups of a device may wait for each other; exit code 1 if not",
     true},
    {"advise", mu_cmd_advise, "show which optimisations of graph programs pay on a chip, and keep that for runs", true},
    {"predict", mu_cmd_predict, "predict the times of all variants and sizes from one run of multi-kernel", false},
    {"chip", mu_cmd_chip, "add a chip: measure it, pack its results for sending, import a pack", true},
    {"devices", mu_cmd_devices, "list the OpenCL devices, what they can do and whether they are trusted", true},
    {"list", mu_cmd_list, "list apps, variants, roll calls, barriers, suites, experiments, inputs and more", false},
    {"new-app", mu_cmd_new_app, "write a template for a new app, which works as it is", false},
    {"check-app", mu_cmd_check_app, "test an app in all variants, with many teams and random waits", true},
    {"graph", mu_cmd_graph, "describe an input graph, or convert it to another format", true},
    {"table", mu_cmd_table, "print a table of results as text, CSV, Markdown or LaTeX", false},
    {"report", mu_cmd_report, "make one HTML page of all tables and plots of your results", true},
    {"reports", mu_cmd_reports, "fill in the tables and cells of Markdown pages from the records", false},
    {"compare", mu_cmd_compare, "compare two result sets, test by test; exit code 1 for regressions", false},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *to)
{
    static const char questions[] = {PACKAGE_BUGREPORT};
    fprintf(to, "Usage: muster COMMAND [OPTION...]\n"
                "Measures how workgroups synchronise on OpenCL devices.\n\nCommands:\n");
    for (size_t i = 0; i < COMMANDS; i++) fprintf(to, "  %-9s %s\n", commands[i].name, commands[i].purpose);
    fprintf(
        to,
        "\n      --help     print this help\n      --version  print the version\n\n`muster help COMMAND` shows its "
        "options and their defaults; `muster help WORD` explains\na term, a table, an app or an option. " MU_TERMS_HINT
        "\n"
        "Exit codes: 0 ok, 1 a result is wrong, 2 usage or input, 3 device or build, 4 deadline or deadlock,\n"
        "130 interrupted.\n");
    if (questions[0] != '\0') fprintf(to, "Questions and bugs: %s\n", questions);
}

static const struct command *find_command(const char *name)
{
    for (const struct command *command = commands; command < commands + COMMANDS; command++)
        if (strcmp(command->name, name) == 0) return command;
    return NULL;
}

/* Fails with MU_USAGE, naming the command that was probably meant. With `help`, the word stood behind "help" and may be
 * any term. */
static int refuse_command(const char *name, bool help, struct mu_error *err)
{
    char hint[MU_HINT_BYTES], names[256] = "";
    struct mu_nearest nearest = {.word = name};
    for (const struct command *command = commands; command < commands + COMMANDS; command++) {
        const size_t used = strlen(names);
        mu_nearest_try(&nearest, command->name);
        snprintf(names + used, sizeof names - used, "%s%s", used != 0 ? ", " : "", command->name);
    }
    if (help) mu_nearest_try(&nearest, "terms");
    if (help) mu_help_try(&nearest);
    return mu_fail(err, MU_USAGE, "no command%s '%s'%s; %s: %s", help ? ", term, table, app or option" : "", name,
                   mu_nearest_hint(&nearest, hint, sizeof hint), help ? "commands are" : "there are", names);
}

/* Opens descriptors 0, 1 and 2 if they are closed. Otherwise the next file would get such a number, and what is printed
 * would land in it. Each is opened in the wrong direction, so that reading and writing fail as they would on a closed
 * one. */
static bool open_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) return false;
    return true;
}

/* Prints help, terms or the version. Returns true if the arguments ask for one of them. */
static bool tell(const char *argument, const char *subject)
{
    const bool help = strcmp(argument, "--help") == 0 || strcmp(argument, "help") == 0;
    if (help && subject != NULL && strcmp(subject, "terms") == 0)
        mu_terms_print();
    else if (help && (subject == NULL || strcmp(argument, "--help") == 0))
        print_help(stdout);
    else if (strcmp(argument, "--version") == 0)
        printf("muster %s\n", PACKAGE_VERSION);
    else
        return false;
    return true;
}

/* Writes "muster <name>", with which a command's messages begin. */
static char *argv_of(char *name, size_t bytes, const struct command *command)
{
    snprintf(name, bytes, "muster %s", command->name);
    return name;
}

/* Runs a command with the words from argv[1] on; argv[0] becomes the command's name. */
static int run_command(const struct command *command, int argc, char **argv)
{
    char name[64];
    argv[1] = argv_of(name, sizeof name, command);
    if (command->takes_note) mu_child_catch_signals();
    /* By default, a command ends at once when the reader of its output has gone. One with a child or a file of its own
     * ends these first. */
    if (command->takes_note) signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file at its size limit is an error, as a full disk is */
    mu_usage_exit_code();
    return command->run(argc - 1, argv + 1);
}

/* Lets each command print its own options whose names contain the word. A command ends its process when asked for help,
 * so each is asked in a new one. Returns true if any printed something. */
static bool ask_commands(const char *word)
{
    static const char heading[] = "Options of commands:\n";
    char asked[80];
    int ends[2];
    size_t printed = 0;
    snprintf(asked, sizeof asked, "--help=%c%.60s", MU_HELP_FIND, word);
    for (const struct command *command = commands; command < commands + COMMANDS; command++) {
        char name[64], bytes[512];
        char *words[] = {argv_of(name, sizeof name, command), asked, NULL};
        fflush(stdout); /* else the child would print the buffered output again */
        if (pipe(ends) != 0) return printed != 0;
        const pid_t child = fork();
        if (child == 0) {
            dup2(ends[1], STDOUT_FILENO);
            close(ends[0]);
            close(ends[1]);
            _exit(command->run(2, words));
        }
        close(ends[1]);
        for (ssize_t got; (got = read(ends[0], bytes, sizeof bytes)) > 0; printed += (size_t)got)
            printf("%s%.*s", printed == 0 ? heading : "", (int)got, bytes);
        close(ends[0]);
        if (child > 0) waitpid(child, NULL, 0);
    }
    return printed != 0;
}

/* Explains a word that is no command: `muster help WORD`. */
static int explain(const char *word, struct mu_error *err)
{
    const bool known = mu_help_word(word), asked = strlen(word) > 1 && ask_commands(word);
    if (!known && !asked) refuse_command(word, true, err);
    mu_finish_output(err);
    return mu_report(err);
}

/* Runs `muster help COMMAND [TOPIC]` as `muster COMMAND --help[=TOPIC]`. */
static int help(int argc, char **argv, struct mu_error *err)
{
    char asked[80];
    const struct command *command = find_command(argv[2]);
    if (command == NULL) return explain(argv[2], err);
    snprintf(asked, sizeof asked, "--help%s%s", argc > 3 ? "=" : "", argc > 3 ? argv[3] : "");
    argv[2] = asked;
    return run_command(command, 3, argv);
}

int main(int argc, char **argv)
{
    struct mu_error err = {0};
    if (!open_standard_files()) return mu_status_exit_code(MU_IO);
    if (mu_memory_enforce(&err) != MU_OK) return mu_report(&err);
    if (argc >= 2 && strcmp(argv[1], MU_CHILD_ARGUMENT) == 0) return mu_child_main(mu_child_kinds);
    if (argc < 2) {
        print_help(stderr);
        return mu_status_exit_code(MU_USAGE);
    }
    if (tell(argv[1], argv[2])) {
        mu_finish_output(&err);
        return mu_report(&err);
    }
    if (argc >= 3 && strcmp(argv[1], "help") == 0) return help(argc, argv, &err);
    const struct command *command = find_command(argv[1]);
    if (command != NULL) return run_command(command, argc, argv);
    refuse_command(argv[1], false, &err);
    return mu_report(&err);
}
