#include "analysis/pages/filled.h"

#include "base/memory.h"

#include <string.h>

struct mu_filled {
    char *name; /* of table and request */
    struct mu_grids grids;
    struct mu_error *err; /* of the grids */
};

static const char *text_or_none(const char *text)
{
    return text != NULL ? text : "";
}

/* Returns what tells requests apart, one part a line. The caller frees it. */
static char *name_of(const struct mu_table *table, const struct mu_table_request *request, struct mu_error *err)
{
    char *name = mu_format(err, "%s\n%d%d\n%s\n%s\n%s\n%s\n%s", table->name, request->plain_rows, request->paper,
                           request->root, text_or_none(request->chip), text_or_none(request->app),
                           text_or_none(request->input), text_or_none(request->variant));
    for (size_t i = 0; i < request->set_count && name != NULL; i++) {
        char *longer = mu_format(err, "%s\n%s", name, request->sets[i]);
        mu_free(name);
        name = longer;
    }
    return name;
}

static const struct mu_grids *find(const struct mu_filled_tables *tables, const char *name)
{
    for (size_t i = 0; i < tables->count; i++)
        if (strcmp(tables->filled[i].name, name) == 0) return &tables->filled[i].grids;
    return NULL;
}

const struct mu_grids *mu_filled_find(struct mu_filled_tables *tables, const struct mu_table *table,
                                      const struct mu_table_request *request, struct mu_error *err)
{
    char *name = name_of(table, request, err);
    const struct mu_grids *known = name != NULL ? find(tables, name) : NULL;
    struct mu_error *own = name != NULL && known == NULL ? mu_calloc(1, sizeof *own, "an error", err) : NULL;
    if (own == NULL ||
        mu_resize((void **)&tables->filled, tables->count + 1, sizeof *tables->filled, "filled tables", err) != MU_OK) {
        mu_free(own);
        mu_free(name);
        return known;
    }
    struct mu_filled *filled = &tables->filled[tables->count++];
    *filled = (struct mu_filled){.name = name, .grids = {.err = own}, .err = own};
    struct mu_table_request shared = *request;
    if (shared.reading == NULL) shared.reading = &tables->reading;
    if (table->fill(&shared, &filled->grids) != MU_OK) {
        mu_fail(err, own->status, "%s", own->message);
        return NULL;
    }
    return &filled->grids;
}

void mu_filled_release(struct mu_filled_tables *tables)
{
    for (size_t i = 0; i < tables->count; i++) {
        mu_grids_release(&tables->filled[i].grids);
        mu_free(tables->filled[i].err);
        mu_free(tables->filled[i].name);
    }
    mu_free(tables->filled);
    mu_shared_records_release(&tables->reading);
    *tables = (struct mu_filled_tables){0};
}
