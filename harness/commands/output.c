#include "harness/commands/output.h"

#include "analysis/tables/tables.h"
#include "base/choice.h"
#include "harness/commands/command.h"
#include "harness/run/options.h"
#include "records/results.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum option_key { KEY_FORMAT = 4096, KEY_JSON, KEY_WIDE, KEY_COLOUR };

static const struct mu_choice colours[] = {{"auto", NULL}, {"always", NULL}, {"never", NULL}, {NULL, NULL}};

#define OUTPUT_OPTIONS                                                                                                 \
    {"json", KEY_JSON, NULL, 0, "JSON, for programs (default: text)", MU_GROUP_OUTPUT},                                \
        {"wide", KEY_WIDE, NULL, 0, "All columns (default: what fits the terminal)", MU_GROUP_OUTPUT},                 \
    {                                                                                                                  \
        "color", KEY_COLOUR, "WHEN", 0,                                                                                \
            "always, never or auto: on a terminal, unless NO_COLOR is set (default: auto)", MU_GROUP_OUTPUT            \
    }

static const struct argp_option options[] = {OUTPUT_OPTIONS, {0}};
static const struct argp_option format_options[] = {
    {"format", KEY_FORMAT, "FORMAT", 0, "text, csv, markdown, latex, json or cells (default: text)", MU_GROUP_OUTPUT},
    OUTPUT_OPTIONS,
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct mu_output *output = state->input;
    int index = 0;
    switch (key) {
    case KEY_FORMAT:
        mu_parse_format(text, &output->format, &output->err);
        return 0;
    case KEY_JSON:
        output->format = MU_GRID_JSON;
        return 0;
    case KEY_WIDE:
        output->wide = true;
        return 0;
    case KEY_COLOUR:
        if (mu_choice_find(colours, "color", text, &index, &output->err) == MU_OK) output->colour = colours[index].name;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp mu_output_argp = {.options = options, .parser = parse};
const struct argp mu_output_format_argp = {.options = format_options, .parser = parse};

static bool wants_colours(const struct mu_output *output)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (output->colour != NULL && strcmp(output->colour, "auto") != 0) return strcmp(output->colour, "always") == 0;
    if (none != NULL && none[0] != '\0') return false;
    return isatty(STDOUT_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

size_t mu_output_width(const struct mu_output *output)
{
    struct winsize size = {0};
    const bool fits = output->format == MU_GRID_TEXT && !output->wide && isatty(STDOUT_FILENO);
    return fits && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int mu_output_print(const struct mu_output *output, const struct mu_grids *grids)
{
    const struct mu_grid_look look = {.width = mu_output_width(output), .colours = wants_colours(output)};
    if (output->format != MU_GRID_TEXT) return mu_grids_print(grids, output->format, stdout);
    return mu_grids_show(grids, &look, stdout);
}

int mu_output_table(const struct mu_output *output, const char *name, const char *path, struct mu_error *err)
{
    struct mu_grids grids = {.err = err};
    const struct mu_table_request request = {.root = mu_results_root(),
                                             .sets = &path,
                                             .set_count = 1,
                                             .plain_rows = mu_grid_is_for_programs(output->format)};
    const struct mu_table *table = mu_table_find(name, err);
    if (table != NULL && table->fill(&request, &grids) == MU_OK) mu_output_print(output, &grids);
    mu_grids_release(&grids);
    return err->status;
}
