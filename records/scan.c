#include "records/scan.h"

#include "base/memory.h"
#include "records/content.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 128, CACHED = 256, MEMBERS_MAX = 96, DEPTH_MAX = 16, DIGITS_MAX = 19, REAL_MAX = 40, NAME_BYTES = 256 };

/* One level of names that are wanted: a table of hashes. */
struct choice {
    uint64_t hash;
    char *name;              /* NULL: the slot is empty */
    struct selection *inner; /* of an object; NULL: all of it */
};
struct selection {
    struct choice slots[SLOTS];
    size_t count;
};

/* Objects that are equal in many records, such as where options come from, are made once. */
struct cached {
    char *text;
    size_t bytes;
    json_t *value;
};

struct mu_scan {
    struct selection *selection; /* NULL: all members */
    struct cached cached[CACHED];
};

/* Where a scan is in a line. */
struct cursor {
    const char *at, *end;
    struct mu_scan *scan;
    unsigned depth;
};

/* What a scan makes of a value: nothing, all of it, or the members that `only` names. */
struct making {
    bool wanted;
    const struct selection *only;
};
static const struct making nothing = {false, NULL}, everything = {true, NULL};

/* ---- What is wanted ---- */

static void free_selection(struct selection *selection)
{
    for (size_t i = 0; selection != NULL && i < SLOTS; i++) {
        free_selection(selection->slots[i].inner);
        mu_free(selection->slots[i].name);
    }
    mu_free(selection);
}

/* Returns the slot of a name, or the empty one that it would have. */
static struct choice *find_slot(const struct selection *selection, uint64_t hash)
{
    size_t place = hash % SLOTS;
    while (selection->slots[place].name != NULL && selection->slots[place].hash != hash) place = (place + 1) % SLOTS;
    return (struct choice *)&selection->slots[place];
}

/* Adds a wanted member. Names may come in any order: all of an object is made if any name asks for that. */
static int want(struct selection *selection, const char *name, struct mu_error *err)
{
    const size_t length = strcspn(name, ".");
    const uint64_t hash = mu_content_text(name, length);
    struct choice *slot = find_slot(selection, hash);
    const bool is_new = slot->name == NULL;
    if (is_new) {
        if (++selection->count == SLOTS) return mu_fail(err, MU_LIMIT, "more than %d members are wanted", SLOTS);
        slot->hash = hash;
        slot->name = mu_format(err, "%.*s", (int)length, name);
        if (slot->name == NULL) return MU_NO_MEMORY;
    }
    if (name[length] == '\0') {
        free_selection(slot->inner);
        slot->inner = NULL;
        return MU_OK;
    }
    if (is_new) slot->inner = mu_calloc(1, sizeof *slot->inner, "members", err);
    if (is_new && slot->inner == NULL) return MU_NO_MEMORY;
    return slot->inner != NULL ? want(slot->inner, name + length + 1, err) : MU_OK;
}

struct mu_scan *mu_scan_new(const char *const *wanted, struct mu_error *err)
{
    struct mu_scan *scan = mu_calloc(1, sizeof *scan, "members of records", err);
    if (scan == NULL || wanted == NULL) return scan;
    scan->selection = mu_calloc(1, sizeof *scan->selection, "members of records", err);
    for (; scan->selection != NULL && *wanted != NULL && err->status == MU_OK; wanted++)
        want(scan->selection, *wanted, err);
    if (err->status == MU_OK) return scan;
    mu_scan_free(scan);
    return NULL;
}

void mu_scan_free(struct mu_scan *scan)
{
    if (scan == NULL) return;
    free_selection(scan->selection);
    for (size_t i = 0; i < CACHED; i++) {
        mu_free(scan->cached[i].text);
        json_decref(scan->cached[i].value);
    }
    mu_free(scan);
}

/* ---- Words, texts and numbers ---- */

static void pass_space(struct cursor *cursor)
{
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t' || *cursor->at == '\r')) cursor->at++;
}

static bool take_byte(struct cursor *cursor, char byte)
{
    if (cursor->at == cursor->end || *cursor->at != byte) return false;
    cursor->at++;
    return true;
}

/* Takes a text between quotes, of plain characters. */
static bool take_text(struct cursor *cursor, const char **text, size_t *length)
{
    if (!take_byte(cursor, '"')) return false;
    const char *at = cursor->at;
    while (at < cursor->end && *at >= ' ' && *at < 0x7f && *at != '"' && *at != '\\') at++;
    *text = cursor->at;
    *length = (size_t)(at - cursor->at);
    cursor->at = at;
    return take_byte(cursor, '"');
}

