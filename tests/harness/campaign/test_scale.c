/* A campaign at scale, simulated: devices with parts of up to ten thousand points each, or a thousand devices, children
 * that crash, tasks that are pre-empted or killed, and slow nodes. The engine runs the parts, as it runs real ones;
 * only child processes and the clock are made up. Nothing is lost, nothing is measured twice, and it takes no longer
 * than it must. */
#include "harness/campaign/campaign.h"
#include "inputs/rng.h"

#include "base/memory.h"
#include "tests/harness/engine/fake_environment.h"
#include "tests/tap.h"

#include <fcntl.h>

enum { COMPARISONS_OF_DEVICE = 10, REQUEUE_S = 120 };

/* How often, in calls of children. */
enum { CRASH_EVERY = 500, PREEMPTED_EVERY = 4000, KILLED_EVERY = 8000, SLOW_DEVICE_EVERY = 20 };

/* What is kept of a point, as a record would: how often it was measured. */
struct point {
    uint8_t records;
};

struct fleet {
    uint32_t devices, comparisons, points_each; /* of a comparison */
    struct mu_campaign campaign;                /* its comparisons alone */
    uint32_t *parts;                            /* by comparison, from 1 */
    double *load;                               /* by part, in seconds */
    struct point *points;
    uint64_t calls, crashes, preempted, killed;
};

/* A device that runs its part, with what it has of the engine's environment. */
struct device {
    struct fleet *fleet;
    uint32_t number;
    uint32_t *comparisons, count;
    double slowness; /* 1, or 2 of a slow node */
    uint64_t now_ns, busy_ns, lost_ns, calls;
    bool killed; /* the task was killed before its last answer was kept */
};

/* Seconds that a point of a comparison takes, from 0.25 to 4. */
static double cost_of(uint32_t comparison)
{
    return 0.25 * (double)(1 + mu_random_stream(7, comparison) % 16);
}

static bool strikes(const struct device *device, uint64_t purpose, uint64_t every)
{
    return mu_random_stream(1000 * purpose + 1, ((uint64_t)device->number << 32) + device->calls) % every == 0;
}

/* ---- The environment ---- */

static int sim_call(void *context, struct mu_call *call, json_t **response, struct mu_error *err)
{
    struct device *device = context;
    const uint64_t ns = (uint64_t)(call->deadline_s * device->slowness * 1e9);
    *response = NULL;
    device->calls++;
    device->fleet->calls++;
    if (strikes(device, 1, PREEMPTED_EVERY) || strikes(device, 2, KILLED_EVERY)) {
        /* Half of the run is lost, and the task is in the queue for a while. */
        device->killed = strikes(device, 2, KILLED_EVERY);
        device->fleet->killed += device->killed;
        device->fleet->preempted += !device->killed;
        device->lost_ns += ns / 2 + REQUEUE_S * UINT64_C(1000000000);
        device->now_ns += ns / 2 + REQUEUE_S * UINT64_C(1000000000);
        return mu_fail(err, MU_INTERRUPTED, "interrupted");
    }
    device->now_ns += ns;
    device->busy_ns += ns;
    if (!strikes(device, 3, CRASH_EVERY)) return MU_OK;
    device->fleet->crashes++;
    return mu_fail(err, MU_CRASH, "a child that crashed");
}

static int sim_check(void *context, bool fresh, struct mu_selftest *selftest, struct mu_error *err)
{
    (void)context;
    (void)fresh;
    memset(selftest, 0, sizeof *selftest);
    selftest->trust = MU_TRUSTED;
    return err->status;
}

static bool sim_interrupted(void *context)
{
    (void)context;
    return false;
}

static uint64_t sim_now(void *context)
{
    const struct device *device = context;
    return device->now_ns;
}

/* ---- The work: a point is a test of one process ---- */

static uint32_t comparison_of(const struct device *device, const struct mu_step *step)
{
    return device->comparisons[step->test / device->fleet->points_each];
}

static struct point *point_of(const struct device *device, const struct mu_step *step)
{
    const uint32_t each = device->fleet->points_each;
    return &device->fleet->points[(size_t)comparison_of(device, step) * each + step->test % each];
}

static void describe(const struct mu_engine *engine, const struct mu_step *step, char *text, size_t bytes)
{
    const struct device *device = engine->context;
    snprintf(text, bytes, "%u %u", comparison_of(device, step), step->test % device->fleet->points_each);
}

