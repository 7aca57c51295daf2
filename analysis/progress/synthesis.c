#include "analysis/progress/synthesis.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const struct mu_synthesis_size mu_synthesis_sizes[] = {{2, 2, 8},   {2, 3, 176}, {3, 3, 21},
                                                       {2, 4, 173}, {3, 4, 105}, {0}};

/* ---- Texts ---- */

static const char word_names[] = "xyzw";

static size_t write_step(const struct mu_lts_step *step, char *text, size_t bytes)
{
    const char word = word_names[step->word];
    int used = 0;
    if (step->operation == MU_LTS_STORE)
        used = snprintf(text, bytes, "%c=%u", word, step->value);
    else if (step->operation == MU_LTS_EXCHANGE)
        used = snprintf(text, bytes, "%c!%u?%u>%u", word, step->put, step->value, step->target);
    else
        used = snprintf(text, bytes, "%c?%u>%u", word, step->value, step->target);
    return (size_t)used;
}

static void write_program(const struct mu_lts_program *program, char text[MU_SYNTHESIS_TEXT])
{
    size_t used = 0;
    for (unsigned thread = 0; thread < program->threads; thread++)
        for (const struct mu_lts_step *step = program->steps[thread]; step->operation != MU_LTS_END; step++) {
            const char *between = step != program->steps[thread] ? ";" : thread > 0 ? " | " : "";
            used += (size_t)snprintf(text + used, MU_SYNTHESIS_TEXT - used, "%s", between);
            used += write_step(step, text + used, MU_SYNTHESIS_TEXT - used);
        }
}

/* Reads a number of one digit behind this character. */
static bool take_number(const char **text, char before, unsigned *number)
{
    if (**text != before || !isdigit((unsigned char)(*text)[1])) return false;
    *number = (unsigned)((*text)[1] - '0');
    *text += 2;
    return true;
}

static bool take_step(const char **text, struct mu_lts_step *step)
{
    const char *word = **text != '\0' ? strchr(word_names, **text) : NULL;
    *step = (struct mu_lts_step){.operation = MU_LTS_JUMP_EQUAL};
    if (word == NULL) return false;
    step->word = (unsigned)(word - word_names);
    ++*text;
    if (take_number(text, '=', &step->value)) {
        step->operation = MU_LTS_STORE;
        return step->value <= 1;
    }
    if (take_number(text, '!', &step->put)) step->operation = MU_LTS_EXCHANGE;
    return take_number(text, '?', &step->value) && take_number(text, '>', &step->target) && step->value <= 1 &&
           step->put <= 1;
}

bool mu_synthesis_parse(const char *text, struct mu_lts_program *program)
{
    *program = (struct mu_lts_program){.name = "synthesised", .text = "", .threads = 1};
    for (unsigned steps = 0;; steps++) {
        struct mu_lts_step *thread = program->steps[program->threads - 1];
        if (steps >= MU_LTS_STEPS - 1 || !take_step(&text, &thread[steps])) return false;
        if (*text == ';') {
            text++;
            continue;
        }
        for (unsigned i = 0; i <= steps; i++)
            if (thread[i].operation != MU_LTS_STORE && thread[i].target > steps + 1) return false;
        if (*text == '\0') return true;
        if (strncmp(text, " | ", 3) != 0 || program->threads == MU_LTS_THREADS) return false;
        text += 3;
        program->threads++;
        steps = UINT32_MAX; /* the next one is 0 */
    }
}

/* ---- All programs ---- */

struct search {
    struct mu_lts_program program;
    unsigned lengths[MU_LTS_THREADS];
    mu_synthesis_taker take;
    void *context;
    struct mu_synthesis_counts *counts;
};

/* Returns true if each word is used by several threads: one that a single thread uses tells no other thread
 * anything. */
static bool shares_all(const struct mu_lts_program *program)
{
    unsigned users[MU_SYNTHESIS_WORDS] = {0};
    for (unsigned thread = 0; thread < program->threads; thread++)
        for (const struct mu_lts_step *step = program->steps[thread]; step->operation != MU_LTS_END; step++)
            users[step->word] |= 1u << thread;
    for (unsigned word = 0; word < MU_SYNTHESIS_WORDS; word++)
        if (users[word] != 0 && (users[word] & (users[word] - 1)) == 0) return false;
    return true;
}

static int judge(struct search *search, struct mu_error *err)
{
    struct mu_synthesised found = {.allowed = 0};
    struct mu_lts_starvation starvation;
    struct mu_lts *lts = NULL;
    search->counts->tried++;
    if (!shares_all(&search->program)) return MU_OK;
    if (mu_lts_explore(&search->program, &lts, err) != MU_OK) return err->status;
    const bool starves = mu_lts_needs_all(lts) && mu_lts_starves(lts, MU_LTS_UNFAIR, &starvation);
    const bool blocks = starves && !mu_lts_starves(lts, MU_LTS_FAIR, &starvation);
    if (starves && !blocks && mu_lts_can_always_end(lts)) search->counts->strong++;
    for (int s = 0; s < MU_LTS_SCHEDULERS && blocks; s++)
        if (!mu_lts_starves(lts, (enum mu_lts_scheduler)s, &starvation)) found.allowed |= 1u << s;
    mu_lts_free(lts);
    if (!blocks) return MU_OK;
    write_program(&search->program, found.text);
    return search->take(search->context, &found, err);
}

