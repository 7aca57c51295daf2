/* One record as a measurement of its own: what names its test. */
#include "analysis/study_private.h"
#include "base/memory.h"
#include "records/schema.h"

#include <string.h>

/* Options that records of schema 2 and before have as members, with what distinguished tests there: the number that a
 * word stood for, and the value that is usual and so not shown (NULL: it is always shown; "": it never is). `found`
 * tells that a record has the value that the run found for auto. */
static const struct {
    const char *name, *usual;
    bool found;
    struct {
        const char *word, *number;
    } words[2];
} known[] = {
    {"source", "0", true, {{NULL, NULL}}},
    {"sources", "0", false, {{"auto", "0"}, {"all", "4294967295"}}},
    {"delta", "0", false, {{"auto", "0"}, {"none", "4294967295"}}},
    {"min_angle", NULL, true, {{NULL, NULL}}},
    {"seed", "1", true, {{NULL, NULL}}},
    {"input_hash", "", true, {{NULL, NULL}}},
    {"room", "0", false, {{"auto", "0"}, {NULL, NULL}}},
};
enum { KNOWN = sizeof known / sizeof known[0] };

/* Members that tell configurations apart, beside workgroup size and team. */
static const char *const config_names[] = {"rollcall", "barrier", "atomics"};

static bool has_configuration(const json_t *record)
{
    return json_object_get(record, "configuration") != NULL;
}

/* Appends " name=value". Frees text; the caller frees what comes back, which is NULL when memory runs out. */
static char *append(char *text, const char *name, const char *value, struct mu_error *err)
{
    if (text == NULL) return NULL;
    char *longer = mu_format(err, "%s%s%s=%s", text, text[0] != '\0' ? " " : "", name, value);
    mu_free(text);
    return longer;
}

/* A member as text; NULL where there is none. `number` has room for a number. */
static const char *text_of(const json_t *object, const char *name, char number[32])
{
    const json_t *member = json_object_get(object, name);
    if (json_is_string(member)) return json_string_value(member);
    if (!json_is_number(member)) return NULL;
    snprintf(number, 32, "%.10g", json_number_value(member));
    return number;
}

/* The value of an option in what a record of schema 3 says is compared ("app input name=value name=value"), as it was
 * before the run; NULL where that has none of this name. */
static const char *planned(const json_t *record, const char *name, char value[64])
{
    const size_t head = strlen(mu_json_text(record, "app")) + 1 + strlen(mu_json_text(record, "input"));
    const char *text = mu_json_text(record, "comparison");
    const size_t length = strlen(name);
    if (strlen(text) < head) return NULL;
    for (text += head; *text == ' '; text += strcspn(text, " ")) {
        text++;
        if (strncmp(text, name, length) != 0 || text[length] != '=') continue;
        snprintf(value, 64, "%.*s", (int)strcspn(text + length + 1, " "), text + length + 1);
        return value;
    }
    return NULL;
}

/* The value of a known option as a record of schema 2 would have it. */
static const char *known_value(const json_t *record, size_t option, char value[64])
{
    const char *name = known[option].name;
    if (known[option].found || !has_configuration(record)) return text_of(record, name, value);
    const char *text = planned(record, name, value);
    for (size_t i = 0; text != NULL && i < 2 && known[option].words[i].word != NULL; i++)
        if (strcmp(text, known[option].words[i].word) == 0) return known[option].words[i].number;
    return text;
}

static bool is_known(const char *name)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (strcmp(known[i].name, name) == 0) return true;
    return false;
}

/* Appends the options of the app, the seed and the input's hash: all, or those that are not usual. Other options than
 * the known ones are named where somebody has chosen a value: so records of before and after an option was added tell
 * of the same test. */
static char *join_options(char *text, const json_t *record, bool all, struct mu_error *err)
{
    char value[64];
    const char *name;
    json_t *origin;
    for (size_t i = 0; i < KNOWN; i++) {
        const char *shown = known_value(record, i, value);
        const char *usual = known[i].usual;
        if (shown == NULL || (!all && usual != NULL && (usual[0] == '\0' || strcmp(usual, shown) == 0))) continue;
        text = append(text, known[i].name, shown, err);
    }
    json_object_foreach (json_object_get(record, "configuration_from"), name, origin) {
        const char *from = json_string_value(origin);
        if (from == NULL || (strcmp(from, "option") != 0 && strcmp(from, "tuning") != 0) || is_known(name)) continue;
        const char *shown = planned(record, name, value);
        if (shown != NULL) text = append(text, name, shown, err);
    }
    return text;
}

static char *join_config(const json_t *record, struct mu_error *err)
{
    char number[32];
    char *text = mu_strdup("", err);
    for (size_t i = 0; i < sizeof config_names / sizeof config_names[0]; i++) {
        const char *value = text_of(record, config_names[i], number);
        if (value != NULL) text = append(text, config_names[i], value, err);
    }
    return text;
}

static uint32_t read_team_limit(const json_t *record)
{
    if (mu_json_count(record, "schema") >= 2) return mu_json_count(record, "team_limit");
    return mu_json_count(record, mu_json_count(record, "groups_launched") != 0 ? "groups_launched" : "team");
}

