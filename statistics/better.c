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
    struct mu_summary summary;
    kind->room = mu_malloc(count, sizeof *kind->room, "medians of processes", err);
    if (kind->room == NULL) return MU_NO_MEMORY;
    for (size_t s = 0; s < MU_SESSIONS_MAX; s++) {
        struct session *session = &kind->sessions[s];
        session->logs = kind->room + used;
        for (size_t i = 0; i < count; i++) {
            if (processes[i].session % MU_SESSIONS_MAX != s) continue;
            if (mu_summarise(processes[i].values, processes[i].count, &summary, err) != MU_OK) return MU_NO_MEMORY;
            session->logs[session->count++] = log(summary.median);
        }
        gsl_sort(session->logs, 1, session->count);
        used += session->count;
    }
    return MU_OK;
}

/* Whether a session of it has two processes. */
static bool has_halves(const struct kind *kind)
{
    for (size_t s = 0; s < MU_SESSIONS_MAX; s++)
        if (kind->sessions[s].count > 1) return true;
    return false;
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

/* The mean of part of a session's processes. */
static double mean_of(const struct session *session, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++) sum += session->logs[i];
    return sum / (double)(to - from);
}

/* The level by the first halves, which choose. */
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

/* Adds what the second halves, which did not choose, say of each session. */
static void add_others(const struct kind *kind, struct mu_by_session *sums, size_t counts[MU_SESSIONS_MAX])
{
    for (size_t s = 0; s < MU_SESSIONS_MAX; s++) {
        const struct session *session = &kind->sessions[s];
        if (session->count < 2) continue;
        sums->value[s] += mean_of(session, (session->count + 1) / 2, session->count);
        counts[s]++;
    }
}

/* The level of the sessions' means over all splits. */
static void finish(const struct mu_level levels[KINDS], double part, struct mu_by_session *sums,
                   const size_t counts[MU_SESSIONS_MAX], struct mu_level *level)
{
    size_t sessions = 0;
    *level = levels[part > 0.5];
    level->log_value = 0;
    for (size_t s = 0; s < MU_SESSIONS_MAX; s++) {
        if (counts[s] == 0) continue;
        sums->known |= UINT32_C(1) << s;
        sums->value[s] /= (double)counts[s];
        level->log_value += sums->value[s];
        sessions++;
    }
    level->log_value /= (double)sessions;
    level->sessions = *sums;
    level->variance = (1 - part) * levels[0].variance + part * levels[1].variance;
    level->df = fmin(levels[0].df, levels[1].df);
}

int mu_level_of_better(const struct mu_samples *const processes[2], const size_t counts[2], struct mu_level *level,
                       double *part, struct mu_error *err)
{
    struct kind kinds[KINDS] = {{.room = NULL}};
    struct mu_level levels[KINDS];
    struct mu_by_session sums = {0};
    size_t told[MU_SESSIONS_MAX] = {0}, wins = 0;
    uint64_t state = 1; /* always the same, so that the same processes tell the same everywhere */
    int status = MU_OK;
    *part = -1;
    for (size_t i = 0; i < KINDS; i++)
        if ((status = read_kind(processes[i], counts[i], &kinds[i], err)) != MU_OK ||
            (status = mu_level_of(processes[i], counts[i], &levels[i], err)) != MU_OK)
            goto out;
    if (!has_halves(&kinds[0]) || !has_halves(&kinds[1])) goto out;
    for (size_t i = 0; i < SPLITS; i++) {
        split(&kinds[0], &state);
        split(&kinds[1], &state);
        const bool second = choosing_level(&kinds[1]) < choosing_level(&kinds[0]);
        add_others(&kinds[second], &sums, told);
        wins += second;
    }
    *part = (double)wins / SPLITS;
    finish(levels, *part, &sums, told, level);
out:
    for (size_t i = 0; i < KINDS; i++) mu_free(kinds[i].room);
    return status;
}
