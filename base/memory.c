#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long allocations_until_failure;

void mu_fail_allocation(unsigned long n)
{
    allocations_until_failure = n;
}

static bool must_fail(void)
{
    if (allocations_until_failure == 0) return false;
    return --allocations_until_failure == 0;
}

bool mu_mul_size(size_t a, size_t b, size_t *result)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product)) return false;
    *result = product;
    return true;
}

bool mu_add_size(size_t a, size_t b, size_t *result)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum)) return false;
    *result = sum;
    return true;
}

static int no_memory(size_t count, size_t element_bytes, const char *what, struct mu_error *err)
{
    return mu_fail(err, MU_NO_MEMORY, "out of memory: %s needs %zu elements of %zu bytes", what, count, element_bytes);
}

void *mu_calloc(size_t count, size_t element_bytes, const char *what, struct mu_error *err)
{
    size_t bytes;
    void *block = NULL;
    if (mu_mul_size(count, element_bytes, &bytes) && !must_fail()) block = calloc(bytes ? bytes : 1, 1);
    if (block == NULL) no_memory(count, element_bytes, what, err);
    return block;
}

void *mu_malloc(size_t count, size_t element_bytes, const char *what, struct mu_error *err)
{
    void *block = NULL;
    if (mu_resize(&block, count, element_bytes, what, err) != MU_OK) return NULL;
    return block;
}

int mu_resize(void **block, size_t count, size_t element_bytes, const char *what, struct mu_error *err)
{
    size_t bytes;
    if (!mu_mul_size(count, element_bytes, &bytes) || must_fail()) return no_memory(count, element_bytes, what, err);
    void *moved = realloc(*block, bytes ? bytes : 1);
    if (moved == NULL) return no_memory(count, element_bytes, what, err);
    *block = moved;
    return MU_OK;
}

char *mu_strdup(const char *text, struct mu_error *err)
{
    size_t bytes = strlen(text) + 1;
    char *copy = mu_malloc(bytes, 1, "a text", err);
    if (copy != NULL) memcpy(copy, text, bytes);
    return copy;
}

char *mu_format(struct mu_error *err, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : mu_malloc((size_t)length + 1, 1, "a text", err);
    if (text != NULL) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void mu_free(void *block)
{
    free(block);
}
