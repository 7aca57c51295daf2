#include "analysis/show.h"

#include "analysis/study.h"
#include "analysis/trouble.h"
#include "base/memory.h"
#include "base/units.h"
#include "records/implementations.h"
#include "records/schema.h"
#include "statistics/statistics.h"

#include <string.h>

static const char *text_of(const json_t *record, const char *name)
{
    return mu_json_text_or(record, name, "-");
}

/* Fills in a summary of the samples of that name. Returns false if the record has none. */
static bool summarise(const json_t *record, const char *name, struct mu_summary *summary)
{
    size_t count = 0;
    double *values = mu_json_numbers(json_object_get(record, name), &count, NULL);
    const bool done = values != NULL && mu_summarise(values, count, summary, NULL) == MU_OK;
    mu_free(values);
    return done;
}

static void show_summary(const json_t *record, const char *label, const char *samples, FILE *to)
{
    struct mu_summary summary;
    char min[24], median[24], max[24], low[24], high[24];
    if (!summarise(record, samples, &summary)) return;
    mu_show_time(summary.min, min, sizeof min);
    mu_show_time(summary.median, median, sizeof median);
    mu_show_time(summary.max, max, sizeof max);
    mu_show_time(summary.low, low, sizeof low);
    mu_show_time(summary.high, high, sizeof high);
    if (summary.has_interval)
        fprintf(to, "  %-10s min %s, median %s [%s, %s] at %.1f %%, max %s (%zu samples)\n", label, min, median, low,
                high, 100 * summary.coverage, max, summary.count);
    else
        fprintf(to, "  %-10s min %s, median %s, max %s (%zu sample%s: too few for an interval at 95 %%)\n", label, min,
                median, max, summary.count, mu_plural(summary.count));
}

static void show_roll_call(const json_t *record, FILE *to)
{
    struct mu_summary teams;
    if (!summarise(record, "rollcall_teams", &teams)) return;
    fprintf(to, "  roll call  %s, team %.0f to %.0f of %llu launched\n", text_of(record, "rollcall"), teams.min,
            teams.max, (unsigned long long)mu_json_number(record, "rollcall_groups"));
    show_summary(record, "", "rollcall_ns", to);
}

static void show_team(const json_t *record, FILE *to)
{
    fprintf(to, "  team       %llu workgroups of %llu", (unsigned long long)mu_json_number(record, "team"),
            (unsigned long long)mu_json_number(record, "workgroup"));
    if (json_object_get(record, "team_from") != NULL) fprintf(to, " (from: %s)", text_of(record, "team_from"));
    fprintf(to, "; barrier %s, atomics %s", text_of(record, "barrier"), text_of(record, "atomics"));
    if (json_object_get(record, "yield") != NULL) fprintf(to, ", yield %s", text_of(record, "yield"));
    fputc('\n', to);
}

static const char *readback_text(const json_t *record)
{
    if (json_object_get(record, "readback") == NULL) return "";
    return mu_json_is(record, "readback", "word") ? " (pinned word)" : " (blocking)";
}

static void show_counts(const json_t *record, FILE *to)
{
    const unsigned long long launches = (unsigned long long)mu_json_number(record, "launches");
    const unsigned long long readbacks = (unsigned long long)mu_json_number(record, "readbacks");
    const unsigned long long barriers = (unsigned long long)mu_json_number(record, "barriers");
    fprintf(to, "  counts     %llu launch%s, %llu read-back%s%s, %llu barrier%s\n", launches, launches == 1 ? "" : "es",
            readbacks, mu_plural(readbacks), readback_text(record), barriers, mu_plural(barriers));
}

/* Prints the single figures of the app's summary. Lists, such as those by round, are in the record only. */
static void show_figures(const json_t *record, FILE *to)
{
    const char *name;
    json_t *value;
    const char *before = "  result     ";
    json_object_foreach (json_object_get(record, "summary"), name, value) {
        if (json_is_array(value)) continue;
        fprintf(to, "%s%s %.10g", before, name, json_number_value(value));
        before = ", ";
    }
    if (before[0] == ',') fputc('\n', to);
}

