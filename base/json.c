#include "base/json.h"

#include "base/hash.h"
#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Building ---- */

struct mu_json mu_json_object(void)
{
    json_t *value = json_object();
    return (struct mu_json){value, value == NULL};
}

struct mu_json mu_json_array(void)
{
    json_t *value = json_array();
    return (struct mu_json){value, value == NULL};
}

struct mu_json mu_json_copy(const struct mu_json *from)
{
    struct mu_json copy = mu_json_object();
    mu_json_update(&copy, from->value); /* json_copy would not say that a member is missing */
    copy.lost = copy.lost || from->lost;
    return copy;
}

/* Returns a text as JSON; bytes that are not UTF-8 are replaced. */
static json_t *text_to_json(const char *text)
{
    if (text == NULL) return json_null();
    json_t *value = json_string(text);
    char *plain = value == NULL ? mu_strdup(text, NULL) : NULL;
    if (plain == NULL) return value;
    for (char *at = plain; *at != '\0'; at++)
        if ((unsigned char)*at >= 0x80) *at = '?';
    value = json_string(plain);
    mu_free(plain);
    return value;
}

static json_t *number_to_json(uint64_t number)
{
    return json_integer((json_int_t)number);
}

static json_t *real_to_json(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

void mu_json_set(struct mu_json *object, const char *name, json_t *value)
{
    if (json_object_set_new(object->value, name, value) != 0) object->lost = true;
}

void mu_json_set_text(struct mu_json *object, const char *name, const char *text)
{
    mu_json_set(object, name, text_to_json(text));
}

void mu_json_set_number(struct mu_json *object, const char *name, uint64_t number)
{
    mu_json_set(object, name, number_to_json(number));
}

void mu_json_set_real(struct mu_json *object, const char *name, double number)
{
    mu_json_set(object, name, real_to_json(number));
}

void mu_json_set_flag(struct mu_json *object, const char *name, bool flag)
{
    mu_json_set(object, name, json_boolean(flag));
}

void mu_json_set_hash(struct mu_json *object, const char *name, uint64_t hash)
{
    char text[MU_HASH_TEXT];
    mu_hash_text(hash, text);
    mu_json_set(object, name, json_string(text));
}

/* Moves the value of a part out, and passes its loss on to the whole. */
static json_t *move_part(struct mu_json *whole, struct mu_json *part)
{
    json_t *value = part->value;
    whole->lost = whole->lost || part->lost;
    *part = (struct mu_json){0};
    return value;
}

void mu_json_set_part(struct mu_json *object, const char *name, struct mu_json *part)
{
    mu_json_set(object, name, move_part(object, part));
}

void mu_json_update(struct mu_json *object, const json_t *more)
{
    if (more != NULL && json_object_update(object->value, (json_t *)more) != 0) object->lost = true;
}

void mu_json_append(struct mu_json *array, json_t *value)
{
    if (json_array_append_new(array->value, value) != 0) array->lost = true;
}

void mu_json_append_text(struct mu_json *array, const char *text)
{
    mu_json_append(array, text_to_json(text));
}

void mu_json_append_number(struct mu_json *array, uint64_t number)
{
    mu_json_append(array, number_to_json(number));
}

void mu_json_append_real(struct mu_json *array, double number)
{
    mu_json_append(array, real_to_json(number));
}

void mu_json_append_part(struct mu_json *array, struct mu_json *part)
{
    mu_json_append(array, move_part(array, part));
}

bool mu_json_place(struct mu_json *places, json_t *value, size_t *place)
{
    char *text = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY) : NULL;
    const json_t *known = text != NULL ? json_object_get(places->value, text) : NULL;
    *place = known != NULL ? (size_t)json_integer_value(known) : json_object_size(places->value);
    if (text == NULL)
        places->lost = true;
    else if (known == NULL)
        mu_json_set_number(places, text, *place);
    free(text);
    json_decref(value);
    return known == NULL;
}

json_t *mu_json_read_object(const char *path, struct mu_error *err)
{
    json_error_t error;
    json_t *value = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (json_is_object(value)) return value;
    if (value != NULL)
        mu_fail(err, MU_INPUT, "%s: not an object", path);
    else if (error.line < 0)
        mu_fail(err, MU_IO, "%s: %s", path, strerror(errno));
    else
        mu_fail(err, MU_INPUT, "%s:%d: %s", path, error.line, error.text);
    json_decref(value);
    return NULL;
}

json_t *mu_json_take(struct mu_json *json, const char *what, struct mu_error *err)
{
    json_t *value = json->value;
    const bool lost = json->lost || value == NULL;
    *json = (struct mu_json){0};
    if (!lost) return value;
    json_decref(value);
    mu_fail(err, MU_NO_MEMORY, "out of memory: %s", what);
    return NULL;
}

void mu_json_release(struct mu_json *json)
{
    json_decref(json->value);
    *json = (struct mu_json){0};
}

bool mu_json_can_hold(const char *text)
{
    json_t *value = json_string(text);
    const bool whole = value != NULL;
    json_decref(value);
    return whole;
}

/* ---- Reading ---- */

const char *mu_json_text_or(const json_t *object, const char *name, const char *otherwise)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : otherwise;
}

const char *mu_json_text(const json_t *object, const char *name)
{
    return mu_json_text_or(object, name, "");
}

double mu_json_real(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

uint64_t mu_json_number(const json_t *object, const char *name)
{
    return (uint64_t)json_integer_value(json_object_get(object, name));
}

uint32_t mu_json_count(const json_t *object, const char *name)
{
    const uint64_t number = mu_json_number(object, name);
    return number <= UINT32_MAX ? (uint32_t)number : 0;
}

bool mu_json_flag(const json_t *object, const char *name)
{
    return json_is_true(json_object_get(object, name));
}

bool mu_json_is(const json_t *object, const char *name, const char *text)
{
    const char *here = json_string_value(json_object_get(object, name));
    return here != NULL && strcmp(here, text) == 0;
}

double *mu_json_numbers(const json_t *array, size_t *count, struct mu_error *err)
{
    size_t i;
    json_t *number;
    *count = json_array_size(array);
    double *numbers = *count != 0 ? mu_malloc(*count, sizeof *numbers, "numbers", err) : NULL;
    if (numbers == NULL) return NULL;
    json_array_foreach ((json_t *)array, i, number) numbers[i] = json_number_value(number);
    return numbers;
}
