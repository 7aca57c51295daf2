/* harness/device/child: a deadline counts the time in which the parent ran. This program is its own child: it answers
 * after the milliseconds that the request names, or writes without end. */
#include "harness/device/child.h"

#include "tests/tap.h"
#include "variants/launch/opencl.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEADLINE_S 2.0

/* Of the next child no end is seen, as of one that the kernel cannot kill; and that child. */
static bool next_never_ends;
static pid_t never_ends;

/* The C library's, but for that. */
pid_t waitpid(pid_t pid, int *status, int options)
{
    if (next_never_ends) never_ends = pid;
    next_never_ends = false;
    while (pid == never_ends && (options & WNOHANG) == 0) pause();
    return pid == never_ends ? 0 : wait4(pid, status, options, NULL);
}

/* A process that has left its parent's group, and goes on when the parent has ended; it holds all that is open. */
static pid_t leave_behind(void)
{
    const pid_t pid = fork();
    if (pid != 0) return pid;
    setsid();
    for (;;) pause();
}

/* The child's side. */
static int serve(void)
{
    static char spaces[4096];
    json_t *request = json_loadf(stdin, 0, NULL);
    const json_int_t ms = json_integer_value(json_object_get(request, "ms"));
    const bool endless = json_is_true(json_object_get(request, "endless"));
    const char *written = json_string_value(json_object_get(request, "write"));
    const json_int_t times = json_integer_value(json_object_get(request, "times"));
    for (json_int_t i = 0; i < times; i++)
        if (usleep(700000) != 0 || dprintf(3, "\035{\"part\":%d}\n", (int)i) < 0) return 1;
    if (written != NULL && write(3, written, strlen(written)) < 0) return 1;
    const char *step = json_string_value(json_object_get(request, "step"));
    if (step != NULL) {
        void *shared = mmap(NULL, sizeof(struct mu_place), PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
        if (shared == MAP_FAILED) return 1;
        memset(shared, 0, sizeof(struct mu_place));
        const json_int_t groups = json_integer_value(json_object_get(request, "groups"));
        if (groups != 0)
            mu_place_note_persistent(shared, 7, (uint32_t)groups);
        else
            mu_place_note(shared, 7, step);
        if (json_is_true(json_object_get(request, "leaves"))) mu_place_leave(shared);
    }
    if (json_is_true(json_object_get(request, "dies"))) abort();
    if (json_is_true(json_object_get(request, "closes"))) {
        close(3);
        for (;;) pause();
    }
    if (json_is_true(json_object_get(request, "forks")))
        return dprintf(3, "{\"outcome\":\"ok\",\"pid\":%d}", (int)leave_behind()) > 0 ? 0 : 1;
    memset(spaces, ' ', sizeof spaces);
    const json_int_t blocks = json_integer_value(json_object_get(request, "blocks"));
    const char *tell = json_string_value(json_object_get(request, "tell"));
    FILE *told = tell != NULL ? fopen(tell, "w") : NULL;
    if (told != NULL) fprintf(told, "%d\n", (int)getpid());
    if (told != NULL) fclose(told);
    while (endless && write(3, spaces, sizeof spaces) > 0) continue;
    for (json_int_t i = 0; i < blocks; i++)
        if (write(3, spaces, sizeof spaces) < 0) return 1;
    usleep((useconds_t)ms * 1000);
    return dprintf(3, "{\"outcome\":\"ok\"}") > 0 ? 0 : 1;
}

/* A child that answers in parts: those before its end are there, whatever the end is, and each has a deadline. */
static void test_parts(void)
{
    static const struct {
        const char *written;
        bool dies;
        int times, ms, status, parts;
    } children[] = {{"", false, 4, 0, MU_OK, 4},
                    {"\035\n", true, 0, 0, MU_CRASH, 0},
                    {"\036run\n\035{\"part\":0}\n\036run\n\035{\"par", true, 0, 0, MU_CRASH, 1},
                    {"\035{}\n\035{}\n", false, 0, 60000, MU_DEADLINE, 2},
                    {"\036load\n", true, 0, 0, MU_CRASH, -1}};
    for (size_t i = 0; i < sizeof children / sizeof children[0]; i++) {
        struct mu_error err = {0};
        json_t *response = NULL;
        json_t *request = json_pack("{s:s, s:b, s:i, s:i}", "write", children[i].written, "dies", children[i].dies,
                                    "times", children[i].times, "ms", children[i].ms);
        mu_child_call(request, &(struct mu_child_environment){0}, DEADLINE_S, &response, &err);
        const json_t *parts = json_object_get(response, "parts");
        CHECK(err.status == children[i].status, "%zu: %s", i, mu_status_text(err.status));
        CHECK(children[i].parts < 0 ? parts == NULL : json_array_size(parts) == (size_t)children[i].parts,
              "with %zu parts", json_array_size(parts));
        json_decref(request);
        json_decref(response);
    }
}

/* What a taker got, and how long after the call began the first came. */
struct taken {
    size_t count, most; /* the taker refuses what comes behind the most */
    uint64_t start_ns;
    double first_s;
    bool in_order;
};

static int take(void *context, const json_t *part, struct mu_error *err)
{
    struct taken *taken = context;
    if (taken->count == 0) taken->first_s = (double)(mu_now_ns() - taken->start_ns) * 1e-9;
    taken->in_order = taken->in_order && mu_json_number(part, "part") == taken->count;
    if (taken->count == taken->most) return mu_fail(err, MU_IO, "no room");
    taken->count++;
    return MU_OK;
}

/* A child that sends four parts, 0.7 s apart. */
static json_t *listen_to_parts(struct taken *taken, struct mu_error *err)
{
    const struct mu_taker taker = {take, taken};
    json_t *response = NULL;
    json_t *request = json_pack("{s:i, s:i}", "times", 4, "ms", 0);
    taken->in_order = true;
    taken->start_ns = mu_now_ns();
    mu_child_call(request, &(struct mu_child_environment){.taker = &taker}, DEADLINE_S, &response, err);
    json_decref(request);
    return response;
}

static void test_taken(void)
{
    struct mu_error err = {0};
    struct taken taken = {.most = 4};
    json_t *response = listen_to_parts(&taken, &err);
    const double whole_s = (double)(mu_now_ns() - taken.start_ns) * 1e-9;
    CHECK(err.status == MU_OK && taken.count == 4 && taken.in_order, "each part is handed over: %zu", taken.count);
    CHECK(taken.first_s < whole_s - 1, "the first after %.2f s, while the child takes %.2f s", taken.first_s, whole_s);
    CHECK(json_array_size(json_object_get(response, "parts")) == 4, "and the response has all");
    json_decref(response);
    taken = (struct taken){.most = 1};
    response = listen_to_parts(&taken, &err);
    CHECK(err.status == MU_IO && strcmp(err.message, "no room") == 0, "who cannot take one ends the call: %s",
          err.message);
    CHECK((double)(mu_now_ns() - taken.start_ns) * 1e-9 < whole_s - 1, "at once");
    json_decref(response);
}

/* A child that says what it does and then dies, or says no more. */
static void test_phases(void)
{
    static const struct {
        const char *written, *phase, *said;
        bool dies;
    } children[] = {{"\036load\n\036build\n", "build", "while building kernels", true},
                    {"\036run\n", "run", "while running", false},
                    {"", "start", "while starting", true},
                    {"\036nonsense\n", "start", "while starting", true},
                    {"\036check", "check", "while checking a result", true}};
    for (size_t i = 0; i < sizeof children / sizeof children[0]; i++) {
        struct mu_error err = {0};
        json_t *response = NULL;
        json_t *request =
            json_pack("{s:s, s:b, s:i}", "write", children[i].written, "dies", children[i].dies, "ms", 60000);
        mu_child_call(request, &(struct mu_child_environment){0}, DEADLINE_S, &response, &err);
        const double seconds = json_number_value(json_object_get(response, "phase_s"));
        CHECK(err.status == (children[i].dies ? MU_CRASH : MU_DEADLINE) &&
                  strstr(err.message, children[i].said) != NULL,
              "a message says the phase: %s", err.message);
        CHECK(strcmp(mu_json_text(response, "phase"), children[i].phase) == 0, "the record, too: %s",
              children[i].phase);
        CHECK(children[i].dies ? seconds >= 0 && seconds < DEADLINE_S
                               : seconds > DEADLINE_S / 2 && seconds < 3 * DEADLINE_S,
              "and for how long: %.2f s", seconds);
        json_decref(request);
        json_decref(response);
    }
    struct mu_error err = {0};
    json_t *response = NULL;
    json_t *request = json_pack("{s:s, s:i}", "write", "\036load\n", "ms", 0);
    CHECK(mu_child_call(request, &(struct mu_child_environment){0}, DEADLINE_S, &response, &err) == MU_OK &&
              strcmp(mu_json_text(response, "outcome"), "ok") == 0 && json_object_get(response, "phase") == NULL,
          "an answer behind a phase is an answer");
    json_decref(request);
    json_decref(response);
}

/* A child that notes a launch and dies, within its execution or behind it; and one whose memory has gone wild. */
static void test_step(void)
{
    static const struct {
        const char *step;
        bool leaves, dies, known;
    } children[] = {
        {"relax", false, true, true},
        {"relax", false, false, true},
        {"relax", true, true, false},
        {"no \001 step", false, true, false},
        {"a_name_that_is_longer_than_there_is_room_for_it_in_the_memory_that_is_shared", false, true, true}};
    for (size_t i = 0; i < sizeof children / sizeof children[0]; i++) {
        struct mu_error err = {0};
        json_t *response = NULL;
        json_t *request = json_pack("{s:s, s:s, s:b, s:b, s:i}", "write", "\036run\n", "step", children[i].step,
                                    "leaves", children[i].leaves, "dies", children[i].dies, "ms", 60000);
        mu_child_call(request, &(struct mu_child_environment){0}, DEADLINE_S, &response, &err);
        const char *step = json_string_value(json_object_get(response, "step"));
        CHECK((step != NULL) == children[i].known &&
                  (strstr(err.message, ", behind step ") != NULL) == children[i].known,
              "%s is %s: %s", children[i].step, children[i].known ? "told" : "not told", err.message);
        if (step != NULL)
            CHECK(strncmp(step, children[i].step, strlen(step)) == 0 && strlen(step) >= 5 &&
                      strstr(err.message, " (launch 7)") != NULL &&
                      json_integer_value(json_object_get(response, "step_launch")) == 7,
                  "step and launch stand in the record, too: %s", step);
        json_decref(request);
        json_decref(response);
    }
}

/* A child that ends in a persistent kernel, whose steps nobody knows. */
static void test_persistent(void)
{
    struct mu_error err = {0};
    json_t *response = NULL;
    json_t *request = json_pack("{s:s, s:s, s:i, s:b}", "write", "\036run\n", "step", "", "groups", 264, "dies", true);
    mu_child_call(request, &(struct mu_child_environment){0}, DEADLINE_S, &response, &err);
    CHECK(strstr(err.message, ", in one kernel of 264 workgroups (launch 7)") != NULL, "a persistent kernel: %s",
          err.message);
    CHECK(json_object_get(response, "step") == NULL &&
              json_integer_value(json_object_get(response, "launched_groups")) == 264 &&
              json_integer_value(json_object_get(response, "step_launch")) == 7,
          "workgroups and launch stand in the record, too");
    json_decref(request);
    json_decref(response);
}

/* What a on_progress was told. */
struct told {
    int count, ends;
    char doing[64];
    double seconds;
};

static void note(void *context, const char *doing, double seconds)
{
    struct told *told = context;
    told->count += doing != NULL;
    told->ends += doing == NULL;
    if (doing == NULL) return;
    snprintf(told->doing, sizeof told->doing, "%s", doing);
    told->seconds = seconds;
}

/* A child that builds for so long. */
static struct told listen(int ms, bool dies)
{
    struct told told = {0};
    const struct mu_progress_callback on_progress = {note, &told};
    struct mu_error err = {0};
    json_t *response = NULL;
    json_t *request = json_pack("{s:s, s:i, s:b}", "write", "\036load\n\036build\n", "ms", ms, "dies", dies);
    mu_child_call(request, &(struct mu_child_environment){.on_progress = &on_progress}, 60, &response, &err);
    json_decref(request);
    json_decref(response);
    return told;
}

static void test_told(void)
{
    struct told told = listen(4200, false);
    CHECK(told.count >= 1 && told.count <= 4 && strcmp(told.doing, "building kernels") == 0 && told.seconds >= 2 &&
              told.seconds < 60,
          "what takes long is told: %s, %.1f s, %d times", told.doing, told.seconds, told.count);
    CHECK(told.ends == 1, "and that it has ended");
    told = listen(0, false);
    CHECK(told.count == 0 && told.ends == 0, "nothing is told of what takes no time");
    told = listen(0, true);
    CHECK(told.count == 0 && told.ends == 0, "nor of a child that dies soon");
}

static int call(int ms, bool endless, struct mu_error *err)
{
    json_t *response = NULL;
    json_t *request = json_pack("{s:i, s:b}", "ms", ms, "endless", endless);
    mu_child_call(request, &(struct mu_child_environment){0}, DEADLINE_S, &response, err);
    json_decref(request);
    json_decref(response);
    return err->status;
}

/* The status of a call by a process that is stopped for longer than the deadline while its child works. */
static int call_stopped(int ms)
{
    int status = 0;
    fflush(stdout);
    const pid_t parent = fork();
    if (parent == 0) {
        struct mu_error err = {0};
        call(ms, false, &err);
        _exit(-err.status);
    }
    usleep(300000);
    kill(parent, SIGSTOP);
    usleep((useconds_t)((DEADLINE_S + 0.5) * 1e6));
    kill(parent, SIGCONT);
    waitpid(parent, &status, 0);
    return WIFEXITED(status) ? -WEXITSTATUS(status) : MU_CRASH;
}

static void test_deadline(void)
{
    struct mu_error err = {0};
    CHECK(call(0, false, &err) == MU_OK, "an answer at once %s", err.message);
    const uint64_t start = mu_now_ns();
    CHECK(call(60000, false, &err) == MU_DEADLINE, "an answer that is late: %s", err.message);
    const double waited_s = (double)(mu_now_ns() - start) * 1e-9;
    CHECK(waited_s >= DEADLINE_S && waited_s < 3 * DEADLINE_S, "is awaited for the deadline: %.2f s", waited_s);
}

static void test_stopped(void)
{
    CHECK(call_stopped(600) == MU_OK, "a parent that is stopped for longer than the deadline reads its child's answer");
    CHECK(call_stopped((int)(DEADLINE_S * 1000) + 800) == MU_OK, "also an answer that comes after it was woken up");
}

/* A child that answers behind more than a response may have. */
static void test_long(void)
{
    struct mu_error err = {0};
    json_t *response = NULL;
    json_t *request = json_pack("{s:i}", "blocks", 40 * 256);
    mu_child_call(request, &(struct mu_child_environment){0}, 60, &response, &err);
    CHECK(err.status == MU_CRASH && strstr(err.message, "wrote more than") != NULL, "a response has a bound: %s",
          err.message);
    json_decref(request);
    json_decref(response);
}

/* Whether a process is there, and is more than what is left of one. */
static bool is_alive(int pid)
{
    char path[64], state = 'X';
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    const bool read = file != NULL && fscanf(file, "%*d (%*[^)]) %c", &state) == 1;
    if (file != NULL) fclose(file);
    return read && state != 'Z' && state != 'X';
}

/* A child ends with a parent that is killed. */
static void test_orphan(void)
{
    char path[] = "/tmp/muster-child-XXXXXX";
    const int file = mkstemp(path);
    int pid = 0;
    if (file < 0) return;
    close(file);
    const pid_t parent = fork();
    if (parent == 0) {
        struct mu_error err = {0};
        json_t *response = NULL;
        json_t *request = json_pack("{s:i, s:s}", "ms", 60000, "tell", path);
        mu_child_call(request, &(struct mu_child_environment){0}, 60, &response, &err);
        _exit(0);
    }
    for (int i = 0; i < 1000 && pid == 0; i++) {
        FILE *told = fopen(path, "r");
        if (told == NULL || fscanf(told, "%d", &pid) != 1) pid = 0;
        if (told != NULL) fclose(told);
        usleep(20000);
    }
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    for (int i = 0; i < 100 && is_alive(pid); i++) usleep(20000);
    CHECK(pid != 0 && !is_alive(pid), "a child ends with a parent that is killed");
    if (pid != 0) kill(pid, SIGKILL);
    unlink(path);
}

static void test_endless(void)
{
    struct mu_error err = {0};
    const int status = call(0, true, &err);
    CHECK(status == MU_CRASH || status == MU_DEADLINE, "a child that writes for ever comes to an end: %s", err.message);
}

/* A child that closes its end and goes on has the deadline, as any. */
static void test_closed(void)
{
    struct mu_error err = {0};
    json_t *response = NULL;
    json_t *request = json_pack("{s:b}", "closes", true);
    const uint64_t start = mu_now_ns();
    mu_child_call(request, &(struct mu_child_environment){0}, 1, &response, &err);
    CHECK(err.status == MU_DEADLINE && mu_now_ns() - start < UINT64_C(30000000000),
          "a child that closes its end and goes on is killed: %s", err.message);
    json_decref(request);
    json_decref(response);
}

/* What a driver forks, and what leaves the process group, ends with the child; the answer does not wait for it. */
static void test_left_behind(void)
{
    struct mu_error err = {0};
    json_t *response = NULL;
    const pid_t own = leave_behind();
    json_t *request = json_pack("{s:b}", "forks", true);
    mu_child_call(request, &(struct mu_child_environment){0}, 60, &response, &err);
    const pid_t left = (pid_t)json_integer_value(json_object_get(response, "pid"));
    CHECK(err.status == MU_OK && left > 0, "a child that leaves a process behind has answered: %s", err.message);
    CHECK(kill(left, 0) != 0 && errno == ESRCH, "process %d, which left the group, has ended", (int)left);
    CHECK(kill(own, 0) == 0, "a process that was there before goes on");
    kill(own, SIGKILL);
    waitpid(own, NULL, 0);
    json_decref(request);
    json_decref(response);
}

/* A call whose child is never seen to end; how long it took. */
static double call_stuck(const char *icd, int platform, int device, struct mu_error *err)
{
    json_t *response = NULL;
    json_t *request =
        json_pack("{s:i, s:{s:i, s:i}}", "ms", 60000, "device", "platform_index", platform, "device_index", device);
    const uint64_t start = mu_now_ns();
    *err = (struct mu_error){0};
    mu_child_call(request, &(struct mu_child_environment){.icd = icd}, 0.5, &response, err);
    json_decref(request);
    json_decref(response);
    return (double)(mu_now_ns() - start) * 1e-9;
}

static void test_stuck(void)
{
    struct mu_error err = {0};
    int pid = 0;
    next_never_ends = true;
    const double waited_s = call_stuck("", 0, 0, &err);
    const char *named = strstr(err.message, "; process ");
    CHECK(err.status == MU_DEADLINE && named != NULL && sscanf(named, "; process %d cannot be killed", &pid) == 1 &&
              pid == never_ends,
          "a process that cannot be killed is named: %s", err.message);
    CHECK(waited_s < 30, "and not awaited for ever: %.1f s", waited_s);
    CHECK(call_stuck("", 0, 0, &err) < 0.5 && err.status == MU_DEVICE &&
              strstr(err.message, "cannot be killed") != NULL,
          "nothing more is started on its device: %s", err.message);
    CHECK(call_stuck("", 0, 1, &err) >= 0.5 && err.status == MU_DEADLINE, "another device is not concerned");
    CHECK(call_stuck("", 1, 0, &err) >= 0.5 && err.status == MU_DEADLINE, "nor the first of another platform");
    CHECK(call_stuck("/another.icd", 0, 0, &err) >= 0.5 && err.status == MU_DEADLINE, "nor another driver's");
    never_ends = 0;
    CHECK(call_stuck("", 0, 0, &err) >= 0.5 && err.status == MU_DEADLINE,
          "once it has ended, the device is used again");
}

/* A signal ends the waiting for such a process, too. */
static void test_stuck_signal(void)
{
    struct mu_error err = {0};
    next_never_ends = true;
    mu_child_catch_signals();
    const pid_t parent = getpid();
    if (fork() == 0) {
        usleep(900000);
        kill(parent, SIGTERM);
        _exit(0);
    }
    const double waited_s = call_stuck("", 0, 0, &err);
    CHECK(waited_s < 4.5, "a signal ends the waiting for what cannot be killed: %.1f s, %s", waited_s, err.message);
    CHECK(mu_interrupted(), "and is known of");
}

/* ---- Tests that wait, side by side ---- */

static void (*const tests[])(void) = {test_phases, test_step,     test_persistent,  test_parts,   test_taken,
                                      test_told,   test_deadline, test_stopped,     test_endless, test_long,
                                      test_orphan, test_closed,   test_left_behind, test_stuck,   test_stuck_signal};
enum { TESTS = sizeof tests / sizeof tests[0] };

struct beside {
    pid_t process;
    FILE *lines; /* what it writes */
};

/* Runs the test in a process of its own. */
static bool begin(void (*test)(void), struct beside *beside)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0) return false;
    beside->process = fork();
    if (beside->process == 0) {
        close(ends[0]);
        if (dup2(ends[1], STDOUT_FILENO) < 0) exit(99);
        close(ends[1]);
        test();
        exit(0);
    }
    close(ends[1]);
    beside->lines = fdopen(ends[0], "r");
    return beside->process > 0 && beside->lines != NULL;
}

/* Its lines, with numbers that go on from those before. */
static void end(struct beside *beside)
{
    char line[1024];
    int status = 0;
    while (fgets(line, sizeof line, beside->lines) != NULL) {
        const char *title = strstr(line, " - ");
        const bool passed = strncmp(line, "ok ", 3) == 0, failed = strncmp(line, "not ok ", 7) == 0;
        tap_failures += failed;
        if ((passed || failed) && title != NULL)
            printf("%sok %d%s", failed ? "not " : "", ++tap_count, title);
        else
            fputs(line, stdout);
    }
    fclose(beside->lines);
    if (waitpid(beside->process, &status, 0) != beside->process || status != 0)
        CHECK(false, "a test ended with status %d", status);
}

int main(int argc, char **argv)
{
    struct beside all[TESTS];
    if (argc > 1 && strcmp(argv[1], MU_CHILD_ARGUMENT) == 0) return serve();
    for (size_t i = 0; i < TESTS; i++)
        if (!begin(tests[i], &all[i])) {
            puts("Bail out! no process for a test");
            return 99;
        }
    for (size_t i = 0; i < TESTS; i++) end(&all[i]);
    return tap_done();
}
