/* How the ways to synchronise (records/implementations.h) turn into kernel sources, and the rules that choose among
 * them. */
#ifndef MU_VARIANTS_VARIANT_H
#define MU_VARIANTS_VARIANT_H

#include "apps/app.h"
#include "base/error.h"
#include "records/implementations.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The barrier that serves a team of so many groups: `asked`, unless that is MU_BARRIER_AUTO, which is `tree` for teams
 * from tree_from on, else `counter`. */
enum mu_barrier mu_barrier_choose(enum mu_barrier asked, uint32_t team, uint32_t tree_from);

/* Which clock of its kernels a load goes by (variants/cooperative/load.clh), best first: the counter of a CPU's
 * processor, in yield_syscall.clh; Nvidia's timer of nanoseconds, by PTX; that of cl_khr_kernel_clock; and where there
 * is none, work (work_schedule.clh). The host finds out the rate of the last two. */
enum mu_load_clock {
    MU_LOAD_CLOCK_PROCESSOR,
    MU_LOAD_CLOCK_GLOBALTIMER,
    MU_LOAD_CLOCK_KERNEL,
    MU_LOAD_CLOCK_WORK,
};
extern const char *const mu_load_clock_names[];

/* What a program is compiled for. */
struct mu_build {
    enum mu_variant variant;
    enum mu_rollcall rollcall;
    enum mu_barrier barrier;
    uint32_t native; /* barrier native: whose (variants/promise.h); 0: the device has none */
    enum mu_ids ids;
    enum mu_atomics atomics;
    enum mu_subgroups subgroups;
    bool ptx_fences; /* Nvidia before sm_70 */
    enum mu_yield yield;
    uint32_t yield_polls;   /* with a yield: polls between two of them, a power of two */
    const char *c_standard; /* "CL1.2", "CL2.0", "CL3.0" */
    uint32_t workgroup;     /* a power of two */
    uint32_t spin_limit;    /* polls before a spin gives up */
    uint64_t layout;        /* of the app's buffers: a seed of their order and offsets; 0: in order, without offsets */
    bool wide_offsets;
    const char *form;              /* of the app's instance: a macro; NULL for none */
    bool one_block;                /* a launch has a work-item for each element: multi-kernel without a fixed grid */
    bool chunks;                   /* a work-item's elements are contiguous: on a CPU, but for one_block */
    bool serial;                   /* the work-items of a group run one after another: on a CPU */
    bool perturb;                  /* --perturb: variants/teams/perturb.clh */
    bool load;                     /* cooperative, --load: variants/cooperative/load.clh */
    enum mu_load_clock load_clock; /* … whose times are told by that */
    bool has_double;               /* `real` is double */
    const char *kernel_dir; /* borrowed: where the sources are from, as for mu_sources_collect; NULL: the program */
    const struct mu_value *values; /* of the app's options; those of the build become constants, APP_<NAME>; NULL: the
                                      defaults */
};

/* The kernel sources of an app, in order, each beginning with a #line that names its file. */
#define MU_MAX_SOURCES   36
#define MU_OPTIONS_BYTES 1024
struct mu_sources {
    size_t count, replaced; /* all, and those that a kernel_dir had */
    const char *text[MU_MAX_SOURCES];
    size_t length[MU_MAX_SOURCES];
    char *owned[MU_MAX_SOURCES];    /* freed by mu_sources_free */
    char options[MU_OPTIONS_BYTES]; /* for the compiler */
};

/* The functions that add to sources do nothing and return err's status where err holds a failure already. So a caller
 * may ask for all that it needs, and look at the status at the end. */

/* Collects the sources of app for build. kernel_dir, when not NULL, is a folder laid out like the source tree, whose
 * files are used in place of the embedded ones; an app of one's own may lie in it as in the folder of --with-apps.
 * MU_USAGE where it has none of the sources, MU_IO, MU_NO_MEMORY. */
int mu_sources_collect(const struct mu_app *app, const struct mu_build *build, const char *kernel_dir,
                       struct mu_sources *sources, struct mu_error *err);

/* Adds one file to sources, whose options are set from build; for programs that are not an app's. */
int mu_sources_add(struct mu_sources *sources, const char *path, const char *kernel_dir, struct mu_error *err);
/* Adds variants/teams/spin.clh, and before it the source of the build's yield, if it has one. */
int mu_sources_add_spin(struct mu_sources *sources, const struct mu_build *build, const char *kernel_dir,
                        struct mu_error *err);
/* Returns the file of a yield, for mu_sources_add; NULL for none. */
const char *mu_yield_source(enum mu_yield yield);
/* Returns the file of an atomics path, for mu_sources_add. */
const char *mu_atomics_source(enum mu_atomics atomics);
/* Adds the sources of a subgroups path. */
int mu_sources_add_subgroups(struct mu_sources *sources, enum mu_subgroups subgroups, const char *kernel_dir,
                             struct mu_error *err);
/* Add the sources of a roll call or a barrier, after variants/teams/spin.clh; MU_USAGE for MU_BARRIER_AUTO.
 * mu_sources_add_join adds all of a persistent variant: the barrier, the roll call if it has one, the variant's own,
 * and variants/teams/kernel.clh. */
int mu_sources_add_rollcall(struct mu_sources *sources, enum mu_rollcall rollcall, const char *kernel_dir,
                            struct mu_error *err);
int mu_sources_add_barrier(struct mu_sources *sources, enum mu_barrier barrier, const char *kernel_dir,
                           struct mu_error *err);
/* Adds the words of variant cooperative, and what the build has of a load. */
int mu_sources_add_load(struct mu_sources *sources, const struct mu_build *build, const char *kernel_dir,
                        struct mu_error *err);
int mu_sources_add_join(struct mu_sources *sources, const struct mu_build *build, const char *kernel_dir,
                        struct mu_error *err);

/* Begins the sources of a team's kernel that is no app's: sets the compiler's options for build, and adds all up to the
 * bounded spins. mu_sources_add_join may follow. */
int mu_sources_start_team(struct mu_sources *sources, const struct mu_build *build, const char *kernel_dir,
                          struct mu_error *err);

/* Sets the compiler's options for build, but for those that are an app's. MU_LIMIT when they do not fit. */
int mu_sources_set_options(struct mu_sources *sources, const struct mu_build *build, struct mu_error *err);
void mu_sources_free(struct mu_sources *sources);

#endif