static int set_samples(struct mu_measurement *measurement, const json_t *record, struct mu_error *err)
{
    const json_t *samples = json_object_get(record, "samples_ns");
    json_t *sample;
    size_t i;
    const size_t count = json_array_size(samples);
    measurement->processes = mu_calloc(1, sizeof *measurement->processes, "processes", err);
    double *values = mu_malloc(count, sizeof *values, "samples", err);
    if (measurement->processes == NULL || values == NULL) {
        mu_free(values);
        return MU_NO_MEMORY;
    }
    json_array_foreach (samples, i, sample) values[i] = json_number_value(sample);
    json_array_foreach (json_object_get(record, "preempted"), i, sample)
        measurement->preempted += i < count && json_integer_value(sample) > 0;
    measurement->processes[0] = (struct mu_samples){values, count, 0};
    measurement->process_count = 1;
    measurement->sample_count = count;
    return MU_OK;
}

/* What its record says of a measurement's identity. Records of schema 3 have the hashes of configuration, kernels and
 * host program, and the text of what is compared, all of which are known before the run. An older record tells less:
 * what it lacks is unknown, and unknowns match only within one file and one commit. */
static char *make_identity(const json_t *record, const struct mu_measurement *measurement, struct mu_error *err)
{
    const char *kind = mu_record_kind(record), *set = mu_json_text(record, "set");
    const unsigned long long tuning = mu_json_count(record, "tuning");
    if (has_configuration(record))
        return mu_format(err, "%s %s %llu\n%s\n%s\n%s\n%s\n%s", kind, set, tuning, mu_json_text(record, "comparison"),
                         measurement->variant, mu_json_text(record, "configuration_hash"),
                         mu_json_text(record, "kernel_hash"), mu_json_text(record, "program_hash"));
    return mu_format(err, "%s %s %llu\n%s %s %s\n%s\nworkgroup=%u team=%u %s\n%s %s", kind, set, tuning,
                     measurement->app, measurement->input, measurement->options, measurement->variant,
                     measurement->workgroup, measurement->team_limit, measurement->config,
                     mu_json_text(record, "commit"), mu_json_text(record, MU_RECORD_FILE));
}

/* The variant of a record, in the form that it ran: under which condition, with which grid or team. What is usual goes
 * without saying, and so does what older records do not tell. Campaigns name forms so, too. */
static const char *form_of(const json_t *record)
{
    static const char *const forms[] = {"multi-kernel-fixed", "multi-kernel-first", "portable-cold",
                                        "portable-first",     "specialised-bound",  "specialised-first"};
    const json_t *configuration = json_object_get(record, "configuration");
    const bool bound = mu_json_is(record, "team_from", "bound") || mu_json_is(configuration, "team_limit", "bound");
    const char *variant = mu_json_text(record, "variant");
    const char *suffix = mu_json_is(configuration, "condition", "first")  ? "first"
                         : mu_json_is(configuration, "condition", "cold") ? "cold"
                         : mu_json_is(configuration, "grid", "fixed")     ? "fixed"
                         : bound                                          ? "bound"
                                                                          : "";
    const size_t length = strlen(variant);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strncmp(forms[i], variant, length) == 0 && forms[i][length] == '-' &&
            strcmp(forms[i] + length + 1, suffix) == 0)
            return forms[i];
    return variant;
}

int mu_measurement_read(const json_t *record, struct mu_measurement *measurement, struct mu_error *err)
{
    const char *label = mu_json_text(record, "label");
    *measurement = (struct mu_measurement){
        .driver = mu_json_text(record, "driver"),
        .app = mu_json_text(record, "app"),
        .input = mu_json_text(record, "input"),
        .variant = form_of(record),
        .kind = mu_record_kind(record),
        .set = mu_json_text(record, "set"),
        .outcome = mu_json_text(record, "outcome"),
        .last_date = mu_json_text(record, "date"),
        .workgroup = mu_json_count(record, "workgroup"),
        .team_limit = read_team_limit(record),
        .team = mu_json_count(record, "team"),
        .tuning = mu_json_count(record, "tuning"),
        .record_count = 1,
        .owned_chip = mu_format(err, "%s%s%s", mu_json_text(record, "chip"), label[0] != '\0' ? "@" : "", label),
        .owned_options = join_options(mu_strdup("", err), record, true, err),
        .owned_shown = join_options(mu_strdup(mu_json_text(record, "input"), err), record, false, err),
        .owned_config = join_config(record, err),
        .records = mu_malloc(1, sizeof *measurement->records, "records", err),
    };
    measurement->chip = measurement->owned_chip;
    measurement->options = measurement->owned_options;
    measurement->shown = measurement->owned_shown;
    measurement->config = measurement->owned_config;
    measurement->identity = measurement->owned_identity = make_identity(record, measurement, err);
    if (measurement->chip == NULL || measurement->options == NULL || measurement->shown == NULL ||
        measurement->config == NULL || measurement->identity == NULL || measurement->records == NULL)
        return MU_NO_MEMORY;
    measurement->records[0] = record;
    /* The samples of a process that failed later are of no use: they may be of wrong results. */
    if (strcmp(measurement->outcome, "ok") == 0 && json_array_size(json_object_get(record, "samples_ns")) > 0)
        return set_samples(measurement, record, err);
    measurement->failed = 1;
    if (strcmp(measurement->outcome, "ok") == 0) measurement->outcome = "no-samples";
    return MU_OK;
}
