/* One run of a launch on the exploring machine, access by access: tests/host/explore.c decides, this obeys. */
#ifndef MU_TESTS_HOST_RUN_H
#define MU_TESTS_HOST_RUN_H

#include "tests/host/explore.h"

/* The next access of an item, behind that write of its word. */
struct run_step {
    uint8_t item, behind;
};

#define RUN_MAX_STEPS 256 /* that an execution can go on by */

/* Takes the launch, and gives it back. False without memory for it. */
bool run_take(const struct explore_setup *setup, const struct host_launch *launch, struct site_list *sites);
void run_give_back(void);

/* To the beginning of the kernel. */
void run_begin(void);

/* Lets every work-item do all that it can without an atomic access. True when one of them has polled in vain and the
 * poll was taken back. */
bool run_settle(void);

/* False while an item is in the middle of a turn of its waiting loop. */
bool run_is_between_turns(void);

/* By which steps the run can go on, and how many they are. */
uint run_steps(struct run_step *steps);
void run_do(struct run_step step);

/* The same number for executions that are the same so far and, where there is a step, with it. Never 0. */
uint64_t run_state(const struct run_step *step);

/* After the last step: whether all items have come to their end, and if not, who stands where. */
bool run_has_ended(char *text, size_t size);

/* Lets each item do the turns of its waiting loop, and finds out that this is all that it does. The run is at its end
 * after that. */
bool run_is_stuck(void);

/* A plain access of a kernel; whether there has been any. */
void run_plain(const void *address, size_t size, bool writes);
bool run_saw_plain(void);

/* Prints the accesses so far. */
void run_print(void);

/* The functions behind host_machine. */
uint run_access(const struct host_access *access);
void run_arrive(void);
void run_wait(void);
void run_pause(void);

#endif
