/* The better of two implementations: what statistics/statistics.h promises for it. */
#include "statistics/statistics.h"

#include "base/memory.h"

#include <gsl/gsl_sort.h>
#include <math.h>

/* More splits change a level by less than a tenth of its error. */
enum { SPLITS = 200, KINDS = 2 };

/* The logs of the medians of one session's processes, in rising order: which came first is of no account. */
struct session {
    double *logs;
    size_t count;
};

/* One of the two, by session. `room` holds all logs. */
struct kind {
    struct session sessions[MU_SESSIONS_MAX];
    double *room;
};

static int read_kind(const struct mu_samples *processes, size_t count, struct kind *kind, struct mu_error *err)
{
    size_t used = 0;
    struct mu_level one;
    kind->room = mu_malloc(count, sizeof *kind->room, "medians of processes", err);
    if (kind->room == NULL) return MU_NO_MEMORY;
    for (size_t s = 0; s < MU_SESSIONS_MAX; s++) {
        struct session *session = &kind->sessions[s];
        session->logs = kind->room + used;
        for (size_t i = 0; i < count; i++) {
            if (processes[i].session % MU_SESSIONS_MAX != s) continue;
            if (mu_level_of(&processes[i], 1, &one, err) != MU_OK) return MU_NO_MEMORY;
            session->logs[session->count++] = one.log_value;
        }
        gsl_sort(session->logs, 1, session->count);
        used += session->count;
    }
    return MU_OK;
}

static void swap(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* Shares out the processes of each session at random: those of the first half, the greater one, come first. */
static void split(struct kind *kind, uint64_t *state)
{
    for (size_t s = 0; s < MU_SESSIONS_MAX; s++) {
        struct session *session = &kind->sessions[s];
        for (size_t i = session->count; i > 1; i--) swap(&session->logs[i - 1], &session->logs[mu_draw(state, i)]);
    }
}

/* Returns the mean of part of a session's processes. */
static double mean_of(const struct session *session, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++) sum += session->logs[i];
    return sum / (double)(to - from);
}

/* Returns the level by the first halves, which choose. */
static double choosing_level(const struct kind *kind)
{
    double sum = 0;
    size_t sessions = 0;
    for (size_t s = 0; s < MU_SESSIONS_MAX; s++) {
        const struct session *session = &kind->sessions[s];
        if (session->count == 0) continue;
        sum += mean_of(session, 0, (session->count + 1) / 2);
        sessions++;
    }
    return sum / (double)sessions;
}

/* Returns true if there are processes in that session that choose, and others. */
static bool is_told(const struct kind kinds[KINDS], size_t session)
{
    return kinds[0].sessions[session].count > 1 && kinds[1].sessions[session].count > 1;
}

/* By session, sums over splits of how far the half that did not choose is off the mean of all, for each of the two and
 * for the winner. */
struct sums {
    double off[KINDS][MU_SESSIONS_MAX], winner[MU_SESSIONS_MAX];
    size_t wins[KINDS];
};

static void add_split(const struct kind kinds[KINDS], struct sums *sums)
{
    const size_t winner = choosing_level(&kinds[1]) < choosing_level(&kinds[0]);
    sums->wins[winner]++;
    for (size_t s = 0; s < MU_SESSIONS_MAX; s++)
        for (size_t i = 0; i < KINDS && is_told(kinds, s); i++) {
            const struct session *session = &kinds[i].sessions[s];
            const double off =
                mean_of(session, (session->count + 1) / 2, session->count) - mean_of(session, 0, session->count);
            sums->off[i][s] += off;
            if (i == winner) sums->winner[s] += off;
        }
}

/* Fills in the level of the sessions' means over all splits. The mean of `off` over all possible splits is 0. So
 * subtracting its mean over the drawn ones leaves no chance in the result if the same form always wins. */
static void finish(const struct mu_level levels[KINDS], const struct kind kinds[KINDS], const struct sums *sums,
                   struct mu_level *level)
{
    const double part[KINDS] = {(double)sums->wins[0] / SPLITS, (double)sums->wins[1] / SPLITS};
    size_t sessions = 0;
    *level = levels[part[1] > 0.5];
    level->sessions = (struct mu_by_session){0};
    level->log_value = 0;
    for (size_t s = 0; s < MU_SESSIONS_MAX; s++) {
        if (!is_told(kinds, s)) continue;
        double value = sums->winner[s] / SPLITS;
        for (size_t i = 0; i < KINDS; i++)
            value +=
                part[i] * (mean_of(&kinds[i].sessions[s], 0, kinds[i].sessions[s].count) - sums->off[i][s] / SPLITS);
        level->sessions.known |= UINT32_C(1) << s;
        level->sessions.value[s] = value;
        level->log_value += value;
        sessions++;
    }
    level->log_value /= (double)sessions;
    level->variance = part[0] * levels[0].variance + part[1] * levels[1].variance;
    level->df = fmin(levels[0].df, levels[1].df);
}

int mu_level_of_better(const struct mu_samples *const processes[2], const size_t counts[2], struct mu_level *level,
                       double *part, struct mu_error *err)
{
    struct kind kinds[KINDS] = {{.room = NULL}};
    struct mu_level levels[KINDS];
    struct sums sums = {.wins = {0}};
    uint64_t state = 1; /* always the same, so that the same processes tell the same everywhere */
    int status = MU_OK;
    bool told = false;
    *part = -1;
    for (size_t i = 0; i < KINDS; i++)
        if ((status = read_kind(processes[i], counts[i], &kinds[i], err)) != MU_OK ||
            (status = mu_level_of(processes[i], counts[i], &levels[i], err)) != MU_OK)
            goto out;
    for (size_t s = 0; s < MU_SESSIONS_MAX; s++) told = told || is_told(kinds, s);
    if (!told) goto out;
    for (size_t i = 0; i < SPLITS; i++) {
        for (size_t k = 0; k < KINDS; k++) split(&kinds[k], &state);
        add_split(kinds, &sums);
    }
    *part = (double)sums.wins[1] / SPLITS;
    finish(levels, kinds, &sums, level);
out:
    for (size_t i = 0; i < KINDS; i++) mu_free(kinds[i].room);
    return status;
}
