#include "variants/variant.h"

#include "base/memory.h"
#include "variants/embedded.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kernel sources of a roll call, a barrier or a path: its own, and before it its bases, up to the first NULL. */
#define MAX_BASES 3
struct implementation {
    const char *source, *bases[MAX_BASES];
};
static const struct implementation rollcalls[] = {
    [MU_ROLLCALL_ATOMIC] = {"variants/rollcalls/atomic.clh", {NULL}},
    [MU_ROLLCALL_TICKET] = {"variants/rollcalls/mutex.clh",
                            {"variants/rollcalls/mutex_ticket.clh", "variants/rollcalls/mutex_delay.clh"}},
    [MU_ROLLCALL_SPIN] = {"variants/rollcalls/mutex.clh",
                          {"variants/rollcalls/mutex_spin.clh", "variants/rollcalls/mutex_delay.clh"}},
    [MU_ROLLCALL_DESTRUCT] = {"variants/rollcalls/destruct.clh", {NULL}},
    [MU_ROLLCALL_LOBE] = {"variants/rollcalls/lobe.clh",
                          {"variants/rollcalls/mutex_ticket.clh", "variants/rollcalls/mutex_delay.clh"}},
};
static const struct implementation barriers[] = {
    [MU_BARRIER_AUTO] = {NULL, {NULL}},
    [MU_BARRIER_COUNTER] = {"variants/barriers/counter.clh", {"variants/barriers/one_word.clh"}},
    [MU_BARRIER_TREE] = {"variants/barriers/tree.clh", {NULL}},
    [MU_BARRIER_XF] = {"variants/barriers/xf.clh", {NULL}},
    [MU_BARRIER_SPLIT] = {"variants/barriers/split.clh",
                          {"variants/teams/group_halves.clh", "variants/barriers/one_word.clh",
                           "variants/barriers/halves.clh"}},
    [MU_BARRIER_NATIVE] = {"variants/barriers/native.clh", {"variants/barriers/vendors.clh"}},
};
static const char *const variants[] = {
    [MU_MULTI_KERNEL] = NULL,
    [MU_PORTABLE] = "variants/teams/portable.clh",
    [MU_SPECIALISED] = "variants/teams/specialised.clh",
    [MU_COOPERATIVE] = "variants/teams/portable.clh",
};
static const char *const atomics_paths[] = {
    [MU_ATOMICS_C11] = "variants/atomics/c11.clh",
    [MU_ATOMICS_PTX] = "variants/atomics/ptx.clh",
    [MU_ATOMICS_FENCES] = "variants/atomics/fences.clh",
};
static const struct implementation subgroup_paths[] = {
    [MU_SUBGROUPS_NONE] = {"variants/subgroups/none.clh", {NULL}},
    [MU_SUBGROUPS_PTX] = {"variants/subgroups/ptx.clh", {NULL}},
    [MU_SUBGROUPS_C30] = {"variants/subgroups/functions.clh", {NULL}},
    [MU_SUBGROUPS_KHRONOS] = {"variants/subgroups/functions.clh", {"variants/subgroups/khronos.clh"}},
};

const char *const mu_load_clock_names[] = {[MU_LOAD_CLOCK_PROCESSOR] = "processor",
                                           [MU_LOAD_CLOCK_GLOBALTIMER] = "globaltimer",
                                           [MU_LOAD_CLOCK_KERNEL] = "kernel-clock",
                                           [MU_LOAD_CLOCK_WORK] = "work"};

static const char *const yields[] = {[MU_YIELD_NONE] = NULL, [MU_YIELD_SYSCALL] = "variants/teams/yield_syscall.clh"};

/* How yield_syscall.clh learns which processor it runs on: a CPU device's is the host's. */
#if defined __x86_64__
#define YIELD_TARGET " -DMU_YIELD_X86_64"
#elif defined __aarch64__
#define YIELD_TARGET " -DMU_YIELD_AARCH64"
#else
#define YIELD_TARGET ""
#endif

