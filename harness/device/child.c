/* Calling a child process: the parent's side. */
#include "harness/device/child.h"

#include "base/choice.h"
#include "base/memory.h"
#include "harness/device/child_private.h"
#include "variants/launch/opencl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The characters of steps' names, and room for what a message says of a step. */
#define STEP_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
#define BEHIND_BYTES    (sizeof((struct mu_place *)NULL)->step + 40)

/* The longest response. A child that writes endlessly must neither escape its deadline nor fill the memory. */
#define MOST_RESPONSE_BYTES ((size_t)1 << 25)

/* How often the parent looks up while it waits, and after how long a phase it tells what the child does. */
#define SLICE_NS     UINT64_C(1000000000)
#define TELL_AFTER_S 2.0

struct child {
    pid_t pid;
    uint64_t left_ns;       /* of its deadline */
    int request;            /* write end */
    int response;           /* read end */
    struct mu_place *place; /* shared with the child */
    char *text;             /* what it has written: phases, then its answer */
    size_t bytes;
    size_t line;          /* where the line begins whose end has not come yet */
    struct mu_json parts; /* as many as have come; no array before the child has come to its parts */
    const struct mu_taker *taker;
    uint64_t phase_ns; /* when the last phase was read; before the first one, when the child began */
    const struct mu_progress_callback *on_progress;
    bool told; /* whether it has been told anything */
};

/* Becomes the child's program in the new process, or ends with 127. */
static void become_child(const int ends[3], const struct mu_child_environment *environment, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127); /* the parent died in between */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (environment->icd != NULL && environment->icd[0] != '\0') setenv("OCL_ICD_VENDORS", environment->icd, 1);
    mu_settings_apply(environment->settings);
    /* The ends themselves may lie at 0 to 4, so they are moved out of the way first. */
    static const int targets[3] = {STDIN_FILENO, MU_RESPONSE_FD, MU_PLACE_FD};
    int moved[3];
    bool there = true;
    for (size_t i = 0; i < 3; i++) there = there && (moved[i] = fcntl(ends[i], F_DUPFD_CLOEXEC, 10)) >= 0;
    for (size_t i = 0; i < 3; i++) there = there && dup2(moved[i], targets[i]) >= 0;
    if (there && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
        execl("/proc/self/exe", "muster", MU_CHILD_ARGUMENT, (char *)NULL);
    /* Where fewer than 10 descriptors are allowed, this one is an invalid argument. */
    dprintf(ends[1], "{\"outcome\":\"%s\",\"message\":\"cannot start a child process: %s\"}",
            mu_status_outcome(MU_DEVICE), strerror(errno == EINVAL ? EMFILE : errno));
    _exit(127);
}

/* Makes memory for the child's place, in a file without a name. NULL after a failure. */
static struct mu_place *open_place(int *file, struct mu_error *err)
{
    void *shared = MAP_FAILED;
    *file = memfd_create("muster-place", MFD_CLOEXEC);
    if (*file >= 0 && ftruncate(*file, sizeof(struct mu_place)) == 0)
        shared = mmap(NULL, sizeof(struct mu_place), PROT_READ, MAP_SHARED, *file, 0);
    if (shared != MAP_FAILED) return shared;
    mu_fail(err, MU_IO, "memory to share with a child process: %s", strerror(errno));
    if (*file >= 0) close(*file);
    return NULL;
}

static void close_all(const int *files, size_t count)
{
    for (size_t i = 0; i < count; i++) close(files[i]);
}

/* Starts the child, and closes `place`, which is the child's. */
static int start_child(const struct mu_child_environment *environment, struct child *child, int place,
                       struct mu_error *err)
{
    int request[2], response[2];
    if (pipe2(request, O_CLOEXEC) != 0) {
        mu_fail(err, MU_IO, "pipe: %s", strerror(errno));
        close(place);
        return err->status;
    }
    if (pipe2(response, O_CLOEXEC) != 0) {
        mu_fail(err, MU_IO, "pipe: %s", strerror(errno));
        close_all((int[]){place, request[0], request[1]}, 3);
        return err->status;
    }
    const int ends[3] = {request[0], response[1], place};
    fflush(NULL);
    const pid_t parent = getpid();
    child->pid = fork();
    if (child->pid == 0) become_child(ends, environment, parent);
    close_all(ends, 3);
    child->request = request[1];
    child->response = response[0];
    if (child->pid > 0) return MU_OK;
    mu_fail(err, MU_IO, "fork: %s", strerror(errno));
    close_all((int[]){child->request, child->response}, 2);
    return err->status;
}

