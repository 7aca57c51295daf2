/* Claims on roll calls, barriers and memory: of "Portable Inter-workgroup Barrier Synchronisation for GPUs" (OOPSLA
 * 2016), its supplementary material, and the extension cl_intel_split_work_group_barrier. */
#include "analysis/claims/claims.h"

#include <math.h>

#define PAPER      "paper"
#define SUPPLEMENT "supplement"
#define SPLIT      "split barrier"

/* Why a claim has no figure of ours. */
#define PROBE    "muster probe was not run there, or its driver is of another kind"
#define CAMPAIGN "suite paper was not measured there"
#define LITMUS   "muster litmus was not run there, or has no such atomics"

#define AT_LEAST(bound)    .least = (bound), .most = HUGE_VAL
#define AT_MOST(bound)     .least = -HUGE_VAL, .most = (bound)
#define BETWEEN(low, high) .least = (low), .most = (high)
#define IS(word)           .is = (word)

const struct mu_claim mu_claims_barriers[] = {
    {PAPER, "5.1, figure 7", "Under a ticket lock the roll call finds more than 95 % of the occupancy bound.",
     .cell = "recall rollcall=ticket microbenchmark recall_percent", .of = MU_CLAIM_EACH, AT_LEAST(95),
     .figure = "95 to 100 % on eight GPUs, 2016", .without = PROBE},
    {PAPER, "5.1, figure 7", "Under a spin lock it finds less than half of the bound.",
     .cell = "recall rollcall=spin microbenchmark recall_percent", .of = MU_CLAIM_EACH, AT_MOST(50),
     .figure = "often less than 50 %, eight GPUs, 2016", .without = PROBE},
    {PAPER, "5.1, figure 7", "The number of compute units is less than the bound.",
     .cell = "recall rollcall=atomic microbenchmark units_percent", .of = MU_CLAIM_EACH, AT_MOST(99.9),
     .figure = "always so on 980, R9 and R7, 2016", .without = PROBE},
    {PAPER, "5.1, figure 8", "A roll call under a ticket lock takes longer than under a spin lock.",
     .cell = "rollcall-cost rollcall=ticket workgroup median_ns",
     .over = "rollcall-cost rollcall=spin workgroup median_ns", .of = MU_CLAIM_EACH, AT_LEAST(1),
     .figure = "so on 980, K5200, R9, R7, the opposite on 6100, 5500, T628; 2016", .without = PROBE},
    {PAPER, "5.1, figure 8", "A roll call takes longer where more workgroups fit: with small workgroups.",
     .cell = "rollcall-cost chip=nvidia* rollcall=ticket rollcall=spin workgroup=32 rollcall median_ns",
     .over = "rollcall-cost chip=nvidia* rollcall=ticket rollcall=spin workgroup=1024 rollcall median_ns",
     .of = MU_CLAIM_EACH, AT_LEAST(1), .figure = "on all eight GPUs, 2016",
     .without = "as many fit of every size, or muster probe was not run there"},
    {PAPER, "5.1", "A roll call takes 5 to 10 ms.", .cell = "rollcall-cost rollcall=ticket workgroup median_ns",
     .of = MU_CLAIM_EACH, BETWEEN(5e6, 10e6), .figure = "5 to 10 ms, on ARM 20 to 100 ms; 2016", .without = PROBE},
    {PAPER, "5.2, figure 9", "One kernel with the barrier is faster than launches, in the mean of Pannotia's programs.",
     .cell = "conditions set=paper app=pannotia/* app input speedup_cold", .of = MU_CLAIM_MEAN, AT_LEAST(1),
     .figure =
         "means 0.96 and 1.03 on Nvidia, 1.28 and 1.36 on Intel, 0.98 and 1.29 on AMD, 0.58 and 0.64 on ARM; 2016",
     .without = CAMPAIGN},
    {PAPER, "5.2, table 4", "The barrier never brings more than 2.34.",
     .cell = "conditions set=paper app=pannotia/* app input speedup_cold", .of = MU_CLAIM_EACH, AT_MOST(2.34),
     .figure = "2.34 at most, T628-4, 2016", .without = CAMPAIGN},
    {PAPER, "5.3, figure 10", "Portability costs 1.3 on Nvidia, in the mean of Lonestar's programs.",
     .cell = "conditions chip=nvidia* set=paper app=lonestar/* app input slowdown_cold", .of = MU_CLAIM_MEAN,
     AT_LEAST(1.29), .figure = "1.31 on 980, 1.29 on K5200, 2016", .without = "no GPU of Nvidia, or " CAMPAIGN},
    {PAPER, "5.3, figure 10", "Portability costs no program more than 2.53.",
     .cell = "conditions set=paper app=lonestar/* app input slowdown_cold", .of = MU_CLAIM_EACH, AT_MOST(2.53),
     .figure = "2.53 at most, R9, 2016", .without = CAMPAIGN},
    {PAPER, "5.3, figure 11",
     "Portability is a constant cost: bfs and sssp on a road network, with many rounds, hardly feel it.",
     .cell = "conditions set=paper app=lonestar/bfs app=lonestar/sssp input=road:1034 app slowdown_cold",
     .of = MU_CLAIM_EACH, AT_MOST(1.2), .figure = "at most 1.2 for programs of 0.8 s and more, eight GPUs, 2016",
     .without = CAMPAIGN},
    {PAPER, "5.4, table 5", "On a CPU, too, only some workgroups run at once: as many as it has cores.",
     .cell = "recall chip=pocl-* chip=intel-* rollcall=atomic microbenchmark units_percent", .of = MU_CLAIM_EACH,
     BETWEEN(100, 100), .figure = "4 on two CPUs of 4 threads, 2016", .without = "no CPU, or " PROBE},
    {PAPER, "5.4, table 5", "On a CPU the ticket lock without a delay finds few of them.",
     .cell = "delay chip=pocl-* chip=intel-* rollcall=ticket delay=0 microbenchmark recall_percent",
     .of = MU_CLAIM_EACH, AT_MOST(50), .figure = "25 % on two CPUs, 2016", .without = "no CPU, or " PROBE},
    {PAPER, "5.4, table 5", "With a delay of 1000 it finds nearly all.",
     .cell = "delay chip=pocl-* chip=intel-* rollcall=ticket delay=1000 microbenchmark recall_percent",
     .of = MU_CLAIM_EACH, AT_LEAST(95), .figure = "95 and 100 %, two CPUs, 2016", .without = "no CPU, or " PROBE},

    {SUPPLEMENT, "table 2", "Fences in inline PTX order what barriers rely on.",
     .cell = "trust of=memory what=\"barriers through atomics path ptx\" verdict", .of = MU_CLAIM_EACH, IS("kept"),
     .figure = "no issue on 980 and K5200, 2016", .without = "no GPU of Nvidia, or muster litmus was not run there"},
    {SUPPLEMENT, "table 3", "Fences of OpenCL 1.x order what barriers rely on.",
     .cell = "trust of=memory what=\"barriers through atomics path fences\" verdict", .of = MU_CLAIM_EACH, IS("kept"),
     .figure = "no issue on two Mali-T628, 2016", .without = LITMUS},
    {SUPPLEMENT, "figure 1", "An exchange that acquires and a store that releases make a mutex.",
     .cell = "litmus experiment=locks test=spin form=ordered atomics=ptx atomics=c11 atomics per_million",
     .of = MU_CLAIM_EACH, AT_MOST(0), .figure = "no issue on eight GPUs, 2016", .without = LITMUS},
    {SUPPLEMENT, "figure 2", "So do the ticket lock's two counters.",
     .cell = "litmus experiment=locks test=ticket form=ordered atomics=ptx atomics=c11 atomics per_million",
     .of = MU_CLAIM_EACH, AT_MOST(0), .figure = "no issue on eight GPUs, 2016", .without = LITMUS},
    {SUPPLEMENT, "2, tables 2 and 3", "Without fences the mutex loses what it protects.",
     .cell = "litmus experiment=locks form=relaxed atomics=ptx atomics=c11 atomics test per_million",
     .of = MU_CLAIM_SOME, .may = true, AT_LEAST(1e-9), .figure = "supposed, not measured, 2016", .without = LITMUS},
    {SUPPLEMENT, "4",
     "What one group releases and another acquires is ordered for a third (happens-before is transitive).",
     .cell = "litmus experiment=shapes test=ISA2 form=ordered atomics=ptx atomics=c11 atomics per_million",
     .of = MU_CLAIM_EACH, AT_MOST(0), .figure = "proven in the model, 2016", .without = LITMUS},

    {SPLIT, "overview", "Work between arriving and waiting may make a barrier cheaper.",
     .cell = "overlap workgroup fmas before_ns", .over = "overlap workgroup fmas beside_ns", .of = MU_CLAIM_SOME,
     .may = true, AT_LEAST(1), .figure = "no figure, 2023 (our barrier across workgroups stands for it)",
     .without = PROBE},
    {SPLIT, "overview", "A split barrier costs no more than a whole one, however little work lies between.",
     .cell = "overlap workgroup fmas before_ns", .over = "overlap workgroup fmas beside_ns", .of = MU_CLAIM_EACH,
     AT_LEAST(1), .figure = "no figure, 2023 (our barrier across workgroups stands for it)", .without = PROBE},
    {SPLIT, "issue 4", "Arriving releases and waiting acquires: what was written before is seen behind.",
     .cell = "litmus experiment=barriers test=split form=ordered atomics=ptx atomics=c11 atomics per_million",
     .of = MU_CLAIM_EACH, AT_MOST(0), .figure = "promised, 2023", .without = LITMUS},
    {SPLIT, "flags", "Where the flags are zero, nothing written before need be seen behind.",
     .cell = "litmus experiment=barriers test=split form=relaxed atomics=ptx atomics=c11 atomics per_million",
     .of = MU_CLAIM_SOME, .may = true, AT_LEAST(1e-9), .figure = "allowed, 2023", .without = LITMUS},
    {SPLIT, "dependencies", "The functions are there for OpenCL C 1.2 and later.", .figure = "promised, 2023",
     .without = "no device of ours has the extension"},
    {SPLIT, "issue 5", "Of different flags their intersection holds, of different scopes the narrower.",
     .figure = "promised, 2023", .without = "no device of ours has the extension, and no litmus test has two scopes"},
    {0},
};
