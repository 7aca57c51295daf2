/* muster table claims: what the literature claims, and what is so on the chips that were measured. */
#include "analysis/claims/claims.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct mu_claim *const lists[] = {mu_claims_barriers, mu_claims_programs};
enum { LISTS = sizeof lists / sizeof lists[0] };

static const char *const verdicts[MU_VERDICTS] = {"as claimed", "not as claimed", "not shown", "cannot be tried here"};
static const enum mu_tone tones[MU_VERDICTS] = {MU_TONE_GOOD, MU_TONE_BAD, MU_TONE_PLAIN, MU_TONE_PLAIN};

/* A claim with its findings. */
struct judged {
    const struct mu_claim *claim;
    char name[32]; /* "paper 3": its place among those of its text */
    struct mu_findings findings;
};

struct all {
    struct judged *judged;
    size_t count;
};

static size_t count_claims(void)
{
    size_t count = 0;
    for (size_t l = 0; l < LISTS; l++)
        for (const struct mu_claim *claim = lists[l]; claim->text != NULL; claim++) count++;
    return count;
}

static int judge_all(const struct mu_table_request *request, struct all *all, struct mu_error *err)
{
    struct mu_filled_tables tables = {0};
    size_t number = 0;
    all->judged = mu_calloc(count_claims(), sizeof *all->judged, "claims", err);
    for (size_t l = 0; l < LISTS && err->status == MU_OK; l++)
        for (const struct mu_claim *claim = lists[l]; claim->text != NULL && err->status == MU_OK; claim++) {
            const bool same = claim > lists[l] && strcmp(claim[-1].text, claim->text) == 0;
            struct judged *judged = &all->judged[all->count++];
            number = same ? number + 1 : 1;
            judged->claim = claim;
            snprintf(judged->name, sizeof judged->name, "%s %zu", claim->text, number);
            mu_claim_judge(claim, request, &tables, &judged->findings, err);
        }
    mu_filled_release(&tables);
    return err->status;
}

static void release_all(struct all *all)
{
    for (size_t i = 0; i < all->count; i++) mu_findings_release(&all->judged[i].findings);
    mu_free(all->judged);
}

/* ---- One row a claim ---- */

/* Adds the figure that decides, as the marker of a page asks for it. */
static void decided_cell(struct mu_grid *grid, const struct mu_claim *claim)
{
    static const char *const of[] = {[MU_CLAIM_EACH] = "each", [MU_CLAIM_MEAN] = "mean", [MU_CLAIM_SOME] = "some"};
    char range[64] = "";
    if (claim->cell == NULL) {
        mu_grid_empty(grid);
        return;
    }
    if (claim->is != NULL)
        snprintf(range, sizeof range, "is %s", claim->is);
    else if (isinf(claim->most))
        snprintf(range, sizeof range, "at least %g", claim->least);
    else if (isinf(claim->least))
        snprintf(range, sizeof range, "at most %g", claim->most);
    else
        snprintf(range, sizeof range, "%g to %g", claim->least, claim->most);
    mu_grid_text(grid, "%s of: %s%s%s: %s", of[claim->of], claim->cell, claim->over != NULL ? " over " : "",
                 claim->over != NULL ? claim->over : "", range);
}

static void fill_claims(const struct all *all, struct mu_grid *grid)
{
    mu_grid_column(grid, "claim", "no.", MU_COLUMN_LEFT);
    mu_grid_column(grid, "text", "text", MU_COLUMN_LEFT);
    mu_grid_column(grid, "place", "place", MU_COLUMN_LEFT);
    mu_grid_column(grid, "sentence", "claim", MU_COLUMN_LEFT);
    mu_grid_column(grid, "figure", "the text's figure", MU_COLUMN_LEFT);
    mu_grid_column(grid, "as_claimed", "as claimed on", 0);
    mu_grid_column(grid, "not_as_claimed", "not as claimed on", 0);
    mu_grid_column(grid, "not_shown", "not shown on", 0);
    mu_grid_column(grid, "without", "else", MU_COLUMN_LEFT);
    mu_grid_column(grid, "decided_by", "decided by", MU_COLUMN_LEFT | MU_COLUMN_MINOR);
    for (size_t i = 0; i < all->count; i++) {
        const struct judged *judged = &all->judged[i];
        size_t counts[MU_VERDICTS] = {0};
        for (size_t f = 0; f < judged->findings.count; f++) counts[judged->findings.findings[f].verdict]++;
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", judged->name);
        mu_grid_text(grid, "%s", judged->claim->text);
        mu_grid_text(grid, "%s", judged->claim->place);
        mu_grid_text(grid, "%s", judged->claim->sentence);
        mu_grid_text(grid, "%s", judged->claim->figure);
        for (int v = MU_AS_CLAIMED; v <= MU_NOT_SHOWN; v++) mu_grid_number(grid, (double)counts[v], 0);
        if (judged->findings.count == 0)
            mu_grid_text(grid, "%s: %s", verdicts[MU_NOT_TRIED], judged->claim->without);
        else
            mu_grid_empty(grid);
        decided_cell(grid, judged->claim);
    }
    mu_grid_note(grid, "as claimed on, not as claimed on, not shown on: so many chips. Claims are of other chips and "
                       "years: these counts are no verdict on a text.");
    mu_grid_note(grid, "decided by: the table, filters and column of a page's marker; each row, some row, or the "
                       "geometric mean of rows decides.");
}

