#include "analysis/progress/wild.h"

const struct mu_wild_idiom mu_wild_idioms[] = {
    {"scan with decoupled look-back", "scan", MU_LTS_SCAN, MU_LTS_SCAN_TICKETED, MU_LTS_SCAN_REVERSED},
    {"matrix times vector, shared rows", "spmv", MU_LTS_SPMV, MU_LTS_SPMV_TICKETED, MU_LTS_SPMV_REVERSED},
    {"sparse triangular solve", "triangular", MU_LTS_TRIANGULAR, MU_LTS_TRIANGULAR_TICKETED,
     MU_LTS_TRIANGULAR_REVERSED},
    {"reduction by the last group", "last-group", MU_LTS_LAST_GROUP, MU_LTS_LAST_GROUP, MU_LTS_LAST_GROUP},
    {"a mutex, then one way", "mutex-and-one-way", MU_LTS_MUTEX_AND_ONE_WAY, MU_LTS_MUTEX_AND_ONE_WAY_TICKETED,
     MU_LTS_MUTEX_AND_ONE_WAY_REVERSED},
    {0},
};

int mu_lts_allowed(enum mu_lts_idiom idiom, unsigned *allowed, struct mu_error *err)
{
    struct mu_lts *lts = NULL;
    struct mu_lts_starvation starvation;
    *allowed = 0;
    if (mu_lts_explore(&mu_lts_idioms[idiom], &lts, err) != MU_OK) return err->status;
    for (int s = 0; s < MU_LTS_SCHEDULERS; s++)
        if (!mu_lts_starves(lts, (enum mu_lts_scheduler)s, &starvation)) *allowed |= 1u << s;
    mu_lts_free(lts);
    return MU_OK;
}

const char *mu_lts_needs(unsigned allowed)
{
    if ((allowed >> MU_LTS_UNFAIR & 1u) != 0) return "nothing";
    if ((allowed >> MU_LTS_HSA & 1u) != 0 && (allowed >> MU_LTS_OBE & 1u) != 0) return "HSA or OBE";
    for (int s = MU_LTS_OBE; s > MU_LTS_FAIR; s--)
        if ((allowed >> s & 1u) != 0) return mu_lts_schedulers[s];
    return mu_lts_schedulers[MU_LTS_FAIR];
}
