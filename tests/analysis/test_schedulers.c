/* analysis/progress: schedulers and blocking idioms as transition systems, against table 6.2 and the examples of
 * chapter 6 of the thesis, and against what records/scheduler_models.c says that models allow. */
#include "analysis/progress/idioms.h"
#include "analysis/progress/synthesis.h"
#include "base/memory.h"
#include "records/scheduler_models.h"
#include "tests/tap.h"

#include <string.h>

#define BIT(scheduler) (1u << MU_LTS_##scheduler)
enum { ALL_BUT_UNFAIR = BIT(FAIR) | BIT(LOBE) | BIT(HSA_OBE) | BIT(HSA) | BIT(OBE) };

/* What the thesis says: the schedulers that allow each idiom (table 6.2, sections 6.5 and 6.7, example 6.6). */
static const unsigned expected[MU_LTS_IDIOMS] = {
    [MU_LTS_MUTEX] = BIT(FAIR) | BIT(LOBE) | BIT(HSA_OBE) | BIT(OBE),
    [MU_LTS_BARRIER] = BIT(FAIR),
    [MU_LTS_BARRIER_TEAM] = BIT(FAIR) | BIT(LOBE) | BIT(HSA_OBE) | BIT(OBE),
    [MU_LTS_BARRIER_LOBE] = BIT(FAIR) | BIT(LOBE),
    [MU_LTS_ONE_WAY] = BIT(FAIR) | BIT(LOBE) | BIT(HSA_OBE) | BIT(HSA),
    [MU_LTS_ONE_WAY_DOWN] = BIT(FAIR),
    [MU_LTS_TWO_WAY] = BIT(FAIR),
    [MU_LTS_TWO_WAY_TEAM] = BIT(FAIR) | BIT(LOBE) | BIT(HSA_OBE) | BIT(OBE),
    [MU_LTS_MUTEX_AND_ONE_WAY] = BIT(FAIR) | BIT(LOBE) | BIT(HSA_OBE),
    [MU_LTS_MUTEX_AND_ONE_WAY_TICKETED] = BIT(FAIR) | BIT(LOBE) | BIT(HSA_OBE) | BIT(OBE),
    [MU_LTS_MUTEX_AND_ONE_WAY_REVERSED] = BIT(FAIR),
    /* Who waits for lower ids needs the lowest to go on; who waits for those that came before, all that have begun. */
    [MU_LTS_SCAN] = BIT(FAIR) | BIT(LOBE) | BIT(HSA_OBE) | BIT(HSA),
    [MU_LTS_SCAN_TICKETED] = BIT(FAIR) | BIT(LOBE) | BIT(HSA_OBE) | BIT(OBE),
    [MU_LTS_SCAN_REVERSED] = BIT(FAIR),
    [MU_LTS_SPMV] = BIT(FAIR) | BIT(LOBE) | BIT(HSA_OBE) | BIT(HSA),
    [MU_LTS_SPMV_TICKETED] = BIT(FAIR) | BIT(LOBE) | BIT(HSA_OBE) | BIT(OBE),
    [MU_LTS_SPMV_REVERSED] = BIT(FAIR),
    [MU_LTS_TRIANGULAR] = BIT(FAIR) | BIT(LOBE) | BIT(HSA_OBE) | BIT(HSA),
    [MU_LTS_TRIANGULAR_TICKETED] = BIT(FAIR) | BIT(LOBE) | BIT(HSA_OBE) | BIT(OBE),
    [MU_LTS_TRIANGULAR_REVERSED] = BIT(FAIR),
    [MU_LTS_LAST_GROUP] = ALL_BUT_UNFAIR | BIT(UNFAIR), /* nobody waits */
};

