/* Runs of muster check-app under Oclgrind, a simulator that follows every access to memory. It knows no order between
 * the workgroups of one launch, so it runs multi-kernel alone. */
#include "harness/commands/apps/check.h"

#include "base/memory.h"
#include "harness/device/child.h"
#include "variants/launch/opencl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define RACES "--data-races"

/* MOST_OUTPUT bounds what is read of a kernel that races in a loop. */
enum { MOST_OUTPUT = 1 << 20, SLICE_MS = 500, LOCATION_BYTES = 320 };

/* The words of a run's command line: those for Oclgrind and muster, then those of the user. */
enum { MOST_WORDS = 16 + MU_LINE_GIVEN };
struct words {
    char *word[MOST_WORDS];
    size_t count;
};

static void add(struct words *words, struct mu_error *err, const char *before, const char *text)
{
    if (words->count + 1 < MOST_WORDS) words->word[words->count++] = mu_format(err, "%s%s", before, text);
}

static int make_words(const struct mu_check *check, const char *input, const char *program, struct words *words,
                      struct mu_error *err)
{
    char *name = mu_format(err, "%s/%s", check->app->suite, check->app->name);
    const char *const fixed[] = {"oclgrind",
                                 RACES,
                                 "--build-options",
                                 "-cl-opt-disable",
                                 program,
                                 "run",
                                 name != NULL ? name : "",
                                 "--variant=multi-kernel",
                                 "--device=oclgrind",
                                 "--workgroup=16",
                                 "--samples=1",
                                 "--warmup=0",
                                 "--json"};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) add(words, err, "", fixed[i]);
    add(words, err, "--input=", input);
    if (check->kernel_dir != NULL) add(words, err, "--kernel-dir=", check->kernel_dir);
    mu_free(name);
    for (size_t i = 0; i < check->line.given_count; i++) {
        const struct mu_given *given = &check->line.given[i];
        size_t option = 0;
        while (option + 1 < check->line.count && check->line.names[option] != given->name) option++;
        char *text = mu_format(err, "--%s%s%s", check->line.spelled[option], given->text != NULL ? "=" : "",
                               given->text != NULL ? given->text : "");
        if (text != NULL) add(words, err, "", text);
        mu_free(text);
    }
    return err->status;
}

/* Starts Oclgrind in a process group of its own, which ends when this process does. *from gets a descriptor from which
 * its output is read. */
static pid_t start(const struct words *words, int *from, struct mu_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        mu_fail(err, MU_IO, "pipe: %s", strerror(errno));
        return -1;
    }
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        signal(SIGPIPE, SIG_DFL);
        if (dup2(ends[1], STDOUT_FILENO) >= 0 && dup2(ends[1], STDERR_FILENO) >= 0) execvp(words->word[0], words->word);
        _exit(127);
    }
    close(ends[1]);
    *from = ends[0];
    if (pid > 0) return pid;
    mu_fail(err, MU_IO, "fork: %s", strerror(errno));
    close(ends[0]);
    return -1;
}

/* Collects its output until it ends. After the deadline or an interruption kills it and returns false. */
static bool follow(pid_t pid, int from, double deadline_s, char *text, size_t bytes)
{
    const uint64_t start_ns = mu_now_ns();
    size_t used = 0;
    bool late = false;
    char rest[4096];
    for (;;) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        const int count = poll(&ready, 1, SLICE_MS);
        late = (double)(mu_now_ns() - start_ns) / 1e9 > deadline_s || mu_interrupted();
        if (late || (count < 0 && errno != EINTR)) break;
        if (count <= 0) continue;
        const bool full = used + 1 >= bytes;
        const ssize_t got = full ? read(from, rest, sizeof rest) : read(from, text + used, bytes - 1 - used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        if (!full) used += (size_t)got;
    }
    text[used] = '\0';
    if (late) kill(-pid, SIGKILL);
    close(from);
    return !late;
}

/* Finds the last place "FILE:LINE" in the app's own files that a complaint names, or else any that it names. */
static void find_place(const struct mu_check *check, const char *text, char place[LOCATION_BYTES])
{
    char own[LOCATION_BYTES], file[200], line[12];
    bool is_own = false;
    snprintf(own, sizeof own, "/%s/%s.", check->app->name, check->app->name);
    place[0] = '\0';
    const char *end = strstr(text, "\n\n\n");
    for (const char *at = strstr(text, "At line "); at != NULL && (end == NULL || at < end);
         at = strstr(at + 1, "At line ")) {
        if (sscanf(at, "At line %11[0-9] (column %*u) of %199[^:\n]", line, file) != 2) continue;
        const bool ours = strstr(file, own) != NULL;
        if (is_own && !ours) continue;
        is_own |= ours;
        snprintf(place, LOCATION_BYTES, "%s:%s: ", file, line);
    }
}

