#include "analysis/prediction/cases.h"

#include "analysis/tables/common.h"
#include "base/memory.h"
#include "records/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char multi_kernel[] = "multi-kernel", multi_kernel_fixed[] = "multi-kernel-fixed";

/* Of multi-kernel's time, this share at least is work: the profile's launches are of kernels that do nothing, which may
 * take longer than launches that overlap with work. */
#define LEAST_WORK 0.05

#define MESH_DEGREE 3.0 /* a triangle has three neighbours */

static bool is_fixed(const struct mu_measurement *measurement)
{
    return strcmp(measurement->variant, multi_kernel_fixed) == 0;
}

bool mu_case_is_multi(const struct mu_measurement *measurement)
{
    return is_fixed(measurement) || strcmp(measurement->variant, multi_kernel) == 0;
}

bool mu_case_on_cpu(const struct mu_case *of)
{
    return of->of->record_count > 0 && of->of->every[0].on_threads;
}

bool mu_same_choice(const struct mu_choice_key *a, const struct mu_choice_key *b)
{
    return a->workgroup == b->workgroup && a->team_limit == b->team_limit && strcmp(a->variant, b->variant) == 0;
}

const struct mu_case_choice *mu_find_choice(const struct mu_case *of, const struct mu_choice_key *key)
{
    for (size_t i = 0; i < of->choice_count; i++)
        if (mu_same_choice(&of->choices[i].key, key)) return &of->choices[i];
    return NULL;
}

/* ---- Facts ---- */

/* Returns the last process, whose record tells of its last execution. */
static const struct mu_process *process_of(const struct mu_measurement *multi)
{
    return multi->record_count > 0 ? &multi->every[multi->record_count - 1] : NULL;
}

/* Returns the mean time in kernels over the processes that were traced; NAN for none. */
static double traced_ns(const struct mu_measurement *multi)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < multi->record_count; i++) {
        const struct mu_process *process = &multi->every[i];
        if (process->device_ns <= 0) continue;
        sum += process->device_ns;
        count++;
    }
    return count > 0 ? sum / count : (double)NAN;
}

static void set_logs(struct mu_case_facts *facts)
{
    const bool graph = facts->vertices > 0 && facts->edges > 0;
    facts->log.share = log(facts->overhead_ns) - facts->log_ns;
    facts->log.degree = log(graph ? facts->edges / facts->vertices : MESH_DEGREE);
    facts->log.launches = log(facts->launches);
    facts->log.work = log(mu_case_work(facts) / facts->launches);
}

bool mu_case_facts_of(const struct mu_measurement *multi, const struct mu_profile *profile, struct mu_case_facts *facts)
{
    const struct mu_process *process = process_of(multi);
    const bool word = strcmp(profile->launch_readback, mu_readbacks[MU_READBACK_WORD].name) == 0;
    const double round_ns = word ? profile->launch_word_ns : profile->launch_blocking_ns;
    if (process == NULL || !mu_table_counts(multi) || process->launches <= 0 || process->readbacks < 0 ||
        round_ns <= 0 || profile->launch_pipelined_ns <= 0 || profile->barrier_cost_ns <= 0)
        return false;
    const double alone = process->launches - process->readbacks;
    *facts = (struct mu_case_facts){
        .log_ns = multi->level.log_value,
        .launches = process->launches,
        .readbacks = process->readbacks,
        .work_ns = traced_ns(multi),
        .fixed = is_fixed(multi),
        .vertices = process->vertices,
        .edges = process->edges,
        .overhead_ns = process->readbacks * round_ns + (alone > 0 ? alone : 0) * profile->launch_pipelined_ns,
        .rollcall_ns = profile->rollcall_expected_cost_ns,
        .barriers_ns = process->launches * profile->barrier_cost_ns,
    };
    set_logs(facts);
    return isfinite(facts->overhead_ns) && isfinite(facts->rollcall_ns) && isfinite(facts->barriers_ns);
}

double mu_case_work(const struct mu_case_facts *facts)
{
    const double multi = exp(facts->log_ns), least = LEAST_WORK * multi;
    const double work = !isnan(facts->work_ns) ? facts->work_ns : multi - facts->overhead_ns;
    return work > multi ? multi : work < least ? least : work;
}

bool mu_case_profile(const char *root, const struct mu_measurement *of, struct mu_profile *profile)
{
    char chip[256], path[PATH_MAX];
    struct mu_error missing = {0};
    snprintf(chip, sizeof chip, "%.*s", (int)strcspn(of->chip, "@"), of->chip);
    return mu_results_find(root, chip, MU_PROFILE_FILE, path) && mu_profile_read(path, profile, &missing) == MU_OK;
}

/* ---- Which measurements are a case ---- */

/* Measurements of one test, which stand together in a study. */
struct range {
    const struct mu_measurement *first;
    size_t count;
    bool tuned; /* tries of tunings */
};

static struct range range_from(const struct mu_study *study, size_t begin, unsigned kind)
{
    const struct mu_measurement *first = &study->measurements[begin];
    size_t end = begin + 1;
    while (end < study->count && mu_compare_places(first, &study->measurements[end]) == 0 &&
           strcmp(first->driver, study->measurements[end].driver) == 0 &&
           mu_compare_benchmarks(first, &study->measurements[end]) == 0)
        end++;
    return (struct range){first, end - begin, kind == MU_STUDY_TUNED};
}

