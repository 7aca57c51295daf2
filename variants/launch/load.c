#include "variants/launch/load.h"

#include "base/memory.h"
#include "variants/teams/sync_layout.clh"

#define MU_LOAD
#include "variants/cooperative/layout.clh"

#include <stdlib.h>
#include <string.h>
#include <time.h>

const uint32_t mu_load_alone = MU_SERVE_ONLY;

size_t mu_load_words(uint32_t groups)
{
    return MU_LOAD_WORDS(groups);
}

/* ---- The clock ---- */

static uint64_t host_ticks(void)
{
#if defined __x86_64__
    return __builtin_ia32_rdtsc();
#elif defined __aarch64__
    uint64_t now, frequency;
    __asm__ volatile("mrs %0, cntvct_el0\n\tmrs %1, cntfrq_el0" : "=r"(now), "=r"(frequency));
    return frequency < 2000000000u && frequency != 0 ? now * (2000000000u / frequency) : now;
#else
    return 0;
#endif
}

/* Returns the ticks in a nanosecond: before a rate is found, of one. A CPU device's counter is the host's. */
static double ticks_of_ns(const struct mu_team_launch *team)
{
    static double ratio;
    if (team->clock != MU_LOAD_CLOCK_PROCESSOR) return team->clock_rate > 0 ? team->clock_rate : 1;
    if (ratio > 0) return ratio;
    const struct timespec while_ticking = {0, 20000000};
    const uint64_t ticks = host_ticks(), start = mu_now_ns();
    nanosleep(&while_ticking, NULL);
    ratio = (double)(host_ticks() - ticks) / (double)(mu_now_ns() - start);
    return ratio;
}

/* ---- Whether the host can ask ---- */

static int transfer(const struct mu_team_launch *team, bool write, size_t first, size_t count, cl_uint *words,
                    struct mu_error *err)
{
    const size_t at = first * sizeof *words, bytes = count * sizeof *words;
    if (bytes == 0) return MU_OK; /* before a load has been made out it has no matrix, and no transfer may be empty */
    const cl_int status =
        write ? clEnqueueWriteBuffer(team->target->queue, team->sync, CL_TRUE, at, bytes, words, 0, NULL, NULL)
              : clEnqueueReadBuffer(team->target->queue, team->sync, CL_TRUE, at, bytes, words, 0, NULL, NULL);
    return mu_cl_check(status, "the words of a load", err);
}

#define LISTEN_NS 100000000 /* the longest that a kernel listens */
#define DELAYS    3         /* until the host asks: the kernel must have begun to listen */
static const uint64_t delays_ns[DELAYS] = {1000000, 8000000, 50000000};

static int listen(struct mu_team_launch *team, const struct mu_team_kernel *kernel, uint64_t delay_ns, bool *seen,
                  struct mu_error *err)
{
    struct mu_launch launch = team->launch;
    struct mu_team_times times = {0};
    cl_uint request = 0;
    uint64_t asked_ns = 0;
    launch.load = (struct mu_load){.period_ns = LISTEN_NS};
    if (mu_team_launch_prepare(team, &launch, err) != MU_OK ||
        mu_asker_start(team->asker, delay_ns, LISTEN_NS, err) != MU_OK)
        return err->status;
    mu_team_launch_run(team, kernel, MU_LISTEN_ONLY, &times, err);
    const uint64_t end_ns = mu_now_ns();
    if (mu_asker_stop(team->asker, &asked_ns, err) == MU_OK)
        transfer(team, false, MU_LOAD_REQUEST(launch.groups), 1, &request, err);
    *seen = err->status == MU_OK && request != 0 && asked_ns != 0;
    if (*seen) team->asking_ns = end_ns - asked_ns;
    return err->status;
}

/* ---- The rate of a clock whose ticks are of unknown length ---- */

#define FIRST_TICKS    UINT64_C(1024)
#define MOST_TICKS     (UINT64_C(1) << 40)
#define LEAST_NS       UINT64_C(2000000)   /* of the longer of two launches: long against the noise of their starts */
#define CALIBRATED_NS  UINT64_C(50000000)  /* of the longest launch: a GPU has raised its clock by then */
#define LONGEST_NS     UINT64_C(400000000) /* … where lengths do not agree: the machine is busy */
#define LISTENINGS     3
#define ASKED_NEVER_NS UINT64_C(1000000000) /* by schedule the host does not ask, whatever the period */

/* Runs launches that listen for so many ticks and are not asked; *took_ns gets the shortest time, the device's or the
 * host's. */
