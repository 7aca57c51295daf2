/* What an app is to the rest of the program: a const descriptor. doc/apps.md tells how to write one.
 *
 * An app's folder holds <app>.state.h (buffers and scalars), <app>.cl (steps), <app>.plan.h (control flow between
 * steps) and <app>.c, which includes apps/host.h to turn the first and third into the tables below. */
#ifndef MU_APPS_APP_H
#define MU_APPS_APP_H

#include "base/error.h"
#include "base/option.h"
#include "inputs/graph/graph.h"
#include "inputs/mesh/mesh.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mu_plan_run;

enum mu_role {
    MU_ROLE_INPUT,  /* filled by prepare, never written on the device */
    MU_ROLE_STATE,  /* lives on the device only; holds no promise when the plan starts */
    MU_ROLE_RESULT, /* as MU_ROLE_STATE, and read back for check */

    /* With a protocol, which variants/teams/roles.clh tells. They begin as zeros; their length is the framework's. */
    MU_ROLE_FLAG,    /* whether a step has stamped it in its round */
    MU_ROLE_COUNTER, /* counts of three rounds that take turns */
    MU_ROLE_SUM,     /* what the team gives in a step, added up; `uint` or `real` */
    MU_ROLE_MAX      /* the largest of it */
};

/* Words of MU_ROLE_FLAG and MU_ROLE_COUNTER, which variants/teams/sync_layout.clh lays out. */
#define MU_FLAG_WORDS    4
#define MU_COUNTER_WORDS 7

/* Element types of buffers, by the names that state lists use. `offset` is 64 bits wide when edges exceed 2^31. `real`
 * is double where the device has it, else float. */
#define MU_TYPE_TABLE(X)                                                                                               \
    X(uint, uint32_t)                                                                                                  \
    X(offset, void)                                                                                                    \
    X(ulong, uint64_t)                                                                                                 \
    X(float, float)                                                                                                    \
    X(double, double)                                                                                                  \
    X(real, void)

#define MU_TYPE_ENUM(name, host) MU_TYPE_##name,
enum mu_type { MU_TYPE_TABLE(MU_TYPE_ENUM) MU_TYPES };
#undef MU_TYPE_ENUM

struct mu_buffer {
    const char *name;
    enum mu_type type;
    enum mu_role role;
    size_t host_pointer; /* where struct app_state keeps the pointer to its host array: an offset in bytes */
};

struct mu_scalar {
    const char *name;
    enum mu_type type; /* uint, or real: a double on the host, `real` on the device */
    size_t host_value; /* where struct app_state keeps it: an offset in bytes */
};

/* What an app is told beside its input. Values are in the order of the app's options; those of zeros, which nobody has
 * decided, become the default. */
#define MU_MAX_APP_OPTIONS 12
struct mu_app_setup {
    uint64_t seed;
    bool single; /* the device's word: no double precision, so that `real` is float */
    bool serial; /* the device's word: the work-items of a group run one after another, so that MU_SERIAL is defined */
    uint32_t units; /* the device's word: how many workgroups run at a time; 0: not known */
    struct mu_value values[MU_MAX_APP_OPTIONS];
};

/* Rows that several apps have (APP_OPTIONS in <app>.c): the source vertex; edges that a work-item visits at once. */
#define MU_ROW_SOURCE                                                                                                  \
    .argument = "VERTEX", .is = MU_OPTION_VERTEX | MU_OPTION_INPUT | MU_OPTION_FIELD, .min = 0, .max = UINT32_MAX - 1, \
    .words = {{"auto", MU_VERTEX_AUTO}}, .otherwise = "auto", .usual = "the first that has an arc",                    \
    .help = "The source vertex"
#define MU_VERTEX_AUTO UINT32_MAX
#define MU_ROW_BATCH                                                                                                   \
    .argument = "EDGES", .is = MU_OPTION_BUILD, .min = 1, .max = 16, .help = "Edges that a work-item visits at once"
#define MU_ROW_SERIAL_DEGREE                                                                                           \
    .argument = "EDGES", .is = MU_OPTION_BUILD, .min = 1, .max = 1u << 20, .words = {{"auto", 0}},                     \
    .otherwise = "auto", .usual = "auto: 8, or any where work-items run one after another",                            \
    .help = "Up to this degree a work-item serves the edges of its own vertex"
#define MU_ROW_SPARSE                                                                                                  \
    .argument = "RANGES", .is = MU_OPTION_BUILD, .min = 0, .max = 1u << 30, .otherwise = "4096",                       \
    .help = "A frontier of at most so many ranges of edges is visited without looking first"
#define MU_ROW_SWEEPS                                                                                                  \
    .argument = "N", .is = MU_OPTION_BUILD, .min = 1, .max = 1u << 20, .words = {{"auto", 0}}, .otherwise = "auto",    \
    .usual = "auto: 32, or 1 where those that it waits for do not run meanwhile",                                      \
    .help = "How often a work-item tries its vertices in a round"