const char *mu_atomics_source(enum mu_atomics atomics)
{
    return atomics_paths[atomics];
}

enum mu_barrier mu_barrier_choose(enum mu_barrier asked, uint32_t team, uint32_t tree_from)
{
    if (asked != MU_BARRIER_AUTO) return asked;
    return team < tree_from ? MU_BARRIER_COUNTER : MU_BARRIER_TREE;
}

/* Appends to the compiler's options, which must not be cut off. */
static int add_option(struct mu_sources *sources, const char *text, struct mu_error *err)
{
    const size_t used = strlen(sources->options), more = strlen(text);
    if (err->status != MU_OK) return err->status;
    if (more >= sizeof sources->options - used)
        return mu_fail(err, MU_LIMIT, "%s: more options than a compiler gets from here", text);
    memcpy(sources->options + used, text, more + 1);
    return MU_OK;
}

int mu_sources_set_options(struct mu_sources *sources, const struct mu_build *build, struct mu_error *err)
{
    char head[96], yield[64] = "", native[32] = "", form[64] = "";
    const struct {
        const char *text;
        bool wanted;
    } flags[] = {
        {" -DMU_WIDE_OFFSETS", build->wide_offsets},
        {" -DMU_CHUNKS", build->chunks},
        {" -DMU_SERIAL", build->serial},
        {" -DMU_PERTURB", build->perturb},
        {" -DMU_LOAD", build->load},
        {" -DMU_HAS_DOUBLE", build->has_double},
        {" -DMU_PTX_FENCES", build->ptx_fences},
        {" -DMU_PTX", build->atomics == MU_ATOMICS_PTX},
        {" -DMU_ONE_BLOCK", build->one_block},
        {" -DMU_IDS_REMAPPED", build->ids == MU_IDS_REMAPPED && build->variant != MU_MULTI_KERNEL},
        {yield, build->yield != MU_YIELD_NONE},
        {native, build->native != 0 && build->barrier == MU_BARRIER_NATIVE},
        {form, build->form != NULL},
    };
    snprintf(yield, sizeof yield, " -DMU_YIELD_POLLS=%uu" YIELD_TARGET, build->yield_polls);
    snprintf(native, sizeof native, " -DMU_NATIVE=%u", build->native);
    if (build->form != NULL) snprintf(form, sizeof form, " -D%s", build->form);
    snprintf(head, sizeof head, "-cl-std=%s -DMU_WORKGROUP=%u -DMU_SPIN_LIMIT=%uu", build->c_standard, build->workgroup,
             build->spin_limit);
    sources->options[0] = '\0';
    add_option(sources, head, err);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (flags[i].wanted) add_option(sources, flags[i].text, err);
    return err->status;
}

/* Adds " -DAPP_SERIAL_DEGREE=8" for each option of the build. */
static int add_app_options(struct mu_sources *sources, const struct mu_app *app, const struct mu_value *values,
                           struct mu_error *err)
{
    for (size_t i = 0; app->options[i].name != NULL; i++) {
        const struct mu_option *row = &app->options[i];
        const struct mu_value value = values != NULL ? values[i] : mu_option_default(row);
        char text[96] = " -DAPP_";
        if ((row->is & MU_OPTION_BUILD) == 0) continue;
        size_t used = strlen(text);
        for (const char *c = row->name; *c != '\0' && used < sizeof text - 1; c++)
            text[used++] = (char)toupper((unsigned char)*c);
        snprintf(text + used, sizeof text - used, "=%u", (uint32_t)value.number);
        add_option(sources, text, err);
    }
    return err->status;
}

