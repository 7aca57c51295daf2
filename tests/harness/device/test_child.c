/* harness/device/child: what a child tells, in which ways it ends, and that a deadline counts only the time in which
 * the parent ran. */
#include "harness/device/child.h"

#include "tests/beside.h"
#include "tests/harness/device/obedient_child.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

/* Whether no end of the next child is seen, as of one that the kernel cannot kill; and that child. */
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
        json_t *response = call(json_pack("{s:s, s:b, s:i, s:i}", "write", children[i].written, "dies",
                                          children[i].dies, "times", children[i].times, "ms", children[i].ms),
                                &usual, DEADLINE_S, &err);
        const json_t *parts = json_object_get(response, "parts");
        CHECK(err.status == children[i].status, "%zu: %s", i, mu_status_text(err.status));
        CHECK(children[i].parts < 0 ? parts == NULL : json_array_size(parts) == (size_t)children[i].parts,
              "with %zu parts", json_array_size(parts));
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
    if (taken->count == 0) taken->first_s = seconds_since(taken->start_ns);
    taken->in_order = taken->in_order && mu_json_number(part, "part") == taken->count;
    if (taken->count == taken->most) return mu_fail(err, MU_IO, "no room");
    taken->count++;
    return MU_OK;
}

/* A child that sends four parts, 0.7 s apart. */
static json_t *listen_to_parts(struct taken *taken, struct mu_error *err)
{
    const struct mu_taker taker = {take, taken};
    taken->in_order = true;
    taken->start_ns = mu_now_ns();
    return call(json_pack("{s:i}", "times", 4), &(struct mu_child_environment){.taker = &taker}, DEADLINE_S, err);
}

static void test_taken(void)
{
    struct mu_error err = {0};
    struct taken taken = {.most = 4};
    json_t *response = listen_to_parts(&taken, &err);
    const double whole_s = seconds_since(taken.start_ns);
    CHECK(err.status == MU_OK && taken.count == 4 && taken.in_order, "each part is handed over: %zu", taken.count);
    CHECK(taken.first_s < whole_s - 1, "the first after %.2f s, while the child takes %.2f s", taken.first_s, whole_s);
    CHECK(json_array_size(json_object_get(response, "parts")) == 4, "and the response has all");
    json_decref(response);
    taken = (struct taken){.most = 1};
    response = listen_to_parts(&taken, &err);
    CHECK(err.status == MU_IO && strcmp(err.message, "no room") == 0, "who cannot take one ends the call: %s",
          err.message);
    CHECK(seconds_since(taken.start_ns) < whole_s - 1, "at once");
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
        json_t *response =
            call(json_pack("{s:s, s:b, s:i}", "write", children[i].written, "dies", children[i].dies, "ms", 60000),
                 &usual, DEADLINE_S, &err);
        const double seconds = json_number_value(json_object_get(response, "phase_s"));
        CHECK(err.status == (children[i].dies ? MU_CRASH : MU_DEADLINE) &&
                  strstr(err.message, children[i].said) != NULL,
              "a message says the phase: %s", err.message);
        CHECK(strcmp(mu_json_text(response, "phase"), children[i].phase) == 0, "the record, too: %s",
              children[i].phase);
        CHECK(children[i].dies ? seconds >= 0 && seconds < DEADLINE_S
                               : seconds > DEADLINE_S / 2 && seconds < 3 * DEADLINE_S,
              "and for how long: %.2f s", seconds);
        json_decref(response);
    }
    struct mu_error err = {0};
    json_t *response = call(json_pack("{s:s}", "write", "\036load\n"), &usual, DEADLINE_S, &err);
    CHECK(err.status == MU_OK && strcmp(mu_json_text(response, "outcome"), "ok") == 0 &&
              json_object_get(response, "phase") == NULL,
          "an answer behind a phase is an answer");
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
        json_t *response = call(json_pack("{s:s, s:s, s:b, s:b, s:i}", "write", "\036run\n", "step", children[i].step,
                                          "leaves", children[i].leaves, "dies", children[i].dies, "ms", 60000),
                                &usual, DEADLINE_S, &err);
        const char *step = json_string_value(json_object_get(response, "step"));
        CHECK((step != NULL) == children[i].known &&
                  (strstr(err.message, ", behind step ") != NULL) == children[i].known,
              "%s is %s: %s", children[i].step, children[i].known ? "told" : "not told", err.message);
        if (step != NULL)
            CHECK(strncmp(step, children[i].step, strlen(step)) == 0 && strlen(step) >= 5 &&
                      strstr(err.message, " (launch 7)") != NULL &&
                      json_integer_value(json_object_get(response, "step_launch")) == 7,
                  "step and launch stand in the record, too: %s", step);
        json_decref(response);
    }
}

