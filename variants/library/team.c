#include "variants/library/team.h"
#include "variants/library/trust.h"

#include "base/memory.h"
#include "variants/barriers/vendors.clh"
#include "variants/embedded.h"
#include "variants/launch/abilities.h"
#include "variants/launch/team_launch.h"
#include "variants/promise.h"
#include "variants/queues/layout.clh"
#include "variants/teams/sync_layout.clh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_WORKGROUP   256u
#define OTHER_WORKGROUP 128u
#define CPU_PATIENCE    (1u << 26) /* below SPIN_LIMIT: else the others would give up before the roll call closes */
#define OTHER_PATIENCE  16u
#define SPIN_LIMIT      (1u << 28)
#define ITEMS_PER_UNIT  40960u /* launched where a roll call chooses: more than any device keeps at a time */

_Static_assert((int)MU_TEAM_WRONG == (int)MU_WRONG && (int)MU_TEAM_USAGE == (int)MU_USAGE &&
                   (int)MU_TEAM_NO_MEMORY == (int)MU_NO_MEMORY && (int)MU_TEAM_DEVICE == (int)MU_DEVICE &&
                   (int)MU_TEAM_BUILD == (int)MU_BUILD && (int)MU_TEAM_DEADLOCK == (int)MU_DEADLOCK &&
                   (int)MU_TEAM_CRASH == (int)MU_CRASH,
               "the library's statuses are those of base/error.h");
_Static_assert(MU_TEAM_QUEUE_WORDS(1, 2) == MU_QUEUE_WORDS(1, 2) && MU_TEAM_QUEUE_WORDS(3, 8) == MU_QUEUE_WORDS(3, 8),
               "the header has the layout of variants/queues");
_Static_assert(sizeof PACKAGE_VERSION == sizeof MU_TEAM_VERSION, "the header has the version of the package");

struct mu_team {
    struct mu_target target;
    struct mu_abilities abilities;
    struct mu_team_launch launches;
    struct mu_launch launch;
    struct mu_team_settings settings; /* nothing is open */
    uint32_t expected;                /* as in a report */
    char options[512];
    char native[32]; /* of these: whose barrier it is, with the setting `native` */
    bool trusted;
};

struct facts {
    cl_device_type type;
    cl_uint units;
    size_t max_workgroup;
    cl_device_fp_config doubles;
    char version[256];
};

/* What a report of a deadlock cannot tell apart. */
#define MAYBE_WITHIN                                                                                                   \
    "; where work-items of one workgroup part at a barrier, by a return or a branch, that workgroup is to blame, "     \
    "whichever is named"

/* Hands the first message on. Statuses that the library does not name are the device's. */
static int finish(const struct mu_error *err, struct mu_team_error *error)
{
    static const int named[] = {MU_OK, MU_WRONG, MU_USAGE, MU_NO_MEMORY, MU_DEVICE, MU_BUILD, MU_DEADLOCK, MU_CRASH};
    error->status = MU_TEAM_DEVICE;
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (err->status == named[i]) error->status = named[i];
    const char *more = err->status == MU_DEADLOCK ? MAYBE_WITHIN : "";
    snprintf(error->message, sizeof error->message, "%.*s%s", (int)(sizeof error->message - sizeof MAYBE_WITHIN),
             err->message, more);
    return error->status;
}

static int ask(struct mu_team *team, struct facts *facts, struct mu_error *err)
{
    cl_command_queue queue = team->target.queue;
    cl_int status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(cl_device_id), &team->target.device, NULL);
    if (status == CL_SUCCESS)
        status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &team->target.context, NULL);
    if (mu_cl_check(status, "clGetCommandQueueInfo", err) != MU_OK) return err->status;
    const struct {
        cl_device_info what;
        size_t bytes;
        void *value;
    } queries[] = {
        {CL_DEVICE_TYPE, sizeof facts->type, &facts->type},
        {CL_DEVICE_MAX_COMPUTE_UNITS, sizeof facts->units, &facts->units},
        {CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof facts->max_workgroup, &facts->max_workgroup},
        {CL_DEVICE_VERSION, sizeof facts->version, facts->version},
    };
    for (size_t i = 0; status == CL_SUCCESS && i < sizeof queries / sizeof queries[0]; i++)
        status = clGetDeviceInfo(team->target.device, queries[i].what, queries[i].bytes, queries[i].value, NULL);
    if (status == CL_SUCCESS && clGetDeviceInfo(team->target.device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof facts->doubles,
                                                &facts->doubles, NULL) != CL_SUCCESS)
        facts->doubles = 0;
    mu_abilities_find(team->target.device, facts->version, &team->abilities);
    return mu_cl_check(status, "clGetDeviceInfo", err);
}

