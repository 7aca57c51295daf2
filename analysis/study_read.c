/* One record as a measurement of its own: what names its test. */
#include "analysis/study_private.h"
#include "base/hash.h"
#include "base/memory.h"
#include "records/implementations.h"
#include "records/optimisations/configurations.h"
#include "records/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const mu_study_members[] = {
    /* which test it is */
    "driver", "device.vendor", "device.name", "device.platform", "device.compute_units", "set", "kind", "clock",
    "label", "comparison", "configuration_from", "configuration.condition", "configuration.grid",
    "configuration.team_limit", "configuration.load", "configuration.stress", "configuration.perturb",
    "configuration_hash", "kernel_hash", "program_hash", "commit", "source", "sources", "delta", "min_angle", "seed",
    "input_hash", "room", "rollcall", "barrier", "atomics", "workgroup", "team_limit", "groups_launched", "team",
    "team_from", "tuning",
    /* what came out */
    "date", "session", "device.uuid", "preempted", "message", "environment.device_after.throttle", "placement",
    "vertices", "edges", "scalars.sources", "summary.colours", "configuration.yield", "environment.watched_ns",
    "environment.others_ns", "environment.idle_ns", "environment.steal_ns", "environment.core_latency_ns_before",
    "environment.core_latency_ns_after",
    /* what the optimisation study asks for */
    "configuration.coop_cv", "configuration.sg", "configuration.wg", "configuration.fg", "configuration.strategy",
    "launches", "worklist_mean", "triangles", "device_bytes", "host_bytes",
    /* what predictions begin with */
    "readbacks", "trace.device_ns",
    /* what advice tells */
    "host.cores", NULL};

/* What always tells tests apart, with the value that is usual and so not shown (NULL: it is always shown; "": it never
 * is). `found`: a record has the value that the run found for auto. */
static const struct {
    const char *name, *usual;
    bool found;
} known[] = {
    {"source", "0", true}, {"sources", "auto", false}, {"delta", "auto", false}, {"min_angle", NULL, true},
    {"seed", "1", true},   {"input_hash", "", true},   {"room", "auto", false},
};
enum { KNOWN = sizeof known / sizeof known[0] };

/* Members that tell configurations apart, beside workgroup size and team. */
static const char *const config_names[] = {"rollcall", "barrier", "atomics"};

/* ---- Texts that are put together ---- */

static void begin(struct mu_study_draft *draft)
{
    draft->text.used = 0;
}

static void append_text(struct mu_study_draft *draft, const char *text, struct mu_error *err)
{
    const size_t length = strlen(text), needed = draft->text.used + length + 1;
    if (needed > draft->text.capacity) {
        if (mu_resize((void **)&draft->text.bytes, 2 * needed, 1, "a test's name", err) != MU_OK) return;
        draft->text.capacity = 2 * needed;
    }
    memcpy(draft->text.bytes + draft->text.used, text, length + 1);
    draft->text.used += length;
}

/* Appends " name=value". */
static void append(struct mu_study_draft *draft, const char *name, const char *value, struct mu_error *err)
{
    if (draft->text.used > 0) append_text(draft, " ", err);
    append_text(draft, name, err);
    append_text(draft, "=", err);
    append_text(draft, value, err);
}

static const char *keep(struct mu_study_draft *draft, const char *text, struct mu_error *err)
{
    return mu_words_keep(&draft->words, text, err);
}

/* Returns the text that was appended since `begin`. */
static const char *end(struct mu_study_draft *draft, struct mu_error *err)
{
    if (err->status != MU_OK) return NULL;
    return keep(draft, draft->text.used > 0 ? draft->text.bytes : "", err);
}

/* ---- Options ---- */

/* Returns a member as text; NULL for none. `number` has room for a number. */
static const char *text_of(const json_t *object, const char *name, char number[32])
{
    const json_t *member = json_object_get(object, name);
    if (json_is_string(member)) return json_string_value(member);
    if (!json_is_number(member)) return NULL;
    snprintf(number, 32, "%.10g", json_number_value(member));
    return number;
}

