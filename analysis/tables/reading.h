/* The records under a folder of results, read once for all tables of a process. */
#ifndef MU_ANALYSIS_TABLES_READING_H
#define MU_ANALYSIS_TABLES_READING_H

#include "analysis/study.h"
#include "analysis/tables/tables.h"
#include "records/lines.h"

/* How a table that looks at records itself takes them: into a state, of zeros before the first. */
struct mu_gather {
    const char *const *members; /* that it reads, as for struct mu_record_sink */
    size_t state_bytes;
    int (*take)(void *state, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err);
    void (*release)(void *state);
};

/* Fill with zeros; requests that name it have one root and one error at a time. mu_shared_records_release ends it. */
struct mu_shared_records {
    bool is_read;
    struct mu_study_draft draft; /* of all records, of both kinds */
    void **states;               /* that all gathers leave, in the order of their list */
    json_t *surveys;             /* measurements of the chips, by the name of their file */
};

/* Reads the request's records into its reading, unless that is done. */
int mu_shared_records_fill(const struct mu_table_request *request, struct mu_error *err);

/* All of them; the last is NULL. To add one, name it in analysis/tables/reading.c. */
extern const struct mu_gather *const mu_gathers[];

/* Returns the state that the request's records leave; NULL with the reason in err. It is of the request's reading, or
 * its own. mu_gathered_release frees it in the latter case, and accepts NULL. */
void *mu_gather(const struct mu_table_request *request, const struct mu_gather *gather, struct mu_error *err);
void mu_gathered_release(const struct mu_table_request *request, const struct mu_gather *gather, void *state);

/* Returns true if a request that names a reading is for records that are in it: no sets are named. */
bool mu_shared_records_has(const struct mu_table_request *request);

/* Accepts zeros. */
void mu_shared_records_release(struct mu_shared_records *reading);

#endif