static int listen_for(struct mu_team_launch *team, const struct mu_team_kernel *kernel, uint64_t ticks,
                      uint64_t *took_ns, struct mu_error *err)
{
    struct mu_launch launch = team->launch;
    launch.load = (struct mu_load){.period_ns = ticks}; /* at a rate of 1 */
    *took_ns = UINT64_MAX;
    for (int i = 0; i < LISTENINGS; i++) {
        struct mu_team_times times = {0};
        uint64_t never = 0;
        if (mu_team_launch_prepare(team, &launch, err) != MU_OK ||
            mu_asker_start(team->asker, 0, ASKED_NEVER_NS, err) != MU_OK)
            return err->status;
        mu_team_launch_run(team, kernel, MU_LISTEN_ONLY, &times, err);
        if (mu_asker_stop(team->asker, &never, err) != MU_OK) return err->status;
        const uint64_t ns = times.device_ns != 0 ? times.device_ns : times.host_ns;
        if (ns < *took_ns) *took_ns = ns;
    }
    return MU_OK;
}

bool mu_clock_rate_add(struct mu_clock_rate *found, uint64_t ticks, uint64_t once_ns, uint64_t twice_ns)
{
    const double ratio = (double)twice_ns / (double)(once_ns != 0 ? once_ns : 1), before = found->last;
    const double rate = ratio >= 1.7 ? (double)ticks / (double)(twice_ns - once_ns) : 0;
    const double least = 2 * (double)ticks / (double)(twice_ns != 0 ? twice_ns : 1);
    found->last = twice_ns >= LEAST_NS ? rate : 0;
    if (found->last > found->best) found->best = found->last;
    if (found->best <= 0 || twice_ns < CALIBRATED_NS) return false;
    const bool agree = 2 * found->last >= found->best && 2 * before >= found->best && 2 * least >= found->best;
    return agree || twice_ns >= LONGEST_NS;
}

/* Sets team->clock_rate. MU_UNSUPPORTED for a clock of which no launch takes longer. */
static int find_rate(struct mu_team_launch *team, const struct mu_team_kernel *kernel, struct mu_error *err)
{
    struct mu_clock_rate found = {0};
    uint64_t once_ns = 0, twice_ns = 0;
    if (team->clock < MU_LOAD_CLOCK_KERNEL || team->clock_rate > 0) return MU_OK;
    team->asking = MU_ASKING_SCHEDULE;
    if (mu_asker_new(team->target, team->asking, &team->asker, err) != MU_OK) return err->status;
    for (uint64_t ticks = FIRST_TICKS; ticks < MOST_TICKS; ticks *= 2) {
        if (listen_for(team, kernel, ticks, &once_ns, err) != MU_OK ||
            listen_for(team, kernel, 2 * ticks, &twice_ns, err) != MU_OK)
            return err->status;
        if (mu_clock_rate_add(&found, ticks, once_ns, twice_ns)) break;
    }
    team->clock_rate = found.best;
    if (found.best > 0) return MU_OK;
    return mu_fail(err, MU_UNSUPPORTED, "no launch takes longer by the clock of loads");
}

int mu_load_choose_asking(struct mu_team_launch *team, const struct mu_team_kernel *kernel, struct mu_error *err)
{
    const struct mu_launch launch = team->launch;
    bool seen = false;
    find_rate(team, kernel, err);
    for (int asking = 0; asking <= MU_ASKING_SCHEDULE && !seen && err->status == MU_OK; asking++) {
        struct mu_error none = {0};
        mu_asker_free(team->asker);
        team->asker = NULL;
        team->asking = (enum mu_asking)asking;
        const bool last = asking == MU_ASKING_SCHEDULE;
        if (mu_asker_new(team->target, team->asking, &team->asker, last ? err : &none) != MU_OK || last) continue;
        for (size_t i = 0; i < DELAYS && !seen && err->status == MU_OK; i++)
            listen(team, kernel, delays_ns[i], &seen, err);
    }
    return err->status == MU_OK ? mu_team_launch_prepare(team, &launch, err) : err->status;
}

/* ---- The matrices ---- */

/* Elements of A and B: no two rows are alike. */
static cl_uint element(uint32_t which, uint32_t i)
{
    cl_uint x = (i + 1) * 0x9e3779b1u + which * 0x85ebca6bu;
    x ^= x >> 15;
    return x * 0x2c1b3c6du;
}

