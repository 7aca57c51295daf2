/* muster table schedulers: which blocking idioms each scheduler allows, worked out from their transition systems
 * (thesis, table 6.2 and section 6.7). */
#include "analysis/progress/synthesis.h"
#include "analysis/progress/wild.h"
#include "analysis/tables/tables.h"

#include <stdio.h>

/* Writes the threads of a set, such as "0 1". */
static void write_threads(unsigned set, char text[16])
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < MU_LTS_THREADS; i++)
        if ((set >> i & 1u) != 0) used += (size_t)snprintf(text + used, 16 - used, "%s%u", used > 0 ? " " : "", i);
}

/* Finds out for all idioms and schedulers. allowed[idiom] has a bit for each scheduler. */
static int work_out(unsigned allowed[MU_LTS_IDIOMS], struct mu_grid *grid, struct mu_error *err)
{
    for (int i = 0; i < MU_LTS_IDIOMS && err->status == MU_OK; i++) {
        struct mu_lts *lts = NULL;
        struct mu_lts_starvation starvation;
        char executing[16], starving[16];
        allowed[i] = 0;
        if (mu_lts_explore(&mu_lts_idioms[i], &lts, err) != MU_OK) break;
        for (int s = 0; s < MU_LTS_SCHEDULERS; s++) {
            mu_grid_row(grid);
            mu_grid_text(grid, "%s", mu_lts_idioms[i].name);
            mu_grid_text(grid, "%s", mu_lts_schedulers[s]);
            const bool starves = mu_lts_starves(lts, (enum mu_lts_scheduler)s, &starvation);
            mu_grid_flag(grid, !starves);
            mu_grid_number(grid, (double)mu_lts_states(lts), 0);
            if (!starves) {
                allowed[i] |= 1u << s;
                continue;
            }
            write_threads(starvation.executing, executing);
            write_threads(starvation.starving, starving);
            mu_grid_text(grid, "%s", starvation.prefix[0] != '\0' ? starvation.prefix : "-");
            mu_grid_text(grid, "%s", executing);
            mu_grid_text(grid, "%s", starving[0] != '\0' ? starving : "-");
        }
        mu_lts_free(lts);
    }
    return err->status;
}

/* Adds a cell of table 6.2: whether the plain idiom is allowed, or which limited form of it. */
static void summary_cell(struct mu_grid *grid, const unsigned *allowed, int scheduler, const int forms[3])
{
    static const char *const words[] = {"yes", "one-way", "occupancy-limited"};
    char text[64] = "";
    size_t used = 0;
    for (int i = 0; i < 3 && used == 0; i++) {
        if (forms[i] < 0 || (allowed[forms[i]] >> scheduler & 1u) == 0) continue;
        used = (size_t)snprintf(text, sizeof text, "%s", words[i]);
        /* Both limited forms are worth telling; what is allowed as it is needs none. */
        if (i == 1 && forms[2] >= 0 && (allowed[forms[2]] >> scheduler & 1u) != 0)
            used += (size_t)snprintf(text + used, sizeof text - used, ", %s", words[2]);
    }
    mu_grid_text(grid, "%s", used > 0 ? text : "no");
}

static void fill_wild(const unsigned *allowed, struct mu_grid *grid)
{
    for (const struct mu_wild_idiom *idiom = mu_wild_idioms; idiom->name != NULL; idiom++) {
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", idiom->name);
        mu_grid_text(grid, "%s", mu_lts_needs(allowed[idiom->native]));
        mu_grid_text(grid, "%s", mu_lts_needs(allowed[idiom->ticketed]));
        mu_grid_text(grid, "%s", idiom->native == MU_LTS_MUTEX_AND_ONE_WAY ? "-" : "nothing");
    }
    mu_grid_note(grid,
                 "Ticketed: a group works as the number of groups that came before it. Which schedulers a chip may "
                 "have is in table trust, what became of the idioms there in table idioms. The last one is in no use.");
}

/* ---- Synthesised programs ---- */

/* How many programs of a size there are, and how many block, by the schedulers that end them. */
struct counts {
    struct mu_synthesis_counts programs;
    size_t all, by[1u << MU_LTS_SCHEDULERS];
};

