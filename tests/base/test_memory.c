/* base/memory: sizes that overflow, allocations that fail. */
#include "base/memory.h"
#include "tests/tap.h"

#include <string.h>

static void test_sizes(void)
{
    size_t result = 7;
    CHECK(mu_mul_size(6, 7, &result) && result == 42, "a product");
    CHECK(!mu_mul_size(SIZE_MAX / 2, 3, &result) && result == 42, "a product that overflows leaves the result alone");
    CHECK(mu_mul_size(SIZE_MAX, 1, &result) && result == SIZE_MAX, "the largest product");
    CHECK(mu_add_size(SIZE_MAX - 1, 1, &result) && result == SIZE_MAX, "the largest sum");
    CHECK(!mu_add_size(SIZE_MAX, 1, &result) && result == SIZE_MAX, "a sum that overflows");
}

/* Eight times this is eight, where the product wraps. */
#define WRAPS (SIZE_MAX / 8 + 2)

static void test_overflow(void)
{
    struct mu_error err = {0};
    CHECK(mu_malloc(WRAPS, 8, "a giant", &err) == NULL && err.status == MU_NO_MEMORY, "mu_malloc overflows");
    CHECK(strstr(err.message, "a giant") != NULL, "the message names what was wanted");
    struct mu_error second = {0};
    CHECK(mu_calloc(WRAPS, 8, "a giant", &second) == NULL && second.status == MU_NO_MEMORY, "mu_calloc overflows");
    struct mu_error third = {0};
    void *block = mu_malloc(4, 4, "a block", NULL);
    void *before = block;
    CHECK(block != NULL && mu_resize(&block, WRAPS, 8, "a giant", &third) == MU_NO_MEMORY && block == before,
          "mu_resize overflows and leaves the block alone");
    mu_free(block);
}

/* Types that ask for more than malloc gives; one block may lie right by chance. */
static void test_aligned(void)
{
    struct mu_error err = {0};
    const uint64_t before = mu_memory_in_use();
    bool right = true;
    void *blocks[32];
    for (size_t i = 0; i < 32; i++) {
        blocks[i] = mu_malloc_aligned(64, 40 * i, "a state", &err);
        right = right && blocks[i] != NULL && (uintptr_t)blocks[i] % 64 == 0;
        if (blocks[i] != NULL) memset(blocks[i], 1, 40 * i);
    }
    CHECK(right, "blocks at multiples of 64");
    CHECK(mu_memory_in_use() > before, "they count");
    for (size_t i = 0; i < 32; i++) mu_free(blocks[i]);
    CHECK(mu_memory_in_use() == before, "and are given back");
    mu_fail_allocation(1);
    CHECK(mu_malloc_aligned(64, 8, "a state", &err) == NULL && err.status == MU_NO_MEMORY, "they may fail");
}

static void test_blocks(void)
{
    struct mu_error err = {0};
    unsigned char *zeros = mu_calloc(100, 3, "zeros", &err);
    bool zero = zeros != NULL;
    for (size_t i = 0; zero && i < 300; i++) zero = zeros[i] == 0;
    CHECK(zero, "mu_calloc gives zeros");
    mu_free(zeros);
    void *empty = mu_malloc(0, 8, "nothing", &err), *also_empty = mu_calloc(0, 8, "nothing", &err);
    CHECK(empty != NULL && also_empty != NULL && err.status == MU_OK, "a count of 0 gives a pointer");
    mu_free(empty);
    mu_free(also_empty);
    mu_free(NULL);
    char *copy = mu_strdup("text", &err), *text = mu_format(&err, "%d-%s", 12, "x");
    CHECK(copy != NULL && strcmp(copy, "text") == 0, "mu_strdup");
    CHECK(text != NULL && strcmp(text, "12-x") == 0, "mu_format");
    mu_free(copy);
    mu_free(text);
}

/* The n-th of five allocations of all kinds; true if it was this one that failed. */
static bool fails_at(unsigned long n)
{
    struct mu_error errors[5] = {0};
    void *blocks[5] = {0};
    mu_fail_allocation(n);
    blocks[0] = mu_malloc(1, 1, "a", &errors[0]);
    blocks[1] = mu_calloc(1, 1, "b", &errors[1]);
    mu_resize(&blocks[2], 1, 1, "c", &errors[2]);
    blocks[3] = mu_strdup("d", &errors[3]);
    blocks[4] = mu_format(&errors[4], "e");
    bool right = true;
    for (unsigned long i = 0; i < 5; i++) {
        const bool failed = blocks[i] == NULL && errors[i].status == MU_NO_MEMORY;
        right &= failed == (i + 1 == n);
        mu_free(blocks[i]);
    }
    mu_fail_allocation(0);
    return right;
}

static int allow_1000(uint64_t in_use, uint64_t bytes, const char *what, struct mu_error *err)
{
    return in_use + bytes <= 1000 ? MU_OK : mu_fail(err, MU_LIMIT, "%s: too much", what);
}

/* What is in use is known, and a judge bounds it. */
static void test_in_use(void)
{
    struct mu_error err = {0};
    const uint64_t before = mu_memory_in_use();
    void *a = mu_malloc(100, 1, "a", &err), *b = mu_calloc(10, 10, "b", &err);
    char *text = mu_format(&err, "%d", 12345);
    CHECK(mu_memory_in_use() >= before + 206, "%llu bytes are in use", (unsigned long long)mu_memory_in_use());
    CHECK(mu_resize(&a, 10000, 1, "a", &err) == MU_OK && mu_memory_in_use() >= before + 10106, "more after growing");
    CHECK(mu_resize(&a, 1, 1, "a", &err) == MU_OK && mu_memory_in_use() < before + 1000, "less after shrinking");
    mu_memory_set_judge(allow_1000);
    CHECK(mu_malloc(900, 1, "c", &err) == NULL && err.status == MU_LIMIT && strcmp(err.message, "c: too much") == 0,
          "a judge refuses a block that is too much with the others");
    err = (struct mu_error){0};
    CHECK(mu_resize(&b, 1000, 1, "b", &err) == MU_LIMIT && b != NULL, "also a larger one");
    err = (struct mu_error){0};
    CHECK(mu_calloc(901, 1, "d", &err) == NULL && err.status == MU_LIMIT, "also a block of zeros");
    mu_memory_set_judge(NULL);
    mu_free(a);
    mu_free(b);
    mu_free(text);
    CHECK(mu_memory_in_use() == before, "nothing is in use when all is freed");
}

int main(void)
{
    test_sizes();
    test_overflow();
    test_aligned();
    test_blocks();
    for (unsigned long n = 0; n <= 6; n++) CHECK(fails_at(n), "of five allocations, only number %lu fails", n);
    test_in_use();
    return tap_done();
}