/* The schedulers that allow a program. */
static unsigned allowed(const struct mu_lts_program *program)
{
    struct mu_error err = {0};
    struct mu_lts_starvation starvation;
    struct mu_lts *lts = NULL;
    unsigned schedulers = 0;
    if (mu_lts_explore(program, &lts, &err) != MU_OK) return 0;
    for (int s = 0; s < MU_LTS_SCHEDULERS; s++)
        if (!mu_lts_starves(lts, (enum mu_lts_scheduler)s, &starvation)) schedulers |= 1u << s;
    mu_lts_free(lts);
    return schedulers;
}

static void test_table(void)
{
    unsigned stronger = 0;
    for (int i = 0; i < MU_LTS_IDIOMS; i++) {
        const unsigned found = allowed(&mu_lts_idioms[i]);
        for (int s = 0; s < MU_LTS_SCHEDULERS; s++)
            CHECK((found >> s & 1u) == (expected[i] >> s & 1u), "%s under %s: %s", mu_lts_idioms[i].name,
                  mu_lts_schedulers[s], (expected[i] >> s & 1u) != 0 ? "allowed" : "starves");
        /* Figure 6.1: what a scheduler allows, each stronger one does. HSA and OBE cannot be compared. */
        stronger += (found & (BIT(HSA) | BIT(OBE))) != 0 && (found & BIT(HSA_OBE)) == 0;
        stronger += (found & BIT(HSA_OBE)) != 0 && (found & BIT(LOBE)) == 0;
        stronger += (found & BIT(LOBE)) != 0 && (found & BIT(FAIR)) == 0;
    }
    CHECK(stronger == 0, "the schedulers are in order of strength");
}

/* Whether records/scheduler_models.c says that a model allows an idiom: it does where starving refutes the model. */
static bool is_promised(enum mu_scheduler model, enum mu_idiom idiom, enum mu_id_order order)
{
    struct mu_forward_progress progress = {0}; /* everything completed */
    enum mu_idiom first;
    enum mu_id_order which;
    progress.outcomes[idiom][order] = MU_FORWARD_STARVED;
    return !mu_forward_progress_consistent(&progress, model, &first, &which);
}

static void test_models(void)
{
    static const struct {
        enum mu_idiom idiom;
        enum mu_id_order order;
        enum mu_lts_idiom program;
    } pairs[] = {
        {MU_IDIOM_MUTEX, MU_IDS_ASCENDING, MU_LTS_MUTEX},
        {MU_IDIOM_BARRIER, MU_IDS_ASCENDING, MU_LTS_BARRIER},
        {MU_IDIOM_BARRIER_TEAM, MU_IDS_ASCENDING, MU_LTS_BARRIER_TEAM},
        {MU_IDIOM_BARRIER_LOBE, MU_IDS_ASCENDING, MU_LTS_BARRIER_LOBE},
        {MU_IDIOM_ONE_WAY, MU_IDS_ASCENDING, MU_LTS_ONE_WAY},
        {MU_IDIOM_ONE_WAY, MU_IDS_DESCENDING, MU_LTS_ONE_WAY_DOWN},
        {MU_IDIOM_TWO_WAY, MU_IDS_ASCENDING, MU_LTS_TWO_WAY},
        {MU_IDIOM_TWO_WAY_TEAM, MU_IDS_ASCENDING, MU_LTS_TWO_WAY_TEAM},
    };
    static const enum mu_lts_scheduler models[MU_SCHEDULERS] = {[MU_SCHEDULER_HSA] = MU_LTS_HSA,
                                                                [MU_SCHEDULER_OBE] = MU_LTS_OBE,
                                                                [MU_SCHEDULER_HSA_OBE] = MU_LTS_HSA_OBE,
                                                                [MU_SCHEDULER_LOBE] = MU_LTS_LOBE};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const unsigned found = allowed(&mu_lts_idioms[pairs[i].program]);
        for (int m = 0; m < MU_SCHEDULERS; m++)
            CHECK(is_promised((enum mu_scheduler)m, pairs[i].idiom, pairs[i].order) == ((found >> models[m] & 1u) != 0),
                  "what the tests of a device take %s to promise of %s, %s, follows",
                  mu_scheduler_name((enum mu_scheduler)m), mu_idiom_name(pairs[i].idiom),
                  mu_id_order_name(pairs[i].order));
    }
}

