#include "base/option.h"

#include "base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MU_ORIGIN_NAME(name, text) text,
const char *const mu_origin_names[] = {MU_ORIGIN_TABLE(MU_ORIGIN_NAME)};

/* Appends a text to a list of `bytes` bytes, as far as there is room. */
static void append(char *list, size_t bytes, const char *separator, const char *text)
{
    const size_t used = strlen(list);
    snprintf(list + used, bytes - used, "%s%s", used != 0 ? separator : "", text);
}

/* ---- Rows ---- */

size_t mu_option_count(const struct mu_option *rows)
{
    size_t count = 0;
    while (rows[count].name != NULL) count++;
    return count;
}

int mu_option_find(const struct mu_option *rows, const char *name)
{
    for (int i = 0; rows[i].name != NULL; i++)
        if (strcmp(rows[i].name, name) == 0) return i;
    return -1;
}

void mu_option_spell(const struct mu_option *row, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s", row->option != NULL ? row->option : row->name);
    for (char *c = text; *c != '\0'; c++)
        if (*c == '_') *c = '-';
}

struct mu_value mu_option_default(const struct mu_option *row)
{
    struct mu_error ignored = {0};
    struct mu_value value = {.from = MU_FROM_NOBODY};
    if (row->otherwise != NULL && mu_option_parse(row, row->otherwise, &value, &ignored) == MU_OK)
        value.from = MU_FROM_DEFAULT;
    return value;
}

/* ---- Text into a value ---- */

/* Writes the words of an option, before its choices or range: "auto, none or ". */
static void list_words(const struct mu_option *row, char *text, size_t bytes)
{
    text[0] = '\0';
    for (size_t i = 0; i < MU_MAX_WORDS && row->words[i].name != NULL; i++)
        append(text, bytes, ", ", row->words[i].name);
    if (text[0] != '\0') append(text, bytes, "", " or ");
}

static int refuse(const struct mu_option *row, const char *text, struct mu_error *err)
{
    char name[64], words[64] = "";
    mu_option_spell(row, name, sizeof name);
    for (size_t i = 0; i < MU_MAX_WORDS && row->words[i].name != NULL; i++) {
        append(words, sizeof words, "", ", nor ");
        append(words, sizeof words, "", row->words[i].name);
    }
    if (row->prefix != NULL)
        return mu_fail(err, MU_USAGE, "--%s=%s: not %sK with a positive number K up to %g%s", name, text, row->prefix,
                       row->most, words);
    if (row->type == MU_OPTION_real)
        return mu_fail(err, MU_USAGE, "--%s=%s: not a positive number of %s up to %g%s", name, text, row->unit,
                       row->most, words);
    if (row->type == MU_OPTION_flag) return mu_fail(err, MU_USAGE, "--%s=%s: neither true nor false", name, text);
    return mu_fail(err, MU_USAGE, "--%s=%s: not a whole number from %" PRIu64 " to %" PRIu64 "%s", name, text, row->min,
                   row->max, words);
}

static int parse_number(const struct mu_option *row, const char *text, uint64_t *number, struct mu_error *err)
{
    uint64_t value;
    if (!mu_number_whole(text, row->min, row->max, &value)) return refuse(row, text, err);
    if ((row->is & MU_OPTION_POWER) != 0 && (value & (value - 1)) != 0)
        return mu_fail(err, MU_USAGE, "--%s=%s: not a power of two", row->name, text);
    *number = value;
    return MU_OK;
}

static int parse_real(const struct mu_option *row, const char *text, double *real, struct mu_error *err)
{
    double value;
    const size_t skipped = row->prefix != NULL ? strlen(row->prefix) : 0;
    if (skipped != 0 && (text == NULL || strncmp(text, row->prefix, skipped) != 0)) return refuse(row, text, err);
    if (!mu_number_real(text + skipped, &value) || value <= 0 || value > row->most) return refuse(row, text, err);
    *real = value;
    return MU_OK;
}

static int parse_flag(const struct mu_option *row, const char *text, uint64_t *number, struct mu_error *err)
{
    const bool otherwise = row->otherwise != NULL && strcmp(row->otherwise, "true") == 0;
    if (text != NULL && strcmp(text, "true") != 0 && strcmp(text, "false") != 0) return refuse(row, text, err);
    *number = text != NULL ? strcmp(text, "true") == 0 : !otherwise;
    return MU_OK;
}

static int parse_choice(const struct mu_option *row, const char *text, uint64_t *number, struct mu_error *err)
{
    int index = 0;
    char name[64];
    mu_option_spell(row, name, sizeof name);
    if (mu_choice_find(row->choices, name, text, &index, err) == MU_OK) *number = (uint64_t)index;
    return err->status;
}

int mu_option_parse(const struct mu_option *row, const char *text, struct mu_value *value, struct mu_error *err)
{
    struct mu_value read = {.from = MU_FROM_OPTION};
    for (size_t i = 0; text != NULL && i < MU_MAX_WORDS && row->words[i].name != NULL; i++)
        if (strcmp(row->words[i].name, text) == 0) {
            read.number = row->words[i].value;
            read.real = row->words[i].value;
            *value = read;
            return MU_OK;
        }
    int status = MU_OK;
    if (row->choices != NULL)
        status = parse_choice(row, text, &read.number, err);
    else if (row->type == MU_OPTION_real)
        status = parse_real(row, text, &read.real, err);
    else if (row->type == MU_OPTION_flag)
        status = parse_flag(row, text, &read.number, err);
    else
        status = parse_number(row, text, &read.number, err);
    if (status == MU_OK) *value = read;
    return status;
}

