#include "harness/run/load.h"

#include "base/memory.h"
#include "harness/device/launch_defaults.h"
#include "variants/launch/load.h"

/* How often there is a task, and how long it would have all workgroups. The first three are those of the thesis, table
 * 5.3. */
static const struct {
    uint64_t period_ns, work_ns;
} loads[] = {
    [MU_LOAD_NONE] = {0, 0},
    [MU_LOAD_LIGHT] = {70000000, 3000000},
    [MU_LOAD_MEDIUM] = {40000000, 3000000},
    [MU_LOAD_HEAVY] = {40000000, 10000000},
    [MU_LOAD_BRIEF] = {2000000, 200000},
    [MU_LOAD_IDLE] = {0, 0}, /* nothing is asked for */
};

/* Rows of the matrices: few where few workgroups share them. */
#define SIDE_OF_CPUS   64
#define SIDE_OF_OTHERS 512
#define TRIES          3
#define ROUNDS         8

/* Measures a few times how long all workgroups take for so many products. *best_ns gets the shortest time. */
static int time_products(const struct mu_load_server *server, const struct mu_load *load, uint64_t *best_ns,
                         uint32_t *team, struct mu_error *err)
{
    *best_ns = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t took_ns = 0;
        if (server->serve(server->context, load, &took_ns, team, err) != MU_OK) return err->status;
        if (took_ns < *best_ns) *best_ns = took_ns;
    }
    return MU_OK;
}

static uint32_t scaled(uint32_t repeats, uint64_t wanted_ns, uint64_t took_ns)
{
    const double scaled = (double)repeats * (double)wanted_ns / (double)(took_ns != 0 ? took_ns : 1);
    return scaled < 1 ? 1 : scaled > 1e6 ? 1000000 : (uint32_t)(scaled + 0.5);
}

/* Returns true if so many products take as long as is wanted, to a tenth, or to the nearest whole product. */
static bool is_near(uint32_t repeats, uint32_t wanted)
{
    const uint32_t off = repeats > wanted ? repeats - wanted : wanted - repeats;
    return off <= repeats / 10;
}

/* Finds how many products take the time that is wanted, by two rounds in a row that agree. A disturbance makes a time
 * longer and the number too small; a later round finds that out. */
static int find_repeats(const struct mu_load_server *server, uint64_t work_ns, struct mu_load *load, uint64_t *took_ns,
                        uint32_t *team, struct mu_error *err)
{
    bool was_near = false;
    for (int round = 0; round < ROUNDS; round++) {
        if (time_products(server, load, took_ns, team, err) != MU_OK) return err->status;
        const uint32_t wanted = scaled(load->repeats, work_ns, *took_ns);
        const bool near = is_near(load->repeats, wanted);
        if ((near && was_near) || round + 1 == ROUNDS) break;
        if (!near) load->repeats = wanted;
        was_near = near;
    }
    return MU_OK;
}

/* Returns the workgroups of a task: as many as are wanted, but fewer than the team has beside the scheduler. */
static uint32_t groups_of(uint32_t wanted, uint32_t team)
{
    const uint32_t most = team - 1;
    const uint32_t asked = wanted == MU_LOAD_QUARTER       ? team / 4
                           : wanted == MU_LOAD_HALF        ? team / 2
                           : wanted == MU_LOAD_MOST_GROUPS ? most
                                                           : wanted;
    return asked < 1 ? 1 : asked > most ? most : asked;
}

int mu_load_find(const struct mu_load_server *server, enum mu_load_kind kind, uint32_t groups, struct mu_load *load,
                 struct mu_json *part, struct mu_error *err)
{
    uint64_t took_ns = 0;
    uint32_t team = 0;
    *load = (struct mu_load){.period_ns = loads[kind].period_ns,
                             .groups = 1,
                             .side = server->cpu ? SIDE_OF_CPUS : SIDE_OF_OTHERS,
                             .repeats = 1};
    if (find_repeats(server, loads[kind].work_ns, load, &took_ns, &team, err) != MU_OK) return err->status;
    if (team < 3)
        return mu_fail(err, MU_UNSUPPORTED,
                       "--load: a team of %u has no workgroup to schedule, one to stay and one to give", team);
    load->groups = groups_of(groups, team - 1);
    mu_json_set_number(part, "groups", load->groups);
    mu_json_set_number(part, "side", load->side);
    mu_json_set_number(part, "products", load->repeats);
    mu_json_set_number(part, "alone_ns", took_ns);
    mu_json_set_number(part, "period_ns", load->period_ns);
    mu_json_set_text(part, "clock", mu_load_clock_names[server->team->clock]);
    mu_json_set_text(part, "requests", mu_asking_names[server->team->asking]);
    mu_json_set_number(part, "asking_ns", server->team->asking_ns);
    return MU_OK;
}

static int serve(void *context, const struct mu_load *load, uint64_t *ns, uint32_t *team, struct mu_error *err)
{
    struct mu_process *process = context;
    struct mu_launch launch = mu_process_launch(process);
    struct mu_sample sample;
    launch.load = *load;
    if (mu_execution_serve(process->execution, &launch, &sample, err) != MU_OK) return err->status;
    *ns = sample.host_ns;
    *team = sample.team;
    return MU_OK;
}

int mu_load_calibrate(struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    const struct mu_test *test = &process->test;
    const struct mu_load_server server = {serve, process, process->info.cpu, &process->execution->team};
    struct mu_json part = mu_json_object();
    mu_load_find(&server, (enum mu_load_kind)test->load, test->load_groups, &process->load, &part, err);
    if (err->status == MU_OK)
        mu_json_set_part(record, "load_task", &part);
    else
        mu_json_release(&part);
    return err->status;
}

struct mu_load_log mu_load_log(void)
{
    return (struct mu_load_log){.gather = mu_json_array(), .task = mu_json_array(), .period = mu_json_array()};
}

int mu_load_add(const struct mu_team_launch *team, struct mu_load_log *log, struct mu_error *err)
{
    struct mu_request *requests = NULL;
    uint32_t count = 0;
    if (mu_load_read(team, &requests, &count, err) != MU_OK) return err->status;
    for (uint32_t i = 0; i < count; i++) {
        mu_json_append_number(&log->gather, requests[i].gathered - requests[i].asked);
        mu_json_append_number(&log->task, requests[i].done - requests[i].gathered);
        if (i > 0) mu_json_append_number(&log->period, requests[i].asked - requests[i - 1].asked);
    }
    log->tasks += count;
    mu_free(requests);
    return MU_OK;
}

void mu_load_record(struct mu_load_log *log, struct mu_json *record)
{
    mu_json_set_part(record, "load_gather_ns", &log->gather);
    mu_json_set_part(record, "load_task_ns", &log->task);
    mu_json_set_part(record, "load_period_ns", &log->period);
    mu_json_set_number(record, "load_tasks", log->tasks);
}
