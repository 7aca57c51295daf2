/* muster table peers: other programs, and muster's best on the same graph. */
#include "analysis/peers/times.h"
#include "analysis/tables/common.h"

#include <stdio.h>
#include <string.h>

static void add_columns(struct mu_grid *grid)
{
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "input", "input", MU_COLUMN_LEFT);
    mu_grid_column(grid, "edges", "arcs", MU_COLUMN_MINOR);
    mu_grid_column(grid, "program", "program", MU_COLUMN_LEFT);
    mu_grid_column(grid, "parameter", "parameter", MU_COLUMN_LEFT | MU_COLUMN_MINOR);
    mu_grid_column(grid, "tried", "tried", MU_COLUMN_MINOR);
    mu_grid_column(grid, "clock", "clock", MU_COLUMN_LEFT);
    mu_grid_column(grid, "peer_ns", "its time", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "muster", "muster", MU_COLUMN_LEFT);
    mu_grid_column(grid, "muster_clock", "clock", MU_COLUMN_LEFT | MU_COLUMN_MINOR);
    mu_grid_column(grid, "muster_ns", "muster's time", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "ratio", "its / muster's", MU_COLUMN_INTERVAL | MU_COLUMN_KEPT);
    mu_grid_column(grid, "note", "note", MU_COLUMN_LEFT);
}

/* muster's time beside a peer's, from its own records or from those that were made beside the peer's. */
struct beside {
    const char *variant, *clock;
    const struct mu_level *level; /* NULL: none */
};

static bool is_muster(const struct mu_peer_time *peer)
{
    return strcmp(peer->program, "muster") == 0;
}

static struct beside find_beside(const struct mu_peer_times *peers, const struct mu_study *study,
                                 const struct mu_peer_time *peer)
{
    const struct mu_measurement *own = mu_peer_beside(study, peer);
    if (own != NULL) return (struct beside){own->variant, own->clock, &own->level};
    for (size_t i = 0; i < peers->count; i++) {
        const struct mu_peer_time *next = &peers->times[i];
        if (is_muster(next) && next->has_level && strcmp(next->chip, peer->chip) == 0 &&
            strcmp(next->app, peer->app) == 0 && mu_peer_same_work(next, peer))
            return (struct beside){next->parameter, next->clock, &next->level};
    }
    return (struct beside){"", "", NULL};
}

static void level_cell(struct mu_grid *grid, const struct mu_level *level)
{
    struct mu_ratio time;
    if (level == NULL) {
        mu_grid_empty(grid);
        return;
    }
    mu_ratio_of_one(level, &time);
    mu_grid_time(grid, time.value);
    if (!time.has_interval) return;
    mu_grid_interval(grid, time.low, time.high);
    mu_grid_sessions(grid, time.spans);
}

static void text_cell(struct mu_grid *grid, const char *text)
{
    if (text[0] != '\0')
        mu_grid_text(grid, "%s", text);
    else
        mu_grid_empty(grid);
}

/* Adds what became of a peer's run unless its result was right ("wrong", "deadline", "not checked"), its other notes,
 * and whether its free parameter has one value alone. */
static void note_cell(struct mu_grid *grid, const struct mu_peer_time *peer, bool beside)
{
    const bool ended = strcmp(peer->outcome, "ok") == 0, checked = strcmp(peer->check, "passed") == 0;
    const char *unknown = beside || peer->edges > 0 ? "" : "graph not told";
    const char *const notes[] = {!ended     ? peer->outcome
                                 : !checked ? peer->check
                                            : "",
                                 peer->note[0] != '\0' ? peer->note : unknown,
                                 peer->parameter[0] != '\0' && peer->sources == 0 && peer->tried == 1 ? "not swept"
                                                                                                      : ""};
    char text[256] = "";
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        const size_t length = strlen(text);
        if (notes[i][0] != '\0')
            snprintf(text + length, sizeof text - length, "%s%s", length > 0 ? "; " : "", notes[i]);
    }
    text_cell(grid, text);
}

static void add_row(struct mu_grid *grid, const struct mu_peer_time *peer, const struct beside *beside)
{
    const bool counts = peer->has_level && strcmp(peer->outcome, "ok") == 0;
    struct mu_ratio ratio;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", peer->chip);
    mu_grid_text(grid, "%s", peer->app);
    mu_grid_text(grid, "%s", peer->input);
    mu_grid_number(grid, peer->edges > 0 ? peer->edges : (double)NAN, 0);
    mu_grid_text(grid, "%s", peer->program);
    text_cell(grid, peer->parameter);
    mu_grid_number(grid, (double)peer->tried, 0);
    mu_grid_text(grid, "%s", peer->clock);
    level_cell(grid, counts ? &peer->level : NULL);
    text_cell(grid, beside->variant);
    text_cell(grid, beside->clock);
    level_cell(grid, beside->level);
    if (counts && beside->level != NULL) {
        mu_ratio_of(&peer->level, beside->level, &ratio);
        mu_table_ratio_cell(grid, &ratio, 2);
    } else {
        mu_grid_empty(grid);
    }
    note_cell(grid, peer, beside->level != NULL);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data = {0};
    struct mu_peer_times peers;
    struct mu_grid *grid = mu_grids_add(grids, "peers", "Other programs beside muster, on the same graphs");
    add_columns(grid);
    if (mu_peer_times_load(request, &peers, grids->err) == MU_OK &&
        mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) == MU_OK) {
        mu_study_choose(&data.study);
        for (size_t i = 0; i < peers.count; i++) {
            if (is_muster(&peers.times[i])) continue;
            const struct beside beside = find_beside(&peers, &data.study, &peers.times[i]);
            add_row(grid, &peers.times[i], &beside);
        }
    }
    if (peers.count == 0) mu_grid_note(grid, "There are no records of kind peer (doc/results-format.md).");
    mu_grid_note(grid,
                 "parameter: the program's free one (of bc how many sources), as on its command line; tried: so many "
                 "of its values. not swept: one alone, so that another may be faster.");
    mu_grid_note(grid, "Of each side the fastest parameter or variant of those tried, chosen by these times. Clock "
                       "device: of events on the device alone; host: of the host around the same work; own: as the "
                       "program prints it. A time by the device's clock lacks what launches cost.");
    mu_grid_note(grid, "Only what did the same work stands beside each other: the same graph, by name, size and, where "
                       "both tell it, hash; of bc as many sources. " MU_NOT_CONFIDENT_NOTE);
    mu_table_study_notes(grid, &data.study);
    mu_table_release(&data);
    mu_peer_times_release(&peers);
    return grids->err->status;
}

const struct mu_table mu_table_peers = {"peers", "times of other programs, and muster's best beside them", fill};
