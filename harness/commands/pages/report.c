/* muster report: one HTML page of a folder of results. The tables are this program's; Python makes plots and page of
 * them. */
#include "analysis/pages/all.h"
#include "base/files/scratch.h"
#include "base/memory.h"
#include "base/sink.h"
#include "base/user/data_folder.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/device/child.h"
#include "harness/engine/progress.h"
#include "records/results.h"
#include "records/sets/files.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum option_key { KEY_RESULTS = 256, KEY_OUTPUT };

static const struct argp_option options[] = {
    {"results", KEY_RESULTS, "FOLDER", 0,
     "The folder of results, with a folder for each chip (default: MUSTER_RESULTS, else results, else the published "
     "ones)",
     0},
    {"output", KEY_OUTPUT, "FILE", 0, "The page (default: report.html)", 0},
    {0},
};

struct arguments {
    const char *results, *output;
    struct mu_error err;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    const struct mu_argument_place places[] = {
        {KEY_RESULTS, &arguments->results, NULL}, {KEY_OUTPUT, &arguments->output, NULL}, {0}};
    if (key != ARGP_KEY_ARG) return mu_arguments_store(places, key, text);
    mu_fail(&arguments->err, MU_USAGE, "'%s' is too much: a folder of results is named by --results=%s", text, text);
    return 0;
}

/* Progress of making the page. */
struct progress {
    struct mu_progress shown;
    uint32_t tables, plots;
    bool draws;
};

enum { PROGRESS_DESCRIPTOR = 3 }; /* the descriptor on which the script of the plots reports each of them */

/* Shows that a table is done. For struct mu_all_tables. */
static int tell_table(void *context, const char *name, size_t done, size_t count, struct mu_error *err)
{
    struct progress *progress = context;
    progress->tables = (uint32_t)done + 1;
    mu_progress_show_part(&progress->shown, name, done, count);
    return mu_interrupted() ? mu_fail(err, MU_INTERRUPTED, "interrupted") : MU_OK;
}

/* Shows the plots that are done, until the script ends. It writes a line for each ("plot growth", "no plot of
 * gaps"). */
static void follow(struct progress *progress, int from)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *lines = fdopen(from, "r");
    if (lines == NULL) {
        close(from);
        return;
    }
    while (getline(&line, &bytes, lines) > 0) {
        line[strcspn(line, "\n")] = '\0';
        progress->plots += strncmp(line, "plot ", strlen("plot ")) == 0;
        mu_progress_show(&progress->shown, line, 0);
    }
    free(line);
    fclose(lines);
    mu_progress_clear(&progress->shown);
}

