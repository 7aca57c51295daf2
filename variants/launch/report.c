#include "variants/launch/report.h"

#include "base/memory.h"
#include "variants/teams/sync_layout.clh"

#include "variants/cooperative/layout.clh"

static const char *rank_text(uint32_t phase)
{
    return phase == MU_PHASE_LOCK ? "workgroup" : "rank";
}

/* A command that takes days is a driver's wrong clock. */
#define MOST_EVENT_NS UINT64_C(1000000000000000)

/* Writes what became of the ranks, from the words that they left. Empty if those cannot be had: the report stands
 * without them. */
static void read_ranks(const struct mu_report_context *context, const struct mu_report_barrier *barrier, char *text,
                       size_t bytes)
{
    const size_t groups = context->groups, first = MU_SYNC_ENDED(groups), count = MU_SYNC_WORDS(groups) - first;
    cl_uint *words = mu_malloc(count, sizeof *words, "what the ranks saw", NULL);
    text[0] = '\0';
    if (words != NULL && barrier->team <= groups &&
        clEnqueueReadBuffer(context->queue, context->sync, CL_TRUE, (context->set + first) * sizeof *words,
                            count * sizeof *words, words, 0, NULL, NULL) == CL_SUCCESS)
        mu_report_ranks(&context->places, barrier, words, words + (MU_SYNC_WAITED(groups) - first), text, bytes);
    mu_free(words);
}

static int report_barrier(const struct mu_report_context *context, const cl_uint *words, struct mu_error *err)
{
    const struct mu_report_barrier barrier = {.number = words[MU_REPORT_BARRIER - MU_SYNC_REPORT],
                                              .place = words[MU_REPORT_PLACE - MU_SYNC_REPORT],
                                              .team = words[MU_REPORT_TEAM - MU_SYNC_REPORT],
                                              .arrived = words[MU_REPORT_ARRIVED - MU_SYNC_REPORT]};
    char place[192], ranks[1024];
    mu_report_place(&context->places, barrier.place, place, sizeof place);
    read_ranks(context, &barrier, ranks, sizeof ranks);
    return mu_fail(err, MU_DEADLOCK,
                   "rank %u waited at barrier %u%s, where %u of %u workgroups had arrived (%u launched, %u polls)%s",
                   words[MU_REPORT_RANK - MU_SYNC_REPORT], barrier.number, place, barrier.arrived, barrier.team,
                   context->groups, context->spin_limit, ranks);
}

/* Reports what ended a kernel behind a barrier, without a wait that ran out. */
static int report_plan(const struct mu_report_context *context, uint32_t phase, const cl_uint *words,
                       struct mu_error *err)
{
    const struct mu_broken_rule broken = {.rule = words[MU_REPORT_RULE - MU_SYNC_REPORT],
                                          .buffer = words[MU_REPORT_BUFFER - MU_SYNC_REPORT],
                                          .round = words[MU_REPORT_TEAM - MU_SYNC_REPORT],
                                          .told = words[MU_REPORT_ARRIVED - MU_SYNC_REPORT],
                                          .place = words[MU_REPORT_PLACE - MU_SYNC_REPORT]};
    char place[192];
    if (phase == MU_PHASE_MISUSE && context->places.rule != NULL)
        return context->places.rule(context->places.owner, &broken, err);
    mu_report_place(&context->places, broken.place, place, sizeof place);
    return mu_fail(err, MU_DEADLOCK, "the plan has had %u barriers and goes on, now%s (--rounds)",
                   words[MU_REPORT_BARRIER - MU_SYNC_REPORT], place);
}

/* Reports why the runtime's own barrier was not crossed (variants/barriers/native.clh). */
static int report_native(const struct mu_report_context *context, const cl_uint *words, struct mu_error *err)
{
    if (words[MU_REPORT_ARRIVED - MU_SYNC_REPORT] == 0)
        return mu_fail(err, MU_UNSUPPORTED, "barrier native: the runtime says that its barrier is not valid here");
    return mu_fail(err, MU_UNSUPPORTED,
                   "barrier native waits for all workgroups of a launch: the team is %u of %u launched",
                   words[MU_REPORT_TEAM - MU_SYNC_REPORT], context->groups);
}

