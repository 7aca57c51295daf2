/* What idioms in use work on: the same numbers each time, and the right result, computed sequentially. */
#include "harness/litmus/idioms.h"

#include "base/memory.h"
#include "harness/litmus/idioms.clh"
#include "inputs/rng.h"

#include <string.h>

#define LONGEST_ROW 16u /* of spmv, in groups, but for the first one's */
#define MOST_BEFORE 4u  /* rows on which a row of the triangular matrix depends */
#define CHAIN       8u  /* of so many rows each but the first depends on the one before it */

enum purpose { ELEMENTS, VECTOR, ROWS };

static uint32_t draw(enum purpose purpose, uint64_t number, uint32_t bound)
{
    return mu_random_below(mu_random_stream(1, purpose), number, bound);
}

static size_t elements_of(const struct mu_idiom_work *work)
{
    return (size_t)work->parts * work->workgroup * MU_IDIOM_EACH;
}

/* Allocates so many words of each buffer, and so many launches, all zeros. */
static int make_room(struct mu_idiom_work *work, const size_t counts[MU_IDIOM_BUFFERS], size_t launches,
                     struct mu_error *err)
{
    for (int i = 0; i < MU_IDIOM_BUFFERS && err->status == MU_OK; i++) {
        work->words[i] = mu_calloc(counts[i], sizeof(uint32_t), "the work of an idiom", err);
        work->counts[i] = counts[i];
    }
    if (err->status == MU_OK)
        work->expected = mu_calloc(counts[MU_IDIOM_OUT], sizeof(uint32_t), "the result of an idiom", err);
    if (err->status == MU_OK)
        work->launches = mu_calloc(launches, sizeof *work->launches, "the launches of an idiom", err);
    work->launch_count = launches;
    return err->status;
}

static int make_scan(struct mu_idiom_work *work, struct mu_error *err)
{
    const size_t elements = elements_of(work);
    uint32_t sum = 0;
    if (make_room(work, (size_t[]){elements, 1, work->parts, elements}, 3, err) != MU_OK) return err->status;
    for (size_t i = 0; i < elements; i++) {
        work->words[MU_IDIOM_IN][i] = draw(ELEMENTS, i, 16); /* so that the sum of all fits into 30 bits */
        work->expected[i] = sum += work->words[MU_IDIOM_IN][i];
    }
    work->launches[0] = (struct mu_idiom_launch){1, work->parts};
    work->launches[1] = (struct mu_idiom_launch){2, 1};
    work->launches[2] = (struct mu_idiom_launch){3, work->parts};
    return MU_OK;
}

static int make_last(struct mu_idiom_work *work, struct mu_error *err)
{
    const size_t elements = elements_of(work);
    if (make_room(work, (size_t[]){elements, 1, work->parts + 1, 1}, 2, err) != MU_OK) return err->status;
    for (size_t i = 0; i < elements; i++)
        work->expected[0] += work->words[MU_IDIOM_IN][i] = draw(ELEMENTS, i, 1u << 16);
    work->launches[0] = (struct mu_idiom_launch){1, work->parts};
    work->launches[1] = (struct mu_idiom_launch){2, 1};
    return MU_OK;
}

/* Makes a sparse matrix whose first row is shared by three of four groups, more than fit at once, and each other row by
 * a few. */
static int make_spmv(struct mu_idiom_work *work, struct mu_error *err)
{
    const size_t elements = elements_of(work), of_part = elements / work->parts;
    const size_t counts[] = {elements, (size_t)work->parts + MU_IDIOM_COLUMNS, work->parts, work->parts};
    if (make_room(work, counts, 2, err) != MU_OK) return err->status;
    uint32_t *first = work->words[MU_IDIOM_FIRST], *vector = first + work->parts;
    for (uint32_t i = 0; i < MU_IDIOM_COLUMNS; i++) vector[i] = draw(VECTOR, i, 1u << 16);
    for (uint32_t row = 0, next; row < work->parts; row = next) {
        next = row + (row == 0 ? work->parts - work->parts / 4 : 1 + draw(ROWS, row, LONGEST_ROW));
        for (uint32_t part = row; part < next && part < work->parts; part++) first[part] = row;
        work->words[MU_IDIOM_OUT][row] = 1 + row;
        work->expected[row] = 3 * (1 + row);
    }
    for (size_t i = 0; i < elements; i++) {
        const uint32_t column = draw(ELEMENTS, 2 * i, MU_IDIOM_COLUMNS), value = draw(ELEMENTS, 2 * i + 1, 256);
        work->words[MU_IDIOM_IN][i] = column | value << MU_IDIOM_SHIFT;
        work->expected[first[i / of_part]] += value * vector[column];
    }
    work->launches[0] = (struct mu_idiom_launch){1, work->parts};
    work->launches[1] = (struct mu_idiom_launch){2, work->parts};
    return MU_OK;
}

/* ---- The triangular solve ---- */

static uint32_t count_before(uint32_t row)
{
    return row < MOST_BEFORE ? row : MOST_BEFORE;
}

/* Returns the i-th row on which a row depends; one may come twice. */
static uint32_t row_before(uint32_t row, uint32_t i)
{
    return i == 0 && row % CHAIN != 0 ? row - 1 : draw(ROWS, (uint64_t)row * MOST_BEFORE + i, row);
}

/* Fills in the matrix by columns: where each begins, and its elements. The words behind the starts count the elements
 * that a column has already; fill_levels overwrites them. */
