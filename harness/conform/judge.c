#include "harness/conform/judge.h"

#include "harness/litmus/litmus.h"
#include "records/scheduler_models.h"

#include <stdarg.h>
#include <string.h>

/* Marks a statement as refuted by `proof`. The first refutation stands. */
__attribute__((format(printf, 3, 4))) static void refute(struct mu_conform_statement *statement, const json_t *proof,
                                                         const char *format, ...)
{
    if (statement->proof != NULL) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(statement->why, sizeof statement->why, format, arguments);
    va_end(arguments);
    statement->proof = proof;
    statement->verdict = MU_CONFORM_REFUTED;
}

/* Judges by a process that gave no answer. A deadlock or a wrong result refutes the statement; any other failure is
 * noted. */
static void take_failure(struct mu_conform_statement *statement, const json_t *measurement, int status)
{
    const char *message = mu_json_text(measurement, "message");
    if (status == MU_DEADLOCK || status == MU_WRONG) {
        refute(statement, measurement, "%.*s", (int)strcspn(message, "\n"), message);
        return;
    }
    if (statement->proof != NULL) return;
    if (status != MU_UNSUPPORTED) statement->status = mu_status_worse(status, statement->status);
    snprintf(statement->why, sizeof statement->why, "%s: %.*s", mu_status_text(status), (int)strcspn(message, "\n"),
             message);
}

/* Counts runs that ended well. */
static void add_runs(struct mu_conform_statement *statement, uint64_t runs)
{
    statement->runs += runs;
    if (statement->verdict == MU_CONFORM_NOT_TRIED && runs != 0) statement->verdict = MU_CONFORM_NOT_REFUTED;
}

/* Judges by a litmus test: the statement is refuted if the forbidden outcome was seen once. */
static void take_counts(struct mu_conform_statement *statement, const json_t *measurement)
{
    const double instances = mu_json_real(measurement, "instances"), weak = mu_json_real(measurement, "weak");
    const json_t *team = json_object_get(measurement, "team");
    if (team != NULL && json_integer_value(team) < 2) {
        snprintf(statement->why, sizeof statement->why, "there was one workgroup at a time, which waits for none");
        return;
    }
    const uint64_t launches = mu_json_number(measurement, "launches");
    statement->instances += instances;
    statement->seen += weak;
    add_runs(statement, launches != 0 ? launches : 1);
    if (weak > 0)
        refute(statement, measurement, "%s, in %.0f of %.0f instances of a run",
               mu_json_text(measurement, "outcome_of_interest"), weak, instances);
}

/* Judges by a forward-progress test: the idiom must have completed. */
static void take_progress(struct mu_conform_statement *statement, const struct mu_conform_subject *of,
                          const json_t *measurement)
{
    struct mu_forward_progress progress;
    if (mu_forward_progress_from_json(json_object_get(measurement, "progress"), &progress, NULL) != MU_OK) return;
    const enum mu_forward_progress_outcome outcome = progress.outcomes[of->idiom][of->order];
    if (outcome == MU_FORWARD_ALONE) {
        snprintf(statement->why, sizeof statement->why, "the team was one workgroup, which waits for none");
        return;
    }
    add_runs(statement, progress.tries[of->idiom][of->order]);
    if (outcome != MU_FORWARD_COMPLETED)
        refute(statement, measurement, "%s among %u workgroups, after %u tr%s",
               mu_forward_progress_outcome_name(outcome), progress.groups, progress.tries[of->idiom][of->order],
               progress.tries[of->idiom][of->order] == 1 ? "y" : "ies");
}

/* Judges by a synthesised program: all its threads must have ended. */
static void take_program(struct mu_conform_statement *statement, const json_t *measurement)
{
    const char *ended = mu_json_text(measurement, "ended");
    const uint32_t tries = mu_json_count(measurement, "tries");
    add_runs(statement, tries);
    if (strcmp(ended, mu_forward_progress_outcome_name(MU_FORWARD_COMPLETED)) != 0)
        refute(statement, measurement, "%s among %u workgroups, in try %u", ended, mu_json_count(measurement, "groups"),
               tries);
}

/* Judges by a search for the occupancy bound: the same number of workgroups must always give the same verdict. */
static void take_bound(struct mu_conform_statement *statement, const json_t *measurement)
{
    const uint64_t disagreements = mu_json_number(measurement, "disagreements");
    uint64_t tries = 0;
    size_t i;
    json_t *verdict;
    json_array_foreach (json_object_get(measurement, "verdicts"), i, verdict)
        tries += (uint64_t)json_integer_value(json_array_get(verdict, 2));
    add_runs(statement, tries);
    if (disagreements != 0)
        refute(statement, measurement, "%u workgroups, but %u times as many went on once and not again",
               mu_json_count(measurement, "bound"), (unsigned)disagreements);
}

/* Returns true if a measurement is evidence for or against a statement. */
static bool bears(const json_t *measurement, const struct mu_conform_subject *of)
{
    const json_t *point = json_object_get(measurement, "parameters");
    const bool stressed = strcmp(of->experiment, "shapes") == 0 && mu_json_is(point, "experiment", "stressed");
    if (!stressed && !mu_json_is(point, "experiment", of->experiment)) return false;
    if (stressed && !mu_json_is(point, "form", mu_litmus_form_names[MU_LITMUS_ORDERED])) return false;
    if (of->path != NULL && !mu_json_is(point, "atomics", of->path)) return false;
    if (of->placement != NULL && !mu_json_is(point, "placement", of->placement)) return false;
    if (of->axis != NULL) return mu_json_is(point, of->axis, of->what);
    return of->what == NULL || json_object_get(measurement, "test") == NULL ||
           mu_json_is(measurement, "test", of->what);
}

void mu_conform_judge_one(struct mu_conform_statement *statement, const struct mu_conform_subject *of,
                          const json_t *measurements)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        const int status = mu_outcome_status(mu_json_text(measurement, "outcome"));
        if (!bears(measurement, of)) continue;
        if (status != MU_OK)
            take_failure(statement, measurement, status);
        else if (of->idiom >= 0)
            take_progress(statement, of, measurement);
        else if (json_object_get(measurement, "ended") != NULL)
            take_program(statement, measurement);
        else if (json_object_get(measurement, "instances") != NULL)
            take_counts(statement, measurement);
        else
            take_bound(statement, measurement);
    }
}
