/* The verdicts as lines for people, as JSON, as a JUnit report and as a status. */
#include "harness/conform/conform.h"

#include "base/date.h"
#include "harness/device/commit.h"

#include <string.h>

/* Writes "1 run", or "12 runs with 96000 instances". */
static void write_runs(const struct mu_conform_statement *statement, char *text, size_t bytes)
{
    size_t used = (size_t)snprintf(text, bytes, "%llu run%s", (unsigned long long)statement->runs,
                                   statement->runs == 1 ? "" : "s");
    if (statement->instances > 0 && used < bytes)
        snprintf(text + used, bytes - used, " with %.0f instances", statement->instances);
}

/* The only confidence that is stated. It holds for litmus tests through the atomics path on which mutants were
 * tried. */
#define SEEN "a bug as frequent as our rarest observed mutant would have been seen with 95 %"

static bool is_confident(const struct mu_conform *conform, const struct mu_conform_statement *statement)
{
    static const char memory[] = "memory/";
    return statement->verdict == MU_CONFORM_NOT_REFUTED && statement->relied &&
           strncmp(statement->name, memory, sizeof memory - 1) == 0 &&
           mu_conform_would_have_seen(&conform->score, statement->instances);
}

/* Writes the evidence for a verdict: the reason, how often it was tried, and under which conditions. */
static void write_evidence(const struct mu_conform *conform, const struct mu_conform_statement *statement, char *text,
                           size_t bytes)
{
    char runs[96];
    write_runs(statement, runs, sizeof runs);
    if (statement->verdict == MU_CONFORM_NOT_TRIED)
        snprintf(text, bytes, "%s", statement->why);
    else if (statement->verdict == MU_CONFORM_REFUTED)
        snprintf(text, bytes, "%s (%s, %s)", statement->why, runs, statement->stress);
    else
        snprintf(text, bytes, "%s, %s%s%s%s", runs, statement->stress, statement->why[0] != '\0' ? "; but " : "",
                 statement->why, is_confident(conform, statement) ? "; " SEEN : "");
}

/* Writes whether a refutation is new, waived, as in the baseline, or of a statement that is not relied on. */
static void write_remark(const struct mu_conform_statement *statement, char *text, size_t bytes)
{
    text[0] = '\0';
    if (statement->verdict != MU_CONFORM_REFUTED) {
        if (!statement->relied) snprintf(text, bytes, " [not relied on here]");
        return;
    }
    if (statement->waiver != NULL)
        snprintf(text, bytes, " [waived: %.160s]", statement->waiver);
    else if (statement->is_new)
        snprintf(text, bytes, statement->baseline != NULL ? " [NEW: %s in the baseline]" : " [NEW]",
                 statement->baseline);
    else
        snprintf(text, bytes, statement->relied ? " [as in the baseline]" : " [not relied on here]");
}

/* ---- The sentence ---- */

struct sums {
    size_t verdicts[MU_CONFORM_VERDICTS_COUNT]; /* statements that are relied on, by verdict */
    size_t fresh;                               /* number of new refutations */
    const struct mu_conform_statement *first;   /* the first refuted statement that is relied on; NULL: none */
    const struct mu_conform_statement *untried; /* the first such statement that was not tried; NULL: none */
};

static struct sums sum_up(const struct mu_conform *conform)
{
    struct sums sums = {0};
    for (size_t i = 0; i < conform->count; i++) {
        const struct mu_conform_statement *statement = &conform->statements[i];
        sums.fresh += statement->is_new;
        if (!statement->relied) continue;
        sums.verdicts[statement->verdict]++;
        if (statement->verdict == MU_CONFORM_REFUTED && sums.first == NULL) sums.first = statement;
        if (statement->verdict == MU_CONFORM_NOT_TRIED && sums.untried == NULL) sums.untried = statement;
    }
    return sums;
}

