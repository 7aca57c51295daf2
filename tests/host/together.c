/* A machine on which all groups poll before one of them closes the poll.
 *
 * A representative that has read MU_SYNC_COUNT holds the lock, and polls. Its next read-modify-write would be to take
 * the lock once more, and perhaps to close: it waits there until the others have come as far. The order of this
 * counting is relaxed, so that the thread sanitizer takes it for no order. */
#include "tests/host/sync.h"

static const struct host_machine *below; /* the machine that does the accesses */
static const uint *count_word;           /* MU_SYNC_COUNT of the launch */
static uint polled;                      /* groups so far */
static _Thread_local bool has_polled;

static uint meeting_access(const struct host_access *access)
{
    const bool takes_lock = access->operation != HOST_LOAD && access->operation != HOST_STORE;
    if (access->word == count_word && !has_polled) {
        has_polled = true;
        __atomic_fetch_add(&polled, 1u, __ATOMIC_RELAXED);
    }
    for (uint polls = 0; has_polled && takes_lock && polls < MU_SPIN_LIMIT; polls++) {
        if (__atomic_load_n(&polled, __ATOMIC_RELAXED) == host_item->launch->groups) break;
        below->pause();
    }
    return below->access(access);
}

int host_launch_together(const struct host_launch *launch, const uint *sync)
{
    struct host_machine machine = *host_machine;
    machine.access = meeting_access;
    below = host_machine;
    count_word = sync + MU_SYNC_COUNT;
    polled = 0;
    host_machine = &machine;
    const int status = below->launch(launch);
    host_machine = below;
    return status;
}