/* Passes digits, and returns how many. */
static size_t take_digits(struct cursor *cursor)
{
    const char *start = cursor->at;
    while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') cursor->at++;
    return (size_t)(cursor->at - start);
}

static bool take_real(struct cursor *cursor, const char *start, json_t **made, uint64_t *hash)
{
    char text[REAL_MAX + 1], *rest = NULL;
    uint64_t bits = 0;
    if (take_byte(cursor, '.') && take_digits(cursor) == 0) return false;
    if (take_byte(cursor, 'e') || take_byte(cursor, 'E')) {
        if (!take_byte(cursor, '-')) take_byte(cursor, '+');
        if (take_digits(cursor) == 0) return false;
    }
    const size_t length = (size_t)(cursor->at - start);
    if (length > REAL_MAX) return false;
    memcpy(text, start, length);
    text[length] = '\0';
    const double number = strtod(text, &rest);
    if (!isfinite(number) || *rest != '\0') return false;
    memcpy(&bits, &number, sizeof bits);
    *hash = mu_content_number(MU_CONTENT_REAL, bits);
    if (made != NULL) *made = json_real(number);
    return made == NULL || *made != NULL;
}

static bool take_number(struct cursor *cursor, json_t **made, uint64_t *hash)
{
    const char *start = cursor->at;
    const bool negative = take_byte(cursor, '-');
    const char *first = cursor->at;
    const size_t digits = take_digits(cursor);
    uint64_t number = 0;
    if (digits == 0 || (digits > 1 && *first == '0')) return false;
    if (cursor->at < cursor->end && (*cursor->at == '.' || *cursor->at == 'e' || *cursor->at == 'E'))
        return take_real(cursor, start, made, hash);
    if (digits > DIGITS_MAX) return false;
    for (; first < cursor->at; first++) number = 10 * number + (uint64_t)(*first - '0');
    if (number > INT64_MAX) return false;
    const json_int_t whole = negative ? -(json_int_t)number : (json_int_t)number;
    *hash = mu_content_number(MU_CONTENT_INTEGER, (uint64_t)whole);
    if (made != NULL) *made = json_integer(whole);
    return made == NULL || *made != NULL;
}

static bool take_word(struct cursor *cursor, json_t **made, uint64_t *hash)
{
    const struct {
        const char *word;
        json_t *value;
        uint64_t hash;
    } words[] = {{"true", json_true(), MU_CONTENT_TRUE},
                 {"false", json_false(), MU_CONTENT_FALSE},
                 {"null", json_null(), MU_CONTENT_NULL}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(words[i].word);
        if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, words[i].word, length) != 0) continue;
        cursor->at += length;
        *hash = words[i].hash;
        if (made != NULL) *made = words[i].value;
        return true;
    }
    return false;
}

/* ---- Arrays and objects ---- */

static bool take_value(struct cursor *cursor, struct making making, json_t **made, uint64_t *hash);

static bool take_elements(struct cursor *cursor, json_t *array, uint64_t *hash)
{
    *hash = MU_CONTENT_ARRAY;
    pass_space(cursor);
    if (take_byte(cursor, ']')) return true;
    do {
        json_t *element = NULL;
        uint64_t of_element = 0;
        if (!take_value(cursor, array != NULL ? everything : nothing, &element, &of_element)) return false;
        if (array != NULL && json_array_append_new(array, element) != 0) return false;
        *hash = mu_content_element(*hash, of_element);
    } while (take_byte(cursor, ','));
    return take_byte(cursor, ']');
}

/* Which hashes an object's names have had: a name that is there twice is for the parser to refuse. */
struct names {
    uint64_t hash[MEMBERS_MAX];
    size_t count;
};

static bool note_name(struct names *names, uint64_t hash)
{
    bool known = false;
    if (names->count == MEMBERS_MAX) return false;
    for (size_t i = 0; i < names->count; i++) known |= names->hash[i] == hash;
    names->hash[names->count++] = hash;
    return !known;
}

static int set_member(json_t *object, const char *name, size_t length, json_t *value)
{
    char text[NAME_BYTES];
    memcpy(text, name, length);
    text[length] = '\0';
    return json_object_set_new_nocheck(object, text, value);
}

static bool take_member(struct cursor *cursor, struct making making, json_t *object, struct names *names, uint64_t *sum)
{
    const char *name = NULL;
    size_t length = 0;
    uint64_t of_value = 0;
    json_t *value = NULL;
    struct making inner = making;
    pass_space(cursor);
    if (!take_text(cursor, &name, &length) || length >= NAME_BYTES) return false;
    const uint64_t of_name = mu_content_text(name, length);
    if (!note_name(names, of_name)) return false;
    pass_space(cursor);
    if (!take_byte(cursor, ':')) return false;
    if (making.only != NULL) {
        const struct choice *choice = find_slot(making.only, of_name);
        inner = (struct making){choice->name != NULL, choice->inner};
    }
    if (!take_value(cursor, inner, &value, &of_value)) return false;
    *sum += mu_content_member(of_name, of_value);
    return !inner.wanted || set_member(object, name, length, value) == 0;
}

