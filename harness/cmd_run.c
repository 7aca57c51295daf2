/* muster run */
#include "analysis/show.h"
#include "harness/child.h"
#include "harness/command.h"
#include "harness/device_list.h"
#include "harness/test.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Up to here refinement by Delaunay's and Ruppert's rules ends in practice (Shewchuk 2002, section 1). */
#define MAX_MIN_ANGLE 33.8

enum option_key {
    KEY_VARIANT = 256,
    KEY_INPUT,
    KEY_DEVICE,
    KEY_WORKGROUP,
    KEY_SAMPLES,
    KEY_WARMUP,
    KEY_ROLLCALL,
    KEY_BARRIER,
    KEY_ATOMICS,
    KEY_YIELD,
    KEY_YIELD_POLLS,
    KEY_STANDARD,
    KEY_TEAM,
    KEY_GROUPS,
    KEY_EXPECTED,
    KEY_PATIENCE,
    KEY_ROLLCALL_DELAY,
    KEY_SPIN_LIMIT,
    KEY_SOURCE,
    KEY_SEED,
    KEY_DELTA,
    KEY_SOURCES,
    KEY_MIN_ANGLE,
    KEY_ROOM,
    KEY_DEADLINE,
    KEY_NO_CHECK,
    KEY_NO_CACHE,
    KEY_KERNEL_DIR,
    KEY_OUTPUT,
    KEY_READBACK,
    KEY_JSON
};

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What is run:", 1},
    {"variant", KEY_VARIANT, "NAME", 0, "multi-kernel, portable or specialised (default: portable)", 1},
    {"input", KEY_INPUT, "INPUT", 0,
     "A file or a generator, see muster list (default: road:300; mesh:5000 for an app on meshes)", 1},
    {"source", KEY_SOURCE, "VERTEX", 0, "The source vertex, for apps that have one (default: the first with an arc)",
     1},
    {"seed", KEY_SEED, "NUMBER", 0, "Seed of generators and sampling (default: 1)", 1},
    {"delta", KEY_DELTA, "WIDTH", 0,
     "lonestar/sssp: how far a phase of the near-far strategy reaches; auto (from mean weight and degree), none (the "
     "plain worklist) or a distance (default: auto)",
     1},
    {"sources", KEY_SOURCES, "N", 0,
     "pannotia/bc: so many source vertices, picked by the seed, or all (default: all up to 4096 vertices, else 16)", 1},
    {"min-angle", KEY_MIN_ANGLE, "DEGREES", 0,
     "lonestar/dmr: refine until no angle is smaller; at most 33.8, above which refinement need not end (default: 30)",
     1},
    {"room", KEY_ROOM, "TRIANGLES", 0,
     "lonestar/dmr: room at the start; it grows when it runs out (default: what the input suggests)", 1},
    {0, 0, 0, 0, "Where:", 2},
    {"device", KEY_DEVICE, "DEVICE", 0, "Index, or part of the name, see muster devices (default: 0)", 2},
    {"workgroup", KEY_WORKGROUP, "SIZE", 0,
     "Work-items in a workgroup, a power of two (default: 256 on a CPU, else 128; at most what the device has)", 2},
    {"team", KEY_TEAM, "GROUPS", 0,
     "Workgroups that specialised launches; at most so many in portable's team (default: as many as fit)", 2},
    {0, 0, 0, 0, "How workgroups synchronise:", 3},
    {"rollcall", KEY_ROLLCALL, "NAME", 0,
     "atomic, ticket, spin, ticket-destruct or lobe (default: the profile's, else atomic)", 3},
    {"barrier", KEY_BARRIER, "NAME", 0, "auto, counter, tree, xf or split (default: auto, by team size)", 3},
    {"atomics", KEY_ATOMICS, "PATH", 0,
     "c11, ptx or fences (default: the device's, see muster devices; fences with CL1.2)", 3},
    {"yield", KEY_YIELD, "NAME", 0,
     "How a workgroup that waits lets others run: auto, none or syscall (default: auto, syscall on a CPU that takes "
     "it)",
     3},
    {"yield-polls", KEY_YIELD_POLLS, "POLLS", 0,
     "Polls between two yields, a power of two (default: the profile's, else 1024)", 3},
    {"cl-std", KEY_STANDARD, "NAME", 0, "CL1.2, CL2.0 or CL3.0 (default: the newest that the device compiles)", 3},
    {"readback", KEY_READBACK, "NAME", 0,
     "How multi-kernel reads a flag back: blocking or word (default: the faster one, measured)", 3},
    {"groups", KEY_GROUPS, "GROUPS", 0,
     "Workgroups that portable launches (default: more than fit, at most 40 for each compute unit)", 3},
    {"expected", KEY_EXPECTED, "GROUPS", 0,
     "Team size at which the roll call closes at once (default: compute units of a CPU, else what a few roll calls "
     "found)",
     3},
    {"patience", KEY_PATIENCE, "READS", 0,
     "Unchanged reads after which the roll call atomic closes (default: 16777216 on a CPU, else 20)", 3},
    {"rollcall-delay", KEY_ROLLCALL_DELAY, "TIMES", 0,
     "The other roll calls: times that a group takes the mutex between polling and closing (default: 0)", 3},
    {"spin-limit", KEY_SPIN_LIMIT, "POLLS", 0, "Polls after which a wait is a deadlock (default: 4 to 8 s worth)", 3},
    {0, 0, 0, 0, "How it is measured:", 4},
    {"samples", KEY_SAMPLES, "N", 0, "Timed executions (default: 10)", 4},
    {"warmup", KEY_WARMUP, "N", 0, "Executions before them (default: 1; on a CPU as many as take 0.1 s)", 4},
    {"deadline", KEY_DEADLINE, "SECONDS", 0, "Time after which the run is killed (default: 120)", 4},
    {"no-check", KEY_NO_CHECK, 0, 0, "Do not check the results (default: every result is checked)", 4},
    {"no-cache", KEY_NO_CACHE, 0, 0, "Compile and self-test anew (default: use the cache)", 4},
    {"kernel-dir", KEY_KERNEL_DIR, "FOLDER", 0,
     "Kernel sources, laid out like the source tree (default: those inside the program)", 4},
    {0, 0, 0, 0, "What comes out:", 5},
    {"json", KEY_JSON, 0, 0, "One line of JSON (default: text)", 5},
    {"output", KEY_OUTPUT, "FILE", 0,
     "Write the result: as text, one value per vertex; of dmr, the mesh as FILE.node, FILE.ele and FILE.poly (default: "
     "none)",
     5},
    {0},
};

