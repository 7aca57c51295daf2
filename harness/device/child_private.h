/* What a child and its parent have agreed on: where the child writes, and how its lines begin. */
#ifndef MU_HARNESS_DEVICE_CHILD_PRIVATE_H
#define MU_HARNESS_DEVICE_CHILD_PRIVATE_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Where the child writes its response; standard output is left to drivers that print. */
#define MU_RESPONSE_FD 3

/* The child's memory that the parent sees, too: a struct mu_place. */
#define MU_PLACE_FD 4

/* Before its answer a child writes what it begins to do: this character, a word and a line's end. */
#define MU_PHASE_MARK '\x1e'

/* A part of the answer: this character, an object or nothing, and a line's end. JSON holds neither mark, since there
 * control characters are escaped. */
#define MU_PART_MARK '\x1d'

/* Writes a request or a response at once: jansson's own function makes a system call of each word, and wakes the reader
 * for it. Returns a negative number, with errno, where that fails. */
int mu_child_write(int file, const json_t *json);

/* ---- A child's end, and what it leaves behind: the parent's side (child_end.c) ---- */

/* What a child works on: a device, or a platform, or neither (-1), and the vendor file that it is restricted to. */
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

/* Waits until the child has ended, for that long, then kills it and its process group. A process that stays for
 * seconds even so, as one in the kernel does whose device does not answer, is left; mu_child_refuse knows it. A signal
 * to this process ends the waiting. */
struct mu_child_ending mu_child_end(pid_t pid, uint64_t patience_ns, const struct mu_child_where *where);

/* Whether the process has ended; it is not reaped. */
bool mu_child_has_ended(pid_t pid);

/* MU_DEVICE, naming the process, where one that could not be killed still works on the same. */
int mu_child_refuse(const struct mu_child_where *where, struct mu_error *err);
bool mu_child_is_stuck(pid_t pid);

#define MU_MOST_CHILDREN 64

struct mu_children {
    size_t count;
    pid_t pids[MU_MOST_CHILDREN];
};

/* This process's children. */
void mu_children_list(struct mu_children *children);

/* From here on a process that loses its parent, this process's child, becomes a child of this process, even if it has
 * left the process group. */
void mu_children_adopt(void);

/* Kills and reaps all children that were not there before. */
void mu_children_sweep(const struct mu_children *before);

#endif
