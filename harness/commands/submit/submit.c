/* muster submit */
#include "base/memory.h"
#include "base/number.h"
#include "base/user/data_folder.h"
#include "harness/commands/arguments.h"
#include "harness/commands/bench/side_by_side.h"
#include "harness/commands/command.h"
#include "harness/commands/submit/plan.h"
#include "harness/commands/submit/slurm.h"
#include "harness/commands/submit/status.h"
#include "records/results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum option_key { KEY_SHARDS = 256, KEY_ENGINE, KEY_FOLDER, KEY_STATUS, KEY_CHIP };

static const struct argp_option options[] = {
    {"shards", KEY_SHARDS, "N", 0,
     "Parts of the campaign, at most one for each comparison; auto: as many as take an hour each, by what earlier runs "
     "took (default: auto)",
     0},
    {"engine", KEY_ENGINE, "NAME", 0,
     "slurm: submit an array job, a task for each part, and a job behind it that merges; script: write the scripts, "
     "and submit nothing (default: slurm)",
     0},
    {"folder", KEY_FOLDER, "FOLDER", 0,
     "Where scripts, outputs and what is known of the job are kept, on a file system that all machines see (default: "
     "muster-job)",
     0},
    {"chip", KEY_CHIP, "CHIP", 0,
     "The chip whose records tell what runs take (default: what is in the folder of results)", 0},
    {"status", KEY_STATUS, 0, 0, "Show which parts are done, running, waiting, failed or lost, and submit nothing", 0},
    {0},
};

struct arguments {
    struct mu_output output;
    struct mu_bench_arguments bench;
    const char *folder, *chip, *engine;
    uint32_t shards; /* number of parts; 0: auto */
    bool status;
    char **words, **scheduler; /* words for bench, and those behind "--"; each ended by NULL */
    struct mu_error err;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    const struct mu_argument_place places[] = {{KEY_FOLDER, &arguments->folder, NULL},
                                               {KEY_CHIP, &arguments->chip, NULL},
                                               {KEY_STATUS, NULL, &arguments->status},
                                               {0}};
    uint64_t number = 0;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->output;
        return 0;
    case KEY_SHARDS:
        if (strcmp(text, "auto") != 0 && !mu_number_whole(text, 1, 100000, &number))
            mu_fail(&arguments->err, MU_USAGE, "--shards=%s: not a whole number from 1 to 100000, nor auto", text);
        arguments->shards = (uint32_t)number;
        return 0;
    case KEY_ENGINE:
        arguments->engine = text;
        if (strcmp(text, "slurm") != 0 && strcmp(text, "script") != 0)
            mu_fail(&arguments->err, MU_USAGE, "--engine=%s: no such choice; there are: slurm, script", text);
        return 0;
    default:
        return mu_arguments_store(places, key, text);
    }
}

/* ---- Words ---- */

/* Returns the option of a table that a word names, with or without a value behind "="; NULL: none. */
static const struct argp_option *find_option(const struct argp_option *table, const char *word)
{
    const size_t length = strcspn(word, "=");
    if (strncmp(word, "--", 2) != 0) return NULL;
    for (const struct argp_option *option = table; option->name != NULL; option++)
        if (strlen(option->name) + 2 == length && strncmp(option->name, word + 2, length - 2) == 0) return option;
    return NULL;
}

/* Returns how many words, from this one on, form one of this command's own options: two if its value is a word of its
 * own; 0 if it is none. */
static int count_own(const char *word)
{
    static const struct argp_option shared[] = {{.name = "help"}, {.name = "usage"}, {0}};
    if (strcmp(word, "-?") == 0 || find_option(shared, word) != NULL) return 1;
    const struct argp_option *option = find_option(options, word);
    if (option == NULL) option = find_option(mu_output_argp.options, word);
    if (option == NULL) return 0;
    return option->arg != NULL && strchr(word, '=') == NULL ? 2 : 1;
}

