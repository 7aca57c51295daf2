/* The places of the kernel sources where an access has an order, and orders that are taken away to see what happens. */
#ifndef MU_TESTS_HOST_SITES_H
#define MU_TESTS_HOST_SITES_H

#include "tests/host/machine.h"

#include <stdbool.h>

/* The accesses of one kind and order in a function of the sources; the line is that of one of them. */
struct site {
    const char *file, *function;
    int line;
    enum host_operation operation;
    enum host_order order;
};

#define MAX_SITES 64

struct site_list {
    struct site sites[MAX_SITES];
    uint count;
};

/* A site, and the part of its order that it loses; no site for none. */
struct weakening {
    const struct site *site;
    enum host_order lost;
};

bool site_has(const struct site *site, const struct host_access *access);

/* Notes the site of an access that has an order, once. */
void site_collect(struct site_list *list, const struct host_access *access);

/* The access as it is with the weakening. */
struct host_access site_weakened(struct weakening weakening, const struct host_access *access);

#endif
