/* harness/probe/lab: teams, verdicts and refusals, on PoCL with two workers. */
#include "harness/device/launch_defaults.h"
#include "harness/probe/lab.h"
#include "harness/probe/probe.h"

#include "tests/on_device.h"
#include "tests/tap.h"

#include <dirent.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define WORKERS 2
#define ROUNDS  5
#define POLLS   (1u << 26) /* until a deadlock is told: a tenth of a second or two */
#define PATIENT (1u << 31) /* where none is expected: a worker may have to wait for its core for long */

#define TIMED_ROUNDS 500
#define ROUND_NS     1000
#define PATIENCE_NS  UINT64_C(30000000000)

/* Workers that wait give their cores away, if this processor's kernels know how: beside other tests a wait without that
 * lasts until the system takes the core. */
static struct mu_lab_spec spec_of(const struct on_device *device, enum mu_variant join)
{
    return (struct mu_lab_spec){.join = join,
                                .rollcall = MU_ROLLCALL_ATOMIC,
                                .barrier = MU_BARRIER_COUNTER,
                                .atomics = device->info.atomics,
                                .yield = CPU_YIELD,
                                .yield_polls = MU_YIELD_POLLS_DEFAULT,
                                .workgroup = 16,
                                .spin_limit = PATIENT,
                                .cache = true};
}

static void test_specialised(const struct on_device *device)
{
    struct mu_lab_spec spec = spec_of(device, MU_SPECIALISED);
    const struct mu_lab_run fits = {.groups = WORKERS, .rounds = ROUNDS};
    const struct mu_lab_run too_many = {.groups = WORKERS + 1, .rounds = ROUNDS};
    struct mu_error err = {0};
    struct mu_lab_result result = {0};
    struct mu_lab *lab = NULL;
    spec.spin_limit = POLLS;
    if (!CHECK(mu_lab_open(&device->target, &device->info, &spec, &lab, &err) == MU_OK, "open, specialised: %s",
               err.message))
        return;
    for (int repeat = 0; repeat < 2; repeat++) {
        const int status = mu_lab_run(lab, &fits, &result, &err);
        CHECK(status == MU_OK && result.verdict == MU_LAB_COMPLETED && result.team == WORKERS &&
                  result.crossed == ROUNDS && result.host_ns > 0 && result.report[0] == '\0',
              "%d groups cross %d barriers: team %u, %u crossed %s%s", WORKERS, ROUNDS, result.team, result.crossed,
              err.message, result.report);
        if (repeat == 1) break;
        const int deadlock = mu_lab_run(lab, &too_many, &result, &err);
        CHECK(deadlock == MU_OK && result.verdict == MU_LAB_DEADLOCKED &&
                  strstr(result.report, "waited at barrier 1, where ") != NULL &&
                  strstr(result.report, "of 3 workgroups had arrived (3 launched, 67108864 polls)") != NULL,
              "one group more deadlocks: %s%s", result.report, err.message);
    }
    mu_lab_close(lab);
}

/* The processor time that this process has had, and how long its threads were ready and had no core, in seconds. */
static void ask_system(double *had_s, double *waited_s)
{
    struct timespec had = {0};
    struct dirent *entry;
    DIR *threads = opendir("/proc/self/task");
    *waited_s = 0;
    while (threads != NULL && (entry = readdir(threads)) != NULL) {
        char path[300], line[96], *behind_ran = NULL;
        snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", entry->d_name);
        FILE *file = fopen(path, "re");
        /* Nanoseconds that the thread ran, and those that it waited. */
        if (file != NULL && fgets(line, sizeof line, file) != NULL && strtod(line, &behind_ran) >= 0)
            *waited_s += strtod(behind_ran, NULL) * 1e-9;
        if (file != NULL) fclose(file);
    }
    if (threads != NULL) closedir(threads);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &had);
    *had_s = (double)had.tv_sec + (double)had.tv_nsec * 1e-9;
}