/* ---- A value into text and JSON ---- */

/* Returns the word that stands for a value, or the name of its choice; NULL for a plain number. */
static const char *word_of(const struct mu_option *row, const struct mu_value *value)
{
    const double number = row->type == MU_OPTION_real ? value->real : (double)value->number;
    for (size_t i = 0; i < MU_MAX_WORDS && row->words[i].name != NULL; i++)
        if (number == row->words[i].value) return row->words[i].name;
    return row->choices != NULL ? row->choices[value->number].name : NULL;
}

/* Writes the shortest text that is read back as the same number, behind its prefix. */
static void format_real(const struct mu_option *row, double real, char text[MU_VALUE_TEXT])
{
    const char *prefix = row->prefix != NULL ? row->prefix : "";
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, MU_VALUE_TEXT, "%s%.*g", prefix, digits, real);
        if (strtod(text + strlen(prefix), NULL) == real) return;
    }
}

void mu_option_format(const struct mu_option *row, const struct mu_value *value, char text[MU_VALUE_TEXT])
{
    const char *word = word_of(row, value);
    if (word != NULL)
        snprintf(text, MU_VALUE_TEXT, "%s", word);
    else if (row->type == MU_OPTION_real)
        format_real(row, value->real, text);
    else if (row->type == MU_OPTION_flag)
        snprintf(text, MU_VALUE_TEXT, "%s", value->number != 0 ? "true" : "false");
    else
        snprintf(text, MU_VALUE_TEXT, "%" PRIu64, value->number);
}

bool mu_option_same(const struct mu_option *row, const struct mu_value *a, const struct mu_value *b)
{
    return row->type == MU_OPTION_real ? a->real == b->real : a->number == b->number;
}

json_t *mu_option_to_json(const struct mu_option *row, const struct mu_value *value)
{
    const char *word = word_of(row, value);
    if (word != NULL) return json_string(word);
    if (row->prefix != NULL) {
        char text[MU_VALUE_TEXT];
        mu_option_format(row, value, text);
        return json_string(text);
    }
    if (row->type == MU_OPTION_real) return json_real(value->real);
    if (row->type == MU_OPTION_flag) return json_boolean(value->number != 0);
    return json_integer((json_int_t)value->number);
}

int mu_option_from_json(const struct mu_option *row, const json_t *json, struct mu_value *value, struct mu_error *err)
{
    char text[MU_VALUE_TEXT];
    if (json_is_string(json)) return mu_option_parse(row, json_string_value(json), value, err);
    if (json_is_real(json))
        format_real(row, json_real_value(json), text);
    else if (json_is_boolean(json))
        snprintf(text, sizeof text, "%s", json_is_true(json) ? "true" : "false");
    else
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
    return mu_option_parse(row, text, value, err);
}

/* ---- Members ---- */

struct mu_value mu_option_get(const struct mu_option *row, const void *values)
{
    struct mu_value value = {.from = MU_FROM_NOBODY};
    const char *member = (const char *)values + row->offset;
    if (row->type == MU_OPTION_uint) value.number = *(const mu_option_uint *)member;
    if (row->type == MU_OPTION_ulong) value.number = *(const mu_option_ulong *)member;
    if (row->type == MU_OPTION_flag) value.number = *(const mu_option_flag *)member;
    if (row->type == MU_OPTION_real) value.real = *(const mu_option_real *)member;
    return value;
}

void mu_option_put(const struct mu_option *row, const struct mu_value *value, void *values)
{
    char *member = (char *)values + row->offset;
    if (row->type == MU_OPTION_uint) *(mu_option_uint *)member = (uint32_t)value->number;
    if (row->type == MU_OPTION_ulong) *(mu_option_ulong *)member = value->number;
    if (row->type == MU_OPTION_flag) *(mu_option_flag *)member = value->number != 0;
    if (row->type == MU_OPTION_real) *(mu_option_real *)member = value->real;
}

/* ---- Help ---- */

/* Writes words and choices as "a, b or c"; "" if the option has no choices. */
static void list_choices(const struct mu_option *row, char *text, size_t bytes)
{
    text[0] = '\0';
    for (size_t i = 0; row->choices != NULL && i < MU_MAX_WORDS && row->words[i].name != NULL; i++)
        append(text, bytes, ", ", row->words[i].name);
    for (size_t i = 0; row->choices != NULL && row->choices[i].name != NULL; i++)
        append(text, bytes, row->choices[i + 1].name == NULL ? " or " : ", ", row->choices[i].name);
}

void mu_option_describe(const struct mu_option *row, char *text, size_t bytes)
{
    char takes[160] = "", words[64];
    list_choices(row, takes, sizeof takes);
    list_words(row, words, sizeof words);
    if ((row->is & MU_OPTION_BUILD) != 0 && row->type == MU_OPTION_uint && row->choices == NULL)
        snprintf(takes, sizeof takes, "%s%" PRIu64 " to %" PRIu64, words, row->min, row->max);
    else if (row->prefix != NULL)
        snprintf(takes, sizeof takes, "%s%sK", words, row->prefix);
    else if (words[0] != '\0' && row->choices == NULL)
        snprintf(takes, sizeof takes, "%sa number", words);
    const char *usual = row->usual != NULL ? row->usual : row->otherwise;
    const bool turns = row->type == MU_OPTION_flag;
    text[0] = '\0';
    append(text, bytes, "", row->help);
    if (takes[0] != '\0') append(text, bytes, ": ", takes);
    if (usual != NULL && !turns) {
        append(text, bytes, "", " (default: ");
        append(text, bytes, "", usual);
        append(text, bytes, "", ")");
    }
}
