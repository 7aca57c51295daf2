/* What idioms in use work on: the launches of the triangular solve follow its matrix, shared rows are whole, and the
 * results are those of the plain way to work them out. And their kernels, and subteams, on the host's threads. Without
 * a device. */
#include "base/memory.h"
#include "harness/litmus/idioms.clh"
#include "harness/litmus/idioms.h"
#include "tests/host/idioms.h"
#include "tests/tap.h"

#define PARTS     100u
#define WORKGROUP 8u

#ifndef SPIN_LIMIT
#define SPIN_LIMIT 0x4000000u
#endif

/* The launches of a solve, played one after another: each row when all that it waits for has come. */
static void test_triangular(void)
{
    struct mu_error err = {0};
    struct mu_idiom_work work;
    unsigned early = 0, again = 0, rows = 0;
    if (!CHECK(mu_idiom_make(mu_idiom_find("triangular"), PARTS, WORKGROUP, &work, &err) == MU_OK, "a solve is made"))
        return;
    const uint32_t *first = work.words[MU_IDIOM_FIRST], *in = work.words[MU_IDIOM_IN];
    uint32_t *state = work.words[MU_IDIOM_STATE], *out = work.words[MU_IDIOM_OUT];
    bool done[PARTS] = {false};
    for (size_t l = 0; l < work.launch_count; l++) {
        const struct mu_idiom_launch *launch = &work.launches[l];
        for (uint32_t group = 0; group < launch->groups; group++, rows++) {
            const uint32_t row = first[PARTS + launch->step + group];
            early += state[row] != 0;
            again += done[row];
            done[row] = true;
        }
        for (uint32_t group = 0; group < launch->groups; group++) {
            const uint32_t row = first[PARTS + launch->step + group];
            for (uint32_t i = first[row]; i < first[row + 1]; i++) {
                out[in[i] & MU_IDIOM_PLACE] -= (in[i] >> MU_IDIOM_SHIFT) * out[row];
                state[in[i] & MU_IDIOM_PLACE]--;
            }
        }
    }
    CHECK(rows == PARTS && again == 0, "each row has its turn once");
    CHECK(early == 0, "… and not before those that it depends on");
    CHECK(work.launch_count > 8 && work.launch_count < PARTS, "rows wait for others, but not each for all");
    CHECK(memcmp(out, work.expected, PARTS * sizeof *out) == 0, "the launches solve it");
    mu_idiom_free(&work);
}

static void test_spmv(void)
{
    struct mu_error err = {0};
    struct mu_idiom_work work;
    unsigned rows = 0, torn = 0;
    uint32_t first_row = 0;
    if (!CHECK(mu_idiom_make(mu_idiom_find("spmv"), PARTS, WORKGROUP, &work, &err) == MU_OK, "a product is made"))
        return;
    const uint32_t *first = work.words[MU_IDIOM_FIRST];
    for (uint32_t part = 0; part < PARTS; part++) {
        rows += first[part] == part;
        torn += first[part] != part && first[part] != first[part - 1];
        first_row += first[part] == 0;
    }
    CHECK(torn == 0 && rows > 2, "rows are of neighbouring parts");
    CHECK(first_row == 3 * PARTS / 4, "the first one is shared by more groups than fit");
    const uint32_t *in = work.words[MU_IDIOM_IN], each = WORKGROUP * MU_IDIOM_EACH;
    uint32_t *out = work.words[MU_IDIOM_OUT];
    for (uint32_t part = 0; part < PARTS; part++) out[part] *= first[part] == part ? 3u : 1u;
    for (uint32_t i = 0; i < PARTS * each; i++)
        out[first[i / each]] += (in[i] >> MU_IDIOM_SHIFT) * first[PARTS + (in[i] & MU_IDIOM_PLACE)];
    CHECK(memcmp(out, work.expected, PARTS * sizeof *out) == 0, "the product is right");
    mu_idiom_free(&work);
}

static void test_scan(void)
{
    struct mu_error err = {0};
    struct mu_idiom_work work;
    if (!CHECK(mu_idiom_make(mu_idiom_find("scan"), PARTS, WORKGROUP, &work, &err) == MU_OK, "a scan is made")) return;
    uint32_t sum = 0, wrong = 0;
    for (size_t i = 0; i < work.counts[MU_IDIOM_OUT]; i++)
        wrong += work.expected[i] != (sum += work.words[MU_IDIOM_IN][i]);
    CHECK(wrong == 0, "each element has the sum up to it");
    CHECK(15ull * WORKGROUP * MU_IDIOM_EACH * (MU_IDIOM_PLACE / WORKGROUP) < 1u << 30,
          "the largest sum leaves two bits");
    mu_idiom_free(&work);
}

static void test_neighbours(void)
{
    struct mu_error err = {0};
    struct mu_idiom_work work;
    bool given[PARTS] = {false};
    unsigned wrong = 0, twice = 0;
    if (!CHECK(mu_idiom_make(mu_idiom_find("neighbours"), PARTS, WORKGROUP, &work, &err) == MU_OK, "sums are made"))
        return;
    const uint32_t *in = work.words[MU_IDIOM_IN], each = WORKGROUP * MU_IDIOM_EACH;
    for (uint32_t part = 0; part < PARTS; part++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < MU_IDIOM_NEAR * each; i++) sum += in[(part * each + i) % (PARTS * each)];
        wrong += sum != work.expected[part];
    }
    CHECK(wrong == 0, "each group has the sum of its part and the next ones");
    for (uint64_t group = 0; group < PARTS; group++) {
        twice += given[group * MU_IDIOM_APART % PARTS];
        given[group * MU_IDIOM_APART % PARTS] = true;
    }
    CHECK(twice == 0, "no scattered number is given twice");
    bool prime = true;
    for (uint32_t divisor = 2; divisor * divisor <= MU_IDIOM_APART; divisor++)
        prime = prime && MU_IDIOM_APART % divisor != 0;
    CHECK(prime, "numbers are a prime apart");
    mu_idiom_free(&work);
}

