/* The commit that the program was built from. Generated at build time by build-aux/commit. */
#ifndef MU_HARNESS_DEVICE_COMMIT_H
#define MU_HARNESS_DEVICE_COMMIT_H

/* The commit: "1f2e3d4c5b6a", with "-dirty" appended if the sources were changed since; "unknown" outside a
 * repository. */
extern const char mu_commit[];

/* A hash of the sources of the host's part of a test, 16 hexadecimal digits; empty if it could not be made. Kernels
 * have a hash of their own (harness/run/identity.h). */
extern const char mu_program[];

#endif
