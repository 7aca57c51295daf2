/* Times of apps, measured by muster conform so that a driver can be compared with an older one. */
#ifndef MU_HARNESS_COMMANDS_CONFORM_TIMES_H
#define MU_HARNESS_COMMANDS_CONFORM_TIMES_H

#include "base/error.h"
#include "harness/conform/conform.h"

/* Measures suite smoke on the device for `seconds` seconds, into set conform-times; conform->times gets its name with a
 * label. Fails with MU_INTERRUPTED. Any other failure is printed on standard error, and leaves no times. */
int mu_conform_measure_times(struct mu_conform *conform, double seconds, struct mu_error *err);

/* Compares the times with those of the baseline if both exist, and fills in conform->compared. A failure to compare is
 * printed on standard error. Fails with MU_NO_MEMORY. */
int mu_conform_compare_times(struct mu_conform *conform, struct mu_error *err);

#endif
