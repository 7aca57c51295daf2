/* What was asked: all that the user, or a plan, says of a test. What it leaves open is decided by mu_resolve
 * (harness/run/resolve.h) and nowhere else. */
#ifndef MU_HARNESS_RUN_ASKED_H
#define MU_HARNESS_RUN_ASKED_H

#include "apps/app.h"
#include "harness/run/options.h"
#include "inputs/file_hash.h"

/* Zeros ask for nothing: every value whose origin is MU_FROM_NOBODY is open. */
struct mu_asked {
    const struct mu_app *app;
    const char *input;             /* NULL: mu_default_input */
    struct mu_file_hash file_hash; /* of the input's files, part of the test's identity; for campaigns */
    const char *kernel_dir;        /* NULL: the embedded sources */
    const char *output;            /* a file for the result, NULL for none */
    struct mu_value options[MU_TEST_OPTION_COUNT];  /* the framework's options */
    struct mu_value app_values[MU_MAX_APP_OPTIONS]; /* the app's, in the order of its rows */
};

/* Asks for a value of a setting, in the name of `from`. */
void mu_ask(struct mu_asked *asked, enum mu_test_option setting, uint64_t number, enum mu_origin from);
void mu_ask_real(struct mu_asked *asked, enum mu_test_option setting, double real, enum mu_origin from);

/* Returns "road:300", or a mesh for an app on meshes. */
const char *mu_default_input(const struct mu_app *app);

#endif