/* Refuses words that each part sets for itself, and those that would restart a part each time it continues. */
static int check_word(const char *word, struct mu_error *err)
{
    static const char *const refused[] = {"--shard", "--costs",   "--stamp",  "--split",  "--junit",
                                          "--brief", "--restart", "--retune", "--dry-run"};
    const size_t length = strcspn(word, "=");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strlen(refused[i]) == length && strncmp(refused[i], word, length) == 0)
            return mu_fail(err, MU_USAGE, "%s: not an option of muster submit", refused[i]);
    return MU_OK;
}

/* Divides the words of the command line into this command's own (argv), bench's, and the scheduler's. Bench parses a
 * copy of its words, since parsing reorders them. */
static int divide(int *argc, char **argv, struct arguments *arguments)
{
    int own = 1, words = 0, behind = *argc, of_own = 0;
    struct mu_error *err = &arguments->err;
    arguments->words = mu_calloc((size_t)*argc + 1, sizeof(char *), "a command line", err);
    arguments->scheduler = mu_calloc((size_t)*argc + 1, sizeof(char *), "a command line", err);
    if (arguments->words == NULL || arguments->scheduler == NULL) return err->status;
    for (int i = 1; i < *argc; i++) {
        if (i <= behind && of_own == 0) of_own = count_own(argv[i]);
        if (i > behind) {
            arguments->scheduler[i - behind - 1] = argv[i];
        } else if (of_own > 0) {
            argv[own++] = argv[i];
            of_own--;
        } else if (strcmp(argv[i], "--") == 0) {
            behind = i;
        } else if (check_word(argv[i], err) == MU_OK) {
            arguments->words[words++] = argv[i];
        }
    }
    argv[own] = NULL;
    *argc = own;
    return err->status;
}

static int parse_bench(char *name, struct arguments *arguments)
{
    int count = 0;
    struct mu_error *err = &arguments->err;
    while (arguments->words[count] != NULL) count++;
    char **copy = mu_calloc((size_t)count + 2, sizeof *copy, "a command line", err);
    if (copy == NULL) return err->status;
    copy[0] = name;
    memcpy(copy + 1, arguments->words, (size_t)count * sizeof *copy);
    mu_bench_parse(count + 1, copy, &arguments->bench);
    mu_pass_error(&arguments->bench.common.err, err);
    if (err->status == MU_OK && arguments->bench.common.study != NULL)
        mu_fail(err, MU_USAGE, "--suite=%s is a study, of which there are no parts",
                arguments->bench.common.study->name);
    if (err->status == MU_OK && mu_sides_are_named(arguments->bench.common.device))
        mu_fail(err, MU_USAGE, "--device=%s: a part runs on one device", arguments->bench.common.device);
    mu_free(copy);
    return err->status;
}

static void set_words(struct mu_json *object, const char *name, char *const *words)
{
    struct mu_json array = mu_json_array();
    for (; *words != NULL; words++) mu_json_append_text(&array, *words);
    mu_json_set_part(object, name, &array);
}

/* ---- A job ---- */

/* Fails with MU_USAGE if the folder holds a job of another campaign. */
static int check_same(const struct mu_job *job, const json_t *about, const char *const *members, struct mu_error *err)
{
    for (; job->about != NULL && *members != NULL; members++)
        if (!json_equal(json_object_get(job->about, *members), json_object_get(about, *members)))
            mu_fail(err, MU_USAGE, "%s holds another job, whose %s differ: name another --folder", job->folder,
                    *members);
    return err->status;
}

/* Adds to the description where the job runs and with which words. */
static int describe_place(const struct arguments *arguments, struct mu_json *made, struct mu_error *err)
{
    char here[PATH_MAX], results[PATH_MAX];
    const char *program = mu_own_path();
    if (getcwd(here, sizeof here) == NULL || program == NULL ||
        (mkdir(mu_results_root(), 0777) != 0 && errno != EEXIST) || realpath(mu_results_root(), results) == NULL)
        return mu_fail(err, MU_IO, "%s: %s", mu_results_root(), strerror(errno));
    mu_json_set_text(made, "results", results);
    mu_json_set_text(made, "here", here);
    mu_json_set_text(made, "program", program);
    mu_json_set_text(made, "engine", arguments->engine);
    set_words(made, "words", arguments->words);
    set_words(made, "scheduler", arguments->scheduler);
    return MU_OK;
}

