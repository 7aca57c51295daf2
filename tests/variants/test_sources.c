/* variants/variant: the kernel sources of every app for every way to synchronise, and what Clang says of them as OpenCL
 * C 1.2, 2.0 and 3.0, with the inline PTX for Nvidia's target. */
#include "tests/tap.h"
#include "variants/variant.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What an atomics path is compiled as: a standard, and options of Clang's own. The declarations of OpenCL C 3.0 depend
 * on what the target has: here, everything. */
static const struct {
    enum mu_atomics atomics;
    bool ptx_fences;
    const char *standard, *options;
} targets[] = {
    {MU_ATOMICS_FENCES, false, "CL1.2", "-fsyntax-only --target=spir64"},
    {MU_ATOMICS_FENCES, false, "CL2.0", "-fsyntax-only --target=spir64"},
    {MU_ATOMICS_FENCES, false, "CL3.0", "-fsyntax-only --target=spir64 -Xclang -cl-ext=+all"},
    {MU_ATOMICS_C11, false, "CL2.0", "-fsyntax-only --target=spir64"},
    {MU_ATOMICS_C11, false, "CL3.0", "-fsyntax-only --target=spir64 -Xclang -cl-ext=+all"},
    {MU_ATOMICS_PTX, false, "CL1.2", "-S --target=nvptx64-nvidia-cuda"},
    {MU_ATOMICS_PTX, false, "CL3.0", "-S --target=nvptx64-nvidia-cuda -Xclang -cl-ext=+all"},
    {MU_ATOMICS_PTX, true, "CL3.0", "-S --target=nvptx64-nvidia-cuda -Xclang -cl-ext=+all"},
};

/* Each value of a choice turns up in one of these. */
static const struct {
    enum mu_variant variant;
    enum mu_rollcall rollcall;
    enum mu_barrier barrier;
    bool wide_offsets;
} shapes[] = {
    {MU_MULTI_KERNEL, MU_ROLLCALL_ATOMIC, MU_BARRIER_COUNTER, true},
    {MU_PORTABLE, MU_ROLLCALL_ATOMIC, MU_BARRIER_COUNTER, false},
    {MU_PORTABLE, MU_ROLLCALL_TICKET, MU_BARRIER_XF, true},
    {MU_SPECIALISED, MU_ROLLCALL_ATOMIC, MU_BARRIER_COUNTER, false},
    {MU_COOPERATIVE, MU_ROLLCALL_ATOMIC, MU_BARRIER_AUTO, true},
    {MU_PORTABLE, MU_ROLLCALL_SPIN, MU_BARRIER_TREE, false},
    {MU_PORTABLE, MU_ROLLCALL_DESTRUCT, MU_BARRIER_SPLIT, false},
    {MU_PORTABLE, MU_ROLLCALL_LOBE, MU_BARRIER_COUNTER, false},
};

#define COOPERATIVE 4 /* of the shapes */

/* Shapes from here on are compiled for one app only: they differ in what is no app's. */
#define SHAPES_OF_ALL 5

enum { TARGETS = sizeof targets / sizeof targets[0], SHAPES = sizeof shapes / sizeof shapes[0] };

static struct mu_build make_build(size_t target, size_t shape)
{
    return (struct mu_build){.variant = shapes[shape].variant,
                             .rollcall = shapes[shape].rollcall,
                             .barrier = shapes[shape].barrier,
                             .atomics = targets[target].atomics,
                             .ptx_fences = targets[target].ptx_fences,
                             .c_standard = targets[target].standard,
                             .has_double = true,
                             .workgroup = 128,
                             .spin_limit = 1u << 20,
                             .wide_offsets = shapes[shape].wide_offsets};
}

/* PoCL brings a Clang of its own release's version, without a name that all share. */
static const char *find_clang(void)
{
    static char name[24] = "clang";
    char command[64];
    for (int version = 14; version < 40; version++) {
        snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", name);
        if (system(command) == 0) return name;
        snprintf(name, sizeof name, "clang-%d", version);
    }
    return NULL;
}