/* Sends the request. A child that dies before it has read that leaves a broken pipe; its cause of death is reported
 * later. */
static int send_request(struct child *child, const json_t *request, struct mu_error *err)
{
    const bool sent = mu_child_write(child->request, request) >= 0 || errno == EPIPE;
    close(child->request);
    return sent ? MU_OK : mu_fail(err, MU_IO, "cannot send a request to a child process");
}

/* Waits for the child's next bytes, for at most a second. Returns true when there is something to read.
 *
 * The wait is taken off the time that is left, but never for longer than it was to last. A parent that was stopped
 * during the wait (SIGSTOP, a debugger, a laptop's lid) had no chance to read, so that time does not count. */
static bool await_response(const struct child *child, uint64_t *left_ns)
{
    struct pollfd poll_fd = {.fd = child->response, .events = POLLIN};
    const uint64_t slice_ns = *left_ns < SLICE_NS ? *left_ns : SLICE_NS, start = mu_now_ns();
    const int ready = poll(&poll_fd, 1, (int)((slice_ns + 999999) / 1000000));
    const uint64_t waited_ns = mu_now_ns() - start;
    *left_ns -= waited_ns < slice_ns ? waited_ns : slice_ns;
    return ready > 0;
}

/* The phases that a child names, and what a message says of them. */
static const struct mu_choice phases[] = {{"start", "starting"},
                                          {"load", "reading the input"},
                                          {"open", "opening the device"},
                                          {"build", "building kernels"},
                                          {"first", "compiling or running for the first time"},
                                          {"run", "running"},
                                          {"check", "checking a result"},
                                          {"test", "testing the device"},
                                          {NULL, NULL}};

/* Returns the row of the last phase that the child has named. */
static const struct mu_choice *last_phase(const struct child *child)
{
    const char *mark = child->text != NULL ? strrchr(child->text, MU_PHASE_MARK) : NULL;
    const struct mu_choice *phase = phases;
    if (mark == NULL) return phases;
    const size_t length = strcspn(mark + 1, "\n");
    while (phase->name != NULL && (strlen(phase->name) != length || strncmp(phase->name, mark + 1, length) != 0))
        phase++;
    return phase->name != NULL ? phase : phases;
}

/* Returns what follows the last line that is a phase or a part. */
static const char *answer_of(const struct child *child)
{
    const char *answer = child->text;
    while (answer != NULL && (*answer == MU_PHASE_MARK || *answer == MU_PART_MARK)) {
        const char *end = strchr(answer, '\n');
        answer = end != NULL ? end + 1 : "";
    }
    return answer;
}

/* Takes a part of so many bytes; none mean that the child has come to its parts. */
static int take_part(struct child *child, const char *text, size_t bytes, struct mu_error *err)
{
    if (child->parts.value == NULL && !child->parts.lost) child->parts = mu_json_array();
    if (bytes == 0) return MU_OK;
    json_t *part = json_loadb(text, bytes, 0, NULL);
    mu_json_append(&child->parts, part);
    if (child->parts.lost || child->taker == NULL) return MU_OK;
    return child->taker->take(child->taker->context, part, err);
}

/* Takes the parts whose lines have ended in what has come since the text had `from` bytes. */
static int take_parts(struct child *child, size_t from, struct mu_error *err)
{
    const char *end;
    while (err->status == MU_OK && (end = memchr(child->text + from, '\n', child->bytes - from)) != NULL) {
        const char *line = child->text + child->line;
        from = child->line = (size_t)(end + 1 - child->text);
        if (*line == MU_PART_MARK) take_part(child, line + 1, (size_t)(end - line - 1), err);
    }
    return err->status;
}

/* Adds the parts to the response, which is made where there is none. */
static void add_parts(struct child *child, json_t **response, struct mu_error *err)
{
    struct mu_error lost = {0};
    if (child->parts.value == NULL && !child->parts.lost) return;
    json_t *parts = mu_json_take(&child->parts, "the parts of a response", &lost);
    if (*response == NULL) *response = json_object();
    if (lost.status != MU_OK || json_object_set_new(*response, "parts", parts) != 0)
        mu_fail(err, MU_NO_MEMORY, "out of memory: the parts of a response");
}

