/* What the literature claims, beside what records of chips say to it (muster table claims). */
#ifndef MU_ANALYSIS_CLAIMS_CLAIMS_H
#define MU_ANALYSIS_CLAIMS_CLAIMS_H

#include "analysis/pages/filled.h"

#include <stdbool.h>
#include <stddef.h>

/* Of which rows a claim speaks. */
enum mu_claim_of {
    MU_CLAIM_EACH, /* of each of them */
    MU_CLAIM_MEAN, /* of their geometric mean */
    MU_CLAIM_SOME  /* of at least one */
};

/* `cell` and `over` are what a marker of a page says behind its kind (doc/reports.md): a table, filters, and columns.
 * The last column has the figure; those before it tell rows apart. With `over` the figure is the one of `cell` over
 * that of the row with the same such columns. */
struct mu_claim {
    const char *text, *place; /* "paper", "supplement", "thesis", "split barrier", "PT study"; where in it */
    const char *sentence;     /* the claim, in words of our own */
    const char *cell, *over;  /* over: NULL for a figure as it is. cell: NULL where no table has it */
    enum mu_claim_of of;
    double least, most;  /* the figure lies there, as is claimed */
    const char *is;      /* or it is this text; NULL */
    bool may;            /* it is said to be possible: that it does not happen shows nothing */
    const char *figure;  /* the text's own, with its chips and year */
    const char *without; /* why it cannot be tried where the table has no such row */
};

/* All of them, by text; the last has no text. */
extern const struct mu_claim mu_claims_barriers[], mu_claims_programs[];

enum mu_verdict { MU_AS_CLAIMED, MU_NOT_AS_CLAIMED, MU_NOT_SHOWN, MU_NOT_TRIED, MU_VERDICTS };

/* What decides a claim on a chip. */
struct mu_finding {
    const char *chip; /* "all" for a table that is not by chip */
    size_t rows;
    char *row;    /* which row it is that decides; "" for the only one, and for a mean */
    bool is_time; /* nanoseconds */
    double value, low, high;
    bool has_interval;
    size_t sessions; /* that it spans; 0: not told */
    char *words;     /* in the place of a value where the claim is a text */
    enum mu_verdict verdict;
};

/* By chip. Fill with zeros; release with mu_findings_release, also after a failure. */
struct mu_findings {
    struct mu_finding *findings;
    size_t count;
    char **names; /* of chips */
    size_t name_count;
};

/* Looks a claim up in the tables that the request's records give. A figure with an interval is as claimed where the
 * whole interval lies on the claimed side, not as claimed where it lies on the other side, and not shown else. A count
 * decides as it is; a time or ratio that has no interval shows nothing. */
int mu_claim_judge(const struct mu_claim *claim, const struct mu_table_request *request,
                   struct mu_filled_tables *tables, struct mu_findings *findings, struct mu_error *err);

/* Accepts zeros. */
void mu_findings_release(struct mu_findings *findings);

#endif
