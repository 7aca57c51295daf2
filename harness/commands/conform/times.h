/* Times of apps that muster conform measures beside its verdicts, so that a driver can be compared with an older one.
 */
#ifndef MU_HARNESS_COMMANDS_CONFORM_TIMES_H
#define MU_HARNESS_COMMANDS_CONFORM_TIMES_H

#include "base/error.h"
#include "harness/conform/conform.h"

/* Measures suite smoke on the device for so many seconds, into the set conform-times, whose name with its label
 * conform->times gets. MU_INTERRUPTED; what else goes wrong is told on standard error, and leaves no times. */
int mu_conform_measure_times(struct mu_conform *conform, double seconds, struct mu_error *err);

/* Compares them with those of the baseline, where both are there: fills in conform->compared. What cannot be compared
 * is told on standard error. MU_NO_MEMORY. */
int mu_conform_compare_times(struct mu_conform *conform, struct mu_error *err);

#endif
