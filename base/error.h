/* Errors: one table of statuses, one message, written by the lowest layer that knows why.
 *
 * A function that can fail returns MU_OK (0) or a negative status and takes `struct mu_error *err` last.
 * The first message wins: callers add nothing, they pass the status on. */
#ifndef MU_BASE_ERROR_H
#define MU_BASE_ERROR_H

#include <stdbool.h>

/* X(name, value, text, exit code of the program, outcome of a test as records name it) */
#define MU_STATUS_TABLE(X)                                                                                             \
    X(OK, 0, "ok", 0, "ok")                                                                                            \
    X(WRONG, -1, "wrong result", 1, "wrong")                                                                           \
    X(USAGE, -2, "usage", 2, "usage")                                                                                  \
    X(INPUT, -3, "bad input", 2, "bad-input")                                                                          \
    X(IO, -4, "input/output error", 2, "io-error")                                                                     \
    X(NO_MEMORY, -5, "out of memory", 3, "out-of-memory")                                                              \
    X(DEVICE, -6, "device error", 3, "device-error")                                                                   \
    X(BUILD, -7, "kernel build failed", 3, "build-failed")                                                             \
    X(UNSUPPORTED, -8, "unsupported", 3, "unsupported")                                                                \
    X(DEADLOCK, -9, "deadlock", 4, "deadlock")                                                                         \
    X(DEADLINE, -10, "deadline passed", 4, "deadline")                                                                 \
    X(CRASH, -11, "crash", 3, "crash")                                                                                 \
    X(LIMIT, -12, "limit exceeded", 3, "limit")                                                                        \
    X(INTERRUPTED, -13, "interrupted", 130, "interrupted")

#define MU_STATUS_ENUM(name, value, text, exit_code, outcome) MU_##name = (value),
enum mu_status { MU_STATUS_TABLE(MU_STATUS_ENUM) };
#undef MU_STATUS_ENUM

struct mu_error {
    int status;         /* MU_OK while nothing has failed */
    char message[2048]; /* one line or a compiler's log, without the program's name; empty while ok */
};

/* Records status and the formatted message if err holds none yet; err may be NULL. Returns the status that err holds
 * (the first one), so that a failing function ends in `return mu_fail(err, …)`. */
int mu_fail(struct mu_error *err, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

#ifdef __clang_analyzer__
/* The analyser reads one file at a time: this tells it that what mu_fail returns is never MU_OK. */
#define mu_fail(...) (mu_fail(__VA_ARGS__), (int)MU_CRASH)
#endif

/* Returns the short name of a status ("out of memory"); never NULL. */
const char *mu_status_text(int status);

/* Translate between a status and its outcome in records ("out-of-memory"). An unknown outcome, or NULL, is MU_CRASH. */
const char *mu_status_outcome(int status);
int mu_outcome_status(const char *outcome);

/* Returns the one of two statuses that should be reported first: a wrong result before a crash, a crash before a
 * deadlock, and so on; any failure before MU_OK. */
int mu_status_worse(int a, int b);

/* Returns true if a process that ended with this status can be given more work on its device. */
bool mu_status_harmless(int status);

/* Returns the program's exit code for a status: 0 ok, 1 wrong result, 2 usage, 3 device or build, 4 deadline or
 * deadlock. */
int mu_status_exit_code(int status);

#endif
