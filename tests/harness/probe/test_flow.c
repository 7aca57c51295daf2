/* Work queues: items flow through each kind, with one queue for all groups and with one for each, and none is lost or
 * taken twice; a full ring and a group that is lost end as outcomes. On PoCL with 1, 2 and 4 workers, each in a process
 * of its own, as PoCL takes their number from the environment when it begins.
 *
 * So many flows run side by side in a launch as the device has compute units for, so that a flow through one or two
 * groups does not leave most of them idle. In the environment:
 *
 *     MU_FLOW_REPEATS=N      flows in all through each queue, instead of 2: a long test
 *     MU_FLOW_GROUPS=LIST    of how many groups a flow is, `all` for one on each compute unit, instead of 1,2,all,
 *                            and on CPUs of twice as many, of which one flow runs at a time
 *     MU_FLOW_KIND=NAME      leaves out the other kinds of queues
 *     MU_FLOW_DEVICE=NAME    instead of PoCL, the first device whose name has that in it */
#include "harness/probe/flow.h"

#include "tests/on_device.h"
#include "tests/tap.h"

#include <sys/wait.h>
#include <unistd.h>

#define ITEMS       100000u
#define MOST_COUNTS 16

static bool open_kind(const struct on_device *device, int kind, uint32_t spin_limit, struct mu_flow **flow)
{
    const bool cpu = device->info.cpu;
    const struct mu_flow_spec spec = {.kind = (enum mu_queue_kind)kind,
                                      .yield = cpu ? CPU_YIELD : MU_YIELD_NONE,
                                      .yield_polls = 64,
                                      .workgroup = cpu ? 16 : 32,
                                      .spin_limit = spin_limit};
    struct mu_error err = {0};
    return CHECK(mu_flow_open(&device->target, &device->info, &spec, flow, &err) == MU_OK, "%s: %s",
                 mu_queue_kinds[kind].name, err.message) != 0;
}

static struct mu_flow_run run_of(int kind, uint32_t groups, bool many, uint32_t items)
{
    const uint32_t rings = many || kind == MU_QUEUE_STEAL ? groups : 1;
    return (struct mu_flow_run){.flows = 1, .groups = groups, .shape = {rings, mu_queue_slots(items)}, .items = items};
}

/* So many flows in all, `most` of them in a launch. */
static void flows(struct mu_flow *flow, int kind, struct mu_flow_run run, uint32_t most, uint32_t repeats)
{
    struct mu_error err = {0};
    uint64_t ns = 0;
    uint32_t ran = 0, launches = 0;
    const uint64_t start = mu_now_ns();
    for (; ran < repeats; ran += run.flows, launches++) {
        run.flows = repeats - ran < most ? repeats - ran : most;
        if (mu_flow_run(flow, &run, &ns, &err) != MU_OK) break;
    }
    CHECK(err.status == MU_OK && ran == repeats,
          "%s: %u items among %u groups through %u rings, %u of %u times, in %u launches of up to %u, in %.2f s %s",
          mu_queue_kinds[kind].name, run.items, run.groups, run.shape.rings, ran, repeats, launches, most,
          (double)(mu_now_ns() - start) * 1e-9, err.message);
}

/* ---- What the environment says ---- */

static uint32_t number_of(const char *text, const char *name)
{
    char *end = NULL;
    const unsigned long number = strtoul(text, &end, 10);
    const bool good = text[0] >= '0' && text[0] <= '9' && *end == '\0' && number > 0 && number <= UINT32_MAX;
    if (!good) CHECK(false, "%s: %s is no number above 0", name, text);
    return good ? (uint32_t)number : 0;
}

static uint32_t repeats_of(void)
{
    const char *text = getenv("MU_FLOW_REPEATS");
    return text != NULL ? number_of(text, "MU_FLOW_REPEATS") : 2;
}

static bool add_count(uint32_t counts[MOST_COUNTS], size_t *count, uint32_t groups)
{
    for (size_t i = 0; i < *count; i++)
        if (counts[i] == groups) return true;
    if (groups == 0 || *count == MOST_COUNTS) return false;
    counts[(*count)++] = groups;
    return true;
}

