#include "tests/host/herd.h"

#include <string.h>

#define NAME_BYTES 48

static const char *order_name(enum host_order order)
{
    static const char *const names[] = {"relaxed", "acquire", "release", "acq_rel"};
    return names[order];
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Whether an access is to a word that the process gets as `expect_…`. */
static bool expects(const struct program_event *event)
{
    return event->kind == RECORD_ACCESS && event->access.operation == HOST_COMPARE_EXCHANGE;
}

/* ---- The accesses ---- */

/* The barriers of a group are counted from 0. */
struct process {
    FILE *file;
    const struct herd_test *test;
    uint item, registers, arrivals, waits, ways;
    uint open; /* conditions */
};

static uint group_of(const struct process *process)
{
    return process->item / process->test->program->workgroup;
}

static bool write_access(struct process *process, const struct program_event *event, uint index, const char *word)
{
    const struct host_access access = site_weakened(process->test->weakened, &event->access);
    const char *const order = order_name(access.order), *const file = base_name(access.file);
    const int operand = (int)access.operand;
    FILE *out = process->file;
    switch (access.operation) {
    case HOST_LOAD:
        fprintf(out, "  int r%u = atomic_load_explicit(%s, memory_order_%s);", process->registers++, word, order);
        break;
    case HOST_STORE:
        fprintf(out, "  atomic_store_explicit(%s, %d, memory_order_%s);", word, operand, order);
        break;
    case HOST_ADD:
    case HOST_OR:
        fprintf(out, "  int r%u = atomic_fetch_%s_explicit(%s, %d, memory_order_%s);", process->registers++,
                access.operation == HOST_ADD ? "add" : "or", word, operand, order);
        break;
    case HOST_EXCHANGE:
        fprintf(out, "  int r%u = atomic_exchange_explicit(%s, %d, memory_order_%s);", process->registers++, word,
                operand, order);
        break;
    case HOST_COMPARE_EXCHANGE:
        fprintf(out, "  *expect_%u_%u = %d;\n", process->item, index, (int)access.expected);
        fprintf(out,
                "  int s%u = atomic_compare_exchange_strong_explicit(%s, expect_%u_%u, %d, memory_order_%s, "
                "memory_order_%s);",
                process->registers, word, process->item, index, operand, order,
                (access.order & HOST_ACQUIRE) != 0 ? "acquire" : "relaxed");
        fprintf(out, " /* %s:%d %s */\n", file, access.line, access.function);
        fprintf(out, "  int r%u = *expect_%u_%u;\n", process->registers++, process->item, index);
        return true;
    default:
        return false;
    }
    fprintf(out, " /* %s:%d %s */\n", file, access.line, access.function);
    return true;
}

static bool write_event(struct process *process, const struct program_event *event, uint index)
{
    const struct herd_test *test = process->test;
    char word[NAME_BYTES] = "";
    if (event->kind != RECORD_ARRIVE && event->kind != RECORD_WAIT)
        test->name(test->program, event->word, word, sizeof word);
    switch (event->kind) {
    case RECORD_READ:
        fprintf(process->file, "  int r%u = *%s;\n", process->registers++, word);
        return true;
    case RECORD_WRITE:
        fprintf(process->file, "  *%s = %d;\n", word, (int)event->written);
        return true;
    case RECORD_ARRIVE:
        fprintf(process->file, "  int r%u = atomic_fetch_add_explicit(meet_%u_%u, 1, memory_order_acq_rel);\n",
                process->registers++, group_of(process), process->arrivals++);
        return true;
    case RECORD_WAIT:
        fprintf(process->file, "  int r%u = atomic_load_explicit(meet_%u_%u, memory_order_acquire);\n",
                process->registers++, group_of(process), process->waits++);
        return true;
    default:
        return write_access(process, event, index, word);
    }
}

/* What follows is done only by who goes on this way. */
static void write_choice(struct process *process, const struct program_event *event)
{
    const struct program *program = process->test->program;
    uint values[PROGRAM_MAX_VALUES] = {program->workgroup}, count = 1;
    if (event->kind != RECORD_WAIT) count = program_way(program, process->item, process->ways++, values);
    fprintf(process->file, "  if (");
    for (uint i = 0; i < count; i++)
        fprintf(process->file, "%s(r%u == %d)", i > 0 ? " | " : "", process->registers - 1, (int)values[i]);
    fprintf(process->file, ") {\n");
    process->open++;
}

/* The words that a process uses are its parameters. */
static void write_parameters(const struct process *process)
{
    const struct herd_test *test = process->test;
    const struct program *program = test->program;
    const uint item = process->item;
    bool seen[PROGRAM_MAX_WORDS] = {false};
    const char *between = "";
    uint arrivals = 0;
    for (uint i = 0; i < program->counts[item]; i++) {
        const struct program_event *event = &program->events[item][i];
        char word[NAME_BYTES];
        if (event->kind == RECORD_ARRIVE)
            fprintf(process->file, "%satomic_int* meet_%u_%u", between, group_of(process), arrivals++);
        if (event->kind == RECORD_ARRIVE) between = ", ";
        if (event->kind == RECORD_ARRIVE || event->kind == RECORD_WAIT) continue;
        if (!seen[event->word]) {
            test->name(program, event->word, word, sizeof word);
            fprintf(process->file, "%s%s* %s", between, program->is_atomic[event->word] ? "atomic_int" : "int", word);
            between = ", ";
        }
        if (expects(event)) fprintf(process->file, ", int* expect_%u_%u", item, i);
        seen[event->word] = true;
    }
}

static bool write_process(FILE *file, const struct herd_test *test, uint item)
{
    struct process process = {.file = file, .test = test, .item = item};
    bool known = true;
    fprintf(file, "\nP%u (", item);
    write_parameters(&process);
    fprintf(file, ") {\n");
    for (uint i = 0; i < test->program->counts[item] && known; i++) {
        const struct program_event *event = &test->program->events[item][i];
        known = write_event(&process, event, i);
        if (i + 1 < test->program->counts[item] && (event->kind == RECORD_WAIT || event->finding == FINDS_ITS_WAY))
            write_choice(&process, event);
    }
    for (; process.open > 0; process.open--) fprintf(file, "  }\n");
    fprintf(file, "}\n");
    return known;
}

/* ---- The condition ---- */

/* Whether the program has a register for it. */
static bool has_register(const struct program_event *event)
{
    if (event->kind == RECORD_WRITE) return false;
    return event->kind != RECORD_ACCESS || event->access.operation != HOST_STORE;
}

/* The registers of an item that hold what has that meaning are `values`, from *at on. */
static void write_values(FILE *file, const struct program *program, uint item, enum program_finding finding,
                         const uint *values, uint *at)
{
    uint number = 0;
    for (uint i = 0; i < program->counts[item]; i++) {
        const struct program_event *event = &program->events[item][i];
        if (!has_register(event)) continue;
        if (event->finding == finding) {
            fprintf(file, "%s%u:r%u=%d", *at > 0 ? " /\\ " : "", item, number, (int)values[*at]);
            (*at)++;
        }
        number++;
    }
}

/* All groups have met, where the program has groups that meet. */
static const char *write_meetings(FILE *file, const struct program *program, uint item, const char *between)
{
    uint number = 0;
    for (uint i = 0; i < program->counts[item]; i++) {
        const struct program_event *event = &program->events[item][i];
        if (event->kind == RECORD_WAIT) {
            fprintf(file, "%s%u:r%u=%u", between, item, number, program->workgroup);
            between = " /\\ ";
        }
        number += has_register(event);
    }
    return between;
}

/* Each work-item has gone its way. */
static const char *write_ways(FILE *file, const struct program *program)
{
    const char *between = "";
    for (uint item = 0; item < program->items; item++) {
        const struct program_values *ways = &program->ways[item];
        between = write_meetings(file, program, item, between);
        if (ways->width == 0) continue;
        fprintf(file, "%s(", between);
        for (uint way = 0; way < ways->count; way++) {
            uint at = 0;
            if (way > 0) fprintf(file, " \\/ ");
            write_values(file, program, item, FINDS_ITS_WAY, ways->values + (size_t)way * ways->width, &at);
        }
        fprintf(file, ")");
        between = " /\\\n ";
    }
    return between;
}

static void write_condition(FILE *file, const struct program *program)
{
    const struct program_values *results = &program->results;
    fprintf(file, results->width == 0 ? "\nexists\n(" : "\n~exists\n(");
    const char *const between = write_ways(file, program);
    if (results->width > 0) fprintf(file, "%s~(", between);
    for (uint i = 0; i < results->count && results->width > 0; i++) {
        uint at = 0;
        fprintf(file, i == 0 ? "(" : " \\/\n  (");
        for (uint item = 0; item < program->items; item++)
            write_values(file, program, item, FINDS_A_RESULT, results->values + (size_t)i * results->width, &at);
        fprintf(file, ")");
    }
    fprintf(file, results->width > 0 ? "))\n" : ")\n");
}

bool herd_write(FILE *file, const struct herd_test *test)
{
    bool known = true;
    fprintf(file, "C %s\n\"%s\"\n\n{ }\n", test->title, test->about);
    for (uint item = 0; item < test->program->items && known; item++) known = write_process(file, test, item);
    write_condition(file, test->program);
    return known && !ferror(file);
}
