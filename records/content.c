#include "records/content.h"

#include "records/scan.h"

#include <string.h>

static uint64_t hash_real(double number)
{
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    return mu_content_number(MU_CONTENT_REAL, bits);
}

static uint64_t hash_array(const json_t *array)
{
    uint64_t hash = MU_CONTENT_ARRAY;
    for (size_t i = 0; i < json_array_size(array); i++)
        hash = mu_content_element(hash, mu_content_hash(json_array_get(array, i)));
    return hash;
}

static uint64_t hash_object(const json_t *object)
{
    const char *name;
    json_t *member;
    uint64_t sum = 0;
    json_object_foreach ((json_t *)object, name, member)
        sum += mu_content_member(mu_content_text(name, strlen(name)), mu_content_hash(member));
    return mu_content_number(MU_CONTENT_OBJECT, sum);
}

uint64_t mu_content_hash(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return hash_object(value);
    case JSON_ARRAY:
        return hash_array(value);
    case JSON_STRING:
        return mu_content_text(json_string_value(value), json_string_length(value));
    case JSON_INTEGER:
        return mu_content_number(MU_CONTENT_INTEGER, (uint64_t)json_integer_value(value));
    case JSON_REAL:
        return hash_real(json_real_value(value));
    case JSON_TRUE:
        return MU_CONTENT_TRUE;
    case JSON_FALSE:
        return MU_CONTENT_FALSE;
    case JSON_NULL:
        return MU_CONTENT_NULL;
    }
    return 0;
}