/* Whether strangers kept the cores from this process in these seconds: its threads were ready for most of the time, and
 * had less than half of one core. Two of them on one core, which is ours to avoid, have a whole one. */
static bool is_starved(double seconds, double had_before_s, double waited_before_s)
{
    double had_s, waited_s;
    ask_system(&had_s, &waited_s);
    printf("# %.1f s of the processor in %.1f s, %.1f s ready without a core\n", had_s - had_before_s, seconds,
           waited_s - waited_before_s);
    return had_s - had_before_s < seconds / 2 && waited_s - waited_before_s > seconds / 2;
}

/* What a round of a barrier costs between workers that have cores of their own: that of the quickest of many launches,
 * so that a busy machine needs to leave them alone for half a millisecond only, once in PATIENCE_NS. They yield late:
 * on a busy machine a worker that has given its core away gets it back milliseconds later. */
static void test_cost(const struct on_device *device)
{
    const struct mu_lab_run run = {.groups = WORKERS, .rounds = TIMED_ROUNDS};
    struct mu_lab_spec spec = spec_of(device, MU_SPECIALISED);
    struct mu_error err = {0};
    struct mu_lab_result result = {0};
    struct mu_lab *lab = NULL;
    double best_ns = 1e9, had_s, waited_s;
    if (sysconf(_SC_NPROCESSORS_ONLN) < WORKERS) {
        tap_skip("what a barrier costs", "there are fewer processors than workers");
        return;
    }
    spec.workgroup = mu_default_workgroup(&device->info);
    spec.yield_polls = MU_YIELD_MOST;
    const uint64_t start = mu_now_ns();
    ask_system(&had_s, &waited_s);
    mu_lab_open(&device->target, &device->info, &spec, &lab, &err);
    while (err.status == MU_OK && best_ns >= ROUND_NS && mu_now_ns() - start < PATIENCE_NS)
        if (mu_lab_run(lab, &run, &result, &err) == MU_OK && result.crossed == TIMED_ROUNDS &&
            (double)result.host_ns / TIMED_ROUNDS < best_ns)
            best_ns = (double)result.host_ns / TIMED_ROUNDS;
    const double seconds = (double)(mu_now_ns() - start) * 1e-9;
    if (err.status == MU_OK && best_ns >= ROUND_NS && is_starved(seconds, had_s, waited_s))
        tap_skip("what a barrier costs", "other processes keep the cores busy");
    else
        CHECK(err.status == MU_OK && best_ns < ROUND_NS,
              "a barrier between %d workers of PoCL costs %.0f ns, below %d: %s", WORKERS, best_ns, ROUND_NS,
              err.message);
    mu_lab_close(lab);
}

static void test_roll_call(const struct on_device *device)
{
    const struct mu_lab_spec spec = spec_of(device, MU_PORTABLE);
    struct mu_lab_run run = {.groups = 8, .expected = WORKERS, .patience = UINT32_MAX};
    struct mu_error err = {0};
    struct mu_lab_result result = {0};
    struct mu_lab *lab = NULL;
    if (!CHECK(mu_lab_open(&device->target, &device->info, &spec, &lab, &err) == MU_OK, "open, portable: %s",
               err.message))
        return;
    int status = mu_lab_run(lab, &run, &result, &err);
    CHECK(status == MU_OK && result.team == WORKERS && result.crossed == 0,
          "a roll call finds the workers: team %u %s%s", result.team, err.message, result.report);
    run.rounds = ROUNDS;
    run.local_bytes = (uint32_t)device->info.local_bytes;
    status = mu_lab_run(lab, &run, &result, &err);
    CHECK(status == MU_OK && result.team == WORKERS && result.crossed == ROUNDS,
          "barriers behind it, with all local memory: team %u, %u crossed %s%s", result.team, result.crossed,
          err.message, result.report);
    CHECK(mu_lab_own_local_bytes(lab) > 0 && mu_lab_own_local_bytes(lab) < 1024, "its own local memory is small: %llu",
          (unsigned long long)mu_lab_own_local_bytes(lab));
    run.local_bytes++;
    CHECK(mu_lab_run(lab, &run, &result, &err) == MU_UNSUPPORTED && strstr(err.message, "local memory") != NULL,
          "more local memory than there is: %s", err.message);
    err = (struct mu_error){0};
    run.groups = 0;
    CHECK(mu_lab_run(lab, &run, &result, &err) == MU_USAGE, "no groups: %s", err.message);
    mu_lab_close(lab);
}