/* Clang's exit status for the sources; its messages are on standard error. It does not know the halves of a workgroup's
 * barrier, and compiles them as a compiler that does. Optimised code would have the same messages, later. */
static int compile(const char *clang, const char *options, const struct mu_sources *sources)
{
    char command[2048];
    snprintf(command, sizeof command,
             "%s -x cl -Dcl_intel_split_work_group_barrier '-Dintel_work_group_barrier_arrive(flags)=((void)(flags))' "
             "-Dintel_work_group_barrier_wait=barrier "
             "-Xclang -finclude-default-header -Wall -Wextra -Wno-unused -Wno-unused-parameter -Werror %s %s -o "
             "/dev/null -O0 - 1>&2",
             clang, options, sources->options);
    FILE *pipe = popen(command, "w");
    if (pipe == NULL) return -1;
    for (size_t i = 0; i < sources->count; i++) fwrite(sources->text[i], 1, sources->length[i], pipe);
    return pclose(pipe);
}

static void test_compile(const char *clang, const struct mu_app *app, size_t target, size_t shape, bool perturb,
                         const struct mu_value *values, const char *form)
{
    struct mu_build build = make_build(target, shape);
    struct mu_app_setup setup = {0};
    struct mu_sources sources;
    struct mu_error err = {0}, none = {0};
    char name[256];
    mu_app_set(app, "batch", "4", &setup, &none); /* if it has one; an instance decides what is auto */
    mu_app_complete(app, &setup);
    build.perturb = perturb;
    build.values = values != NULL ? values : setup.values;
    build.form = form;
    snprintf(name, sizeof name, "%s%s/%s%s%s, %s, %s, %s, %s, as %s%s", perturb ? "perturbed " : "", app->suite,
             app->name, values != NULL ? ", long rows" : "", form != NULL ? ", few before" : "",
             mu_variants[build.variant].name, mu_rollcalls[build.rollcall].name, mu_barriers[build.barrier].name,
             mu_atomics_paths[build.atomics].name, build.c_standard, build.ptx_fences ? " before sm_70" : "");
    if (!CHECK(mu_sources_collect(app, &build, NULL, &sources, &err) == MU_OK, "%s: sources %s", name, err.message))
        return;
    if (clang != NULL)
        CHECK(compile(clang, targets[target].options, &sources) == 0, "%s: compiles", name);
    else
        tap_skip(name, "there is no Clang");
    mu_sources_free(&sources);
}

/* A load beside a plan, by a clock of its kernels. How many work-items serve is a constant of the build in a condition,
 * of which Clang would warn. */
static void test_load(const char *clang, size_t target, enum mu_load_clock clock)
{
    struct mu_build build = make_build(target, COOPERATIVE);
    struct mu_sources sources;
    struct mu_error err = {0};
    char name[128], options[128];
    build.load = true;
    build.load_clock = clock;
    snprintf(name, sizeof name, "a load by %s, %s, as %s", mu_load_clock_names[clock],
             mu_atomics_paths[build.atomics].name, build.c_standard);
    if (!CHECK(mu_sources_collect(mu_apps[0], &build, NULL, &sources, &err) == MU_OK, "%s: sources %s", name,
               err.message))
        return;
    snprintf(options, sizeof options, "%s -Wno-constant-logical-operand", targets[target].options);
    if (clang != NULL)
        CHECK(compile(clang, options, &sources) == 0, "%s: compiles", name);
    else
        tap_skip(name, "there is no Clang");
    mu_sources_free(&sources);
}

static void test_loads(const char *clang)
{
    for (size_t target = 0; target < TARGETS; target++) {
        if (target % 4 != 0 && !tap_in_full()) continue;
        test_load(clang, target, MU_LOAD_CLOCK_WORK);
        if (targets[target].atomics == MU_ATOMICS_PTX) test_load(clang, target, MU_LOAD_CLOCK_GLOBALTIMER);
    }
}

