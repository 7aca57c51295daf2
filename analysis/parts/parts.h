/* Records put together apart: a study for each commit, or for each device. */
#ifndef MU_ANALYSIS_PARTS_PARTS_H
#define MU_ANALYSIS_PARTS_PARTS_H

#include "analysis/study.h"

enum { MU_PART_TEXTS = 2 };

/* The records that have the same texts. */
struct mu_part {
    const char *texts[MU_PART_TEXTS];
    struct mu_study_draft draft;
    struct mu_study study;
};

struct mu_parts {
    struct mu_part *parts; /* in the order of their first records */
    size_t count;
};

/* Which texts of a record say what part it belongs to. */
typedef void (*mu_part_texts)(const struct mu_measurement *record, const char *texts[MU_PART_TEXTS]);

/* Moves the records of a draft, whose texts are one text where they are equal, into their parts, and leaves one
 * measurement a test in each (mu_study_choose). The parts must not outlive the draft; release them with
 * mu_parts_release, also after a failure. Fails with MU_NO_MEMORY. */
int mu_parts_make(struct mu_study_draft *draft, mu_part_texts texts, struct mu_parts *parts, struct mu_error *err);

/* Accepts zeros. */
void mu_parts_release(struct mu_parts *parts);

#endif
