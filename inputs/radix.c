#include "inputs/radix.h"

#include <stdbool.h>
#include <string.h>

enum { INSERTION_MAX = 40, SMALL_MAX = 8192, SMALL_BITS = 8, DIGIT_BITS = 11 };

static bool is_sorted(const struct mu_sort_span *span)
{
    for (uint64_t i = 1; i < span->count; i++)
        if (span->key[i - 1] > span->key[i]) return false;
    return true;
}

static void insertion_sort(const struct mu_sort_span *span)
{
    for (uint64_t i = 1; i < span->count; i++) {
        uint64_t key = span->key[i], at = i;
        uint32_t payload = span->payload ? span->payload[i] : 0;
        for (; at > 0 && span->key[at - 1] > key; at--) {
            span->key[at] = span->key[at - 1];
            if (span->payload) span->payload[at] = span->payload[at - 1];
        }
        span->key[at] = key;
        if (span->payload) span->payload[at] = payload;
    }
}

/* Sorts stably by the digit at `shift`, by counting, from the span's arrays into its spare ones. */
static void sort_by_digit(const struct mu_sort_span *span, unsigned shift, unsigned bits)
{
    uint64_t place[1 << DIGIT_BITS] = {0};
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (uint64_t i = 0; i < span->count; i++) place[span->key[i] >> shift & mask]++;
    uint64_t sum = 0;
    for (uint64_t digit = 0; digit <= mask; digit++) {
        uint64_t occurrences = place[digit];
        place[digit] = sum;
        sum += occurrences;
    }
    for (uint64_t i = 0; i < span->count; i++) {
        uint64_t to = place[span->key[i] >> shift & mask]++;
        span->spare_key[to] = span->key[i];
        if (span->payload) span->spare_payload[to] = span->payload[i];
    }
}

static void copy_back(const struct mu_sort_span *sorted, const struct mu_sort_span *wanted)
{
    const size_t count = (size_t)sorted->count;
    if (sorted->key == wanted->key) return;
    memcpy(wanted->key, sorted->key, count * sizeof *sorted->key);
    if (sorted->payload) memcpy(wanted->payload, sorted->payload, count * sizeof *sorted->payload);
}

void mu_sort(const struct mu_sort_span *span)
{
    if (is_sorted(span)) return;
    if (span->count <= INSERTION_MAX) {
        insertion_sort(span);
        return;
    }
    uint64_t differing = 0;
    for (uint64_t i = 1; i < span->count; i++) differing |= span->key[i] ^ span->key[0];
    const unsigned bits = span->count <= SMALL_MAX ? SMALL_BITS : DIGIT_BITS;
    struct mu_sort_span now = *span;
    while (differing != 0) {
        unsigned shift = (unsigned)__builtin_ctzll(differing);
        sort_by_digit(&now, shift, bits);
        now = (struct mu_sort_span){now.spare_key, now.spare_payload, now.key, now.payload, now.count};
        differing &= ~(((UINT64_C(1) << bits) - 1) << shift);
    }
    copy_back(&now, span);
}
