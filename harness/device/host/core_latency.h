/* How long a word takes from one core of the host to another and back.
 *
 * On a CPU device that is what a barrier is made of. It is a property of the two cores, which need not stay what they
 * are: the host of a virtual machine may move them, near to each other or far apart, and says nothing of it. Then
 * processes differ in which nothing else does. */
#ifndef MU_HARNESS_DEVICE_HOST_CORE_LATENCY_H
#define MU_HARNESS_DEVICE_HOST_CORE_LATENCY_H

#include <stdbool.h>

/* *ns becomes the median of many round trips between the first and the last core that the calling thread may use, which
 * takes a millisecond where both are idle. False where there is one core, where the system refuses, or where twenty
 * milliseconds are not enough, since another program has one of the cores. */
bool mu_core_latency(double *ns);

#endif
