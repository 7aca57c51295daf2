/* The work-stealing apps beside a load: the cooperative form, whose parked workgroups serve the load's requests. */
#include "harness/cooperative/stealing.h"

#include "harness/device/launch_defaults.h"
#include "harness/run/load.h"
#include "harness/run/options.h"
#include "variants/launch/load.h"

/* Turns end when they have taken this long: a task on one workgroup may take seconds. */
#define MOST_NS 5e8

/* A measurement: runs of the kernels that are built with a load. */
struct loaded {
    struct mu_stealing *stealing;
    struct mu_stealing_run run;
    struct mu_workbench bench;
    cl_kernel kernel;
    uint32_t turns;
};

static int open_loaded(struct loaded *loaded, struct mu_stealing *stealing, struct mu_trial *trial,
                       struct mu_error *err)
{
    *loaded = (struct loaded){.stealing = stealing, .turns = mu_trial_number(trial, "turns")};
    if (mu_stealing_build(stealing, trial, true, &loaded->bench, err) != MU_OK ||
        mu_workbench_kernel(&loaded->bench, "steal_cooperative", &loaded->kernel, err) != MU_OK)
        return err->status;
    loaded->run = (struct mu_stealing_run){
        .bench = &loaded->bench,
        .kernel = mu_stealing_kernel(stealing, loaded->kernel, "steal_cooperative"),
        .groups = mu_trial_number(trial, "team") - 1 /* beside the scheduler */,
    };
    return MU_OK;
}

static void close_loaded(struct loaded *loaded)
{
    mu_workbench_release_kernel(loaded->kernel);
    mu_workbench_close(&loaded->bench);
}

/* Runs the load alone: for struct mu_load_server. */
static int serve(void *context, const struct mu_load *load, uint64_t *ns, uint32_t *team, struct mu_error *err)
{
    struct loaded *loaded = context;
    double took_ns = 0;
    loaded->bench.load = *load;
    loaded->bench.mode = mu_load_alone;
    mu_stealing_run(loaded->stealing, &loaded->run, &took_ns, err);
    loaded->bench.mode = 0;
    *ns = (uint64_t)took_ns;
    *team = loaded->run.groups + 1;
    return err->status;
}

/* Takes turns until they are enough, into `times` and `log`; each result and each task is checked. */
static int take_turns(struct loaded *loaded, struct mu_json *times, struct mu_load_log *log, struct mu_error *err)
{
    const struct mu_stealing *stealing = loaded->stealing;
    double spent_ns = 0;
    for (uint32_t turn = 0; turn < loaded->turns && spent_ns < MOST_NS; turn++) {
        double ns = 0;
        if (mu_stealing_run(loaded->stealing, &loaded->run, &ns, err) != MU_OK ||
            stealing->check(stealing->app, err) != MU_OK || mu_load_add(&loaded->bench.team, log, err) != MU_OK)
            break;
        spent_ns += ns;
        mu_json_append_real(times, ns);
    }
    return err->status;
}

/* Runs beside a load whose requests are for so many workgroups, once without a request before. */
static int measure_load(struct loaded *loaded, enum mu_load_kind kind, uint32_t groups, struct mu_json *object,
                        struct mu_error *err)
{
    const struct mu_trial *trial = loaded->bench.trial;
    const struct mu_load_server server = {serve, loaded, trial->info.cpu, &loaded->bench.team};
    struct mu_json times = mu_json_array(), task = mu_json_object();
    struct mu_load_log log = mu_load_log();
    struct mu_load load;
    double ns = 0;
    mu_load_find(&server, kind, groups, &load, &task, err);
    loaded->bench.load = (struct mu_load){.groups = load.groups, .side = load.side, .repeats = load.repeats};
    if (err->status == MU_OK && mu_stealing_run(loaded->stealing, &loaded->run, &ns, err) == MU_OK) {
        loaded->bench.load = load;
        take_turns(loaded, &times, &log, err);
    }
    mu_json_set_part(object, "ns", &times);
    mu_json_set_part(object, "load_task", &task);
    mu_load_record(&log, object);
    return err->status;
}

/* How many workgroups the requests of a measurement are for, and what --load-groups calls them. */
struct share {
    const char *name;
    uint32_t groups;
};

static int add_load(struct loaded *loaded, struct mu_trial *trial, enum mu_load_kind kind, const struct share *share,
                    struct mu_error *err)
{
    struct mu_json object = mu_json_object();
    mu_json_set_text(&object, "implementation", kind == MU_LOAD_IDLE ? "idle" : "load");
    mu_json_set_number(&object, "groups", loaded->run.groups);
    mu_json_set_text(&object, "load_groups", share->name);
    if (measure_load(loaded, kind, share->groups, &object, err) == MU_OK)
        return mu_trial_add(trial, mu_json_take(&object, "a measurement", NULL), err);
    mu_json_release(&object);
    return err->status;
}

int mu_stealing_load(struct mu_stealing *stealing, struct mu_trial *trial, struct mu_error *err)
{
    static const struct share shares[] = {
        {"1", 1}, {"quarter", MU_LOAD_QUARTER}, {"half", MU_LOAD_HALF}, {"most", MU_LOAD_MOST_GROUPS}};
    struct loaded loaded = {.stealing = stealing};
    int kind = MU_LOAD_NONE;
    if (mu_choice_find(mu_loads, "load", mu_trial_text(trial, "load"), &kind, err) == MU_OK &&
        open_loaded(&loaded, stealing, trial, err) == MU_OK &&
        add_load(&loaded, trial, MU_LOAD_IDLE, &shares[0], err) == MU_OK)
        for (size_t i = 0; i < sizeof shares / sizeof shares[0] && err->status == MU_OK; i++)
            add_load(&loaded, trial, (enum mu_load_kind)kind, &shares[i], err);
    close_loaded(&loaded);
    return err->status;
}
