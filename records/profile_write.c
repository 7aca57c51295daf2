/* Writing profiles, and the table of their keys. */
#include "records/profile.h"

#include "base/sink.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void mu_profile_set_text(char member[MU_PROFILE_TEXT], const char *text)
{
    size_t used = 0;
    while (isspace((unsigned char)*text)) text++;
    for (; *text != '\0' && used + 1 < MU_PROFILE_TEXT; text++)
        member[used++] = iscntrl((unsigned char)*text) ? ' ' : *text == ';' ? ',' : *text;
    /* Not half of a character, and no blank at the end. */
    while (*text != '\0' && used > 0 && ((unsigned char)*text & 0xc0) == 0x80) {
        text--;
        used--;
    }
    while (used > 0 && member[used - 1] == ' ') used--;
    member[used] = '\0';
}

/* Writes the value of one key as text. Returns false if it is not known. */
static bool value_text(const struct mu_profile_key *key, size_t size, const struct mu_profile *profile, char *text,
                       size_t bytes)
{
    const char *place = (const char *)profile + key->offset;
    uint32_t count;
    double number;
    switch (key->kind) {
    case MU_PROFILE_IS_TEXT:
    case MU_PROFILE_IS_CHOICE:
        snprintf(text, bytes, "%s", place);
        return place[0] != '\0';
    case MU_PROFILE_IS_COUNT:
    case MU_PROFILE_IS_SIZES:
        memcpy(&count, place + size * sizeof count, sizeof count);
        snprintf(text, bytes, "%u", count);
        return count != 0;
    case MU_PROFILE_IS_NUMBER:
        memcpy(&number, place, sizeof number);
        snprintf(text, bytes, "%.6g", number);
        return number > 0;
    }
    return false;
}

static void write_key(struct mu_sink *sink, const struct mu_profile_key *key, const struct mu_profile *profile,
                      const char **section)
{
    char line[2 * MU_PROFILE_TEXT], value[MU_PROFILE_TEXT];
    const size_t sizes = key->kind == MU_PROFILE_IS_SIZES ? MU_PROFILE_SIZES : 1;
    for (size_t size = 0; size < sizes; size++) {
        if (!value_text(key, size, profile, value, sizeof value)) continue;
        if (*section == NULL || strcmp(*section, key->section) != 0) {
            snprintf(line, sizeof line, "\n[%s]\n", key->section);
            mu_sink_text(sink, line);
            *section = key->section;
        }
        if (key->kind == MU_PROFILE_IS_SIZES)
            snprintf(line, sizeof line, "%s_%u = %s\n", key->key, 1u << size, value);
        else
            snprintf(line, sizeof line, "%s = %s\n", key->key, value);
        mu_sink_text(sink, line);
    }
}

int mu_profile_write(const char *path, const struct mu_profile *profile, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    const char *section = NULL;
    if (mu_sink_open(path, &sink, err) != MU_OK) return err->status;
    mu_sink_text(sink, "# The profile of a chip, made by `muster probe`. doc/profile.md tells every key.\n");
    for (const struct mu_profile_key *key = mu_profile_keys; key->section != NULL; key++)
        write_key(sink, key, profile, &section);
    return mu_sink_close(sink, MU_OK, err);
}

static void add_key(struct mu_json *section, const struct mu_profile_key *key, const struct mu_profile *profile)
{
    const bool is_text = key->kind == MU_PROFILE_IS_TEXT || key->kind == MU_PROFILE_IS_CHOICE;
    const size_t sizes = key->kind == MU_PROFILE_IS_SIZES ? MU_PROFILE_SIZES : 1;
    for (size_t size = 0; size < sizes; size++) {
        char name[MU_PROFILE_TEXT], value[MU_PROFILE_TEXT];
        if (!value_text(key, size, profile, value, sizeof value)) continue;
        if (sizes > 1)
            snprintf(name, sizeof name, "%s_%u", key->key, 1u << size);
        else
            snprintf(name, sizeof name, "%s", key->key);
        if (is_text)
            mu_json_set_text(section, name, value);
        else
            mu_json_set_real(section, name, strtod(value, NULL));
    }
}

struct mu_json mu_profile_to_json(const struct mu_profile *profile)
{
    struct mu_json all = mu_json_object(), section = mu_json_object();
    for (const struct mu_profile_key *key = mu_profile_keys; key->section != NULL; key++) {
        add_key(&section, key, profile);
        if (key[1].section != NULL && strcmp(key[1].section, key->section) == 0) continue;
        if (json_object_size(section.value) != 0)
            mu_json_set_part(&all, key->section, &section);
        else
            mu_json_release(&section);
        section = mu_json_object();
    }
    mu_json_release(&section);
    return all;
}

void mu_profile_print_keys(FILE *to)
{
    fprintf(to, "| section | key | value | unit | where it is missing | meaning |\n|---|---|---|---|---|---|\n");
    static const char *const kinds[] = {"text", "one of", "count", "number", "count"};
    for (const struct mu_profile_key *key = mu_profile_keys; key->section != NULL; key++) {
        fprintf(to, "| `%s` | `%s%s` | %s", key->section, key->key, key->kind == MU_PROFILE_IS_SIZES ? "_<size>" : "",
                kinds[key->kind]);
        for (const struct mu_choice *row = key->choices; row != NULL && row->name != NULL; row++)
            fprintf(to, "%s `%s`", row == key->choices ? "" : ",", row->name);
        fprintf(to, " | %s | %s | %s |\n", key->unit, key->otherwise[0] != '\0' ? key->otherwise : "(for the reader)",
                key->purpose);
    }
}
