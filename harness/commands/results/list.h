/* The list of `muster results`: a row for each test, configuration and outcome. */
#ifndef MU_HARNESS_COMMANDS_RESULTS_LIST_H
#define MU_HARNESS_COMMANDS_RESULTS_LIST_H

#include "base/grid.h"
#include "base/json.h"
#include "records/words.h"

/* Fill with zeros; release with mu_results_list_release. */
struct mu_results_list {
    struct mu_results_run *runs; /* owned: by the places of the records */
    size_t count, capacity;
    struct mu_results_group *groups;
    size_t group_count;
    struct mu_words names, words; /* owned: the keys of groups by their numbers; their texts */
};

/* Members of records that the list reads (records/sets.h). */
extern const char *const mu_results_list_members[];

/* Puts a record in a place, replacing one that was there; NULL empties the place. Fails with MU_NO_MEMORY. */
int mu_results_list_put(struct mu_results_list *list, const json_t *record, size_t place, struct mu_error *err);

/* Adds the rows to a grid, in the order of their first records, and a note that counts records by outcome. */
void mu_results_list_fill(struct mu_results_list *list, struct mu_grid *grid, struct mu_error *err);

/* Releases the list; accepts zeros. */
void mu_results_list_release(struct mu_results_list *list);

#endif
