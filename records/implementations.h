/* What synchronises, by the names that the command line, records, profiles and tables give them. Which kernel
 * sources a name stands for is said in variants/variant.c. */
#ifndef MU_RECORDS_IMPLEMENTATIONS_H
#define MU_RECORDS_IMPLEMENTATIONS_H

#include "base/choice.h"

/* The first row of each table is the default where the text does not say otherwise. */
enum mu_variant { MU_MULTI_KERNEL, MU_PORTABLE, MU_SPECIALISED, MU_COOPERATIVE };
extern const struct mu_choice mu_variants[];
/* Whether a variant finds its team by a roll call. */
#define MU_HAS_ROLL_CALL(variant) ((variant) == MU_PORTABLE || (variant) == MU_COOPERATIVE)
enum mu_rollcall { MU_ROLLCALL_ATOMIC, MU_ROLLCALL_TICKET, MU_ROLLCALL_SPIN, MU_ROLLCALL_DESTRUCT, MU_ROLLCALL_LOBE };
extern const struct mu_choice mu_rollcalls[];
/* MU_BARRIER_AUTO is a rule that picks one of the others before anything is built. */
enum mu_barrier {
    MU_BARRIER_AUTO,
    MU_BARRIER_COUNTER,
    MU_BARRIER_TREE,
    MU_BARRIER_XF,
    MU_BARRIER_SPLIT,
    MU_BARRIER_NATIVE
};
extern const struct mu_choice mu_barriers[];
/* How many workgroups a barrier of cooperative takes from the team. */
enum mu_resizing { MU_RESIZING_QUERY, MU_RESIZING_PLAIN };
extern const struct mu_choice mu_resizings[];
/* What else wants workgroups while a plan is run as cooperative: how often, and for how long it would have all of them.
 */
enum mu_load_kind { MU_LOAD_NONE, MU_LOAD_LIGHT, MU_LOAD_MEDIUM, MU_LOAD_HEAVY, MU_LOAD_BRIEF, MU_LOAD_IDLE };
extern const struct mu_choice mu_loads[];
enum mu_atomics { MU_ATOMICS_C11, MU_ATOMICS_PTX, MU_ATOMICS_FENCES };
extern const struct mu_choice mu_atomics_paths[]; /* the default is the device's (harness/device/device.h) */

/* How the work-items of a subgroup do things together: `none` makes each a subgroup of its own. The others stand in the
 * order in which the self-test tries those that a device reports. */
enum mu_subgroups { MU_SUBGROUPS_NONE, MU_SUBGROUPS_PTX, MU_SUBGROUPS_C30, MU_SUBGROUPS_KHRONOS };
extern const struct mu_choice mu_subgroup_paths[];

/* What is known, and warm, when a sample of a test is taken. Only portable can be cold: the other variants have nothing
 * to find out. A process gives one sample of condition `first`. */
enum mu_condition { MU_WARM, MU_COLD, MU_FIRST };
extern const struct mu_choice mu_conditions[];

/* How a workgroup that waits lets others run; the default is what the self-test finds
 * (harness/device/trust/selftest.h). */
enum mu_yield { MU_YIELD_NONE, MU_YIELD_SYSCALL };
extern const struct mu_choice mu_yields[];

/* Polls between two yields where the chip's profile does not say: a power of two. A quiet machine hardly minds how many
 * there are; where another process has one of the cores, the groups that wait for the one it shares wait longer, the
 * more they poll. `muster probe` measures it (profile key yield.polls). */
#define MU_YIELD_POLLS_DEFAULT 256u

/* What kernels are compiled as. */
enum mu_c_standard { MU_C12, MU_C20, MU_C30 };
extern const struct mu_choice mu_c_standards[];

/* Whether the threads of a CPU device get a core each (harness/device/host/placement.h). */
enum mu_placement { MU_PLACEMENT_NONE, MU_PLACEMENT_CORES };
extern const struct mu_choice mu_placements[];
#define MU_PLACEMENT_AUTO 255u

/* What a record's `placement` says, behind "none: ", where another process of muster had been there first. */
#define MU_PLACEMENT_TAKEN "another process of muster places its threads"

/* Which numbers the workgroups of a team go by: those that the device gives them, or in the order of their arrival.
 * `auto` is native where the variant or its roll call can keep them: specialised always, roll call atomic where the
 * team turns out to be the groups 0 to size - 1. */
enum mu_ids { MU_IDS_AUTO, MU_IDS_NATIVE, MU_IDS_REMAPPED };
extern const struct mu_choice mu_id_kinds[];

/* The grid of multi-kernel's steps: a work-item for each element, as in the literature, or the same workgroups in every
 * step. With a fixed grid a workgroup meets its own elements again, so that it does the work of the persistent
 * variants, which keep lists of them. */
enum mu_step_grid { MU_GRID_ELEMENTS, MU_GRID_FIXED };
extern const struct mu_choice mu_step_grids[];

/* How multi-kernel reads a flag back: by a blocking read, or into a word of pinned host memory that the host watches.
 */
enum mu_readback { MU_READBACK_BLOCKING, MU_READBACK_WORD };
extern const struct mu_choice mu_readbacks[];

#endif
