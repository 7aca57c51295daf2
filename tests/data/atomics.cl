/* Each function of an atomics path (variants/atomics/c11.clh) once, by one work-item. results[2 i] is what it returned
 * and results[2 i + 1] what its word holds then; all words are 5 at the start. */
#define COUNTS 10000
#define TELL(i, returned)                                                                                              \
    do {                                                                                                               \
        const uint old = (returned);                                                                                   \
        results[2 * (i)] = old;                                                                                        \
        results[2 * (i) + 1] = mu_load_relaxed(words + (i));                                                           \
    } while (0)

__kernel void each_atomic(__global uint *words, __global uint *results)
{
    if (get_global_id(0) != 0) return;
    TELL(0, mu_load_relaxed(words));
    TELL(1, mu_load_acquire(words + 1));
    mu_store_relaxed(words + 2, 7u);
    TELL(2, 0);
    mu_store_release(words + 3, 7u);
    TELL(3, 0);
    TELL(4, mu_add_relaxed(words + 4, 7u));
    TELL(5, mu_add_release(words + 5, 7u));
    TELL(6, mu_add_acq_rel(words + 6, 0xffffffffu));
    mu_or_relaxed(words + 7, 3u);
    TELL(7, 0);
    TELL(8, mu_compare_exchange(words + 8, 5u, 7u));
    TELL(9, mu_compare_exchange(words + 9, 4u, 7u));
}

/* Every work-item adds 1 so many times to each of three words, in one way each. */
__kernel void count_atomics(__global uint *words, __global uint *results)
{
    for (uint i = 0; i < COUNTS; i++) {
        mu_add_relaxed(words, 1u);
        mu_add_release(words + 1, 1u);
        mu_add_acq_rel(words + 2, 1u);
    }
}