/* ---- One row a claim and chip ---- */

static void finding_cell(struct mu_grid *grid, const struct mu_finding *finding)
{
    if (finding->words != NULL) {
        mu_grid_text(grid, "%s", finding->words);
        return;
    }
    if (finding->is_time)
        mu_grid_time(grid, finding->value);
    else
        mu_grid_number(grid, finding->value, 2);
    if (finding->has_interval) mu_grid_interval(grid, finding->low, finding->high);
    if (finding->has_interval && finding->sessions > 0) mu_grid_sessions(grid, finding->sessions);
}

static void add_finding(const struct judged *judged, const struct mu_finding *finding, struct mu_grid *grid)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", judged->name);
    mu_grid_text(grid, "%s", judged->claim->text);
    mu_grid_text(grid, "%s", judged->claim->sentence);
    mu_grid_text(grid, "%s", finding->chip);
    mu_grid_number(grid, (double)finding->rows, 0);
    finding_cell(grid, finding);
    mu_grid_text(grid, "%s", finding->row[0] != '\0' ? finding->row : finding->rows > 1 ? "mean" : "the only one");
    mu_grid_text(grid, "%s", verdicts[finding->verdict]);
    mu_grid_tone(grid, tones[finding->verdict]);
}

static void add_untried(const struct judged *judged, const char *chip, struct mu_grid *grid)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", judged->name);
    mu_grid_text(grid, "%s", judged->claim->text);
    mu_grid_text(grid, "%s", judged->claim->sentence);
    mu_grid_text(grid, "%s", chip);
    mu_grid_number(grid, 0, 0);
    mu_grid_empty(grid);
    mu_grid_text(grid, "%s", judged->claim->without);
    mu_grid_text(grid, "%s", verdicts[MU_NOT_TRIED]);
}

static const struct mu_finding *find(const struct judged *judged, const char *chip)
{
    for (size_t f = 0; f < judged->findings.count; f++)
        if (strcmp(judged->findings.findings[f].chip, chip) == 0) return &judged->findings.findings[f];
    return NULL;
}

/* Returns true if an earlier claim has a finding for that chip. */
static bool came_before(const struct all *all, size_t end, const char *chip)
{
    for (size_t i = 0; i < end; i++)
        if (find(&all->judged[i], chip) != NULL) return true;
    return false;
}

/* Adds rows for the chips of other claims on which this one has no figure. */
static void add_all_untried(const struct all *all, const struct judged *judged, struct mu_grid *grid)
{
    if (find(judged, "all") != NULL) return;
    for (size_t i = 0; i < all->count; i++)
        for (size_t f = 0; f < all->judged[i].findings.count; f++) {
            const char *chip = all->judged[i].findings.findings[f].chip;
            if (strcmp(chip, "all") != 0 && !came_before(all, i, chip) && find(judged, chip) == NULL)
                add_untried(judged, chip, grid);
        }
}

static void fill_chips(const struct all *all, bool untried, struct mu_grid *grid)
{
    mu_grid_column(grid, "claim", "no.", MU_COLUMN_LEFT);
    mu_grid_column(grid, "text", "text", MU_COLUMN_LEFT | MU_COLUMN_MINOR);
    mu_grid_column(grid, "sentence", "claim", MU_COLUMN_LEFT);
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "rows", "rows", MU_COLUMN_MINOR);
    mu_grid_column(grid, "ours", "ours", MU_COLUMN_INTERVAL | MU_COLUMN_KEPT);
    mu_grid_column(grid, "row", "which row decides", MU_COLUMN_LEFT);
    mu_grid_column(grid, "verdict", "on this chip", MU_COLUMN_LEFT);
    for (size_t i = 0; i < all->count; i++) {
        const struct judged *judged = &all->judged[i];
        for (size_t f = 0; f < judged->findings.count; f++) add_finding(judged, &judged->findings.findings[f], grid);
        if (untried) add_all_untried(all, judged, grid);
    }
    mu_grid_note(grid, "as claimed: the whole interval lies on the claimed side; not as claimed: on the other side; "
                       "not shown: neither, or there is no interval. A count decides as it is.");
    mu_grid_note(grid, "ours: of the row that decides: the one that is farthest from the claim, or, where some row is "
                       "enough, nearest to it. Errors of ratios and means are taken to be independent.");
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct all all = {0};
    if (judge_all(request, &all, grids->err) == MU_OK) {
        fill_claims(&all, mu_grids_add(grids, "claims", "What the literature claims, and on how many chips it is so"));
        fill_chips(&all, request->plain_rows || request->chip != NULL || request->set_count > 0,
                   mu_grids_add(grids, "claims-chips", "Claims, chip by chip"));
    }
    release_all(&all);
    return grids->err->status;
}

const struct mu_table mu_table_claims = {"claims", "what the literature claims, and what is so on which chip", fill};
