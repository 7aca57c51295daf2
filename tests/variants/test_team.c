/* variants/teams/team.clh, compiled for the host in each of its three forms: every element has one owner, and the
 * places of a group's own elements, the first of which color uses to count, lie within the extent. */
#include "tests/host/atomics.h"
#include "tests/tap.h"
#include "variants/teams/sync_layout.clh"

#include <string.h>

#define MU_WORKGROUP launch.workgroup

#define MAX_EXTENT 5000

/* The work-items take turns: this is the one that runs. */
static struct host_launch launch;
static struct host_item item = {.launch = &launch};

static uint owned[MAX_EXTENT], even[MAX_EXTENT], firsts[MAX_EXTENT];

/* All groups of a team count what they serve of `extent` elements. False where a place lies beyond. */
#define DEFINE_SERVE(form)                                                                                             \
    static bool serve_##form(uint extent, uint size)                                                                   \
    {                                                                                                                  \
        bool within = true;                                                                                            \
        for (uint rank = 0; rank < size; rank++) {                                                                     \
            const struct mu_team T = {.rank = rank, .size = size};                                                     \
            const uint count = mu_own_count(T, extent);                                                                \
            const uint first = count != 0 ? mu_own_element(T, extent, 0) : 0;                                          \
            if (count > extent || (count != 0 && first >= extent)) return false;                                       \
            if (count != 0) firsts[first]++;                                                                           \
            for (item.local_id = 0; item.local_id < launch.workgroup; item.local_id++) {                               \
                uint turn = 0;                                                                                         \
                FOR_EACH_OWN (i, count) {                                                                              \
                    const uint element = mu_own_element(T, extent, i);                                                 \
                    within &= element < extent && OWN_TURN(count, turn) == i;                                          \
                    turn++;                                                                                            \
                    owned[element % MAX_EXTENT]++;                                                                     \
                }                                                                                                      \
                within &= turn == OWN_TURNS(count);                                                                    \
                FOR_EACH_EVEN (base, end) {                                                                            \
                    within &= end - base <= launch.workgroup;                                                          \
                    if (base + item.local_id < end) even[(base + item.local_id) % MAX_EXTENT]++;                       \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        return within;                                                                                                 \
    }

/* How often a window of so many turns is tried in this form. */
#define DEFINE_SWEEPS(form)                                                                                            \
    static uint sweeps_##form(uint turns, uint scattered)                                                              \
    {                                                                                                                  \
        const struct {                                                                                                 \
            uint scattered;                                                                                            \
        } S = {scattered};                                                                                             \
        (void)S;                                                                                                       \
        return MU_WINDOW_SWEEPS(turns);                                                                                \
    }

#define mu_team        strided_team
#define mu_own_count   strided_count
#define mu_own_element strided_element
#define mu_even_begin  strided_begin
#define mu_even_block  strided_even
#define mu_group_any   strided_any
#define mu_window      strided_window
#include "variants/teams/team.clh"
DEFINE_SERVE(strided)
DEFINE_SWEEPS(strided)
#undef mu_team
#undef mu_own_count
#undef mu_own_element
#undef mu_even_begin
#undef mu_even_block
#undef mu_group_any
#undef mu_window
#undef FOR_EACH
#undef FOR_EACH_OWN
#undef OWN_TURN
#undef OWN_TURNS
#undef MU_WINDOW
#undef MU_WINDOW_SWEEPS
#undef MU_SWEEPS

#define MU_CHUNKS
#define MU_SERIAL
#define mu_team        chunked_team
#define mu_own_count   chunked_count
#define mu_own_element chunked_element
#define mu_even_begin  chunked_begin
#define mu_even_block  chunked_even
#define mu_chunk_begin chunked_item_begin
#define mu_group_any   chunked_any
#define mu_window      chunked_window
#include "variants/teams/team.clh"
DEFINE_SERVE(chunked)
DEFINE_SWEEPS(serial)
#undef MU_SWEEPS
#undef MU_SERIAL
#undef mu_team
#undef mu_own_count
#undef mu_own_element
#undef mu_even_begin
#undef mu_even_block
#undef mu_chunk_begin
#undef mu_group_any
#undef mu_window

#define MU_ONE_BLOCK
#define mu_team        block_team
#define mu_own_count   block_count
#define mu_own_element block_element
#define mu_even_begin  block_begin
#define mu_even_block  block_even
#define mu_chunk_begin block_item_begin
#define mu_group_any   block_any
#define mu_window      block_window
#include "variants/teams/team.clh"
DEFINE_SERVE(block)
DEFINE_SWEEPS(block)

static bool each_once(uint extent)
{
    for (uint e = 0; e < MAX_EXTENT; e++)
        if (owned[e] != (e < extent) || even[e] != (e < extent) || firsts[e] > 1) return false;
    return true;
}

static void test_form(const char *name, bool (*serve)(uint extent, uint size), bool one_block)
{
    static const uint extents[] = {0, 1, 2, 3, 63, 64, 65, 1000, 4097, MAX_EXTENT};
    static const uint sizes[] = {1, 2, 3, 7, 8, 64, 1056};
    static const uint workgroups[] = {1, 2, 64, 4096};
    uint wrong = 0, cases = 0;
    for (size_t e = 0; e < sizeof extents / sizeof extents[0]; e++)
        for (size_t s = 0; s < (one_block ? 1 : sizeof sizes / sizeof sizes[0]); s++)
            for (size_t w = 0; w < sizeof workgroups / sizeof workgroups[0]; w++) {
                memset(owned, 0, sizeof owned);
                memset(even, 0, sizeof even);
                memset(firsts, 0, sizeof firsts);
                launch.workgroup = workgroups[w];
                const uint blocks = (extents[e] + launch.workgroup - 1) / launch.workgroup;
                const bool within = serve(extents[e], one_block ? blocks : sizes[s]);
                wrong += !within || !each_once(extents[e]);
                cases++;
            }
    CHECK(wrong == 0, "%s: %u of %u shapes wrong", name, wrong, cases);
}

int main(void)
{
    host_item = &item;
    test_form("strided", serve_strided, false);
    test_form("chunked", serve_chunked, false);
    test_form("one block a group", serve_block, true);
    CHECK(block_window(0) == 0 && block_window(1) == 1 && block_window(31) == 0x7fffffffu && block_window(32) == ~0u &&
              block_window(33) == ~0u,
          "the turns of a window, and of one among several");
    CHECK(sweeps_strided(32, 1) == 32 && sweeps_strided(33, 0) == 4 && sweeps_serial(1, 0) == 1 &&
              sweeps_block(1, 0) == 32 && sweeps_block(1, 1) == 1,
          "how often they are tried");
    const struct block_team last = {.rank = 1055, .size = 1056};
    CHECK(block_begin(last, 0xfffffff0u, 1) == 0xfffffff0u && block_begin(last, 0xfffffff0u, 0) == 4290900076u,
          "parts of an extent near 2^32");
    return tap_done();
}