static void test_refusals(void)
{
    for (const struct mu_used_idiom *idiom = mu_used_idioms; idiom->name != NULL; idiom++) {
        unsigned long allocation = 0;
        int status = MU_NO_MEMORY;
        while (status == MU_NO_MEMORY && allocation < 20) {
            struct mu_error err = {0};
            struct mu_idiom_work work;
            mu_fail_allocation(++allocation);
            status = mu_idiom_make(idiom, PARTS, WORKGROUP, &work, &err);
            mu_fail_allocation(0);
            mu_idiom_free(&work);
        }
        CHECK(status == MU_OK && allocation > 5, "%s: no allocation is taken for granted", idiom->name);
    }
    struct mu_error err = {0};
    struct mu_idiom_work work;
    CHECK(mu_idiom_make(mu_used_idioms, 1u << 20, 16, &work, &err) == MU_LIMIT, "more than an element can name");
    mu_idiom_free(&work);
    CHECK(mu_idiom_find("sort") == NULL && mu_idiom_find(NULL) == NULL, "no idiom of that name");
}

/* ---- The kernels, compiled for the host ---- */

#define GROUPS 8u /* each work-item is a thread */
#define ITEMS  2u

static const char *const ways[] = {[MU_IDIOM_NATIVE] = "native",
                                   [MU_IDIOM_REVERSED] = "reversed",
                                   [MU_IDIOM_TICKETED] = "ticketed",
                                   [MU_IDIOM_SCATTERED] = "scattered"};
#define WAYS (sizeof ways / sizeof ways[0])

/* Runs an idiom: with waits, or in its launches. */
static bool is_right(const struct mu_idiom_work *work, const char *name, unsigned ids)
{
    const struct mu_idiom_launch waiting = {0, work->parts};
    const bool launches = ids == WAYS;
    struct host_idiom_result result = {0, 0};
    struct host_idiom_case what = {.idiom = host_idiom_find(name),
                                   .workgroup = work->workgroup,
                                   .spin_limit = SPIN_LIMIT,
                                   .ids = launches ? MU_IDIOM_NATIVE : ids,
                                   .parts = work->parts,
                                   .in = work->words[MU_IDIOM_IN],
                                   .first = work->words[MU_IDIOM_FIRST],
                                   .state = work->words[MU_IDIOM_STATE],
                                   .out = work->words[MU_IDIOM_OUT],
                                   .out_count = (unsigned)work->counts[MU_IDIOM_OUT],
                                   .expected = work->expected};
    bool right = what.idiom != NULL;
    for (size_t l = 0; right && l < (launches ? work->launch_count : 1); l++) {
        const struct mu_idiom_launch *launch = launches ? &work->launches[l] : &waiting;
        what.step = launch->step;
        what.groups = launch->groups;
        right = host_idiom_run(&what, &result) == 0 && result.phase == 0;
    }
    return right && result.wrong == 0;
}

static void test_kernels(void)
{
    for (const struct mu_used_idiom *idiom = mu_used_idioms; idiom->name != NULL; idiom++)
        for (unsigned ids = 0; ids <= WAYS; ids++) {
            struct mu_error err = {0};
            struct mu_idiom_work work;
            const bool made = mu_idiom_make(idiom, GROUPS, ITEMS, &work, &err) == MU_OK;
            if (!made || ids != WAYS || work.launch_count != 0)
                CHECK(made && is_right(&work, idiom->name, ids), "%s, %s: what its kernel works out on the host",
                      idiom->name, ids == WAYS ? "launches" : ways[ids]);
            mu_idiom_free(&work);
        }
}

/* Subteams of some of the workgroups and of all, among them one of more groups than a group has work-items. */
static void test_subteams(void)
{
    static const unsigned wanted[] = {1, 3, 8, 32};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        unsigned state[2 * GROUPS * ITEMS] = {0}, out[GROUPS * ITEMS] = {0}, zeros[GROUPS * ITEMS] = {0};
        struct host_idiom_result result = {0, 0};
        const struct host_idiom_case what = {.idiom = host_idiom_find("subteam"),
                                             .groups = GROUPS,
                                             .workgroup = ITEMS,
                                             .spin_limit = SPIN_LIMIT,
                                             .step = wanted[i],
                                             .state = state,
                                             .out = out,
                                             .out_count = GROUPS * ITEMS,
                                             .expected = zeros};
        CHECK(host_idiom_run(&what, &result) == 0 && result.wrong == 0 && result.phase == 0,
              "a subteam of %u of %u workgroups: each member hears of all others, and sees what they did", wanted[i],
              GROUPS);
    }
}

int main(void)
{
    test_kernels();
    test_subteams();
    test_triangular();
    test_spmv();
    test_scan();
    test_neighbours();
    test_refusals();
    return tap_done();
}
