/* For the shell tests, which cannot read JSON: prints parts of the JSON values on standard input.
 *
 *     json_pick PATH... <FILE
 *
 * A path is made of steps between slashes. A step is a member's name; or `*` for all elements of an array; or
 * `name=text` for those elements of an array whose member of that name is that text:
 *
 *     muster devices --json | json_pick 'devices/platform=Portable Computing Language/chip'
 *
 * For every value of the input, and every path in turn, what the path leads to is printed, one a line: a text without
 * its quotes, anything else as compact JSON. A path that leads nowhere prints nothing; the empty path is the value.
 * Exit code 0, or 1 where the input is empty or no JSON, or 2 for memory that ran out or a wrong call. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEP 128

static bool print_value(const json_t *value)
{
    if (json_is_string(value)) return puts(json_string_value(value)) >= 0;
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    const bool printed = text != NULL && puts(text) >= 0;
    free(text);
    return printed;
}

/* Is this element of an array one that the step `name=text` means? */
static bool is_meant(const json_t *element, const char *step)
{
    char name[MAX_STEP];
    const char *equals = strchr(step, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - step), step);
    const char *text = json_string_value(json_object_get(element, name));
    return text != NULL && strcmp(text, equals + 1) == 0;
}

static bool pick(const json_t *value, const char *path)
{
    char step[MAX_STEP];
    size_t i;
    json_t *element;
    if (*path == '\0') return print_value(value);
    const size_t length = strcspn(path, "/");
    const char *rest = path[length] == '/' ? path + length + 1 : path + length;
    if (length >= sizeof step) return false;
    snprintf(step, sizeof step, "%.*s", (int)length, path);
    if (json_is_object(value)) {
        const json_t *member = json_object_get(value, step);
        return member == NULL || pick(member, rest);
    }
    const bool filter = strchr(step, '=') != NULL;
    if (!filter && strcmp(step, "*") != 0) return true;
    json_array_foreach (value, i, element)
        if ((!filter || is_meant(element, step)) && !pick(element, rest)) return false;
    return true;
}

/* Is there anything but white space before the end of the input? */
static bool has_more(FILE *input)
{
    int c = getc(input);
    while (c == ' ' || c == '\t' || c == '\r' || c == '\n') c = getc(input);
    if (c == EOF) return false;
    ungetc(c, input);
    return true;
}

int main(int argc, char **argv)
{
    bool empty = true;
    if (argc < 2) {
        fputs("Usage: json_pick PATH... <FILE\n", stderr);
        return 2;
    }
    while (has_more(stdin)) {
        json_error_t error;
        json_t *value = json_loadf(stdin, JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY, &error);
        if (value == NULL) {
            fprintf(stderr, "json_pick: value at line %d: %s\n", error.line, error.text);
            return 1;
        }
        bool picked = true;
        for (int i = 1; i < argc && picked; i++) picked = pick(value, argv[i]);
        json_decref(value);
        if (!picked) {
            fputs("json_pick: out of memory, or a step is too long\n", stderr);
            return 2;
        }
        empty = false;
    }
    if (empty) fputs("json_pick: the input is empty\n", stderr);
    return empty ? 1 : 0;
}