static void fill_columns(struct mu_idiom_work *work)
{
    uint32_t *first = work->words[MU_IDIOM_FIRST];
    for (uint32_t row = 0; row < work->parts; row++)
        for (uint32_t i = 0; i < count_before(row); i++) first[row_before(row, i) + 1]++;
    for (uint32_t row = 0; row < work->parts; row++) first[row + 1] += first[row];
    for (uint32_t row = 0; row < work->parts; row++)
        for (uint32_t i = 0; i < count_before(row); i++) {
            const uint32_t column = row_before(row, i);
            uint32_t *taken = &first[work->parts + 1 + column];
            const uint32_t value = draw(ELEMENTS, (uint64_t)row * MOST_BEFORE + i, 256);
            work->words[MU_IDIOM_IN][first[column + 1] - ++*taken] = row | value << MU_IDIOM_SHIFT;
        }
}

/* Makes a launch for each level: the rows that depend only on rows of earlier levels. `level` has room for all rows. */
static void fill_levels(struct mu_idiom_work *work, uint32_t *level)
{
    uint32_t *order = work->words[MU_IDIOM_FIRST] + work->parts + 1, place = 0;
    work->launch_count = 0;
    for (uint32_t row = 0; row < work->parts; row++) {
        level[row] = 0;
        for (uint32_t i = 0; i < count_before(row); i++) {
            const uint32_t before = level[row_before(row, i)];
            if (before >= level[row]) level[row] = before + 1;
        }
        work->launches[level[row]].groups++;
        if (level[row] >= work->launch_count) work->launch_count = (size_t)level[row] + 1;
    }
    for (size_t i = 0; i < work->launch_count; i++) {
        work->launches[i].step = place;
        place += work->launches[i].groups;
    }
    for (uint32_t row = 0; row < work->parts; row++) order[work->launches[level[row]].step++] = row;
    for (size_t i = 0; i < work->launch_count; i++) work->launches[i].step += 1 - work->launches[i].groups;
}

static int make_triangular(struct mu_idiom_work *work, struct mu_error *err)
{
    const size_t counts[] = {(size_t)work->parts * MOST_BEFORE, 2 * (size_t)work->parts + 1, work->parts, work->parts};
    uint32_t *level = mu_calloc(work->parts, sizeof *level, "the levels of an idiom", err);
    if (level != NULL && make_room(work, counts, work->parts, err) == MU_OK) {
        fill_columns(work);
        fill_levels(work, level);
        const uint32_t *first = work->words[MU_IDIOM_FIRST], *in = work->words[MU_IDIOM_IN];
        for (uint32_t row = 0; row < work->parts; row++) {
            work->words[MU_IDIOM_STATE][row] = count_before(row);
            work->words[MU_IDIOM_OUT][row] = work->expected[row] = draw(VECTOR, row, UINT32_MAX);
        }
        for (uint32_t row = 0; row < work->parts; row++)
            for (uint32_t i = first[row]; i < first[row + 1]; i++)
                work->expected[in[i] & MU_IDIOM_PLACE] -= (in[i] >> MU_IDIOM_SHIFT) * work->expected[row];
    }
    mu_free(level);
    return err->status;
}

static int make_both(struct mu_idiom_work *work, struct mu_error *err)
{
    if (make_room(work, (size_t[]){1, 1, work->parts, 1}, 0, err) == MU_OK) work->expected[0] = work->parts;
    return err->status;
}

static int make_neighbours(struct mu_idiom_work *work, struct mu_error *err)
{
    const size_t elements = elements_of(work), of_part = elements / work->parts;
    if (make_room(work, (size_t[]){elements, 1, 1, work->parts}, 0, err) != MU_OK) return err->status;
    for (size_t i = 0; i < elements; i++) {
        const uint32_t part = (uint32_t)(i / of_part), value = draw(ELEMENTS, i, UINT32_MAX);
        work->words[MU_IDIOM_IN][i] = value;
        for (uint32_t near = 0; near < MU_IDIOM_NEAR; near++) {
            const uint64_t reader = (uint64_t)part + (uint64_t)work->parts * MU_IDIOM_NEAR - near;
            work->expected[reader % work->parts] += value;
        }
    }
    return MU_OK;
}

/* ---- All of them ---- */

const struct mu_used_idiom mu_used_idioms[] = {
    {"scan", "idiom_scan", make_scan, false},
    {"spmv", "idiom_spmv", make_spmv, false},
    {"triangular", "idiom_triangular", make_triangular, false},
    {"last-group", "idiom_last", make_last, false},
    {"mutex-and-one-way", "idiom_both", make_both, false},
    {"neighbours", "idiom_neighbours", make_neighbours, true},
    {0},
};

const struct mu_used_idiom *mu_idiom_find(const char *name)
{
    for (const struct mu_used_idiom *idiom = mu_used_idioms; idiom->name != NULL; idiom++)
        if (name != NULL && strcmp(idiom->name, name) == 0) return idiom;
    return NULL;
}

int mu_idiom_make(const struct mu_used_idiom *idiom, uint32_t parts, uint32_t workgroup, struct mu_idiom_work *work,
                  struct mu_error *err)
{
    *work = (struct mu_idiom_work){.parts = parts, .workgroup = workgroup};
    if (parts == 0 || (uint64_t)parts * workgroup > MU_IDIOM_PLACE)
        return mu_fail(err, MU_LIMIT, "an idiom of %u groups of %u", parts, workgroup);
    return idiom->make(work, err);
}

void mu_idiom_free(struct mu_idiom_work *work)
{
    for (int i = 0; i < MU_IDIOM_BUFFERS; i++) mu_free(work->words[i]);
    mu_free(work->expected);
    mu_free(work->launches);
    *work = (struct mu_idiom_work){0};
}