/* Numbers of runtimes that no device has: of one with a barrier of all workgroups, and of one that never allows it. */
#define NATIVE_STAND_IN  99
#define NATIVE_NOT_VALID 98

/* A folder of the kernel sources for a compiler that has the extension of barrier `split`, and a runtime that has a
 * barrier of its own, with stand-ins for what those would bring. */
static bool make_split_sources(char *folder, size_t bytes)
{
    char command[2048];
    const char *srcdir = getenv("srcdir"), *tmp = getenv("TMPDIR");
    snprintf(folder, bytes, "%s/muster-lab-XXXXXX", tmp != NULL ? tmp : "/tmp");
    if (mkdtemp(folder) == NULL) return false;
    snprintf(
        command, sizeof command,
        "cd '%s' && cp -R variants harness '%s' && chmod -R u+w '%s' && { "
        "echo '#define cl_intel_split_work_group_barrier 1'; "
        "echo '#define intel_work_group_barrier_arrive(flags)'; "
        "echo '#define intel_work_group_barrier_wait(flags) barrier(flags)'; "
        "cat variants/teams/group_halves.clh; } >'%s/variants/teams/group_halves.clh'; cd '%s' && { "
        "echo '#define MU_NATIVE_CAN_MEET() (MU_NATIVE != 98)'; "
        "echo '#define MU_NATIVE_MEET() do { uint polls = 0; GROUP_BARRIER(); if (get_local_id(0) == 0) { \\'; "
        "echo 'mu_add_release(T.sync + MU_SYNC_COUNTER, 1u); while (mu_load_acquire(T.sync + MU_SYNC_COUNTER) < \\'; "
        "echo 'T.words[MU_LOCAL_CROSSED] * T.size && !mu_must_stop(T.sync, polls)) polls++; } \\'; "
        "echo 'GROUP_BARRIER(); } while (0)'; } >variants/barriers/vendors.clh",
        srcdir != NULL ? srcdir : ".", folder, folder, folder, folder);
    return system(command) == 0;
}

static void test_barrier(const struct on_device *device, int barrier, const char *kernel_dir)
{
    const struct mu_lab_run run = {.groups = WORKERS, .rounds = ROUNDS};
    struct mu_lab_spec spec = spec_of(device, MU_SPECIALISED);
    struct mu_error err = {0};
    struct mu_lab_result result = {0};
    struct mu_lab *lab = NULL;
    spec.barrier = (enum mu_barrier)barrier;
    spec.kernel_dir = kernel_dir;
    if (mu_lab_open(&device->target, &device->info, &spec, &lab, &err) == MU_OK) mu_lab_run(lab, &run, &result, &err);
    CHECK(err.status == MU_OK && result.team == WORKERS && result.crossed == ROUNDS,
          "%d groups cross %d barriers, %s%s: %s%s", WORKERS, ROUNDS, mu_barriers[barrier].name,
          kernel_dir != NULL ? " with stand-ins" : "", err.message, result.report);
    mu_lab_close(lab);
}

/* Barrier native where a runtime has one: it is crossed; and not where that says that it is not valid, or where more
 * workgroups were launched than are in the team. */
