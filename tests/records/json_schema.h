/* A validator for the part of JSON Schema (draft 2020-12) that doc/record.schema.json uses. A keyword that it does not
 * know makes everything invalid, so that no rule is passed over. */
#ifndef MU_TESTS_JSON_SCHEMA_H
#define MU_TESTS_JSON_SCHEMA_H

#include <jansson.h>
#include <regex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SCHEMA_WHY_BYTES = 256, SCHEMA_PLACE_BYTES = 128 };

/* The state of a validation: where it is, and what was wrong first. */
struct schema_run {
    const json_t *root;
    char place[SCHEMA_PLACE_BYTES]; /* "/device/uuid" */
    char why[SCHEMA_WHY_BYTES];
};

static bool schema_valid(struct schema_run *run, const json_t *schema, const json_t *value);

__attribute__((format(printf, 2, 3))) static bool schema_refuse(struct schema_run *run, const char *format, ...)
{
    va_list arguments;
    char what[SCHEMA_WHY_BYTES / 2];
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (run->why[0] == '\0') snprintf(run->why, sizeof run->why, "%.120s: %.120s", run->place, what);
    return false;
}

/* Validates a member or an element, whose name is part of the place meanwhile. */
static bool schema_below(struct schema_run *run, const char *name, const json_t *schema, const json_t *value)
{
    const size_t length = strlen(run->place);
    snprintf(run->place + length, sizeof run->place - length, "/%s", name);
    const bool valid = schema_valid(run, schema, value);
    run->place[length] = '\0';
    return valid;
}

/* Whether a schema holds, without a word on why it does not. */
static bool schema_holds(const struct schema_run *run, const json_t *schema, const json_t *value)
{
    struct schema_run silent = *run;
    return schema_valid(&silent, schema, value);
}

static bool schema_is_type(const char *name, const json_t *value)
{
    if (strcmp(name, "integer") == 0)
        return json_is_integer(value) ||
               (json_is_real(value) && json_real_value(value) == (double)(json_int_t)json_real_value(value));
    return (strcmp(name, "object") == 0 && json_is_object(value)) ||
           (strcmp(name, "array") == 0 && json_is_array(value)) ||
           (strcmp(name, "string") == 0 && json_is_string(value)) ||
           (strcmp(name, "number") == 0 && json_is_number(value)) ||
           (strcmp(name, "boolean") == 0 && json_is_boolean(value)) ||
           (strcmp(name, "null") == 0 && json_is_null(value));
}

/* ---- One function for each keyword ---- */

static bool schema_type(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value)
{
    size_t i;
    json_t *name;
    (void)schema;
    if (json_is_string(rule) && schema_is_type(json_string_value(rule), value)) return true;
    json_array_foreach ((json_t *)rule, i, name)
        if (schema_is_type(json_string_value(name), value)) return true;
    return schema_refuse(run, "has another type");
}

static bool schema_const(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value)
{
    (void)schema;
    return json_equal(rule, value) || schema_refuse(run, "has another value");
}

static bool schema_enum(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value)
{
    size_t i;
    json_t *allowed;
    (void)schema;
    json_array_foreach ((json_t *)rule, i, allowed)
        if (json_equal(allowed, value)) return true;
    return schema_refuse(run, "is none of the values that there are");
}

enum { SCHEMA_PATTERNS = 64, SCHEMA_PATTERN_BYTES = 128 };

/* A pattern, compiled once for all records; NULL: it is none, or one too many. */
static const regex_t *schema_compiled(const char *text)
{
    static struct {
        char text[SCHEMA_PATTERN_BYTES];
        regex_t compiled;
    } kept[SCHEMA_PATTERNS];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(kept[i].text, text) == 0) return &kept[i].compiled;
    if (count == SCHEMA_PATTERNS || strlen(text) >= SCHEMA_PATTERN_BYTES ||
        regcomp(&kept[count].compiled, text, REG_EXTENDED | REG_NOSUB) != 0)
        return NULL;
    snprintf(kept[count].text, SCHEMA_PATTERN_BYTES, "%s", text);
    return &kept[count++].compiled;
}

static bool schema_pattern(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value)
{
    (void)schema;
    if (!json_is_string(value)) return true;
    const regex_t *pattern = schema_compiled(json_string_value(rule));
    if (pattern == NULL)
        return schema_refuse(run, "the schema's pattern is none that can be compiled, or one too many");
    return regexec(pattern, json_string_value(value), 0, NULL, 0) == 0 ||
           schema_refuse(run, "has another form: %s", json_string_value(value));
}