struct arguments {
    struct mu_test test;
    const char *app, *device;
    bool json;
    struct mu_error err;
};

/* Options whose value is a number: the range, and where it goes. */
static error_t parse_number(int key, const char *text, struct arguments *arguments)
{
    struct mu_test *test = &arguments->test;
    const struct {
        int key;
        const char *name;
        uint64_t min, max;
        uint32_t *place;
    } numbers[] = {
        {KEY_SOURCE, "source", 0, UINT32_MAX - 1, &test->options.source},
        {KEY_WORKGROUP, "workgroup", 1, 65536, &test->workgroup},
        {KEY_TEAM, "team", 1, 1u << 24, &test->team},
        {KEY_GROUPS, "groups", 1, 1u << 24, &test->groups},
        {KEY_EXPECTED, "expected", 1, 1u << 24, &test->expected},
        {KEY_PATIENCE, "patience", 1, UINT32_MAX, &test->patience},
        {KEY_ROLLCALL_DELAY, "rollcall-delay", 0, UINT32_MAX, &test->delay},
        {KEY_SPIN_LIMIT, "spin-limit", 1, UINT32_MAX, &test->spin_limit},
        {KEY_YIELD_POLLS, "yield-polls", 1, UINT32_C(1) << 30, &test->yield_polls},
        {KEY_SAMPLES, "samples", 1, 1000000, &test->samples},
        {KEY_WARMUP, "warmup", 0, 1000000, &test->warmup},
        {KEY_ROOM, "room", 1, UINT32_MAX, &test->options.room},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        uint64_t value = 0;
        if (numbers[i].key != key) continue;
        if (mu_parse_number(numbers[i].name, text, numbers[i].min, numbers[i].max, &value, &arguments->err) == MU_OK)
            *numbers[i].place = (uint32_t)value;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* Options of single apps, whose value is a number or a word. */
static error_t parse_app_option(int key, const char *text, struct arguments *arguments)
{
    const struct {
        int key;
        const char *name;
        uint32_t *place;
        struct {
            const char *name;
            uint32_t value;
        } words[2];
    } taken[] = {
        {KEY_DELTA, "delta", &arguments->test.options.delta, {{"auto", MU_DELTA_AUTO}, {"none", MU_DELTA_NONE}}},
        {KEY_SOURCES,
         "sources",
         &arguments->test.options.sources,
         {{"auto", MU_SOURCES_AUTO}, {"all", MU_SOURCES_ALL}}},
    };
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        uint64_t value = 0;
        if (taken[i].key != key) continue;
        for (size_t word = 0; word < 2; word++)
            if (strcmp(taken[i].words[word].name, text) == 0) {
                *taken[i].place = taken[i].words[word].value;
                return 0;
            }
        if (mu_parse_number(taken[i].name, text, 1, UINT32_MAX - 1, &value, &arguments->err) == MU_OK)
            *taken[i].place = (uint32_t)value;
        return 0;
    }
    return parse_number(key, text, arguments);
}

/* Options whose value is a row of a table. */
static error_t parse_choice(int key, const char *text, struct arguments *arguments)
{
    struct mu_test *test = &arguments->test;
    int index = 0;
    switch (key) {
    case KEY_VARIANT:
        if (mu_choice_find(mu_variants, "variant", text, &index, &arguments->err) == MU_OK)
            test->variant = (enum mu_variant)index;
        return 0;
    case KEY_ROLLCALL:
        if (mu_choice_find(mu_rollcalls, "rollcall", text, &index, &arguments->err) == MU_OK)
            test->rollcall = (enum mu_rollcall)index;
        test->rollcall_open = false;
        return 0;
    case KEY_BARRIER:
        if (mu_choice_find(mu_barriers, "barrier", text, &index, &arguments->err) == MU_OK)
            test->barrier = (enum mu_barrier)index;
        return 0;
    case KEY_READBACK:
        if (mu_choice_find(mu_readbacks, "readback", text, &index, &arguments->err) == MU_OK) test->readback = index;
        return 0;
    case KEY_YIELD:
        mu_yield_find(text, &test->yield, &arguments->err);
        return 0;
    case KEY_ATOMICS:
        if (mu_choice_find(mu_atomics_paths, "atomics", text, &index, &arguments->err) == MU_OK) test->atomics = index;
        return 0;
    default:
        return parse_app_option(key, text, arguments);
    }
}

static int parse_standard(const char *text, struct arguments *arguments)
{
    static const char *const standards[] = {"CL1.2", "CL2.0", "CL3.0"};
    for (size_t i = 0; i < sizeof standards / sizeof standards[0]; i++)
        if (strcmp(standards[i], text) == 0) arguments->test.c_standard = standards[i];
    if (arguments->test.c_standard == NULL)
        mu_fail(&arguments->err, MU_USAGE, "--cl-std=%s: no such choice; there are: CL1.2, CL2.0, CL3.0", text);
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct mu_test *test = &arguments->test;
    switch (key) {
    case KEY_INPUT:
        test->input = text;
        return 0;
    case KEY_DEVICE:
        arguments->device = text;
        return 0;
    case KEY_SEED:
        mu_parse_number("seed", text, 0, UINT64_MAX >> 1, &test->options.seed, &arguments->err);
        return 0;
    case KEY_DEADLINE:
        mu_parse_seconds("deadline", text, &test->deadline_s, &arguments->err);
        return 0;
    case KEY_MIN_ANGLE:
        mu_parse_degrees("min-angle", text, MAX_MIN_ANGLE, &test->options.min_angle, &arguments->err);
        return 0;
    case KEY_STANDARD:
        return parse_standard(text, arguments);
    case KEY_NO_CHECK:
        test->check = false;
        return 0;
    case KEY_NO_CACHE:
        test->cache = false;
        return 0;
    case KEY_KERNEL_DIR:
        test->kernel_dir = text;
        return 0;
    case KEY_OUTPUT:
        test->output = text;
        return 0;
    case KEY_JSON:
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->app != NULL) argp_error(state, "one app at a time: '%s' is too much", text);
        arguments->app = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which app? (see muster list)");
        return 0;
    default:
        return parse_choice(key, text, arguments);
    }
}