/* Writes whether global barriers may be relied on with this device and driver. */
static void write_sentence(const struct mu_conform *conform, char *text, size_t bytes)
{
    const struct sums sums = sum_up(conform);
    const size_t refuted = sums.verdicts[MU_CONFORM_REFUTED], open = sums.verdicts[MU_CONFORM_NOT_TRIED];
    const size_t all = refuted + open + sums.verdicts[MU_CONFORM_NOT_REFUTED];
    char device[128];
    snprintf(device, sizeof device, "%.60s with driver %.50s", conform->info->name, conform->info->driver);
    if (refuted != 0)
        snprintf(text, bytes,
                 "Global barriers on %s: do not rely on them, since %zu of %zu statements %s refuted, such as %s.",
                 device, refuted, all, refuted == 1 ? "is" : "are", sums.first->name);
    else if (open != 0)
        snprintf(
            text, bytes,
            "Global barriers on %s: undecided; none of the %zu statements that were tried is refuted, and %zu %s not "
            "tried, such as %s.",
            device, all - open, open, open == 1 ? "was" : "were", sums.untried->name);
    else
        snprintf(text, bytes, "Global barriers on %s: nothing speaks against them, as %s refuted.", device,
                 all == 1 ? "the one statement that was asked for is not"
                          : "none of the statements that they rely on is");
}

static void print_times(const struct mu_conform *conform, FILE *to)
{
    const struct mu_conform_compared *compared = &conform->compared;
    if (!compared->are) return;
    fprintf(to,
            "times        of apps beside the baseline: %zu slower, %zu faster, %zu equivalent, %zu not shown, %zu "
            "broken\n             see muster compare '%s' '%s'\n",
            compared->slower, compared->faster, compared->equivalent, compared->not_shown, compared->broken,
            conform->baseline_times, conform->times);
}

static void print_score(const struct mu_conform *conform, FILE *to)
{
    const struct mu_conform_score *score = &conform->score;
    if (score->mutants == 0) return;
    fprintf(to, "mutants      of the memory tests, through the path that is used here: %zu of %zu were observed",
            score->observed, score->mutants);
    if (score->observed != 0)
        fprintf(to, ", the rarest in %.3g of a million instances\n", 1e6 * score->rarest);
    else
        fputs(": these tests tell nothing of order on this device\n", to);
}

void mu_conform_print(const struct mu_conform *conform, FILE *to)
{
    char text[1024], remark[192];
    for (size_t i = 0; i < conform->count; i++) {
        const struct mu_conform_statement *statement = &conform->statements[i];
        write_evidence(conform, statement, text, sizeof text);
        write_remark(statement, remark, sizeof remark);
        fprintf(to, "%-11s  %s: %s: %s%s\n", mu_conform_verdict_names[statement->verdict], statement->name,
                statement->text, text, remark);
        if (statement->folder[0] != '\0') fprintf(to, "%-11s  to see it again: %s\n", "", statement->folder);
    }
    print_score(conform, to);
    print_times(conform, to);
    write_sentence(conform, text, sizeof text);
    fprintf(to, "%s\n", text);
}

/* ---- For programs ---- */

static void add_json(const struct mu_conform *conform, const struct mu_conform_statement *statement,
                     struct mu_json *all)
{
    struct mu_json object = mu_json_object();
    mu_json_set_text(&object, "name", statement->name);
    mu_json_set_text(&object, "statement", statement->text);
    mu_json_set_flag(&object, "relied_on", statement->relied);
    mu_json_set_text(&object, "verdict", mu_conform_verdict_names[statement->verdict]);
    mu_json_set_number(&object, "runs", statement->runs);
    mu_json_set_number(&object, "instances", (uint64_t)statement->instances);
    mu_json_set_number(&object, "seen", (uint64_t)statement->seen);
    mu_json_set_text(&object, "stress", statement->stress);
    mu_json_set_text(&object, "why", statement->why[0] != '\0' ? statement->why : NULL);
    mu_json_set_flag(&object, "rarest_mutant_seen_95", is_confident(conform, statement));
    mu_json_set_text(&object, "outcome", mu_status_outcome(statement->status));
    mu_json_set_text(&object, "reproduction", statement->folder[0] != '\0' ? statement->folder : NULL);
    mu_json_set_text(&object, "waiver", statement->waiver);
    mu_json_set_text(&object, "baseline", statement->baseline);
    mu_json_set_flag(&object, "new", statement->is_new);
    mu_json_append_part(all, &object);
}

static void add_score(const struct mu_conform *conform, struct mu_json *object)
{
    const struct mu_conform_score *score = &conform->score;
    struct mu_json mutants = mu_json_object();
    mu_json_set_number(&mutants, "tried", score->mutants);
    mu_json_set_number(&mutants, "observed", score->observed);
    if (score->observed != 0) mu_json_set_real(&mutants, "rarest_per_million", 1e6 * score->rarest);
    mu_json_set_part(object, "mutants", &mutants);
}

