#include "variants/launch/report.h"
#include "variants/teams/sync_layout.clh"

#include <stdio.h>
#include <string.h>

#define MOST_FATES  4 /* groups of ranks that a message tells of … */
#define MOST_RANGES 8 /* … and ranges of ranks in each of them */

/* What became of one rank. Ranks of the same fate are told of together. */
struct fate {
    enum {
        ARRIVED,   /* waited at the barrier, as it should */
        LATE,      /* came to a barrier when others had given up, or just before */
        ELSEWHERE, /* waited at another barrier, or at one of this number in another place */
        ENDED,     /* came to the end of the kernel without giving up */
        ABSENT     /* nothing is known of it */
    } kind;
    uint32_t barrier, place;
};

static bool same(struct fate a, struct fate b)
{
    return a.kind == b.kind && a.barrier == b.barrier && a.place == b.place;
}

static struct fate fate_of(const struct mu_report_barrier *at, uint32_t ended, const uint32_t *waited)
{
    const uint32_t place = waited[1] & ~MU_WAITED_LATE;
    if (waited[0] == 0 && ended == 0) return (struct fate){ABSENT, 0, 0};
    if (waited[0] == 0) return (struct fate){ENDED, ended - MU_ENDED(at->team, 0), 0};
    if ((waited[1] & MU_WAITED_LATE) != 0) return (struct fate){LATE, 0, 0};
    return (struct fate){waited[0] == at->number && place == at->place ? ARRIVED : ELSEWHERE, waited[0], place};
}

struct text {
    char *start;
    size_t bytes, used;
};

static void add(struct text *text, const char *more)
{
    const int length = snprintf(text->start + text->used, text->bytes - text->used, "%s", more);
    if (length > 0) text->used += (size_t)length;
    if (text->used >= text->bytes) text->used = text->bytes - 1;
}

/* Adds ranks, such as "rank 3" or "ranks 0-2, 7". */
static void add_ranks(struct text *text, const struct fate *wanted, const struct mu_report_barrier *at,
                      const uint32_t *ended, const uint32_t *waited)
{
    char range[32];
    uint32_t count = 0, ranges = 0, begin = 0;
    struct text list = {(char[MOST_RANGES * sizeof range]){""}, MOST_RANGES * sizeof range, 0};
    bool inside = false;
    for (uint32_t rank = 0; rank <= at->team; rank++) {
        const bool is = rank < at->team && same(fate_of(at, ended[rank], waited + 2 * (size_t)rank), *wanted);
        count += is;
        if (is && !inside) begin = rank;
        if (!is && inside && ranges++ < MOST_RANGES) {
            snprintf(range, sizeof range, rank - begin > 1 ? "%s%u-%u" : "%s%u", ranges > 1 ? ", " : "", begin,
                     rank - 1);
            add(&list, range);
        }
        inside = is;
    }
    add(text, count == 1 ? "rank " : "ranks ");
    add(text, list.start);
    if (ranges <= MOST_RANGES) return;
    snprintf(range, sizeof range, " and more, %u in all", count);
    add(text, range);
}

/* Adds that of the ranks that hardly waited some may have been among those that had arrived. */
static void add_late(struct text *text, const struct mu_report_barrier *at, const uint32_t *ended,
                     const uint32_t *waited)
{
    char words[96];
    uint32_t in_time = 0, late = 0;
    for (uint32_t rank = 0; rank < at->team; rank++) {
        const struct fate fate = fate_of(at, ended[rank], waited + 2 * (size_t)rank);
        in_time += fate.kind == ARRIVED;
        late += fate.kind == LATE;
    }
    const uint32_t last_moment = at->arrived > in_time ? at->arrived - in_time : 0;
    if (last_moment == 0)
        add(text, ", which came later");
    else if (last_moment >= late)
        add(text, ", which came at the last moment");
    else {
        snprintf(words, sizeof words, ", of which %u came at the last moment, and the others later", last_moment);
        add(text, words);
    }
}

static void add_fate(struct text *text, const struct mu_places *places, const struct fate *fate)
{
    char place[192], words[256];
    switch (fate->kind) {
    case LATE: /* add_late */
        break;
    case ABSENT:
        add(text, ", of which nothing is known");
        break;
    case ENDED:
        snprintf(words, sizeof words, ", which ended behind %u barrier%s", fate->barrier,
                 fate->barrier == 1 ? "" : "s");
        add(text, words);
        break;
    default:
        mu_report_place(places, fate->place, place, sizeof place);
        snprintf(words, sizeof words, ", which waited at barrier %u%s", fate->barrier, place);
        add(text, words);
    }
}

void mu_report_place(const struct mu_places *places, uint32_t line, char *text, size_t bytes)
{
    text[0] = '\0';
    if (line != 0 && places->say != NULL) places->say(places->owner, line, text, bytes);
}

void mu_report_ranks(const struct mu_places *places, const struct mu_report_barrier *barrier, const uint32_t *ended,
                     const uint32_t *waited, char *text, size_t bytes)
{
    struct text written = {text, bytes, 0};
    struct fate told[MOST_FATES];
    size_t count = 0;
    text[0] = '\0';
    for (uint32_t rank = 0; rank < barrier->team; rank++) {
        const struct fate fate = fate_of(barrier, ended[rank], waited + 2 * (size_t)rank);
        bool known = fate.kind == ARRIVED;
        for (size_t i = 0; i < count && !known; i++) known = same(told[i], fate);
        if (known) continue;
        if (count == MOST_FATES) {
            add(&written, "; and others");
            return;
        }
        told[count++] = fate;
        add(&written, count == 1 ? "; missing: " : "; ");
        add_ranks(&written, &fate, barrier, ended, waited);
        add_fate(&written, places, &fate);
        if (fate.kind == LATE) add_late(&written, barrier, ended, waited);
    }
}
