/* The programs that use the processors now, by name. */
#ifndef MU_HARNESS_DEVICE_HOST_BUSY_PROGRAMS_H
#define MU_HARNESS_DEVICE_HOST_BUSY_PROGRAMS_H

#include <stddef.h>

/* Looks on for a fifth of a second, and writes the names of the programs that used most of the processors meanwhile,
 * three at most, with commas; not this process. Empty where ROOT/proc does not tell. `root` is "" but in tests. */
void mu_busy_programs(const char *root, char *names, size_t bytes);

#endif
