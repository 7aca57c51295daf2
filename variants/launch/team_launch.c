#include "variants/launch/team_launch.h"

#include "base/memory.h"
#include "variants/launch/cooperative.h"
#include "variants/launch/load.h"
#include "variants/teams/sync_layout.clh"

#include <string.h>

/* Work-items of a launch, so that an index of 32 bits plus a stride cannot wrap. */
#define MAX_ITEMS (UINT32_C(1) << 24)

/* Where nothing is asked for, the host's thread waits this long for its first request: no launch takes an hour. */
#define NEVER_NS UINT64_C(3600000000000)

int mu_team_launch_open(struct mu_team_launch *team, const struct mu_target *target, const struct mu_build *build,
                        struct mu_error *err)
{
    cl_command_queue_properties properties = 0;
    *team =
        (struct mu_team_launch){.target = target,
                                .variant = build->variant,
                                .rollcall = build->rollcall,
                                .workgroup = build->workgroup,
                                .spin_limit = build->spin_limit,
                                .native = build->barrier == MU_BARRIER_NATIVE ? mu_promise_get(build->native) : NULL,
                                .load = build->load,
                                .clock = build->load_clock};
    const cl_int status =
        clGetCommandQueueInfo(target->queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    team->events = (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    return mu_cl_check(status, "the queue's properties", err);
}

/* Returns the number of words of a set. */
static size_t set_words(const struct mu_team_launch *team, uint32_t groups)
{
    return team->load                        ? mu_load_words(groups)
           : team->variant == MU_COOPERATIVE ? mu_cooperative_words(groups)
                                             : MU_SYNC_WORDS(groups);
}

static size_t zero_words(const struct mu_team_launch *team)
{
    const uint32_t groups = team->launch.groups;
    return team->variant == MU_COOPERATIVE || team->load ? mu_cooperative_cleared(groups) : MU_SYNC_WORDS(groups);
}

bool mu_turns_begin(struct mu_turns *turns, uint32_t groups)
{
    if (turns->zeroed_for[1 - turns->turn] != 0) turns->turn = 1 - turns->turn;
    const bool is_zeroed = turns->zeroed_for[turns->turn] >= groups;
    turns->zeroed_for[0] = turns->zeroed_for[1] = 0;
    return !is_zeroed;
}

void mu_turns_end(struct mu_turns *turns, uint32_t groups)
{
    turns->zeroed_for[1 - turns->turn] = groups;
}

void mu_team_launch_forget(struct mu_team_launch *team)
{
    team->turns.zeroed_for[0] = team->turns.zeroed_for[1] = 0;
}

static int make_sync(struct mu_team_launch *team, uint32_t groups, struct mu_error *err)
{
    const size_t words = set_words(team, groups), lines = (words + MU_SYNC_LINE - 1) / MU_SYNC_LINE;
    const bool two = team->takes_turns && !team->load && lines <= MU_MODE_MOST_LINES;
    cl_int status;
    if (team->sync != NULL) clReleaseMemObject(team->sync);
    team->sync_groups = 0;
    team->turns = (struct mu_turns){0};
    team->distance = two ? lines * MU_SYNC_LINE : 0;
    team->sync = clCreateBuffer(team->target->context, CL_MEM_READ_WRITE, (team->distance + words) * sizeof(cl_uint),
                                NULL, &status);
    if (mu_cl_check(status, "buffer for synchronisation", err) == MU_OK) team->sync_groups = groups;
    return err->status;
}

size_t mu_team_launch_set(const struct mu_team_launch *team)
{
    return team->turns.turn * team->distance;
}

int mu_team_launch_reserve(struct mu_team_launch *team, const struct mu_launch *launch, struct mu_error *err)
{
    const uint32_t groups = launch->groups;
    team->launch = *launch;
    if (groups == 0 || (uint64_t)groups * team->workgroup > MAX_ITEMS)
        return mu_fail(err, MU_USAGE, "a launch of %u workgroups of %u is not between 1 and 2^24 work-items", groups,
                       team->workgroup);
    if (team->sync_groups < groups && make_sync(team, groups, err) != MU_OK) return err->status;
    return team->load ? mu_load_place(team, err) : MU_OK;
}

/* Makes the words of the next launch ready: zeros, and what a cooperative kernel is told. Waits for nothing. */
static int make_ready(struct mu_team_launch *team, struct mu_error *err)
{
    static const cl_uint zero = 0;
    if (mu_turns_begin(&team->turns, team->launch.groups))
        mu_cl_check(clEnqueueFillBuffer(team->target->queue, team->sync, &zero, sizeof zero,
                                        mu_team_launch_set(team) * sizeof zero, zero_words(team) * sizeof zero, 0, NULL,
                                        NULL),
                    "clearing the words of synchronisation", err);
    if (err->status == MU_OK && (team->variant == MU_COOPERATIVE || team->load)) mu_cooperative_tell(team, err);
    return err->status == MU_OK && team->load ? mu_load_tell(team, err) : err->status;
}

int mu_team_launch_prepare(struct mu_team_launch *team, const struct mu_launch *launch, struct mu_error *err)
{
    if (mu_team_launch_reserve(team, launch, err) != MU_OK) return err->status;
    team->turns = (struct mu_turns){0};
    return make_ready(team, err);
}

/* Returns what a mode says of the sets. */
static uint32_t mode_of_sets(const struct mu_team_launch *team)
{
    const uint32_t lines = (uint32_t)(team->distance / MU_SYNC_LINE);
    return lines << MU_MODE_LINES_SHIFT | (team->turns.turn != 0 ? MU_MODE_SECOND_SET : 0);
}

/* Returns the last argument, by which a roll call waits for late groups: patience of atomic, a delay of the others. */
static cl_uint wait_of(const struct mu_team_launch *team)
{
    return team->rollcall == MU_ROLLCALL_ATOMIC ? team->launch.patience : team->launch.delay;
}

/* Sets the arguments MU_TEAM_PARAMETERS. */
static int set_arguments(const struct mu_team_launch *team, const struct mu_team_kernel *kernel, uint32_t mode,
                         struct mu_error *err)
{
    const struct mu_launch *launch = &team->launch;
    const cl_uint limit = launch->limit != 0 ? launch->limit : UINT32_MAX;
    const cl_uint words[] = {mode, launch->expected, wait_of(team), limit};
    const cl_uint count = sizeof words / sizeof words[0];
    cl_int status = clSetKernelArg(kernel->kernel, kernel->own_arguments, sizeof team->sync, &team->sync);
    for (cl_uint i = 0; status == CL_SUCCESS && i < count; i++)
        status = clSetKernelArg(kernel->kernel, kernel->own_arguments + 1 + i, sizeof words[i], &words[i]);
    if (status == CL_SUCCESS && team->load) { /* MU_LOAD_PARAMETER */
        const cl_mem word = mu_asker_word(team->asker);
        status = clSetKernelArg(kernel->kernel, kernel->own_arguments + 1 + count, sizeof word, &word);
    }
    return mu_cl_check(status, kernel->name, err);
}

/* Says of a launch with the runtime's own barrier that was refused how many workgroups the runtime promises. */
static int explain_refusal(const struct mu_team_launch *team, const struct mu_team_kernel *kernel, cl_int status,
                           struct mu_error *err)
{
    struct mu_error unheard = {0};
    size_t said = 0;
    mu_promise_count(team->native, team->target, kernel->kernel, team->workgroup, &said, &unheard);
    if (unheard.status != MU_OK) return mu_cl_check(status, kernel->name, err);
    return mu_fail(err, MU_DEVICE,
                   "%s: %s (%d) for %u workgroups of %u work-items that are to run at once: %s says that %zu can",
                   kernel->name, mu_cl_name(status), status, team->launch.groups, team->workgroup,
                   mu_promise_name(team->native), said);
}

/* Sets the arguments and launches; *event, where the queue takes event times, is the caller's. */
static int enqueue(const struct mu_team_launch *team, const struct mu_team_kernel *kernel, uint32_t mode,
                   cl_event *event, struct mu_error *err)
{
    /* The seed is an offset in the second dimension, which is one wide: perturb.clh. */
    const size_t workgroup[] = {team->workgroup, 1}, items[] = {(size_t)team->launch.groups * team->workgroup, 1};
    const size_t offset[] = {0, team->launch.seed};
    const bool perturbed = team->launch.seed != 0;
    if (set_arguments(team, kernel, mode, err) != MU_OK) return err->status;
    if (team->native != NULL && mu_promise_dispatch(team->native, kernel->kernel, err) != MU_OK) return err->status;
    const cl_int status =
        clEnqueueNDRangeKernel(team->target->queue, kernel->kernel, perturbed ? 2 : 1, perturbed ? offset : NULL, items,
                               workgroup, 0, NULL, team->events ? event : NULL);
    if (status != CL_SUCCESS && team->native != NULL) return explain_refusal(team, kernel, status, err);
    return mu_cl_check(status, kernel->name, err);
}

/* Takes the time of an ended launch's event, if there is one. */
static int take_event(cl_event event, struct mu_team_times *times, struct mu_error *err)
{
    uint64_t device_ns = 0;
    if (err->status == MU_OK && event != NULL)
        mu_event_time(event, &device_ns, err);
    else if (event != NULL)
        clReleaseEvent(event);
    times->device_ns += device_ns;
    return err->status;
}

static int launch(struct mu_team_launch *team, const struct mu_team_kernel *kernel, uint32_t mode,
                  struct mu_team_times *times, struct mu_error *err)
{
    cl_event event = NULL;
    if (mu_cl_check(clFinish(team->target->queue), "clFinish before a launch", err) != MU_OK) return err->status;
    const uint64_t start = mu_now_ns();
    if (enqueue(team, kernel, mode, &event, err) != MU_OK) return err->status;
    mu_cl_check(clFinish(team->target->queue), kernel->name, err);
    times->host_ns += mu_now_ns() - start;
    return take_event(event, times, err);
}

/* Reads the report, and waits for it and so for all that was enqueued before. */
static int hear(struct mu_team_launch *team, bool to_the_end, struct mu_error *err)
{
    struct mu_pinned pinned = {0};
    const struct mu_flags report = {team->sync, mu_team_launch_set(team) + (size_t)MU_SYNC_ABORT, MU_REPORT_READ};
    if (team->pinned != NULL) pinned = *team->pinned;
    if (to_the_end) pinned.kind = MU_READBACK_BLOCKING;
    return mu_read_last(team->target, &pinned, &report, team->told, err);
}

/* Does what `launch` does, and all around it: words, arguments and report. A launch whose event has times to give is
 * waited for to the end. */
static int launch_and_hear(struct mu_team_launch *team, const struct mu_team_kernel *kernel, uint32_t mode,
                           struct mu_team_times *times, struct mu_error *err)
{
    cl_event event = NULL;
    const uint64_t start = mu_now_ns();
    if (make_ready(team, err) == MU_OK && enqueue(team, kernel, mode | mode_of_sets(team), &event, err) == MU_OK)
        hear(team, event != NULL, err);
    times->host_ns += mu_now_ns() - start;
    return take_event(event, times, err);
}

/* Has the host ask for requests of a load until end_asking, where the launch has one. */
static int begin_asking(struct mu_team_launch *team, const struct mu_team_kernel *kernel, uint32_t mode, bool *asks,
                        struct mu_error *err)
{
    *asks = false;
    if (team->load && team->asker == NULL && mu_load_choose_asking(team, kernel, err) != MU_OK) return err->status;
    if (!team->load || mode != 0) return MU_OK;
    const uint64_t period_ns = team->launch.load.period_ns;
    *asks = mu_asker_start(team->asker, period_ns == 0 ? NEVER_NS : 0, period_ns, err) == MU_OK;
    return err->status;
}

static int end_asking(struct mu_team_launch *team, bool asks, struct mu_error *err)
{
    uint64_t first_ns;
    if (asks) mu_asker_stop(team->asker, &first_ns, err);
    return err->status;
}

int mu_team_launch_run(struct mu_team_launch *team, const struct mu_team_kernel *kernel, uint32_t mode,
                       struct mu_team_times *times, struct mu_error *err)
{
    bool asks;
    if (begin_asking(team, kernel, mode, &asks, err) != MU_OK) return err->status;
    launch(team, kernel, mode, times, err);
    return end_asking(team, asks, err);
}

static struct mu_report_context context_of(const struct mu_team_launch *team)
{
    return (struct mu_report_context){team->target->queue, team->sync,       mu_team_launch_set(team),
                                      team->launch.groups, team->spin_limit, team->places};
}

int mu_team_launch_go(struct mu_team_launch *team, const struct mu_team_kernel *kernel, uint32_t mode,
                      struct mu_team_times *times, struct mu_report *report, struct mu_error *err)
{
    bool asks;
    if (begin_asking(team, kernel, mode, &asks, err) != MU_OK) return err->status;
    launch_and_hear(team, kernel, mode, times, err);
    if (end_asking(team, asks, err) != MU_OK) return err->status;
    const struct mu_report_context context = context_of(team);
    if (mu_report_judge(&context, team->told, report, err) != MU_OK) return err->status;
    if (team->distance != 0 && report->team != 0) mu_turns_end(&team->turns, team->launch.groups);
    return MU_OK;
}

int mu_team_launch_report(const struct mu_team_launch *team, struct mu_report *report, struct mu_error *err)
{
    const struct mu_report_context context = context_of(team);
    return mu_report_read(&context, report, err);
}

int mu_team_launch_judge_team(const struct mu_team_launch *team, const struct mu_report *report, struct mu_error *err)
{
    const uint32_t groups = team->launch.groups;
    if (report->team == 0) return mu_fail(err, MU_CRASH, "the kernel ended without a team");
    if (report->team <= groups && (team->variant != MU_SPECIALISED || report->team == groups)) return MU_OK;
    return mu_fail(err, MU_WRONG, "the kernel says that its team was of %u workgroups; %u were launched", report->team,
                   groups);
}

int mu_team_launch_judge_ends(const struct mu_team_launch *team, const struct mu_report *report, struct mu_error *err)
{
    cl_uint *ended = mu_malloc(report->team, sizeof *ended, "what the ranks saw", err);
    if (ended == NULL) return err->status;
    mu_cl_check(clEnqueueReadBuffer(team->target->queue, team->sync, CL_TRUE,
                                    (mu_team_launch_set(team) + MU_SYNC_ENDED(team->launch.groups)) * sizeof *ended,
                                    report->team * sizeof *ended, ended, 0, NULL, NULL),
                "reading what the ranks saw", err);
    for (uint32_t rank = 0; rank < report->team && err->status == MU_OK; rank++)
        if (ended[rank] != MU_ENDED(report->team, report->crossed))
            mu_fail(err, MU_WRONG,
                    "rank %u of %u did not end as rank 0 says, behind %u barriers: it is missing, stands for two "
                    "workgroups, or saw another team or other barriers",
                    rank, report->team, report->crossed);
    mu_free(ended);
    return err->status;
}

void mu_team_launch_close(struct mu_team_launch *team)
{
    mu_asker_free(team->asker);
    if (team->sync != NULL) clReleaseMemObject(team->sync);
    *team = (struct mu_team_launch){0};
}
