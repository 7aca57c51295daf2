#include "base/memory.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long allocations_until_failure;
static atomic_size_t in_use;
static mu_memory_judge judge;

void mu_memory_set_judge(mu_memory_judge function)
{
    judge = function;
}

uint64_t mu_memory_in_use(void)
{
    return in_use;
}

/* Returns true if a block of `bytes` bytes may replace `old` (NULL: none). */
static bool may_take(const void *old, size_t bytes, const char *what, struct mu_error *err)
{
    const size_t had = old != NULL ? malloc_usable_size((void *)old) : 0;
    return judge == NULL || judge(in_use - had, bytes, what, err) == MU_OK;
}

static void *count_block(void *block)
{
    if (block != NULL) in_use += malloc_usable_size(block);
    return block;
}

void mu_fail_allocation(unsigned long n)
{
    allocations_until_failure = n;
}

static bool must_fail(void)
{
    if (allocations_until_failure == 0) return false;
    return --allocations_until_failure == 0;
}

bool mu_mul_size(uint64_t a, uint64_t b, size_t *result)
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

static int no_memory(uint64_t count, size_t element_bytes, const char *what, struct mu_error *err)
{
    return mu_fail(err, MU_NO_MEMORY, "out of memory: %s needs %llu elements of %zu bytes", what,
                   (unsigned long long)count, element_bytes);
}

void *mu_calloc(uint64_t count, size_t element_bytes, const char *what, struct mu_error *err)
{
    size_t bytes;
    void *block = NULL;
    if (mu_mul_size(count, element_bytes, &bytes)) {
        if (!may_take(NULL, bytes, what, err)) return NULL;
        if (!must_fail()) block = count_block(calloc(bytes ? bytes : 1, 1));
    }
    if (block == NULL) no_memory(count, element_bytes, what, err);
    return block;
}

void *mu_malloc(uint64_t count, size_t element_bytes, const char *what, struct mu_error *err)
{
    void *block = NULL;
    if (mu_resize(&block, count, element_bytes, what, err) != MU_OK) return NULL;
    return block;
}

void *mu_malloc_aligned(size_t alignment, size_t bytes, const char *what, struct mu_error *err)
{
    void *block = NULL;
    if (!may_take(NULL, bytes, what, err)) return NULL;
    if (!must_fail() && posix_memalign(&block, alignment, bytes ? bytes : 1) == 0) return count_block(block);
    no_memory(bytes, 1, what, err);
    return NULL;
}

int mu_resize(void **block, uint64_t count, size_t element_bytes, const char *what, struct mu_error *err)
{
    size_t bytes;
    if (!mu_mul_size(count, element_bytes, &bytes)) return no_memory(count, element_bytes, what, err);
    if (!may_take(*block, bytes, what, err)) return MU_LIMIT;
    if (must_fail()) return no_memory(count, element_bytes, what, err);
    const size_t had = *block != NULL ? malloc_usable_size(*block) : 0;
    void *moved = realloc(*block, bytes ? bytes : 1);
    if (moved == NULL) return no_memory(count, element_bytes, what, err);
    in_use -= had;
    *block = count_block(moved);
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
    if (block != NULL) in_use -= malloc_usable_size(block);
    free(block);
}