/* The paths of examples 6.1 to 6.6. */
static void test_paths(void)
{
    struct mu_error err = {0};
    struct mu_lts_starvation starvation;
    struct mu_lts *lts = NULL;
    if (!CHECK(mu_lts_explore(&mu_lts_idioms[MU_LTS_MUTEX], &lts, &err) == MU_OK, "the mutex")) return;
    CHECK(mu_lts_starves(lts, MU_LTS_HSA, &starvation) && starvation.executing == 1 && starvation.starving == 2 &&
              starvation.prefix[0] == '1',
          "HSA: thread 1 has the mutex, and thread 0 waits for ever: %s", starvation.prefix);
    CHECK(mu_lts_states(lts) < 40, "%zu states", mu_lts_states(lts));
    mu_lts_free(lts);
    if (mu_lts_explore(&mu_lts_idioms[MU_LTS_TWO_WAY], &lts, &err) != MU_OK) return;
    CHECK(mu_lts_starves(lts, MU_LTS_OBE, &starvation) && (starvation.executing == 1 || starvation.executing == 2) &&
              strlen(starvation.prefix) == 1,
          "OBE: one has produced and waits, the other has not begun: %s", starvation.prefix);
    CHECK(mu_lts_starves(lts, MU_LTS_HSA, &starvation) && starvation.executing == 1 && starvation.starving == 2,
          "HSA: thread 0 waits, and thread 1 need not run");
    mu_lts_free(lts);
    if (mu_lts_explore(&mu_lts_idioms[MU_LTS_BARRIER_LOBE], &lts, &err) != MU_OK) return;
    CHECK(mu_lts_starves(lts, MU_LTS_HSA_OBE, &starvation) && strchr(starvation.prefix, '2') != NULL &&
              (starvation.starving & 2) != 0 && (starvation.executing & 1) != 0,
          "HSA+OBE: 2 was found, and 1, which it counts, has not begun: %s", starvation.prefix);
    mu_lts_free(lts);
}

/* Programs that are wrong, or that wait for nobody. */
static void test_others(void)
{
    static const struct mu_lts_program free_of_waits = {
        "sum", "", 3, {{{MU_LTS_ADD, 0, 1, 0, 0}}, {{MU_LTS_ADD, 0, 1, 0, 0}}, {{MU_LTS_ADD, 0, 1, 0, 0}}}};
    static const struct mu_lts_program stuck = {
        "stuck", "", 2, {{{MU_LTS_AWAIT, 0, 1, 0, 0}}, {{MU_LTS_AWAIT, 0, 1, 0, 0}}}};
    static const struct mu_lts_program kept = {/* the mutex is never given back */
                                               "kept",
                                               "",
                                               2,
                                               {{{MU_LTS_LOCK, 0, 0, 0, 0}}, {{MU_LTS_LOCK, 0, 0, 0, 0}}}};
    CHECK(allowed(&free_of_waits) == (ALL_BUT_UNFAIR | BIT(UNFAIR)), "what waits for nobody, all allow");
    CHECK(allowed(&stuck) == 0, "a deadlock, none");
    CHECK(allowed(&kept) == 0, "nor a mutex that is kept");
}

static void test_memory(void)
{
    int status = MU_NO_MEMORY;
    unsigned long n = 0;
    while (status == MU_NO_MEMORY && n < 50) {
        struct mu_error err = {0};
        struct mu_lts *lts = NULL;
        mu_fail_allocation(++n);
        status = mu_lts_explore(&mu_lts_idioms[MU_LTS_BARRIER_TEAM], &lts, &err);
        mu_fail_allocation(0);
        mu_lts_free(lts);
    }
    CHECK(status == MU_OK && n > 8, "each of %lu allocations may fail", n - 1);
    CHECK(mu_memory_in_use() == 0, "and nothing is left behind");
}

