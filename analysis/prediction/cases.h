/* Cases for predictions: an app on an input on a chip, with the facts from a run of multi-kernel, and the times of all
 * alternatives. */
#ifndef MU_ANALYSIS_PREDICTION_CASES_H
#define MU_ANALYSIS_PREDICTION_CASES_H

#include "analysis/study.h"
#include "analysis/tables/tables.h"
#include "base/error.h"
#include "records/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A choice: a variant with its workgroup size and team. Where sizes were tuned for each variant separately, the variant
 * alone is the choice. */
struct mu_choice_key {
    const char *variant;
    uint32_t workgroup, team_limit; /* 0: not part of the choice; team_limit 0: full occupancy, too */
};

struct mu_case_choice {
    struct mu_choice_key key;
    double log_ns;
};

/* What is known before a prediction: a run of multi-kernel and the chip's profile. */
struct mu_case_facts {
    double log_ns;              /* of multi-kernel */
    double launches, readbacks; /* of one execution */
    double work_ns;             /* of its kernels, by a trace; NAN: not traced */
    bool fixed;                 /* with a fixed grid, so that steps do the work that they do in the other variants */
    double vertices, edges;     /* of the input; 0: of a mesh, or unknown */
    double overhead_ns;         /* of these launches and read-backs, by the profile */
    double rollcall_ns;         /* of a roll call, by the profile */
    double barriers_ns;         /* of as many barriers as launches, by the profile */
    struct {                    /* natural logarithms, by which cases are compared many times (alike.c) */
        double share, degree, launches, work;
    } log;
};

struct mu_case {
    const struct mu_measurement *of; /* the run of multi-kernel; names the chip, the set, the app and the input, too */
    struct mu_case_facts facts;
    struct mu_case_choice *choices; /* multi-kernel itself is one of them */
    size_t choice_count;
};

struct mu_cases {
    struct mu_study study;
    struct mu_case *cases;
    size_t count;
    size_t without_profile; /* cases that lack the profile of their chip, and are left out */
};

/* Returns true if workgroups ran on threads of the host. */
bool mu_case_on_cpu(const struct mu_case *of);

/* Returns true if the two choices are equal. */
bool mu_same_choice(const struct mu_choice_key *a, const struct mu_choice_key *b);

/* Returns the choice of a case with this key; NULL: none. */
const struct mu_case_choice *mu_find_choice(const struct mu_case *of, const struct mu_choice_key *key);

/* Computes the facts from counts and times, by the profile. Returns false if the profile lacks the cost of a launch, a
 * read-back or a barrier, or if there is no launch. */
bool mu_case_facts_of(const struct mu_measurement *multi, const struct mu_profile *profile,
                      struct mu_case_facts *facts);

/* Returns the part of multi-kernel's time that is work, in ns: the time in its kernels by the trace, else its time
 * minus launches and read-backs. At least a twentieth of its time, at most all of it. */
double mu_case_work(const struct mu_case_facts *facts);

/* Writes the chip of a measurement without its label into `name` (of MU_PROFILE_TEXT bytes), and reads its profile from
 * the folder of all results. Returns false if there is none that can be read. */
bool mu_case_profile(const char *root, const struct mu_measurement *of, struct mu_profile *profile);

/* Returns true if this is a form of multi-kernel that can be predicted from: the usual one, or that with a fixed
 * grid. */
bool mu_case_is_multi(const struct mu_measurement *measurement);

/* Loads the cases of the records that the request names, in the order of a study. MU_STUDY_MEASURED: those of
 * campaigns, a choice for each variant. MU_STUDY_TUNED: those of tunings, a choice for each workgroup size and team of
 * each variant. The facts are those of multi-kernel: with a fixed grid if there is such a run, and of a run that was
 * traced if there is such a one; of several the fastest. */
int mu_cases_load(const struct mu_table_request *request, unsigned kind, struct mu_cases *cases, struct mu_error *err);
void mu_cases_release(struct mu_cases *cases);

#endif
