/* Requests that the host makes of a load while the kernel runs (variants/cooperative/load.clh): a thread counts them in
 * a word that the kernel polls. How such a word is made is tried out, since drivers differ in what a kernel that runs
 * sees of the host's writes. */
#ifndef MU_VARIANTS_LAUNCH_ASKER_H
#define MU_VARIANTS_LAUNCH_ASKER_H

#include "variants/launch/opencl.h"

#include <stdint.h>

/* In the order in which they are tried: shared virtual memory of fine grain, mapped memory of the host, and copies by a
 * queue of its own. MU_ASKING_SCHEDULE: the host cannot ask, and the kernel makes requests by its clock. */
enum mu_asking { MU_ASKING_SVM, MU_ASKING_PINNED, MU_ASKING_COPIED, MU_ASKING_SCHEDULE };
extern const char *const mu_asking_names[];

struct mu_asker;

/* Makes an asker. The target must outlive it. MU_UNSUPPORTED if the driver has no such memory, MU_DEVICE,
 * MU_NO_MEMORY. */
int mu_asker_new(const struct mu_target *target, enum mu_asking asking, struct mu_asker **asker, struct mu_error *err);
void mu_asker_free(struct mu_asker *asker); /* accepts NULL */

/* Returns the word, for a kernel's argument. */
cl_mem mu_asker_word(const struct mu_asker *asker);

/* Makes the word 0, and begins to count it up: first after `delay_ns`, and then every `period_ns`; not at all by
 * schedule. MU_DEVICE, MU_NO_MEMORY. */
int mu_asker_start(struct mu_asker *asker, uint64_t delay_ns, uint64_t period_ns, struct mu_error *err);

/* Ends that. *first_ns gets the time, of mu_now_ns, at which the word was 1; 0 where it never was. MU_DEVICE. */
int mu_asker_stop(struct mu_asker *asker, uint64_t *first_ns, struct mu_error *err);

#endif
