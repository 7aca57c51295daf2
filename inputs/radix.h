/* Linear-time sorting of 64-bit keys with an optional 32-bit payload. */
#ifndef MU_INPUTS_RADIX_H
#define MU_INPUTS_RADIX_H

#include <stdint.h>

struct mu_sort_span {
    uint64_t *key;
    uint32_t *payload; /* goes along with the keys, or NULL */
    uint64_t *spare_key;
    uint32_t *spare_payload; /* NULL if payload is */
    uint64_t count;
};

/* Sorts ascending and stably; the spare arrays, as long as the others, are left with unspecified content. */
void mu_sort(const struct mu_sort_span *span);

#endif
