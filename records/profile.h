/* The profile of a chip: what `muster probe` found out, as a plain-text file that a person can read and edit.
 *
 * The file is mine/<chip>/chip.ini: sections, "key = value", comments after # or ;. One table (records/
 * profile_keys.c) says which keys there are; it makes the reader, the writer and the table in doc/profile.md. A key
 * that is missing leaves its choice to the harness. */
#ifndef MU_RECORDS_PROFILE_H
#define MU_RECORDS_PROFILE_H

#include "base/error.h"
#include "base/json.h"
#include "records/implementations.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MU_PROFILE_FILE   "chip.ini"
#define MU_PROFILE_FORMAT 1

/* Room for a text. Longer ones are cut: a line of the file must fit what libinih reads. */
#define MU_PROFILE_TEXT 160

/* Values for each workgroup size 1, 2, 4, … 4096. */
/* An array of so many bytes is beyond the caches of any chip: what the experiment copy calls memory. */
#define MU_BEYOND_CACHES (UINT32_C(1) << 28)

#define MU_PROFILE_SIZES 13

/* Zero and "" stand for what is not known. Members are named as in the file; times in ns, sizes in workgroups. */
struct mu_profile {
    uint32_t format;

    char chip_name[MU_PROFILE_TEXT], chip_device[MU_PROFILE_TEXT], chip_platform[MU_PROFILE_TEXT];
    char chip_vendor[MU_PROFILE_TEXT], chip_platform_name[MU_PROFILE_TEXT];
    char chip_driver[MU_PROFILE_TEXT], chip_probed[MU_PROFILE_TEXT], chip_commit[MU_PROFILE_TEXT];
    uint32_t chip_compute_units, chip_units;

    char selftest_trust[MU_PROFILE_TEXT], selftest_reason[MU_PROFILE_TEXT], selftest_variants[MU_PROFILE_TEXT];
    double selftest_poll_ns;
    uint32_t selftest_spin_limit; /* polls */

    char rollcall_default[MU_PROFILE_TEXT];
    uint32_t rollcall_patience, rollcall_patience_found; /* reads */
    double rollcall_patience_margin;
    uint32_t rollcall_recall_runs;
    double rollcall_cost_ns, rollcall_expected_cost_ns;

    uint32_t expected[MU_PROFILE_SIZES];

    uint32_t bound[MU_PROFILE_SIZES];
    uint32_t bound_local_one_workgroup_one, bound_local_one_workgroup_max;
    uint32_t bound_local_all_workgroup_one, bound_local_all_workgroup_max;
    uint32_t bound_local_all_bytes, bound_disagreements;

    uint32_t yield_polls;

    uint32_t barrier_tree_from;
    double barrier_cost_ns;

    double launch_pipelined_ns, launch_blocking_ns, launch_word_ns;
    char launch_readback[MU_PROFILE_TEXT];

    char progress_hsa[MU_PROFILE_TEXT], progress_obe[MU_PROFILE_TEXT];
    char progress_hsa_obe[MU_PROFILE_TEXT], progress_lobe[MU_PROFILE_TEXT];
    uint32_t progress_tries;

    uint32_t litmus_mutants, litmus_observed; /* of the memory tests, as muster conform tried them; 0: not tried */

    double memory_subgroup_combining, memory_divergence; /* speedups */
    double memory_copy_gb_per_s;

    double watchdog_longest_ms, watchdog_ended_ms;

    double predict_rounds, predict_rounds_per_second, predict_crossover_fmas;
};

enum mu_profile_kind {
    MU_PROFILE_IS_TEXT,
    MU_PROFILE_IS_CHOICE, /* a text that is a row of `choices` */
    MU_PROFILE_IS_COUNT,  /* a whole number that fits 32 bits */
    MU_PROFILE_IS_NUMBER, /* not negative, finite */
    MU_PROFILE_IS_SIZES   /* MU_PROFILE_SIZES counts; the keys are <key>_1, <key>_2, … <key>_4096 */
};

/* No launch has more workgroups. */
#define MU_PROFILE_MOST_GROUPS (UINT32_C(1) << 24)

struct mu_profile_key {
    const char *section, *key;
    enum mu_profile_kind kind;
    size_t offset;                   /* in struct mu_profile */
    uint32_t most;                   /* of a number that counts workgroups or polls; 0: any */
    const struct mu_choice *choices; /* ends in a row without a name */
    const char *unit, *otherwise;    /* otherwise: what holds where the key is missing; "" for keys that no run uses:
                                        they are for the reader */
    const char *purpose;
};

/* Sections stand together. Ends in a row without a section. */
extern const struct mu_profile_key mu_profile_keys[];

/* Values of [selftest] trust and variants, and of [progress]. */
enum mu_profile_variants { MU_PROFILE_ALL_VARIANTS, MU_PROFILE_MULTI_KERNEL_ONLY, MU_PROFILE_NO_VARIANT };
extern const struct mu_choice mu_profile_trusts[];
extern const struct mu_choice mu_profile_variants[];
extern const struct mu_choice mu_profile_consistencies[];

/* Returns the place of a workgroup size in an array of MU_PROFILE_SIZES; -1 for a size that is not 1, 2, 4, … 4096. */
int mu_profile_size_index(uint32_t workgroup);

/* Reads the file. MU_IO; MU_INPUT for unknown or repeated sections' keys, values out of range, an unknown format, lines
 * that are too long or no "key = value", each with file and line. */
int mu_profile_read(const char *path, struct mu_profile *profile, struct mu_error *err);

/* Writes all that is known, whole or not at all. A text's line breaks and semicolons, which would end it, become spaces
 * and commas. Fails with MU_IO or MU_NO_MEMORY. */
int mu_profile_write(const char *path, const struct mu_profile *profile, struct mu_error *err);

/* Puts a text into a member as the writer would, so that what is written and read again is the same. */
void mu_profile_set_text(char member[MU_PROFILE_TEXT], const char *text);

/* Prints the table of doc/profile.md. */
void mu_profile_print_keys(FILE *to);

/* What is known as {"section": {"key": value}}, by the keys of the file; counts and numbers are numbers. Release it. */
struct mu_json mu_profile_to_json(const struct mu_profile *profile);

#endif
