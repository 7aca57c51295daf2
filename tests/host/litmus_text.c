#include "tests/host/litmus_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_REGISTERS 512
#define MAX_ARGUMENTS 5

/* What is known of a text up to a line. */
struct reading {
    struct litmus_lines *lines;
    char *wrong;
    size_t size;
    int process; /* -1 before the first */
    char parameters[2048];
    char registers[MAX_REGISTERS][16]; /* "1:r0" */
    uint register_count;
    uint open;         /* conditions */
    char expected[16]; /* by the next compare-exchange */
};

__attribute__((format(printf, 2, 3))) static bool fail(struct reading *reading, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reading->wrong, reading->size, format, arguments);
    va_end(arguments);
    return false;
}

__attribute__((format(printf, 2, 3))) static bool add_line(struct litmus_lines *lines, const char *format, ...)
{
    va_list arguments;
    if (lines->count == LITMUS_TEXT_LINES) return false;
    va_start(arguments, format);
    vsnprintf(lines->lines[lines->count++], LITMUS_TEXT_BYTES, format, arguments);
    va_end(arguments);
    return true;
}

/* ---- A line of a process ---- */

static bool has_register(const struct reading *reading, const char *name)
{
    for (uint i = 0; i < reading->register_count; i++)
        if (strcmp(reading->registers[i], name) == 0) return true;
    return false;
}

static bool set_register(struct reading *reading, const char *name)
{
    char full[16];
    snprintf(full, sizeof full, "%d:%.8s", reading->process, name);
    if (has_register(reading, full) || reading->register_count == MAX_REGISTERS)
        return fail(reading, "register %s is set twice", full);
    memcpy(reading->registers[reading->register_count++], full, sizeof full);
    return true;
}

/* The word is a parameter of the process, of that type. */
static bool is_parameter(struct reading *reading, const char *type, const char *word)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, ", %s* %.40s,", type, word);
    if (strstr(reading->parameters, wanted) != NULL) return true;
    return fail(reading, "process %d has no parameter %s* %s", reading->process, type, word);
}

/* A call's arguments, which are changed; how many they are. */
static uint split(char *text, char *arguments[MAX_ARGUMENTS])
{
    uint count = 0;
    for (char *at = strtok(text, ", "); at != NULL && count < MAX_ARGUMENTS; at = strtok(NULL, ", "))
        arguments[count++] = at;
    return count;
}

static const char *order_of(const char *argument)
{
    static const char prefix[] = "memory_order_";
    return strncmp(argument, prefix, sizeof prefix - 1) == 0 ? argument + sizeof prefix - 1 : "?";
}

/* The atomic functions of C, and how many arguments they have. */
static bool read_call(struct reading *reading, const char *function, char *text)
{
    static const struct {
        const char *function, *word;
        uint arguments;
    } functions[] = {
        {"atomic_load_explicit", "load", 2},         {"atomic_store_explicit", "store", 3},
        {"atomic_fetch_add_explicit", "add", 3},     {"atomic_fetch_or_explicit", "or", 3},
        {"atomic_exchange_explicit", "exchange", 3}, {"atomic_compare_exchange_strong_explicit", "compare-exchange", 5},
    };
    char *arguments[MAX_ARGUMENTS];
    const uint count = split(text, arguments);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(functions[i].function, function) != 0) continue;
        if (count != functions[i].arguments) return fail(reading, "%s with %u arguments", function, count);
        if (!is_parameter(reading, "atomic_int", arguments[0])) return false;
        if (count == 2)
            return add_line(reading->lines, "%d load %s %s", reading->process, arguments[0], order_of(arguments[1]));
        if (count == 3)
            return add_line(reading->lines, "%d %s %s %s %s", reading->process, functions[i].word, arguments[0],
                            arguments[1], order_of(arguments[2]));
        return is_parameter(reading, "int", arguments[1]) &&
               add_line(reading->lines, "%d compare-exchange %s %s %s %s %s", reading->process, arguments[0],
                        reading->expected, arguments[2], order_of(arguments[3]), order_of(arguments[4]));
    }
    return fail(reading, "an unknown function %s", function);
}

