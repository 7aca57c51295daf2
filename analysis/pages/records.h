/* The sentence that says from which records a page is made. */
#ifndef MU_ANALYSIS_PAGES_RECORDS_H
#define MU_ANALYSIS_PAGES_RECORDS_H

#include "analysis/pages/asked.h"
#include "analysis/pages/filled.h"

#include <stdio.h>

/* Prints it: how many chips, runs, samples and measurements there are of what a marker asks for, and of which days.
 * Sets are files of runs, so that measurements of probes and litmus tests are counted without them only. */
int mu_page_records(struct mu_filled_tables *tables, const struct mu_asked *asked, FILE *to, struct mu_error *err);

#endif