/* Every source begins with the line that makes messages name its file. */
static void test_collect(const struct mu_app *app)
{
    const struct mu_build build = make_build(0, 1);
    struct mu_sources sources = {0};
    struct mu_error err = {0};
    char own[160], last[160];
    snprintf(own, sizeof own, "#line 1 \"apps/%s/%s/%s.state.h\"\n", app->suite, app->name, app->name);
    snprintf(last, sizeof last, "#line 1 \"apps/%s/%s/%s.plan.h\"\n", app->suite, app->name, app->name);
    bool named = mu_sources_collect(app, &build, NULL, &sources, &err) == MU_OK && sources.count >= 2;
    for (size_t i = 0; named && i < sources.count; i++)
        named = strncmp(sources.text[i], "#line 1 \"", 9) == 0 && strlen(sources.text[i]) == sources.length[i];
    CHECK(named && strncmp(sources.text[0], own, strlen(own)) == 0 &&
              strncmp(sources.text[sources.count - 1], last, strlen(last)) == 0,
          "%s/%s: every source names its file", app->suite, app->name);
    CHECK(strstr(sources.options, "-DMU_WORKGROUP=128") != NULL && strstr(sources.options, "-cl-std=CL1.2") != NULL,
          "%s/%s: %s", app->suite, app->name, sources.options);
    mu_sources_free(&sources);
    struct mu_error missing = {0};
    CHECK(mu_sources_collect(app, &build, "/proc/nonexistent", &sources, &missing) == MU_IO && sources.count == 0,
          "%s/%s: %s", app->suite, app->name, missing.message);
}

/* Blanks the calls of mu_pause in the text of a source, but neither its function nor its macro. */
static void blank_pauses(char *text)
{
    static const char call[] = "mu_pause(";
    for (char *found = text; (found = strstr(found, call)) != NULL; found++) {
        const char *line = found;
        while (line > text && line[-1] != '\n') line--;
        if (strncmp(line, "static", 6) == 0 || *line == '#') continue;
        for (char *c = found; *c != ';' && *c != '\0'; c++) *c = ' ';
    }
}

/* What the preprocessor makes of the sources, white space left out; the caller's. */
static char *preprocess(const struct mu_sources *sources)
{
    char command[512], path[] = "/tmp/muster-test-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0) return NULL;
    snprintf(command, sizeof command, "%s -E -P -x c -D__OPENCL_C_VERSION__=120 %s - >%s",
             getenv("CC") != NULL ? getenv("CC") : "cc", strchr(sources->options, ' '), path);
    FILE *pipe = popen(command, "w");
    for (size_t i = 0; pipe != NULL && i < sources->count; i++) fwrite(sources->text[i], 1, sources->length[i], pipe);
    const bool done = pipe != NULL && pclose(pipe) == 0;
    const off_t bytes = lseek(file, 0, SEEK_END);
    char *text = done && bytes > 0 ? calloc((size_t)bytes + 1, 1) : NULL;
    size_t kept = 0;
    if (text != NULL && pread(file, text, (size_t)bytes, 0) != bytes) text[0] = '\0';
    for (size_t i = 0; text != NULL && text[i] != '\0'; i++)
        if (!isspace((unsigned char)text[i])) text[kept++] = text[i];
    if (text != NULL) text[kept] = '\0';
    close(file);
    unlink(path);
    return text;
}

#if defined __x86_64__ || defined __aarch64__
#define KNOWS_YIELD true
#else
#define KNOWS_YIELD false
#endif

/* Yields are for devices that asked for one: all others get the very tokens that they would get if no loop called
 * mu_pause. With a yield the two differ, so that the comparison is one. */
