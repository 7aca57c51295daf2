/* The line that shows how far the reading of a large file has come. */
#ifndef MU_HARNESS_RUN_READING_PROGRESS_H
#define MU_HARNESS_RUN_READING_PROGRESS_H

#include <stdint.h>

/* Shows on stderr how much of a pass over a file is done and how fast it is, once it has taken a second: on a terminal
 * one line that is written over, otherwise a line each time. With all = 0 ends the line. */
void mu_show_reading(uint64_t bytes, uint64_t all);

#endif
