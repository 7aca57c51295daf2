/* Claims on programs: of the thesis "Inter-workgroup Barrier Synchronisation on Graphics Processing Units" (2018), and
 * of "A Study of Persistent Threads Style GPU Programming for GPGPU Workloads" (InPar 2012). */
#include "analysis/claims/claims.h"

#include <math.h>

#define THESIS "thesis"
#define STUDY  "PT study"

/* Why a claim has no figure of ours. */
#define PROBE       "muster probe was not run there"
#define OPTIMISED   "the programs of the optimisation study were not measured there"
#define COOPERATIVE "suite cooperative was not measured there"
#define LITMUS      "muster litmus was not run there"
#define PERSISTENT  "muster persistent was not run there, or not with these parameters"

#define AT_LEAST(bound)    .least = (bound), .most = HUGE_VAL
#define AT_MOST(bound)     .least = -HUGE_VAL, .most = (bound)
#define BETWEEN(low, high) .least = (low), .most = (high)
#define IS(word)           .is = (word)

const struct mu_claim mu_claims_programs[] = {
    {THESIS, "4.6.2, table 4.10", "A mutex that is destroyed with the poll makes the roll call cheaper.",
     .cell = "rollcall-cost rollcall=ticket workgroup median_ns",
     .over = "rollcall-cost rollcall=ticket-destruct workgroup median_ns", .of = MU_CLAIM_EACH, AT_LEAST(1),
     .figure = "136.25 ms and 2.21 ms on R9, 2018", .without = PROBE},
    {THESIS, "4.6.2, table 4.10", "With it, portability costs bfs no more than 1.11.",
     .cell = "rollcalls rollcall=ticket-destruct app=lonestar/bfs set input slowdown", .of = MU_CLAIM_EACH,
     AT_MOST(1.11), .figure = "1.11 and 1.09 on R9, before 2.53 and 2.09; 2018",
     .without = "roll calls were not compared there"},
    {THESIS, "4.5.1, table 4.3", "On every chip some configuration makes some program 7 times slower.",
     .cell = "top/extremes kind=slowdown factor", .of = MU_CLAIM_EACH, AT_LEAST(7),
     .figure = "at least 7 on each of six GPUs, 2018", .without = OPTIMISED},
    {THESIS, "4.5.3, table 4.4", "Every configuration slows some test down.", .cell = "ranking configuration slowdowns",
     .of = MU_CLAIM_EACH, AT_LEAST(1), .figure = "36 of 306 tests at least, six GPUs, 2018", .without = OPTIMISED},
    {THESIS, "4.5.4, figure 4.4", "oitergb is among the optimisations that most tests need: a third of them.",
     .cell = "necessary/necessary optimisation=oitergb beneficial_percent", .of = MU_CLAIM_EACH, AT_LEAST(33),
     .figure = "33 % of tests, six GPUs, 2018", .without = OPTIMISED},
    {THESIS, "4.5.4, figure 4.4", "fg1 is harmful for four tests of ten.",
     .cell = "necessary/necessary optimisation=fg1 harmful_percent", .of = MU_CLAIM_EACH, AT_LEAST(43),
     .figure = "43 % of tests, six GPUs, 2018", .without = OPTIMISED},
    {THESIS, "4.5.5, figure 4.6", "Without any optimisation a program takes 1.5 of the best time.",
     .cell = "strategies/strategies strategy=baseline over_oracle", .of = MU_CLAIM_EACH, AT_LEAST(1.5),
     .figure = "1.5, six GPUs, 2018", .without = OPTIMISED},
    {THESIS, "4.5.5, figure 4.6", "One strategy for all comes within 1.31 of the best time.",
     .cell = "strategies/strategies strategy=global over_oracle", .of = MU_CLAIM_EACH, AT_MOST(1.31),
     .figure = "1.31, six GPUs, 2018", .without = OPTIMISED},
    {THESIS, "4.5.6, table 4.5", "The strategy for all enables oitergb, fg8 and sg.",
     .cell = "strategies/enabled strategy=global optimisation=oitergb optimisation=fg8 optimisation=sg optimisation "
             "enabled",
     .of = MU_CLAIM_EACH, IS("yes"), .figure = "these three, six GPUs, 2018", .without = OPTIMISED},
    {THESIS, "4.5.6, table 4.5", "It enables neither sz256, fg1 nor wg.",
     .cell = "strategies/enabled strategy=global optimisation=sz256 optimisation=fg1 optimisation=wg optimisation "
             "enabled",
     .of = MU_CLAIM_EACH, IS("no"), .figure = "none of these, six GPUs, 2018", .without = OPTIMISED},
    {THESIS, "4.5.6", "On a road network oitergb pays on every chip and in every program.",
     .cell = "outlining input=road:* app input speedup", .of = MU_CLAIM_EACH, AT_LEAST(1),
     .figure = "usa.ny: whatever chip or program, six GPUs, 2018", .without = OPTIMISED},
    {THESIS, "5.7.1, table 5.4", "A cooperative kernel that is never interrupted costs 1.2, in the mean of programs.",
     .cell = "cooperative set=cooperative app input cooperative", .of = MU_CLAIM_MEAN, AT_MOST(1.2),
     .figure = "1.08 to 1.20 on three Intel GPUs, 2018", .without = COOPERATIVE},
    {THESIS, "5.7.1, table 5.4", "It never costs more than 1.75.",
     .cell = "cooperative set=cooperative app input cooperative", .of = MU_CLAIM_EACH, AT_MOST(1.75),
     .figure = "1.75 at most, HD520, 2018", .without = COOPERATIVE},
    {THESIS, "5.7.1, table 5.4", "Work-stealing programs cost no more than 1.42, in the mean.",
     .cell = "stealing/stealing app size slowdown", .of = MU_CLAIM_MEAN, AT_MOST(1.42),
     .figure = "1.10 to 1.42 on three Intel GPUs, 2018", .without = PERSISTENT},
    {THESIS, "5.7.2, figure 5.6", "The more workgroups a load asks for, the longer they take to gather.",
     .cell = "stealing/stealing-load groups!=1 app size load gather_ns",
     .over = "stealing/stealing-load groups=1 app size load gather_ns", .of = MU_CLAIM_EACH, AT_LEAST(1),
     .figure = "octree on Iris, 2018", .without = PERSISTENT},
    {THESIS, "6.2, table 6.2", "A mutex comes to its end among more workgroups than fit.",
     .cell = "progress/progress idiom=mutex descending", .of = MU_CLAIM_EACH, IS("completed"),
     .figure = "as the occupancy-bound model says, 2018", .without = PROBE},
    {THESIS, "6.2, table 6.2", "A barrier among more workgroups than fit never ends.",
     .cell = "progress/progress idiom=barrier ascending", .of = MU_CLAIM_EACH, IS("starved"),
     .figure = "as all models but a fair one say, 2018", .without = PROBE},
    {THESIS, "6.6", "Programs whose workgroups wait for lower ids come to their end.",
     .cell = "idioms among=workgroups needs=HSA ids=native idiom ended", .of = MU_CLAIM_EACH, IS("completed"),
     .figure = "four such programs on current GPUs, 2018", .without = LITMUS},
    {THESIS, "6.7", "Whoever runs lets all workgroups of lower ids run, too (LOBE).", .cell = "progress/models LOBE",
     .of = MU_CLAIM_EACH, IS("consistent"), .figure = "supposed of current GPUs, 2018", .without = PROBE},

    {STUDY, "3.1, figure 5", "A consumer that fetches its blocks itself is slower than returning to the host.",
     .cell = "persistent/persistent-handover kind fmas blocks groups speedup", .of = MU_CLAIM_MEAN, AT_MOST(1),
     .figure = "almost always so on GTX 295, the opposite for little work on 9400M; 2012", .without = PERSISTENT},
    {STUDY, "3.2, figure 7", "With little work an item, a locked queue is slower than a launch for each level.",
     .cell = "persistent/persistent-forest shape=complete fmas=0 fmas=100 depth inputs fmas locked",
     .of = MU_CLAIM_EACH, AT_MOST(1), .figure = "below 1000 multiply-adds, GTX 295, 2012", .without = PERSISTENT},
    {STUDY, "3.2, figure 7", "With 5000 multiply-adds and more, the queue is faster.",
     .cell = "persistent/persistent-forest shape=complete fmas=10000 depth inputs fmas locked", .of = MU_CLAIM_EACH,
     AT_LEAST(1), .figure = "from between 1000 and 5000 on, GTX 295, 2012", .without = PERSISTENT},
    {STUDY, "3.3.2", "A sum by one kernel with a barrier is faster than by launches, whatever its size.",
     .cell = "persistent/persistent-reduce floats speedup", .of = MU_CLAIM_EACH, AT_LEAST(1),
     .figure = "1.5 to 1.85 for small sums, GTX 295, 2012", .without = PERSISTENT},
    {STUDY, "3.3.2", "For large sums the gain levels off at 1.1.",
     .cell = "persistent/persistent-reduce floats=4194304 floats=16777216 floats speedup", .of = MU_CLAIM_EACH,
     BETWEEN(1.05, 1.15), .figure = "about 1.1, GTX 295, 2012", .without = PERSISTENT},
    {STUDY, "3.3.2, figure 9", "Where few items go on, passing them within a group is as fast as one kernel.",
     .cell = "persistent/persistent-stages keep=0 keep=32 fmas blocks keep speedup_one", .of = MU_CLAIM_EACH,
     BETWEEN(0.95, 1.05), .figure = "0.95 to 1.05 for 0 to 32 of 256, GTX 295, 2012", .without = PERSISTENT},
    {STUDY, "3.3.2, figure 9", "Where a quarter and more go on, it is faster.",
     .cell = "persistent/persistent-stages keep=64 keep=128 keep=256 fmas blocks keep speedup_one", .of = MU_CLAIM_EACH,
     AT_LEAST(1), .figure = "up to 1.4, GTX 295, 2012", .without = PERSISTENT},
    {STUDY, "3.4.2, figure 10", "With 1000 multiply-adds a round, the barrier is at least twice as fast as launches.",
     .cell = "persistent/persistent-sync fmas=1000 blocks rounds groups speedup", .of = MU_CLAIM_EACH, AT_LEAST(2),
     .figure = "2 to 2.5, GTX 295, 2012", .without = PERSISTENT},
    {STUDY, "3.4", "A launch costs 3 to 7 µs.", .cell = "launch-cost implementation=pipelined median_ns",
     .of = MU_CLAIM_EACH, BETWEEN(3e3, 7e3), .figure = "3 to 7 µs (cited), 2012", .without = PROBE},
    {STUDY, "3.4", "The barrier of Xiao and Feng costs 1.3 to 2 µs a round, with a group for each unit.",
     .cell = "barrier-cost barrier=xf team=132 team=2 workgroup=256 workgroup team median_ns", .of = MU_CLAIM_EACH,
     BETWEEN(1.3e3, 2e3), .figure = "1.3 to 2.0 µs (cited) with 30 groups, 2012", .without = PROBE},
    {0},
};
