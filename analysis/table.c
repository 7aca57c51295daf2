/* The table that a campaign ends in. */
#include "analysis/show.h"
#include "analysis/stats.h"

#include "base/memory.h"

#include <string.h>

static const char *const variant_names[] = {"multi-kernel", "portable", "specialised"};
enum { VARIANTS = 3 };

static const char *text_of(const json_t *record, const char *name)
{
    const char *text = json_string_value(json_object_get(record, name));
    return text != NULL ? text : "-";
}

/* The record of an app, input and variant; NULL when there is none. */
static const json_t *find_record(const json_t *records, const json_t *like, const char *variant)
{
    size_t i;
    json_t *record;
    json_array_foreach (records, i, record)
        if (strcmp(text_of(record, "app"), text_of(like, "app")) == 0 &&
            strcmp(text_of(record, "input"), text_of(like, "input")) == 0 &&
            strcmp(text_of(record, "variant"), variant) == 0)
            return record;
    return NULL;
}

/* The median time of a record that went well; 0 otherwise. The cell is "12.3 ms ±4 %", or the outcome. */
static double show_cell(const json_t *record, char *cell, size_t bytes)
{
    struct mu_summary summary;
    size_t count = 0;
    char time[24];
    snprintf(cell, bytes, "%s", record == NULL ? "missing" : text_of(record, "outcome"));
    if (record == NULL || strcmp(text_of(record, "outcome"), "ok") != 0) return 0;
    double *values = mu_json_numbers(json_object_get(record, "samples_ns"), &count, NULL);
    const bool done = values != NULL && mu_summarise(values, count, &summary, NULL) == MU_OK;
    mu_free(values);
    if (!done) return 0;
    mu_show_time(summary.median, time, sizeof time);
    if (summary.has_interval)
        snprintf(cell, bytes, "%s ±%.0f%%", time, 50 * (summary.high - summary.low) / summary.median);
    else
        snprintf(cell, bytes, "%s", time);
    return summary.median;
}

/* Pads to a width counted in characters: ± takes two bytes. */
static void show_padded(FILE *to, const char *cell, int width)
{
    int characters = 0;
    for (const char *c = cell; *c != '\0'; c++) characters += (*c & 0xc0) != 0x80;
    fprintf(to, "  %*s%s", characters < width ? width - characters : 0, "", cell);
}

static void show_ratio(FILE *to, double numerator, double denominator, int width)
{
    char cell[24] = "-";
    if (numerator > 0 && denominator > 0) snprintf(cell, sizeof cell, "%.2f", numerator / denominator);
    show_padded(to, cell, width);
}

static void show_row(const json_t *records, const json_t *first, FILE *to, double medians[VARIANTS])
{
    char cell[64];
    fprintf(to, "%-14s %-18.40s", text_of(first, "app"), text_of(first, "input"));
    for (int i = 0; i < VARIANTS; i++) {
        medians[i] = show_cell(find_record(records, first, variant_names[i]), cell, sizeof cell);
        show_padded(to, cell, 14);
    }
    show_ratio(to, medians[0], medians[1], 7);
    show_ratio(to, medians[1], medians[2], 8);
    fprintf(to, "\n");
}

/* Geometric means of the ratios, over the rows that have them. */
static void show_means(FILE *to, const double *speedups, const double *slowdowns, const size_t counts[2], size_t rows)
{
    fprintf(to, "%-77s", "geometric mean");
    if (counts[0] > 0)
        fprintf(to, "  %7.2f", mu_geometric_mean(speedups, counts[0]));
    else
        fprintf(to, "  %7s", "-");
    if (counts[1] > 0)
        fprintf(to, "  %8.2f", mu_geometric_mean(slowdowns, counts[1]));
    else
        fprintf(to, "  %8s", "-");
    fprintf(
        to,
        "\nspeedup: multi-kernel / portable, over %zu of %zu rows; slowdown: portable / specialised, over %zu of %zu\n",
        counts[0], rows, counts[1], rows);
}

void mu_show_table(const json_t *records, FILE *to)
{
    size_t i, counts[2] = {0, 0}, rows = 0;
    json_t *record;
    double medians[VARIANTS];
    double *ratios = mu_malloc(2 * json_array_size(records) + 1, sizeof *ratios, "ratios", NULL);
    if (ratios == NULL) return;
    double *slowdowns = ratios + json_array_size(records);
    fprintf(to, "%-14s %-18s  %14s  %14s  %14s  %7s  %8s\n", "app", "input", "multi-kernel", "portable", "specialised",
            "speedup", "slowdown");
    json_array_foreach (records, i, record) {
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++) {
            const json_t *earlier = json_array_get(records, j);
            seen = strcmp(text_of(earlier, "app"), text_of(record, "app")) == 0 &&
                   strcmp(text_of(earlier, "input"), text_of(record, "input")) == 0;
        }
        if (seen) continue;
        rows++;
        show_row(records, record, to, medians);
        if (medians[0] > 0 && medians[1] > 0) ratios[counts[0]++] = medians[0] / medians[1];
        if (medians[1] > 0 && medians[2] > 0) slowdowns[counts[1]++] = medians[1] / medians[2];
    }
    show_means(to, ratios, slowdowns, counts, rows);
    mu_free(ratios);
}
