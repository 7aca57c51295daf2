/* The trial of subgroups: whether a path that the device reports works, and how large subgroups are. It has a child
 * process of its own, since some drivers report functions that crash their compiler. */
#include "harness/device/trust/subgroups_trial.clh"
#include "harness/device/child.h"
#include "harness/device/program.h"
#include "harness/device/trust/selftest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TRIAL_DEADLINE_S 30.0
#define TRIAL_WORKGROUP  64
#define TRIAL_GROUPS     4

/* What a work-item reports. */
struct seen {
    cl_uint size, item, first;
    struct {
        cl_uint next, rank, all, any, lead;
    } round[SUBGROUPS_ROUNDS];
};

static int run(const struct mu_target *target, cl_program program, struct seen *seen, struct mu_error *err)
{
    const size_t items = (size_t)TRIAL_GROUPS * TRIAL_WORKGROUP, workgroup = TRIAL_WORKGROUP;
    cl_int status;
    cl_kernel kernel = NULL;
    cl_mem result = clCreateBuffer(target->context, CL_MEM_WRITE_ONLY, items * sizeof *seen, NULL, &status);
    if (status == CL_SUCCESS) kernel = clCreateKernel(program, "subgroups_trial", &status);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, 0, sizeof result, &result);
    if (status == CL_SUCCESS)
        status = clEnqueueNDRangeKernel(target->queue, kernel, 1, NULL, &items, &workgroup, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(target->queue, result, CL_TRUE, 0, items * sizeof *seen, seen, 0, NULL, NULL);
    if (kernel != NULL) clReleaseKernel(kernel);
    if (result != NULL) clReleaseMemObject(result);
    return mu_cl_check(status, "the trial of subgroups", err);
}

/* Returns the work-item of the group that is number `item` of the subgroup whose slots begin at `first`;
 * TRIAL_WORKGROUP: none. */
static cl_uint find(const struct seen *group, cl_uint first, cl_uint item)
{
    cl_uint lid = 0;
    while (lid < TRIAL_WORKGROUP && (group[lid].first != first || group[lid].item != item)) lid++;
    return lid;
}

/* Returns true if work-item `lid` saw in a round what its subgroup must make of it. */
static bool saw_right(const struct seen *group, cl_uint lid, cl_uint round)
{
    const struct seen *me = &group[lid];
    cl_uint rank = 0, all = 0;
    for (cl_uint item = 0; item < me->size; item++) {
        const cl_uint other = find(group, me->first, item);
        if (other == TRIAL_WORKGROUP || group[other].size != me->size) return false;
        const cl_uint one = SUBGROUPS_CONDITION(other, round) ? 1 : 0;
        all += one;
        if (item < me->item) rank += one;
        if (item == 0 && me->round[round].lead != other + round) return false;
        if (item == (me->item + 1) % me->size && me->round[round].next != other + round) return false;
    }
    return me->round[round].rank == rank && me->round[round].all == all && me->round[round].any == (all != 0);
}

static int judge(const struct seen *seen, struct mu_error *err)
{
    for (cl_uint i = 0; i < TRIAL_GROUPS * TRIAL_WORKGROUP; i++) {
        const cl_uint lid = i % TRIAL_WORKGROUP;
        const struct seen *group = seen + (i - lid);
        if (seen[i].size == 0 || seen[i].item >= seen[i].size || seen[i].first + seen[i].size > TRIAL_WORKGROUP ||
            find(group, seen[i].first, seen[i].item) != lid)
            return mu_fail(err, MU_WRONG, "work-item %u says that it is number %u of %u", lid, seen[i].item,
                           seen[i].size);
        for (cl_uint round = 0; round < SUBGROUPS_ROUNDS; round++)
            if (!saw_right(group, lid, round))
                return mu_fail(err, MU_WRONG, "work-item %u saw wrong values in round %u", lid, round);
    }
    return MU_OK;
}

int mu_subgroups_try(const struct mu_target *target, const struct mu_device_info *info, enum mu_subgroups subgroups,
                     uint32_t *size, struct mu_error *err)
{
    static struct seen seen[TRIAL_GROUPS * TRIAL_WORKGROUP];
    const struct mu_build build = {.c_standard = info->c_standard, .workgroup = TRIAL_WORKGROUP, .spin_limit = 1};
    struct mu_sources sources = {0};
    mu_sources_set_options(&sources, &build, err);
    mu_sources_add_subgroups(&sources, subgroups, NULL, err);
    mu_sources_add(&sources, "harness/device/trust/subgroups_trial.clh", NULL, err);
    mu_sources_add(&sources, "harness/device/trust/subgroups_trial.cl", NULL, err);
    cl_program program = mu_program_make(target, info, &sources, false, err);
    if (err->status == MU_OK && run(target, program, seen, err) == MU_OK) judge(seen, err);
    if (program != NULL) clReleaseProgram(program);
    *size = seen[0].size;
    return err->status;
}

