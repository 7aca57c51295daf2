/* The axes of a probe's experiments, and their values on a chip. */
#include "harness/probe/axes.h"

#include "harness/device/launch_defaults.h"
#include "harness/probe/probe.h"

#define RUNS           50  /* of each roll call, for recall (OOPSLA 2016, section 5.1) */
#define COST_RUNS      20  /* for cost */
#define ALL_RUNS       200 /* that a patience must find the whole bound in */
#define QUICK_RUNS     5
#define LAUNCHES       200   /* of each kernel time, for utilisation */
#define THESIS_COUNT   10000 /* the thesis's, figure 4.7 */
#define SMALLEST_SWEPT 32
#define LARGEST_SWEPT  1024
#define LEAST_LOCAL    1
#define SMALL_COPY     (UINT32_C(1) << 18)

/* ---- Values of the axes ---- */

static uint32_t largest_workgroup(const struct mu_device_info *info)
{
    uint32_t workgroup = 1;
    while (workgroup * 2 <= info->max_workgroup && workgroup < 1u << (MU_PROFILE_SIZES - 1)) workgroup *= 2;
    return workgroup;
}

/* Lists the workgroups of the four microbenchmarks: one work-item or the largest workgroup, each with least or all
 * local memory. */
static void end_workgroups(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, 1);
    mu_json_append_number(values, largest_workgroup(of->info));
}

static void end_locals(const struct mu_circumstances *of, struct mu_json *values)
{
    const uint64_t bytes = of->info->local_bytes;
    mu_json_append_number(values, LEAST_LOCAL);
    mu_json_append_number(values, bytes > UINT32_MAX ? UINT32_MAX : bytes);
}

static void least_local(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_number(values, LEAST_LOCAL);
}

static void usual_workgroup(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, mu_default_workgroup(of->info));
}

static void wide_step(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_number(values, MU_YIELD_QUICK_STEP);
}

/* Lists workgroup sizes. A CPU runs work-items one after another, so that few sizes tell all; a quick probe has one. */
static void swept_workgroups(const struct mu_circumstances *of, struct mu_json *values)
{
    const struct mu_device_info *info = of->info;
    for (uint32_t size = SMALLEST_SWEPT; size <= LARGEST_SWEPT && size <= info->max_workgroup; size *= 2) {
        const bool end = size == SMALLEST_SWEPT || size == LARGEST_SWEPT;
        if (size == mu_default_workgroup(info) || !(of->quick || (info->cpu && !end)))
            mu_json_append_number(values, size);
    }
}

static void fine_workgroups(const struct mu_circumstances *of, struct mu_json *values)
{
    const struct mu_probe_options *options = of->options;
    for (uint32_t size = MU_FINE_STEP; options->fine && size <= of->info->max_workgroup && size <= LARGEST_SWEPT;
         size += MU_FINE_STEP)
        mu_json_append_number(values, size);
}

static void runs(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, of->quick ? QUICK_RUNS : RUNS);
}

static void cost_runs(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, of->quick ? QUICK_RUNS : COST_RUNS);
}

static void all_runs(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, of->quick ? QUICK_RUNS : ALL_RUNS);
}

static void launches(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, of->quick ? LAUNCHES / 10 : LAUNCHES);
    if (((const struct mu_probe_options *)of->options)->thesis) mu_json_append_number(values, THESIS_COUNT);
}

/* Lists parts of the workgroups that a runtime says can run at once: all, the half, …; 0: one more than that. */
static void shares(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    for (uint32_t share = 16; share > 0; share /= 2) mu_json_append_number(values, share);
    mu_json_append_number(values, 0);
}

/* Lists an array that caches hold, and one that they do not, if two of those fit. A simulator would take minutes. */
static void copied_bytes(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, SMALL_COPY);
    if (!of->info->simulator && of->info->max_allocation_bytes >= MU_BEYOND_CACHES &&
        of->info->global_bytes / 4 >= MU_BEYOND_CACHES)
        mu_json_append_number(values, MU_BEYOND_CACHES);
}

static void asked_app(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_text(values, ((const struct mu_probe_options *)of->options)->app);
}

/* Lists the format, or none if the content tells it: points have no such parameter then. */
static void asked_format(const struct mu_circumstances *of, struct mu_json *values)
{
    const char *format = ((const struct mu_probe_options *)of->options)->input_format;
    if (format != NULL) mu_json_append_text(values, format);
}

