/* The stopping rules of a run: they say when it has taken enough samples. */
#ifndef MU_HARNESS_RUN_STOPPING_H
#define MU_HARNESS_RUN_STOPPING_H

#include "base/error.h"

#include <stdint.h>

/* How much longer than max_time_s a run goes on that has not got its minimum of samples. */
#define MU_MINIMUM_PATIENCE 10

/* After how many samples a run that is too slow is abandoned. */
#define MU_ABANDON_SAMPLES 3

struct mu_stopping_rules {
    uint32_t min_samples; /* 0: exactly max_samples are taken, unless the time is up before */
    uint32_t max_samples;
    double target_width; /* of the median's interval at 95 %: half of it, relative to the median */
    double max_time_s;   /* 0: none */
    uint64_t abandon_ns; /* when the first samples all took longer than this, the run ends; 0: never */
};

/* What the samples have come to. Begin with half_width = -1. */
struct mu_sampling {
    const double *values; /* ns */
    uint32_t count;
    double half_width; /* as target_width; negative while it is not known, or there are too few samples for it */
    const char *stop;  /* the rule that ended the run (doc/results-format.md), NULL while it goes on */
};

/* Applies the rules after the sample just taken, elapsed_s after the first one began: sets `stop`, and `half_width`
 * where a rule needs it and at the end. Computing it means to sort the samples, so that it is done after each of the
 * first 64 and then after every eighth, and before the end not at all where the number of samples is fixed: the host's
 * work between samples stays small. MU_NO_MEMORY. */
int mu_stopping_apply(const struct mu_stopping_rules *rules, double elapsed_s, struct mu_sampling *sampling,
                      struct mu_error *err);

#endif