static double expect(const struct mu_engine *engine, const struct mu_step *step)
{
    return cost_of(comparison_of(engine->context, step));
}

static int run(struct mu_engine *engine, const struct mu_step *step, struct mu_ending *ending, struct mu_error *err)
{
    const struct device *device = engine->context;
    struct point *point = point_of(device, step);
    struct mu_error outcome = {0};
    struct mu_call call = {.deadline_s = expect(engine, step)};
    json_t *response = NULL;
    uint64_t wall_ns = 0;
    if (point->records != 0) return MU_OK; /* the store has it */
    mu_engine_call(engine, &call, &response, &wall_ns, &outcome);
    if (outcome.status == MU_INTERRUPTED) return mu_fail(err, MU_INTERRUPTED, "interrupted");
    point->records++;
    *ending = (struct mu_ending){.fresh = true, .status = outcome.status, .harm = outcome.status};
    return MU_OK;
}

static const struct mu_work work = {
    .name = "measure", .is_test = true, .describe = describe, .expect = expect, .run = run};

/* A task of the array: a process that makes the plan of its part, and runs what is missing. Whether it came to its
 * end. */
static bool run_task(struct device *device)
{
    struct mu_engine engine = {.device = "simulated", .unit = "a test", .context = device};
    struct mu_error err = {0};
    const uint32_t tests = device->count * device->fleet->points_each;
    engine.environment = (struct mu_engine_environment){
        .context = device, .call = sim_call, .check = sim_check, .interrupted = sim_interrupted, .now_ns = sim_now};
    engine.enough = (struct mu_enough){.least = 1, .most = 1};
    if (mu_engine_make(&engine, tests, tests, &err) == MU_OK) {
        for (uint32_t test = 0; test < tests; test++) mu_engine_add(&engine, &work, test, 0);
        mu_progress_start(&engine.progress, &engine.environment, tests);
        mu_engine_run(&engine, &err);
        mu_progress_end(&engine.progress);
    }
    mu_engine_release(&engine);
    return err.status == MU_OK;
}

/* Runs a device's part, which is queued again as often as it is needed. Its time in seconds; negative where it does not
 * add up. */
static double run_device(struct fleet *fleet, uint32_t number)
{
    struct device device = {.fleet = fleet, .number = number, .slowness = number % SLOW_DEVICE_EVERY == 0 ? 2 : 1};
    unsigned tries = 0;
    device.comparisons = calloc(fleet->comparisons, sizeof *device.comparisons);
    if (device.comparisons == NULL) return -1;
    for (uint32_t i = 0; i < fleet->comparisons; i++)
        if (fleet->parts[i] == number + 1) device.comparisons[device.count++] = i;
    while (!run_task(&device) && tries < 1000) tries++;
    free(device.comparisons);
    /* What ran took as long as it was dealt for, and nothing was run besides but what was lost. */
    const double expected_s = fleet->load[number] * device.slowness;
    const double busy_s = (double)device.busy_ns * 1e-9;
    if (tries == 1000 || busy_s > expected_s * 1.0001 || busy_s < expected_s * 0.9999) return -1;
    return device.now_ns == device.busy_ns + device.lost_ns ? (double)device.now_ns * 1e-9 : -1;
}

/* ---- The fleet ---- */

static bool make_fleet(struct fleet *fleet, uint32_t devices, uint32_t points_each, const char *costs)
{
    struct mu_error err = {0};
    struct mu_json prices = mu_json_object();
    *fleet =
        (struct fleet){.devices = devices, .comparisons = devices * COMPARISONS_OF_DEVICE, .points_each = points_each};
    fleet->campaign.comparison_count = fleet->comparisons;
    fleet->campaign.comparisons = mu_calloc(fleet->comparisons, sizeof *fleet->campaign.comparisons, "a fleet", &err);
    fleet->points = calloc((size_t)fleet->comparisons * points_each, sizeof *fleet->points);
    fleet->parts = calloc(fleet->comparisons, sizeof *fleet->parts);
    fleet->load = calloc(devices, sizeof *fleet->load);
    if (err.status != MU_OK || fleet->points == NULL || fleet->parts == NULL || fleet->load == NULL) return false;
    for (uint32_t i = 0; i < fleet->comparisons; i++) {
        fleet->campaign.comparisons[i].text = mu_format(&err, "comparison %u", i);
        mu_json_set_real(&prices, fleet->campaign.comparisons[i].text, cost_of(i) * points_each);
    }
    json_t *object = mu_json_take(&prices, "costs", &err);
    const struct mu_shard shard = {1, devices, costs};
    const bool dealt = json_dump_file(object, costs, 0) == 0 &&
                       mu_shard_deal(&fleet->campaign, &shard, fleet->parts, fleet->load, &err) == MU_OK;
    json_decref(object);
    return dealt;
}