/* Finds the outcome of a run in its output: a complaint of Oclgrind, or else the outcome in the record. */
static void judge(const struct mu_check *check, char *text, int status, struct mu_error *outcome)
{
    char place[LOCATION_BYTES], *record = strstr(text, "{\"app\"");
    const char *complaint = text + strspn(text, "\n ");
    if (complaint != record && *complaint != '\0') {
        find_place(check, complaint, place);
        /* Addresses are cut off: they mean nothing to a reader. */
        const char *address = strstr(complaint, " at global memory address");
        const size_t length = strcspn(complaint, "\n"), shorter = address != NULL ? (size_t)(address - complaint) : 0;
        const bool known = address != NULL && shorter < length;
        mu_fail(outcome, MU_WRONG, "%s%.*s", place, (int)(known ? shorter : length), complaint);
        return;
    }
    json_t *object = record != NULL ? json_loads(record, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
    const int told = mu_outcome_status(mu_json_text_or(object, "outcome", NULL));
    if (object == NULL && status != 0)
        mu_fail(outcome, MU_CRASH, "oclgrind ended with status %d and no record", status);
    else if (told != MU_OK)
        mu_fail(outcome, told, "%s", mu_json_text(object, "message"));
    json_decref(object);
}

static int run_one(struct mu_check *check, const char *input, const char *program, char *text, struct mu_error *err)
{
    struct words words = {.count = 0};
    struct mu_error outcome = {0};
    int from = -1, status = 0;
    make_words(check, input, program, &words, err);
    const pid_t pid = err->status == MU_OK ? start(&words, &from, err) : -1;
    if (pid > 0) {
        const bool ended = follow(pid, from, check->deadline_s, text, MOST_OUTPUT);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
        if (mu_interrupted()) mu_fail(err, MU_INTERRUPTED, "interrupted");
        /* A simulator is slow, so a run that passes the deadline is no finding. */
        if (ended) judge(check, text, status, &outcome);
        check->runs += ended;
        check->left_out += !ended;
        char *command =
            mu_format(err,
                      "oclgrind " RACES " --build-options -cl-opt-disable muster run %s/%s "
                      "--variant=multi-kernel --device=oclgrind --workgroup=16 --input=%s%s%s%s",
                      check->app->suite, check->app->name, input, check->kernel_dir != NULL ? " --kernel-dir=" : "",
                      check->kernel_dir != NULL ? check->kernel_dir : "", check->own_text);
        if (command != NULL) mu_check_note(check, MU_CHECK_OCLGRIND, &outcome, command, err);
        mu_free(command);
    }
    for (size_t i = 0; i < words.count; i++) mu_free(words.word[i]);
    return err->status;
}

/* Returns true if a folder of PATH has the program. */
static bool is_installed(struct mu_error *err)
{
    const char *path = getenv("PATH");
    char *copy = mu_strdup(path != NULL ? path : "", err), *rest = NULL;
    bool found = false;
    if (copy == NULL) return false;
    for (char *folder = strtok_r(copy, ":", &rest); folder != NULL && !found; folder = strtok_r(NULL, ":", &rest)) {
        char *file = mu_format(err, "%s/oclgrind", folder);
        found = file != NULL && access(file, X_OK) == 0;
        mu_free(file);
    }
    mu_free(copy);
    return found;
}

int mu_check_oclgrind(struct mu_check *check, bool *found, struct mu_error *err)
{
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    *found = is_installed(err);
    if (!*found || err->status != MU_OK) return err->status;
    if (length <= 0) return mu_fail(err, MU_IO, "/proc/self/exe: %s", strerror(errno));
    program[length] = '\0';
    char *text = mu_malloc(MOST_OUTPUT, 1, "what Oclgrind prints", err);
    for (const char *const *input = check->inputs; text != NULL && err->status == MU_OK && *input != NULL; input++) {
        if (mu_check_is_late(check) || (check->first && check->finding_count != 0))
            check->left_out++;
        else
            run_one(check, *input, program, text, err);
    }
    mu_free(text);
    return err->status;
}
