/* The child's side of the litmus tests: shapes of a few accesses, through an atomics path alone. */
#include "harness/litmus/litmus.h"

#include "harness/device/launch_defaults.h"
#include "harness/litmus/shapes.clh"
#include "inputs/rng.h"

#include <math.h>
#include <string.h>

#define MOST_GROUPS 512u
#define LEAST_TURNS 4u
#define MOST_TURNS  400u

const struct mu_litmus_shape mu_litmus_shape_table[] = {
    {"MP", "flag seen, data not", MU_LITMUS_MP, 2, 1, true, false},
    {"SB", "neither sees the other", MU_LITMUS_SB, 2, 0, false, false},
    {"LB", "both see what comes later", MU_LITMUS_LB, 2, 3, true, false},
    {"CoRR", "new, then old", MU_LITMUS_CORR, 2, 1, true, true},
    {"WRC", "passed on, not seen", MU_LITMUS_WRC, 3, 3, true, false},
    {"ISA2", "passed on twice, not seen", MU_LITMUS_ISA2, 3, 3, true, false},
    {"IRIW", "two orders of two writes", MU_LITMUS_IRIW, 4, 5, false, false},
    {0},
};

bool mu_litmus_is_forbidden(const struct mu_litmus_shape *shape, enum mu_litmus_form form)
{
    return form == MU_LITMUS_ORDERED ? shape->forbidden : shape->forbidden_relaxed;
}

enum { WORDS, RESULTS, SCRATCH, COUNTS, BUFFERS };

const struct mu_litmus_stress mu_litmus_all_over = {MU_LITMUS_ALL_OVER, 1, 1, 0, 4};

void mu_litmus_set_stress(struct mu_json *object, const struct mu_litmus_stress *stress)
{
    mu_json_set_number(object, "pattern", stress->pattern);
    mu_json_set_number(object, "spread", stress->spread);
    mu_json_set_number(object, "stride", stress->stride);
    mu_json_set_number(object, "before", stress->before);
    mu_json_set_number(object, "share", stress->share);
}

bool mu_litmus_get_stress(const json_t *object, struct mu_litmus_stress *stress)
{
    *stress = (struct mu_litmus_stress){.pattern = mu_json_count(object, "pattern") % MU_LITMUS_PATTERNS,
                                        .spread = mu_json_count(object, "spread"),
                                        .stride = mu_json_count(object, "stride"),
                                        .before = mu_json_count(object, "before"),
                                        .share = mu_json_count(object, "share")};
    return stress->spread != 0 && stress->share != 0;
}

struct bench {
    struct mu_trial *trial;
    struct mu_litmus_stress stress;
    cl_program program;
    cl_kernel play, count;
    cl_mem buffers[BUFFERS];
    uint32_t workgroup, groups; /* groups that test, a power of two */
    enum mu_litmus_form form;
};

static uint32_t items_of(const struct bench *bench)
{
    return bench->workgroup * bench->groups;
}

uint32_t mu_litmus_groups(const struct mu_device_info *info)
{
    uint32_t groups = MU_LITMUS_ROLES;
    while (groups < 4 * mu_device_units(info) && groups < MOST_GROUPS) groups *= 2;
    return groups;
}

static int open_bench(struct bench *bench, struct mu_error *err)
{
    struct mu_build build;
    cl_int status;
    if (mu_litmus_build(bench->trial, &build, &bench->form, err) != MU_OK ||
        mu_litmus_program(bench->trial, &build, bench->form, &bench->program, err) != MU_OK)
        return err->status;
    bench->workgroup = build.workgroup;
    bench->groups = mu_litmus_groups(&bench->trial->info);
    bench->play = clCreateKernel(bench->program, "litmus_shapes", &status);
    if (status == CL_SUCCESS) bench->count = clCreateKernel(bench->program, "litmus_count", &status);
    if (mu_cl_check(status, "the kernels of litmus tests", err) != MU_OK) return err->status;
    const size_t words = (size_t)MU_LITMUS_ROLES * items_of(bench);
    if (mu_litmus_buffer(bench->trial, words, &bench->buffers[WORDS], err) == MU_OK &&
        mu_litmus_buffer(bench->trial, words, &bench->buffers[RESULTS], err) == MU_OK &&
        mu_litmus_buffer(bench->trial, items_of(bench), &bench->buffers[SCRATCH], err) == MU_OK)
        mu_litmus_buffer(bench->trial, MU_LITMUS_CODES, &bench->buffers[COUNTS], err);
    return err->status;
}

static void close_bench(struct bench *bench)
{
    for (size_t i = 0; i < BUFFERS; i++)
        if (bench->buffers[i] != NULL) clReleaseMemObject(bench->buffers[i]);
    if (bench->play != NULL) clReleaseKernel(bench->play);
    if (bench->count != NULL) clReleaseKernel(bench->count);
    if (bench->program != NULL) clReleaseProgram(bench->program);
}

