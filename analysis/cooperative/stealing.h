/* Times of the work-stealing apps in both forms, over the processes that measured them. */
#ifndef MU_ANALYSIS_COOPERATIVE_STEALING_H
#define MU_ANALYSIS_COOPERATIVE_STEALING_H

#include "analysis/cooperative/processes.h"
#include "base/error.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#define MU_STEALING_FILE "stealing.jsonl"

/* An app at a size, by a team. */
struct mu_stealing_test {
    const char *app;
    uint64_t size, team;
    const char *commit; /* borrowed: of the build whose measurements these are, the last */
    struct mu_processes original, cooperative;
    uint64_t seeds, right, left, came, least; /* of runs under random schedules; no seeds: there were none */
};

/* Fill with zeros; release with mu_stealing_tests_release. */
struct mu_stealing_tests {
    struct mu_stealing_test *tests;
    size_t count;
};

/* Puts the measurements of a chip, which outlive the tests, together. Fails with MU_NO_MEMORY. */
int mu_stealing_tests_make(const json_t *measurements, struct mu_stealing_tests *tests, struct mu_error *err);
void mu_stealing_tests_release(struct mu_stealing_tests *tests);

/* Returns the app of an experiment, "octree" or "game", and its size; NULL for another experiment. */
const char *mu_stealing_app(const json_t *parameters, uint64_t *size);

#endif