static uint32_t or_else(uint32_t value, uint32_t otherwise)
{
    return value != 0 ? value : otherwise;
}

/* Decides what the settings leave open. */
static int decide(struct mu_team *team, const struct facts *facts, struct mu_team_settings *settings,
                  struct mu_error *err)
{
    const bool cpu = (facts->type & CL_DEVICE_TYPE_CPU) != 0;
    uint32_t usual = cpu ? CPU_WORKGROUP : OTHER_WORKGROUP;
    while (usual > facts->max_workgroup && usual > 1) usual /= 2;
    settings->workgroup = or_else(settings->workgroup, usual);
    if ((settings->workgroup & (settings->workgroup - 1)) != 0 || settings->workgroup > facts->max_workgroup)
        return mu_fail(err, MU_USAGE, "a workgroup of %u is no power of two, or more than the device's %zu",
                       settings->workgroup, facts->max_workgroup);
    if (settings->specialised && settings->groups == 0 && !cpu)
        return mu_fail(err, MU_USAGE, "specialised: say how many workgroups fit on the device at the same time");
    const uint32_t per_unit = ITEMS_PER_UNIT / settings->workgroup;
    settings->groups =
        or_else(settings->groups, facts->units * (settings->specialised || per_unit == 0 ? 1 : per_unit));
    const bool known = cpu || settings->expected != 0 || settings->specialised;
    if (settings->specialised) settings->expected = settings->groups;
    settings->expected = or_else(settings->expected, cpu ? facts->units : settings->groups);
    if (settings->expected > settings->groups) settings->expected = settings->groups;
    team->expected = known ? settings->expected : 0;
    settings->patience = or_else(settings->patience, cpu ? CPU_PATIENCE : OTHER_PATIENCE);
    settings->spin_limit = or_else(settings->spin_limit, SPIN_LIMIT);
    team->launch =
        (struct mu_launch){.groups = settings->groups, .expected = settings->expected, .patience = settings->patience};
    return MU_OK;
}

/* How yield_syscall.clh learns which processor it runs on: a CPU device's is the host's. */
#if defined __linux__ && defined __x86_64__
#define YIELD " -DMU_YIELD_POLLS=256u -DMU_YIELD_X86_64"
#elif defined __linux__ && defined __aarch64__
#define YIELD " -DMU_YIELD_POLLS=256u -DMU_YIELD_AARCH64"
#else
#define YIELD ""
#endif

static void write_options(struct mu_team *team, const struct facts *facts, const struct mu_team_settings *settings)
{
    static const char *const paths[] = {
        [MU_ATOMICS_C11] = " -DMU_ATOMICS_C11",
        [MU_ATOMICS_PTX] = " -DMU_ATOMICS_PTX -DMU_PTX",
        [MU_ATOMICS_FENCES] = " -DMU_ATOMICS_FENCES",
    };
    const bool cpu = (facts->type & CL_DEVICE_TYPE_CPU) != 0;
    const char *const flags[] = {
        paths[team->abilities.atomics],
        team->abilities.ptx_fences ? " -DMU_PTX_FENCES" : "",
        settings->specialised ? " -DMU_SPECIALISED" : "",
        settings->large ? " -DMU_BARRIER_TREE" : "",
        team->native,
        cpu ? " -DMU_CHUNKS" : "",
        cpu && settings->yield ? YIELD : "",
        facts->doubles != 0 ? " -DMU_HAS_DOUBLE" : "",
    };
    size_t used =
        (size_t)snprintf(team->options, sizeof team->options, "-cl-std=%s -DMU_WORKGROUP=%u -DMU_SPIN_LIMIT=%uu",
                         team->abilities.c_standard, settings->workgroup, settings->spin_limit);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0] && used < sizeof team->options; i++)
        used += (size_t)snprintf(team->options + used, sizeof team->options - used, "%s", flags[i]);
}

/* Writes the place of a line (struct mu_places). If a program is compiled of several texts, the lines of those behind
 * the first go on. */
static void say_line(const void *nobody, uint32_t line, char *text, size_t bytes)
{
    (void)nobody;
    snprintf(text, bytes, " on line %u of the kernel's source", line);
}

