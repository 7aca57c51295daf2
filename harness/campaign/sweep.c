#include "harness/campaign/sweep.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* Counts the values of a list with commas. */
static uint32_t count_values(const char *list)
{
    uint32_t count = 1;
    for (; list != NULL && *list != '\0'; list++) count += *list == ',';
    return count;
}

/* Copies value i of a list into `text`. Returns NULL for a flag, which has no text. */
static const char *pick_value(const char *list, uint32_t i, char text[128])
{
    if (list == NULL) return NULL;
    for (; i > 0; i--) list = strchr(list, ',') + 1;
    snprintf(text, 128, "%.*s", (int)strcspn(list, ","), list);
    return text;
}

static bool belongs(const struct mu_given *given, const struct mu_app *app)
{
    const bool of_input = given->setting < 0 || (mu_test_options[given->setting].is & MU_OPTION_INPUT) != 0;
    if (app == NULL) return !of_input;
    return of_input && (given->setting >= 0 || mu_option_find(app->options, given->name) >= 0);
}

int mu_sweep_count(const struct mu_option_line *line, const struct mu_app *app, uint32_t *count, struct mu_error *err)
{
    size_t points = 1;
    for (size_t i = 0; i < line->given_count; i++)
        if (belongs(&line->given[i], app) &&
            (!mu_mul_size(points, count_values(line->given[i].text), &points) || points > MU_SWEEP_POINTS))
            return mu_fail(err, MU_LIMIT, "the options have more than %d combinations", MU_SWEEP_POINTS);
    *count = (uint32_t)points;
    return MU_OK;
}

int mu_sweep_ask(const struct mu_option_line *line, const struct mu_app *app, uint32_t point, struct mu_asked *asked,
                 struct mu_error *err)
{
    char text[128];
    for (size_t i = 0; i < line->given_count && err->status == MU_OK; i++) {
        const struct mu_given *given = &line->given[i];
        if (!belongs(given, app)) continue;
        const uint32_t values = count_values(given->text);
        mu_given_ask(given, pick_value(given->text, point % values, text), asked, err);
        point /= values;
    }
    return err->status;
}

/* Appends "<separator>name=value". */
static void append(char *name, size_t bytes, const char *separator, const struct mu_given *given, uint32_t value)
{
    char text[128];
    const size_t used = strlen(name);
    snprintf(name + used, bytes - used, "%s%s=%s", separator, given->name, pick_value(given->text, value, text));
}

/* Options that change nothing where another one has a value. A single workgroup can leave at one barrier, whatever the
 * limit for a barrier is. */
static const struct {
    enum mu_test_option of;
    uint32_t value;
    enum mu_test_option idle;
} idle_options[] = {
    {MU_TEST_load, MU_LOAD_NONE, MU_TEST_load_groups},
    {MU_TEST_load, MU_LOAD_IDLE, MU_TEST_load_groups},
    {MU_TEST_load, MU_LOAD_IDLE, MU_TEST_resizing},
    {MU_TEST_load_groups, 1, MU_TEST_resizing},
};

static bool is_idle(const struct mu_asked *asked, int setting)
{
    for (size_t i = 0; i < sizeof idle_options / sizeof idle_options[0]; i++) {
        const int of = (int)idle_options[i].of;
        const struct mu_value *value = &asked->options[of];
        if ((int)idle_options[i].idle == setting && value->from != MU_FROM_NOBODY &&
            value->number == idle_options[i].value && !is_idle(asked, of))
            return true;
    }
    return false;
}

bool mu_sweep_name(const struct mu_option_line *line, const struct mu_asked *asked, int variant, uint32_t point,
                   char *name, size_t bytes)
{
    name[0] = '\0';
    for (size_t i = 0; i < line->given_count; i++) {
        const struct mu_given *given = &line->given[i];
        const uint32_t values = count_values(given->text), value = point % values;
        if (!belongs(given, NULL)) continue;
        point /= values;
        if (values == 1) continue;
        if (mu_test_option_applies(&mu_test_options[given->setting], (uint32_t)variant) &&
            !is_idle(asked, given->setting))
            append(name, bytes, name[0] != '\0' ? "," : "", given, value);
        else if (value != 0)
            return false;
    }
    return true;
}

void mu_sweep_name_comparison(const struct mu_option_line *line, const struct mu_app *app, uint32_t point, char *name,
                              size_t bytes)
{
    name[0] = '\0';
    for (size_t i = 0; i < line->given_count; i++) {
        const struct mu_given *given = &line->given[i];
        const uint32_t values = count_values(given->text), value = point % values;
        if (!belongs(given, app)) continue;
        point /= values;
        if (values > 1) append(name, bytes, " ", given, value);
    }
}