/* if ((r0 == 1) | (r0 == 2)) { */
static bool read_choice(struct reading *reading, const char *line)
{
    char choice[LITMUS_TEXT_BYTES], full[16], value[16];
    int length = snprintf(choice, sizeof choice, "%d if", reading->process), used = 0;
    const char *at = line + strlen("  if (");
    for (char name[8]; sscanf(at, "(%7[r0-9] == %15[-0-9])%n", name, value, &used) == 2; at += used) {
        snprintf(full, sizeof full, "%d:%s", reading->process, name);
        if (!has_register(reading, full)) return fail(reading, "there is no %s for: %s", full, line);
        if (length < (int)sizeof choice)
            length += snprintf(choice + length, sizeof choice - (size_t)length, " %s=%s", name, value);
        used += strncmp(at + used, " | ", 3) == 0 ? 3 : 0;
    }
    reading->open++;
    return strcmp(at, ") {") == 0 ? add_line(reading->lines, "%s", choice) : fail(reading, "no condition: %s", line);
}

static bool read_statement(struct reading *reading, char *line)
{
    char name[16] = "", word[64] = "", function[64] = "", value[16] = "";
    int used = 0;
    char *comment = strstr(line, " /*");
    if (comment != NULL) *comment = '\0';
    if (strncmp(line, "  if (", 6) == 0) return read_choice(reading, line);
    if (strcmp(line, "  }") == 0) return reading->open-- > 0 || fail(reading, "a bracket too many");
    if (sscanf(line, " *%63[a-z0-9_] = %15[-0-9];%n", word, value, &used) == 2 && line[used] == '\0') {
        if (strncmp(word, "expect_", 7) == 0) memcpy(reading->expected, value, sizeof value);
        return is_parameter(reading, "int", word) &&
               (strncmp(word, "expect_", 7) == 0 ||
                add_line(reading->lines, "%d write %s %s", reading->process, word, value));
    }
    if (sscanf(line, " int %15[rs0-9] = %n", name, &used) == 1 && !set_register(reading, name)) return false;
    char *const rest = line + (name[0] != '\0' ? used : 2);
    if (sscanf(rest, "*%63[a-z0-9_];", word) == 1)
        return is_parameter(reading, "int", word) &&
               (strncmp(word, "expect_", 7) == 0 || add_line(reading->lines, "%d read %s", reading->process, word));
    used = 0;
    char *const end = strrchr(rest, ')');
    if (sscanf(rest, "%63[a-z_](%n", function, &used) != 1 || used == 0 || end == NULL || strcmp(end, ");") != 0)
        return fail(reading, "a line of no known form: %s", line);
    *end = '\0';
    return read_call(reading, function, rest + used);
}

static bool begin_process(struct reading *reading, const char *line)
{
    int used = 0;
    char parameters[2000], number[16], next[16];
    snprintf(next, sizeof next, "P%d", reading->process + 1);
    if (sscanf(line, "%15[P0-9] (%1999[^)]) {%n", number, parameters, &used) != 2 || line[used] != '\0' ||
        strcmp(number, next) != 0)
        return fail(reading, "not the next process: %s", line);
    reading->process++;
    snprintf(reading->parameters, sizeof reading->parameters, ", %s,", parameters);
    return true;
}

/* ---- The condition ---- */

static bool read_condition(struct reading *reading, const char *text)
{
    int depth = 0;
    uint seen = 0;
    const char *at = strncmp(text, "~exists\n", 8) == 0  ? text + 8
                     : strncmp(text, "exists\n", 7) == 0 ? text + 7
                                                         : NULL;
    if (at == NULL) return fail(reading, "no condition: %.40s", text);
    for (; *at != '\0' && depth >= 0; at++) {
        char full[16];
        int used = 0;
        depth += (*at == '(') - (*at == ')');
        if (!isdigit((unsigned char)*at)) continue;
        if (sscanf(at, "%15[0-9:r]=%*[-0-9]%n", full, &used) != 1 || !has_register(reading, full))
            return fail(reading, "the condition has no such register: %.20s", at);
        at += used - 1;
        seen++;
    }
    return depth == 0 && seen > 0 ? true : fail(reading, "the condition's brackets, or nothing in it");
}

