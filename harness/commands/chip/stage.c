#include "harness/commands/chip/stage.h"

#include "base/memory.h"
#include "harness/device/child.h"
#include "variants/launch/opencl.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Seconds that an interrupted command gets to end its child and close its files. */
#define GRACE_S 20.0

#define LOOK_AGAIN_NS 50000000L

/* Replaces the new process by the command, or ends it with 127. The process ends when its parent does. */
static void become(const struct mu_stage *stage, char **words)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    const int nowhere = stage->quiet ? open("/dev/null", O_WRONLY | O_CLOEXEC) : STDOUT_FILENO;
    if (nowhere >= 0 && (!stage->quiet || dup2(nowhere, STDOUT_FILENO) >= 0)) execv("/proc/self/exe", words);
    fprintf(stderr, "muster: cannot start muster %s: %s\n", words[1], strerror(errno));
    _exit(127);
}

static pid_t start(const struct mu_stage *stage, struct mu_error *err)
{
    static char name[] = "muster";
    size_t count = 0;
    while (stage->words[count] != NULL) count++;
    char **words = mu_calloc(count + 2, sizeof *words, "a command line", err);
    if (words == NULL) return -1;
    words[0] = name;
    for (size_t i = 0; i < count; i++) words[i + 1] = (char *)(uintptr_t)stage->words[i];
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) become(stage, words);
    if (pid < 0) mu_fail(err, MU_IO, "fork: %s", strerror(errno));
    mu_free(words);
    return pid;
}

/* Returns the seconds since a time of mu_now_ns. */
static double since(uint64_t ns)
{
    return (double)(mu_now_ns() - ns) / 1e9;
}

int mu_stage_run(struct mu_stage *stage, struct mu_error *err)
{
    const struct timespec pause = {.tv_nsec = LOOK_AGAIN_NS};
    const uint64_t begun = mu_now_ns();
    uint64_t told = 0; /* when it was asked to end */
    int status = 0;
    stage->cut = false;
    const pid_t pid = start(stage, err);
    if (pid < 0) return err->status;
    for (;;) {
        const pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid) break;
        if (ended < 0 && errno != EINTR) return mu_fail(err, MU_IO, "waitpid: %s", strerror(errno));
        if (told == 0 && (mu_interrupted() || since(begun) > stage->seconds)) {
            stage->cut = !mu_interrupted();
            told = mu_now_ns();
            kill(pid, SIGINT);
        }
        if (told != 0 && since(told) > GRACE_S) kill(pid, SIGKILL);
        nanosleep(&pause, NULL);
    }
    stage->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    /* It may have ended by itself at the moment of the interruption; then it was not cut short. */
    if (stage->cut && stage->exit_code != mu_status_exit_code(MU_INTERRUPTED) && stage->exit_code >= 0)
        stage->cut = false;
    return mu_interrupted() ? mu_fail(err, MU_INTERRUPTED, "interrupted: the same command goes on") : MU_OK;
}
