#include "records/packs/strip.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

/* Puts "host-" and digits in the place of a host's name. */
static int hide_host(json_t *object, const char *member, const char *secret, struct mu_error *err)
{
    char hash[MU_HASH_LONG_TEXT];
    const char *name = json_string_value(json_object_get(object, member));
    if (name == NULL) return MU_OK;
    char *text = mu_format(err, "%s\n%s", secret, name);
    if (text == NULL) return err->status;
    mu_hash_long_text(text, strlen(text), hash);
    hash[8] = '\0';
    mu_free(text);
    char *word = mu_format(err, "host-%s", hash);
    if (word != NULL && json_object_set_new(object, member, json_string(word)) != 0)
        mu_fail(err, MU_NO_MEMORY, "out of memory for a record");
    mu_free(word);
    return err->status;
}

/* Returns true if a path begins here. */
static bool begins_path(const char *text, const char *at)
{
    const bool is_apart = at == text || strchr(" \t\n\"'=:,;(<[", at[-1]) != NULL;
    return is_apart && (at[0] == '/' || (at[0] == '~' && strchr(at, '/') != NULL) || strncmp(at, "../", 3) == 0 ||
                        strncmp(at, "./", 2) == 0);
}

/* Returns a copy of the text without the folders of the paths in it, which the caller frees; NULL with MU_NO_MEMORY. */
static char *without_folders(const char *text, struct mu_error *err)
{
    char *copy = mu_strdup(text, err), *to = copy;
    for (const char *from = text; copy != NULL && *from != '\0';) {
        if (begins_path(text, from)) {
            const size_t length = strcspn(from, " \t\n\"'=:,;()<>[]");
            for (const char *end = from + length, *at = from; at < end; at++)
                if (*at == '/' && at + 1 < end) from = at + 1;
            if (*from == '/') from++;
        } else {
            *to++ = *from++;
            continue;
        }
        while (*from != '\0' && strchr(" \t\n\"'=:,;()<>[]", *from) == NULL) *to++ = *from++;
    }
    if (copy != NULL) *to = '\0';
    return copy;
}

static json_t *strip_value(json_t *value, struct mu_error *err);

/* Changes what an object or an array holds. */
static void strip_members(json_t *value, struct mu_error *err)
{
    const char *name;
    void *next;
    json_t *member;
    size_t i;
    json_object_foreach_safe(value, next, name, member)
    {
        json_t *stripped = strip_value(member, err);
        if (stripped != NULL && json_object_set_new(value, name, stripped) != 0)
            mu_fail(err, MU_NO_MEMORY, "out of memory for a record");
    }
    json_array_foreach (value, i, member) {
        json_t *stripped = strip_value(member, err);
        if (stripped != NULL && json_array_set_new(value, i, stripped) != 0)
            mu_fail(err, MU_NO_MEMORY, "out of memory for a record");
    }
}

/* Returns what takes a text's place; NULL if it stays as it is. */
static json_t *strip_value(json_t *value, struct mu_error *err)
{
    if (!json_is_string(value)) {
        strip_members(value, err);
        return NULL;
    }
    if (strchr(json_string_value(value), '/') == NULL) return NULL;
    char *text = without_folders(json_string_value(value), err);
    json_t *stripped = text != NULL ? json_string(text) : NULL;
    if (text != NULL && stripped == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory for a record");
    mu_free(text);
    return stripped;
}

int mu_record_strip(json_t *record, const char *secret, struct mu_error *err)
{
    strip_members(record, err);
    hide_host(json_object_get(record, "host"), "name", secret, err);
    hide_host(json_object_get(record, "session"), "host", secret, err);
    return err->status;
}