/* Launches every instance once. */
static int play(struct bench *bench, const struct mu_litmus_shape *shape, cl_uint place, cl_uint seed,
                struct mu_error *err)
{
    cl_command_queue queue = bench->trial->target.queue;
    const struct mu_litmus_stress *how = &bench->stress;
    const cl_uint before = (place & MU_LITMUS_STRESS) != 0 ? how->before : 0;
    const cl_uint numbers[] = {shape->number, shape->roles, bench->groups, place, seed,
                               how->pattern,  how->spread,  how->stride,   before};
    const uint32_t stress = (place & MU_LITMUS_STRESS) != 0 ? bench->groups / how->share : 0;
    const size_t local = bench->workgroup, items = items_of(bench);
    const size_t global = (size_t)(bench->groups + stress) * local;
    cl_int status = CL_SUCCESS;
    if (mu_litmus_clear(bench->trial, bench->buffers[WORDS], MU_LITMUS_ROLES * items, err) != MU_OK) return err->status;
    for (cl_uint i = 0; i < COUNTS && status == CL_SUCCESS; i++)
        status = clSetKernelArg(bench->play, i, sizeof bench->buffers[i], &bench->buffers[i]);
    for (cl_uint i = 0; i < sizeof numbers / sizeof numbers[0] && status == CL_SUCCESS; i++)
        status = clSetKernelArg(bench->play, COUNTS + i, sizeof numbers[i], &numbers[i]);
    if (status == CL_SUCCESS)
        status = clEnqueueNDRangeKernel(queue, bench->play, 1, NULL, &global, &local, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clSetKernelArg(bench->count, 0, sizeof bench->buffers[RESULTS], &bench->buffers[RESULTS]);
    if (status == CL_SUCCESS)
        status = clSetKernelArg(bench->count, 1, sizeof bench->buffers[COUNTS], &bench->buffers[COUNTS]);
    if (status == CL_SUCCESS)
        status = clEnqueueNDRangeKernel(queue, bench->count, 1, NULL, &items, &local, 0, NULL, NULL);
    if (status == CL_SUCCESS) status = clFinish(queue);
    return mu_cl_check(status, "a litmus test", err);
}

static json_t *described(uint32_t place, const cl_uint counts[MU_LITMUS_CODES])
{
    struct mu_json more = mu_json_object(), all = mu_json_array();
    mu_json_set_flag(&more, "near", (place & MU_LITMUS_NEAR) != 0);
    mu_json_set_flag(&more, "same_line", (place & MU_LITMUS_LINE) != 0);
    mu_json_set_flag(&more, "stress", (place & MU_LITMUS_STRESS) != 0);
    for (size_t i = 0; i < MU_LITMUS_CODES; i++) mu_json_append_number(&all, counts[i]);
    mu_json_set_part(&more, "counts", &all);
    return mu_json_take(&more, "a litmus test", NULL);
}

/* Launches until the clock says `end`, but at least and at most so many turns. *turns counts them, and `counts` the
 * outcomes of their instances. */
static int play_until(struct bench *bench, const struct mu_litmus_shape *shape, uint32_t place, uint64_t end,
                      uint32_t *turns, cl_uint counts[MU_LITMUS_CODES], struct mu_error *err)
{
    struct mu_trial *trial = bench->trial;
    if (mu_litmus_clear(trial, bench->buffers[COUNTS], MU_LITMUS_CODES, err) != MU_OK ||
        mu_litmus_clear(trial, bench->buffers[RESULTS], (size_t)MU_LITMUS_ROLES * items_of(bench), err) != MU_OK)
        return err->status;
    while (err->status == MU_OK && *turns < MOST_TURNS && (*turns < LEAST_TURNS || mu_now_ns() < end))
        play(bench, shape, place, 0x9e3779b9u * ++*turns, err);
    if (err->status == MU_OK)
        mu_cl_check(clEnqueueReadBuffer(trial->target.queue, bench->buffers[COUNTS], CL_TRUE, 0,
                                        MU_LITMUS_CODES * sizeof counts[0], counts, 0, NULL, NULL),
                    "the counts of a litmus test", err);
    return err->status;
}

/* Measures a shape for about as many milliseconds as the point says. */
static int measure(struct bench *bench, const struct mu_litmus_shape *shape, uint32_t place, struct mu_error *err)
{
    struct mu_trial *trial = bench->trial;
    const uint64_t end = mu_now_ns() + (uint64_t)mu_trial_number(trial, "milliseconds") * 1000000;
    cl_uint counts[MU_LITMUS_CODES] = {0};
    struct mu_litmus_seen seen = {
        .test = shape->name, .outcome = shape->outcome, .forbidden = mu_litmus_is_forbidden(shape, bench->form)};
    uint32_t turns = 0;
    if (play_until(bench, shape, place, end, &turns, counts, err) != MU_OK) return err->status;
    seen.instances = (uint64_t)turns * items_of(bench);
    seen.weak = counts[shape->weak];
    return mu_litmus_add(trial, &seen, described(place, counts), err);
}

int mu_litmus_shapes(struct mu_trial *trial, struct mu_error *err)
{
    struct bench bench = {.trial = trial, .stress = mu_litmus_all_over};
    open_bench(&bench, err);
    for (size_t i = 0; mu_litmus_shape_table[i].name != NULL; i++)
        for (uint32_t place = 0; place < MU_LITMUS_PLACES && err->status == MU_OK; place++)
            measure(&bench, &mu_litmus_shape_table[i], place, err);
    close_bench(&bench);
    return err->status;
}

/* ---- The search ---- */

/* Draws a candidate of the search. */
static struct mu_litmus_stress draw(uint32_t number)
{
    static const uint32_t spreads[] = {1, 2, 4, 8, 16, 32, 64}, strides[] = {1, 8, 32, 64, 256, 1024};
    static const uint32_t befores[] = {0, 0, 16, 128}, shares[] = {1, 2, 4, 8};
    const uint64_t drawn = mu_random(mu_random_stream(1, 0), number);
    return (struct mu_litmus_stress){.pattern = (uint32_t)drawn % MU_LITMUS_PATTERNS,
                                     .spread = spreads[(drawn >> 8) % (sizeof spreads / sizeof spreads[0])],
                                     .stride = strides[(drawn >> 16) % (sizeof strides / sizeof strides[0])],
                                     .before = befores[(drawn >> 24) % (sizeof befores / sizeof befores[0])],
                                     .share = shares[(drawn >> 32) % (sizeof shares / sizeof shares[0])]};
}

/* Computes how well the bench's stress brings out what order would forbid: the geometric mean, over the shapes, of the
 * outcome's rate per million. One instance is added to each, so that one shape without it does not hide the others. */
static int try_stress(struct bench *bench, double *score, struct mu_error *err)
{
    double logarithms = 0;
    uint32_t tried = 0;
    for (size_t i = 0; mu_litmus_shape_table[i].name != NULL && err->status == MU_OK; i++) {
        cl_uint counts[MU_LITMUS_CODES] = {0};
        uint32_t turns = 0;
        if (!mu_litmus_shape_table[i].forbidden || mu_litmus_shape_table[i].forbidden_relaxed) continue;
        if (play_until(bench, &mu_litmus_shape_table[i], MU_LITMUS_STRESS, 0, &turns, counts, err) != MU_OK) break;
        logarithms += log(1e6 * (counts[mu_litmus_shape_table[i].weak] + 1.0) / ((double)turns * items_of(bench)));
        tried++;
    }
    *score = tried > 0 ? exp(logarithms / tried) : 0;
    return err->status;
}

static json_t *found_as_json(const struct mu_litmus_stress *best, uint32_t tries, double score, double score_all_over)
{
    struct mu_json found = mu_json_object();
    mu_litmus_set_stress(&found, best);
    mu_json_set_number(&found, "tries", tries);
    mu_json_set_real(&found, "score", score);
    mu_json_set_real(&found, "score_all_over", score_all_over);
    return mu_json_take(&found, "a litmus test", NULL);
}

int mu_litmus_search(struct mu_trial *trial, struct mu_error *err)
{
    struct bench bench = {.trial = trial, .stress = mu_litmus_all_over};
    struct mu_litmus_stress best = mu_litmus_all_over;
    const uint64_t end = mu_now_ns() + (uint64_t)mu_trial_number(trial, "seconds") * 1000000000;
    uint32_t tries = 0;
    double best_score = 0, first_score = 0;
    open_bench(&bench, err);
    while (err->status == MU_OK && (tries < 2 || mu_now_ns() < end)) {
        double score = 0;
        if (tries > 0) bench.stress = draw(tries);
        if (try_stress(&bench, &score, err) != MU_OK) break;
        if (tries++ == 0) first_score = score;
        if (score <= best_score) continue;
        best_score = score;
        best = bench.stress;
    }
    close_bench(&bench);
    if (err->status == MU_OK) mu_trial_add(trial, found_as_json(&best, tries, best_score, first_score), err);
    return err->status;
}

int mu_litmus_stressed(struct mu_trial *trial, struct mu_error *err)
{
    struct bench bench = {.trial = trial};
    if (!mu_litmus_get_stress(trial->known, &bench.stress))
        return mu_fail(err, MU_UNSUPPORTED, "no stress was found that could be used");
    open_bench(&bench, err);
    for (size_t i = 0; mu_litmus_shape_table[i].name != NULL; i++)
        for (uint32_t place = MU_LITMUS_STRESS; place < MU_LITMUS_PLACES && err->status == MU_OK; place++)
            measure(&bench, &mu_litmus_shape_table[i], place, err);
    close_bench(&bench);
    return err->status;
}
