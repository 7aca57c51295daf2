#include "variants/variant.h"

#include "base/memory.h"
#include "harness/embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct mu_choice mu_variants[] = {
    {"multi-kernel", "the host launches a kernel for each step", NULL},
    {"portable", "one kernel; a roll call finds the team; a global barrier after each step", "variants/portable.clh"},
    {"specialised", "one kernel, launched with as many workgroups as fit at once; no roll call",
     "variants/specialised.clh"},
    {NULL, NULL, NULL},
};

const struct mu_choice mu_rollcalls[] = {
    {"atomic", "no mutex: one fetch-and-add a group; rank 0 closes the poll", "variants/rollcall_atomic.clh"},
    {"ticket", "OOPSLA 2016, figure 3: polling and closing phase under a ticket lock", "variants/rollcall_mutex.clh"},
    {"spin", "the same under a spin lock, which is not fair", "variants/rollcall_mutex.clh"},
    {"ticket-destruct", "as ticket; whoever closes the poll destroys the mutex", "variants/rollcall_destruct.clh"},
    {"lobe", "native ids: every group up to the highest that polled; needs LOBE fairness",
     "variants/rollcall_lobe.clh"},
    {NULL, NULL, NULL},
};

const struct mu_choice mu_barriers[] = {
    {"auto", "counter for small teams, tree for large ones", NULL},
    {"counter", "one word: everybody adds, its top bit flips", "variants/barrier_counter.clh"},
    {"tree", "for large teams: ranks gather at leaves, rank 0 gathers the leaves", "variants/barrier_tree.clh"},
    {"xf", "Xiao and Feng, as in OOPSLA 2016, section 4: a flag for each group", "variants/barrier_xf.clh"},
    {"split", "as counter, with the halves of cl_intel_split_work_group_barrier (untested)",
     "variants/barrier_split.clh"},
    {NULL, NULL, NULL},
};

/* What comes before a roll call's or a barrier's own source; they are listed up to the first NULL. */
#define MAX_BASES 2
static const char *const rollcall_bases[][MAX_BASES] = {
    [MU_ROLLCALL_ATOMIC] = {NULL},
    [MU_ROLLCALL_TICKET] = {"variants/mutex_ticket.clh", "variants/mutex_delay.clh"},
    [MU_ROLLCALL_SPIN] = {"variants/mutex_spin.clh", "variants/mutex_delay.clh"},
    [MU_ROLLCALL_DESTRUCT] = {NULL},
    [MU_ROLLCALL_LOBE] = {"variants/mutex_ticket.clh", "variants/mutex_delay.clh"},
};
static const char *const barrier_bases[][MAX_BASES] = {
    [MU_BARRIER_AUTO] = {NULL}, [MU_BARRIER_COUNTER] = {"variants/counter.clh"}, [MU_BARRIER_TREE] = {NULL},
    [MU_BARRIER_XF] = {NULL},   [MU_BARRIER_SPLIT] = {"variants/counter.clh"},
};

const struct mu_choice mu_atomics_paths[] = {
    {"c11", "atomics of OpenCL C 2.0 and 3.0 at device scope", "variants/atomics_c11.clh"},
    {"ptx", "Nvidia: acquire and release instructions, inline", "variants/atomics_ptx.clh"},
    {"fences", "OpenCL C 1.x: fences around read-modify-writes", "variants/atomics_fences.clh"},
    {NULL, NULL, NULL},
};

const struct mu_choice mu_yields[] = {
    {"none", "a workgroup that waits polls without a pause", NULL},
    {"syscall", "CPUs: the system call sched_yield now and then, inline", "variants/yield_syscall.clh"},
    {NULL, NULL, NULL},
};

/* How yield_syscall.clh learns which processor it runs on: a CPU device's is the host's. */
#if defined __x86_64__
#define YIELD_TARGET " -DMU_YIELD_X86_64"
#elif defined __aarch64__
#define YIELD_TARGET " -DMU_YIELD_AARCH64"
#else
#define YIELD_TARGET ""
#endif

int mu_choice_find(const struct mu_choice *table, const char *option, const char *name, int *index,
                   struct mu_error *err)
{
    char choices[256] = "";
    size_t used = 0;
    for (int i = 0; table[i].name != NULL; i++) {
        if (strcmp(table[i].name, name) == 0) {
            *index = i;
            return MU_OK;
        }
        if (used < sizeof choices)
            used += (size_t)snprintf(choices + used, sizeof choices - used, "%s%s", i ? ", " : "", table[i].name);
    }
    return mu_fail(err, MU_USAGE, "--%s=%s: no such choice; there are: %s", option, name, choices);
}