/* Without those that have more groups than there are units. */
static size_t group_counts(const struct mu_device_info *info, uint32_t counts[MOST_COUNTS])
{
    const uint32_t units = info->compute_units > 0 ? info->compute_units : 1;
    const char *list = getenv("MU_FLOW_GROUPS");
    char text[256], *rest = NULL;
    size_t count = 0;
    snprintf(text, sizeof text, "%s", list != NULL ? list : "1,2,all");
    for (char *word = strtok_r(text, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
        const uint32_t groups = strcmp(word, "all") == 0 ? units : number_of(word, "MU_FLOW_GROUPS");
        if (groups > units)
            printf("# flows through %u groups are left out: there are no more than %u compute units\n", groups, units);
        else if (groups > 0 && !add_count(counts, &count, groups))
            CHECK(false, "MU_FLOW_GROUPS has more than %d numbers", MOST_COUNTS);
    }
    return count;
}

/* ---- On a device ---- */

static void test_flows(struct mu_flow *flow, const struct mu_device_info *info, int kind)
{
    uint32_t counts[MOST_COUNTS];
    const size_t count = group_counts(info, counts);
    for (size_t i = 0; i < count; i++)
        for (int many = kind == MU_QUEUE_STEAL || counts[i] == 1; many < 2; many++) {
            const struct mu_flow_run run = run_of(kind, counts[i], many != 0, ITEMS);
            flows(flow, kind, run, mu_flow_most(info, &run), repeats_of());
        }
}

/* More groups than compute units: those that begin late hold no item that another one waits for. */
static void test_crowd(struct mu_flow *flow, const struct mu_device_info *info, int kind)
{
    for (int many = kind == MU_QUEUE_STEAL; many < 2; many++)
        flows(flow, kind, run_of(kind, 2 * info->compute_units, many != 0, ITEMS), 1, repeats_of());
}

static void test_full(struct mu_flow *flow, int kind)
{
    struct mu_error err = {0};
    struct mu_flow_run run = run_of(kind, 1, false, 1000);
    uint64_t ns = 0;
    run.shape.slots = 4;
    CHECK(mu_flow_run(flow, &run, &ns, &err) == MU_LIMIT &&
              strstr(err.message, "rank 0 found work queue 0 full") != NULL,
          "%s: a full ring is an outcome: %s", mu_queue_kinds[kind].name, err.message);
}

/* The other group of the last flow waits for the children of the item that is lost. It may also be that it has had all
 * others before. */
static void test_lost(struct mu_flow *flow, int kind, uint32_t flows)
{
    struct mu_error lost = {0};
    struct mu_flow_run run = run_of(kind, 2, false, 1000);
    uint64_t ns = 0;
    char name[64] = "";
    run.flows = flows;
    run.lost_rank = 2 * (flows - 1);
    run.lost_after = 1;
    if (flows > 1) snprintf(name, sizeof name, "flow %u of %u: ", flows - 1, flows);
    for (int i = 0; i < 50 && lost.status == MU_OK; i++) mu_flow_run(flow, &run, &ns, &lost);
    CHECK(strncmp(lost.message, name, strlen(name)) == 0 &&
              (lost.status == MU_DEADLOCK ? strstr(lost.message, "waited for work, while") != NULL
                                          : lost.status == MU_WRONG),
          "%s: a lost group is an outcome: %s", mu_queue_kinds[kind].name, lost.message);
}

/* Of three flows of one group each the second is lost, and the others are none the worse. */
static void test_one_of_three(struct mu_flow *flow, int kind)
{
    struct mu_error err = {0};
    struct mu_flow_run run = run_of(kind, 1, false, 1000);
    uint64_t ns = 0;
    run.flows = 3;
    CHECK(mu_flow_run(flow, &run, &ns, &err) == MU_OK, "%s: three flows: %s", mu_queue_kinds[kind].name, err.message);
    run.lost_rank = 1;
    run.lost_after = 1;
    CHECK(mu_flow_run(flow, &run, &ns, &err) == MU_WRONG &&
              strncmp(err.message, "flow 1 of 3: 1000 of 1000 items were lost", 41) == 0,
          "%s: one of three is lost: %s", mu_queue_kinds[kind].name, err.message);
}

/* A worker may have to wait for its core for a second or two; a compute unit of a GPU has nothing else to do. */
static void test_kind(const struct on_device *device, int kind)
{
    struct mu_flow *flow = NULL;
    if (!open_kind(device, kind, device->info.cpu ? 1u << 28 : 1u << 26, &flow)) return;
    test_flows(flow, &device->info, kind);
    if (device->info.cpu && getenv("MU_FLOW_GROUPS") == NULL) test_crowd(flow, &device->info, kind);
    test_full(flow, kind);
    test_one_of_three(flow, kind);
    mu_flow_close(flow);
    flow = NULL;
    if (!open_kind(device, kind, 1u << 20, &flow)) return;
    test_lost(flow, kind, 1);
    test_lost(flow, kind, 2);
    mu_flow_close(flow);
}

/* The kinds without a lock first, which are quick. */
static void test_kinds(const struct on_device *device)
{
    const char *only = getenv("MU_FLOW_KIND");
    int tested = 0;
    printf("# %u compute units\n", device->info.compute_units);
    for (int kind = MU_QUEUE_STEAL; kind >= 0; kind--) {
        if (only != NULL && strcmp(mu_queue_kinds[kind].name, only) != 0) continue;
        test_kind(device, kind);
        tested++;
    }
    if (tested == 0) CHECK(false, "MU_FLOW_KIND: there is no queue %s", only);
}

static void test_pocl(const char *workers)
{
    struct on_device device = {0};
    set_pocl_workers(workers);
    if (!open_pocl(&device)) {
        tap_skip("queues on PoCL", "there is no PoCL (Debian package pocl-opencl-icd)");
        return;
    }
    test_kinds(&device);
    mu_device_close(&device.target);
}

static bool open_named(const char *name, struct on_device *device)
{
    struct mu_error err = {0};
    uint32_t platforms = 0, count = 0;
    if (mu_platform_count(&platforms, &err) != MU_OK) return false;
    for (uint32_t platform = 0; platform < platforms; platform++) {
        if (mu_platform_device_count(platform, &count, &err) != MU_OK) return false;
        for (uint32_t i = 0; i < count; i++) {
            if (mu_platform_device(platform, i, &device->info, &err) != MU_OK) return false;
            if (strstr(device->info.name, name) == NULL) continue;
            return mu_device_open(&device->info, false, &device->target, &err) == MU_OK;
        }
    }
    return false;
}

static void test_named(const char *name)
{
    struct on_device device = {0};
    if (!CHECK(open_named(name, &device), "a device with %s in its name", name)) return;
    test_kinds(&device);
    mu_device_close(&device.target);
}

/* ---- The host ---- */

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

static void test_most(void)
{
    struct mu_device_info info = {.compute_units = 132, .max_allocation_bytes = 1u << 30, .global_bytes = 4ull << 30};
    const struct mu_flow_run one = run_of(MU_QUEUE_RING, 1, false, ITEMS), two = run_of(MU_QUEUE_STEAL, 2, true, ITEMS),
                             all = run_of(MU_QUEUE_STEAL, 132, true, ITEMS),
                             more = run_of(MU_QUEUE_RING, 133, false, ITEMS);
    CHECK(mu_flow_most(&info, &one) == 132 && mu_flow_most(&info, &two) == 66 && mu_flow_most(&info, &all) == 1,
          "as many flows as there are compute units for");
    CHECK(mu_flow_most(&info, &more) == 0, "none of more groups than compute units");
    info.global_bytes = 64u << 20; /* of which a quarter has room for 9 times 1.76 MiB */
    CHECK(mu_flow_most(&info, &one) == 9 && mu_flow_most(&info, &all) == 1, "as many as there is memory for: %u",
          mu_flow_most(&info, &one));
    info.global_bytes = 4ull << 30;
    info.max_allocation_bytes = 8u << 20; /* which is just too little for 8 times 1.0005 MiB */
    CHECK(mu_flow_most(&info, &one) == 7, "as a buffer has room for: %u", mu_flow_most(&info, &one));
    info.compute_units = 0;
    CHECK(mu_flow_most(&info, &one) == 1 && mu_flow_most(&info, &two) == 0, "one unit where a device tells of none");
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
        test_pocl(argv[1]);
        return tap_done();
    }
    test_words();
    test_most();
    test_apart(argv[0], "1");
    test_apart(argv[0], "4");
    test_pocl("2");
    return tap_done();
}
