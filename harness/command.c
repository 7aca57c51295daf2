#include "harness/command.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int mu_report(const struct mu_error *err)
{
    if (err->status != MU_OK) fprintf(stderr, "muster: %s\n", err->message);
    return mu_status_exit_code(err->status);
}

int mu_print_json(json_t *object, unsigned digits, struct mu_error *err)
{
    if (object == NULL) return mu_fail(err, MU_NO_MEMORY, "cannot make the JSON object (is the name UTF-8?)");
    if (json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(digits)) == 0) putchar('\n');
    json_decref(object);
    return MU_OK;
}

int mu_finish_output(struct mu_error *err)
{
    /* What did not fit into the buffer has failed already, and left the buffer empty. */
    if (fflush(stdout) == 0 && !ferror(stdout)) return MU_OK;
    return mu_fail(err, MU_IO, "standard output: cannot write");
}

int mu_parse_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value,
                    struct mu_error *err)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number < min || number > max)
        return mu_fail(err, MU_USAGE, "--%s=%s: not a whole number from %llu to %llu", option, text,
                       (unsigned long long)min, (unsigned long long)max);
    *value = number;
    return MU_OK;
}

int mu_parse_seconds(const char *option, const char *text, double *value, struct mu_error *err)
{
    char *end = NULL;
    errno = 0;
    const double number = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !isfinite(number) || number <= 0 || number > 1e7)
        return mu_fail(err, MU_USAGE, "--%s=%s: not a positive number of seconds", option, text);
    *value = number;
    return MU_OK;
}

int mu_parse_format(const char *text, enum mu_grid_format *format, struct mu_error *err)
{
    for (int i = 0; i < MU_GRID_FORMATS; i++) {
        if (strcmp(mu_grid_format_names[i], text) != 0) continue;
        *format = (enum mu_grid_format)i;
        return MU_OK;
    }
    return mu_fail(err, MU_USAGE, "--format=%s: no such choice; there are: text, csv, markdown, latex, json", text);
}

int mu_parse_percent(const char *option, const char *text, double *value, struct mu_error *err)
{
    char *end = NULL;
    errno = 0;
    const double number = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !isfinite(number) || number <= 0 || number > 100)
        return mu_fail(err, MU_USAGE, "--%s=%s: not a percentage above 0, at most 100", option, text);
    *value = number;
    return MU_OK;
}

int mu_parse_degrees(const char *option, const char *text, double max, double *value, struct mu_error *err)
{
    char *end = NULL;
    errno = 0;
    const double number = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !isfinite(number) || number <= 0 || number > max)
        return mu_fail(err, MU_USAGE, "--%s=%s: not an angle above 0 and at most %g degrees", option, text, max);
    *value = number;
    return MU_OK;
}

void mu_usage_exit_code(void)
{
    argp_err_exit_status = mu_status_exit_code(MU_USAGE);
}