static void test_native(const struct on_device *device, const char *kernel_dir)
{
    static const struct {
        uint32_t native, groups;
        int status;
        const char *message;
    } cases[] = {
        {NATIVE_STAND_IN, WORKERS, MU_OK, ""},
        {NATIVE_NOT_VALID, WORKERS, MU_UNSUPPORTED, "not valid"},
        {NATIVE_STAND_IN, 8, MU_UNSUPPORTED, "of 8 launched"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct mu_lab_run run = {
            .groups = cases[i].groups, .expected = WORKERS, .patience = 1u << 24, .rounds = ROUNDS};
        struct on_device with = *device;
        struct mu_lab_spec spec = spec_of(device, cases[i].groups == WORKERS ? MU_SPECIALISED : MU_PORTABLE);
        struct mu_error err = {0};
        struct mu_lab_result result = {0};
        struct mu_lab *lab = NULL;
        with.info.native = cases[i].native;
        spec.barrier = MU_BARRIER_NATIVE;
        spec.kernel_dir = kernel_dir;
        if (mu_lab_open(&device->target, &with.info, &spec, &lab, &err) == MU_OK) mu_lab_run(lab, &run, &result, &err);
        CHECK(err.status == cases[i].status && strstr(err.message, cases[i].message) != NULL &&
                  result.crossed == (err.status == MU_OK ? ROUNDS : 0),
              "%u groups at a runtime's own barrier, case %zu: %u crossed %s", run.groups, i, result.crossed,
              err.message);
        mu_lab_close(lab);
    }
}

/* Every barrier; split also where a device has its extension. The others are in test_odd_sizes in the sample, too. */
static void test_barriers(const struct on_device *device)
{
    char folder[256], command[300];
    const bool made = make_split_sources(folder, sizeof folder);
    CHECK(made, "a folder of kernel sources");
    for (int i = MU_BARRIER_COUNTER; mu_barriers[i].name != NULL; i++)
        if (mu_device_has_barrier(&device->info, (enum mu_barrier)i) && (i == MU_BARRIER_SPLIT || tap_in_full()))
            test_barrier(device, i, NULL);
    test_barrier(device, MU_BARRIER_SPLIT, folder);
    test_native(device, folder);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (made && system(command) != 0) printf("# %s remains\n", folder);
}

/* Few groups in each team, since late ones are not waited for: but one at least, and barriers behind. The sample has
 * the others in test_odd_sizes. */
static void test_roll_calls(const struct on_device *device)
{
    for (int i = MU_ROLLCALL_ATOMIC; mu_rollcalls[i].name != NULL; i++) {
        const struct mu_lab_run run = {
            .groups = 8, .expected = WORKERS, .patience = 1u << 24, .delay = 1000, .rounds = 2};
        struct mu_lab_spec spec = spec_of(device, MU_PORTABLE);
        struct mu_error err = {0};
        struct mu_lab_result result = {0};
        struct mu_lab *lab = NULL;
        if (i == MU_ROLLCALL_LOBE)
            continue; /* its teams are of groups that have not begun: see test_forward_progress */
        if (i != MU_ROLLCALL_SPIN && !tap_in_full()) continue;
        spec.rollcall = (enum mu_rollcall)i;
        if (mu_lab_open(&device->target, &device->info, &spec, &lab, &err) == MU_OK)
            mu_lab_run(lab, &run, &result, &err);
        CHECK(err.status == MU_OK && result.verdict == MU_LAB_COMPLETED && result.team >= 1 && result.team <= WORKERS &&
                  result.crossed == 2,
              "a team of %u of %d by %s: %s%s", result.team, WORKERS, mu_rollcalls[i].name, err.message, result.report);
        mu_lab_close(lab);
    }
}

/* Workgroups that are no powers of two: every barrier, each behind another roll call. */
static void test_odd_sizes(const struct on_device *device)
{
    static const uint32_t sizes[] = {24, 56, 1000};
    const struct mu_lab_run run = {.groups = 8, .expected = WORKERS, .patience = 1u << 24, .rounds = ROUNDS};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct mu_lab_spec spec = spec_of(device, MU_PORTABLE);
        struct mu_error err = {0};
        struct mu_lab_result result = {0};
        struct mu_lab *lab = NULL;
        spec.workgroup = sizes[i];
        spec.barrier = (enum mu_barrier[]){MU_BARRIER_XF, MU_BARRIER_COUNTER, MU_BARRIER_TREE}[i];
        spec.rollcall = (enum mu_rollcall[]){MU_ROLLCALL_ATOMIC, MU_ROLLCALL_TICKET, MU_ROLLCALL_DESTRUCT}[i];
        if (mu_lab_open(&device->target, &device->info, &spec, &lab, &err) == MU_OK)
            mu_lab_run(lab, &run, &result, &err);
        CHECK(err.status == MU_OK && result.verdict == MU_LAB_COMPLETED && result.team >= 1 && result.team <= WORKERS &&
                  result.crossed == ROUNDS,
              "workgroups of %u, %s and %s: a team of %u crossed %u%s%s", sizes[i], mu_rollcalls[spec.rollcall].name,
              mu_barriers[spec.barrier].name, result.team, result.crossed, err.message, result.report);
        mu_lab_close(lab);
    }
}