/* Returns the value of an option, as it was before the run, from the record's member comparison ("app input name=value
 * name=value"); NULL if that has none of this name. */
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

static const char *known_value(const json_t *record, size_t option, char value[64])
{
    const char *name = known[option].name, *told = known[option].found ? NULL : planned(record, name, value);
    return told != NULL ? told : text_of(record, name, value);
}

static bool is_known(const char *name)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (strcmp(known[i].name, name) == 0) return true;
    return false;
}

/* Appends the options of the app, the seed and the input's hash: all, or, behind the input, those that are not usual.
 * Other options than the known ones are named only if the user has chosen a value, so that adding an option makes no
 * other test. */
static const char *join_options(struct mu_study_draft *draft, const json_t *record, bool all, struct mu_error *err)
{
    char value[64];
    const char *name;
    json_t *origin;
    begin(draft);
    if (!all) append_text(draft, mu_json_text(record, "input"), err);
    for (size_t i = 0; i < KNOWN; i++) {
        const char *shown = known_value(record, i, value);
        const char *usual = known[i].usual;
        if (shown == NULL || (!all && usual != NULL && (usual[0] == '\0' || strcmp(usual, shown) == 0))) continue;
        if (!all && known[i].found && strcmp(shown, "auto") == 0) continue; /* the run did not get so far */
        append(draft, known[i].name, shown, err);
    }
    json_object_foreach (json_object_get(record, "configuration_from"), name, origin) {
        const char *from = json_string_value(origin);
        if (from == NULL || (strcmp(from, "option") != 0 && strcmp(from, "tuning") != 0) || is_known(name)) continue;
        const char *shown = planned(record, name, value);
        if (shown != NULL) append(draft, name, shown, err);
    }
    return end(draft, err);
}

static const char *join_config(struct mu_study_draft *draft, const json_t *record, struct mu_error *err)
{
    char number[32];
    begin(draft);
    for (size_t i = 0; i < sizeof config_names / sizeof config_names[0]; i++) {
        const char *value = text_of(record, config_names[i], number);
        if (value != NULL) append(draft, config_names[i], value, err);
    }
    return end(draft, err);
}

static int set_samples(struct mu_measurement *measurement, const json_t *record, struct mu_error *err)
{
    const json_t *samples = json_object_get(record, "samples_ns"), *preempted = json_object_get(record, "preempted");
    const json_t *environment = json_object_get(record, "environment");
    const char *yield = mu_json_text(json_object_get(record, "configuration"), "yield");
    const bool gives_away = yield[0] != '\0' && strcmp(yield, "none") != 0;
    const size_t count = json_array_size(samples);
    measurement->processes = mu_calloc(1, sizeof *measurement->processes, "processes", err);
    double *values = mu_malloc(count, sizeof *values, "samples", err);
    if (measurement->processes == NULL || values == NULL) {
        mu_free(values);
        return MU_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = json_number_value(json_array_get(samples, i));
        measurement->preempted += !gives_away && json_integer_value(json_array_get(preempted, i)) > 0;
    }
    if (json_object_get(environment, "others_ns") != NULL && json_object_get(environment, "idle_ns") != NULL) {
        measurement->watched = 1;
        measurement->watched_ns = mu_json_real(environment, "watched_ns");
        measurement->others_ns = mu_json_real(environment, "others_ns");
        measurement->idle_ns = mu_json_real(environment, "idle_ns");
        measurement->steal_ns = mu_json_real(environment, "steal_ns");
    }
    mu_measurement_add_core_latency(measurement, mu_json_real(environment, "core_latency_ns_before"));
    mu_measurement_add_core_latency(measurement, mu_json_real(environment, "core_latency_ns_after"));
    measurement->processes[0] = (struct mu_samples){.values = values, .count = count};
    measurement->process_count = 1;
    measurement->sample_count = count;
    return MU_OK;
}

/* ---- Identity ---- */

static void add_texts(XXH3_state_t *state, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) XXH3_128bits_update(state, texts[i], strlen(texts[i]) + 1);
}

