/* The host: what a record says of the machine that a run was made on, and of what else went on there. */
#ifndef MU_HARNESS_DEVICE_HOST_HOST_H
#define MU_HARNESS_DEVICE_HOST_HOST_H

#include "base/json.h"

/* The host as an object: its name, the model of its processor, its cores that are online, and its kernel. */
void mu_host_describe(struct mu_json *host);

/* The session as an object: the boot's identity, the day (UTC) and the host's name. Runs of one session share what
 * differs between machines and days. Where the system does not tell the boot, there is none. */
void mu_host_session(struct mu_json *session);

/* What may differ from process to process, as an object: the load of the last minute, and those variables of the
 * environment that drivers read. Variables whose value holds a path are left out. Also the compiler and the flags that
 * built this program. */
void mu_host_environment(struct mu_json *environment);

/* All three as members "host", "session" and "environment" of a record. Members that `told`, the environment as a child
 * process told it, has or NULL, take the place of this process's. */
void mu_host_add(struct mu_json *record, const json_t *told);

#endif