/* Reports what a work queue says (variants/queues/), or a parked workgroup (variants/cooperative/). */
static int report_queue(const struct mu_report_context *context, uint32_t phase, const cl_uint *words,
                        struct mu_error *err)
{
    const cl_uint rank = words[MU_REPORT_RANK - MU_SYNC_REPORT];
    const cl_uint open = words[MU_REPORT_ARRIVED - MU_SYNC_REPORT];
    if (phase == MU_PHASE_STARVED)
        return mu_fail(err, MU_DEADLOCK, "a request of the load did not get its workgroups (%u launched, %u polls)",
                       context->groups, context->spin_limit);
    if (phase == MU_PHASE_LOST)
        return mu_fail(err, MU_DEADLOCK, "a request of the load was not done by its workgroups (%u launched, %u polls)",
                       context->groups, context->spin_limit);
    if (phase == MU_PHASE_PARKED)
        return mu_fail(err, MU_DEADLOCK,
                       "workgroup %u of the team was parked, and nobody arrived at a barrier (%u launched, %u polls)",
                       rank, context->groups, context->spin_limit);
    if (phase == MU_PHASE_FULL)
        return mu_fail(err, MU_LIMIT, "rank %u found work queue %u full, which has room for %u items; %u were not done",
                       rank, words[MU_REPORT_BARRIER - MU_SYNC_REPORT], words[MU_REPORT_TEAM - MU_SYNC_REPORT], open);
    return mu_fail(err, MU_DEADLOCK, "rank %u waited for %s, while %u items were not done (%u launched, %u polls)",
                   rank, phase == MU_PHASE_QUEUE ? "its turn at a work queue" : "work", open, context->groups,
                   context->spin_limit);
}

static int report_roll_call(const struct mu_report_context *context, uint32_t phase, const cl_uint *words,
                            struct mu_error *err)
{
    return mu_fail(err, MU_DEADLOCK,
                   "%s %u waited in the roll call, where %u of %u workgroups had been served (%u polls)",
                   rank_text(phase), words[MU_REPORT_RANK - MU_SYNC_REPORT], words[MU_REPORT_ARRIVED - MU_SYNC_REPORT],
                   context->groups, context->spin_limit);
}

_Static_assert(MU_SYNC_REPORT - MU_SYNC_ABORT + MU_REPORT_WORDS == MU_REPORT_READ, "what is read of a report");

int mu_report_judge(const struct mu_report_context *context, const uint32_t *all, struct mu_report *report,
                    struct mu_error *err)
{
    const cl_uint *words = all + (MU_SYNC_REPORT - MU_SYNC_ABORT);
    report->team = words[MU_REPORT_SIZE - MU_SYNC_REPORT];
    report->native = words[MU_REPORT_NATIVE - MU_SYNC_REPORT] != 0;
    report->crossed = words[MU_REPORT_CROSSED - MU_SYNC_REPORT];
    report->rank = words[MU_REPORT_RANK - MU_SYNC_REPORT];
    if (all[0] == MU_PHASE_NONE) return MU_OK;
    if (all[0] == MU_PHASE_MISUSE || all[0] == MU_PHASE_ENDLESS) return report_plan(context, all[0], words, err);
    if (all[0] == MU_PHASE_NATIVE) return report_native(context, words, err);
    if (all[0] >= MU_PHASE_QUEUE) return report_queue(context, all[0], words, err);
    return all[0] == MU_PHASE_BARRIER ? report_barrier(context, words, err)
                                      : report_roll_call(context, all[0], words, err);
}

int mu_report_read(const struct mu_report_context *context, struct mu_report *report, struct mu_error *err)
{
    cl_uint words[MU_REPORT_READ] = {0};
    const cl_int status =
        clEnqueueReadBuffer(context->queue, context->sync, CL_TRUE,
                            (context->set + (size_t)MU_SYNC_ABORT) * sizeof *words, sizeof words, words, 0, NULL, NULL);
    if (mu_cl_check(status, "reading the report of a run", err) != MU_OK) return err->status;
    return mu_report_judge(context, words, report, err);
}

int mu_times_apart(cl_ulong from, cl_ulong to, uint64_t *ns, struct mu_error *err)
{
    *ns = to > from ? to - from : 0;
    if (*ns <= MOST_EVENT_NS) return MU_OK;
    *ns = 0;
    return mu_fail(err, MU_DEVICE, "clGetEventProfilingInfo says that a command went from %llu ns to %llu ns",
                   (unsigned long long)from, (unsigned long long)to);
}

int mu_event_time(cl_event event, uint64_t *device_ns, struct mu_error *err)
{
    cl_ulong start = 0, end = 0;
    cl_int status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    if (status == CL_SUCCESS) status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    clReleaseEvent(event);
    if (mu_cl_check(status, "event times", err) != MU_OK) return err->status;
    return mu_times_apart(start, end, device_ns, err);
}
