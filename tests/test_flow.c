/* Work queues on PoCL: items flow through each kind, with one queue for all groups and with one for each, and none is
 * lost or taken twice; a full ring and a group that is lost end as outcomes. With 1, 2 and 4 workers, each in a process
 * of its own, as PoCL takes their number from the environment when it begins.
 *
 * MU_FLOW_DEVICE=NAME in the environment has items flow on the device whose name has that in it instead, through 1, 2
 * and as many groups as it has compute units. So many flows run side by side as MU_FLOW_LANES says, and
 * MU_FLOW_KIND=NAME leaves out the other kinds of queues. */
#include "harness/probe/flow.h"

#include "tests/on_device.h"
#include "tests/tap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#define ITEMS 100000u
#define POLLS (1u << 28) /* a second or two: a worker may have to wait for its core so long */

static bool open_kind(const struct on_device *device, int kind, struct mu_flow **flow)
{
    const struct mu_flow_spec spec = {.kind = (enum mu_queue_kind)kind,
                                      .yield = MU_YIELD_SYSCALL,
                                      .yield_polls = 64,
                                      .workgroup = 16,
                                      .spin_limit = POLLS};
    struct mu_error err = {0};
    return CHECK(mu_flow_open(&device->target, &device->info, &spec, flow, &err) == MU_OK, "%s: %s",
                 mu_queue_kinds[kind].name, err.message) != 0;
}

static struct mu_flow_run run_of(int kind, uint32_t groups, bool many, uint32_t items)
{
    const uint32_t rings = many || kind == MU_QUEUE_STEAL ? groups : 1;
    return (struct mu_flow_run){.groups = groups, .shape = {rings, mu_queue_slots(items)}, .items = items};
}

static void flows(struct mu_flow *flow, int kind, const struct mu_flow_run *run, uint32_t repeats)
{
    struct mu_error err = {0};
    uint64_t ns = 0;
    uint32_t ran = 0;
    while (ran < repeats && mu_flow_run(flow, run, &ns, &err) == MU_OK) ran++;
    CHECK(err.status == MU_OK, "%s: %u items among %u groups through %u rings, %u times, in %.1f ms %s",
          mu_queue_kinds[kind].name, run->items, run->groups, run->shape.rings, ran, (double)ns / 1e6, err.message);
}

static void test_flows(struct mu_flow *flow, int kind, uint32_t workers, uint32_t repeats)
{
    const uint32_t groups[] = {1, 2, 2 * workers};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        for (int many = kind == MU_QUEUE_STEAL || groups[i] == 1; many < 2; many++) {
            const struct mu_flow_run run = run_of(kind, groups[i], many != 0, ITEMS);
            flows(flow, kind, &run, repeats);
        }
}

static void test_full(struct mu_flow *flow, int kind)
{
    struct mu_error err = {0};
    struct mu_flow_run run = run_of(kind, 1, false, 1000);
    uint64_t ns = 0;
    run.shape.slots = 4;
    CHECK(mu_flow_run(flow, &run, &ns, &err) == MU_LIMIT && strstr(err.message, "found work queue 0 full") != NULL,
          "%s: a full ring is an outcome: %s", mu_queue_kinds[kind].name, err.message);
}

/* The other group waits for the children of the item that is lost. It may also be that it has had all others before. */
static void test_lost(const struct on_device *device, int kind)
{
    struct mu_flow *flow = NULL;
    const struct mu_flow_spec spec = {.kind = (enum mu_queue_kind)kind, .workgroup = 16, .spin_limit = 1u << 16};
    struct mu_error err = {0}, lost = {0};
    struct mu_flow_run run = run_of(kind, 2, false, 1000);
    uint64_t ns = 0;
    run.lost_after = 1;
    if (mu_flow_open(&device->target, &device->info, &spec, &flow, &err) == MU_OK)
        for (int i = 0; i < 50 && lost.status == MU_OK; i++) mu_flow_run(flow, &run, &ns, &lost);
    CHECK(err.status == MU_OK && (lost.status == MU_DEADLOCK ? strstr(lost.message, "waited for work, while") != NULL
                                                             : lost.status == MU_WRONG),
          "%s: a lost group is an outcome: %s%s", mu_queue_kinds[kind].name, err.message, lost.message);
    mu_flow_close(flow);
}