bool litmus_read(const char *text, struct litmus_lines *lines, char *wrong, size_t size)
{
    static struct reading reading;
    char title[64] = "", line[2200];
    int used = 0;
    reading = (struct reading){.lines = lines, .wrong = wrong, .size = size, .process = -1};
    lines->count = 0;
    if (sscanf(text, "C %63[A-Za-z0-9_+.-]\n\"%*[^\"\n]\"\n\n{ }\n%n", title, &used) != 1 || used == 0)
        return fail(&reading, "no head: %.60s", text);
    const char *at = text + used;
    bool inside = false;
    while (*at != '\0' && (inside || *at == '\n' || *at == 'P')) {
        const size_t length = strcspn(at, "\n");
        if (length >= sizeof line) return fail(&reading, "a line of %zu bytes", length);
        memcpy(line, at, length);
        line[length] = '\0';
        at += length + (at[length] != '\0');
        if (length == 0) continue;
        if (!inside && !begin_process(&reading, line)) return false;
        if (inside && strcmp(line, "}") != 0 && !read_statement(&reading, line)) return false;
        inside = strcmp(line, "}") != 0;
        if (!inside && reading.open != 0) return fail(&reading, "process %d has open brackets", reading.process);
    }
    return read_condition(&reading, at);
}

/* ---- The program ---- */

static bool expect_access(const struct herd_test *test, uint item, const struct host_access *asked, const char *word,
                          struct litmus_lines *lines)
{
    static const char *const operations[] = {"load", "store", "add",      "or",
                                             "min",  "max",   "exchange", "compare-exchange"};
    static const char *const orders[] = {"relaxed", "acquire", "release", "acq_rel"};
    const struct host_access access = site_weakened(test->weakened, asked);
    const char *const operation = operations[access.operation], *const order = orders[access.order];
    if (access.operation == HOST_LOAD) return add_line(lines, "%u load %s %s", item, word, order);
    if (access.operation == HOST_COMPARE_EXCHANGE)
        return add_line(lines, "%u %s %s %d %d %s %s", item, operation, word, (int)access.expected, (int)access.operand,
                        order, orders[access.order & HOST_ACQUIRE]);
    return add_line(lines, "%u %s %s %d %s", item, operation, word, (int)access.operand, order);
}

/* The values with which the item goes on behind its register. */
static bool expect_choice(const struct program *program, uint item, const struct program_event *event, uint way,
                          uint number, struct litmus_lines *lines)
{
    char choice[LITMUS_TEXT_BYTES];
    uint values[PROGRAM_MAX_VALUES] = {program->workgroup};
    const uint count = event->kind == RECORD_WAIT ? 1 : program_way(program, item, way, values);
    int length = snprintf(choice, sizeof choice, "%u if", item);
    for (uint i = 0; i < count && length < (int)sizeof choice; i++)
        length += snprintf(choice + length, sizeof choice - (size_t)length, " r%u=%d", number, (int)values[i]);
    return add_line(lines, "%s", choice);
}

static bool expect_event(const struct herd_test *test, uint item, const struct program_event *event, uint met,
                         struct litmus_lines *lines)
{
    const uint group = item / test->program->workgroup;
    char word[64];
    if (event->kind == RECORD_ARRIVE) return add_line(lines, "%u add meet_%u_%u 1 acq_rel", item, group, met);
    if (event->kind == RECORD_WAIT) return add_line(lines, "%u load meet_%u_%u acquire", item, group, met);
    test->name(test->program, event->word, word, sizeof word);
    if (event->kind == RECORD_READ) return add_line(lines, "%u read %s", item, word);
    if (event->kind == RECORD_WRITE) return add_line(lines, "%u write %s %d", item, word, (int)event->written);
    return expect_access(test, item, &event->access, word, lines);
}

bool litmus_expect(const struct herd_test *test, struct litmus_lines *lines)
{
    const struct program *program = test->program;
    bool added = true;
    lines->count = 0;
    for (uint item = 0; item < program->items; item++) {
        uint arrivals = 0, waits = 0, ways = 0, registers = 0;
        for (uint i = 0; i < program->counts[item] && added; i++) {
            const struct program_event *event = &program->events[item][i];
            const bool goes_on = event->finding == FINDS_ITS_WAY, waited = event->kind == RECORD_WAIT;
            added = expect_event(test, item, event, waited ? waits : arrivals, lines);
            if (added && (goes_on || waited) && i + 1 < program->counts[item])
                added = expect_choice(program, item, event, ways, registers, lines);
            arrivals += event->kind == RECORD_ARRIVE;
            waits += waited;
            ways += goes_on;
            registers +=
                event->kind != RECORD_WRITE && (event->kind != RECORD_ACCESS || event->access.operation != HOST_STORE);
        }
    }
    return added;
}
