#include "tests/host/programs.h"

#include "inputs/rng.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TOUCHED 4096 /* words that an execution touches; a power of two */

/* Functions whose loads decide how the work-item goes on: those that wait. */
static const char *const waiting[] = {"mu_await", "destruct_lock", "mu_watch_poll"};

/* A word of the execution that is looked at. */
struct touched {
    const volatile uint *address;
    uint execution, readers, writers; /* those that read and write it plainly, as bits */
    bool is_atomic, is_numbered;
    uint number;
};

static struct touched touched[MAX_TOUCHED];
static uint execution, touched_count;

static struct touched *touched_at(const volatile uint *address)
{
    uint slot = (uint)mu_mix64((uintptr_t)address) % MAX_TOUCHED;
    while (touched[slot].execution == execution && touched[slot].address != address) slot = (slot + 1) % MAX_TOUCHED;
    if (touched[slot].execution != execution) {
        touched[slot] = (struct touched){.address = address, .execution = execution};
        touched_count++;
    }
    return &touched[slot];
}

static bool is_in_program(const struct record_event *event, uint workgroup)
{
    if (event->kind == RECORD_ARRIVE || event->kind == RECORD_WAIT) return workgroup > 1;
    const struct touched *word = touched_at(event->access.word);
    const uint users = word->readers | word->writers;
    return word->is_atomic || (word->writers != 0 && (users & (users - 1)) != 0);
}

/* False where there are too many words. */
static bool touch_all(uint items)
{
    execution++;
    touched_count = 0;
    for (uint item = 0; item < items; item++)
        for (uint i = 0; i < record_count(item); i++) {
            const struct record_event *event = &record_events(item)[i];
            if (event->kind == RECORD_ARRIVE || event->kind == RECORD_WAIT) continue;
            struct touched *word = touched_at(event->access.word);
            word->is_atomic |= event->kind == RECORD_ACCESS;
            word->readers |= event->kind == RECORD_READ ? 1u << item : 0;
            word->writers |= event->kind == RECORD_WRITE ? 1u << item : 0;
            if (touched_count > MAX_TOUCHED / 2) return false;
        }
    return true;
}

static enum program_finding finding_of(const struct record_event *event)
{
    if (event->kind == RECORD_READ) return FINDS_A_RESULT;
    if (event->kind != RECORD_ACCESS) return FINDS_NOTHING;
    switch (event->access.operation) {
    case HOST_STORE:
    case HOST_OR: /* the sources' returns nothing */
    case HOST_FENCE:
        return FINDS_NOTHING;
    case HOST_LOAD:
        for (size_t i = 0; i < sizeof waiting / sizeof waiting[0]; i++)
            if (strcmp(event->access.function, waiting[i]) == 0) return FINDS_ITS_WAY;
        return FINDS_A_RESULT;
    default:
        return FINDS_ITS_WAY;
    }
}

/* The number of a word, which it gets where it first occurs. */
static bool number_word(struct program *program, const struct record_event *event, uint *number)
{
    struct touched *word = touched_at(event->access.word);
    if (!word->is_numbered) {
        if (program->words == PROGRAM_MAX_WORDS) return false;
        program->addresses[program->words] = word->address;
        program->is_atomic[program->words] = word->is_atomic;
        word->is_numbered = true;
        word->number = program->words++;
    }
    *number = word->number;
    return true;
}

static bool take_item(struct program *program, uint item)
{
    const struct record_event *recorded = record_events(item);
    program->events[item] = calloc(record_count(item) + 1, sizeof *program->events[item]);
    if (program->events[item] == NULL) return false;
    for (uint i = 0; i < record_count(item); i++) {
        if (!is_in_program(&recorded[i], program->workgroup)) continue;
        struct program_event *event = &program->events[item][program->counts[item]++];
        event->kind = recorded[i].kind;
        event->finding = finding_of(&recorded[i]);
        if (event->kind == RECORD_ACCESS) event->access = recorded[i].access;
        if (event->kind == RECORD_WRITE) event->written = recorded[i].value;
        if (event->kind != RECORD_ARRIVE && event->kind != RECORD_WAIT &&
            !number_word(program, &recorded[i], &event->word))
            return false;
    }
    return true;
}

