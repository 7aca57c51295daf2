#include "harness/commands/submit/job.h"

#include "base/json.h"
#include "base/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int mu_job_path(const struct mu_job *job, const char *file, char path[PATH_MAX], struct mu_error *err)
{
    const int length = snprintf(path, PATH_MAX, "%s/%s", job->folder, file);
    return length < 0 || length >= PATH_MAX ? mu_fail(err, MU_LIMIT, "%s/%s: the path is too long", job->folder, file)
                                            : MU_OK;
}

int mu_job_part_path(const struct mu_job *job, uint32_t part, const char *ending, char path[PATH_MAX],
                     struct mu_error *err)
{
    char file[64];
    snprintf(file, sizeof file, "part-%u.%s", part, ending);
    return mu_job_path(job, file, path, err);
}

/* ---- Reading ---- */

FILE *mu_job_read(const char *path)
{
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (fd >= 0 && file == NULL) close(fd);
    return file;
}

/* Returns true if an array has elements of this type alone. */
static bool holds(const json_t *array, json_type type)
{
    size_t i;
    json_t *element;
    json_array_foreach ((json_t *)array, i, element)
        if (json_typeof(element) != type) return false;
    return json_is_array(array);
}

static const char *fault_of(const json_t *about)
{
    static const char *const texts[] = {"set", "results", "here", "program", "engine"};
    static const char *const lists[] = {"words", "scheduler", "numbers"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (!json_is_string(json_object_get(about, texts[i]))) return texts[i];
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (!holds(json_object_get(about, lists[i]), JSON_STRING)) return lists[i];
    const json_t *parts = json_object_get(about, "parts");
    return holds(parts, JSON_OBJECT) && json_array_size(parts) > 0 ? NULL : "parts";
}

int mu_job_open(const char *folder, struct mu_job *job, struct mu_error *err)
{
    char path[PATH_MAX];
    json_error_t error;
    *job = (struct mu_job){0};
    if (realpath(folder, job->folder) == NULL) return mu_fail(err, MU_IO, "%s: %s", folder, strerror(errno));
    if (mu_job_path(job, "job.json", path, err) != MU_OK || access(path, F_OK) != 0) return err->status;
    FILE *file = mu_job_read(path);
    if (file == NULL) return mu_fail(err, MU_IO, "%s: %s", path, strerror(errno));
    job->about = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (job->about == NULL) return mu_fail(err, MU_INPUT, "%s:%d: %s", path, error.line, error.text);
    const char *fault = fault_of(job->about);
    return fault != NULL ? mu_fail(err, MU_INPUT, "%s: not a job's: its member %s is wrong", path, fault) : MU_OK;
}

uint32_t mu_job_parts(const struct mu_job *job)
{
    return (uint32_t)json_array_size(json_object_get(job->about, "parts"));
}

void mu_job_close(struct mu_job *job)
{
    json_decref(job->about);
    job->about = NULL;
}

/* ---- Writing ---- */

int mu_job_write(const struct mu_job *job, struct mu_error *err)
{
    char path[PATH_MAX];
    struct mu_sink *sink = NULL;
    char *text = json_dumps(job->about, JSON_INDENT(1));
    if (text == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory for a job");
    if (mu_job_path(job, "job.json", path, err) == MU_OK && mu_sink_open(path, &sink, err) == MU_OK) {
        mu_sink_text(sink, text);
        mu_sink_text(sink, "\n");
    }
    free(text);
    return mu_sink_close(sink, err->status, err);
}

/* Writes a word in single quotes, as the shell and Slurm's lines read it. */
static void put_quoted(struct mu_sink *sink, const char *word)
{
    mu_sink_text(sink, "'");
    for (; *word != '\0'; word++) {
        const char character[2] = {*word, '\0'};
        mu_sink_text(sink, *word == '\'' ? "'\\''" : character);
    }
    mu_sink_text(sink, "'");
}

/* Writes the head of a script: its purpose, the scheduler's options, and the folder in which it runs. */
static void put_head(const struct mu_job *job, struct mu_sink *sink, const char *purpose, const char *options)
{
    size_t i;
    json_t *word;
    const json_t *scheduler = json_object_get(job->about, "scheduler");
    mu_sink_text(sink, "#!/bin/sh\n# ");
    mu_sink_text(sink, purpose);
    mu_sink_text(sink, " Made by muster submit.\n");
    mu_sink_text(sink, options);
    if (json_array_size(scheduler) != 0) {
        mu_sink_text(sink, "#SBATCH");
        json_array_foreach (scheduler, i, word) {
            const char *text = json_string_value(word);
            mu_sink_text(sink, " ");
            if (strpbrk(text, " \t\"'\\#") != NULL)
                put_quoted(sink, text);
            else
                mu_sink_text(sink, text);
        }
        mu_sink_text(sink, "\n");
    }
    mu_sink_text(sink, "folder=");
    put_quoted(sink, job->folder);
    mu_sink_text(sink, "\nmuster=");
    put_quoted(sink, mu_json_text(job->about, "program"));
    mu_sink_text(sink, "\nMUSTER_RESULTS=");
    put_quoted(sink, mu_json_text(job->about, "results"));
    mu_sink_text(sink, "\nexport MUSTER_RESULTS\ncd ");
    put_quoted(sink, mu_json_text(job->about, "here"));
    mu_sink_text(sink, " || exit 2\n");
}

static void put_task(const struct mu_job *job, struct mu_sink *sink, const char *options)
{
    size_t i;
    json_t *word;
    char parts[16];
    snprintf(parts, sizeof parts, "%u", mu_job_parts(job));
    put_head(job, sink, "Runs the part that is its argument, or the task of an array; goes on where that was.",
             options);
    mu_sink_text(
        sink, "part=${1:-${SLURM_ARRAY_TASK_ID:?which part}}\n"
              "rm -f \"$folder/part-$part.ended\" \"$folder/part-$part.stamp\"\n"
              "echo \"$(date -u +%Y-%m-%dT%H:%M:%SZ) $(uname -n)\" >>\"$folder/part-$part.started\"\n"
              "# Whatever ends it, its records are on the disk. Before its time is up it is put into the queue again.\n"
              "again=\n"
              "trap 'again=yes; kill -TERM \"$bench\"' USR1\n"
              "trap 'kill -TERM \"$bench\"' INT TERM\n"
              "\"$muster\" bench");
    json_array_foreach (json_object_get(job->about, "words"), i, word) {
        mu_sink_text(sink, " ");
        put_quoted(sink, json_string_value(word));
    }
    mu_sink_text(sink, " \\\n    --shard=\"$part/");
    mu_sink_text(sink, parts);
    mu_sink_text(sink, "\" --costs=\"$folder/costs.json\" --stamp=\"$folder/part-$part.stamp\" &\n"
                       "bench=$!\n"
                       "wait \"$bench\"\n"
                       "code=$?\n"
                       "while kill -0 \"$bench\" 2>/dev/null; do\n"
                       "    wait \"$bench\"\n"
                       "    code=$?\n"
                       "done\n"
                       "echo \"$code\" >\"$folder/part-$part.ended\"\n"
                       "if [ -n \"$again\" ] && [ ! -e \"$folder/part-$part.stamp\" ]; then\n"
                       "    scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$part\"\n"
                       "fi\n"
                       "exit \"$code\"\n");
}

static void put_run(const struct mu_job *job, struct mu_sink *sink, const char *options)
{
    char line[128];
    put_head(job, sink, "Runs all parts in turn, and merges them.", options);
    snprintf(line, sizeof line, "part=1\nwhile [ \"$part\" -le %u ]; do\n", mu_job_parts(job));
    mu_sink_text(sink, line);
    mu_sink_text(sink, "    sh \"$folder/task.sh\" \"$part\"\n"
                       "    part=$((part + 1))\n"
                       "done\n"
                       "sh \"$folder/merge.sh\"\n");
}

static void put_merge(const struct mu_job *job, struct mu_sink *sink, const char *options)
{
    char parts[32];
    snprintf(parts, sizeof parts, "-of-%u.jsonl", mu_job_parts(job));
    put_head(job, sink, "Merges the records of all parts, and prints tables.", options);
    mu_sink_text(sink, "\"$muster\" submit --status --folder=\"$folder\"\n"
                       "\"$muster\" results merge --output=\"$folder/merged.jsonl\" \"$MUSTER_RESULTS\"/*/");
    put_quoted(sink, mu_json_text(job->about, "set"));
    mu_sink_text(sink, ".*");
    mu_sink_text(sink, parts);
    mu_sink_text(sink, " || exit\n"
                       "for table in summary outcomes; do\n"
                       "    \"$muster\" table --wide \"$table\" \"$folder/merged.jsonl\"\n"
                       "done\n");
}

/* Writes the options that Slurm reads in a script. */
static void make_options(const struct mu_job *job, const char *output, bool is_array, char *text, size_t bytes)
{
    char array[160] = "";
    /* Slurm signals the batch shell a minute before its time is up. */
    if (is_array)
        snprintf(array, sizeof array, "#SBATCH --array=1-%u --requeue --signal=B:USR1@60\n", mu_job_parts(job));
    snprintf(text, bytes, "#SBATCH --job-name=muster-%s --open-mode=append\n#SBATCH --output='%s/%s'\n%s",
             mu_json_text(job->about, "set"), job->folder, output, array);
}

int mu_job_write_scripts(const struct mu_job *job, struct mu_error *err)
{
    static const struct {
        const char *file, *output;
        bool is_array;
        void (*put)(const struct mu_job *job, struct mu_sink *sink, const char *options);
    } scripts[] = {{"task.sh", "part-%a.out", true, put_task},
                   {"merge.sh", "merge.out", false, put_merge},
                   {"run.sh", "run.out", false, put_run}};
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0] && err->status == MU_OK; i++) {
        char path[PATH_MAX], options[PATH_MAX + 320];
        struct mu_sink *sink = NULL;
        make_options(job, scripts[i].output, scripts[i].is_array, options, sizeof options);
        if (mu_job_path(job, scripts[i].file, path, err) == MU_OK && mu_sink_open(path, &sink, err) == MU_OK)
            scripts[i].put(job, sink, options);
        mu_sink_close(sink, err->status, err);
    }
    return err->status;
}
