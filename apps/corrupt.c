#include "apps/corrupt.h"

#include "base/memory.h"

#include <string.h>

struct mu_corruption_values {
    unsigned char *bytes;
    size_t element, count;
    enum mu_type type;
    bool real64;
};

static void add_one(struct mu_corruption_values *values, size_t at)
{
    unsigned char *place = values->bytes + at * values->element;
    double number;
    float number32;
    uint64_t whole = 0;
    if (values->real64) {
        memcpy(&number, place, sizeof number);
        number += 1;
        memcpy(place, &number, sizeof number);
    } else if (values->type == MU_TYPE_real || values->type == MU_TYPE_float) {
        memcpy(&number32, place, sizeof number32);
        number32 += 1;
        memcpy(place, &number32, sizeof number32);
    } else {
        memcpy(&whole, place, values->element);
        whole++;
        memcpy(place, &whole, values->element);
    }
}

static void one_at_the_start(struct mu_corruption_values *values)
{
    add_one(values, 0);
}

static void one_in_the_middle(struct mu_corruption_values *values)
{
    add_one(values, values->count / 2);
}

static void one_at_the_end(struct mu_corruption_values *values)
{
    add_one(values, values->count - 1);
}

static void all_off_by_one(struct mu_corruption_values *values)
{
    for (size_t i = 0; i < values->count; i++) add_one(values, i);
}

static void all_zeros(struct mu_corruption_values *values)
{
    memset(values->bytes, 0, values->count * values->element);
}

/* Returns the pattern with which variants/launch/buffers.c fills results before a run. */
static int filling(const struct mu_corruption_values *values)
{
    return values->type == MU_TYPE_real || values->type == MU_TYPE_float || values->type == MU_TYPE_double ? 0xff
                                                                                                           : 0xa5;
}

static void never_written(struct mu_corruption_values *values)
{
    memset(values->bytes, filling(values), values->count * values->element);
}

static void last_never_written(struct mu_corruption_values *values)
{
    memset(values->bytes + (values->count - 1) * values->element, filling(values), values->element);
}

static void all_ones(struct mu_corruption_values *values)
{
    memset(values->bytes, 0xff, values->count * values->element);
}

static void two_swapped(struct mu_corruption_values *values)
{
    unsigned char first[8];
    memcpy(first, values->bytes, values->element);
    for (size_t i = 1; i < values->count; i++) {
        unsigned char *place = values->bytes + i * values->element;
        if (memcmp(first, place, values->element) == 0) continue;
        memcpy(values->bytes, place, values->element);
        memcpy(place, first, values->element);
        return;
    }
}

/* Moves every value up by one place. */
static void all_shifted(struct mu_corruption_values *values)
{
    memmove(values->bytes + values->element, values->bytes, (values->count - 1) * values->element);
}

const struct mu_corruption mu_corruptions[MU_CORRUPTIONS + 1] = {
    {"one more at the start", one_at_the_start, true},
    {"one more in the middle", one_in_the_middle, true},
    {"one more at the end", one_at_the_end, true},
    {"all off by one", all_off_by_one, true},
    {"all zeros", all_zeros, true},
    {"all ones", all_ones, true},
    [MU_NEVER_WRITTEN] = {"never written", never_written, true},
    {"the last never written", last_never_written, true},
    {"two swapped", two_swapped, false},
    {"all shifted", all_shifted, false},
    {0},
};

int mu_corrupt(struct mu_instance *instance, size_t buffer, const struct mu_corruption *how, bool *changed,
               struct mu_error *verdict, struct mu_error *err)
{
    struct mu_corruption_values values = {.bytes = *mu_instance_array(instance, buffer),
                                          .element = mu_instance_element_bytes(instance, buffer),
                                          .count = (size_t)instance->app->length(instance, buffer),
                                          .type = instance->app->buffers[buffer].type};
    values.real64 = values.element == 8 && (values.type == MU_TYPE_real || values.type == MU_TYPE_double);
    unsigned char *right = mu_malloc(values.count, values.element, "a right answer", err);
    const size_t bytes = values.count * values.element;
    if (right == NULL) return err->status;
    memcpy(right, values.bytes, bytes);
    how->corrupt(&values);
    *changed = memcmp(right, values.bytes, bytes) != 0;
    if (*changed) instance->app->check(instance, verdict);
    memcpy(values.bytes, right, bytes);
    mu_free(right);
    return MU_OK;
}