static double seconds_in_phase(const struct child *child)
{
    return (double)(mu_now_ns() - child->phase_ns) * 1e-9;
}

/* Tells what the child does, once a phase takes long. */
static void tell_phase(struct child *child)
{
    const double seconds = seconds_in_phase(child);
    if (!child->told && seconds < TELL_AFTER_S) return;
    child->on_progress->tell(child->on_progress->context, last_phase(child)->purpose, seconds);
    child->told = true;
}

static void tell_end(const struct child *child)
{
    if (child->told) child->on_progress->tell(child->on_progress->context, NULL, 0);
}

/* Copies the step behind which the child's present execution is. Returns false if it is not known. A driver that
 * crashes may have written there, so only the characters of a step's name are accepted. */
static bool noted_step(const struct child *child, char step[sizeof child->place->step])
{
    memcpy(step, child->place->step, sizeof child->place->step);
    step[sizeof child->place->step - 1] = '\0';
    return child->place->launch != 0 && step[0] != '\0' && step[strspn(step, STEP_CHARACTERS)] == '\0';
}

/* Returns true if that execution is in a persistent kernel, of which the host knows no step. */
static bool is_persistent(const struct child *child)
{
    return child->place->launch != 0 && child->place->groups != 0 && child->place->step[0] == '\0';
}

/* Writes how a message about it continues. */
static const char *behind_step(const struct child *child, char text[BEHIND_BYTES])
{
    char step[sizeof child->place->step];
    const unsigned launch = child->place->launch, groups = child->place->groups;
    text[0] = '\0';
    if (noted_step(child, step))
        snprintf(text, BEHIND_BYTES, ", behind step %s (launch %u)", step, launch);
    else if (is_persistent(child))
        snprintf(text, BEHIND_BYTES, ", in one kernel of %u workgroups (launch %u)", groups, launch);
    return text;
}

/* Describes where a child was that has not answered, for its record. */
static json_t *describe_phase(const struct child *child)
{
    char step[sizeof child->place->step];
    struct mu_json unanswered = mu_json_object();
    mu_json_set_text(&unanswered, "phase", last_phase(child)->name);
    mu_json_set_real(&unanswered, "phase_s", seconds_in_phase(child));
    if (noted_step(child, step)) mu_json_set_text(&unanswered, "step", step);
    if (is_persistent(child)) mu_json_set_number(&unanswered, "launched_groups", child->place->groups);
    if (noted_step(child, step) || is_persistent(child))
        mu_json_set_number(&unanswered, "step_launch", child->place->launch);
    return mu_json_take(&unanswered, "a phase", NULL);
}

/* Notes the marks in bytes that the child has written. A phase begins, or a part has come, with a new deadline for the
 * next. */
static void note_marks(struct child *child, const char *bytes, size_t count, double deadline_s)
{
    if (memchr(bytes, MU_PHASE_MARK, count) != NULL) child->phase_ns = mu_now_ns();
    if (memchr(bytes, MU_PART_MARK, count) != NULL) child->left_ns = (uint64_t)(deadline_s * 1e9);
}

/* Reads what the child writes, until it closes its end, the deadline passes or a signal comes. When no time is left,
 * what is there is still read. */
