/* muster table speedup, slowdown: the two halves of the paper's Table 4, for all chips; cooperative: in their form. */
#include "analysis/ratios/ratio.h"

/* Fills in the speedups; beside the paper's figures those of cold runs, since the paper's kernels found out their team
 * in each launch. */
static int fill_speedup(const struct mu_table_request *request, struct mu_grids *grids)
{
    static const struct mu_ratio_of_variants warm = {
        "speedup",        "Speedup by the global barrier: multi-kernel / portable",
        "multi-kernel",   "portable",
        MU_PAPER_SPEEDUP, false};
    static const struct mu_ratio_of_variants cold = {
        "speedup",        "Speedup by the global barrier: multi-kernel / portable, cold",
        "multi-kernel",   "portable-cold",
        MU_PAPER_SPEEDUP, true};
    return mu_ratio_table(request, request->paper ? &cold : &warm, grids);
}

static int fill_slowdown(const struct mu_table_request *request, struct mu_grids *grids)
{
    static const struct mu_ratio_of_variants warm = {
        "slowdown", "Slowdown by portability: portable / specialised", "portable", "specialised", MU_PAPER_SLOWDOWN,
        false};
    static const struct mu_ratio_of_variants cold = {
        "slowdown",        "Slowdown by portability: portable, cold / specialised at its bound",
        "portable-cold",   "specialised-bound",
        MU_PAPER_SLOWDOWN, true};
    return mu_ratio_table(request, request->paper ? &cold : &warm, grids);
}

static int fill_cooperative(const struct mu_table_request *request, struct mu_grids *grids)
{
    static const struct mu_ratio_of_variants comparison = {
        "cooperative", "Cost of resizable teams: cooperative / portable", "cooperative", "portable", MU_PAPER_NEITHER,
        false};
    return mu_ratio_table(request, &comparison, grids);
}

const struct mu_table mu_table_cooperative = {"cooperative", "what resizable teams cost: cooperative / portable",
                                              fill_cooperative};
const struct mu_table mu_table_speedup = {"speedup", "what the barrier gains: multi-kernel / portable", fill_speedup};
const struct mu_table mu_table_slowdown = {"slowdown", "what portability costs: portable / specialised", fill_slowdown};
