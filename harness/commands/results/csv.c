#include "harness/commands/results/csv.h"

#include "base/json.h"
#include "records/schema.h"

#include <stdio.h>
#include <string.h>

/* Where a column's value comes from: a member of the record, of an object in it (DEVICE …), or of an array at the
 * sample's place (SAMPLE). The others have a function each. */
enum source { MEMBER, KIND, INDEX, TEAM, DEVICE, SAMPLE };

static const struct column {
    const char *name;
    enum source source;
    const char *member, *of; /* of: name of the object that holds the member; NULL: the record itself */
} columns[] = {
    {"chip", MEMBER, "chip", NULL},
    {"driver", MEMBER, "driver", NULL},
    {"app", MEMBER, "app", NULL},
    {"input", MEMBER, "input", NULL},
    {"variant", MEMBER, "variant", NULL},
    {"workgroup", MEMBER, "workgroup", NULL},
    {"team", TEAM, "team", NULL},
    {"kind", KIND, "kind", NULL},
    {"repeat", MEMBER, "repeat", NULL},
    {"index", INDEX, NULL, NULL},
    {"host_ns", SAMPLE, "samples_ns", NULL},
    {"device_ns", SAMPLE, "device_ns", NULL},
    {"outcome", MEMBER, "outcome", NULL},
    {"label", MEMBER, "label", NULL},
    {"date", MEMBER, "date", NULL},
    {"commit", MEMBER, "commit", NULL},
    {"set", MEMBER, "set", NULL},
    {"host", MEMBER, "name", "host"},
    {"suite", MEMBER, "suite", NULL},
    {"schema", MEMBER, "schema", NULL},
    {"key", MEMBER, "key", NULL},
    {"order", MEMBER, "order", NULL},
    {"tuning", MEMBER, "tuning", NULL},
    {"team_limit", MEMBER, "team_limit", NULL},
    {"session_boot", MEMBER, "boot", "session"},
    {"session_date", MEMBER, "date", "session"},
    {"device", DEVICE, NULL, NULL},
    {"device_uuid", MEMBER, "uuid", "device"},
    {"platform", MEMBER, "platform", NULL},
    {"version", MEMBER, "version", NULL},
    {"input_hash", MEMBER, "input_hash", NULL},
    {"vertices", MEMBER, "vertices", NULL},
    {"edges", MEMBER, "edges", NULL},
    {"triangles", MEMBER, "triangles", NULL},
    {"configuration_hash", MEMBER, "configuration_hash", NULL},
    {"kernel_hash", MEMBER, "kernel_hash", NULL},
    {"program_hash", MEMBER, "program_hash", NULL},
    {"end_to_end_ns", SAMPLE, "end_to_end_ns", NULL},
    {"cpu_ns", SAMPLE, "cpu_ns", NULL},
    {"preempted", SAMPLE, "preempted", NULL},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static bool has_column(const char *name)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (strcmp(columns[i].name, name) == 0) return true;
    return false;
}

static void print_text(const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"') putchar('"');
        putchar(*text);
    }
    putchar('"');
}

/* Prints a value; prints nothing for one that is missing, an object or an array. */
static void print_value(const json_t *value)
{
    if (json_is_string(value)) print_text(json_string_value(value));
    if (json_is_integer(value)) printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    if (json_is_real(value)) printf("%.10g", json_real_value(value));
    if (json_is_boolean(value)) fputs(json_is_true(value) ? "true" : "false", stdout);
}

/* Collects the names of options that occur in any record, as members of an object (mu_spool_each). Each becomes a
 * column. */
static int list_options(void *context, json_t *record, struct mu_error *err)
{
    struct mu_json *names = context;
    const char *name;
    json_t *value;
    (void)err;
    json_object_foreach (json_object_get(record, "configuration"), name, value)
        if (!has_column(name) && json_object_get(names->value, name) == NULL) mu_json_set_flag(names, name, true);
    return MU_OK;
}

static void print_column(const struct column *column, const json_t *record, size_t sample, bool there)
{
    const json_t *from = column->of != NULL ? json_object_get(record, column->of) : record;
    const json_t *teams = json_object_get(record, "teams");
    switch (column->source) {
    case MEMBER:
        print_value(json_object_get(from, column->member));
        return;
    case KIND:
        fputs(mu_record_kind(record), stdout);
        return;
    case INDEX:
        if (there) printf("%zu", sample);
        return;
    case TEAM:
        print_value(json_array_get(teams, sample) != NULL ? json_array_get(teams, sample)
                                                          : json_object_get(record, column->member));
        return;
    case DEVICE:
        print_text(mu_record_device(record));
        return;
    case SAMPLE:
        print_value(json_array_get(json_object_get(record, column->member), sample));
        return;
    }
}

static void print_row(const json_t *record, const json_t *options, size_t sample, bool there)
{
    const char *name;
    json_t *listed;
    for (size_t i = 0; i < COLUMNS; i++) {
        if (i > 0) putchar(',');
        print_column(&columns[i], record, sample, there);
    }
    json_object_foreach ((json_t *)options, name, listed) {
        putchar(',');
        print_value(json_object_get(json_object_get(record, "configuration"), name));
    }
    putchar('\n');
}

/* Prints the rows of a record (mu_spool_each). */
static int print_rows(void *context, json_t *record, struct mu_error *err)
{
    const json_t *options = context;
    const size_t count = json_array_size(json_object_get(record, "samples_ns"));
    (void)err;
    for (size_t sample = 0; sample < count; sample++) print_row(record, options, sample, true);
    if (count == 0) print_row(record, options, 0, false);
    return MU_OK;
}

int mu_results_print_csv(struct mu_spool *spool, struct mu_error *err)
{
    const char *name;
    json_t *listed;
    struct mu_json built = mu_json_object();
    mu_spool_each(spool, NULL, list_options, &built, err);
    json_t *options = mu_json_take(&built, "the names of options", err);
    if (options == NULL || err->status != MU_OK) {
        json_decref(options);
        return err->status;
    }
    for (size_t c = 0; c < COLUMNS; c++) printf("%s%s", c > 0 ? "," : "", columns[c].name);
    json_object_foreach (options, name, listed) printf(",%s", name);
    putchar('\n');
    mu_spool_each(spool, NULL, print_rows, options, err);
    json_decref(options);
    return err->status;
}
