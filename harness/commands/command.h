/* The subcommands of muster. Each takes its own argc and argv, with argv[0] = "muster <name>", and returns the exit
 * code of the program. */
#ifndef MU_HARNESS_COMMANDS_COMMAND_H
#define MU_HARNESS_COMMANDS_COMMAND_H

#include "base/error.h"
#include "base/grid.h"
#include "base/json.h"
#include "harness/device/child.h"

#include <jansson.h>
#include <stdint.h>

int mu_cmd_run(int argc, char **argv);
int mu_cmd_bench(int argc, char **argv);
int mu_cmd_submit(int argc, char **argv);
int mu_cmd_tune(int argc, char **argv);
int mu_cmd_results(int argc, char **argv);
int mu_cmd_advise(int argc, char **argv);
int mu_cmd_predict(int argc, char **argv);
int mu_cmd_chip(int argc, char **argv);
int mu_cmd_devices(int argc, char **argv);
int mu_cmd_probe(int argc, char **argv);
int mu_cmd_list(int argc, char **argv);
int mu_cmd_litmus(int argc, char **argv);
int mu_cmd_new_app(int argc, char **argv);
int mu_cmd_check_app(int argc, char **argv);
int mu_cmd_conform(int argc, char **argv);
int mu_cmd_graph(int argc, char **argv);
int mu_cmd_table(int argc, char **argv);
int mu_cmd_report(int argc, char **argv);
int mu_cmd_reports(int argc, char **argv);
int mu_cmd_compare(int argc, char **argv);

/* The kinds of request that a child process serves; main hands them down to mu_child_main. Ends in a row without a
 * name. */
extern const struct mu_child_kind mu_child_kinds[];

/* Prints "muster: message" to standard error if err holds a failure. Returns the exit code for err. */
int mu_report(const struct mu_error *err);

/* Copies the failure of `from` to err, if err holds none. */
void mu_pass_error(const struct mu_error *from, struct mu_error *err);

/* Flushes standard output. Fails with MU_IO if anything printed could not be written. If the reader of a pipe has gone
 * and nothing else is wrong, ends the program by SIGPIPE without a message, as other programs do. */
int mu_finish_output(struct mu_error *err);

/* Prints a JSON object, indented, with `digits` digits of real numbers, and releases it. Fails with MU_NO_MEMORY if the
 * object is NULL; mu_finish_output checks the writing. */
int mu_print_json(json_t *object, unsigned digits, struct mu_error *err);

/* Does the same for a builder; MU_NO_MEMORY if a part of it was lost. */
int mu_print_built(struct mu_json *json, unsigned digits, struct mu_error *err);

/* Reads the whole text as a number from `min` to `max`. Fails with MU_USAGE, naming the option. */
int mu_parse_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value,
                    struct mu_error *err);

/* Reads a positive number of seconds, which may have a fraction, in the same way. */
int mu_parse_seconds(const char *option, const char *text, double *value, struct mu_error *err);

/* Reads seconds, minutes or hours, in the same way: 90, 90s, 10m, 1.5h. */
int mu_parse_duration(const char *option, const char *text, double *seconds, struct mu_error *err);

/* Reads a percentage, greater than 0 and at most 100, in the same way. */
int mu_parse_percent(const char *option, const char *text, double *value, struct mu_error *err);

/* Finds the format of that name. Fails with MU_USAGE, naming --format, if there is none. */
int mu_parse_format(const char *text, enum mu_grid_format *format, struct mu_error *err);

/* Makes argp end the program with exit code 2 on a bad command line. Call before argp_parse. */
void mu_usage_exit_code(void);

#endif