static bool schema_minimum(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value)
{
    (void)schema;
    return !json_is_number(value) || json_number_value(value) >= json_number_value(rule) ||
           schema_refuse(run, "is too small: %g", json_number_value(value));
}

static bool schema_items(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value)
{
    size_t i;
    json_t *element;
    (void)schema;
    json_array_foreach ((json_t *)value, i, element) {
        char name[24];
        snprintf(name, sizeof name, "%zu", i);
        if (!schema_below(run, name, rule, element)) return false;
    }
    return true;
}

static bool schema_properties(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value)
{
    const char *name;
    json_t *below;
    (void)schema;
    json_object_foreach ((json_t *)rule, name, below) {
        const json_t *member = json_object_get(value, name);
        if (member != NULL && !schema_below(run, name, below, member)) return false;
    }
    return true;
}

static bool schema_additional(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value)
{
    const char *name;
    json_t *member;
    json_object_foreach ((json_t *)value, name, member)
        if (json_object_get(json_object_get(schema, "properties"), name) == NULL &&
            !schema_below(run, name, rule, member))
            return false;
    return true;
}

static bool schema_required(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value)
{
    size_t i;
    json_t *name;
    (void)schema;
    json_array_foreach ((json_t *)rule, i, name)
        if (json_is_object(value) && json_object_get(value, json_string_value(name)) == NULL)
            return schema_refuse(run, "lacks %s", json_string_value(name));
    return true;
}

static bool schema_all(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value)
{
    size_t i;
    json_t *part;
    (void)schema;
    json_array_foreach ((json_t *)rule, i, part)
        if (!schema_valid(run, part, value)) return false;
    return true;
}

static bool schema_if(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value)
{
    const json_t *branch = json_object_get(schema, schema_holds(run, rule, value) ? "then" : "else");
    return branch == NULL || schema_valid(run, branch, value);
}

/* "#/$defs/name" */
static bool schema_ref(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value)
{
    static const char before[] = "#/$defs/";
    const char *path = json_string_value(rule);
    const json_t *target = NULL;
    (void)schema;
    if (path != NULL && strncmp(path, before, sizeof before - 1) == 0)
        target = json_object_get(json_object_get(run->root, "$defs"), path + sizeof before - 1);
    return target != NULL ? schema_valid(run, target, value) : schema_refuse(run, "the schema has no such part");
}

static bool schema_word(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value)
{
    (void)run, (void)rule, (void)schema, (void)value;
    return true;
}

static const struct {
    const char *name;
    bool (*holds)(struct schema_run *run, const json_t *rule, const json_t *schema, const json_t *value);
} schema_keywords[] = {
    {"type", schema_type},
    {"const", schema_const},
    {"enum", schema_enum},
    {"pattern", schema_pattern},
    {"minimum", schema_minimum},
    {"items", schema_items},
    {"properties", schema_properties},
    {"additionalProperties", schema_additional},
    {"required", schema_required},
    {"allOf", schema_all},
    {"if", schema_if},
    {"then", schema_word}, /* schema_if's */
    {"else", schema_word},
    {"$ref", schema_ref},
    {"$defs", schema_word},
    {"$schema", schema_word},
    {"title", schema_word},
    {"description", schema_word},
};

static bool schema_rule(struct schema_run *run, const char *keyword, const json_t *schema, const json_t *value)
{
    for (size_t i = 0; i < sizeof schema_keywords / sizeof schema_keywords[0]; i++)
        if (strcmp(schema_keywords[i].name, keyword) == 0)
            return schema_keywords[i].holds(run, json_object_get(schema, keyword), schema, value);
    return schema_refuse(run, "the schema has a keyword that is not known here: %s", keyword);
}

static bool schema_valid(struct schema_run *run, const json_t *schema, const json_t *value)
{
    const char *keyword;
    json_t *rule;
    if (json_is_true(schema)) return true;
    if (!json_is_object(schema)) return schema_refuse(run, "is not allowed here");
    json_object_foreach ((json_t *)schema, keyword, rule)
        if (!schema_rule(run, keyword, schema, value)) return false;
    return true;
}

/* Whether the schema allows the value; run->why tells why not. */
static inline bool schema_allows(struct schema_run *run, const json_t *schema, const json_t *value)
{
    *run = (struct schema_run){.root = schema};
    return schema_valid(run, schema, value);
}

#endif
