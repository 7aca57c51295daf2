#include "harness/commands/results/list.h"

#include "base/memory.h"
#include "records/schema.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Texts of a group. Those before SHOWN are columns in this order, except that the outcome comes last. */
enum { KIND = 1, LABEL = 3, OUTCOME = 7, SHOWN, TEXTS = SHOWN + 2 };
static const char *const texts[TEXTS] = {
    "chip", "kind", "set", "label", "app", "input", "variant", "outcome", "configuration_hash", "kernel_hash"};

const char *const mu_results_list_members[] = {
    "chip",        "kind",      "set",        "label",      "app", "input", "variant", "outcome", "configuration_hash",
    "kernel_hash", "workgroup", "team_limit", "samples_ns", NULL};

struct mu_results_group {
    const char *texts[SHOWN];
    double workgroup, team_limit;
    bool has_team;
    size_t runs, samples;
};

/* What is kept of one record. */
struct mu_results_run {
    size_t group; /* number of its group plus one; 0: there is no record in this place */
    size_t samples;
};

static const char *text_of(const json_t *record, size_t text)
{
    return text == KIND ? mu_record_kind(record) : mu_json_text(record, texts[text]);
}

/* Returns a text that distinguishes the record's group from others; free with mu_free. NULL with MU_NO_MEMORY. */
static char *name_group(const json_t *record, struct mu_error *err)
{
    const json_t *team = json_object_get(record, "team_limit"), *size = json_object_get(record, "workgroup");
    size_t bytes = 96, used = 0;
    for (size_t i = 0; i < TEXTS; i++) bytes += strlen(text_of(record, i)) + 1;
    char *name = mu_malloc(bytes, 1, "a test's name", err);
    if (name == NULL) return NULL;
    for (size_t i = 0; i < TEXTS; i++) {
        const size_t length = strlen(text_of(record, i));
        memcpy(name + used, text_of(record, i), length);
        name[used + length] = '\n';
        used += length + 1;
    }
    snprintf(name + used, bytes - used, "%d %.17g %d %.17g", size != NULL, json_number_value(size), team != NULL,
             json_number_value(team));
    return name;
}

static int begin_group(struct mu_results_list *list, const json_t *record, struct mu_error *err)
{
    /* Room grows by doubling, at numbers of groups that are powers of two. */
    const size_t count = list->group_count;
    if ((count & (count + 1)) == 0 &&
        mu_resize((void **)&list->groups, 2 * count + 1, sizeof *list->groups, "tests", err) != MU_OK)
        return err->status;
    struct mu_results_group *group = &list->groups[list->group_count++];
    *group = (struct mu_results_group){.workgroup = mu_json_real(record, "workgroup"),
                                       .team_limit = mu_json_real(record, "team_limit"),
                                       .has_team = json_object_get(record, "team_limit") != NULL};
    for (size_t i = 0; i < SHOWN && err->status == MU_OK; i++)
        group->texts[i] = mu_words_keep(&list->words, text_of(record, i), err);
    return err->status;
}

/* Makes room up to and including the place. */
static int reach(struct mu_results_list *list, size_t place, struct mu_error *err)
{
    if (place >= list->capacity) {
        const size_t capacity = place < 8 ? 16 : 2 * place;
        if (mu_resize((void **)&list->runs, capacity, sizeof *list->runs, "records", err) != MU_OK) return err->status;
        list->capacity = capacity;
    }
    for (; list->count <= place; list->count++) list->runs[list->count] = (struct mu_results_run){0};
    return MU_OK;
}

int mu_results_list_put(struct mu_results_list *list, const json_t *record, size_t place, struct mu_error *err)
{
    size_t number = 0;
    if (reach(list, place, err) != MU_OK) return err->status;
    list->runs[place] = (struct mu_results_run){0};
    if (record == NULL) return MU_OK;
    char *name = name_group(record, err);
    const char *kept = name != NULL ? mu_words_number(&list->names, name, &number, err) : NULL;
    mu_free(name);
    if (kept == NULL || (number == list->group_count && begin_group(list, record, err) != MU_OK)) return err->status;
    list->runs[place] = (struct mu_results_run){number + 1, json_array_size(json_object_get(record, "samples_ns"))};
    return MU_OK;
}

static void add_columns(struct mu_grid *grid)
{
    static const char *const right[] = {"workgroup", "team", "runs", "samples"};
    for (size_t i = 0; i < OUTCOME; i++)
        mu_grid_column(grid, texts[i], texts[i], MU_COLUMN_LEFT | (i >= KIND && i <= LABEL ? MU_COLUMN_MINOR : 0u));
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
        mu_grid_column(grid, right[i], right[i], i < 2 ? MU_COLUMN_MINOR : 0u);
    mu_grid_column(grid, texts[OUTCOME], texts[OUTCOME], MU_COLUMN_LEFT);
}

static void add_row(struct mu_grid *grid, const struct mu_results_group *group)
{
    mu_grid_row(grid);
    for (size_t i = 0; i < OUTCOME; i++) mu_grid_text(grid, "%s", group->texts[i]);
    mu_grid_number(grid, group->workgroup, 0);
    if (group->has_team)
        mu_grid_number(grid, group->team_limit, 0);
    else
        mu_grid_empty(grid);
    mu_grid_number(grid, (double)group->runs, 0);
    mu_grid_number(grid, (double)group->samples, 0);
    mu_grid_text(grid, "%s", group->texts[OUTCOME]);
    if (strcmp(group->texts[OUTCOME], "ok") != 0) mu_grid_tone(grid, MU_TONE_BAD);
}

/* Adds a note that counts outcomes: "57 records: ok 56, wrong 1". */
static void note_outcomes(const struct mu_results_list *list, struct mu_grid *grid)
{
    const char *outcome;
    json_t *number;
    size_t records = 0;
    struct mu_json counts = mu_json_object();
    char text[512] = "";
    for (size_t i = 0; i < list->count; i++) {
        if (list->runs[i].group == 0) continue;
        outcome = list->groups[list->runs[i].group - 1].texts[OUTCOME];
        mu_json_set_number(&counts, outcome, mu_json_number(counts.value, outcome) + 1);
        records++;
    }
    json_object_foreach (counts.value, outcome, number) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s %lld", used != 0 ? ", " : ": ", outcome,
                 (long long)json_integer_value(number));
    }
    mu_grid_note(grid, "%zu records%s", records, text);
    mu_json_release(&counts);
}

void mu_results_list_fill(struct mu_results_list *list, struct mu_grid *grid, struct mu_error *err)
{
    size_t shown = 0;
    size_t *order = mu_malloc(list->group_count, sizeof *order, "tests", err);
    for (size_t i = 0; order != NULL && i < list->count; i++) {
        const struct mu_results_run *run = &list->runs[i];
        if (run->group == 0) continue;
        struct mu_results_group *group = &list->groups[run->group - 1];
        if (group->runs++ == 0) order[shown++] = run->group - 1;
        group->samples += run->samples;
    }
    add_columns(grid);
    for (size_t i = 0; i < shown; i++) add_row(grid, &list->groups[order[i]]);
    note_outcomes(list, grid);
    mu_free(order);
}

void mu_results_list_release(struct mu_results_list *list)
{
    mu_free(list->runs);
    mu_free(list->groups);
    mu_words_release(&list->names);
    mu_words_release(&list->words);
    *list = (struct mu_results_list){0};
}