/* Removes the file of costs that an unfinished job may have left, since it may be of another campaign. */
static int remove_costs(const char *path, struct mu_error *err)
{
    if (unlink(path) == 0 || errno == ENOENT) return MU_OK;
    return mu_fail(err, MU_IO, "%s: %s", path, strerror(errno));
}

/* Returns the description of the job to run, with the scheduler's numbers of the existing one. */
static json_t *describe(const struct arguments *arguments, const struct mu_job *job, struct mu_error *err)
{
    static const char *const first[] = {"words", "results", "here", NULL}, *const then[] = {"set", "parts", NULL};
    char costs[PATH_MAX], set[64] = "";
    struct mu_json made = mu_json_object(), numbers = mu_json_array();
    json_t *parts = NULL;
    /* An existing job keeps its number of parts. */
    const uint32_t count =
        arguments->shards != 0 ? arguments->shards : (uint32_t)json_array_size(json_object_get(job->about, "parts"));
    if (describe_place(arguments, &made, err) == MU_OK && check_same(job, made.value, first, err) == MU_OK &&
        mu_job_path(job, "costs.json", costs, err) == MU_OK &&
        (job->about != NULL || remove_costs(costs, err) == MU_OK))
        mu_submit_plan(&arguments->bench, arguments->chip, costs, count, &parts, set, err);
    mu_json_set_text(&made, "set", set);
    mu_json_set(&made, "parts", parts != NULL ? parts : json_array());
    if (err->status == MU_OK) check_same(job, made.value, then, err);
    mu_json_set_part(&made, "numbers", &numbers);
    if (job->about != NULL) mu_json_set(&made, "numbers", json_incref(json_object_get(job->about, "numbers")));
    if (err->status == MU_OK) return mu_json_take(&made, "a job", err);
    mu_json_release(&made);
    return NULL;
}

/* Lists the parts that are neither done nor queued: "1,2,5". NULL with MU_NO_MEMORY; empty: none. */
static char *name_parts(const struct mu_job *job, const struct mu_part *parts, struct mu_error *err)
{
    char *names = mu_strdup("", err);
    const bool queued = json_array_size(json_object_get(job->about, "numbers")) != 0;
    for (uint32_t i = 0; i < mu_job_parts(job) && names != NULL; i++) {
        const enum mu_part_state state = parts[i].state;
        if (state == MU_PART_DONE || state == MU_PART_RUNNING || (state == MU_PART_WAITING && queued)) continue;
        char *longer = mu_format(err, "%s%s%u", names, names[0] != '\0' ? "," : "", i + 1);
        mu_free(names);
        names = longer;
    }
    return names;
}

static int look_and_show(const struct mu_job *job, const struct mu_output *output, struct mu_error *err)
{
    struct mu_part *parts = mu_calloc(mu_job_parts(job), sizeof *parts, "the parts of a job", err);
    if (parts != NULL && mu_job_look(job, parts, err) == MU_OK) mu_job_show(job, parts, output, err);
    mu_free(parts);
    return err->status;
}

static int submit_parts(struct mu_job *job, struct mu_error *err)
{
    struct mu_part *parts = mu_calloc(mu_job_parts(job), sizeof *parts, "the parts of a job", err);
    char *names = NULL;
    if (parts != NULL && mu_job_look(job, parts, err) == MU_OK) names = name_parts(job, parts, err);
    if (names != NULL && names[0] != '\0')
        mu_slurm_submit(job, names, err);
    else if (names != NULL)
        printf("all parts are done or in the queue\n");
    mu_free(names);
    mu_free(parts);
    return err->status;
}

