#include "analysis/claims/claims.h"

#include "analysis/pages/asked.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A figure of a row, or of two rows that are divided. */
struct figure {
    char *chip, *row; /* the row's columns before the last, as text */
    char *words;
    double value, low, high;
    size_t sessions;
    bool is_time, has_interval, is_count;
};

struct figures {
    struct figure *figures;
    size_t count;
};

static void release_figures(struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        mu_free(figures->figures[i].chip);
        mu_free(figures->figures[i].row);
        mu_free(figures->figures[i].words);
    }
    mu_free(figures->figures);
    *figures = (struct figures){0};
}

/* ---- Reading ---- */

/* Returns the chip of a row without the label behind it, which the caller frees. */
static char *chip_of(const struct mu_grid *grid, size_t row, struct mu_error *err)
{
    size_t column;
    const char *chip = mu_grid_find_column(grid, "chip", &column) ? mu_grid_cell_text(grid, row, column) : NULL;
    if (chip == NULL) chip = "all";
    return mu_format(err, "%.*s", (int)strcspn(chip, "@"), chip);
}

/* Returns what tells the row apart, which are its columns before the last. The caller frees it. */
static char *row_of(const struct mu_grid *grid, size_t row, const struct mu_grid_part *part, struct mu_error *err)
{
    char *name = mu_strdup("", err);
    for (size_t i = 0; i + 1 < part->column_count && name != NULL; i++) {
        char shown[MU_GRID_CELL_BYTES];
        const char *cell = mu_grid_cell_show(grid, row, part->columns[i], shown);
        char *longer =
            mu_format(err, "%s%s%s %s", name, i > 0 ? ", " : "", mu_grid_column_title(grid, part->columns[i]), cell);
        mu_free(name);
        name = longer;
    }
    return name;
}

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), bytes = strlen(end);
    return length >= bytes && strcmp(text + length - bytes, end) == 0;
}

/* Adds the figure of a row, unless its cell is empty. */
static int add_figure(const struct mu_grid *grid, size_t row, const struct mu_grid_part *part, struct figures *figures,
                      struct mu_error *err)
{
    const size_t column = part->columns[part->column_count - 1];
    const char *words = mu_grid_cell_text(grid, row, column);
    char shown[MU_GRID_CELL_BYTES];
    if (mu_grid_cell_is(grid, row, column, "-")) return MU_OK;
    if (mu_resize((void **)&figures->figures, figures->count + 1, sizeof *figures->figures, "figures", err) != MU_OK)
        return err->status;
    struct figure *figure = &figures->figures[figures->count++];
    *figure =
        (struct figure){.chip = chip_of(grid, row, err),
                        .row = row_of(grid, row, part, err),
                        .words = mu_strdup(words != NULL ? words : mu_grid_cell_show(grid, row, column, shown), err),
                        .value = mu_grid_cell_number(grid, row, column),
                        .is_time = ends_in(mu_grid_column_name(grid, column), "_ns"),
                        .is_count = !mu_grid_has_intervals(grid, column)};
    figure->has_interval = mu_grid_cell_interval(grid, row, column, &figure->low, &figure->high, &figure->sessions);
    if (!figure->has_interval) figure->low = figure->high = figure->value;
    return err->status;
}

/* Reads the figures of what a marker asks for. */
static int read_asked(struct mu_asked *asked, const struct mu_table_request *request, struct mu_filled_tables *tables,
                      struct figures *figures, struct mu_error *err)
{
    asked->request = *request;
    asked->request.plain_rows = true;
    const struct mu_grids *grids = mu_filled_find(tables, asked->table, &asked->request, err);
    if (grids == NULL || mu_asked_check(asked, grids, err) != MU_OK) return err->status;
    for (size_t g = 0; g < grids->count && err->status == MU_OK; g++) {
        struct mu_grid_part part = {0};
        if (!mu_asked_has(asked, grids->grid[g])) continue;
        mu_asked_part(asked, grids->grid[g], &part, err);
        for (size_t r = 0; r < part.row_count && err->status == MU_OK; r++)
            add_figure(grids->grid[g], part.rows[r], &part, figures, err);
        mu_grid_part_release(&part);
        break;
    }
    return err->status;
}