static int fill(struct search *search, unsigned thread, unsigned place, unsigned words, struct mu_error *err);

/* Fills in the next instruction in every possible way, with its word given. */
static void fill_word(struct search *search, unsigned thread, unsigned place, unsigned word, unsigned words,
                      struct mu_error *err)
{
    struct mu_lts_step *step = &search->program.steps[thread][place];
    for (unsigned value = 0; value <= 1; value++) {
        *step = (struct mu_lts_step){MU_LTS_STORE, word, value, 0, 0};
        fill(search, thread, place + 1, words, err);
        /* A branch to the next instruction is none. */
        for (unsigned target = 0; target <= search->lengths[thread]; target++) {
            if (target == place + 1) continue;
            *step = (struct mu_lts_step){MU_LTS_JUMP_EQUAL, word, value, target, 0};
            fill(search, thread, place + 1, words, err);
            for (unsigned put = 0; put <= 1; put++) {
                *step = (struct mu_lts_step){MU_LTS_EXCHANGE, word, value, target, put};
                fill(search, thread, place + 1, words, err);
            }
        }
    }
}

/* Fills in the instructions from this one on. The first `words` words are in use; a new one is the next. */
static int fill(struct search *search, unsigned thread, unsigned place, unsigned words, struct mu_error *err)
{
    if (err->status != MU_OK) return err->status;
    if (place == search->lengths[thread]) {
        search->program.steps[thread][place] = (struct mu_lts_step){.operation = MU_LTS_END};
        return thread + 1 == search->program.threads ? judge(search, err) : fill(search, thread + 1, 0, words, err);
    }
    for (unsigned word = 0; word <= words && word < MU_SYNTHESIS_WORDS && err->status == MU_OK; word++)
        fill_word(search, thread, place, word, word == words ? words + 1 : words, err);
    return err->status;
}

/* Gives the threads from this one on so many instructions, in every way. */
static int divide(struct search *search, unsigned thread, unsigned left, struct mu_error *err)
{
    const unsigned others = search->program.threads - thread - 1;
    if (others == 0) {
        search->lengths[thread] = left;
        return fill(search, 0, 0, 0, err);
    }
    for (unsigned length = 1; length + others <= left && err->status == MU_OK; length++) {
        search->lengths[thread] = length;
        divide(search, thread + 1, left - length, err);
    }
    return err->status;
}

int mu_synthesis_all(const struct mu_synthesis_size *size, mu_synthesis_taker take, void *context,
                     struct mu_synthesis_counts *counts, struct mu_error *err)
{
    struct search search = {
        .program = {.name = "synthesised", .text = ""}, .take = take, .context = context, .counts = counts};
    search.program.threads = size->threads;
    *counts = (struct mu_synthesis_counts){0};
    return divide(&search, 0, size->instructions, err);
}

/* ---- Telling models apart ---- */

enum { MASKS = 1 << MU_LTS_SCHEDULERS };

struct kinds {
    struct mu_synthesised first[MASKS]; /* by which models allow it: the first program; no text: none */
};

static int note(void *context, const struct mu_synthesised *program, struct mu_error *err)
{
    struct kinds *kinds = context;
    (void)err;
    if (kinds->first[program->allowed].text[0] == '\0') kinds->first[program->allowed] = *program;
    return MU_OK;
}

/* Returns true if for each two models some mask of the set has one of them alone. */
static bool tells_apart(const unsigned *masks, unsigned set)
{
    for (unsigned a = 0; a < MU_LTS_SCHEDULERS; a++)
        for (unsigned b = 0; b < a; b++) {
            bool apart = false;
            for (unsigned i = 0; set >> i != 0; i++)
                apart = apart || ((set >> i & 1u) != 0 && (masks[i] >> a & 1u) != (masks[i] >> b & 1u));
            if (!apart) return false;
        }
    return true;
}

int mu_synthesis_choose(struct mu_synthesised chosen[MU_LTS_SCHEDULERS], size_t *count, struct mu_error *err)
{
    struct kinds *kinds = mu_calloc(1, sizeof *kinds, "synthesised programs", err);
    unsigned masks[16], known = 0, best = 0;
    *count = 0;
    if (kinds == NULL) return err->status;
    for (const struct mu_synthesis_size *size = mu_synthesis_sizes; size->threads != 0 && best == 0; size++) {
        struct mu_synthesis_counts counts;
        known = 0;
        if (mu_synthesis_all(size, note, kinds, &counts, err) != MU_OK) break;
        for (unsigned mask = 0; mask < MASKS && known < 16; mask++)
            if (kinds->first[mask].text[0] != '\0') masks[known++] = mask;
        for (unsigned set = 1; set < 1u << known; set++)
            if (tells_apart(masks, set) && (best == 0 || __builtin_popcount(set) < __builtin_popcount(best)))
                best = set;
    }
    for (unsigned i = 0; best >> i != 0 && *count < MU_LTS_SCHEDULERS; i++)
        if ((best >> i & 1u) != 0) chosen[(*count)++] = kinds->first[masks[i]];
    mu_free(kinds);
    return err->status;
}
