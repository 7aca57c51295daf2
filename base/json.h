/* JSON: building objects that are whole or refused, and reading their members.
 *
 * A builder is an object or an array that grows. Whatever cannot be added, for want of memory, is latched: the builder
 * goes on, takes nothing more, and mu_json_take refuses to hand out what lacks a part. So a chain of additions needs no
 * check of its own, and no record loses a member without a word. */
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

/* An empty object or array; and a builder that goes on from a copy, not a deep one, of an object. */
struct mu_json mu_json_object(void);
struct mu_json mu_json_array(void);
struct mu_json mu_json_copy(const struct mu_json *from);

/* Sets a member of an object, or replaces it. `value` is taken over, also after a failure; a NULL, which is what
 * jansson returns when memory runs out, is a loss. */
void mu_json_set(struct mu_json *object, const char *name, json_t *value);

/* Bytes of a text that are not UTF-8 become question marks; NULL becomes null. A real number that is not finite, which
 * JSON cannot say, becomes null. A whole number from 2^63 on, which only a seed can be, becomes the negative one of the
 * same bits, which mu_json_number reads back. A hash becomes 16 hexadecimal digits. */
void mu_json_set_text(struct mu_json *object, const char *name, const char *text);
void mu_json_set_number(struct mu_json *object, const char *name, uint64_t number);
void mu_json_set_real(struct mu_json *object, const char *name, double number);
void mu_json_set_flag(struct mu_json *object, const char *name, bool flag);
void mu_json_set_hash(struct mu_json *object, const char *name, uint64_t hash);

/* Moves what was built into a member, with its loss if there was one; `part` is empty afterwards. */
void mu_json_set_part(struct mu_json *object, const char *name, struct mu_json *part);

/* Sets all members of `more`; NULL has none. */
void mu_json_update(struct mu_json *object, const json_t *more);

/* The same for elements behind an array's last. */
void mu_json_append(struct mu_json *array, json_t *value);
void mu_json_append_text(struct mu_json *array, const char *text);
void mu_json_append_number(struct mu_json *array, uint64_t number);
void mu_json_append_real(struct mu_json *array, double number);
void mu_json_append_part(struct mu_json *array, struct mu_json *part);

/* What was built, which is the caller's now (json_decref). NULL with MU_NO_MEMORY, naming `what`, when a part of it was
 * lost. The builder is empty afterwards. */
json_t *mu_json_take(struct mu_json *json, const char *what, struct mu_error *err);

/* Accepts a builder that is empty. */
void mu_json_release(struct mu_json *json);

/* Numbers the values that it is given: *place is how many others came before the first that equals this one. Returns
 * whether this is the first. `places` is an object that holds nothing else; `value` is taken over, and a NULL is a
 * loss, after which places are of no use. */
bool mu_json_place(struct mu_json *places, json_t *value, size_t *place);

/* Whether a text is UTF-8, so that JSON can hold it as it is. */
bool mu_json_can_hold(const char *text);

/* ---- Reading: a member that is missing, or of another type, has the value that the comment says ---- */

const char *mu_json_text(const json_t *object, const char *name); /* "" */
const char *mu_json_text_or(const json_t *object, const char *name, const char *otherwise);
double mu_json_real(const json_t *object, const char *name);     /* 0; takes whole numbers too */
uint64_t mu_json_number(const json_t *object, const char *name); /* 0 */
uint32_t mu_json_count(const json_t *object, const char *name);  /* 0, also for what does not fit into 32 bits */
bool mu_json_flag(const json_t *object, const char *name);       /* false */

/* Whether the member is this text. */
bool mu_json_is(const json_t *object, const char *name, const char *text);

/* The numbers of an array, to be freed by mu_free; NULL when it has none, or with MU_NO_MEMORY. */
double *mu_json_numbers(const json_t *array, size_t *count, struct mu_error *err);

#endif