/* A child that ends in a persistent kernel, whose steps nobody knows. */
static void test_persistent(void)
{
    struct mu_error err = {0};
    json_t *response =
        call(json_pack("{s:s, s:s, s:i, s:b}", "write", "\036run\n", "step", "", "groups", 264, "dies", true), &usual,
             DEADLINE_S, &err);
    CHECK(strstr(err.message, ", in one kernel of 264 workgroups (launch 7)") != NULL, "a persistent kernel: %s",
          err.message);
    CHECK(json_object_get(response, "step") == NULL &&
              json_integer_value(json_object_get(response, "launched_groups")) == 264 &&
              json_integer_value(json_object_get(response, "step_launch")) == 7,
          "workgroups and launch stand in the record, too");
    json_decref(response);
}

/* What the progress callback was told. */
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
    json_decref(call(json_pack("{s:s, s:i, s:b}", "write", "\036load\n\036build\n", "ms", ms, "dies", dies),
                     &(struct mu_child_environment){.on_progress = &on_progress}, 60, &err));
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

/* The status of a call by a process that is stopped for longer than the deadline while its child works. */
static int call_stopped(int ms)
{
    int status = 0;
    fflush(stdout);
    const pid_t parent = fork();
    if (parent == 0) {
        struct mu_error err = {0};
        status_of(ms, &err);
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
    CHECK(status_of(0, &err) == MU_OK, "an answer at once %s", err.message);
    const uint64_t start = mu_now_ns();
    CHECK(status_of(60000, &err) == MU_DEADLINE, "an answer that is late: %s", err.message);
    const double waited_s = seconds_since(start);
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
    json_decref(call(json_pack("{s:i}", "blocks", 40 * 256), &usual, 60, &err));
    CHECK(err.status == MU_CRASH && strstr(err.message, "wrote more than") != NULL, "a response has a bound: %s",
          err.message);
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
        json_decref(call(json_pack("{s:i, s:s}", "ms", 60000, "tell", path), &usual, 60, &err));
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
    json_decref(call(json_pack("{s:b}", "endless", true), &usual, DEADLINE_S, &err));
    CHECK(err.status == MU_CRASH || err.status == MU_DEADLINE, "a child that writes for ever comes to an end: %s",
          err.message);
}

/* A child that closes its end and goes on has the deadline, as any. */
static void test_closed(void)
{
    struct mu_error err = {0};
    const uint64_t start = mu_now_ns();
    json_decref(call(json_pack("{s:b}", "closes", true), &usual, 1, &err));
    CHECK(err.status == MU_DEADLINE && seconds_since(start) < 30,
          "a child that closes its end and goes on is killed: %s", err.message);
}

/* What a driver forks, and what leaves the process group, ends with the child; the answer does not wait for it. */
static void test_left_behind(void)
{
    struct mu_error err = {0};
    const pid_t own = leave_behind();
    json_t *response = call(json_pack("{s:b}", "forks", true), &usual, 60, &err);
    const pid_t left = (pid_t)json_integer_value(json_object_get(response, "pid"));
    CHECK(err.status == MU_OK && left > 0, "a child that leaves a process behind has answered: %s", err.message);
    CHECK(kill(left, 0) != 0 && errno == ESRCH, "process %d, which left the group, has ended", (int)left);
    CHECK(kill(own, 0) == 0, "a process that was there before goes on");
    kill(own, SIGKILL);
    waitpid(own, NULL, 0);
    json_decref(response);
}

/* A call whose child is never seen to end; how long it took. */
static double call_stuck(const char *icd, int platform, int device, struct mu_error *err)
{
    const uint64_t start = mu_now_ns();
    json_t *response = call(
        json_pack("{s:i, s:{s:i, s:i}}", "ms", 60000, "device", "platform_index", platform, "device_index", device),
        &(struct mu_child_environment){.icd = icd}, 0.5, err);
    json_decref(response);
    return seconds_since(start);
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

int main(int argc, char **argv)
{
    static void (*const tests[])(void) = {test_phases,      test_step,  test_persistent,  test_parts,
                                          test_taken,       test_told,  test_deadline,    test_stopped,
                                          test_endless,     test_long,  test_orphan,      test_closed,
                                          test_left_behind, test_stuck, test_stuck_signal};
    if (argc > 1 && strcmp(argv[1], MU_CHILD_ARGUMENT) == 0) return serve();
    return beside_run(tests, sizeof tests / sizeof tests[0]);
}