/* Fills in a measurement's identity from its record: the device, and the hashes of configuration, kernels and host
 * program, all of which are known before the run. Records of unlike devices never share it, whatever the devices are
 * called. Without a hash of the configuration, the configuration itself counts. */
static void find_identity(const json_t *record, struct mu_measurement *measurement)
{
    char numbers[96], units[16];
    const json_t *device = json_object_get(record, "device");
    const char *hash = mu_json_text(record, "configuration_hash");
    const bool whole = hash[0] != '\0';
    snprintf(units, sizeof units, "%u", mu_json_count(device, "compute_units"));
    snprintf(numbers, sizeof numbers, "%u %u %u", measurement->tuning, whole ? 0 : measurement->workgroup,
             whole ? 0 : measurement->team_limit);
    const char *const told[] = {measurement->chip,
                                mu_json_text(device, "vendor"),
                                mu_json_text(device, "name"),
                                mu_json_text(device, "platform"),
                                units,
                                measurement->driver,
                                measurement->kind,
                                measurement->set,
                                measurement->clock,
                                measurement->variant,
                                numbers,
                                measurement->comparison,
                                hash,
                                mu_json_text(record, "kernel_hash"),
                                mu_json_text(record, "program_hash")};
    const char *const instead[] = {measurement->app, measurement->input, measurement->options, measurement->config,
                                   measurement->commit};
    XXH3_state_t state;
    XXH3_128bits_reset(&state); /* texts count with their zero byte, which sets them apart */
    add_texts(&state, told, sizeof told / sizeof told[0]);
    if (!whole) add_texts(&state, instead, sizeof instead / sizeof instead[0]);
    const XXH128_hash_t digest = XXH3_128bits_digest(&state);
    measurement->identity[0] = digest.high64;
    measurement->identity[1] = digest.low64;
}

/* Returns the variant of a record in the form that it ran, as campaigns name forms: under which condition, with which
 * grid or team. What is usual is left out. */
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

/* ---- One record ---- */

/* Returns one of the driver's reasons for clocks that were held down by heat or power behind the samples
 * (doc/results-format.md); NULL for none. */
static const char *find_throttle(const json_t *record)
{
    const json_t *environment = json_object_get(record, "environment");
    const json_t *reasons = json_object_get(json_object_get(environment, "device_after"), "throttle");
    const char *found = NULL;
    for (size_t i = 0; i < json_array_size(reasons); i++) {
        const char *text = json_string_value(json_array_get(reasons, i));
        if (text != NULL && strcmp(text, "idle") != 0 && strcmp(text, "application clocks") != 0) found = text;
    }
    return found;
}

static int set_process(struct mu_study_draft *draft, const json_t *record, struct mu_measurement *measurement,
                       struct mu_error *err)
{
    const char *throttle = find_throttle(record);
    measurement->every = mu_calloc(1, sizeof *measurement->every, "processes", err);
    if (measurement->every == NULL) return MU_NO_MEMORY;
    measurement->record_count = 1;
    measurement->every[0] = (struct mu_process){
        .outcome = measurement->outcome,
        .message = keep(draft, mu_json_text(record, "message"), err),
        .throttle = throttle != NULL ? keep(draft, throttle, err) : NULL,
        .on_threads = mu_json_text(record, "placement")[0] != '\0' &&
                      strcmp(mu_json_text(record, "placement"), "none: no threads of the host") != 0,
        .not_placed = strcmp(mu_json_text(record, "placement"), "none: " MU_PLACEMENT_TAKEN) == 0,
        .vertices = mu_json_real(record, "vertices"),
        .edges = mu_json_real(record, "edges"),
        .triangles = mu_json_real(record, "triangles"),
        .sources = mu_json_real(json_object_get(record, "scalars"), "sources"),
        .colours = mu_json_real(json_object_get(record, "summary"), "colours"),
        .device_bytes = mu_json_real(record, "device_bytes"),
        .host_bytes = mu_json_real(record, "host_bytes"),
        .launches = mu_json_real(record, "launches"),
        .readbacks = mu_json_real(record, "readbacks"),
        .device_ns = mu_json_real(json_object_get(record, "trace"), "device_ns"),
        .worklist = mu_json_real(record, "worklist_mean"),
    };
    return err->status;
}