static int submit(const struct arguments *arguments, struct mu_job *job, struct mu_error *err)
{
    json_t *about = describe(arguments, job, err);
    if (about == NULL) return err->status;
    mu_job_close(job);
    job->about = about;
    if (mu_job_write_scripts(job, err) != MU_OK || mu_job_write(job, err) != MU_OK) return err->status;
    if (strcmp(arguments->engine, "script") == 0) {
        printf("%s/task.sh PART runs a part, %s/run.sh all of them, %s/merge.sh merges them\n", job->folder,
               job->folder, job->folder);
        fflush(stdout);
    } else if (submit_parts(job, err) != MU_OK) {
        return err->status;
    }
    return look_and_show(job, &arguments->output, err);
}

/* Checks the words in a script's lines for the scheduler, in which a quote or a newline cannot be written. */
static int check_lines(const struct arguments *arguments, const struct mu_job *job, struct mu_error *err)
{
    if (strpbrk(job->folder, "'\n") != NULL)
        return mu_fail(err, MU_USAGE, "--folder=%s: a scheduler cannot be told of a path with a quote or a line's end",
                       job->folder);
    for (char *const *word = arguments->scheduler; *word != NULL; word++)
        if (strchr(*word, '\n') != NULL)
            return mu_fail(err, MU_USAGE, "%s: an option of the scheduler's is one line", *word);
    return MU_OK;
}

static int run(const struct arguments *arguments, struct mu_error *err)
{
    struct mu_job job = {0};
    /* Without a scheduler nothing is planned, so that no folder of a job is left that cannot be submitted. */
    if (!arguments->status && strcmp(arguments->engine, "slurm") == 0 && mu_slurm_find(err) != MU_OK)
        return err->status;
    const bool makes_root = access(mu_results_root(), F_OK) != 0;
    const bool made = !arguments->status && mkdir(arguments->folder, 0777) == 0;
    if (!arguments->status && !made && errno != EEXIST)
        return mu_fail(err, MU_IO, "%s: %s", arguments->folder, strerror(errno));
    if (mu_job_open(arguments->folder, &job, err) == MU_OK) {
        if (arguments->status && job.about == NULL)
            mu_fail(err, MU_USAGE, "%s holds no job", arguments->folder);
        else if (arguments->status)
            look_and_show(&job, &arguments->output, err);
        else if (check_lines(arguments, &job, err) == MU_OK)
            submit(arguments, &job, err);
    }
    mu_job_close(&job);
    /* After a failure, removes the folder if this call made it and it is empty. */
    if (err->status != MU_OK && made) rmdir(arguments->folder);
    if (err->status != MU_OK && makes_root) rmdir(mu_results_root());
    return err->status;
}

int mu_cmd_submit(int argc, char **argv)
{
    static const struct argp_child children[] = {{&mu_output_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        options,
        parse,
        "[BENCH OPTION...] [APP...] [-- SBATCH OPTION...]",
        "Runs a campaign on a cluster, in parts: plans it, with what muster bench would take as options, deals its "
        "comparisons to parts that take equally long, and submits a job for each. A part that is cancelled, pre-empted "
        "or killed goes on where it was when it is queued again; the same command submits again what failed or was "
        "lost. A last job merges the records and prints tables. Each part uses the device that its machine shows "
        "first, unless --device says otherwise.",
        children,
        NULL,
        NULL};
    struct arguments arguments = {.folder = "muster-job", .engine = "slurm"};
    struct mu_error *err = &arguments.err;
    char *name = argv[0];
    if (divide(&argc, argv, &arguments) == MU_OK && mu_arguments_parse(&argp, argc, argv, &arguments, err) == MU_OK) {
        mu_pass_error(&arguments.output.err, err);
        if (err->status == MU_OK && parse_bench(name, &arguments) == MU_OK) run(&arguments, err);
    }
    mu_free(arguments.words);
    mu_free(arguments.scheduler);
    mu_finish_output(err);
    return mu_report(err);
}
