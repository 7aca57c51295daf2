/* The options of a test on the command line: one for each setting, and one for each name that an app's option has,
 * made of their rows. */
#ifndef MU_HARNESS_RUN_OPTION_LINE_H
#define MU_HARNESS_RUN_OPTION_LINE_H

#include "harness/run/asked.h"

#include <argp.h>

#define MU_LINE_OPTIONS 96   /* rows of settings, and names of app options, together */
#define MU_LINE_GIVEN   64   /* options that one command line gives */
#define MU_LINE_HELP    640  /* bytes of a help text */
#define MU_LINE_KEYS    2048 /* the keys of a command's other options are below */

/* An option as it was given. Where a command takes lists, text may be one. */
struct mu_given {
    const char *name; /* the row's */
    int setting;      /* enum mu_test_option, or -1 for an app's option */
    const char *text; /* NULL for a flag */
    bool is_default;  /* of mu_option_line_default: nobody minds where no app takes it */
};

struct mu_option_line {
    struct argp argp; /* a child for a command's argp; its input is this line */
    struct argp_option options[MU_LINE_OPTIONS + 1];
    const char *names[MU_LINE_OPTIONS]; /* of the rows, by place */
    int settings[MU_LINE_OPTIONS];      /* enum mu_test_option, or -1 */
    size_t count;
    struct mu_given given[MU_LINE_GIVEN];
    size_t given_count;
    char spelled[MU_LINE_OPTIONS][40], help[MU_LINE_OPTIONS][MU_LINE_HELP];
    struct mu_error err; /* too many were given */
};

/* Makes the options of `muster run`, or those of a campaign, which has rules of its own for some settings. */
void mu_option_line_make(struct mu_option_line *line, bool campaign);

/* Takes "NAME=TEXT", which was given to --OPTION, as if it were the option --NAME=TEXT. MU_USAGE. */
int mu_option_line_give(struct mu_option_line *line, const char *option, char *text, struct mu_error *err);

/* Takes "NAME=TEXT", which outlives the line, as if it were given, unless the line has the option. MU_USAGE. */
int mu_option_line_default(struct mu_option_line *line, const char *text, struct mu_error *err);

/* Asks for what the line gives, of a test of asked->app. MU_USAGE: a text that an option does not take, or an option
 * that the app does not take. */
int mu_option_line_ask(const struct mu_option_line *line, struct mu_asked *asked, struct mu_error *err);

/* Asks for one option, given as `text`, for a test of asked->app. */
int mu_given_ask(const struct mu_given *given, const char *text, struct mu_asked *asked, struct mu_error *err);

#endif