/* Refuses the runtime's own barrier where it cannot be had. */
static int refuse_native(const struct mu_build *build, const struct mu_team_settings *settings, struct mu_error *err)
{
    if (build->native == 0)
        return mu_fail(err, MU_USAGE, "native: the device has no barrier: %s", MU_NO_NATIVE_BARRIER);
    if (settings->specialised && !settings->large) return MU_OK;
    return mu_fail(err, MU_USAGE,
                   "native: the runtime's barrier waits for all workgroups of a launch: only with specialised, and not "
                   "with large");
}

static int set_up(struct mu_team *team, const struct mu_team_settings *asked, struct mu_error *err)
{
    struct facts facts = {0};
    struct mu_team_settings settings = {0};
    if (asked != NULL) settings = *asked;
    if (ask(team, &facts, err) != MU_OK || decide(team, &facts, &settings, err) != MU_OK) return err->status;
    const struct mu_build build = {.variant = settings.specialised ? MU_SPECIALISED : MU_PORTABLE,
                                   .rollcall = MU_ROLLCALL_ATOMIC,
                                   .barrier = settings.native ? MU_BARRIER_NATIVE : MU_BARRIER_COUNTER,
                                   .native = mu_promise_of(team->target.device),
                                   .workgroup = settings.workgroup,
                                   .spin_limit = settings.spin_limit};
    if (settings.native && refuse_native(&build, &settings, err) != MU_OK) return err->status;
    if (settings.native) snprintf(team->native, sizeof team->native, " -DMU_NATIVE=%u", build.native);
    team->settings = settings;
    write_options(team, &facts, &settings);
    if (mu_team_launch_open(&team->launches, &team->target, &build, err) != MU_OK) return err->status;
    team->launches.places.say = say_line;
    return MU_OK;
}

int mu_team_new(cl_command_queue queue, const struct mu_team_settings *settings, struct mu_team **team,
                struct mu_team_error *error)
{
    struct mu_error err = {0};
    struct mu_team *made = mu_calloc(1, sizeof *made, "a team", &err);
    if (made != NULL) {
        made->target.queue = queue;
        set_up(made, settings, &err);
    }
    if (err.status == MU_OK)
        *team = made;
    else
        mu_team_free(made);
    return finish(&err, error);
}

const char *mu_team_source(void)
{
    return mu_embedded_find("muster/team.clh")->text;
}

const char *mu_team_options(const struct mu_team *team)
{
    return team->options;
}

uint32_t mu_team_groups(const struct mu_team *team)
{
    return team->launch.groups;
}

uint32_t mu_team_workgroup(const struct mu_team *team)
{
    return team->launches.workgroup;
}

static int run(struct mu_team *team, const struct mu_team_kernel *kernel, struct mu_team_report *report,
               struct mu_error *err)
{
    struct mu_team_times times = {0};
    struct mu_report found = {0};
    if (mu_team_launch_prepare(&team->launches, &team->launch, err) != MU_OK ||
        mu_team_launch_run(&team->launches, kernel, 0, &times, err) != MU_OK)
        return err->status;
    mu_team_launch_report(&team->launches, &found, err);
    *report = (struct mu_team_report){found.team, found.crossed, times.host_ns, team->expected};
    if (err->status == MU_OK && mu_team_launch_judge_team(&team->launches, &found, err) == MU_OK)
        mu_team_launch_judge_ends(&team->launches, &found, err);
    return err->status;
}

/* Returns true if a trial has passed, now or on record. */
static bool is_trusted(struct mu_team *team)
{
    team->trusted = team->trusted || mu_trust_known(team->target.device, &team->settings, team->options);
    return team->trusted;
}

int mu_team_run(struct mu_team *team, cl_kernel kernel, cl_uint own_arguments, struct mu_team_report *report,
                struct mu_team_error *error)
{
    const struct mu_team_kernel with = {kernel, own_arguments, "the kernel of a team"};
    struct mu_team_report mine = {0};
    struct mu_error err = {0};
    if (team->settings.native && !is_trusted(team))
        mu_fail(&err, MU_USAGE,
                "native: nothing bounds a wait in the runtime's barrier, and no trial of it is on record for this "
                "device, driver and size: mu_team_trust first");
    else
        run(team, &with, &mine, &err);
    if (report != NULL) *report = mine;
    return finish(&err, error);
}