/* Programs that were gone through. */
struct seen {
    unsigned programs, wrong;
};

/* Each is read back as the program that it was, ends under a fair scheduler and not under an unfair one, and under
 * every model that is stronger than one that ends it. */
static int see(void *context, const struct mu_synthesised *found, struct mu_error *err)
{
    struct seen *seen = context;
    struct mu_lts_program program;
    const unsigned by = found->allowed;
    const bool stronger = ((by & BIT(HSA)) == 0 || (by & BIT(HSA_OBE)) != 0) &&
                          ((by & BIT(OBE)) == 0 || (by & BIT(HSA_OBE)) != 0) &&
                          ((by & BIT(HSA_OBE)) == 0 || (by & BIT(LOBE)) != 0);
    (void)err;
    seen->programs++;
    if (!mu_synthesis_parse(found->text, &program) || allowed(&program) != by || (by & BIT(FAIR)) == 0 ||
        (by & BIT(UNFAIR)) != 0 || !stronger)
        seen->wrong++;
    return MU_OK;
}

static bool can_always_end(const char *text)
{
    struct mu_error err = {0};
    struct mu_lts_program program;
    struct mu_lts *lts = NULL;
    const bool ends = mu_synthesis_parse(text, &program) && mu_lts_explore(&program, &lts, &err) == MU_OK &&
                      mu_lts_can_always_end(lts);
    mu_lts_free(lts);
    return ends;
}

static void test_synthesis(void)
{
    static const char *const none[] = {"",       "x",   "x=2",  "x?0",   "x?0>9",  "x=1 |",
                                       "x=1 | ", "q=1", "x=1;", "x!1?0", "x=1|x=1"};
    struct mu_error err = {0};
    struct mu_synthesised chosen[MU_LTS_SCHEDULERS];
    struct mu_lts_program program;
    size_t count = 0;
    struct mu_synthesis_counts counts = {0};
    struct seen seen = {0, 0};
    CHECK(mu_synthesis_all(&mu_synthesis_sizes[0], see, &seen, &counts, &err) == MU_OK && seen.wrong == 0 &&
              seen.programs == mu_synthesis_sizes[0].paper,
          "as many programs of two threads and two instructions block as in the paper: %u", seen.programs);
    CHECK(counts.strong == 2 && can_always_end("x!1?0>0 | x!0?1>0") && !can_always_end("x?0>0 | x?0>0;x=1"),
          "two more end under strong fairness: %zu", counts.strong);
    CHECK(mu_synthesis_all(&mu_synthesis_sizes[1], see, &seen, &counts, &err) == MU_OK && seen.wrong == 0 &&
              mu_synthesis_all(&mu_synthesis_sizes[2], see, &seen, &counts, &err) == MU_OK && seen.wrong == 0,
          "programs are read back, and models that are stronger end them, too: %u", seen.programs);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        CHECK(!mu_synthesis_parse(none[i], &program), "'%s' is no program", none[i]);
    CHECK(mu_synthesis_choose(chosen, &count, &err) == MU_OK && count > 0, "a set is found");
    for (int a = 0; a < MU_LTS_SCHEDULERS; a++)
        for (int b = 0; b < a; b++) {
            bool apart = false;
            for (size_t i = 0; i < count; i++)
                apart = apart || (chosen[i].allowed >> a & 1u) != (chosen[i].allowed >> b & 1u);
            CHECK(apart, "which tells %s and %s apart", mu_lts_schedulers[a], mu_lts_schedulers[b]);
        }
}

int main(void)
{
    test_table();
    test_models();
    test_paths();
    test_others();
    test_memory();
    test_synthesis();
    return tap_done();
}
