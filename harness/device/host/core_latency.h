/* How long a word takes from one core of the host to another and back.
 *
 * A CPU device's barrier is made of such trips. Their time is a property of the two cores, which need not stay the
 * same: the host of a virtual machine may move them, near to each other or far apart, without telling. Then processes
 * differ although nothing else does. */
#ifndef MU_HARNESS_DEVICE_HOST_CORE_LATENCY_H
#define MU_HARNESS_DEVICE_HOST_CORE_LATENCY_H

#include <stdbool.h>

/* Measures round trips between the first and the last core that the calling thread may use. *ns becomes their median.
 * It takes a millisecond if both cores are idle. Returns false if there is one core, if the system refuses, or if
 * twenty milliseconds are not enough, since another program has one of the cores. */
bool mu_core_latency(double *ns);

#endif
