/* Who is told what a child process does while its answer takes long: about once a second. */
#ifndef MU_HARNESS_DEVICE_PROGRESS_CALLBACK_H
#define MU_HARNESS_DEVICE_PROGRESS_CALLBACK_H

/* What the child does, such as "building kernels", and for how many seconds so far; NULL once, when it has ended. */
struct mu_progress_callback {
    void (*tell)(void *context, const char *doing, double seconds);
    void *context;
};

/* One that shows a line of its own on standard error, which changes, and is gone in the end. Where that is no terminal
 * it says nothing. */
extern const struct mu_progress_callback mu_progress_callback_line;

#endif
