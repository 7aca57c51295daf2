#include "analysis/show.h"

#include "analysis/stats.h"
#include "base/memory.h"

#include <string.h>

void mu_show_time(double ns, char *text, size_t bytes)
{
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    size_t unit = 0;
    while (unit < 3 && ns < units[unit].ns) unit++;
    const double value = ns / units[unit].ns;
    snprintf(text, bytes, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, units[unit].name);
}

double *mu_json_numbers(const json_t *array, size_t *count, struct mu_error *err)
{
    size_t i;
    json_t *number;
    *count = json_array_size(array);
    double *numbers = *count != 0 ? mu_malloc(*count, sizeof *numbers, "samples", err) : NULL;
    if (numbers == NULL) return NULL;
    json_array_foreach (array, i, number) numbers[i] = json_number_value(number);
    return numbers;
}

static const char *text_of(const json_t *record, const char *name)
{
    const char *text = json_string_value(json_object_get(record, name));
    return text != NULL ? text : "-";
}

static json_int_t number_of(const json_t *record, const char *name)
{
    return json_integer_value(json_object_get(record, name));
}

/* False when the record has no such samples. */
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
        fprintf(to, "  %-10s min %s, median %s, max %s (%zu samples: too few for an interval at 95 %%)\n", label, min,
                median, max, summary.count);
}

static void show_roll_call(const json_t *record, FILE *to)
{
    struct mu_summary teams;
    if (!summarise(record, "rollcall_teams", &teams)) return;
    fprintf(to, "  roll call  %s, team %.0f to %.0f of %lld launched\n", text_of(record, "rollcall"), teams.min,
            teams.max, (long long)number_of(record, "rollcall_groups"));
    show_summary(record, "", "rollcall_ns", to);
}

static void show_team(const json_t *record, FILE *to)
{
    fprintf(to, "  team       %lld workgroups of %lld", (long long)number_of(record, "team"),
            (long long)number_of(record, "workgroup"));
    if (json_object_get(record, "team_from") != NULL) fprintf(to, " (from: %s)", text_of(record, "team_from"));
    fprintf(to, "; barrier %s, atomics %s", text_of(record, "barrier"), text_of(record, "atomics"));
    if (json_object_get(record, "yield") != NULL) fprintf(to, ", yield %s", text_of(record, "yield"));
    fputc('\n', to);
}

static const char *readback_text(const json_t *record)
{
    const char *readback = json_string_value(json_object_get(record, "readback"));
    if (readback == NULL) return "";
    return strcmp(readback, "word") == 0 ? " (pinned word)" : " (blocking)";
}

/* Lists, such as those by round, are in the record only. */
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
        fprintf(to, "  input      %lld vertices, %lld arcs, hash %s\n", (long long)number_of(record, "vertices"),
                (long long)number_of(record, "edges"), text_of(record, "input_hash"));
    if (json_object_get(record, "triangles") != NULL)
        fprintf(to, "  input      %lld points, %lld triangles, %lld segments, hash %s\n",
                (long long)number_of(record, "points"), (long long)number_of(record, "triangles"),
                (long long)number_of(record, "segments"), text_of(record, "input_hash"));
    if (number_of(record, "turned") > 0 || number_of(record, "flipped") > 0)
        fprintf(to,
                "  note       %lld triangles of the file were clockwise, %lld edges not Delaunay: turned, flipped\n",
                (long long)number_of(record, "turned"), (long long)number_of(record, "flipped"));
}

void mu_show_record(const json_t *record, FILE *to)
{
    char build[24];
    fprintf(to, "%s on %s, %s, %s (%s)\n", text_of(record, "app"), text_of(record, "input"), text_of(record, "variant"),
            text_of(record, "chip"), text_of(record, "device"));
    fprintf(to, "  outcome    %s\n", text_of(record, "outcome"));
    show_input(record, to);
    if (json_array_size(json_object_get(record, "samples_ns")) == 0) return;
    show_summary(record, "time", "samples_ns", to);
    show_summary(record, "on device", "device_ns", to);
    if (json_object_get(record, "barrier") != NULL) show_team(record, to);
    show_roll_call(record, to);
    fprintf(to, "  counts     %lld launches, %lld read-backs%s, %lld barriers\n",
            (long long)number_of(record, "launches"), (long long)number_of(record, "readbacks"), readback_text(record),
            (long long)number_of(record, "barriers"));
    mu_show_time((double)number_of(record, "build_ns"), build, sizeof build);
    fprintf(to, "  build      %s%s\n", build,
            json_is_true(json_object_get(record, "build_cached")) ? " (from the cache)" : "");
    fprintf(to, "  check      %s\n", text_of(record, "check"));
    show_figures(record, to);
    if (number_of(record, "grown") > 0)
        fprintf(to, "  growth     buffers were enlarged %lld times\n", (long long)number_of(record, "grown"));
}
