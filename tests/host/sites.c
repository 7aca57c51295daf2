#include "tests/host/sites.h"

#include <string.h>

bool site_has(const struct site *site, const struct host_access *access)
{
    return access->operation == site->operation && access->order == site->order &&
           strcmp(access->function, site->function) == 0;
}

void site_collect(struct site_list *list, const struct host_access *access)
{
    uint known = 0;
    if (access->order == HOST_RELAXED) return;
    while (known < list->count && !site_has(&list->sites[known], access)) known++;
    if (known == list->count && list->count < MAX_SITES)
        list->sites[list->count++] =
            (struct site){access->file, access->function, access->line, access->operation, access->order};
}

struct host_access site_weakened(struct weakening weakening, const struct host_access *access)
{
    struct host_access weaker = *access;
    if (weakening.site != NULL && site_has(weakening.site, access)) weaker.order &= ~weakening.lost;
    return weaker;
}
