#include "base/error.h"

#include "base/plain.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define MU_STATUS_ROW(name, value, text, exit_code, outcome) {MU_##name, text, exit_code, outcome},
static const struct {
    int status;
    const char *text;
    int exit_code;
    const char *outcome;
} status_table[] = {MU_STATUS_TABLE(MU_STATUS_ROW)};
#undef MU_STATUS_ROW

enum { STATUSES = sizeof status_table / sizeof status_table[0] };

#undef mu_fail /* the analyser's */

int mu_fail(struct mu_error *err, int status, const char *format, ...)
{
    if (err == NULL) return status;
    if (err->status != MU_OK) return err->status;
    err->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    mu_make_plain(err->message, "\n\t"); /* a compiler's messages have lines */
    return status;
}

const char *mu_status_text(int status)
{
    for (size_t i = 0; i < STATUSES; i++)
        if (status_table[i].status == status) return status_table[i].text;
    return "unknown status";
}

int mu_status_exit_code(int status)
{
    for (size_t i = 0; i < STATUSES; i++)
        if (status_table[i].status == status) return status_table[i].exit_code;
    return 3;
}

const char *mu_status_outcome(int status)
{
    for (size_t i = 0; i < STATUSES; i++)
        if (status_table[i].status == status) return status_table[i].outcome;
    return "crash";
}

int mu_outcome_status(const char *outcome)
{
    for (size_t i = 0; i < STATUSES && outcome != NULL; i++)
        if (strcmp(status_table[i].outcome, outcome) == 0) return status_table[i].status;
    return MU_CRASH;
}

/* Statuses from the worst on; those that are not listed come after these. */
static const int severity[] = {MU_INTERRUPTED, MU_WRONG, MU_CRASH,      MU_DEADLOCK,  MU_DEADLINE,
                               MU_DEVICE,      MU_BUILD, MU_LIMIT,      MU_NO_MEMORY, MU_IO,
                               MU_INPUT,       MU_USAGE, MU_UNSUPPORTED};

static size_t severity_of(int status)
{
    const size_t count = sizeof severity / sizeof severity[0];
    for (size_t i = 0; i < count; i++)
        if (severity[i] == status) return i;
    return status == MU_OK ? count + 1 : count;
}

int mu_status_worse(int a, int b)
{
    return severity_of(a) <= severity_of(b) ? a : b;
}

bool mu_status_harmless(int status)
{
    return status == MU_OK || status == MU_UNSUPPORTED || status == MU_BUILD || status == MU_WRONG;
}