static void test_words(void)
{
    static const uint32_t items[] = {7, 8, 9};
    const struct mu_queue_shape shape = {2, 2}, none = {0, 2}, huge = {1u << 20, 1u << 20}, small = {1, 2};
    struct mu_error err = {0};
    size_t words = 0;
    uint32_t *made = mu_queue_words(&shape, items, 3, &words, &err);
    CHECK(made != NULL && words > 2 * 2 * 2 && made[0] == 3, "three items in two rings: %s", err.message);
    free(made);
    CHECK(mu_queue_words(&none, items, 3, &words, &err) == NULL && err.status == MU_LIMIT, "no rings: %s", err.message);
    err = (struct mu_error){0};
    CHECK(mu_queue_words(&huge, items, 3, &words, &err) == NULL && err.status == MU_LIMIT, "too large: %s",
          err.message);
    err = (struct mu_error){0};
    CHECK(mu_queue_words(&small, items, 3, &words, &err) == NULL && err.status == MU_LIMIT, "no room: %s", err.message);
    CHECK(mu_queue_slots(0) == 2 && mu_queue_slots(2) == 2 && mu_queue_slots(3) == 4 &&
              mu_queue_slots(UINT64_MAX) == UINT32_C(1) << 31,
          "slots are powers of two");
}

/* MU_FLOW_REPEATS in the environment makes the same a long test. */
static uint32_t repeats_of(void)
{
    const char *text = getenv("MU_FLOW_REPEATS");
    return text != NULL ? (uint32_t)strtoul(text, NULL, 10) : 2;
}

static void test_device(const char *workers)
{
    struct on_device device = {0};
    set_pocl_workers(workers);
    if (!open_pocl(&device)) {
        tap_skip("queues on PoCL", "there is no PoCL (Debian package pocl-opencl-icd)");
        return;
    }
    printf("# %u workers\n", device.info.compute_units);
    for (int kind = 0; mu_queue_kinds[kind].name != NULL; kind++) {
        struct mu_flow *flow = NULL;
        if (!open_kind(&device, kind, &flow)) continue;
        test_flows(flow, kind, device.info.compute_units, repeats_of());
        test_full(flow, kind);
        test_lost(&device, kind);
        mu_flow_close(flow);
    }
    mu_device_close(&device.target);
}

/* ---- Another device ---- */

#define MOST_LANES 64

/* What runs side by side: the same flow, on queues of one context. */
struct lanes {
    const struct on_device *device;
    int kind;
    struct mu_flow_run run;
    uint32_t repeats;
    atomic_uint begun, ended; /* flows */
};

struct lane {
    struct lanes *of;
    pthread_t thread;
    struct mu_error err;
};

static void run_in_lane(struct lane *lane)
{
    struct lanes *of = lane->of;
    struct mu_flow *flow = NULL;
    struct mu_target target = of->device->target;
    const struct mu_flow_spec spec = {
        .kind = (enum mu_queue_kind)of->kind, .workgroup = 32, .spin_limit = UINT32_C(1) << 26};
    cl_int status;
    uint64_t ns;
    target.queue = clCreateCommandQueue(target.context, target.device, 0, &status);
    if (mu_cl_check(status, "the queue of a lane", &lane->err) != MU_OK) return;
    mu_flow_open(&target, &of->device->info, &spec, &flow, &lane->err);
    while (lane->err.status == MU_OK && atomic_fetch_add(&of->begun, 1) < of->repeats)
        if (mu_flow_run(flow, &of->run, &ns, &lane->err) == MU_OK) atomic_fetch_add(&of->ended, 1);
    mu_flow_close(flow);
    clReleaseCommandQueue(target.queue);
}

