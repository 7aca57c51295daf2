#include "harness/commands/command.h"

#include "base/number.h"

#include <argp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int mu_report(const struct mu_error *err)
{
    if (err->status != MU_OK) fprintf(stderr, "muster: %s\n", err->message);
    return mu_status_exit_code(err->status);
}

void mu_pass_error(const struct mu_error *from, struct mu_error *err)
{
    if (from->status != MU_OK) mu_fail(err, from->status, "%s", from->message);
}

int mu_print_json(json_t *object, unsigned digits, struct mu_error *err)
{
    if (object == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory for a JSON object");
    if (json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(digits)) == 0) putchar('\n');
    json_decref(object);
    return MU_OK;
}

int mu_print_built(struct mu_json *json, unsigned digits, struct mu_error *err)
{
    json_t *object = mu_json_take(json, "what is to be printed", err);
    return object != NULL ? mu_print_json(object, digits, err) : err->status;
}

/* Returns true if standard output is a pipe whose reader has gone, as in `muster run … | head -1`. */
static bool reader_is_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

int mu_finish_output(struct mu_error *err)
{
    /* Output that did not fit into the buffer was written earlier: a failure shows in ferror alone. */
    if (fflush(stdout) == 0 && !ferror(stdout)) return MU_OK;
    if (err->status == MU_OK && reader_is_gone()) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    return mu_fail(err, MU_IO, "standard output: cannot write");
}

int mu_parse_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value,
                    struct mu_error *err)
{
    if (mu_number_whole(text, min, max, value)) return MU_OK;
    return mu_fail(err, MU_USAGE, "--%s=%s: not a whole number from %llu to %llu", option, text,
                   (unsigned long long)min, (unsigned long long)max);
}

/* Reads a real number above 0 and at most `max`. */
static bool parse_positive(const char *text, double max, double *value)
{
    double number;
    if (!mu_number_real(text, &number) || number <= 0 || number > max) return false;
    *value = number;
    return true;
}

int mu_parse_seconds(const char *option, const char *text, double *value, struct mu_error *err)
{
    if (parse_positive(text, 1e7, value)) return MU_OK;
    return mu_fail(err, MU_USAGE, "--%s=%s: not a positive number of seconds", option, text);
}

int mu_parse_duration(const char *option, const char *text, double *seconds, struct mu_error *err)
{
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
    char number[32];
    double unit_s = 1;
    size_t length = strlen(text);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (length > 1 && text[length - 1] == units[i].letter) unit_s = units[i].seconds;
    if (length > 1 && strchr("smh", text[length - 1]) != NULL) length--;
    if (length < sizeof number) {
        snprintf(number, sizeof number, "%.*s", (int)length, text);
        if (parse_positive(number, 1e7, seconds)) {
            *seconds *= unit_s;
            return MU_OK;
        }
    }
    return mu_fail(err, MU_USAGE, "--%s=%s: not a time such as 90s, 10m or 2h", option, text);
}

int mu_parse_percent(const char *option, const char *text, double *value, struct mu_error *err)
{
    if (parse_positive(text, 100, value)) return MU_OK;
    return mu_fail(err, MU_USAGE, "--%s=%s: not a percentage above 0, at most 100", option, text);
}

int mu_parse_format(const char *text, enum mu_grid_format *format, struct mu_error *err)
{
    for (int i = 0; i < MU_GRID_FORMATS; i++) {
        if (strcmp(mu_grid_format_names[i], text) != 0) continue;
        *format = (enum mu_grid_format)i;
        return MU_OK;
    }
    return mu_fail(err, MU_USAGE, "--format=%s: no such choice; there are: text, csv, markdown, latex, json, cells",
                   text);
}

void mu_usage_exit_code(void)
{
    argp_err_exit_status = mu_status_exit_code(MU_USAGE);
}
