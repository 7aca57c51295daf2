/* Divides records into studies: one for each commit, or for each device. */
#ifndef MU_ANALYSIS_PARTS_PARTS_H
#define MU_ANALYSIS_PARTS_PARTS_H

#include "analysis/study.h"

enum { MU_PART_TEXTS = 2 };

/* A part: the records with the same texts. */
struct mu_part {
    const char *texts[MU_PART_TEXTS];
    struct mu_study_draft draft;
    struct mu_study study;
};

struct mu_parts {
    struct mu_part *parts; /* in the order of their first records */
    size_t count;
};

/* Gets the texts of a record that decide to which part it belongs. */
typedef void (*mu_part_texts)(const struct mu_measurement *record, const char *texts[MU_PART_TEXTS]);

/* Moves the records of a draft into their parts, and leaves one measurement of a test in each (mu_study_choose). Texts
 * of the draft are compared by address. The parts must not outlive the draft. Release them with mu_parts_release, also
 * after a failure. Fails with MU_NO_MEMORY. */
int mu_parts_make(struct mu_study_draft *draft, mu_part_texts texts, struct mu_parts *parts, struct mu_error *err);

/* Releases the parts; accepts zeros. */
void mu_parts_release(struct mu_parts *parts);

#endif
