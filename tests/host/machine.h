/* The machine that runs kernel sources on the host: work-items, and what each of their accesses to shared words does.
 *
 * Kernel sources (variants/ and harness/, *.clh) are compiled by the host's compiler through tests/host/kernel.h. What
 * a device does for them is behind the table `host_machine`: every atomic access, every barrier of a workgroup, every
 * pause of a waiting loop. The table that stands there from the start, host_threads, makes each work-item a thread and
 * each access an atomic operation of C11. A test may put a table of its own in its place, for instance one that records
 * the accesses and hands them on, or one that lets only one thread run and decides which is next. */
#ifndef MU_TESTS_HOST_MACHINE_H
#define MU_TESTS_HOST_MACHINE_H

#include <stdint.h>
#include <sys/types.h> /* uint */

/* OpenCL's, which has 64 bits also where the host's has 32. */
typedef uint64_t host_ulong;
#define ulong host_ulong

enum host_operation {
    HOST_LOAD,
    HOST_STORE,
    HOST_ADD,
    HOST_OR,
    HOST_MIN,
    HOST_MAX,
    HOST_EXCHANGE,
    HOST_COMPARE_EXCHANGE,
    HOST_FENCE /* no access: it has an order and no word */
};

enum host_order { HOST_RELAXED = 0, HOST_ACQUIRE = 1, HOST_RELEASE = 2, HOST_ACQ_REL = HOST_ACQUIRE | HOST_RELEASE };

/* One access to a shared word, as it stands in a source. */
struct host_access {
    enum host_operation operation;
    enum host_order order;
    const char *file, *function; /* where it stands */
    int line;
    volatile uint *word;
    uint operand;  /* what is stored, added, …; of no meaning in a load */
    uint expected; /* in a compare-exchange, which fails unless the word holds this */
};

/* What a read-modify-write, or a store, puts in the place of `old`. */
static inline uint host_modified(const struct host_access *access, uint old)
{
    switch (access->operation) {
    case HOST_ADD:
        return old + access->operand;
    case HOST_OR:
        return old | access->operand;
    case HOST_MIN:
        return old < access->operand ? old : access->operand;
    case HOST_MAX:
        return old > access->operand ? old : access->operand;
    default:
        return access->operand;
    }
}

/* One workgroup's memory and barrier. A machine's launch fills in what it needs. */
struct host_group {
    void *local; /* the local memory that the launch asked for, all zero at the start */
    void *barrier;
};

/* A launch: as many workgroups as `groups`, of `workgroup` work-items each, all of which call kernel(argument). */
struct host_launch {
    uint groups, workgroup;
    uint spin_limit;    /* what the sources know as MU_SPIN_LIMIT */
    size_t local_bytes; /* local memory of a workgroup */
    void (*kernel)(void *argument);
    void *argument;
    /* Around each run of the kernel, of which a machine may do many to tell them apart: `begin` makes the memory that
     * it uses what it was before the first, and `end` judges it. Either may be NULL. */
    void (*begin)(void *argument), (*end)(void *argument);
};

/* The work-item that is running; a machine sets it before the kernel begins. Tests that run a source by themselves,
 * without a launch, set one of their own. */
struct host_item {
    uint local_id, group_id;
    const struct host_launch *launch;
    struct host_group *group;
};
extern _Thread_local const struct host_item *host_item;

struct host_machine {
    /* Does the access and returns what the word held before. */
    uint (*access)(const struct host_access *access);

    /* The two halves of the workgroup's barrier: nobody leaves `wait` before all have called `arrive`. What a work-item
     * did before it arrived happens before what the others do after they have waited. */
    void (*arrive)(void);
    void (*wait)(void);

    /* Called again and again by a work-item that waits for another workgroup. */
    void (*pause)(void);

    /* The clock by which a wait counts time, in ticks. That of host_threads stands still, so that waits count polls. */
    ulong (*ticks)(void);

    /* Runs a launch to its end. 0, or -1 without threads or memory for it: then nothing has run. */
    int (*launch)(const struct host_launch *launch);
};

extern const struct host_machine host_threads;

/* Not to be changed while a launch runs. */
extern const struct host_machine *host_machine;

#endif
