/* Roll calls and barriers as litmus tests for herd7 (tests/host/herd.h): what their work-items do is recorded in every
 * execution that C11 and OpenCL C allow, and written down; here the text is read again, and has the accesses that were
 * recorded. Where there is a herd7, it must find what the exploration has found.
 *
 *     tests/variants/test_herd FOLDER      writes them into the folder, too: `make herd`
 *
 * There is a file for each program, that is, for each way that the work-items can go together, and, of the smaller
 * ones, for each order that is taken away: <program>.without-<order>-<function>. */
#include "tests/host/explore.h"
#include "tests/host/litmus_text.h"
#include "tests/host/sync.h"
#include "tests/tap.h"

#include <limits.h>

#define FOR_EVER 0x00fffe00u
#define MOST     3000000ul

static const char *folder; /* NULL: nothing is written */
static bool has_herd;
static uint *sync_words; /* of the launch */
static struct program_list list;
static uint written;

/* ---- Names ---- */

/* Words of variants/teams/sync_layout.clh, of which `count` lie `apart` words from each other. */
static const struct {
    size_t first, apart, count;
    const char *name;
} names[] = {
    {MU_SYNC_POLL, 1, 1, "poll"},
    {MU_SYNC_SERVING, 1, 1, "serving"},
    {MU_SYNC_TEAM, 1, 1, "team"},
    {MU_SYNC_COUNT, 1, 1, "count"},
    {MU_SYNC_COUNTER, 1, 1, "counter"},
    {MU_SYNC_ABORT, 1, 1, "abort"},
    {MU_SYNC_LEAF(0), MU_SYNC_LINE, MU_SYNC_LEAVES, "leaf"},
    {MU_SYNC_OPEN(0), MU_SYNC_LINE, MU_SYNC_LEAVES, "open"},
    {MU_SYNC_COPY(0), MU_SYNC_LINE, MU_SYNC_COPIES, "copy"},
    {MU_SYNC_FLAGS, 2, HOST_SYNC_MAX_GROUPS, "arrived"},
    {MU_SYNC_FLAGS + 1, 2, HOST_SYNC_MAX_GROUPS, "released"},
};

static void name_of(const struct program *program, uint word, char *name, size_t size)
{
    const uintptr_t first = (uintptr_t)sync_words, at = (uintptr_t)program->addresses[word];
    const size_t index = (at - first) / sizeof(uint);
    snprintf(name, size, "%s%u", program->is_atomic[word] ? "word" : "data", word);
    if (!program->is_atomic[word]) return;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t number = index < names[i].first ? names[i].count : (index - names[i].first) / names[i].apart;
        if (number >= names[i].count || (index - names[i].first) % names[i].apart != 0) continue;
        if (names[i].count == 1)
            snprintf(name, size, "%s", names[i].name);
        else
            snprintf(name, size, "%s%zu", names[i].name, number);
    }
}

/* ---- What is run ---- */

static void prepare(uint *sync)
{
    sync_words = sync;
}

static void note(const struct host_sync_case *what, const struct host_sync_result *result)
{
    if (result->phase != MU_PHASE_NONE || result->wrong != 0) explore_fault("an execution that is wrong");
    programs_note(&list, what->groups * what->workgroup, what->workgroup);
}

static bool explore(const struct host_sync_case *what, struct explore_result *result)
{
    const struct explore_setup setup = {.model = MEMORY_WEAK, .recorded = true, .most = MOST};
    struct host_sync_result last;
    explore_begin(&setup);
    const int status = host_sync_run(what, &last);
    explore_end(result, false);
    return status == 0;
}

/* ---- A test ---- */

static char *text_of(const struct herd_test *test)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    const bool whole = file != NULL && herd_write(file, test);
    if (file != NULL && fclose(file) == 0 && whole) return text;
    free(text);
    return NULL;
}

