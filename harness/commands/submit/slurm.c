#include "harness/commands/submit/slurm.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "harness/device/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 8 };

/* Runs a program and returns what it prints, to be freed by mu_free. NULL with MU_IO if it cannot be run or fails; its
 * own message is on standard error. */
static char *run(const char *const words[WORDS_MAX], struct mu_error *err)
{
    int ends[2], status = 0;
    size_t room = 4096, used = 0;
    char *text = mu_malloc(room, 1, words[0], err);
    if (text == NULL) return NULL;
    if (pipe(ends) != 0) {
        mu_fail(err, MU_IO, "pipe: %s", strerror(errno));
        mu_free(text);
        return NULL;
    }
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        char *arguments[WORDS_MAX];
        memcpy(arguments, words, sizeof arguments);
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        signal(SIGPIPE, SIG_DFL);
        close(ends[0]);
        if (dup2(ends[1], STDOUT_FILENO) >= 0) execvp(arguments[0], arguments);
        _exit(127);
    }
    close(ends[1]);
    for (ssize_t got = 1; pid > 0 && got != 0 && err->status == MU_OK;) {
        if (room - used < 2048 && mu_resize((void **)&text, room *= 2, 1, words[0], err) != MU_OK) break;
        got = read(ends[0], text + used, room - used - 1);
        if (got > 0) used += (size_t)got;
        if (got < 0 && errno != EINTR) break;
        if (mu_interrupted()) mu_fail(err, MU_INTERRUPTED, "interrupted while waiting for %s", words[0]);
    }
    text[used] = '\0';
    close(ends[0]);
    if (pid > 0 && err->status != MU_OK) kill(pid, SIGKILL);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        if (mu_interrupted()) kill(pid, SIGKILL);
    if (pid < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        mu_fail(err, MU_IO, "%s cannot be run: is Slurm here? --engine=script writes scripts and submits nothing",
                words[0]);
    else if (status != 0)
        mu_fail(err, MU_IO, "%s failed: see what it says above", words[0]);
    if (err->status == MU_OK) return text;
    mu_free(text);
    return NULL;
}

int mu_slurm_find(struct mu_error *err)
{
    static const char *const words[WORDS_MAX] = {"sbatch", "--version"};
    mu_free(run(words, err));
    return err->status;
}

/* Reduces sbatch's answer, "123" or "123;cluster", to the number. Returns false if there is none. */
static bool read_number(char *answer)
{
    uint64_t number;
    answer[strcspn(answer, ";\n")] = '\0';
    return mu_number_whole(answer, 1, UINT32_MAX, &number);
}

/* Submits a script and returns the number of its job. NULL with MU_IO. */
static char *submit(const struct mu_job *job, const char *option, const char *file, struct mu_error *err)
{
    char path[PATH_MAX];
    if (mu_job_path(job, file, path, err) != MU_OK) return NULL;
    const char *const words[WORDS_MAX] = {"sbatch", "--parsable", option, path};
    char *answer = run(words, err);
    if (answer == NULL || read_number(answer)) return answer;
    mu_fail(err, MU_IO, "sbatch did not answer with the number of a job: %s", answer);
    mu_free(answer);
    return NULL;
}

int mu_slurm_submit(struct mu_job *job, const char *parts, struct mu_error *err)
{
    char *array = mu_format(err, "--array=%s", parts);
    char *number = array != NULL ? submit(job, array, "task.sh", err) : NULL;
    char *after = NULL, *merge = NULL;
    if (number != NULL && json_array_append_new(json_object_get(job->about, "numbers"), json_string(number)) != 0)
        mu_fail(err, MU_NO_MEMORY, "out of memory for the number of a job");
    /* The tasks are submitted already, so their number is written before anything else can fail. */
    if (number != NULL && mu_job_write(job, err) == MU_OK) after = mu_format(err, "--dependency=afterany:%s", number);
    if (after != NULL) merge = submit(job, after, "merge.sh", err);
    if (merge != NULL) printf("job %s runs parts %s, job %s merges them\n", number, parts, merge);
    mu_free(array);
    mu_free(number);
    mu_free(after);
    mu_free(merge);
    return err->status;
}

static bool is_of(const struct mu_job *job, const char *number)
{
    size_t i;
    json_t *own;
    json_array_foreach (json_object_get(job->about, "numbers"), i, own)
        if (strcmp(json_string_value(own), number) == 0) return true;
    return false;
}

/* Takes a line "<job> <task> <state>" of squeue. */
static void take_line(const struct mu_job *job, const char *line, enum mu_queued *queued)
{
    char number[32], task[32], state[16];
    uint64_t part;
    if (sscanf(line, "%31s %31s %15s", number, task, state) != 3 || !is_of(job, number) ||
        !mu_number_whole(task, 1, mu_job_parts(job), &part))
        return;
    const bool waits = strcmp(state, "PD") == 0 || strcmp(state, "RQ") == 0 || strcmp(state, "RH") == 0;
    queued[part - 1] = waits ? MU_QUEUED_WAITING : MU_QUEUED_RUNNING;
}

int mu_slurm_look(const struct mu_job *job, enum mu_queued *queued, struct mu_error *err)
{
    static const char *const words[WORDS_MAX] = {"squeue", "--me", "--noheader", "--array", "--format=%F %K %t"};
    char *rest = NULL, *answer = run(words, err);
    memset(queued, 0, mu_job_parts(job) * sizeof *queued);
    for (char *line = answer != NULL ? strtok_r(answer, "\n", &rest) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        take_line(job, line, queued);
    mu_free(answer);
    return err->status;
}
