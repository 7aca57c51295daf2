/* Reading profiles. */
#include "records/profile.h"

#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int mu_profile_size_index(uint32_t workgroup)
{
    for (int i = 0; i < MU_PROFILE_SIZES; i++)
        if (workgroup == UINT32_C(1) << i) return i;
    return -1;
}

/* The state of a reading. Debian's libinih hands no line numbers to the handler: the lines are counted as they are
 * given to it, which it asks for one at a time. */
struct reading {
    const char *path;
    FILE *file;
    unsigned line;
    struct mu_profile *profile;
    bool seen[256][MU_PROFILE_SIZES]; /* by key, and by size for keys that have one */
    struct mu_error *err;
};

static int bad(struct reading *reading, const char *what, const char *about)
{
    return mu_fail(reading->err, MU_INPUT, "%s:%u: %s%s%s", reading->path, reading->line, what,
                   about[0] != '\0' ? ": " : "", about);
}

/* Reads a line for libinih, as fgets does. A line that begins with a blank would continue the value before it, and one
 * that does not fit would count as two. Neither is ever written, so both are errors. */
static char *next_line(char *line, int room, void *stream)
{
    struct reading *reading = stream;
    if (reading->err->status != MU_OK || fgets(line, room, reading->file) == NULL) return NULL;
    reading->line++;
    const size_t length = strlen(line);
    if (length + 1 >= (size_t)room && line[length - 1] != '\n')
        bad(reading, "the line is too long", "");
    else if ((length == 0 || line[length - 1] != '\n') && !feof(reading->file))
        bad(reading, "the line holds a zero byte", "");
    else if (isspace((unsigned char)line[0]) && strspn(line, " \t\r\n\v\f") != length)
        bad(reading, "a line begins with a blank", "");
    return reading->err->status == MU_OK ? line : NULL;
}

/* Returns the key of section and name; NULL for an unknown one. *size is its place among the sizes, 0 for other
 * keys. */
static const struct mu_profile_key *find_key(const char *section, const char *name, size_t *size)
{
    for (const struct mu_profile_key *key = mu_profile_keys; key->section != NULL; key++) {
        const size_t length = strlen(key->key);
        char expected[64];
        *size = 0;
        if (strcmp(key->section, section) != 0) continue;
        if (key->kind != MU_PROFILE_IS_SIZES && strcmp(key->key, name) == 0) return key;
        if (key->kind != MU_PROFILE_IS_SIZES || strncmp(key->key, name, length) != 0) continue;
        for (*size = 0; *size < MU_PROFILE_SIZES; ++*size) {
            snprintf(expected, sizeof expected, "%s_%u", key->key, 1u << *size);
            if (strcmp(expected, name) == 0) return key;
        }
    }
    return NULL;
}

static int read_count(struct reading *reading, const struct mu_profile_key *key, const char *text, uint32_t *count)
{
    uint64_t number;
    if (!mu_number_whole(text, 0, UINT32_MAX, &number)) return bad(reading, "not a whole number below 2^32", text);
    if (key->most != 0 && number > key->most) return bad(reading, "more workgroups than a launch can have", text);
    *count = (uint32_t)number;
    return MU_OK;
}

static int read_number(struct reading *reading, const char *text, double *value)
{
    double number;
    if (!mu_number_real(text, &number) || number < 0) return bad(reading, "not a number, or negative", text);
    *value = number;
    return MU_OK;
}

static int read_text(struct reading *reading, const struct mu_profile_key *key, const char *text, char *member)
{
    if (strlen(text) >= MU_PROFILE_TEXT) return bad(reading, "the value is too long", text);
    if (key->kind == MU_PROFILE_IS_CHOICE) {
        struct mu_error unknown = {0};
        int index;
        if (mu_choice_find(key->choices, key->key, text, &index, &unknown) != MU_OK)
            return bad(reading, unknown.message + strlen("--"), "");
    }
    memcpy(member, text, strlen(text) + 1);
    return MU_OK;
}

/* Takes in one "name = value" for libinih, and returns nonzero if it is good. */
static int take_value(void *user, const char *section, const char *name, const char *value)
{
    struct reading *reading = user;
    size_t size = 0;
    char about[128];
    const struct mu_profile_key *key = find_key(section, name, &size);
    snprintf(about, sizeof about, "[%s] %s", section, name);
    if (key == NULL) {
        bad(reading, "no such key", about);
        return 0;
    }
    bool *seen = &reading->seen[key - mu_profile_keys][size];
    if (*seen) bad(reading, "the key is there twice", about);
    *seen = true;
    char *place = (char *)reading->profile + key->offset;
    if (key->kind == MU_PROFILE_IS_NUMBER)
        read_number(reading, value, (double *)(void *)place);
    else if (key->kind == MU_PROFILE_IS_COUNT || key->kind == MU_PROFILE_IS_SIZES)
        read_count(reading, key, value, (uint32_t *)(void *)place + size);
    else
        read_text(reading, key, value, place);
    return reading->err->status == MU_OK;
}

int mu_profile_read(const char *path, struct mu_profile *profile, struct mu_error *err)
{
    struct mu_error problem = {0};
    struct reading reading = {.path = path, .profile = profile, .err = &problem};
    struct stat about;
    memset(profile, 0, sizeof *profile);
    /* To open a pipe would wait for whoever writes to it. */
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) return mu_fail(err, MU_IO, "%s: not a regular file", path);
    reading.file = fopen(path, "r");
    if (reading.file == NULL) return mu_fail(err, MU_IO, "%s: cannot open: %s", path, strerror(errno));
    const int line = ini_parse_stream(next_line, &reading, take_value, &reading);
    if (problem.status == MU_OK && ferror(reading.file)) mu_fail(&problem, MU_IO, "%s: cannot read", path);
    fclose(reading.file);
    if (line < 0) return mu_fail(err, MU_NO_MEMORY, "%s: out of memory", path);
    /* libinih goes on behind a line that it does not understand, and tells of the first one. */
    if (line > 0 && (problem.status == MU_OK || (unsigned)line < reading.line))
        return mu_fail(err, MU_INPUT, "%s:%d: neither \"[section]\" nor \"key = value\"", path, line);
    if (problem.status != MU_OK) return mu_fail(err, problem.status, "%s", problem.message);
    if (profile->format != MU_PROFILE_FORMAT)
        return mu_fail(err, MU_INPUT, "%s:%u: [profile] format is %u; this program reads %d", path, reading.line,
                       profile->format, MU_PROFILE_FORMAT);
    return MU_OK;
}