static void test_pause(const struct mu_app *app, enum mu_rollcall rollcall, enum mu_yield yield)
{
    struct mu_build build = make_build(TARGETS - 2, 1);
    struct mu_sources sources = {0};
    struct mu_error err = {0};
    if (yield == MU_YIELD_SYSCALL && !KNOWS_YIELD) {
        tap_skip("loops that wait call a yield", "its system call is known for x86-64 and AArch64 only");
        return;
    }
    build.rollcall = rollcall;
    build.yield = yield;
    build.yield_polls = 256;
    mu_sources_collect(app, &build, NULL, &sources, &err);
    char *with = preprocess(&sources);
    for (size_t i = 0; i < sources.count; i++) blank_pauses(sources.owned[i]);
    char *without = preprocess(&sources);
    const bool made = with != NULL && without != NULL && strstr(with, "mu_persistent") != NULL;
    if (yield == MU_YIELD_NONE)
        CHECK(made && strcmp(with, without) == 0 && strstr(with, "yield") == NULL && strstr(with, "mu_pause") == NULL,
              "%s, %s, without a yield: no token of a pause is left%s", app->name, mu_rollcalls[rollcall].name,
              err.message);
    else
        CHECK(made && strcmp(with, without) != 0 && strstr(with, "mu_yield()") != NULL,
              "%s, %s, yield %s: loops that wait call it", app->name, mu_rollcalls[rollcall].name,
              mu_yields[yield].name);
    free(with);
    free(without);
    mu_sources_free(&sources);
}

/* Blanks what stands for a perturbation in the text of a source: `MU_PERTURB_…(…)`, but not its definition. */
static void blank_perturbations(char *text)
{
    static const char call[] = "MU_PERTURB_";
    for (char *found = text; (found = strstr(found, call)) != NULL; found++) {
        const char *line = found;
        while (line > text && line[-1] != '\n') line--;
        if (*line == '#') continue;
        char *c = found;
        while (*c != ')' && *c != '\0') *c++ = ' ';
        if (*c == ')') *c = ' ';
    }
}

/* Without --perturb a program has the very tokens that it would have if there were no such thing; with it, waits. */
static void test_perturb(const struct mu_app *app, bool perturb)
{
    struct mu_build build = make_build(TARGETS - 2, 1);
    struct mu_sources sources = {0};
    struct mu_error err = {0};
    build.perturb = perturb;
    mu_sources_collect(app, &build, NULL, &sources, &err);
    char *with = preprocess(&sources);
    for (size_t i = 0; i < sources.count; i++) blank_perturbations(sources.owned[i]);
    char *without = preprocess(&sources);
    const bool made = with != NULL && without != NULL && strstr(with, "mu_persistent") != NULL;
    if (perturb)
        CHECK(made && strstr(with, "mu_perturb_group(") != NULL && strstr(with, "mu_perturb_rank(") != NULL &&
                  strstr(with, "mu_perturb_access(") != NULL,
              "%s, perturbed: steps, ranks and accesses are%s", app->name, err.message);
    else
        CHECK(made && strcmp(with, without) == 0 && strstr(with, "erturb") == NULL,
              "%s, not perturbed: no token of a perturbation is left%s", app->name, err.message);
    free(with);
    free(without);
    mu_sources_free(&sources);
}

/* Has the sources find an attribute that any compiler here has where they look for that against vectors. */
static void find_attribute(char *text)
{
    static const char wanted[] = "__has_attribute(intel_vec_len_hint)", there[] = "__has_attribute(deprecated        )";
    _Static_assert(sizeof wanted == sizeof there, "the one takes the place of the other");
    for (char *found = text; (found = strstr(found, wanted)) != NULL; found++) memcpy(found, there, sizeof there - 1);
}

/* Whether kernels of an app ask for no vectors: where one work-item serves alone, and the compiler has a way to ask. */
static void test_vectors(const char *name, enum mu_variant variant, bool serial, bool has_attribute, bool asks)
{
    struct mu_build build = make_build(TARGETS - 2, 1);
    struct mu_sources sources = {0};
    struct mu_error err = {0};
    const struct mu_app *app = mu_app_find(name, &err);
    build.variant = variant;
    build.serial = serial;
    if (app != NULL) mu_sources_collect(app, &build, NULL, &sources, &err);
    for (size_t i = 0; has_attribute && i < sources.count; i++) find_attribute(sources.owned[i]);
    char *text = preprocess(&sources);
    CHECK(text != NULL && strstr(text, "reqd_work_group_size") != NULL &&
              (strstr(text, "__attribute__((intel_vec_len_hint(1)))__kernel") != NULL) == asks &&
              strstr(text, "MU_NO_VECTORS") == NULL,
          "%s, %s, work-items %s, %s attribute for it: vectors are %s%s", name, mu_variants[variant].name,
          serial ? "one after another" : "at once", has_attribute ? "an" : "no", asks ? "not wanted" : "the compiler's",
          err.message);
    free(text);
    mu_sources_free(&sources);
}