static void refuses(const struct on_device *device, struct mu_lab_spec spec, int status, const char *what)
{
    struct mu_error err = {0};
    struct mu_lab *lab = NULL;
    CHECK(mu_lab_open(&device->target, &device->info, &spec, &lab, &err) == status && lab == NULL, "%s: %s", what,
          err.message);
}

static void test_refusals(const struct on_device *device)
{
    struct mu_lab_spec spec = spec_of(device, MU_MULTI_KERNEL);
    refuses(device, spec, MU_USAGE, "no variant without a team");
    spec = spec_of(device, MU_SPECIALISED);
    spec.workgroup = 0;
    refuses(device, spec, MU_USAGE, "a workgroup of nobody");
    spec.workgroup = device->info.max_workgroup * 2;
    refuses(device, spec, MU_UNSUPPORTED, "a workgroup beyond the device's");
    spec.workgroup = 16;
    spec.atomics = MU_ATOMICS_PTX;
    refuses(device, spec, MU_UNSUPPORTED, "another vendor's atomics");
    spec = spec_of(device, MU_SPECIALISED);
    spec.barrier = MU_BARRIER_AUTO;
    refuses(device, spec, MU_USAGE, "a barrier that nobody has chosen");
    spec.barrier = MU_BARRIER_NATIVE;
    if (device->info.native == 0) refuses(device, spec, MU_UNSUPPORTED, "a barrier that the runtime lacks");
    spec = spec_of(device, MU_SPECIALISED);
    spec.kernel_dir = "/proc/nonexistent";
    refuses(device, spec, MU_IO, "a folder without kernels");
}

int main(void)
{
    struct on_device device = {0};
    CHECK(mu_polls_in(10.0, 1.0) == 100000000 && mu_polls_in(0.0, 1e9) == UINT32_C(1) << 31 &&
              mu_polls_in(1e9, 1.0) == 1024,
          "polls of a time, within their limits");
    CHECK(mu_polls_about(10.0, 1.0) == UINT32_C(1) << 27 && mu_polls_about(1000.0, 1.4) == UINT32_C(1) << 20 &&
              mu_polls_about(1000.0, 1.49) == UINT32_C(1) << 21 && mu_polls_about(0.0, 1e9) == UINT32_C(1) << 31 &&
              mu_polls_about(1e9, 1.0) == 1024,
          "the power of two that is nearest to them");
    set_pocl_workers("2");
    setenv("POCL_AFFINITY", "1", 1); /* each worker keeps a core */
    if (!open_pocl(&device)) {
        tap_skip("the laboratory on PoCL", "there is no PoCL (Debian package pocl-opencl-icd)");
        return tap_done();
    }
    test_refusals(&device);
    if (device.info.compute_units == WORKERS) {
        test_cost(&device);
        compile_unoptimised();
        test_specialised(&device);
        test_roll_call(&device);
        test_barriers(&device);
        test_roll_calls(&device);
        test_odd_sizes(&device);
    } else
        tap_skip("teams of two", "PoCL cannot be given two worker threads");
    mu_device_close(&device.target);
    return tap_done();
}