static int read_response(struct child *child, double deadline_s, struct mu_error *err)
{
    size_t room = 0;
    char behind[BEHIND_BYTES];
    child->left_ns = (uint64_t)(deadline_s * 1e9);
    for (;;) {
        const bool last = child->left_ns == 0;
        const bool ready = await_response(child, &child->left_ns);
        if (mu_interrupted()) return mu_fail(err, MU_INTERRUPTED, "interrupted");
        /* What a driver has forked may hold the other end open. */
        if (!ready && mu_child_has_ended(child->pid)) return MU_OK;
        if (!ready && last)
            return mu_fail(err, MU_DEADLINE, "no answer within %g s: killed while %s, for %.1f s%s", deadline_s,
                           last_phase(child)->purpose, seconds_in_phase(child), behind_step(child, behind));
        if (!ready) {
            tell_phase(child);
            continue;
        }
        if (child->bytes > MOST_RESPONSE_BYTES)
            return mu_fail(err, MU_CRASH, "the child process wrote more than %zu bytes", MOST_RESPONSE_BYTES);
        if (child->bytes + 4096 > room) {
            room = 2 * room + 65536;
            if (mu_resize((void **)&child->text, room, 1, "a child's response", err) != MU_OK) return err->status;
        }
        const ssize_t got = read(child->response, child->text + child->bytes, room - child->bytes - 1);
        if (got < 0 && errno == EINTR) continue;
        const size_t more = got > 0 ? (size_t)got : 0;
        if (more != 0) note_marks(child, child->text + child->bytes, more, deadline_s);
        child->bytes += more;
        child->text[child->bytes] = '\0';
        if (more != 0 && take_parts(child, child->bytes - more, err) != MU_OK) return err->status;
        if (got <= 0) return MU_OK;
    }
}

/* Returns the status that a response, or the lack of one, stands for. */
static int judge_response(const json_t *response, const struct child *child, const struct mu_child_ending *ending,
                          struct mu_error *err)
{
    const char *outcome = json_string_value(json_object_get(response, "outcome"));
    const char *message = json_string_value(json_object_get(response, "message"));
    const int status = ending->status;
    char behind[BEHIND_BYTES];
    if (outcome != NULL && strcmp(outcome, "ok") == 0) return MU_OK;
    if (outcome != NULL) return mu_fail(err, mu_outcome_status(outcome), "%s", message != NULL ? message : outcome);
    if (ending->killed && mu_interrupted()) return mu_fail(err, MU_INTERRUPTED, "interrupted");
    if (ending->killed)
        return mu_fail(err, MU_DEADLINE, "the child process closed its end without an answer and went on: killed%s",
                       ending->stuck);
    if (WIFSIGNALED(status))
        return mu_fail(err, MU_CRASH, "the child process was killed by signal %d (%s) while %s, after %.1f s%s",
                       WTERMSIG(status), strsignal(WTERMSIG(status)), last_phase(child)->purpose,
                       seconds_in_phase(child), behind_step(child, behind));
    return mu_fail(err, MU_CRASH, "the child process ended with exit code %d and no answer while %s%s",
                   WEXITSTATUS(status), last_phase(child)->purpose, behind_step(child, behind));
}

/* Ends the child, and judges what it has answered. */
static void end_child(struct child *child, const struct mu_child_where *where, json_t **response, struct mu_error *err)
{
    const bool whole = err->status == MU_OK;
    const struct mu_child_ending ending = mu_child_end(child->pid, whole ? child->left_ns : 0, where);
    close(child->response);
    tell_end(child);
    if (whole) {
        *response = child->text != NULL ? json_loads(answer_of(child), 0, NULL) : NULL;
        judge_response(*response, child, &ending, err);
    } else {
        const size_t used = strlen(err->message);
        snprintf(err->message + used, sizeof err->message - used, "%s", ending.stuck);
    }
    if (*response == NULL && (err->status == MU_DEADLINE || err->status == MU_CRASH)) *response = describe_phase(child);
}

int mu_child_call(const json_t *request, const struct mu_child_environment *environment, double deadline_s,
                  json_t **response, struct mu_error *err)
{
    struct child child = {.phase_ns = mu_now_ns(),
                          .on_progress =
                              environment->on_progress != NULL ? environment->on_progress : &mu_progress_callback_line,
                          .taker = environment->taker};
    const struct mu_child_where where = mu_child_where(request, environment->icd);
    struct mu_children before;
    int place;
    *response = NULL;
    if (request == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory: a request to a child process");
    if (mu_child_refuse(&where, err) != MU_OK) return err->status;
    mu_children_adopt();
    mu_children_list(&before);
    child.place = open_place(&place, err);
    if (child.place == NULL) return err->status;
    if (start_child(environment, &child, place, err) == MU_OK) {
        if (send_request(&child, request, err) == MU_OK) read_response(&child, deadline_s, err);
        end_child(&child, &where, response, err);
        mu_children_sweep(&before);
        add_parts(&child, response, err);
    }
    munmap(child.place, sizeof *child.place);
    mu_free(child.text);
    return err->status;
}