/* Returns the whole of a file, NUL-terminated, which the caller frees; NULL on failure. */
static char *read_source(const char *name, struct mu_error *err)
{
    char *text = NULL;
    long bytes = 0;
    FILE *file = fopen(name, "rb");
    bool read =
        file != NULL && fseek(file, 0, SEEK_END) == 0 && (bytes = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0;
    if (read) text = mu_calloc((size_t)bytes + 1, 1, name, err);
    if (text != NULL) read = fread(text, 1, (size_t)bytes, file) == (size_t)bytes;
    if (!read) {
        mu_fail(err, MU_IO, "%s: cannot read this kernel source (--kernel-dir)", name);
        mu_free(text);
        text = NULL;
    }
    if (file != NULL) fclose(file);
    return text;
}

/* Finds where kernel_dir has the source: at its path, or, for apps of one's own, as in the folder that --with-apps
 * names. *name is the caller's, and NULL if the folder has no such file. */
static int find_source(const char *kernel_dir, const char *path, char **name, struct mu_error *err)
{
    static const char own[] = "apps/own/";
    const bool is_own = strncmp(path, own, sizeof own - 1) == 0;
    *name = mu_format(err, "%s/%s", kernel_dir, path);
    if (*name != NULL && is_own && access(*name, F_OK) != 0) {
        mu_free(*name);
        *name = mu_format(err, "%s/%s", kernel_dir, path + sizeof own - 1);
    }
    if (*name != NULL && access(*name, F_OK) != 0 && errno == ENOENT && access(kernel_dir, X_OK) == 0) {
        mu_free(*name);
        *name = NULL;
    }
    return err->status;
}

int mu_sources_add(struct mu_sources *sources, const char *path, const char *kernel_dir, struct mu_error *err)
{
    if (err->status != MU_OK) return err->status;
    if (sources->count + 1 > MU_MAX_SOURCES) return mu_fail(err, MU_LIMIT, "%s: too many kernel sources", path);
    const struct mu_embedded *embedded = mu_embedded_find(path);
    char *name = NULL;
    if (kernel_dir != NULL) find_source(kernel_dir, path, &name, err);
    char *loaded = name != NULL ? read_source(name, err) : NULL;
    const bool replaced = name != NULL;
    mu_free(name);
    if (!replaced && embedded == NULL) return mu_fail(err, MU_BUILD, "%s: no such kernel source", path);
    if (err->status != MU_OK) return err->status;
    char *text = mu_format(err, "#line 1 \"%s\"\n%s\n", path, replaced ? loaded : embedded->text);
    mu_free(loaded);
    if (text == NULL) return err->status;
    sources->text[sources->count] = sources->owned[sources->count] = text;
    sources->length[sources->count++] = strlen(text);
    sources->replaced += replaced;
    return MU_OK;
}

static int add_implementation(struct mu_sources *sources, const struct implementation *implementation,
                              const char *kernel_dir, struct mu_error *err)
{
    for (size_t i = 0; i < MAX_BASES && implementation->bases[i] != NULL; i++)
        mu_sources_add(sources, implementation->bases[i], kernel_dir, err);
    return mu_sources_add(sources, implementation->source, kernel_dir, err);
}

const char *mu_yield_source(enum mu_yield yield)
{
    return yields[yield];
}

int mu_sources_add_spin(struct mu_sources *sources, const struct mu_build *build, const char *kernel_dir,
                        struct mu_error *err)
{
    const char *yield = mu_yield_source(build->yield);
    if (yield != NULL) mu_sources_add(sources, yield, kernel_dir, err);
    return mu_sources_add(sources, "variants/teams/spin.clh", kernel_dir, err);
}

int mu_sources_add_subgroups(struct mu_sources *sources, enum mu_subgroups subgroups, const char *kernel_dir,
                             struct mu_error *err)
{
    return add_implementation(sources, &subgroup_paths[subgroups], kernel_dir, err);
}

int mu_sources_add_rollcall(struct mu_sources *sources, enum mu_rollcall rollcall, const char *kernel_dir,
                            struct mu_error *err)
{
    return add_implementation(sources, &rollcalls[rollcall], kernel_dir, err);
}

int mu_sources_add_barrier(struct mu_sources *sources, enum mu_barrier barrier, const char *kernel_dir,
                           struct mu_error *err)
{
    if (barriers[barrier].source == NULL)
        return mu_fail(err, MU_USAGE, "barrier %s stands for another, which nobody has chosen",
                       mu_barriers[barrier].name);
    return add_implementation(sources, &barriers[barrier], kernel_dir, err);
}

/* Files of which a program has some. */
struct part {
    const char *path;
    bool wanted;
};

static int add_parts(struct mu_sources *sources, const struct part *parts, size_t count, const char *kernel_dir,
                     struct mu_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (parts[i].wanted) mu_sources_add(sources, parts[i].path, kernel_dir, err);
    return err->status;
}
#define ADD_PARTS(parts) add_parts(sources, parts, sizeof(parts) / sizeof(parts)[0], kernel_dir, err)

int mu_sources_add_load(struct mu_sources *sources, const struct mu_build *build, const char *kernel_dir,
                        struct mu_error *err)
{
    const bool by_work = build->load_clock == MU_LOAD_CLOCK_WORK;
    const struct part files[] = {
        {"variants/cooperative/layout.clh", true},
        {"variants/cooperative/kernel_clock.clh", build->load && build->load_clock == MU_LOAD_CLOCK_KERNEL},
        {"variants/cooperative/load.clh", build->load},
        {"variants/cooperative/schedule.clh", build->load && !by_work},
        {"variants/cooperative/work_schedule.clh", build->load && by_work},
    };
    return ADD_PARTS(files);
}

int mu_sources_add_join(struct mu_sources *sources, const struct mu_build *build, const char *kernel_dir,
                        struct mu_error *err)
{
    if (build->variant == MU_COOPERATIVE) {
        mu_sources_add_load(sources, build, kernel_dir, err);
        mu_sources_add(sources, "variants/cooperative/parked.clh", kernel_dir, err);
        mu_sources_add(sources, "variants/cooperative/barrier.clh", kernel_dir, err);
    } else {
        mu_sources_add_barrier(sources, build->barrier, kernel_dir, err);
    }
    if (MU_HAS_ROLL_CALL(build->variant)) mu_sources_add_rollcall(sources, build->rollcall, kernel_dir, err);
    mu_sources_add(sources, variants[build->variant], kernel_dir, err);
    return mu_sources_add(sources, "variants/teams/kernel.clh", kernel_dir, err);
}

int mu_sources_start_team(struct mu_sources *sources, const struct mu_build *build, const char *kernel_dir,
                          struct mu_error *err)
{
    const char *const below[] = {"variants/teams/sync_layout.clh", mu_atomics_source(build->atomics),
                                 "variants/teams/team.clh"};
    mu_sources_set_options(sources, build, err);
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) mu_sources_add(sources, below[i], kernel_dir, err);
    return mu_sources_add_spin(sources, build, kernel_dir, err);
}