/* Starts a program. If `to` is at least 0, it becomes the program's PROGRESS_DESCRIPTOR. */
static int start_program(const char *const *argv, int to, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return failure;
    if (to >= 0) failure = posix_spawn_file_actions_adddup2(&actions, to, PROGRESS_DESCRIPTOR);
    if (failure == 0) failure = posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

/* Runs a program to its end, and shows its progress unless that is NULL. Fails with MU_UNSUPPORTED if it is missing, or
 * with MU_IO if it fails, having printed why. */
static int run_program(const char *const *argv, struct progress *progress, struct mu_error *err)
{
    pid_t pid = 0;
    int status = 0, ends[2] = {-1, -1};
    if (progress != NULL && pipe2(ends, O_CLOEXEC) != 0) return mu_fail(err, MU_IO, "pipe: %s", strerror(errno));
    const int failure = start_program(argv, ends[1], &pid);
    if (progress != NULL) close(ends[1]);
    if (failure != 0 && progress != NULL) close(ends[0]);
    if (failure != 0) return mu_fail(err, MU_UNSUPPORTED, "cannot run %s: %s", argv[0], strerror(failure));
    if (progress != NULL) follow(progress, ends[0]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    if (mu_interrupted()) return mu_fail(err, MU_INTERRUPTED, "interrupted");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return MU_OK;
    if (WIFEXITED(status)) return mu_fail(err, MU_IO, "%s ended with exit code %d", argv[0], WEXITSTATUS(status));
    return mu_fail(err, MU_CRASH, "%s was killed by signal %d", argv[0], WTERMSIG(status));
}

/* Returns true if Python has matplotlib. */
static bool can_draw(const char *python)
{
    struct mu_error missing = {0};
    const char *const look[] = {python, "-B", "-c",
                                "import importlib.util as u, sys; sys.exit(u.find_spec('matplotlib') is None)", NULL};
    return run_program(look, NULL, &missing) == MU_OK;
}

/* Draws the plots of the tables in <folder>/tables. */
static int draw_plots(const char *data, const char *python, const char *folder, struct progress *progress,
                      struct mu_error *err)
{
    char *script = mu_format(err, "%s/analysis/plots/plots.py", data);
    char *tables = mu_format(err, "%s/tables", folder), *plots = mu_format(err, "%s/plots", folder);
    const char *const draw[] = {python, "-B", script, tables, plots, "page", NULL};
    if (err->status == MU_OK && setenv("MUSTER_PROGRESS", "1", 1) != 0)
        mu_fail(err, MU_NO_MEMORY, "MUSTER_PROGRESS: %s", strerror(errno));
    if (err->status == MU_OK) run_program(draw, progress, err);
    mu_free(script);
    mu_free(tables);
    mu_free(plots);
    return err->status;
}

/* Finds whose results these are, and writes that for the page and, beside the tables, for the plots. */
static int find_origin(const struct arguments *arguments, const char *data, const char *python, const char *folder,
                       struct mu_error *err)
{
    char *headline = mu_format(err, "%s/analysis/plots/headline.py", data);
    char *origin = mu_format(err, "%s/origin.json", folder), *link = mu_format(err, "%s/tables/origin.json", folder);
    const char *const whose[] = {python, "-B", headline, arguments->results, data, origin, NULL};
    if (err->status == MU_OK && run_program(whose, NULL, err) == MU_OK && symlink("../origin.json", link) != 0)
        mu_fail(err, MU_IO, "%s: %s", link, strerror(errno));
    mu_free(headline);
    mu_free(origin);
    mu_free(link);
    return err->status;
}

/* The tables from which the page's plots are drawn. */
static const char *const plotted[] = {"headline", "speedup", "strategies", NULL};

static int write_tables(const struct arguments *arguments, const char *folder, struct progress *progress,
                        struct mu_error *err)
{
    char *tables = mu_format(err, "%s/tables", folder);
    const struct mu_all_tables all = {.root = arguments->results,
                                      .folder = tables,
                                      .tell = tell_table,
                                      .context = progress,
                                      .for_page = true,
                                      .plotted = progress->draws ? plotted : NULL};
    if (tables != NULL) mu_all_tables_write(&all, err);
    mu_progress_clear(&progress->shown);
    mu_free(tables);
    return err->status;
}

/* Makes tables and plots in `folder`, and then the page. */
static int make_page(const struct arguments *arguments, const char *data, const char *python, const char *folder,
                     struct mu_error *err)
{
    char *report = mu_format(err, "%s/analysis/plots/report.py", data);
    const char *const page[] = {python, "-B", report, folder, arguments->output, NULL};
    struct progress progress = {.draws = can_draw(python)};
    fprintf(stderr, "muster: making tables and plots of %s …\n", arguments->results);
    mu_progress_start(&progress.shown, NULL, 0);
    if (err->status == MU_OK && write_tables(arguments, folder, &progress, err) == MU_OK &&
        find_origin(arguments, data, python, folder, err) == MU_OK &&
        (!progress.draws || draw_plots(data, python, folder, &progress, err) == MU_OK))
        run_program(page, NULL, err);
    if (err->status == MU_OK)
        fprintf(stderr, "muster: %u tables and %u plots in %.0f s\n", progress.tables, progress.plots,
                mu_progress_elapsed(&progress.shown));
    if (err->status == MU_OK && progress.plots == 0)
        fprintf(stderr, "muster: note: no plots: %s %s\n", python,
                progress.draws ? "drew none"
                               : "has no matplotlib (Debian package python3-matplotlib; PYTHON3 names another)");
    mu_progress_end(&progress.shown);
    mu_free(report);
    return err->status;
}

static int count_file(struct mu_set_files *files, const char *path, struct mu_error *err)
{
    (void)path;
    ++*(size_t *)files->context;
    return err->status;
}

/* Fails where a folder of results has no file of records. */
static int need_records(const char *results, struct mu_error *err)
{
    size_t count = 0;
    struct mu_error silent = {0};
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere == NULL) return mu_fail(err, MU_IO, "/dev/null: %s", strerror(errno));
    struct mu_set_files files = {.take = count_file, .context = &count, .notes = nowhere};
    mu_set_files_each(results, NULL, 0, &files, &silent);
    fclose(nowhere);
    if (silent.status == MU_OK && count == 0)
        mu_fail(err, MU_USAGE, "%s: there are no records in it; muster bench makes some", results);
    return err->status;
}

static int run(struct arguments *arguments, struct mu_error *err)
{
    struct stat own;
    const char *data = mu_data_folder(), *python = getenv("PYTHON3");
    struct stat about;
    struct mu_scratch scratch;
    if (python == NULL || python[0] == '\0') python = "python3";
    const char *const version[] = {python, "-c", "", NULL};
    /* By default, the page shows one folder: the user's own if there is one, else the published one. */
    if (arguments->results == NULL && (stat(mu_results_root(), &own) == 0 || mu_results_published() == NULL))
        arguments->results = mu_results_root();
    else if (arguments->results == NULL)
        arguments->results = mu_results_published();
    if (stat(arguments->results, &about) != 0 || !S_ISDIR(about.st_mode))
        return mu_fail(err, MU_USAGE, "%s: no such folder of results; muster bench makes some", arguments->results);
    if (mu_sink_check(arguments->output, err) != MU_OK) return err->status;
    if (need_records(arguments->results, err) != MU_OK) return err->status;
    if (data == NULL)
        return mu_fail(err, MU_UNSUPPORTED, "the scripts that make the page are not beside the program (MUSTER_DATA)");
    struct mu_error missing = {0};
    if (run_program(version, NULL, &missing) != MU_OK)
        return mu_fail(err, MU_UNSUPPORTED, "the page is made by Python 3 (Debian package python3): %s",
                       missing.message);
    if (mu_scratch_make(NULL, "muster-report-", &scratch, err) != MU_OK) return err->status;
    make_page(arguments, data, python, scratch.path, err);
    mu_scratch_remove(&scratch);
    if (err->status == MU_OK) printf("%s\n", arguments->output);
    return err->status;
}

int mu_cmd_report(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        NULL,
        "Makes one HTML page of a folder of results: what came out, in one picture and one "
        "sentence, then every table and plot. It begins with what comes from you, where the folder has results that "
        "did "
        "not come with muster. The page needs nothing else. It is made by "
        "Python 3, with plots where it has matplotlib.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {.output = "report.html"};
    struct mu_error *err = &arguments.err;
    if (mu_arguments_parse(&argp, argc, argv, &arguments, err) == MU_OK) run(&arguments, err);
    mu_finish_output(err);
    return mu_report(err);
}
