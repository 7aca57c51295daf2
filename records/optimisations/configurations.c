#include "records/optimisations/configurations.h"

#include "base/json.h"

#include <stdio.h>
#include <string.h>

const char *const mu_feature_classes[MU_CLASSES] = {"1.x", "2.0", "2.1", "FP"};

#define MU_OPTIMISATION_ROW(symbol, name, feature_class, option, on) {name, feature_class, option, on},
const struct mu_optimisation mu_optimisations[MU_OPTIMISATIONS] = {MU_OPTIMISATION_TABLE(MU_OPTIMISATION_ROW)};

bool mu_is_configuration(unsigned set)
{
    return set < MU_CONFIGURATIONS && (set & MU_FG_BITS) != MU_FG_BITS;
}

unsigned mu_configuration_with(unsigned configuration, unsigned optimisation)
{
    const unsigned bit = MU_OPTIMISATION_BIT(optimisation);
    if ((bit & MU_FG_BITS) != 0) configuration &= ~MU_FG_BITS;
    return configuration | bit;
}

unsigned mu_optimisations_of_class(enum mu_feature_class feature_class)
{
    unsigned set = 0;
    for (unsigned i = 0; i < MU_OPTIMISATIONS; i++)
        if (mu_optimisations[i].feature_class <= feature_class) set |= MU_OPTIMISATION_BIT(i);
    return set;
}

void mu_configuration_format(unsigned configuration, char text[MU_CONFIGURATION_TEXT])
{
    size_t used = 0;
    snprintf(text, MU_CONFIGURATION_TEXT, "none");
    for (unsigned i = 0; i < MU_OPTIMISATIONS && used < MU_CONFIGURATION_TEXT; i++)
        if ((configuration & MU_OPTIMISATION_BIT(i)) != 0)
            used += (size_t)snprintf(text + used, MU_CONFIGURATION_TEXT - used, "%s%s", used > 0 ? ", " : "",
                                     mu_optimisations[i].name);
}

int mu_configuration_parse(const char *text, unsigned *configuration, struct mu_error *err)
{
    unsigned set = 0;
    if (strcmp(text, "none") == 0) {
        *configuration = MU_BASELINE;
        return MU_OK;
    }
    for (const char *at = text; *at != '\0';) {
        const size_t length = strcspn(at, ", ");
        unsigned i = 0;
        while (i < MU_OPTIMISATIONS &&
               (strlen(mu_optimisations[i].name) != length || strncmp(mu_optimisations[i].name, at, length) != 0))
            i++;
        if (i == MU_OPTIMISATIONS)
            return mu_fail(err, MU_INPUT, "'%.64s': '%.*s' is no optimisation", text, (int)(length < 32 ? length : 32),
                           at);
        set |= MU_OPTIMISATION_BIT(i);
        at += length;
        at += strspn(at, ", ");
    }
    if (!mu_is_configuration(set) || set == 0)
        return mu_fail(err, MU_INPUT, "'%.64s' is no configuration: 'none', or optimisations with one value of fg",
                       text);
    *configuration = set;
    return MU_OK;
}

bool mu_is_optimisation_option(const char *name)
{
    for (unsigned i = 0; i < MU_OPTIMISATIONS; i++)
        if (strcmp(mu_optimisations[i].option, name) == 0) return true;
    return false;
}

void mu_label_without(char *label, bool (*is_left_out)(const char *option))
{
    static const char marks[] = ",-"; /* between parts, of which an option's has no mark in it */
    char *to = label, mark = '\0';
    for (const char *at = label; *at != '\0';) {
        char name[32];
        const size_t length = strcspn(at, marks);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "=,-"), at);
        const char next = at[length];
        if (!is_left_out(name)) {
            if (to != label) *to++ = mark;
            memmove(to, at, length);
            to += length;
            mark = next;
        } else if (next == '-') {
            mark = next;
        }
        at += length + (next != '\0');
    }
    *to = '\0';
}

void mu_label_without_optimisations(char *label)
{
    mu_label_without(label, mu_is_optimisation_option);
}

/* Returns true if an option's value in a record is the one that enables an optimisation: a text, a number, or a truth
 * for "on". */
static bool is_on(const json_t *value, const char *on)
{
    char number[32];
    if (json_is_string(value)) return strcmp(json_string_value(value), on) == 0;
    if (json_is_boolean(value)) return json_is_true(value) && strcmp(on, "on") == 0;
    if (!json_is_integer(value)) return false;
    if (strcmp(on, "on") == 0) return json_integer_value(value) == 1;
    snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
    return strcmp(number, on) == 0;
}

/* Returns true if the record is of the form that the study compares. */
static bool is_in_study(const json_t *record, const json_t *configuration)
{
    const uint32_t workgroup = mu_json_count(record, "workgroup");
    if (configuration == NULL || strncmp(mu_json_text(record, "app"), MU_STUDY_SUITE, strlen(MU_STUDY_SUITE)) != 0)
        return false;
    if (!mu_json_is(record, "variant", "multi-kernel") && !mu_json_is(record, "variant", "portable")) return false;
    if (strcmp(mu_json_text_or(configuration, "condition", "warm"), "warm") != 0) return false;
    if (strcmp(mu_json_text_or(configuration, "strategy", "none"), "none") != 0) return false;
    return (workgroup == 128 || workgroup == 256) && !mu_json_is(configuration, "grid", "fixed");
}

bool mu_record_optimisations(const json_t *record, unsigned *configuration)
{
    const json_t *options = json_object_get(record, "configuration");
    unsigned set = 0;
    if (!is_in_study(record, options)) return false;
    for (unsigned i = 0; i < MU_OPTIMISATIONS; i++) {
        const json_t *value = json_object_get(options, mu_optimisations[i].option);
        if (value == NULL) value = json_object_get(record, mu_optimisations[i].option);
        if (is_on(value, mu_optimisations[i].on)) set |= MU_OPTIMISATION_BIT(i);
    }
    *configuration = set;
    return true;
}