#define MU_ROW_QUEUE                                                                                                   \
    .argument = "N", .is = MU_OPTION_BUILD, .min = 1, .max = 16,                                                       \
    .help = "Entries of a workgroup's queue in local memory, for each work-item"

/* The most edges for which row offsets of 32 bits are used. A test links another value (tests/wide_offsets.c). */
extern const uint64_t mu_narrow_edges;

/* The fewest vertices that an app deals in blocks, if it can. A test links another value (tests/many_vertices.c). */
extern const uint32_t mu_many_vertices;

/* One app on one input, on the host. */
struct mu_instance {
    const struct mu_app *app;
    const struct mu_graph *graph; /* borrowed; NULL for an app on meshes */
    const struct mu_mesh *mesh;   /* borrowed; NULL for an app on graphs */
    struct mu_app_setup
        setup; /* its values as prepare has left them in the state: no `auto` that prepare has decided */
    bool wide_offsets;
    const char *form; /* set by prepare: a macro for the kernels, such as "SSSP_PACED=1", around code that other inputs
                       * are quicker without; a string literal, or NULL */
    void *state;      /* the app's struct app_state */
    struct mu_graph
        *derived;    /* a graph that prepare made (symmetrised, transposed), or NULL; freed with the instance */
    uint64_t edges;  /* what `edges` means in the lengths of the state list: set by prepare */
    void *reference; /* the reference answer, made by the first check and kept; freed with mu_free */
};

/* Needs of an app, ORed. */
#define MU_NEEDS_WEIGHTS   1u /* the graph has weights when prepare sees it */
#define MU_NEEDS_SUBGROUPS 4u /* its kernels use the functions of variants/subgroups/ */
#define MU_NEEDS_DOUBLE    2u /* a device without double precision cannot run it */
#define MU_NEEDS_HALVES    8u /* its plan has STEP_SPLIT, or its steps GROUP_ARRIVE */

/* What an app's input is. */
enum mu_kind { MU_KIND_GRAPH, MU_KIND_MESH };

/* One thing that an app says of its result, such as the weight of a forest: a number or, when series is not NULL, a
 * list. */
struct mu_figure {
    const char *name; /* words joined by "_", as in a record */
    double value;
    const uint32_t *series; /* [count], borrowed from the instance */
    size_t count;
};
#define MU_MAX_FIGURES 16

struct mu_app {
    const char *suite, *name, *purpose;
    enum mu_kind kind;
    unsigned needs;
    const char *result; /* the name of the MU_ROLE_RESULT buffer that --output writes, one value per vertex */
    const char *shared; /* a kernel source that is compiled before the app's own and that other apps may name too, such
                         * as "apps/priority.clh"; may be NULL */
    const char *wanted; /* with grow: the name of a buffer of up to MU_MAX_WANTED uint; its first word is not 0 when a
                         * plan ended because room ran out */

    /* Filled by MU_APP_TABLES (apps/host.h). */
    size_t state_bytes;
    const struct mu_buffer *buffers;
    size_t buffer_count;
    const struct mu_scalar *scalars;
    size_t scalar_count;
    const struct mu_option *options; /* members of the state; ends in a row without a name */
    uint64_t (*length)(const struct mu_instance *instance, size_t buffer); /* in elements */
    void (*plan)(struct mu_plan_run *run, const void *state);

    /* Fills the scalars and the MU_ROLE_INPUT pointers of the state, whose arrays it allocates (mu_malloc; the instance
     * frees them). No OpenCL, no timing. MU_INPUT, MU_LIMIT, MU_NO_MEMORY. */
    int (*prepare)(struct mu_instance *instance, struct mu_error *err);

    /* Judges the MU_ROLE_RESULT arrays of the state against an independent reference: MU_OK, or MU_WRONG with what is
     * wrong and where. */
    int (*check)(struct mu_instance *instance, struct mu_error *err);

    /* The rest is optional. */

    /* How many bytes the reference of a check takes: one block without pointers, which depends on the input and the
     * setup alone. A reference that takes long to make is then kept on the disk for later processes. */
    size_t (*reference_bytes)(const struct mu_instance *instance);

    /* What the reference is, such as "levels": apps of one suite that say the same make the same one, from the same
     * input and the same values of their options, and each finds what the other has kept. NULL: the app's own. */
    const char *reference_name;

    /* For an app that cannot know how much room it needs. Before each run it is called with NULL: the plan starts
     * afresh. When a plan has ended for want of room it is called with the words of `wanted`: it raises the scalars on
     * which the lengths of mutable buffers depend; what they hold is kept, and the plan is run again and goes on from
     * there. MU_LIMIT when that is more than can be asked for. */
    int (*grow)(struct mu_instance *instance, const uint32_t *wanted, struct mu_error *err);

    /* After a check: the figures, at most MU_MAX_FIGURES; returns how many. */
    size_t (*summary)(const struct mu_instance *instance, struct mu_figure *figures);

    /* How many steps the plan takes to the result, which check has found right; for an app in which that does not
     * depend on timing. A persistent kernel has as many barriers. */
    uint64_t (*steps)(const struct mu_instance *instance);