static void *start_lane(void *lane)
{
    run_in_lane(lane);
    return NULL;
}

/* One flow, so many times, side by side. */
static void flows_abreast(struct lanes *lanes, uint32_t count)
{
    struct lane lane[MOST_LANES] = {0};
    uint32_t started = 0;
    const char *why = "";
    const uint64_t start = mu_now_ns();
    for (; started < count; started++) {
        lane[started].of = lanes;
        if (pthread_create(&lane[started].thread, NULL, start_lane, &lane[started]) != 0) break;
    }
    for (uint32_t i = 0; i < started; i++) {
        pthread_join(lane[i].thread, NULL);
        if (lane[i].err.status != MU_OK) why = lane[i].err.message;
    }
    const uint32_t ended = atomic_load(&lanes->ended);
    CHECK(ended == lanes->repeats, "%s: %u items among %u groups through %u rings, %u of %u times, in %.1f s %s",
          mu_queue_kinds[lanes->kind].name, lanes->run.items, lanes->run.groups, lanes->run.shape.rings, ended,
          lanes->repeats, (double)(mu_now_ns() - start) * 1e-9, why);
}

static bool open_named(const char *name, struct on_device *device)
{
    struct mu_device_info infos[8];
    struct mu_error err = {0};
    uint32_t platforms = 0, count = 0;
    if (mu_platform_count(&platforms, &err) != MU_OK) return false;
    for (uint32_t platform = 0; platform < platforms; platform++) {
        if (mu_platform_devices(platform, infos, 8, &count, &err) != MU_OK) return false;
        for (uint32_t i = 0; i < count; i++) {
            if (strstr(infos[i].name, name) == NULL) continue;
            device->info = infos[i];
            return mu_device_open(&device->info, false, &device->target, &err) == MU_OK;
        }
    }
    return false;
}

/* The kinds without a lock first, which are quick. */
static void test_named(const char *name)
{
    struct on_device device = {0};
    const char *text = getenv("MU_FLOW_LANES"), *only = getenv("MU_FLOW_KIND");
    const unsigned long wanted = text != NULL ? strtoul(text, NULL, 10) : 1;
    const uint32_t lanes = wanted > MOST_LANES ? MOST_LANES : wanted < 1 ? 1 : (uint32_t)wanted;
    if (!CHECK(open_named(name, &device), "a device with %s in its name", name)) return;
    const uint32_t groups[] = {device.info.compute_units, 1, 2};
    for (int kind = MU_QUEUE_STEAL; kind >= 0; kind--) {
        if (only != NULL && strcmp(mu_queue_kinds[kind].name, only) != 0) continue;
        for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
            for (int many = kind == MU_QUEUE_STEAL || groups[i] == 1; many < 2; many++) {
                struct lanes abreast = {.device = &device,
                                        .kind = kind,
                                        .run = run_of(kind, groups[i], many != 0, ITEMS),
                                        .repeats = repeats_of()};
                flows_abreast(&abreast, lanes);
            }
    }
    mu_device_close(&device.target);
}

/* In a process of its own, whose lines are comments of this one. */
static void test_apart(const char *program, const char *workers)
{
    char command[512], line[1024];
    bool ended = false;
    snprintf(command, sizeof command, "'%s' %s", program, workers);
    FILE *child = popen(command, "r"); /* NOLINT(cert-env33-c): this very program */
    while (child != NULL && fgets(line, sizeof line, child) != NULL) printf("# %s", line);
    if (child != NULL) ended = pclose(child) == 0;
    CHECK(ended, "the same with %s workers", workers);
}

int main(int argc, char **argv)
{
    const char *named = getenv("MU_FLOW_DEVICE");
    if (named != NULL) {
        test_named(named);
        return tap_done();
    }
    if (argc > 1) {
        test_device(argv[1]);
        return tap_done();
    }
    test_words();
    test_apart(argv[0], "1");
    test_apart(argv[0], "4");
    test_device("2");
    return tap_done();
}