static void release(struct program *program)
{
    for (uint item = 0; item < PROGRAM_MAX_ITEMS; item++) {
        free(program->events[item]);
        free(program->ways[item].values);
    }
    free(program->results.values);
    *program = (struct program){0};
}

static bool is_same_event(const struct program_event *a, const struct program_event *b)
{
    if (a->kind != b->kind || a->word != b->word || a->written != b->written) return false;
    return a->kind != RECORD_ACCESS ||
           (a->access.operation == b->access.operation && a->access.order == b->access.order &&
            a->access.operand == b->access.operand && a->access.expected == b->access.expected &&
            a->access.line == b->access.line && strcmp(a->access.function, b->access.function) == 0);
}

static bool is_same_program(const struct program *a, const struct program *b)
{
    for (uint item = 0; item < a->items; item++) {
        if (a->counts[item] != b->counts[item]) return false;
        for (uint i = 0; i < a->counts[item]; i++)
            if (!is_same_event(&a->events[item][i], &b->events[item][i])) return false;
    }
    return true;
}

/* ---- What was found ---- */

static bool add_values(struct program_values *set, const uint *values, uint width)
{
    set->width = width;
    for (uint i = 0; i < set->count; i++)
        if (memcmp(set->values + (size_t)i * width, values, width * sizeof *values) == 0) return true;
    if (set->count == set->room) {
        const uint room = set->room == 0 ? 16 : 2 * set->room;
        uint *more = realloc(set->values, ((size_t)room * width + 1) * sizeof *more);
        if (more == NULL) return false;
        set->values = more;
        set->room = room;
    }
    memcpy(set->values + (size_t)set->count++ * width, values, width * sizeof *values);
    return true;
}

static bool add_findings(struct program *program)
{
    static uint results[PROGRAM_MAX_ITEMS * RECORD_MOST];
    uint result_count = 0;
    bool added = true;
    for (uint item = 0; item < program->items; item++) {
        uint ways[RECORD_MOST], way_count = 0;
        for (uint i = 0; i < record_count(item); i++) {
            const struct record_event *event = &record_events(item)[i];
            if (!is_in_program(event, program->workgroup)) continue;
            const enum program_finding finding = finding_of(event);
            if (finding == FINDS_ITS_WAY) ways[way_count++] = event->value;
            if (finding == FINDS_A_RESULT) results[result_count++] = event->value;
        }
        added &= add_values(&program->ways[item], ways, way_count);
    }
    return added && add_values(&program->results, results, result_count);
}

uint program_way(const struct program *program, uint item, uint number, uint *values)
{
    const struct program_values *ways = &program->ways[item];
    uint count = 0;
    for (uint way = 0; way < ways->count; way++) {
        const uint value = ways->values[(size_t)way * ways->width + number];
        uint known = 0;
        while (known < count && values[known] != value) known++;
        if (known == count && count < PROGRAM_MAX_VALUES) values[count++] = value;
    }
    return count;
}

void programs_note(struct program_list *list, uint items, uint workgroup)
{
    struct program fresh = {.items = items, .workgroup = workgroup};
    bool taken = items <= PROGRAM_MAX_ITEMS && record_is_whole() && touch_all(items);
    for (uint item = 0; item < items && taken; item++) taken = take_item(&fresh, item);
    uint of = 0;
    while (taken && of < list->count && !is_same_program(&list->programs[of], &fresh)) of++;
    if (taken && of == list->count) {
        taken = of < PROGRAMS_MOST;
        if (taken) {
            list->programs[list->count++] = fresh;
            fresh = (struct program){0};
        }
    }
    if (taken) {
        list->programs[of].executions++;
        taken = add_findings(&list->programs[of]);
    }
    list->is_whole &= taken;
    release(&fresh);
}

void programs_clear(struct program_list *list)
{
    for (uint i = 0; i < list->count; i++) release(&list->programs[i]);
    list->count = 0;
    list->is_whole = true;
}
