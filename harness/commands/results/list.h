/* The list that `muster results` shows: a row for each test, configuration and outcome. */
#ifndef MU_HARNESS_COMMANDS_RESULTS_LIST_H
#define MU_HARNESS_COMMANDS_RESULTS_LIST_H

#include "base/grid.h"
#include "base/json.h"
#include "records/words.h"

/* Fill with zeros; release with mu_results_list_release. */
struct mu_results_list {
    struct mu_results_run *runs; /* by the places of their records */
    size_t count, capacity;
    struct mu_results_group *groups;
    size_t group_count;
    struct mu_words names, words; /* what distinguishes groups, by their numbers; what is shown of them */
};

/* The members of records that the list reads (records/sets.h). */
extern const char *const mu_results_list_members[];

/* Puts a record in its place, where it stands for one that was there; NULL leaves the place empty. MU_NO_MEMORY. */
int mu_results_list_put(struct mu_results_list *list, const json_t *record, size_t place, struct mu_error *err);

/* Adds the rows, in the order of their first records, and a note that counts records by outcome. */
void mu_results_list_fill(struct mu_results_list *list, struct mu_grid *grid, struct mu_error *err);

/* Accepts zeros. */
void mu_results_list_release(struct mu_results_list *list);

#endif