    /* Writes the result under the user's name; without it, `result` is written as text. */
    int (*write)(const struct mu_instance *instance, const char *path, struct mu_error *err);
};

#define MU_MAX_WANTED 16

/* All apps, sorted by suite and name, ended by NULL. Generated at build time from the folders under apps/. */
extern const struct mu_app *const mu_apps[];

/* Returns the app called `name`: "suite/app", or "app" if that is unique. NULL with MU_USAGE and the choices. */
const struct mu_app *mu_app_find(const char *name, struct mu_error *err);

/* Says that the option called `name` (as in app->options) is `text`. MU_USAGE when the app does not take the option, or
 * the option not the text. */
int mu_app_set(const struct mu_app *app, const char *name, const char *text, struct mu_app_setup *setup,
               struct mu_error *err);

/* Decides by the defaults what nobody has decided. */
void mu_app_complete(const struct mu_app *app, struct mu_app_setup *setup);

/* Makes the instance: looks whether the descriptor and the state list fit together (else MU_BUILD), completes the
 * setup, finds the vertices that options leave to the graph, calls prepare. *instance is the caller's, freed with
 * mu_instance_free. The graph must outlive it. */
int mu_instance_new(const struct mu_app *app, const struct mu_graph *graph, const struct mu_app_setup *setup,
                    struct mu_instance **instance, struct mu_error *err);

/* Does the same for an app on meshes. */
int mu_instance_new_mesh(const struct mu_app *app, const struct mu_mesh *mesh, const struct mu_app_setup *setup,
                         struct mu_instance **instance, struct mu_error *err);

/* Accepts NULL. */
void mu_instance_free(struct mu_instance *instance);

/* Return the host array of a buffer (NULL until it is allocated), and its bytes per element. */
void **mu_instance_array(const struct mu_instance *instance, size_t buffer);
size_t mu_instance_element_bytes(const struct mu_instance *instance, size_t buffer);
double mu_instance_scalar(const struct mu_instance *instance, size_t scalar); /* a uint is exact in it */

/* The value of the option called name, which the app must have. */
struct mu_value mu_instance_value(const struct mu_instance *instance, const char *name);

/* Returns element i of a host array of type `real`. */
double mu_instance_real(const struct mu_instance *instance, const void *array, uint64_t i);

/* Allocates the host arrays of all MU_ROLE_RESULT buffers that have none yet. */
int mu_instance_need_results(struct mu_instance *instance, struct mu_error *err);

/* Return true for MU_ROLE_SUM and MU_ROLE_MAX, whose length is the size of the team; and for all roles that have a
 * protocol. */
bool mu_role_reduces(enum mu_role role);
bool mu_role_has_protocol(enum mu_role role);

/* Returns the index of the buffer called name; an instance exists only if the app's `result` and `wanted` are
 * buffers. */
size_t mu_app_buffer(const struct mu_app *app, const char *name);

/* For prepare, where the app works on a simple undirected graph: makes it the instance's derived one, whose arcs
 * `edges` then counts. */
int mu_derive_symmetric(struct mu_instance *instance, struct mu_error *err);

/* For prepare, where the app follows arcs against their direction, too: makes the transposed graph the instance's
 * derived one, unless that is the same graph; *directed says whether there is one. */
int mu_derive_incoming(struct mu_instance *instance, bool *directed, struct mu_error *err);

/* For prepare of apps with MU_ROW_SWEEPS: whether most neighbours have numbers that lie far apart, by more than as many
 * work-items as a large GPU runs at once. */
bool mu_is_scattered(const struct mu_graph *graph);

/* For prepare of most apps on graphs: where the state keeps the input, MU_ROWS(S) of members that have these names. */
struct mu_rows {
    uint32_t *vertices;
    void **row_start;
    uint32_t **column;
};
#define MU_ROWS(S) (&(const struct mu_rows){&(S)->vertices, &(S)->row_start, &(S)->column})

/* Fills them in with the input as it is, or made simple and undirected, or with another graph of the instance.
 * MU_NO_MEMORY, MU_LIMIT. */
int mu_take_graph(struct mu_instance *instance, const struct mu_rows *rows, struct mu_error *err);
int mu_take_symmetric(struct mu_instance *instance, const struct mu_rows *rows, struct mu_error *err);
int mu_take_rows(struct mu_instance *instance, const struct mu_graph *graph, const struct mu_rows *rows,
                 struct mu_error *err);

/* For check: compares a result of one word for each vertex with the reference. MU_WRONG names the first vertex where
 * they differ: "vertex 7 has WHAT 3 instead of 2". */
int mu_check_words(const uint32_t *got, const uint32_t *expected, uint32_t vertices, const char *what,
                   struct mu_error *err);

/* Copy the graph's row starts in the instance's offset width, and its columns or weights; for prepare. NULL with
 * MU_NO_MEMORY. */
void *mu_copy_rows(const struct mu_instance *instance, const struct mu_graph *graph, struct mu_error *err);
uint32_t *mu_copy_words(const uint32_t *words, uint64_t count, const char *what, struct mu_error *err);

#endif