/* How many lines differ; UINT_MAX where there are not as many. */
static uint differences(const struct litmus_lines *a, const struct litmus_lines *b)
{
    uint count = 0;
    if (a->count != b->count) return UINT_MAX;
    for (uint i = 0; i < a->count; i++) count += strcmp(a->lines[i], b->lines[i]) != 0;
    return count;
}

static bool write_file(const struct herd_test *test, const char *text)
{
    char path[PATH_MAX];
    if (folder == NULL) return true;
    snprintf(path, sizeof path, "%s/%s.litmus", folder, test->title);
    FILE *file = fopen(path, "w");
    if (file == NULL) return false;
    written++;
    const bool put = fputs(text, file) >= 0;
    return fclose(file) == 0 && put;
}

/* What herd7 says of a text: whether its condition holds. */
static bool herd_agrees(const char *text, bool *holds)
{
    char path[] = "/tmp/muster-herd-XXXXXX.litmus", command[PATH_MAX + 80], line[512];
    const int descriptor = mkstemps(path, 7);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    bool said = false;
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) return false;
    snprintf(command, sizeof command, "herd7 -model rc11.cat %s 2>&1", path);
    FILE *answer = popen(command, "r"); /* NOLINT(cert-env33-c): the path is this program's own */
    while (answer != NULL && fgets(line, sizeof line, answer) != NULL) {
        if (strcmp(line, "Ok\n") == 0 || strcmp(line, "No\n") == 0) said = true;
        if (said && strcmp(line, "Ok\n") == 0) *holds = true;
        if (strstr(line, "Flag") != NULL) *holds = false;
    }
    if (answer != NULL) pclose(answer);
    remove(path);
    return said;
}

static void test_program(const struct herd_test *test, bool small)
{
    static struct litmus_lines expected, found;
    char wrong[160] = "";
    char *text = text_of(test);
    const bool read = text != NULL && litmus_read(text, &found, wrong, sizeof wrong);
    CHECK(read && litmus_expect(test, &expected) && found.count > 0 && differences(&found, &expected) == 0,
          "%s: %u accesses, as they were recorded%s%s", test->title, found.count, read ? "" : ": ", wrong);
    if (text != NULL && folder != NULL) CHECK(write_file(test, text), "%s: is written", test->title);
    if (text != NULL && small && has_herd) {
        bool holds = false;
        const bool said = herd_agrees(text, &holds);
        CHECK(said && holds, "%s: herd7 agrees", test->title);
    }
    free(text);
}

static const char *const operation_names[] = {"load", "store", "add",      "or",
                                              "min",  "max",   "exchange", "compare-exchange"};

/* One order of a program taken away: nothing else is another one, and that one is, where the program has it. */
static void test_weakened(const struct herd_test *test, const struct site *site, enum host_order lost)
{
    static struct litmus_lines weak, strong;
    char title[160], wrong[160] = "";
    uint sites = 0;
    if ((site->order & lost) == 0) return;
    for (uint item = 0; item < test->program->items; item++)
        for (uint i = 0; i < test->program->counts[item]; i++) {
            const struct program_event *event = &test->program->events[item][i];
            sites += event->kind == RECORD_ACCESS && site_has(site, &event->access);
        }
    if (sites == 0) return;
    snprintf(title, sizeof title, "%s.without-%s-%s-%s", test->title, lost == HOST_ACQUIRE ? "acquire" : "release",
             operation_names[site->operation], site->function);
    struct herd_test weakened = *test;
    weakened.title = title;
    weakened.weakened = (struct weakening){site, lost};
    char *text = text_of(&weakened);
    const bool read = text != NULL && litmus_read(text, &weak, wrong, sizeof wrong);
    CHECK(read && litmus_expect(test, &strong) && differences(&weak, &strong) == sites && write_file(&weakened, text),
          "%s: %u accesses lose their order, and no other%s%s", title, sites, read ? "" : ": ", wrong);
    free(text);
}