/* Asks a child to try; a child that dies or hangs is a failed trial. */
static int try_in_child(const struct mu_device_info *info, const struct mu_child_environment *environment,
                        enum mu_subgroups subgroups, struct mu_selftest *result, struct mu_error *err)
{
    json_t *response = NULL;
    json_t *request = json_pack("{s:s, s:s, s:o}", "kind", "subgroups", "path", mu_subgroup_paths[subgroups].name,
                                "device", mu_device_to_json(info));
    mu_child_call(request, environment, mu_selftest_left(result, TRIAL_DEADLINE_S), &response, err);
    if (err->status == MU_OK) result->subgroup_size = (uint32_t)json_integer_value(json_object_get(response, "size"));
    json_decref(request);
    json_decref(response);
    return err->status;
}

/* Sets the reason, in one line: a compiler's message has several. */
__attribute__((format(printf, 2, 3))) static void say(struct mu_selftest *result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->subgroups_reason, sizeof result->subgroups_reason, format, arguments);
    va_end(arguments);
    for (char *at = result->subgroups_reason; *at != '\0'; at++)
        if (*at == '\n') *at = ' ';
}

int mu_subgroups_choose(const struct mu_device_info *info, const struct mu_settings *settings,
                        struct mu_selftest *result, struct mu_error *err)
{
    const struct mu_child_environment environment = {.icd = info->icd, .settings = settings};
    result->subgroups = MU_SUBGROUPS_NONE;
    result->subgroup_size = 1;
    say(result, "%s", (info->subgroup_paths & ~1u) == 0 ? "reports none, takes no PTX" : "asked for");
    for (int path = 0; mu_subgroup_paths[path].name != NULL && result->subgroups == MU_SUBGROUPS_NONE; path++) {
        struct mu_error failure = {0};
        if (path == MU_SUBGROUPS_NONE || (info->subgroup_paths & 1u << path) == 0) continue;
        if (try_in_child(info, &environment, (enum mu_subgroups)path, result, &failure) == MU_OK) {
            result->subgroups = (enum mu_subgroups)path;
            say(result, "a trial of their functions worked");
        } else if (failure.status == MU_INTERRUPTED) {
            return mu_fail(err, failure.status, "%s", failure.message);
        } else {
            result->late = result->late || failure.status == MU_DEADLINE;
            say(result, "the trial of %s failed: %.100s", mu_subgroup_paths[path].name, failure.message);
        }
    }
    return MU_OK;
}

/* ---- Another kernel ---- */

typedef cl_int(CL_API_CALL *subgroup_info)(cl_kernel, cl_device_id, cl_kernel_sub_group_info, size_t, const void *,
                                           size_t, void *, size_t *);

/* Returns the function that tells of a kernel's subgroups: that of OpenCL 3.0, or the extension's; NULL for none. */
static subgroup_info find_subgroup_info(cl_device_id device, enum mu_subgroups subgroups)
{
    cl_platform_id platform = NULL;
    subgroup_info info = NULL;
    if (subgroups == MU_SUBGROUPS_C30) return clGetKernelSubGroupInfo;
    if (subgroups != MU_SUBGROUPS_KHRONOS ||
        clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, (void *)&platform, NULL) != CL_SUCCESS)
        return NULL;
    void *found = clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSubGroupInfoKHR");
    memcpy(&info, &found, sizeof info);
    return info;
}

uint32_t mu_subgroup_size_of(const struct mu_target *target, cl_kernel kernel, size_t workgroup,
                             const struct mu_selftest *selftest)
{
    const subgroup_info ask = find_subgroup_info(target->device, selftest->subgroups);
    size_t size = 0;
    if (ask == NULL || ask(kernel, target->device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof workgroup,
                           &workgroup, sizeof size, &size, NULL) != CL_SUCCESS)
        return selftest->subgroup_size;
    return size != 0 && workgroup % size == 0 ? (uint32_t)size : selftest->subgroup_size;
}