static int count(void *context, const struct mu_synthesised *program, struct mu_error *err)
{
    struct counts *counts = context;
    (void)err;
    counts->all++;
    counts->by[program->allowed]++;
    return MU_OK;
}

/* Counts the programs of a size. They depend on nothing else, so they are cached for a table that is printed again. */
static int count_all(const struct mu_synthesis_size *size, struct counts *counts, struct mu_error *err)
{
    enum { MOST_SIZES = 8 };
    static struct counts known[MOST_SIZES];
    const size_t which = (size_t)(size - mu_synthesis_sizes);
    *counts = (struct counts){0};
    if (which < MOST_SIZES && known[which].programs.tried != 0)
        *counts = known[which];
    else if (mu_synthesis_all(size, count, counts, &counts->programs, err) == MU_OK && which < MOST_SIZES)
        known[which] = *counts;
    return err->status;
}

static int fill_sizes(struct mu_grid *grid, struct mu_error *err)
{
    for (const struct mu_synthesis_size *size = mu_synthesis_sizes; size->threads != 0; size++) {
        struct counts counts;
        if (count_all(size, &counts, err) != MU_OK) return err->status;
        mu_grid_row(grid);
        mu_grid_number(grid, size->threads, 0);
        mu_grid_number(grid, size->instructions, 0);
        mu_grid_number(grid, (double)counts.programs.tried, 0);
        mu_grid_number(grid, (double)counts.all, 0);
        mu_grid_number(grid, (double)counts.programs.strong, 0);
        mu_grid_number(grid, size->paper, 0);
        for (int s = 0; s < MU_LTS_UNFAIR; s++) {
            size_t ended = 0;
            for (size_t mask = 0; mask < sizeof counts.by / sizeof counts.by[0]; mask++)
                if ((mask >> s & 1u) != 0) ended += counts.by[mask];
            mu_grid_number(grid, (double)ended, 0);
        }
    }
    mu_grid_note(
        grid, "Of two words that hold 0 or 1, each used by two threads or more; every instruction is executed, and "
              "every branch is taken and not taken in some schedule. Threads are told apart, names of words are not. "
              "Each ends under a fair scheduler, and may not under an unfair one.");
    mu_grid_note(grid, "strong: those that end under strong fairness alone, where a step that can be taken again and "
                       "again is taken at last; no scheduler here promises that, and muster runs none of them.");
    mu_grid_note(grid, "paper: Sorensen and others, OOPSLA 2021, which has such tests, too. Its searches of all sizes "
                       "but the smallest were ended by their time, and ours go on to the end.");
    return MU_OK;
}

static int fill_set(struct mu_grid *grid, struct mu_error *err)
{
    struct mu_synthesised chosen[MU_LTS_SCHEDULERS];
    size_t programs = 0;
    if (mu_synthesis_choose(chosen, &programs, err) != MU_OK) return err->status;
    for (size_t i = 0; i < programs; i++) {
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", chosen[i].text);
        for (int s = 0; s < MU_LTS_SCHEDULERS; s++)
            mu_grid_text(grid, "%s", (chosen[i].allowed >> s & 1u) != 0 ? "yes" : "no");
    }
    mu_grid_note(grid,
                 "A thread's instructions: x=1 stores; x?0>2 goes to instruction 2 if x is 0; x!1?0>2 exchanges x "
                 "with 1, and goes to 2 if it was 0.");
    return MU_OK;
}

