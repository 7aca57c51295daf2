/* How a child process ends: it is awaited, killed, and cleaned up after; and what happens to one that cannot be
 * killed. */
#include "harness/device/child.h"
#include "harness/device/child_private.h"
#include "variants/launch/opencl.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The time in which a killed process must end, and the same after a signal. One that does not is in the kernel, where a
 * driver waits for its device. To free the memory of a large process takes a second at most. */
#define KILLED_ENDS_NS      UINT64_C(5000000000)
#define INTERRUPTED_ENDS_NS UINT64_C(1000000000)

/* The times between two looks for the end of a process. They are short at first, since it usually follows the
 * answer. */
#define FIRST_NAP_NS 20000
#define LAST_NAP_NS  20000000

/* The number of sweeps after which a process that forks faster than it is killed is given up. */
#define MOST_SWEEPS 1000

static volatile sig_atomic_t interrupted;

static void note_signal(int number)
{
    interrupted = number;
}

void mu_child_catch_signals(void)
{
    struct sigaction action = {.sa_handler = note_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool mu_interrupted(void)
{
    return interrupted != 0;
}

/* Waits for a child's end. Returns false when it has not ended in that time. */
static bool await_end(pid_t pid, uint64_t patience_ns, uint64_t interrupted_ns, int *status)
{
    const uint64_t start = mu_now_ns();
    long nap_ns = FIRST_NAP_NS;
    for (;;) {
        const pid_t ended = waitpid(pid, status, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR)) return true; /* an error: somebody else has reaped it */
        const uint64_t waited_ns = mu_now_ns() - start;
        if (waited_ns >= (interrupted != 0 && interrupted_ns < patience_ns ? interrupted_ns : patience_ns))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = nap_ns}, NULL);
        if (nap_ns < LAST_NAP_NS) nap_ns *= 2;
    }
}

/* ---- What a driver leaves behind ---- */

void mu_children_list(struct mu_children *children)
{
    char path[64], word[24], *end;
    children->count = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(path, "re");
    if (file == NULL) return; /* a kernel without the list: then nothing is swept up */
    while (children->count < MU_MOST_CHILDREN && fscanf(file, "%23s", word) == 1) {
        const long pid = strtol(word, &end, 10);
        if (end == word || *end != '\0') break;
        children->pids[children->count++] = (pid_t)pid;
    }
    fclose(file);
}

static bool is_among(const struct mu_children *children, pid_t pid)
{
    for (size_t i = 0; i < children->count; i++)
        if (children->pids[i] == pid) return true;
    return false;
}

void mu_children_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void mu_children_sweep(const struct mu_children *before)
{
    int status;
    struct mu_children now;
    if (before->count == MU_MOST_CHILDREN) return; /* there may be more that are not known */
    for (int i = 0; i < MOST_SWEEPS; i++) {
        size_t strays = 0;
        mu_children_list(&now);
        for (size_t k = 0; k < now.count; k++) {
            if (is_among(before, now.pids[k]) || mu_child_is_stuck(now.pids[k])) continue;
            kill(now.pids[k], SIGKILL);
            strays++;
            if (!await_end(now.pids[k], INTERRUPTED_ENDS_NS, INTERRUPTED_ENDS_NS, &status)) return;
        }
        if (strays == 0) return;
    }
}

/* ---- What cannot be killed ---- */

#define MOST_STUCK  16
#define STUCK_BYTES 96

static struct {
    pid_t pid;
    struct mu_child_where where;
} stuck[MOST_STUCK];
static size_t stuck_count;

struct mu_child_where mu_child_where(const json_t *request, const char *icd)
{
    const json_t *device = json_object_get(request, "device");
    struct mu_child_where where = {-1, -1, ""};
    snprintf(where.icd, sizeof where.icd, "%s", icd != NULL ? icd : "");
    if (device == NULL) {
        const json_t *platform = json_object_get(request, "platform");
        if (json_is_integer(platform)) where.platform = json_integer_value(platform);
        return where;
    }
    where.platform = json_integer_value(json_object_get(device, "platform_index"));
    where.device = json_integer_value(json_object_get(device, "device_index"));
    return where;
}

bool mu_child_is_stuck(pid_t pid)
{
    for (size_t i = 0; i < stuck_count; i++)
        if (stuck[i].pid == pid) return true;
    return false;
}

/* Writes where in the kernel a process is, as far as the system tells: " (in state D, in folio_wait_bit)". */
static const char *describe_stuck(pid_t pid, char text[STUCK_BYTES])
{
    char path[64], line[512], state = '?', channel[48] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    const char *end = file != NULL && fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    if (end != NULL && end[1] == ' ' && end[2] != '\0') state = end[2];
    if (file != NULL) fclose(file);
    snprintf(path, sizeof path, "/proc/%d/wchan", (int)pid);
    file = fopen(path, "re");
    const bool told = file != NULL && fscanf(file, "%47s", channel) == 1 && strcmp(channel, "0") != 0;
    if (file != NULL) fclose(file);
    snprintf(text, STUCK_BYTES, " (in state %c%s%s)", state, told ? ", in " : "", told ? channel : "");
    return text;
}

int mu_child_refuse(const struct mu_child_where *where, struct mu_error *err)
{
    int status;
    char text[STUCK_BYTES];
    size_t left = 0;
    for (size_t i = 0; i < stuck_count; i++)
        if (waitpid(stuck[i].pid, &status, WNOHANG) == 0) stuck[left++] = stuck[i];
    stuck_count = left;
    for (size_t i = 0; i < stuck_count; i++)
        if (stuck[i].where.platform == where->platform && stuck[i].where.device == where->device &&
            strcmp(stuck[i].where.icd, where->icd) == 0)
            return mu_fail(err, MU_DEVICE,
                           "process %d cannot be killed%s: nothing more is started on its device before it has ended",
                           (int)stuck[i].pid, describe_stuck(stuck[i].pid, text));
    return MU_OK;
}

static void note_stuck(pid_t pid, const struct mu_child_where *where)
{
    if (stuck_count == MOST_STUCK) return;
    stuck[stuck_count].pid = pid;
    stuck[stuck_count++].where = *where;
}

bool mu_child_has_ended(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

struct mu_child_ending mu_child_end(pid_t pid, uint64_t patience_ns, const struct mu_child_where *where)
{
    struct mu_child_ending ending = {.killed = patience_ns == 0 || !await_end(pid, patience_ns, 0, &ending.status)};
    if (ending.killed) {
        kill(-pid, SIGKILL);
        kill(pid, SIGKILL); /* before its own setpgid, it has no group yet */
        if (!await_end(pid, KILLED_ENDS_NS, INTERRUPTED_ENDS_NS, &ending.status)) {
            note_stuck(pid, where);
            snprintf(ending.stuck, sizeof ending.stuck, "; process %d cannot be killed", (int)pid);
            describe_stuck(pid, ending.stuck + strlen(ending.stuck));
            return ending;
        }
    }
    kill(-pid, SIGKILL); /* what a driver left behind */
    return ending;
}