/* Returns the chip, with "@label" behind it if there is a label. Configurations that the optimisation study compares
 * are no chips. */
static const char *name_chip(struct mu_study_draft *draft, const json_t *record, struct mu_error *err)
{
    char label[256];
    snprintf(label, sizeof label, "%s", mu_json_text(record, "label"));
    if (strncmp(mu_json_text(record, "app"), MU_STUDY_SUITE, strlen(MU_STUDY_SUITE)) == 0)
        mu_label_without_optimisations(label);
    begin(draft);
    append_text(draft, mu_json_text(record, "chip"), err);
    if (label[0] != '\0') append_text(draft, "@", err);
    append_text(draft, label, err);
    return end(draft, err);
}

/* Returns the session as JSON. Records of one session follow each other, and a scan lets them share it. */
static const char *name_session(struct mu_study_draft *draft, json_t *record, struct mu_error *err)
{
    json_t *session = json_object_get(record, "session");
    if (draft->session_text != NULL && session == draft->session) return draft->session_text;
    char *text = session != NULL ? json_dumps(session, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY) : NULL;
    if (session != NULL && text == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory for sessions");
    json_decref(draft->session);
    draft->session = json_incref(session);
    draft->session_text = err->status == MU_OK ? keep(draft, text != NULL ? text : "null", err) : NULL;
    free(text);
    return draft->session_text;
}

static int set_texts(struct mu_study_draft *draft, json_t *record, struct mu_measurement *measurement,
                     struct mu_error *err)
{
    const struct {
        const char **field, *text;
    } texts[] = {
        {&measurement->driver, mu_json_text(record, "driver")},
        {&measurement->app, mu_json_text(record, "app")},
        {&measurement->input, mu_json_text(record, "input")},
        {&measurement->variant, form_of(record)},
        {&measurement->plain_variant, mu_json_text(record, "variant")},
        {&measurement->plain_chip, mu_json_text(record, "chip")},
        {&measurement->kind, mu_record_kind(record)},
        {&measurement->set, mu_json_text(record, "set")},
        {&measurement->clock, mu_json_text(record, "clock")},
        {&measurement->outcome, mu_json_text(record, "outcome")},
        {&measurement->commit, mu_json_text(record, "commit")},
        {&measurement->comparison, mu_json_text(record, "comparison")},
        {&measurement->last_date, mu_json_text(record, "date")},
        {&measurement->device, mu_json_text(json_object_get(record, "device"), "uuid")},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i].field = keep(draft, texts[i].text, err);
        if (*texts[i].field == NULL) return MU_NO_MEMORY;
    }
    measurement->chip = name_chip(draft, record, err);
    measurement->options = join_options(draft, record, true, err);
    measurement->shown = join_options(draft, record, false, err);
    measurement->config = join_config(draft, record, err);
    measurement->session = name_session(draft, record, err);
    return err->status;
}

int mu_measurement_read(struct mu_study_draft *draft, json_t *record, struct mu_measurement *measurement,
                        struct mu_error *err)
{
    *measurement = (struct mu_measurement){
        .workgroup = mu_json_count(record, "workgroup"),
        .team_limit = mu_json_count(record, "team_limit"),
        .team = mu_json_count(record, "team"),
        .tuning = mu_json_count(record, "tuning"),
        .optimisations = MU_NOT_STUDIED,
        .cores = mu_json_count(json_object_get(record, "host"), "cores"),
    };
    mu_record_optimisations(record, &measurement->optimisations);
    if (set_texts(draft, record, measurement, err) != MU_OK || set_process(draft, record, measurement, err) != MU_OK)
        return err->status;
    find_identity(record, measurement);
    /* The samples of a process that failed later are of no use: they may be of wrong results. */
    if (strcmp(measurement->outcome, "ok") == 0 && json_array_size(json_object_get(record, "samples_ns")) > 0)
        return set_samples(measurement, record, err);
    measurement->failed = 1;
    if (strcmp(measurement->outcome, "ok") == 0) measurement->outcome = "no-samples";
    return MU_OK;
}
