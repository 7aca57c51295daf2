/* A test: one app on one input in one variant on one chip, run in a child process and recorded as JSON. */
#ifndef MU_HARNESS_TEST_H
#define MU_HARNESS_TEST_H

#include "apps/app.h"
#include "base/error.h"
#include "base/json.h"
#include "harness/device.h"
#include "harness/settings.h"
#include "inputs/file_hash.h"
#include "records/schema.h"
#include "variants/execution.h"
#include "variants/variant.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Executions before the samples: one; on a CPU as many as take 0.1 s, since the system needs some time slices to give
 * each worker a core of its own, and until then persistent kernels wait for milliseconds. */
#define MU_WARMUP_AUTO   UINT32_MAX
#define MU_CPU_WARMUP_NS UINT64_C(100000000)

/* A run that has not got its min_samples goes on for so many times max_time_s. */
#define MU_MINIMUM_PATIENCE 10

/* Everything that the user may say of a test. A zero leaves the choice to the harness, where the comment says so. */
struct mu_test {
    const struct mu_app *app;
    const char *input;             /* NULL: mu_default_input */
    struct mu_file_hash file_hash; /* of the input's files, part of the test's identity; for campaigns */
    struct mu_app_options options;
    enum mu_variant variant;
    enum mu_rollcall rollcall;
    bool rollcall_open; /* nobody named one: the profile's takes its place, if it has one */
    bool lobe_offered;  /* the profile says that roll call lobe is safe here */
    bool any_variant;   /* the profile says that every variant may run here, whatever the device claims to be */
    enum mu_barrier barrier;
    struct mu_barrier_choice barrier_choice; /* for MU_BARRIER_AUTO; zeros: the profile's, else a built-in rule */
    int atomics;                             /* enum mu_atomics, or -1: the device's own */
    int yield;                               /* enum mu_yield, or -1: what the self-test finds; not multi-kernel */
    uint32_t yield_polls;                    /* polls between two yields; 0: the profile's, else a default */
    int readback;                            /* enum mu_readback, or -1: the profile's, else the faster; multi-kernel */
    const char *c_standard;                  /* NULL: the newest that the device compiles */
    uint32_t workgroup;                      /* 0: mu_default_workgroup */
    uint32_t team;            /* groups that specialised launches, at most so many in portable's team; 0: what fits */
    uint32_t groups;          /* groups that portable launches; 0: the team, or mu_default_groups */
    bool groups_open;         /* groups was 0, and so was team: roll calls may find that fewer are enough */
    uint32_t expected;        /* portable: 0: the profile's, else mu_default_expected */
    bool expected_is_hint;    /* of the profile: the most that can be expected; what roll calls find takes its place */
    uint32_t patience;        /* roll call atomic; 0: the profile's, else mu_default_patience */
    uint32_t delay;           /* the other roll calls: times a group takes the mutex between polling and closing */
    uint32_t spin_limit;      /* 0: the profile's, else the self-test's */
    unsigned from_profile;    /* what came from the profile: MU_FROM_… (harness/profile_use.h) */
    uint32_t samples, warmup; /* samples: exactly so many; at most so many where a rule below may end a run earlier */
    uint32_t min_samples;     /* before target_width ends a run; 0: a run takes exactly `samples` */
    double target_width;      /* relative half-width of the median's interval that ends a run; 0: none */
    double max_time_s;        /* time for samples after which a run with min_samples ends; 0: none */
    uint64_t abandon_ns;      /* tuning: three samples all slower than this end a run; 0: none */
    bool check, cache;
    double deadline_s;
    struct mu_settings settings; /* of the driver; a completed test's include what the device's self-test needed */
    const char *kernel_dir;      /* NULL: the embedded sources */
    const char *output;          /* a file for the result, NULL for none */
};

/* A test with every default. */
void mu_test_defaults(struct mu_test *test);
const char *mu_default_input(const struct mu_app *app);

/* Runs the test on the device, which passes the self-test first, in a child with the test's deadline. *record becomes
 * the caller's: always an object with "outcome" and the test's description, also when the child crashed or was killed,
 * to which the caller may add. The status is the outcome's. */
int mu_test_run(const struct mu_test *test, const struct mu_device_info *info, struct mu_json *record,
                struct mu_error *err);

/* The child's side of mu_test_run: fills the response. */
int mu_test_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* The parts of mu_test_run, for runs of several tests in one child (harness/tune.h). mu_test_complete passes the
 * self-test and fills in what the user left open: MU_USAGE, MU_UNSUPPORTED. mu_test_request describes a completed test
 * for the child. mu_test_record makes the record of a test (completed, if that was possible) from the child's response,
 * which may be NULL, and the outcome in err. Both are the caller's; a request is NULL when memory runs out. */
int mu_test_complete(struct mu_test *test, const struct mu_device_info *info, struct mu_error *err);
json_t *mu_test_request(const struct mu_test *test);
int mu_test_read(const json_t *request, struct mu_test *test, struct mu_error *err); /* borrows texts of the request */
struct mu_json mu_test_record(const struct mu_test *test, const struct mu_device_info *info, const json_t *response,
                              const struct mu_error *err);

/* Groups that a completed test launches with this workgroup and team (0: what fits). */
uint32_t mu_test_groups(const struct mu_device_info *info, uint32_t workgroup, uint32_t team);

/* For the child's own parts (harness/test_child.c, harness/measure.c): what has been set up. */
struct mu_session {
    struct mu_test test;
    struct mu_device_info info;
    struct mu_graph *graph; /* the input: one of the two */
    struct mu_mesh *mesh;
    struct mu_instance *instance;
    struct mu_target target;
    struct mu_execution *execution;
    cl_program program;
    enum mu_barrier barrier; /* the one that is built in: the test's, or what auto has become */
    uint64_t load_ns, build_ns;
    bool build_cached;
    size_t workgroup_limit; /* the largest that all kernels of the last build can run with; 0: nothing was built */
};

/* Roll calls (portable), warm-up, samples, each checked; all into record. */
int mu_measure(struct mu_session *session, struct mu_json *record, struct mu_error *err);

/* The largest team that a few patient roll calls of the portable variant with this barrier find: a lower bound of the
 * occupancy bound,
 * for specialised when the user names no team. */
int mu_find_team(struct mu_session *session, enum mu_barrier barrier, uint32_t *team, struct mu_error *err);

/* Opens an execution for `variant` into session->program and session->execution. */
int mu_session_build(struct mu_session *session, enum mu_variant variant, struct mu_error *err);
void mu_session_unbuild(struct mu_session *session);
struct mu_launch mu_session_launch(const struct mu_session *session);

/* The child's parts of a test, in this order. mu_session_open reads the request's "test", loads the input and opens the
 * device; what it finds goes into record. mu_session_measure builds for the session's workgroup and team, and measures.
 * mu_session_close accepts a session of zeros. */
int mu_session_open(const json_t *request, struct mu_session *session, struct mu_json *record, struct mu_error *err);
int mu_session_measure(struct mu_session *session, struct mu_json *record, struct mu_error *err);
void mu_session_close(struct mu_session *session);

/* Writes the app's result to the test's output file: as the app does it, else one value per vertex as text. */
int mu_write_result(const struct mu_instance *instance, const char *path, struct mu_error *err);

#endif