static bool take_members(struct cursor *cursor, struct making making, json_t *object, uint64_t *hash)
{
    struct names names;
    uint64_t sum = 0;
    names.count = 0;
    pass_space(cursor);
    if (!take_byte(cursor, '}')) {
        do
            if (!take_member(cursor, making, object, &names, &sum)) return false;
        while (take_byte(cursor, ','));
        if (!take_byte(cursor, '}')) return false;
    }
    *hash = mu_content_number(MU_CONTENT_OBJECT, sum);
    return true;
}

static bool take_array(struct cursor *cursor, bool wanted, json_t **made, uint64_t *hash)
{
    json_t *array = wanted ? json_array() : NULL;
    cursor->at++;
    if ((wanted && array == NULL) || !take_elements(cursor, array, hash)) {
        json_decref(array);
        return false;
    }
    *made = array;
    return true;
}

static bool take_object(struct cursor *cursor, struct making making, json_t **made, uint64_t *hash)
{
    json_t *object = making.wanted ? json_object() : NULL;
    cursor->at++;
    if ((making.wanted && object == NULL) || !take_members(cursor, making, object, hash)) {
        json_decref(object);
        return false;
    }
    *made = object;
    return true;
}

/* Takes an object of which all is wanted. It is passed over first, and made unless an equal one was made before. */
static bool take_shared(struct cursor *cursor, json_t **made, uint64_t *hash)
{
    const char *start = cursor->at;
    json_t *none = NULL;
    if (!take_object(cursor, nothing, &none, hash)) return false;
    const size_t bytes = (size_t)(cursor->at - start);
    struct cached *cached = &cursor->scan->cached[*hash % CACHED];
    if (cached->bytes != bytes || memcmp(cached->text, start, bytes) != 0) {
        char *text = mu_malloc(bytes, 1, "an object", NULL);
        cursor->at = start;
        if (text == NULL || !take_object(cursor, everything, made, hash)) {
            mu_free(text);
            return false;
        }
        memcpy(text, start, bytes);
        mu_free(cached->text);
        json_decref(cached->value);
        *cached = (struct cached){text, bytes, *made};
    }
    *made = json_incref(cached->value);
    return true;
}

static bool take_nested(struct cursor *cursor, struct making making, json_t **made, uint64_t *hash)
{
    if (cursor->depth == DEPTH_MAX) return false;
    cursor->depth++;
    const bool shared = making.wanted && making.only == NULL && cursor->depth == 2 && *cursor->at == '{';
    const bool taken = shared               ? take_shared(cursor, made, hash)
                       : *cursor->at == '{' ? take_object(cursor, making, made, hash)
                                            : take_array(cursor, making.wanted, made, hash);
    cursor->depth--;
    return taken;
}

static bool take_plain_text(struct cursor *cursor, json_t **made, uint64_t *hash)
{
    const char *text = NULL;
    size_t length = 0;
    if (!take_text(cursor, &text, &length)) return false;
    *hash = mu_content_text(text, length);
    if (made != NULL) *made = json_stringn_nocheck(text, length);
    return made == NULL || *made != NULL;
}

static bool take_value(struct cursor *cursor, struct making making, json_t **made, uint64_t *hash)
{
    json_t **const wanted = making.wanted ? made : NULL;
    bool taken = false;
    pass_space(cursor);
    if (cursor->at == cursor->end) return false;
    switch (*cursor->at) {
    case '{':
    case '[':
        taken = take_nested(cursor, making, made, hash);
        break;
    case '"':
        taken = take_plain_text(cursor, wanted, hash);
        break;
    case 't':
    case 'f':
    case 'n':
        taken = take_word(cursor, wanted, hash);
        break;
    default:
        taken = take_number(cursor, wanted, hash);
    }
    pass_space(cursor);
    return taken;
}

json_t *mu_scan_line(struct mu_scan *scan, const char *text, size_t bytes, uint64_t *content)
{
    struct cursor cursor = {text, text + bytes, scan, 0};
    const struct making making = {true, scan->selection};
    json_t *object = NULL;
    pass_space(&cursor);
    if (cursor.at == cursor.end || *cursor.at != '{') return NULL;
    if (take_value(&cursor, making, &object, content) && cursor.at == cursor.end) return object;
    json_decref(object);
    return NULL;
}