static void add_times(const struct mu_conform *conform, struct mu_json *object)
{
    const struct mu_conform_compared *compared = &conform->compared;
    struct mu_json times = mu_json_object();
    mu_json_set_text(&times, "set", conform->times[0] != '\0' ? conform->times : NULL);
    if (compared->are) {
        mu_json_set_text(&times, "baseline", conform->baseline_times);
        mu_json_set_number(&times, "slower", compared->slower);
        mu_json_set_number(&times, "faster", compared->faster);
        mu_json_set_number(&times, "equivalent", compared->equivalent);
        mu_json_set_number(&times, "not_shown", compared->not_shown);
        mu_json_set_number(&times, "broken", compared->broken);
    }
    mu_json_set_part(object, "times", &times);
}

json_t *mu_conform_to_json(const struct mu_conform *conform, struct mu_error *err)
{
    const struct mu_device_info *info = conform->info;
    const struct sums sums = sum_up(conform);
    struct mu_json object = mu_json_object(), statements = mu_json_array();
    char date[MU_DATE_TEXT], sentence[512];
    mu_date_now(date);
    write_sentence(conform, sentence, sizeof sentence);
    for (size_t i = 0; i < conform->count; i++) add_json(conform, &conform->statements[i], &statements);
    mu_json_set_number(&object, "schema", MU_CONFORM_SCHEMA);
    mu_json_set_text(&object, "kind", "conform");
    mu_json_set_text(&object, "version", PACKAGE_VERSION);
    mu_json_set_text(&object, "commit", mu_commit);
    mu_json_set_text(&object, "date", date);
    mu_json_set_text(&object, "chip", info->chip);
    mu_json_set(&object, "device", mu_device_record(info));
    mu_json_set_text(&object, "platform", info->platform_version);
    mu_json_set_text(&object, "driver", info->driver);
    mu_json_set_text(&object, "atomics", mu_atomics_paths[info->atomics].name);
    mu_json_set_real(&object, "budget_s", conform->options.budget_s);
    mu_json_set_real(&object, "spent_s", conform->spent_s);
    mu_json_set_number(&object, "rounds", conform->rounds);
    mu_json_set_part(&object, "statements", &statements);
    add_score(conform, &object);
    add_times(conform, &object);
    mu_json_set_number(&object, "new_refutations", sums.fresh);
    mu_json_set_text(&object, "global_barriers", sentence);
    mu_json_set_number(&object, "exit_code", (uint64_t)mu_status_exit_code(mu_conform_status(conform)));
    return mu_json_take(&object, "the verdicts of conform", err);
}

void mu_conform_to_junit(const struct mu_conform *conform, struct mu_junit *junit)
{
    char suite[MU_CHIP_BYTES + 16], text[1024];
    snprintf(suite, sizeof suite, "conform.%s", conform->info->chip);
    for (size_t i = 0; i < conform->count; i++) {
        const struct mu_conform_statement *statement = &conform->statements[i];
        const bool accepted = statement->verdict == MU_CONFORM_REFUTED && !statement->is_new;
        write_evidence(conform, statement, text, sizeof text);
        mu_junit_add(junit,
                     &(struct mu_junit_case){.suite = suite,
                                             .name = statement->name,
                                             .result = statement->is_new                            ? MU_JUNIT_FAILURE
                                                       : statement->status != MU_OK                 ? MU_JUNIT_ERROR
                                                       : accepted                                   ? MU_JUNIT_SKIPPED
                                                       : statement->verdict == MU_CONFORM_NOT_TRIED ? MU_JUNIT_SKIPPED
                                                                                                    : MU_JUNIT_PASSED,
                                             .message = text});
    }
}

int mu_conform_status(const struct mu_conform *conform)
{
    int worst = MU_OK;
    for (size_t i = 0; i < conform->count; i++) {
        const struct mu_conform_statement *statement = &conform->statements[i];
        if (statement->is_new) return MU_WRONG;
        if (statement->relied && statement->waiver == NULL) worst = mu_status_worse(statement->status, worst);
    }
    return worst;
}
