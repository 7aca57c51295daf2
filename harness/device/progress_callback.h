/* A callback that is told, about once a second, what a child process does while its answer takes long. */
#ifndef MU_HARNESS_DEVICE_PROGRESS_CALLBACK_H
#define MU_HARNESS_DEVICE_PROGRESS_CALLBACK_H

/* Gets what the child does, such as "building kernels", and for how many seconds so far; NULL once, when it has
 * ended. */
struct mu_progress_callback {
    void (*tell)(void *context, const char *doing, double seconds);
    void *context;
};

/* Shows a line of its own on standard error, which changes, and disappears in the end. Shows nothing where that is no
 * terminal. */
extern const struct mu_progress_callback mu_progress_callback_line;

#endif
