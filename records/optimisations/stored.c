#include "records/optimisations/stored.h"

#include "base/json.h"
#include "base/sink.h"
#include "records/optimisations/configurations.h"
#include "records/results.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

const struct mu_choice mu_strategy_kinds[] = {
    {"none", "no optimisation but those that options name"},
    {"global", "those that pay over all chips, programs and inputs"},
    {"chip", "those that pay on this chip"},
    {"app", "those that pay for the program, over all chips and inputs"},
    {"input", "those that pay on the input, over all chips and programs"},
    {NULL, NULL},
};

const char *const mu_strategy_members[] = {NULL, "global", "chip_wide", "app", "input"};

int mu_strategies_write(const char *chip, const json_t *strategies, struct mu_error *err)
{
    char path[PATH_MAX];
    struct mu_sink *sink = NULL;
    if (mu_results_make(chip, err) != MU_OK ||
        mu_results_path(chip, MU_STRATEGIES_FILE, path, sizeof path, err) != MU_OK)
        return err->status;
    char *text = json_dumps(strategies, JSON_INDENT(2));
    if (text == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory for %s", MU_STRATEGIES_FILE);
    if (mu_sink_open(path, &sink, err) == MU_OK) {
        mu_sink_text(sink, text);
        mu_sink_text(sink, "\n");
        mu_sink_close(sink, MU_OK, err);
    }
    free(text);
    return err->status;
}

int mu_strategies_read(const char *chip, json_t **strategies, struct mu_error *err)
{
    char path[PATH_MAX];
    *strategies = NULL;
    if (mu_results_path_to_read(chip, MU_STRATEGIES_FILE, path, err) != MU_OK) return err->status;
    if (access(path, F_OK) != 0) return MU_OK;
    *strategies = mu_json_read_object(path, err);
    return err->status;
}

int mu_strategies_find(const json_t *strategies, enum mu_strategy_kind kind, const char *app, const char *input,
                       unsigned *configuration, struct mu_error *err)
{
    const json_t *found = json_object_get(strategies, mu_strategy_members[kind]);
    const char *key = kind == MU_TAKE_APP ? app : kind == MU_TAKE_INPUT ? input : NULL;
    if (key != NULL) found = json_object_get(found, key);
    const json_t *enabled = json_object_get(found, "enabled");
    if (!json_is_string(enabled))
        return mu_fail(err, MU_USAGE, "--strategy=%s: the study has no test of this %s%s%.200s (see muster advise)",
                       mu_strategy_kinds[kind].name, mu_strategy_kinds[kind].name, key != NULL ? ": " : "",
                       key != NULL ? key : "");
    return mu_configuration_parse(json_string_value(enabled), configuration, err);
}