/* An app is compiled for each target in one of the shapes of all, by turns: each app for each target, each app in each
 * shape, and each shape for each target. In `make check` it is compiled for each sixth target, in one shape. */
static void test_shapes(const char *clang, const struct mu_app *const *app, size_t target)
{
    const size_t turn = (size_t)(app - mu_apps) + target;
    for (size_t shape = 0; shape < SHAPES; shape++) {
        const size_t place = (turn + shape) % SHAPES_OF_ALL;
        const bool sampled = shape >= SHAPES_OF_ALL || (turn % 6 == 0 && (turn / 6 + shape) % SHAPES_OF_ALL == 0);
        const bool wanted = shape < SHAPES_OF_ALL ? place == 0 || (place == 2 && sampled) : *app == mu_apps[0];
        if (wanted && (sampled || tap_in_full())) test_compile(clang, *app, target, shape, false, NULL, NULL);
    }
}

/* color, whose defaults are compiled for short rows in order of priority. */
static void test_color(const char *clang, const char *order, const char *poll_degree, const char *form)
{
    struct mu_error err = {0};
    struct mu_app_setup setup = {0};
    const struct mu_app *app = mu_app_find("pannotia/color", &err);
    if (!CHECK(app != NULL && mu_app_set(app, "poll_degree", poll_degree, &setup, &err) == MU_OK &&
                   mu_app_set(app, "batch", "8", &setup, &err) == MU_OK &&
                   mu_app_set(app, "order", order, &setup, &err) == MU_OK,
               "long rows: %s", err.message))
        return;
    mu_app_complete(app, &setup);
    for (size_t target = 0; target < TARGETS; target++)
        if (tap_in_full() || target % 4 == 0)
            test_compile(clang, app, target, target % SHAPES_OF_ALL, false, setup.values, form);
}

int main(void)
{
    const char *clang = find_clang();
    test_color(clang, "priority", "0", NULL);
    test_color(clang, "degree", "0", NULL);
    test_color(clang, "degree", "32", "COLOR_AHEAD=1");
    test_loads(clang);
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) {
        test_collect(*app);
        for (size_t target = 0; target < TARGETS; target++) test_shapes(clang, app, target);
        if ((app - mu_apps) % 3 != 0 && !tap_in_full()) continue; /* `make check` perturbs each third app */
        test_perturb(*app, false);
        test_perturb(*app, true);
        for (size_t target = 0; target < TARGETS; target++)
            if (*app == mu_apps[0] || target == TARGETS - 2) test_compile(clang, *app, target, 1, true, NULL, NULL);
    }
    static const char *const alone[] = {"lonestar/bfs", "lonestar/sssp", "pannotia/bc"};
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++) {
        test_vectors(alone[i], MU_MULTI_KERNEL, true, true, true);
        test_vectors(alone[i], MU_PORTABLE, true, true, true);
    }
    test_vectors("lonestar/bfs", MU_COOPERATIVE, true, true, true);
    test_vectors("lonestar/bfs", MU_PORTABLE, true, false, false);
    test_vectors("lonestar/bfs", MU_PORTABLE, false, true, false);
    test_vectors("pannotia/mis", MU_PORTABLE, true, true, false);
    for (int rollcall = 0; mu_rollcalls[rollcall].name != NULL; rollcall++)
        for (int yield = 0; mu_apps[0] != NULL && mu_yields[yield].name != NULL; yield++)
            test_pause(mu_apps[0], (enum mu_rollcall)rollcall, (enum mu_yield)yield);
    return tap_done();
}