static void show_input(const json_t *record, FILE *to)
{
    if (json_object_get(record, "vertices") != NULL)
        fprintf(to, "  input      %llu vertices, %llu arcs, hash %s\n",
                (unsigned long long)mu_json_number(record, "vertices"),
                (unsigned long long)mu_json_number(record, "edges"), text_of(record, "input_hash"));
    if (json_object_get(record, "triangles") != NULL)
        fprintf(to, "  input      %llu points, %llu triangles, %llu segments, hash %s\n",
                (unsigned long long)mu_json_number(record, "points"),
                (unsigned long long)mu_json_number(record, "triangles"),
                (unsigned long long)mu_json_number(record, "segments"), text_of(record, "input_hash"));
    if (mu_json_number(record, "turned") > 0 || mu_json_number(record, "flipped") > 0)
        fprintf(to,
                "  note       %llu triangles of the file were clockwise, %llu edges not Delaunay: turned, flipped\n",
                (unsigned long long)mu_json_number(record, "turned"),
                (unsigned long long)mu_json_number(record, "flipped"));
}

/* Shows what in the samples calls for care. That they are of one process, and few, is what was asked for. */
static void show_troubles(json_t *record, FILE *to)
{
    struct mu_error err = {0};
    struct mu_study study = {0};
    struct mu_troubles troubles;
    json_t *records = json_pack("[O]", record);
    if (records != NULL && mu_study_make(records, MU_STUDY_MEASURED, &study, &err) == MU_OK && study.count > 0 &&
        mu_troubles_of(&study.measurements[0], &troubles, &err) == MU_OK)
        for (int trouble = MU_ONE_PROCESS + 1; trouble < MU_TROUBLES; trouble++)
            if (troubles.has[trouble]) fprintf(to, "  warning    %s\n", troubles.text[trouble]);
    mu_study_release(&study);
    json_decref(records);
}

void mu_show_record(json_t *record, FILE *to)
{
    char build[24];
    const char *condition = mu_json_text(json_object_get(record, "configuration"), "condition");
    const bool usual = condition[0] == '\0' || strcmp(condition, mu_conditions[MU_WARM].name) == 0;
    fprintf(to, "%s on %s, %s%s%s, %s (%s)\n", text_of(record, "app"), text_of(record, "input"),
            text_of(record, "variant"), usual ? "" : " ", usual ? "" : condition, text_of(record, "chip"),
            mu_record_device(record));
    fprintf(to, "  outcome    %s\n", text_of(record, "outcome"));
    show_input(record, to);
    if (json_array_size(json_object_get(record, "samples_ns")) == 0) return;
    show_summary(record, "time", "samples_ns", to);
    if (json_object_get(record, "barrier") != NULL) show_summary(record, "end to end", "end_to_end_ns", to);
    show_summary(record, "on device", "device_ns", to);
    if (json_object_get(record, "barrier") != NULL) show_team(record, to);
    show_roll_call(record, to);
    show_counts(record, to);
    mu_show_time((double)mu_json_number(record, "build_ns"), build, sizeof build);
    fprintf(to, "  build      %s%s\n", build, mu_json_flag(record, "build_cached") ? " (from the cache)" : "");
    const char *weights = mu_json_text_or(record, "weights_from", "not used");
    fprintf(to, "  check      %s\n", text_of(record, "check"));
    if (strcmp(weights, "not used") != 0) fprintf(to, "  weights    %s\n", weights);
    show_figures(record, to);
    if (mu_json_number(record, "grown") > 0)
        fprintf(to, "  growth     buffers were enlarged %llu times\n",
                (unsigned long long)mu_json_number(record, "grown"));
    show_troubles(record, to);
}