/* The parts of an operator's schedule, each chosen by an option of the app's build; off where the app lacks it. */
#define OPERATOR_PARTS 4
static const struct {
    const char *option, *files[3];
} operator_parts[OPERATOR_PARTS] = {
    {"coop_cv", {"variants/operators/push_plain.clh", "variants/operators/push_coop.clh"}},
    {"wg", {"variants/operators/wg_off.clh", "variants/operators/wg.clh"}},
    {"sg", {"variants/operators/sg_off.clh", "variants/operators/sg.clh"}},
    {"fg", {"variants/operators/serial.clh", "variants/operators/fg.clh", "variants/operators/fg.clh"}},
};

/* Subgroups and operators, for apps that use them. */
static int add_operators(struct mu_sources *sources, const struct mu_app *app, const struct mu_build *build,
                         const char *kernel_dir, struct mu_error *err)
{
    if ((app->needs & MU_NEEDS_SUBGROUPS) == 0) return MU_OK;
    mu_sources_add_subgroups(sources, build->subgroups, kernel_dir, err);
    mu_sources_add(sources, "variants/operators/operators.clh", kernel_dir, err);
    for (size_t i = 0; i < OPERATOR_PARTS; i++) {
        const int row = mu_option_find(app->options, operator_parts[i].option);
        const uint64_t chosen = row >= 0 && build->values != NULL ? build->values[row].number : 0;
        mu_sources_add(sources, operator_parts[i].files[chosen], kernel_dir, err);
    }
    return err->status;
}

