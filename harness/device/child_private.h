/* What a child and its parent have agreed on: where the child writes, and how its lines begin. */
#ifndef MU_HARNESS_DEVICE_CHILD_PRIVATE_H
#define MU_HARNESS_DEVICE_CHILD_PRIVATE_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The file in which the child writes its response; standard output is left to drivers that print. */
#define MU_RESPONSE_FD 3

/* The file of the memory that the child shares with its parent: a struct mu_place. */
#define MU_PLACE_FD 4

/* Begins a line that names a phase: this character and a word. */
#define MU_PHASE_MARK '\x1e'

/* Begins a line that is a part of the answer: this character, and an object or nothing. JSON holds neither mark, since
 * it escapes control characters. */
#define MU_PART_MARK '\x1d'

/* Writes a request or a response at once; jansson's own function makes a system call for each word, and wakes the
 * reader for it. Returns a negative number, with errno, where that fails. */
int mu_child_write(int file, const json_t *json);

/* ---- A child's end, and what it leaves behind: the parent's side (child_end.c) ---- */

/* What a child works on: a device, or a platform, or neither (-1); and the vendor file to which it is restricted. */
struct mu_child_where {
    json_int_t platform, device;
    char icd[256];
};

struct mu_child_where mu_child_where(const json_t *request, const char *icd);

struct mu_child_ending {
    int status;      /* for the macros of waitpid */
    bool killed;     /* it had not ended by itself */
    char stuck[160]; /* empty, or how a message goes on of a process that cannot be killed */
};

/* Waits for the child's end, for that long, then kills it and its process group. A process that remains for seconds
 * even so, since the kernel waits for its device, is abandoned; mu_child_refuse knows it. A signal to this process ends
 * the wait. */
struct mu_child_ending mu_child_end(pid_t pid, uint64_t patience_ns, const struct mu_child_where *where);

/* Returns true if the process has ended; it is not reaped. */
bool mu_child_has_ended(pid_t pid);

/* Fails with MU_DEVICE, and names the process, if one that could not be killed still works on the same. */
int mu_child_refuse(const struct mu_child_where *where, struct mu_error *err);
bool mu_child_is_stuck(pid_t pid);

#define MU_MOST_CHILDREN 64

struct mu_children {
    size_t count;
    pid_t pids[MU_MOST_CHILDREN];
};

/* Lists this process's children. */
void mu_children_list(struct mu_children *children);

/* Makes this process the new parent of processes that its children leave behind, even if these have left the process
 * group. */
void mu_children_adopt(void);

/* Kills and reaps all children that were not there before. */
void mu_children_sweep(const struct mu_children *before);

#endif
