/* The measurements of a study as tests for continuous integration. */
#ifndef MU_ANALYSIS_REPORT_TESTS_H
#define MU_ANALYSIS_REPORT_TESTS_H

#include "analysis/study.h"
#include "base/user/junit.h"

/* Adds a test for each measurement: a wrong result is a failure; what the device cannot do is skipped; any other
 * outcome but ok is an error. The message is the first failed process's. */
void mu_report_tests(const struct mu_study *study, struct mu_junit *junit);

/* Writes a measurement's class ("h200.lonestar.bfs") and name ("road:300 portable"). */
void mu_report_names(const struct mu_measurement *measurement, char *suite, size_t suite_bytes, char *name,
                     size_t name_bytes);

#endif
