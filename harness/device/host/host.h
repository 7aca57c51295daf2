/* The host: what a record says of the machine that a run was made on, and of what else went on there. */
#ifndef MU_HARNESS_DEVICE_HOST_HOST_H
#define MU_HARNESS_DEVICE_HOST_HOST_H

#include "base/json.h"

/* Describes the host: its name, the model of its processor, its cores that are online, and its kernel. */
void mu_host_describe(struct mu_json *host);

/* Describes the session: the boot's identity, the day (UTC) and the host's name. Runs of one session share what differs
 * between machines and days. Where the system does not tell the boot, it is left out. */
void mu_host_session(struct mu_json *session);

/* Describes what may differ from process to process: the load of the last minute, and the environment variables that
 * drivers read, except for those whose value holds a path. Also the compiler and the flags that built this program. */
void mu_host_environment(struct mu_json *environment);

/* Adds all three to a record as members "host", "session" and "environment". Members of `told`, the environment as a
 * child process told it, or NULL, replace those of this process. */
void mu_host_add(struct mu_json *record, const json_t *told);

#endif
