/* The host's side of a load beside a cooperative kernel (variants/cooperative/load.clh): what requests are, and what
 * became of them. */
#ifndef MU_VARIANTS_LAUNCH_LOAD_H
#define MU_VARIANTS_LAUNCH_LOAD_H

#include "variants/launch/team_launch.h"

/* A request, in nanoseconds of the device's clock. */
struct mu_request {
    uint64_t asked, gathered, done;
};

/* The mode of a launch in which all workgroups do one task of the load, and nothing else. */
extern const uint32_t mu_load_alone;

/* The rate of a clock whose ticks are of unknown length, in ticks a nanosecond: of the last length tried (0: none), and
 * the highest. */
struct mu_clock_rate {
    double last, best;
};

/* Takes into account that a launch of so many ticks took once_ns, and one of twice as many twice_ns. Their difference
 * tells a rate where the second took about twice as long: then little of either is anything else. The highest rate
 * counts, since whatever disturbs a launch makes its ticks longer. Returns true if that is enough: the launch is long,
 * and it, the length before, and all of its time agree with the highest rate within a factor of two. A launch that a
 * busy machine held up for long agrees with nothing. */
bool mu_clock_rate_add(struct mu_clock_rate *found, uint64_t ticks, uint64_t once_ns, uint64_t twice_ns);

/* Returns the words of the synchronisation buffer with a load. */
size_t mu_load_words(uint32_t groups);

/* Writes the matrices. MU_DEVICE, MU_NO_MEMORY. */
int mu_load_place(const struct mu_team_launch *team, struct mu_error *err);

/* Enqueues what the launch has for the scheduler, behind the clearing. MU_DEVICE. */
int mu_load_tell(struct mu_team_launch *team, struct mu_error *err);

/* Sets team->asking, asker and asking_ns: the first way in which a launch of this kernel that only listens sees the
 * host ask. The launch has to be prepared anew. MU_NO_MEMORY, MU_DEVICE, MU_DEADLOCK. */
int mu_load_choose_asking(struct mu_team_launch *team, const struct mu_team_kernel *kernel, struct mu_error *err);

/* Reads what became of the requests of the last run: *requests, the caller's to free, of which there are *count.
 * MU_WRONG when the matrices are not what so many requests make of them. */
int mu_load_read(const struct mu_team_launch *team, struct mu_request **requests, uint32_t *count,
                 struct mu_error *err);

#endif
