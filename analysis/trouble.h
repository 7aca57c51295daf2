/* What in the samples of a measurement calls for care, such as processes that differ or a busy machine. Samples are
 * flagged for it and never dropped. */
#ifndef MU_ANALYSIS_TROUBLE_H
#define MU_ANALYSIS_TROUBLE_H

#include "analysis/study.h"

enum mu_trouble {
    MU_FEW_SAMPLES,
    MU_ONE_PROCESS,
    MU_PROCESSES_DIFFER,
    MU_ODD_PROCESS,
    MU_CORES_MOVED,
    MU_STEAL,
    MU_BUSY,
    MU_NOT_PLACED,
    MU_THROTTLING,
    MU_RISE,
    MU_DRIFT,
    MU_SLOW_FIRST,
    MU_OUTLIERS,
    MU_TROUBLES
};

/* A name for programs, and words for people. */
extern const struct mu_trouble_name {
    const char *name, *words;
} mu_trouble_names[MU_TROUBLES];

/* From this half-width on an interval is wide, if processes differ by as much: that of two or three processes may be
 * wide by Student's factor alone. */
#define MU_WIDE 0.2

/* The troubles of one measurement. */
struct mu_troubles {
    bool has[MU_TROUBLES];
    char text[MU_TROUBLES][192]; /* a sentence for each that it has */
    double spread;               /* half the interval of its time, as a part of it; 0: it has none */
};

/* Finds the troubles of a measurement; it has none where no process ended well. Fails with MU_NO_MEMORY. */
int mu_troubles_of(const struct mu_measurement *measurement, struct mu_troubles *troubles, struct mu_error *err);

/* Returns true if the measurement's time may be relied on: it has several processes, and no trouble but, perhaps, few
 * samples. */
bool mu_is_firm(const struct mu_troubles *troubles);

#endif