static int add_synthesised(struct mu_grids *grids)
{
    struct mu_grid *sizes = mu_grids_add(grids, "synthesised", "All small programs that can block");
    struct mu_grid *set = mu_grids_add(grids, "distinguishing", "The smallest set of them that tells all models apart");
    static const char *const columns[][2] = {{"threads", "threads"},   {"instructions", "instructions"},
                                             {"programs", "programs"}, {"blocking", "can block"},
                                             {"strong", "strong"},     {"paper", "paper"}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        mu_grid_column(sizes, columns[i][0], columns[i][1], 0);
    mu_grid_column(set, "program", "program", MU_COLUMN_LEFT);
    for (int s = 0; s < MU_LTS_UNFAIR; s++) mu_grid_column(sizes, mu_lts_schedulers[s], mu_lts_schedulers[s], 0);
    for (int s = 0; s < MU_LTS_SCHEDULERS; s++)
        mu_grid_column(set, mu_lts_schedulers[s], mu_lts_schedulers[s], MU_COLUMN_LEFT);
    return fill_sizes(sizes, grids->err) == MU_OK ? fill_set(set, grids->err) : grids->err->status;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    /* As it is, one-way, and in the team of a discovery protocol. */
    static const struct {
        const char *name;
        int forms[3];
    } rows[] = {
        {"barrier", {MU_LTS_BARRIER, -1, MU_LTS_BARRIER_TEAM}},
        {"barrier, native ids", {MU_LTS_BARRIER, -1, MU_LTS_BARRIER_LOBE}},
        {"mutex", {MU_LTS_MUTEX, -1, -1}},
        {"producer-consumer", {MU_LTS_TWO_WAY, MU_LTS_ONE_WAY, MU_LTS_TWO_WAY_TEAM}},
        {"one-way and mutex", {MU_LTS_MUTEX_AND_ONE_WAY, -1, -1}},
    };
    unsigned allowed[MU_LTS_IDIOMS] = {0};
    if (request->set_count > 0 || request->chip != NULL || request->app != NULL || request->input != NULL ||
        request->variant != NULL)
        return mu_fail(grids->err, MU_USAGE,
                       "table schedulers is worked out from models, not from records: it takes no SET and no filter");
    struct mu_grid *summary =
        mu_grids_add(grids, "schedulers", "Blocking idioms that schedulers let come to their end");
    struct mu_grid *grid = mu_grids_add(grids, "starvation", "How it comes about: what the schedulers let starve");
    struct mu_grid *wild = mu_grids_add(grids, "wild", "Idioms in use, and the weakest scheduler that allows them");
    mu_grid_column(wild, "idiom", "idiom", MU_COLUMN_LEFT);
    mu_grid_column(wild, "native", "native ids", MU_COLUMN_LEFT);
    mu_grid_column(wild, "ticketed", "ticketed ids", MU_COLUMN_LEFT);
    mu_grid_column(wild, "multi_kernel", "a launch for each step", MU_COLUMN_LEFT);
    mu_grid_column(summary, "idiom", "idiom", MU_COLUMN_LEFT);
    for (int s = 0; s < MU_LTS_SCHEDULERS; s++)
        mu_grid_column(summary, mu_lts_schedulers[s], mu_lts_schedulers[s], MU_COLUMN_LEFT);
    mu_grid_column(grid, "idiom", "idiom", MU_COLUMN_LEFT);
    mu_grid_column(grid, "scheduler", "scheduler", MU_COLUMN_LEFT);
    mu_grid_column(grid, "allowed", "allowed", MU_COLUMN_LEFT);
    mu_grid_column(grid, "states", "states", MU_COLUMN_MINOR);
    mu_grid_column(grid, "prefix", "threads that step", MU_COLUMN_LEFT);
    mu_grid_column(grid, "executing", "then for ever", MU_COLUMN_LEFT);
    mu_grid_column(grid, "starving", "and never", MU_COLUMN_LEFT);
    if (work_out(allowed, grid, grids->err) != MU_OK) return grids->err->status;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        mu_grid_row(summary);
        mu_grid_text(summary, "%s", rows[i].name);
        for (int s = 0; s < MU_LTS_SCHEDULERS; s++) summary_cell(summary, allowed, s, rows[i].forms);
    }
    fill_wild(allowed, wild);
    mu_grid_note(summary, "occupancy-limited: in the team of a discovery protocol. one-way: towards higher ids.");
    mu_grid_note(summary, "Worked out from all states of programs of two or three threads, no measurement: what a chip "
                          "does is in table progress.");
    mu_grid_note(grid, "A path that the scheduler does not leave out: the threads that step, in order; then those that "
                       "execute for ever, and those that could and are never executed again.");
    return add_synthesised(grids);
}

const struct mu_table mu_table_schedulers = {"schedulers", "which blocking idioms a scheduler model allows, and why",
                                             fill};
