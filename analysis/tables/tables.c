#include "analysis/tables/tables.h"

#include "base/user/nearest.h"

#include <stdio.h>
#include <string.h>

extern const struct mu_table mu_table_conditions, mu_table_rollcalls, mu_table_same_size, mu_table_headline,
    mu_table_history, mu_table_summary, mu_table_speedup, mu_table_slowdown, mu_table_times, mu_table_tuning,
    mu_table_outcomes, mu_table_failures, mu_table_advice, mu_table_samples, mu_table_provenance, mu_table_throughput,
    mu_table_growth, mu_table_devices, mu_table_chips, mu_table_medians, mu_table_peers;

/* Of what muster probe measured. */
extern const struct mu_table mu_table_occupancy, mu_table_recall, mu_table_app_recall, mu_table_patience,
    mu_table_delay;
extern const struct mu_table mu_table_rollcall_cost, mu_table_barrier_cost, mu_table_overlap, mu_table_queue_cost,
    mu_table_launch_cost;
extern const struct mu_table mu_table_utilisation, mu_table_bandwidth, mu_table_features, mu_table_progress,
    mu_table_promises;

/* Of what muster litmus saw. */
extern const struct mu_table mu_table_litmus, mu_table_idioms;

/* Of both, and of profiles. */
extern const struct mu_table mu_table_trust;

/* Of models, without any records (analysis/progress/). */
extern const struct mu_table mu_table_schedulers;

/* Of the optimisation study (analysis/optimisations/). */
extern const struct mu_table mu_table_strategies, mu_table_ranking, mu_table_top, mu_table_necessary, mu_table_heatmap,
    mu_table_outlining, mu_table_plain;

/* Of studies (analysis/persistent/, analysis/cooperative/). */
extern const struct mu_table mu_table_persistent, mu_table_persistent_study, mu_table_cooperative, mu_table_beside,
    mu_table_stealing, mu_table_resizing;

/* Of what the literature claims (analysis/claims/). */
extern const struct mu_table mu_table_claims;

/* Of the model that predicts times (analysis/prediction/). */
extern const struct mu_table mu_table_prediction;

/* clang-format off */
const struct mu_table *const mu_tables[] = {
    &mu_table_summary,
    &mu_table_speedup,
    &mu_table_slowdown,
    &mu_table_same_size,
    &mu_table_conditions,
    &mu_table_headline,
    &mu_table_times,
    &mu_table_throughput,
    &mu_table_growth,
    &mu_table_peers,
    &mu_table_history,
    &mu_table_devices,
    &mu_table_samples,
    &mu_table_provenance,
    &mu_table_chips,
    &mu_table_medians,
    &mu_table_outcomes,
    &mu_table_failures,
    &mu_table_advice,
    &mu_table_rollcalls,
    &mu_table_occupancy,
    &mu_table_recall,
    &mu_table_app_recall,
    &mu_table_patience,
    &mu_table_delay,
    &mu_table_rollcall_cost,
    &mu_table_barrier_cost,
    &mu_table_overlap,
    &mu_table_queue_cost,
    &mu_table_launch_cost,
    &mu_table_utilisation,
    &mu_table_bandwidth,
    &mu_table_features,
    &mu_table_progress,
    &mu_table_promises,
    &mu_table_litmus,
    &mu_table_idioms,
    &mu_table_trust,
    &mu_table_schedulers,
    &mu_table_tuning,
    &mu_table_strategies,
    &mu_table_ranking,
    &mu_table_top,
    &mu_table_necessary,
    &mu_table_heatmap,
    &mu_table_outlining,
    &mu_table_plain,
    &mu_table_prediction,
    &mu_table_persistent,
    &mu_table_persistent_study,
    &mu_table_cooperative,
    &mu_table_beside,
    &mu_table_resizing,
    &mu_table_stealing,
    &mu_table_claims,
    NULL,
};
/* clang-format on */

/* Each question is that of the tables from one on, in the order above. */
static const struct {
    const struct mu_table *first;
    const char *question;
} questions[] = {{&mu_table_summary, "What does a global barrier gain, and what does portability cost?"},
                 {&mu_table_times, "How long do tests take?"},
                 {&mu_table_provenance, "What was measured, how did it end, and how good is it?"},
                 {&mu_table_rollcalls, "How do workgroups find their team?"},
                 {&mu_table_barrier_cost, "What do barriers, launches and queues cost?"},
                 {&mu_table_features, "What may be relied on?"},
                 {&mu_table_tuning, "Which settings and optimisations are best?"},
                 {&mu_table_persistent, "Do workgroups that stay, or leave and come back, pay?"},
                 {&mu_table_claims, "What does the literature claim, and is it so here?"}};

const char *mu_table_question(const struct mu_table *table)
{
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        if (questions[i].first == table) return questions[i].question;
    return NULL;
}

const struct mu_table *mu_table_find(const char *name, struct mu_error *err)
{
    char names[1024] = "", hint[MU_HINT_BYTES];
    struct mu_nearest nearest = {.word = name};
    for (const struct mu_table *const *table = mu_tables; *table != NULL; table++) {
        const size_t length = strlen(names);
        if (strcmp((*table)->name, name) == 0) return *table;
        mu_nearest_try(&nearest, (*table)->name);
        snprintf(names + length, sizeof names - length, "%s%s", length > 0 ? ", " : "", (*table)->name);
    }
    mu_fail(err, MU_USAGE, "no table '%s'%s; there are: %s", name, mu_nearest_hint(&nearest, hint, sizeof hint), names);
    return NULL;
}
