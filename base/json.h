/* JSON: building objects and arrays, and reading members of objects.
 *
 * A builder is an object or an array that grows. If something cannot be added because memory runs out, the builder
 * remembers the loss and accepts nothing more, and mu_json_take returns an error. So additions need no checks of their
 * own, and no record silently lacks a member. */
#ifndef MU_BASE_JSON_H
#define MU_BASE_JSON_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Building ---- */

struct mu_json {
    json_t *value; /* what has been built so far, owned; NULL when there was no memory for it */
    bool lost;     /* something could not be added */
};

/* Make a builder with an empty object or array, or with a shallow copy of an object. */
struct mu_json mu_json_object(void);
struct mu_json mu_json_array(void);
struct mu_json mu_json_copy(const struct mu_json *from);

/* Sets or replaces a member of an object. Takes over `value`, also after a failure; NULL, which jansson returns when
 * memory runs out, counts as a loss. */
void mu_json_set(struct mu_json *object, const char *name, json_t *value);

/* Set a member of an object. In a text that is not UTF-8, bytes from 0x80 on become question marks; NULL becomes null.
 * A real number that is not finite becomes null. A whole number from 2^63 on, which only a seed can be, is stored as
 * the negative number with the same bits, which mu_json_number reads back. A hash becomes 16 hexadecimal digits. */
void mu_json_set_text(struct mu_json *object, const char *name, const char *text);
void mu_json_set_number(struct mu_json *object, const char *name, uint64_t number);
void mu_json_set_real(struct mu_json *object, const char *name, double number);
void mu_json_set_flag(struct mu_json *object, const char *name, bool flag);
void mu_json_set_hash(struct mu_json *object, const char *name, uint64_t hash);

/* Moves a part into a member, with its loss if it has one; `part` is empty afterwards. */
void mu_json_set_part(struct mu_json *object, const char *name, struct mu_json *part);

/* Sets all members of `more`, which may be NULL. */
void mu_json_update(struct mu_json *object, const json_t *more);

/* Append an element to an array; values are as above. */
void mu_json_append(struct mu_json *array, json_t *value);
void mu_json_append_text(struct mu_json *array, const char *text);
void mu_json_append_number(struct mu_json *array, uint64_t number);
void mu_json_append_real(struct mu_json *array, double number);
void mu_json_append_part(struct mu_json *array, struct mu_json *part);

/* Reads a file that is one JSON object, each name in it once; the caller's. NULL with MU_IO for a file that cannot be
 * read, and with MU_INPUT, the file and the line for one that holds anything else. */
json_t *mu_json_read_object(const char *path, struct mu_error *err);

/* Returns what was built, which the caller releases (json_decref). NULL with MU_NO_MEMORY, naming `what`, if a part of
 * it was lost. The builder is empty afterwards. */
json_t *mu_json_take(struct mu_json *json, const char *what, struct mu_error *err);

/* Releases what was built; accepts an empty builder. */
void mu_json_release(struct mu_json *json);

/* Numbers distinct values: *place gets how many different values were seen before the first one equal to this. Returns
 * true if it is new. `places` is an object used only for this; `value` is taken over. NULL is a loss, after which the
 * numbers mean nothing. */
bool mu_json_place(struct mu_json *places, json_t *value, size_t *place);

/* Returns true if a text is UTF-8, so that JSON can hold it as it is. */
bool mu_json_can_hold(const char *text);

/* ---- Reading: a member that is missing, or of another type, has the value that the comment says ---- */

const char *mu_json_text(const json_t *object, const char *name); /* "" */
const char *mu_json_text_or(const json_t *object, const char *name, const char *otherwise);
double mu_json_real(const json_t *object, const char *name);     /* 0; takes whole numbers too */
uint64_t mu_json_number(const json_t *object, const char *name); /* 0 */
uint32_t mu_json_count(const json_t *object, const char *name);  /* 0, also for what does not fit into 32 bits */
bool mu_json_flag(const json_t *object, const char *name);       /* false */

/* Returns true if the member is a text equal to `text`. */
bool mu_json_is(const json_t *object, const char *name, const char *text);

/* Returns the numbers of an array, to be freed by mu_free. NULL if it has none, or with MU_NO_MEMORY. */
double *mu_json_numbers(const json_t *array, size_t *count, struct mu_error *err);

#endif