/* ---- The self-test ---- */

static cl_program build_trust(struct mu_team *team, struct mu_error *err)
{
    const char *texts[] = {mu_team_source(), mu_embedded_find("variants/library/trust.cl")->text};
    cl_int status;
    cl_program program = clCreateProgramWithSource(team->target.context, 2, texts, NULL, &status);
    if (mu_cl_check(status, "clCreateProgramWithSource", err) != MU_OK) return NULL;
    if (clBuildProgram(program, 1, &team->target.device, team->options, NULL, NULL) == CL_SUCCESS) return program;
    char log[1024] = "";
    clGetProgramBuildInfo(program, team->target.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    mu_fail(err, MU_BUILD, "the self-test does not compile: %.1000s", log);
    clReleaseProgram(program);
    return NULL;
}

enum { WORDS, CELLS, PARTS, BUFFERS };

static int run_trust(struct mu_team *team, cl_kernel kernel, const cl_mem *buffers, struct mu_error *err)
{
    const struct mu_team_kernel with = {kernel, BUFFERS, "the self-test"};
    struct mu_team_report report = {0};
    cl_uint wrong = 0;
    cl_int status =
        clEnqueueFillBuffer(team->target.queue, buffers[WORDS], &wrong, sizeof wrong, 0, sizeof wrong, 0, NULL, NULL);
    for (cl_uint i = 0; status == CL_SUCCESS && i < BUFFERS; i++)
        status = clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]);
    if (mu_cl_check(status, with.name, err) != MU_OK || run(team, &with, &report, err) != MU_OK) return err->status;
    status = clEnqueueReadBuffer(team->target.queue, buffers[WORDS], CL_TRUE, 0, sizeof wrong, &wrong, 0, NULL, NULL);
    if (mu_cl_check(status, with.name, err) != MU_OK) return err->status;
    if (report.barriers != 200)
        return mu_fail(err, MU_WRONG, "the self-test crossed %u of 200 barriers", report.barriers);
    return wrong == 0 ? MU_OK : mu_fail(err, MU_WRONG, "%u values were not seen behind a barrier", wrong);
}

static void trust_here(struct mu_team *team, struct mu_error *err)
{
    const size_t items = (size_t)team->launch.groups * team->launches.workgroup;
    const size_t words[BUFFERS] = {1, items, (size_t)2 * team->launch.groups};
    cl_mem buffers[BUFFERS] = {NULL};
    cl_int status = CL_SUCCESS;
    cl_program program = build_trust(team, err);
    cl_kernel kernel = program != NULL ? clCreateKernel(program, "mu_trust", &status) : NULL;
    for (int i = 0; program != NULL && status == CL_SUCCESS && i < BUFFERS; i++)
        buffers[i] = clCreateBuffer(team->target.context, CL_MEM_READ_WRITE, words[i] * sizeof(cl_uint), NULL, &status);
    if (program != NULL && mu_cl_check(status, "the self-test", err) == MU_OK) run_trust(team, kernel, buffers, err);
    for (int i = 0; i < BUFFERS; i++)
        if (buffers[i] != NULL) clReleaseMemObject(buffers[i]);
    if (kernel != NULL) clReleaseKernel(kernel);
    if (program != NULL) clReleaseProgram(program);
}

static bool is_word(const char *text, const char *word)
{
    return text != NULL && strcmp(text, word) == 0;
}

int mu_team_trust(struct mu_team *team, struct mu_team_error *error)
{
    struct mu_error err = {0};
    const char *where = getenv(MU_TRUST_WHERE);
    const bool helper = is_word(where, MU_TRUST_HELPER), here = helper || is_word(where, "here");
    if (team->trusted || (!here && !is_word(where, "again") && is_trusted(team))) return finish(&err, error);
    if (here || !mu_trust_elsewhere(team->target.device, &team->settings, &err)) {
        if (team->settings.native && !helper)
            mu_fail(&err, MU_USAGE, "native: its trial may not end, and there is no other process for it");
        else
            trust_here(team, &err);
    }
    team->trusted = err.status == MU_OK;
    if (team->trusted && !here) mu_trust_keep(team->target.device, &team->settings, team->options);
    return finish(&err, error);
}

void mu_team_free(struct mu_team *team)
{
    if (team == NULL) return;
    mu_team_launch_close(&team->launches);
    mu_free(team);
}

const char *mu_team_version(void)
{
    return PACKAGE_VERSION;
}