int mu_yield_find(const char *name, int *yield, struct mu_error *err)
{
    *yield = -1;
    return strcmp(name, "auto") == 0 ? MU_OK : mu_choice_find(mu_yields, "yield", name, yield, err);
}

uint32_t mu_rollcall_wait(enum mu_rollcall rollcall, uint32_t patience, uint32_t delay)
{
    return rollcall == MU_ROLLCALL_ATOMIC ? patience : delay;
}

/* On an H200 with nothing between the barriers, one word serves 528 groups in 1.2 us, 1056 in 2.2 and 2112 in 4.7, the
 * tree all of them in 2.0. Steps between them spread the arrivals out, which the one word likes: hence a threshold
 * above that of empty barriers. */
#define TREE_FROM 1536

enum mu_barrier mu_barrier_choose(enum mu_barrier asked, uint32_t team, const struct mu_barrier_choice *choice)
{
    const uint32_t tree_from = choice != NULL && choice->tree_from != 0 ? choice->tree_from : TREE_FROM;
    if (asked != MU_BARRIER_AUTO) return asked;
    return team < tree_from ? MU_BARRIER_COUNTER : MU_BARRIER_TREE;
}

void mu_sources_set_options(struct mu_sources *sources, const struct mu_build *build)
{
    char yield[64] = "";
    if (build->yield != MU_YIELD_NONE)
        snprintf(yield, sizeof yield, " -DMU_YIELD_POLLS=%uu" YIELD_TARGET, build->yield_polls);
    snprintf(sources->options, sizeof sources->options,
             "-cl-std=%s -DMU_WORKGROUP=%u -DMU_SPIN_LIMIT=%uu%s%s%s%s%s%s%s", build->c_standard, build->workgroup,
             build->spin_limit, build->wide_offsets ? " -DMU_WIDE_OFFSETS" : "", build->chunks ? " -DMU_CHUNKS" : "",
             build->has_double ? " -DMU_HAS_DOUBLE" : "", build->ptx_fences ? " -DMU_PTX_FENCES" : "",
             build->atomics == MU_ATOMICS_PTX ? " -DMU_PTX" : "",
             build->variant == MU_MULTI_KERNEL ? " -DMU_ONE_BLOCK" : "", yield);
}

/* The whole file kernel_dir/path, NUL-terminated; NULL on failure. */
static char *read_source(const char *kernel_dir, const char *path, struct mu_error *err)
{
    char *text = NULL;
    long bytes = 0;
    char *name = mu_format(err, "%s/%s", kernel_dir, path);
    if (name == NULL) return NULL;
    FILE *file = fopen(name, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (bytes = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) != 0) {
        mu_fail(err, MU_IO, "%s: cannot read this kernel source (--kernel-dir)", name);
        goto out;
    }
    text = mu_calloc((size_t)bytes + 1, 1, name, err);
    if (text != NULL && fread(text, 1, (size_t)bytes, file) != (size_t)bytes) {
        mu_fail(err, MU_IO, "%s: cannot read this kernel source (--kernel-dir)", name);
        mu_free(text);
        text = NULL;
    }
out:
    if (file != NULL) fclose(file);
    mu_free(name);
    return text;
}

int mu_sources_add(struct mu_sources *sources, const char *path, const char *kernel_dir, struct mu_error *err)
{
    if (sources->count + 1 > MU_MAX_SOURCES) return mu_fail(err, MU_LIMIT, "%s: too many kernel sources", path);
    const struct mu_embedded *embedded = mu_embedded_find(path);
    char *loaded = kernel_dir != NULL ? read_source(kernel_dir, path, err) : NULL;
    if (kernel_dir != NULL && loaded == NULL) return err->status;
    if (kernel_dir == NULL && embedded == NULL) return mu_fail(err, MU_BUILD, "%s: no such kernel source", path);
    const size_t index = sources->count;
    sources->owned[index] = mu_format(err, "#line 1 \"%s\"\n%s\n", path, kernel_dir != NULL ? loaded : embedded->text);
    mu_free(loaded);
    if (sources->owned[index] == NULL) return err->status;
    sources->text[index] = sources->owned[index];
    sources->length[index] = strlen(sources->text[index]);
    sources->count++;
    return MU_OK;
}