/* Reads the figures of a claim's cell, which is read as a page's marker is. */
static int read_figures(const char *cell, const struct mu_table_request *request, struct mu_filled_tables *tables,
                        struct figures *figures, struct mu_error *err)
{
    struct mu_markers markers = {0};
    struct mu_asked asked = {0};
    char *page = mu_format(err, "<!-- table %s --><!-- end -->\n", cell);
    if (page != NULL && mu_markers_find("claim", page, strlen(page), &markers, err) == MU_OK &&
        mu_asked_read("claim", &markers.markers[0], &asked, err) == MU_OK)
        read_asked(&asked, request, tables, figures, err);
    mu_asked_release(&asked);
    mu_markers_release(&markers);
    mu_free(page);
    return err->status;
}

/* ---- Ratios ---- */

/* Returns half of an interval on the scale of logarithms, in the direction in which it is wider. */
static double half_width(const struct figure *figure)
{
    return fmax(log(figure->high / figure->value), log(figure->value / figure->low));
}

static void set_ratio(struct figure *figure, double log_value, double half)
{
    figure->value = exp(log_value);
    figure->low = exp(log_value - half);
    figure->high = exp(log_value + half);
}

/* Divides by the figure of the same chip and row; false where there is none. */
static bool divide(struct figure *figure, const struct figures *by)
{
    for (size_t i = 0; i < by->count; i++) {
        const struct figure *other = &by->figures[i];
        if (strcmp(other->chip, figure->chip) != 0 || strcmp(other->row, figure->row) != 0) continue;
        const double half = hypot(half_width(figure), half_width(other));
        set_ratio(figure, log(figure->value / other->value), half);
        figure->has_interval = figure->has_interval && other->has_interval;
        figure->is_count = figure->is_count && other->is_count;
        figure->is_time = false;
        if (other->sessions < figure->sessions) figure->sessions = other->sessions;
        return isfinite(figure->value);
    }
    return false;
}

static void divide_all(struct figures *figures, const struct figures *by)
{
    size_t left = 0;
    for (size_t i = 0; i < figures->count; i++) {
        struct figure figure = figures->figures[i];
        const bool kept = divide(&figure, by);
        figures->figures[i] = figures->figures[left];
        figures->figures[left] = figure;
        left += kept;
    }
    for (size_t i = left; i < figures->count; i++) {
        mu_free(figures->figures[i].chip);
        mu_free(figures->figures[i].row);
        mu_free(figures->figures[i].words);
    }
    figures->count = left;
}

/* ---- Verdicts ---- */

static enum mu_verdict verdict_of(const struct mu_claim *claim, const struct figure *figure)
{
    if (claim->is != NULL) return strcmp(figure->words, claim->is) == 0 ? MU_AS_CLAIMED : MU_NOT_AS_CLAIMED;
    if (!figure->has_interval && !figure->is_count) return MU_NOT_SHOWN;
    if (figure->low >= claim->least && figure->high <= claim->most) return MU_AS_CLAIMED;
    if (claim->may) return MU_NOT_SHOWN;
    return figure->high < claim->least || figure->low > claim->most ? MU_NOT_AS_CLAIMED : MU_NOT_SHOWN;
}

/* Returns how far the figure is on the claimed side. */
static double margin_of(const struct mu_claim *claim, const struct figure *figure)
{
    if (claim->is != NULL) return strcmp(figure->words, claim->is) == 0;
    return fmin(figure->value - claim->least, claim->most - figure->value);
}

/* Returns true if `verdict` decides rather than `other`: of each row the worst does, of some row the best. */
static bool decides(const struct mu_claim *claim, const struct figure *figure, const struct figure *other)
{
    static const int order[MU_VERDICTS] = {[MU_NOT_AS_CLAIMED] = 0, [MU_NOT_SHOWN] = 1, [MU_AS_CLAIMED] = 2};
    const int rank = order[verdict_of(claim, figure)], other_rank = order[verdict_of(claim, other)];
    const bool worse = rank < other_rank || (rank == other_rank && margin_of(claim, figure) < margin_of(claim, other));
    return claim->of == MU_CLAIM_SOME ? !worse : worse;
}