static void app_by_content(const struct mu_circumstances *of, struct mu_json *values)
{
    if (((const struct mu_probe_options *)of->options)->input_format == NULL) asked_app(of, values);
}

static void asked_time(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, ((const struct mu_probe_options *)of->options)->watchdog_ms);
}

static void asked_input(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_text(values, ((const struct mu_probe_options *)of->options)->input);
}

static void app_workgroups(const struct mu_circumstances *of, struct mu_json *values)
{
    const struct mu_device_info *info = of->info;
    const uint32_t wanted = ((const struct mu_probe_options *)of->options)->workgroup;
    if (wanted != 0)
        mu_json_append_number(values, wanted);
    else if (info->cpu)
        usual_workgroup(of, values);
    else
        mu_axis_powers(SMALLEST_SWEPT, info->max_workgroup < LARGEST_SWEPT ? info->max_workgroup : LARGEST_SWEPT, 2,
                       values);
}

/* ---- Axes ---- */

#define WORKGROUP   "workgroup", "work-items in a workgroup"
#define LOCAL_BYTES "local_bytes", "local memory that each workgroup occupies, at least"
#define TIMES       "runs", "roll calls of each kind"

const struct mu_axis mu_probe_no_axes[] = {{0}};
const struct mu_axis mu_probe_axes_ends[] = {{WORKGROUP, end_workgroups}, {LOCAL_BYTES, end_locals}, {0}};
const struct mu_axis mu_probe_axes_ends_runs[] = {
    {WORKGROUP, end_workgroups}, {LOCAL_BYTES, end_locals}, {TIMES, runs}, {0}};
const struct mu_axis mu_probe_axes_ends_all_runs[] = {
    {WORKGROUP, end_workgroups}, {LOCAL_BYTES, end_locals}, {TIMES, all_runs}, {0}};
const struct mu_axis mu_probe_axes_swept[] = {{WORKGROUP, swept_workgroups}, {LOCAL_BYTES, least_local}, {0}};
const struct mu_axis mu_probe_axes_swept_cost_runs[] = {
    {WORKGROUP, swept_workgroups}, {LOCAL_BYTES, least_local}, {TIMES, cost_runs}, {0}};
const struct mu_axis mu_probe_axes_fine_cost_runs[] = {
    {WORKGROUP, fine_workgroups}, {LOCAL_BYTES, least_local}, {TIMES, cost_runs}, {0}};
const struct mu_axis mu_probe_axes_usual[] = {{WORKGROUP, usual_workgroup}, {LOCAL_BYTES, least_local}, {0}};
const struct mu_axis mu_probe_axes_quick_steps[] = {{WORKGROUP, usual_workgroup},
                                                    {LOCAL_BYTES, least_local},
                                                    {"step", "from one number of polls to the next", wide_step},
                                                    {0}};
const struct mu_axis mu_probe_axes_usual_runs[] = {
    {WORKGROUP, usual_workgroup}, {LOCAL_BYTES, least_local}, {TIMES, runs}, {0}};
const struct mu_axis mu_probe_axes_parts[] = {{WORKGROUP, swept_workgroups},
                                              {LOCAL_BYTES, least_local},
                                              {"share", "of the workgroups that are promised, as a divisor", shares},
                                              {0}};
const struct mu_axis mu_probe_axes_kernel_times[] = {{"launches", "of each kernel time", launches}, {0}};
const struct mu_axis mu_probe_axes_copied[] = {{"bytes", "of the array that is copied", copied_bytes}, {0}};
const struct mu_axis mu_probe_axes_watched[] = {{"ms", "that the kernel is to take", asked_time}, {0}};
const struct mu_axis mu_probe_axes_kernel_of_app[] = {{"app", "whose kernel it is", app_by_content},
                                                      {"input", "that it runs on", asked_input},
                                                      {WORKGROUP, app_workgroups},
                                                      {0}};
const struct mu_axis mu_probe_axes_kernel_of_app_as[] = {{"app", "whose kernel it is", asked_app},
                                                         {"input", "that it runs on", asked_input},
                                                         {"input_format", "that the input's file has", asked_format},
                                                         {WORKGROUP, app_workgroups},
                                                         {0}};