/* Adds an app's own file: apps/<suite>/<name>/<name><suffix>. Only functions that its steps share may be missing. */
static int add_app_source(struct mu_sources *sources, const struct mu_app *app, const char *suffix,
                          const char *kernel_dir, struct mu_error *err)
{
    char path[256];
    snprintf(path, sizeof path, "apps/%s/%s/%s%s", app->suite, app->name, app->name, suffix);
    if (strcmp(suffix, ".clh") == 0 && mu_embedded_find(path) == NULL) return MU_OK;
    return mu_sources_add(sources, path, kernel_dir, err);
}

static bool has_protocols(const struct mu_app *app)
{
    bool has = false;
    for (size_t i = 0; i < app->buffer_count; i++) has |= mu_role_has_protocol(app->buffers[i].role);
    return has;
}

int mu_sources_collect(const struct mu_app *app, const struct mu_build *build, const char *kernel_dir,
                       struct mu_sources *sources, struct mu_error *err)
{
    const bool persistent = build->variant != MU_MULTI_KERNEL, cooperative = build->variant == MU_COOPERATIVE;
    const char *const steps = !persistent   ? "variants/teams/multi_kernel.clh"
                              : cooperative ? "variants/cooperative/steps.clh"
                                            : "variants/teams/persistent.clh";
    const bool halves = (app->needs & MU_NEEDS_HALVES) != 0;
    const struct part below[] = {
        {"variants/teams/sync_layout.clh", true},
        {atomics_paths[build->atomics], true},
        {"variants/teams/perturb.clh", build->perturb},
        {"variants/teams/team.clh", true},
        {"variants/teams/group_halves.clh", halves},
        {"variants/teams/worklist.clh", true},
        {"variants/teams/sums.clh", true},
        {"apps/priority.clh", true},
        {"inputs/mesh/predicates.clh", (app->needs & MU_NEEDS_DOUBLE) != 0},
        {"variants/teams/state.clh", true},
    };
    const struct part above[] = {
        {"variants/teams/protocols.clh", has_protocols(app)},
        {"variants/teams/reductions.clh", has_protocols(app)},
        {steps, true},
        {"variants/teams/roles.clh", has_protocols(app)},
        {app->shared, app->shared != NULL},
    };
    const struct part plan[] = {
        {"variants/cooperative/plan.clh", cooperative},
        {"variants/teams/split.clh", persistent && halves},
        {"variants/teams/split_step.clh", persistent && halves},
    };
    memset(sources, 0, sizeof *sources);
    mu_sources_set_options(sources, build, err);
    add_app_options(sources, app, build->values, err);
    add_app_source(sources, app, ".state.h", kernel_dir, err);
    ADD_PARTS(below);
    add_operators(sources, app, build, kernel_dir, err);
    if (persistent) mu_sources_add_spin(sources, build, kernel_dir, err);
    if (persistent) mu_sources_add_join(sources, build, kernel_dir, err);
    ADD_PARTS(above);
    add_app_source(sources, app, ".clh", kernel_dir, err);
    add_app_source(sources, app, ".cl", kernel_dir, err);
    ADD_PARTS(plan);
    if (persistent) add_app_source(sources, app, ".plan.h", kernel_dir, err);
    if (kernel_dir != NULL && sources->replaced == 0)
        mu_fail(err, MU_USAGE, "%s: no kernel source of %s/%s is in this folder (--kernel-dir)", kernel_dir, app->suite,
                app->name);
    if (err->status != MU_OK) mu_sources_free(sources);
    return err->status;
}

void mu_sources_free(struct mu_sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) mu_free(sources->owned[i]);
    sources->count = 0;
}