/* Fills in the geometric mean of the chip's figures, whose errors are taken to be independent. */
static void take_mean(const struct figures *figures, const char *chip, struct figure *mean)
{
    double logs = 0, squares = 0, count = 0;
    for (size_t i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->figures[i];
        if (strcmp(figure->chip, chip) != 0) continue;
        logs += log(figure->value);
        squares += pow(half_width(figure), 2);
        count++;
        mean->has_interval = mean->has_interval && figure->has_interval;
        if (figure->sessions < mean->sessions) mean->sessions = figure->sessions;
    }
    set_ratio(mean, logs / count, sqrt(squares) / count);
}

/* Finds what decides the claim on a chip. */
static int find(const struct mu_claim *claim, const struct figures *figures, const char *chip,
                struct mu_finding *finding, struct mu_error *err)
{
    const struct figure *deciding = NULL;
    for (size_t i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->figures[i];
        if (strcmp(figure->chip, chip) != 0) continue;
        finding->rows++;
        if (deciding == NULL || decides(claim, figure, deciding)) deciding = figure;
    }
    if (deciding == NULL) return MU_OK;
    struct figure figure = *deciding;
    const bool is_mean = claim->of == MU_CLAIM_MEAN && finding->rows > 1;
    if (is_mean) take_mean(figures, chip, &figure);
    finding->chip = chip;
    finding->row = mu_strdup(is_mean ? "" : figure.row, err);
    finding->words = claim->is != NULL ? mu_strdup(figure.words, err) : NULL;
    finding->is_time = figure.is_time;
    finding->value = figure.value;
    finding->low = figure.low;
    finding->high = figure.high;
    finding->sessions = figure.sessions;
    finding->has_interval = figure.has_interval;
    finding->verdict = verdict_of(claim, &figure);
    return err->status;
}

static bool is_known(const struct mu_findings *findings, const char *chip)
{
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->findings[i].chip, chip) == 0) return true;
    return false;
}

static int compare_findings(const void *a, const void *b)
{
    return strcmp(((const struct mu_finding *)a)->chip, ((const struct mu_finding *)b)->chip);
}

/* Finds what decides the claim on each chip. The findings take the names of chips over. */
static int find_all(const struct mu_claim *claim, struct figures *figures, struct mu_findings *findings,
                    struct mu_error *err)
{
    findings->findings = mu_calloc(figures->count, sizeof *findings->findings, "findings", err);
    findings->names = mu_calloc(figures->count, sizeof *findings->names, "names of chips", err);
    for (size_t i = 0; i < figures->count && err->status == MU_OK; i++) {
        if (is_known(findings, figures->figures[i].chip)) continue;
        char *chip = mu_strdup(figures->figures[i].chip, err);
        if (chip == NULL) break;
        findings->names[findings->name_count++] = chip;
        find(claim, figures, chip, &findings->findings[findings->count++], err);
    }
    if (findings->count > 1) qsort(findings->findings, findings->count, sizeof *findings->findings, compare_findings);
    return err->status;
}

int mu_claim_judge(const struct mu_claim *claim, const struct mu_table_request *request,
                   struct mu_filled_tables *tables, struct mu_findings *findings, struct mu_error *err)
{
    struct figures figures = {0}, by = {0};
    if (claim->cell != NULL) read_figures(claim->cell, request, tables, &figures, err);
    if (claim->over != NULL && err->status == MU_OK) {
        if (read_figures(claim->over, request, tables, &by, err) == MU_OK) divide_all(&figures, &by);
    }
    if (err->status == MU_OK && figures.count > 0) find_all(claim, &figures, findings, err);
    release_figures(&figures);
    release_figures(&by);
    return err->status;
}

void mu_findings_release(struct mu_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        mu_free(findings->findings[i].row);
        mu_free(findings->findings[i].words);
    }
    for (size_t i = 0; i < findings->name_count; i++) mu_free(findings->names[i]);
    mu_free(findings->findings);
    mu_free(findings->names);
    *findings = (struct mu_findings){0};
}
