/* The runs that were read so far, by their keys, so that a run which stands in two files counts once. */
#ifndef MU_RECORDS_RUNS_H
#define MU_RECORDS_RUNS_H

#include "base/json.h"
#include "records/words.h"

/* What has to be known of a run when its key comes again. */
struct mu_known_run {
    uint64_t name[2]; /* the hash of its key, and of what that is unique on; of 128 bits, never taken for another */
    uint64_t content; /* the hash of the record */
    const char *date; /* NULL: the slot is empty */
    size_t place;
};

/* Fill with zeros; release with mu_known_runs_release. */
struct mu_known_runs {
    struct mu_known_run *slots; /* at most half full */
    size_t slot_count, count;
    struct mu_words dates;
};

/* The run of this name, or NULL where there is none yet: then it is added with these figures. The run may be changed
 * until the next call; its date only by mu_known_run_set_date. NULL with MU_NO_MEMORY in err, too. */
struct mu_known_run *mu_known_runs_find(struct mu_known_runs *runs, const struct mu_known_run *run,
                                        struct mu_error *err);

/* Sets the date of a run. MU_NO_MEMORY. */
int mu_known_run_set_date(struct mu_known_runs *runs, struct mu_known_run *run, const char *date, struct mu_error *err);

/* Makes the name of the run that a record is of: its key, and the device of a host and the session in which it is
 * unique. Two machines, or two equal devices of one, that have made the same campaign have each measured it, and so has
 * one device in two sessions. */
void mu_run_name(const json_t *record, const char *key, uint64_t name[2]);

/* Accepts zeros. */
void mu_known_runs_release(struct mu_known_runs *runs);

#endif