static void test_case(const char *name, struct host_sync_case what, bool small)
{
    struct explore_result result;
    unsigned long executions = 0;
    programs_clear(&list);
    what.prepare = prepare;
    what.judge = note;
    what.spin_limit = FOR_EVER;
    const bool ran = explore(&what, &result);
    const struct site_list sites = *explore_sites();
    for (uint i = 0; i < list.count; i++) executions += list.programs[i].executions;
    CHECK(ran && result.complete && list.is_whole && executions == result.executions && executions > 0,
          "%s, %u groups of %u: %lu executions of %u programs%s%s", name, what.groups, what.workgroup, executions,
          list.count, result.fault[0] != '\0' ? ": " : "", result.fault);
    for (uint i = 0; i < list.count; i++) {
        char title[80], about[200];
        snprintf(title, sizeof title, "%s-%ux%u-%u", name, what.groups, what.workgroup, i + 1);
        snprintf(about, sizeof about, "%s; groups: %u, of so many work-items: %u; executions that go this way: %lu",
                 name, what.groups, what.workgroup, list.programs[i].executions);
        const struct herd_test test = {.title = title, .about = about, .program = &list.programs[i], .name = name_of};
        test_program(&test, small);
        for (uint s = 0; s < sites.count && small; s++) {
            test_weakened(&test, &sites.sites[s], HOST_ACQUIRE);
            test_weakened(&test, &sites.sites[s], HOST_RELEASE);
        }
    }
}

/* A text that is changed in any one line is no longer that of the program. */
static void test_reader(void)
{
    static struct litmus_lines expected, found;
    char wrong[160];
    const struct herd_test test = {.title = "t", .about = "a", .program = &list.programs[0], .name = name_of};
    uint seen = 0, lines = 0;
    char *text = text_of(&test);
    if (!CHECK(text != NULL && litmus_expect(&test, &expected), "a text to be changed")) return;
    for (char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        if (strncmp(line, "  ", 2) != 0 || line[2] == '(') continue;
        char *copy = strdup(text);
        if (copy == NULL) break;
        copy[line - text + 2] = '#';
        lines++;
        seen += !litmus_read(copy, &found, wrong, sizeof wrong) || differences(&found, &expected) != 0;
        free(copy);
    }
    CHECK(lines > 0 && seen == lines, "%u lines, each of which is missed", lines);
    free(text);
}

int main(int argc, char **argv)
{
    folder = argc > 1 ? argv[1] : NULL;
    has_herd = system("herd7 -version >/dev/null 2>&1") == 0; /* NOLINT(cert-env33-c): a constant */
    for (const struct host_barrier *barrier = host_barriers; barrier->name != NULL; barrier++) {
        struct host_sync_case what = {.rollcall = &host_native, .barrier = barrier, .rounds = 1, .once = true};
        for (what.groups = 2; what.groups <= 3; what.groups++) {
            what.workgroup = 1;
            what.expected = what.groups;
            test_case(barrier->name, what, true);
        }
        /* The paper's appendix: a master and two slaves of two work-items, and two calls. */
        what = (struct host_sync_case){
            .rollcall = &host_native, .barrier = barrier, .rounds = 1, .groups = 3, .workgroup = 2, .expected = 3};
        if (folder != NULL || tap_in_full()) test_case(barrier->name, what, false);
    }
    for (const struct host_rollcall *rollcall = host_rollcalls; rollcall->name != NULL; rollcall++)
        test_case(rollcall->name,
                  (struct host_sync_case){
                      .rollcall = rollcall, .barrier = &host_barriers[0], .groups = 2, .workgroup = 1, .expected = 2},
                  true);
    test_reader();
    if (!has_herd) tap_skip("herd7 agrees", "there is no herd7");
    if (folder != NULL) printf("# %u files in %s\n", written, folder);
    programs_clear(&list);
    return tap_done();
}