/* Tries of one case are of one tuning and one commit; of a campaign's measurements one a variant is left
 * (mu_study_choose). */
static bool is_together(const struct range *range, const struct mu_measurement *multi,
                        const struct mu_measurement *next)
{
    return !range->tuned || (multi->tuning == next->tuning && strcmp(multi->commit, next->commit) == 0);
}

/* Failures are no choice, and neither are forms of variants under other conditions, since what is not known before a
 * run is not chosen. A fixed grid is a choice beside the variants, where each has the sizes that are best for it; among
 * sizes it has too few tries. */
static bool is_choice(const struct range *range, const struct mu_measurement *multi, const struct mu_measurement *next)
{
    bool usual = is_fixed(next) && !range->tuned;
    for (const struct mu_choice *variant = mu_variants; variant->name != NULL; variant++)
        usual = usual || strcmp(variant->name, next->variant) == 0;
    return usual && mu_table_counts(next) && is_together(range, multi, next);
}

/* Returns how much a measurement says of a case before it is run; 0 for nothing. A fixed grid says the most, since its
 * steps do the work that they do in the other variants; then a trace. */
static int rank_of(const struct mu_measurement *measurement)
{
    if (!mu_case_is_multi(measurement) || !mu_table_counts(measurement)) return 0;
    return 1 + (is_fixed(measurement) ? 2 : 0) + (!isnan(traced_ns(measurement)) ? 1 : 0);
}

/* Returns true if it is what its case is predicted from: the fastest of those that say most, of which there is one. */
static bool begins_case(const struct range *range, const struct mu_measurement *multi)
{
    const int rank = rank_of(multi);
    for (size_t i = 0; i < range->count && rank > 0; i++) {
        const struct mu_measurement *next = &range->first[i];
        const bool as_fast = next < multi ? next->level.log_value <= multi->level.log_value
                                          : next->level.log_value < multi->level.log_value;
        if (next != multi && is_together(range, multi, next) &&
            (rank_of(next) > rank || (rank_of(next) == rank && as_fast)))
            return false;
    }
    return rank > 0;
}

/* Returns true if there is any but multi-kernel. */
static bool add_choices(const struct range *range, struct mu_case *made, struct mu_error *err)
{
    bool others = false;
    made->choices = mu_malloc(range->count, sizeof *made->choices, "choices", err);
    for (size_t i = 0; i < range->count && made->choices != NULL; i++) {
        const struct mu_measurement *next = &range->first[i];
        if (!is_choice(range, made->of, next)) continue;
        others = others || !mu_case_is_multi(next);
        made->choices[made->choice_count++] =
            (struct mu_case_choice){.key = {.variant = next->variant,
                                            .workgroup = range->tuned ? next->workgroup : 0,
                                            .team_limit = range->tuned ? next->team_limit : 0},
                                    .log_ns = next->level.log_value};
    }
    return others;
}

/* The profile of one chip, for the cases of that chip, which come one behind the other. */
struct profile_of {
    const char *root, *chip; /* chip NULL: of none yet */
    bool found;
    struct mu_profile profile;
};

static bool find_profile(struct profile_of *of, const struct mu_measurement *multi)
{
    if (of->chip == NULL || strcmp(of->chip, multi->plain_chip) != 0)
        of->found = mu_case_profile(of->root, multi, &of->profile);
    of->chip = multi->plain_chip;
    return of->found;
}

/* Adds the case that multi-kernel's measurement `multi` begins, unless nothing else was measured there. */
static int add_case(const struct range *range, const struct mu_measurement *multi, struct profile_of *of,
                    struct mu_cases *cases, struct mu_error *err)
{
    struct mu_case *made = &cases->cases[cases->count];
    *made = (struct mu_case){.of = multi};
    if (!add_choices(range, made, err) || err->status != MU_OK) {
        mu_free(made->choices);
    } else if (!find_profile(of, multi) || !mu_case_facts_of(multi, &of->profile, &made->facts)) {
        mu_free(made->choices);
        cases->without_profile++;
    } else {
        cases->count++;
    }
    return err->status;
}

int mu_cases_load(const struct mu_table_request *request, unsigned kind, struct mu_cases *cases, struct mu_error *err)
{
    struct mu_table_data data;
    struct profile_of of = {.root = request->root};
    *cases = (struct mu_cases){0};
    if (mu_table_load(request, kind, &data, err) != MU_OK) return err->status;
    cases->study = data.study;
    if (kind == MU_STUDY_MEASURED) mu_study_choose(&cases->study);
    cases->cases = mu_malloc(cases->study.count, sizeof *cases->cases, "cases", err);
    for (size_t i = 0; i < cases->study.count && err->status == MU_OK;) {
        const struct range range = range_from(&cases->study, i, kind);
        for (size_t j = 0; j < range.count && err->status == MU_OK; j++)
            if (begins_case(&range, &range.first[j])) add_case(&range, &range.first[j], &of, cases, err);
        i += range.count;
    }
    return err->status;
}

void mu_cases_release(struct mu_cases *cases)
{
    for (size_t i = 0; i < cases->count; i++) mu_free(cases->cases[i].choices);
    mu_free(cases->cases);
    mu_study_release(&cases->study);
    *cases = (struct mu_cases){0};
}
