/* Reads result sets: files of records, one JSON object a line (doc/results-format.md), plain or packed by xz or gzip.
 *
 * A result set is named by a file; a folder, of which all *.jsonl and *.jsonl.xz are read, also those of its folders,
 * in the order of their names; or a chip, which is a folder under the root of the results. "SET@LABEL" takes only the
 * records of that label. Objects that are no runs (a `kind` other than run, measure and tune, as a probe writes them)
 * are passed over. Records without a kind are runs. */
#ifndef MU_RECORDS_SETS_H
#define MU_RECORDS_SETS_H

#include "base/error.h"
#include "base/json.h"
#include "records/lines.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* Who takes records. */
struct mu_record_sink {
    /* The members that it reads, as mu_scan_new has them; records may have others, too. NULL: all. */
    const char *const *members;
    /* Takes a record, which is borrowed, and its line. Its place tells records apart: a record with a place that was
     * given before stands for the one that was given with it, which counts no more. A new one has the next place, from
     * 0 on. What is returned, if it is a failure, ends the reading. */
    int (*take)(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err);
    void *context;
    /* An object in which devices get their names in tables (records/sets/chips.h), the same for several readings that
     * are compared; NULL: one of this reading's own. */
    json_t *chips;
};

/* Hands the records of some sets to the sink, line by line; of no set: everything under the root. A root that is not
 * there has no records, but is MU_USAGE where MUSTER_RESULTS names it. Every record has texts app, input, variant,
 * chip, outcome, and samples_ns, if any, that are positive numbers; anything else is MU_INPUT with the file and the
 * line. Three things are passed over with a note on `notes`: a last line that was cut off; a file or folder that was
 * read before, for instance through a link; and a record that was read before, as in a copy of a file. Of different
 * records with one chip and key, which is noted too, the one that was made first counts (of those of one second, one
 * that a hash of their content chooses), in whatever order they are read. MU_USAGE for a set that is not there, MU_IO,
 * MU_NO_MEMORY. */
int mu_records_read(const char *root, const char *const *sets, size_t count, const struct mu_record_sink *sink,
                    FILE *notes, struct mu_error *err);

#endif
