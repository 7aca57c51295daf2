/* muster table advice: warnings about samples that look as if something had gone wrong, such as outliers or a drift. No
 * sample is dropped for them. */
#include "analysis/tables/advice.h"

#include "analysis/baseline.h"
#include "analysis/tables/common.h"
#include "analysis/trouble.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- The table ---- */

static void add_rows(struct mu_grid *grid, const struct mu_measurement *measurement, const struct mu_troubles *troubles)
{
    for (int trouble = 0; trouble < MU_TROUBLES; trouble++) {
        if (!troubles->has[trouble]) continue;
        mu_grid_row(grid);
        mu_table_key_cells(grid, measurement);
        mu_grid_text(grid, "%s", measurement->variant);
        mu_grid_text(grid, "%s", mu_trouble_names[trouble].name);
        mu_grid_text(grid, "%s", troubles->text[trouble]);
    }
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    struct mu_troubles troubles;
    struct mu_grid *grid = mu_grids_add(grids, "advice", "Advice: what in the samples calls for care");
    mu_table_key_columns(grid);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    mu_grid_column(grid, "sign", "sign", MU_COLUMN_LEFT);
    mu_grid_column(grid, "advice", "advice", MU_COLUMN_LEFT);
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    mu_study_choose(&data.study);
    for (size_t i = 0; i < data.study.count; i++) {
        if (mu_troubles_of(&data.study.measurements[i], &troubles, grids->err) != MU_OK) break;
        add_rows(grid, &data.study.measurements[i], &troubles);
    }
    mu_table_release(&data);
    if (grids->err->status == MU_OK && mu_grid_rows(grid) == 0) mu_grid_note(grid, "None.");
    return grids->err->status;
}

/* ---- The verdict ---- */

/* All measurements taken together. */
struct tally {
    size_t tests, firm, warned; /* those that ended well; of them those that may be relied on, and with warnings */
    size_t by_trouble[MU_TROUBLES];
    size_t wide; /* those whose interval is wide */
    size_t speedups, firm_speedups;
    double others_ns, watched_ns; /* of tests on a busy machine */
    unsigned cores;
};

static void count(const struct mu_measurement *measurement, const struct mu_troubles *troubles, struct tally *tally)
{
    bool warned = false;
    for (int trouble = 0; trouble < MU_TROUBLES; trouble++) {
        tally->by_trouble[trouble] += troubles->has[trouble];
        warned = warned || troubles->has[trouble];
    }
    tally->tests++;
    tally->warned += warned;
    tally->firm += mu_is_firm(troubles);
    tally->wide += troubles->has[MU_PROCESSES_DIFFER];
    if (!troubles->has[MU_BUSY]) return;
    tally->others_ns += measurement->others_ns;
    tally->watched_ns += measurement->watched_ns;
    tally->cores = measurement->cores;
}

/* Counts the speedups whose two sides are firm. */
static void count_speedups(const struct mu_study *study, const bool *firm, struct tally *tally)
{
    for (size_t i = 0; i < study->count; i++) {
        const struct mu_measurement *own = &study->measurements[i], *base = own;
        if (strcmp(own->variant, "multi-kernel") != 0) continue;
        const struct mu_measurement *portable = mu_study_find(study, own, own, "portable");
        if (own->better != NULL) base = mu_study_find(study, own, own, own->better);
        if (!mu_table_counts(base) || !mu_table_counts(portable)) continue;
        tally->speedups++;
        tally->firm_speedups += firm[base - study->measurements] && firm[portable - study->measurements];
    }
}

static int tally_all(const struct mu_table_request *request, struct tally *tally, struct mu_error *err)
{
    struct mu_table_data data;
    struct mu_troubles troubles;
    bool *firm = NULL;
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, err) != MU_OK) return err->status;
    mu_study_choose(&data.study);
    if (mu_study_take_baselines(&data.study, err) == MU_OK)
        firm = mu_calloc(data.study.count, sizeof *firm, "what is firm", err);
    for (size_t i = 0; firm != NULL && i < data.study.count; i++) {
        const struct mu_measurement *measurement = &data.study.measurements[i];
        if (mu_troubles_of(measurement, &troubles, err) != MU_OK) break;
        firm[i] = mu_is_firm(&troubles);
        if (measurement->has_level) count(measurement, &troubles, tally);
    }
    if (err->status == MU_OK && firm != NULL) count_speedups(&data.study, firm, tally);
    mu_free(firm);
    mu_table_release(&data);
    return err->status;
}

__attribute__((format(printf, 2, 3))) static void append(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, MU_ADVICE_BYTES - used, format, arguments);
    va_end(arguments);
}

/* Appends why results are not firm and what to do, by the first reason that holds. */
static void append_reason(const struct tally *tally, char *text)
{
    if (tally->by_trouble[MU_BUSY] > 0) {
        append(text, ": other programs ");
        if (tally->watched_ns > 0) append(text, "had %.1f", tally->others_ns / tally->watched_ns);
        if (tally->watched_ns > 0 && tally->cores != 0) append(text, " of %u", tally->cores);
        append(text, "%s; run again with --restart when they have ended",
               tally->watched_ns > 0 ? " cores" : "took cores away");
    } else if (tally->by_trouble[MU_STEAL] > 0) {
        append(text, ": the host of this virtual machine took processor time; run again with --restart later");
    } else if (tally->by_trouble[MU_NOT_PLACED] > 0) {
        append(text, ": another muster had placed its threads; run again with --restart when it has ended");
    } else if (tally->by_trouble[MU_ONE_PROCESS] > 0) {
        append(text, ": one process does not tell what differs between processes; run again with --repeats=5");
    } else if (tally->by_trouble[MU_PROCESSES_DIFFER] + tally->by_trouble[MU_ODD_PROCESS] > 0) {
        append(text, ": run again with more --repeats");
    }
}

int mu_advice_summarise(const struct mu_table_request *request, char *verdict, char *warnings, struct mu_error *err)
{
    struct tally tally = {0};
    const char *between = ": ";
    verdict[0] = warnings[0] = '\0';
    if (tally_all(request, &tally, err) != MU_OK || tally.tests == 0) return err->status;
    if (tally.speedups > 0)
        append(verdict, "%zu of %zu speedups are firm", tally.firm_speedups, tally.speedups);
    else
        append(verdict, "%zu of %zu tests are firm", tally.firm, tally.tests);
    if (tally.wide > 0)
        append(verdict, "; %zu of %zu tests vary by more than %.0f %%", tally.wide, tally.tests, 100 * MU_WIDE);
    if (tally.firm < tally.tests) append_reason(&tally, verdict);
    if (tally.warned > 0)
        append(warnings, "%zu of %zu tests %s warnings", tally.warned, tally.tests, tally.warned == 1 ? "has" : "have");
    for (int trouble = 0; trouble < MU_TROUBLES; trouble++) {
        if (tally.by_trouble[trouble] == 0) continue;
        append(warnings, "%s%s (%zu)", between, mu_trouble_names[trouble].words, tally.by_trouble[trouble]);
        between = ", ";
    }
    return MU_OK;
}

const struct mu_table mu_table_advice = {"advice", "warnings: outliers, drift, throttling, busy machines", fill};