static void run(struct arguments *arguments)
{
    struct mu_error *err = &arguments->err;
    struct mu_device_list *list = calloc(1, sizeof *list);
    const struct mu_device_info *info = NULL;
    struct mu_json built = {0};
    if (list == NULL)
        mu_fail(err, MU_NO_MEMORY, "out of memory");
    else if (mu_device_list(list, err) == MU_OK)
        info = mu_device_find(list, arguments->device, err);
    if (info != NULL) {
        if (arguments->device == NULL && list->count > 1)
            fprintf(stderr, "muster: no --device: using 0, %s\n", info->chip);
        mu_test_run(&arguments->test, info, &built, err);
        json_t *record = mu_json_take(&built, "the record of a run", err);
        if (arguments->json && record != NULL && json_dumpf(record, stdout, JSON_COMPACT) == 0)
            putchar('\n');
        else if (!arguments->json && record != NULL)
            mu_show_record(record, stdout);
        json_decref(record);
    }
    free(list);
}

int mu_cmd_run(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse,
                                     "APP",
                                     "Runs APP (\"suite/app\", or \"app\" where that is unique) on one input in one "
                                     "variant, checks every result, and "
                                     "prints min, median with its interval, max, team, launches, read-backs and "
                                     "barriers. The run is a process of its "
                                     "own, with a deadline.",
                                     NULL,
                                     NULL,
                                     NULL};
    struct arguments arguments = {0};
    mu_test_defaults(&arguments.test);
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    if (arguments.err.status == MU_OK) arguments.test.app = mu_app_find(arguments.app, &arguments.err);
    if (arguments.err.status == MU_OK)
        mu_app_check_options(arguments.test.app, &arguments.test.options, &arguments.err);
    if (arguments.err.status == MU_OK) run(&arguments);
    mu_finish_output(&arguments.err);
    return mu_report(&arguments.err);
}