static int add_with_bases(struct mu_sources *sources, const char *const bases[MAX_BASES], const char *path,
                          const char *kernel_dir, struct mu_error *err)
{
    for (size_t i = 0; err->status == MU_OK && i < MAX_BASES && bases[i] != NULL; i++)
        mu_sources_add(sources, bases[i], kernel_dir, err);
    return err->status == MU_OK ? mu_sources_add(sources, path, kernel_dir, err) : err->status;
}

int mu_sources_add_spin(struct mu_sources *sources, const struct mu_build *build, const char *kernel_dir,
                        struct mu_error *err)
{
    const char *yield = mu_yields[build->yield].source;
    const int status = yield != NULL ? mu_sources_add(sources, yield, kernel_dir, err) : MU_OK;
    return status == MU_OK ? mu_sources_add(sources, "variants/spin.clh", kernel_dir, err) : status;
}

int mu_sources_add_rollcall(struct mu_sources *sources, enum mu_rollcall rollcall, const char *kernel_dir,
                            struct mu_error *err)
{
    return add_with_bases(sources, rollcall_bases[rollcall], mu_rollcalls[rollcall].source, kernel_dir, err);
}

int mu_sources_add_barrier(struct mu_sources *sources, enum mu_barrier barrier, const char *kernel_dir,
                           struct mu_error *err)
{
    if (mu_barriers[barrier].source == NULL)
        return mu_fail(err, MU_USAGE, "barrier %s stands for another, which nobody has chosen",
                       mu_barriers[barrier].name);
    return add_with_bases(sources, barrier_bases[barrier], mu_barriers[barrier].source, kernel_dir, err);
}

int mu_sources_add_join(struct mu_sources *sources, const struct mu_build *build, const char *kernel_dir,
                        struct mu_error *err)
{
    int status = mu_sources_add_barrier(sources, build->barrier, kernel_dir, err);
    if (status == MU_OK && build->variant == MU_PORTABLE)
        status = mu_sources_add_rollcall(sources, build->rollcall, kernel_dir, err);
    return status == MU_OK ? mu_sources_add(sources, mu_variants[build->variant].source, kernel_dir, err) : status;
}

/* An app's own file: apps/<suite>/<name>/<name><suffix>. Only functions that its steps share may be missing. */
static int add_app_source(struct mu_sources *sources, const struct mu_app *app, const char *suffix,
                          const char *kernel_dir, struct mu_error *err)
{
    char path[256];
    snprintf(path, sizeof path, "apps/%s/%s/%s%s", app->suite, app->name, app->name, suffix);
    if (strcmp(suffix, ".clh") == 0 && mu_embedded_find(path) == NULL) return MU_OK;
    return mu_sources_add(sources, path, kernel_dir, err);
}

int mu_sources_collect(const struct mu_app *app, const struct mu_build *build, const char *kernel_dir,
                       struct mu_sources *sources, struct mu_error *err)
{
    const bool persistent = build->variant != MU_MULTI_KERNEL;
    const struct {
        const char *path;
        bool wanted;
    } below[] = {
        {"variants/sync_layout.clh", true},
        {mu_atomics_paths[build->atomics].source, true},
        {"variants/team.clh", true},
        {"variants/worklist.clh", true},
        {"variants/sums.clh", true},
        {"apps/priority.clh", true},
        {"apps/predicates.clh", (app->needs & MU_NEEDS_DOUBLE) != 0},
        {"variants/state.clh", true},
    };
    memset(sources, 0, sizeof *sources);
    mu_sources_set_options(sources, build);
    int status = add_app_source(sources, app, ".state.h", kernel_dir, err);
    for (size_t i = 0; status == MU_OK && i < sizeof below / sizeof below[0]; i++)
        if (below[i].wanted) status = mu_sources_add(sources, below[i].path, kernel_dir, err);
    if (status == MU_OK && persistent) status = mu_sources_add_spin(sources, build, kernel_dir, err);
    if (status == MU_OK && persistent) status = mu_sources_add_join(sources, build, kernel_dir, err);
    if (status == MU_OK)
        status = mu_sources_add(sources, persistent ? "variants/persistent.clh" : "variants/multi_kernel.clh",
                                kernel_dir, err);
    if (status == MU_OK) status = add_app_source(sources, app, ".clh", kernel_dir, err);
    if (status == MU_OK) status = add_app_source(sources, app, ".cl", kernel_dir, err);
    if (status == MU_OK && persistent) status = add_app_source(sources, app, ".plan.h", kernel_dir, err);
    if (status != MU_OK) mu_sources_free(sources);
    return status;
}

void mu_sources_free(struct mu_sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) mu_free(sources->owned[i]);
    sources->count = 0;
}