static void free_fleet(struct fleet *fleet)
{
    for (uint32_t i = 0; i < fleet->comparisons && fleet->campaign.comparisons != NULL; i++)
        mu_free(fleet->campaign.comparisons[i].text);
    mu_free(fleet->campaign.comparisons);
    free(fleet->points);
    free(fleet->parts);
    free(fleet->load);
}

/* How many points have no record, and how many have more than one. */
static void count_points(const struct fleet *fleet, size_t *lost, size_t *twice)
{
    *lost = *twice = 0;
    for (size_t i = 0; i < (size_t)fleet->comparisons * fleet->points_each; i++) {
        *lost += fleet->points[i].records == 0;
        *twice += fleet->points[i].records > 1;
    }
}

/* Standard error goes nowhere, since a million lines of progress are too many; and back. */
static int silence(int saved)
{
    const int before = saved >= 0 ? saved : open("/dev/null", O_WRONLY), own = saved >= 0 ? -1 : dup(STDERR_FILENO);
    if (before < 0 || dup2(before, STDERR_FILENO) < 0) printf("# standard error stays where it is\n");
    close(before);
    return own;
}

static void test_fleet(uint32_t devices, uint32_t points_each, const char *costs)
{
    struct fleet fleet;
    int saved;
    double makespan = 0, sum = 0, most_load = 0, worst_lost = 0;
    bool adds_up = true;
    size_t lost, twice;
    if (!CHECK(make_fleet(&fleet, devices, points_each, costs), "%u devices have parts", devices)) {
        free_fleet(&fleet);
        return;
    }
    saved = silence(-1);
    for (uint32_t i = 0; i < devices; i++) {
        const double seconds = run_device(&fleet, i), slowness = i % SLOW_DEVICE_EVERY == 0 ? 2 : 1;
        adds_up = adds_up && seconds >= 0;
        sum += fleet.load[i];
        if (fleet.load[i] > most_load) most_load = fleet.load[i];
        if (seconds > makespan) makespan = seconds;
        if (seconds - slowness * fleet.load[i] > worst_lost) worst_lost = seconds - slowness * fleet.load[i];
    }
    silence(saved);
    const double mean = sum / devices, dearest = 4.0 * points_each;
    count_points(&fleet, &lost, &twice);
    CHECK(lost == 0, "%zu of %u points are lost", lost, fleet.comparisons * points_each);
    CHECK(twice == 0, "%zu are there twice", twice);
    CHECK(fleet.crashes > 0 && fleet.preempted > 0 && fleet.killed > 0,
          "%llu crashes, %llu times pre-empted, %llu killed in %llu calls", (unsigned long long)fleet.crashes,
          (unsigned long long)fleet.preempted, (unsigned long long)fleet.killed, (unsigned long long)fleet.calls);
    CHECK(adds_up, "each device ran its part, and besides what it lost nothing else");
    CHECK(most_load <= mean + dearest, "the largest part takes %.0f s, a mean one %.0f s", most_load, mean);
    CHECK(most_load <= 1.05 * mean, "… which is at most 5 %% more");
    CHECK(makespan <= 2 * most_load + worst_lost,
          "all takes %.0f s: at most the largest part on a slow node, %.0f s, and the %.0f s that were lost most",
          makespan, 2 * most_load, worst_lost);
    free_fleet(&fleet);
}

int main(void)
{
    char costs[] = "/tmp/test_scale.XXXXXX";
    const int fd = mkstemp(costs);
    CHECK(fd >= 0 && close(fd) == 0, "a file of costs");
    test_fleet(20, 1000, costs);
    if (tap_in_full()) test_fleet(1000, 100, costs);
    unlink(costs);
    return tap_done();
}
