/* variants/variant: the kernel sources of every app for every way to synchronise, and what Clang says of them as OpenCL
 * C 1.2, 2.0 and 3.0, with the inline PTX for Nvidia's target. */
#include "tests/tap.h"
#include "variants/variant.h"

#include <stdlib.h>
#include <string.h>

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
    {MU_PORTABLE, MU_ROLLCALL_SPIN, MU_BARRIER_TREE, false},
    {MU_PORTABLE, MU_ROLLCALL_DESTRUCT, MU_BARRIER_SPLIT, false},
    {MU_PORTABLE, MU_ROLLCALL_LOBE, MU_BARRIER_COUNTER, false},
};

/* Shapes from here on are compiled for one app only: they differ in what is no app's. */
#define SHAPES_OF_ALL 4

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

static const char *find_clang(void)
{
    static const char *const names[] = {"clang", "clang-14", "clang-15", "clang-16"};
    char command[64];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", names[i]);
        if (system(command) == 0) return names[i];
    }
    return NULL;
}

/* Clang's exit status for the sources; its messages are on standard error. It does not know the halves of a split
 * barrier. */
static int compile(const char *clang, const char *options, const struct mu_sources *sources)
{
    char command[1024];
    snprintf(
        command, sizeof command,
        "%s -x cl '-Dintel_work_group_barrier_arrive(flags)=((void)(flags))' -Dintel_work_group_barrier_wait=barrier "
        "-Xclang -finclude-default-header -Wall -Wextra -Wno-unused -Wno-unused-parameter -Werror %s %s -o "
        "/dev/null - 1>&2",
        clang, options, sources->options);
    FILE *pipe = popen(command, "w");
    if (pipe == NULL) return -1;
    for (size_t i = 0; i < sources->count; i++) fwrite(sources->text[i], 1, sources->length[i], pipe);
    return pclose(pipe);
}

static void test_compile(const char *clang, const struct mu_app *app, size_t target, size_t shape)
{
    const struct mu_build build = make_build(target, shape);
    struct mu_sources sources;
    struct mu_error err = {0};
    char name[256];
    snprintf(name, sizeof name, "%s/%s, %s, %s, %s, %s, as %s%s", app->suite, app->name,
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
    CHECK(mu_sources_collect(app, &build, "/nonexistent", &sources, &missing) == MU_IO && sources.count == 0,
          "%s/%s: %s", app->suite, app->name, missing.message);
}

int main(void)
{
    const char *clang = find_clang();
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) {
        test_collect(*app);
        for (size_t target = 0; target < TARGETS; target++)
            for (size_t shape = 0; shape < SHAPES; shape++)
                if (shape < SHAPES_OF_ALL ? shape != 0 || target % 3 == 0 : *app == mu_apps[0])
                    test_compile(clang, *app, target, shape);
    }
    return tap_done();
}
