/* Vertices of ids that are far apart: one pass puts the ids into a hash table, which then are sorted and numbered. */
#include "inputs/lines/private.h"

#include "base/memory.h"
#include "inputs/radix.h"
#include "inputs/rng.h"

#include <inttypes.h>
#include <stdio.h>

/* The first table is for graphs of many arcs for each vertex; one that gets full is made larger, for another pass. */
enum { SLOTS_MIN = 1 << 13, ENDS_PER_SLOT = 16, GROWTH = 2, AHEAD = 16 };

static uint64_t first_slot(const struct mu_id_table *table, uint64_t key)
{
    return mu_mix64(key) & table->mask;
}

/* ---- Collecting ---- */

/* Returns whether the key is new. Several threads may do that at once. */
static bool insert(struct mu_id_table *table, uint64_t key, uint64_t at)
{
    for (;; at = (at + 1) & table->mask) {
        uint64_t there = __atomic_load_n(&table->slot[at].key, __ATOMIC_RELAXED);
        if (there == key) return false;
        if (there != 0) continue;
        if (__atomic_compare_exchange_n(&table->slot[at].key, &there, key, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return true;
        if (there == key) return false;
    }
}

static void insert_pending(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally)
{
    struct mu_id_table *table = &pass->table;
    uint64_t added = 0;
    for (unsigned i = 0; i < tally->pending_count && !table->full; i++)
        added += insert(table, tally->pending[i].row, tally->pending[i].to);
    tally->pending_count = 0;
    if (added > 0 && atomic_fetch_add(&table->used, added) + added > table->mask / 8 * 5) table->full = true;
}

static void collect_id(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally, uint64_t id)
{
    const uint64_t key = id + 1;
    if (key == 0) {
        pass->table.has_last = true;
        return;
    }
    const uint64_t at = first_slot(&pass->table, key);
    __builtin_prefetch(&pass->table.slot[at], 1);
    tally->pending[tally->pending_count++] = (struct mu_pending_arc){.row = key, .to = at};
    if (tally->pending_count == MU_PENDING_ARCS) insert_pending(pass, tally);
}

static void collect(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally, const struct mu_arc_line *arc,
                    uint64_t at)
{
    (void)at;
    collect_id(pass, tally, arc->tail);
    collect_id(pass, tally, arc->head + pass->head_shift);
}

/* Fills a table of so many slots, unless it gets full. */
static int fill_table(struct mu_arc_lines_pass *pass, uint64_t slots, struct mu_error *err)
{
    struct mu_id_table *table = &pass->table;
    mu_free(table->slot);
    table->slot = mu_calloc(slots, sizeof *table->slot, "the table of sparse vertex ids", err);
    if (table->slot == NULL) return err != NULL && err->status != MU_OK ? err->status : MU_NO_MEMORY;
    mu_use_large_pages(table->slot, slots * sizeof *table->slot);
    table->mask = slots - 1;
    table->full = false;
    atomic_store(&table->used, 0);
    pass->visit = collect;
    pass->finish = insert_pending;
    const int status = mu_arc_lines_run(pass, err);
    pass->finish = NULL;
    return status;
}

/* ---- Numbering ---- */

static uint64_t slot_of(const struct mu_id_table *table, uint64_t key)
{
    uint64_t at = first_slot(table, key);
    while (table->slot[at].key != key && table->slot[at].key != 0) at = (at + 1) & table->mask;
    return at;
}

static void list_ids(const struct mu_id_table *table, uint64_t *id)
{
    uint64_t listed = 0;
    for (uint64_t at = 0; at <= table->mask; at++)
        if (table->slot[at].key != 0) id[listed++] = table->slot[at].key - 1;
    if (table->has_last) id[listed] = UINT64_MAX;
}

static void number_ids(struct mu_id_table *table, const uint64_t *id, uint64_t vertices)
{
    for (uint64_t v = 0; v < vertices; v++) {
        if (v + AHEAD < vertices) __builtin_prefetch(&table->slot[first_slot(table, id[v + AHEAD] + 1)], 1);
        if (id[v] == UINT64_MAX)
            table->last = (uint32_t)v;
        else
            table->slot[slot_of(table, id[v] + 1)].vertex = (uint32_t)v;
    }
}

static int sort_ids(struct mu_arc_lines_pass *pass, struct mu_error *err)
{
    pass->id = mu_malloc(pass->vertices, sizeof *pass->id, "the vertex ids", err);
    uint64_t *spare = mu_malloc(pass->vertices, sizeof *spare, "sorting the vertex ids", err);
    const bool there = pass->id != NULL && spare != NULL;
    if (there) {
        list_ids(&pass->table, pass->id);
        mu_sort(&(struct mu_sort_span){.key = pass->id, .spare_key = spare, .count = pass->vertices});
        number_ids(&pass->table, pass->id, pass->vertices);
    }
    mu_free(spare);
    return there ? MU_OK : err != NULL && err->status != MU_OK ? err->status : MU_NO_MEMORY;
}

int mu_sparse_ids_collect(struct mu_arc_lines_pass *pass, uint64_t ends, struct mu_error *err)
{
    uint64_t slots = SLOTS_MIN;
    while (slots < ends / ENDS_PER_SLOT) slots *= 2;
    int status = fill_table(pass, slots, err);
    for (; status == MU_OK && pass->table.full; status = fill_table(pass, slots, err)) {
        if (slots / GROWTH > ends) return mu_source_fail_changed(pass->source, err); /* more ids than the file had */
        slots *= GROWTH;
    }
    if (status != MU_OK) return status;
    pass->vertices = atomic_load(&pass->table.used) + pass->table.has_last;
    if (pass->vertices > MU_MAX_VERTICES)
        return mu_fail(err, MU_INPUT, "%s: %" PRIu64 " vertices are too many", pass->source->path, pass->vertices);
    snprintf(pass->reading->remark, sizeof pass->reading->remark,
             "ids are sparse: a table of %" PRIu64 " KiB finds their vertices",
             slots * (uint64_t)sizeof *pass->table.slot >> 10);
    return sort_ids(pass, err);
}

/* ---- Finding ---- */

uint64_t mu_sparse_ids_find(const struct mu_arc_lines_pass *pass, uint64_t id)
{
    const struct mu_id_table *table = &pass->table;
    if (id == UINT64_MAX) return table->has_last ? table->last : pass->vertices;
    const struct mu_id_slot *slot = &table->slot[slot_of(table, id + 1)];
    return slot->key != 0 ? slot->vertex : pass->vertices;
}

void mu_sparse_ids_prefetch(const struct mu_arc_lines_pass *pass, uint64_t id)
{
    __builtin_prefetch(&pass->table.slot[first_slot(&pass->table, id + 1)]);
}