int mu_load_place(const struct mu_team_launch *team, struct mu_error *err)
{
    const uint32_t groups = team->launch.groups, side = team->launch.load.side, elements = side * side;
    cl_uint *matrix = mu_malloc(elements, sizeof *matrix, "a matrix", err);
    if (matrix == NULL) return err->status;
    for (uint32_t which = 0; which < 3 && err->status == MU_OK; which++) {
        for (uint32_t i = 0; i < elements; i++) matrix[i] = which < 2 ? element(which, i) : 0;
        transfer(team, true, MU_LOAD_MATRIX(groups, which), elements, matrix, err);
    }
    mu_free(matrix);
    return err->status;
}

int mu_load_tell(struct mu_team_launch *team, struct mu_error *err)
{
    const struct mu_load *load = &team->launch.load;
    const uint64_t period = (uint64_t)((double)load->period_ns * ticks_of_ns(team));
    const cl_uint told[MU_LOAD_TOLD_WORDS] = {
        (cl_uint)period, (cl_uint)(period >> 32), load->groups,
        load->side,      load->repeats,           team->asking != MU_ASKING_SCHEDULE || load->period_ns == 0};
    memcpy(team->tells + 2, told, sizeof told);
    const cl_int status = clEnqueueWriteBuffer(team->target->queue, team->sync, CL_FALSE,
                                               MU_LOAD_TOLD(team->launch.groups) * sizeof told[0], sizeof told,
                                               team->tells + 2, 0, NULL, NULL);
    return mu_cl_check(status, "the words of a load", err);
}

/* Returns true if C is `times` A B, modulo 2^32, by a vector x: C x must be times A (B x) (Freivalds 1977). */
static bool is_product(const cl_uint *c, cl_uint *x, uint32_t side, cl_uint times)
{
    cl_uint *bx = x + side;
    for (uint32_t i = 0; i < side; i++) x[i] = element(2, i) | 1u;
    for (uint32_t row = 0; row < side; row++) {
        bx[row] = 0;
        for (uint32_t k = 0; k < side; k++) bx[row] += element(1, row * side + k) * x[k];
    }
    for (uint32_t row = 0; row < side; row++) {
        cl_uint is = 0, should_be = 0;
        for (uint32_t k = 0; k < side; k++) {
            is += c[row * side + k] * x[k];
            should_be += element(0, row * side + k) * bx[k];
        }
        if (is != should_be * times) return false;
    }
    return true;
}

static int check_matrix(const struct mu_team_launch *team, cl_uint requests, struct mu_error *err)
{
    const struct mu_load *load = &team->launch.load;
    const uint32_t side = load->side;
    cl_uint *words = mu_malloc((size_t)side * side + 2 * (size_t)side, sizeof *words, "a matrix", err);
    if (words == NULL) return err->status;
    if (transfer(team, false, MU_LOAD_MATRIX(team->launch.groups, 2), (size_t)side * side, words, err) == MU_OK &&
        !is_product(words, words + (size_t)side * side, side, requests * load->repeats))
        mu_fail(err, MU_WRONG, "the load: C is not what %u requests of %u products make of it", requests,
                load->repeats);
    mu_free(words);
    return err->status;
}

/* ---- What became of the requests ---- */

int mu_load_read(const struct mu_team_launch *team, struct mu_request **requests, uint32_t *count, struct mu_error *err)
{
    const uint32_t groups = team->launch.groups;
    const double ticks = ticks_of_ns(team);
    cl_uint done = 0;
    *requests = NULL;
    *count = 0;
    if (transfer(team, false, MU_LOAD_REQUEST(groups), 1, &done, err) != MU_OK ||
        check_matrix(team, done, err) != MU_OK)
        return err->status;
    const uint32_t kept = done < MU_LOAD_MOST ? done : MU_LOAD_MOST;
    cl_uint *times = mu_malloc((size_t)kept + 1, 6 * sizeof *times, "times of requests", err);
    struct mu_request *made = mu_malloc((size_t)kept + 1, sizeof *made, "requests", err);
    if (times != NULL && made != NULL) transfer(team, false, MU_LOAD_TIMES(groups), 6 * (size_t)kept + 1, times, err);
    for (uint32_t i = 0; i < kept && err->status == MU_OK && times != NULL && made != NULL; i++) {
        uint64_t at[3];
        for (size_t k = 0; k < 3; k++) {
            const cl_uint *word = times + 6 * (size_t)i + 2 * k;
            at[k] = (uint64_t)((double)(word[0] | (uint64_t)word[1] << 32) / ticks);
        }
        made[i] = (struct mu_request){at[0], at[1], at[2]};
    }
    mu_free(times);
    if (err->status != MU_OK) {
        mu_free(made);
        return err->status;
    }
    *requests = made;
    *count = kept;
    return MU_OK;
}
