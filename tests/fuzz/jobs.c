/* Fuzz targets: what `muster submit` keeps of a job, and the file of costs by which its parts are dealt. */
#include "harness/campaign/campaign.h"
#include "harness/commands/submit/job.h"
#include "harness/commands/submit/status.h"
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

fuzz_run fuzz_costs, fuzz_job;

/* ---- Costs ---- */

#define COMPARISONS 3
#define PARTS       2

/* A campaign that nobody runs: a step for each comparison. */
struct plan {
    struct mu_comparison comparisons[COMPARISONS];
    struct mu_campaign_options options;
    struct mu_campaign campaign;
};

static double expect(const struct mu_engine *engine, const struct mu_step *step)
{
    (void)engine;
    return 1 + step->test;
}

static void release_plan(struct plan *plan)
{
    json_decref(plan->campaign.points);
    mu_engine_release(&plan->campaign.engine);
}

static bool make_plan(struct plan *plan)
{
    static const struct mu_work work = {.name = "nothing", .expect = expect};
    static char texts[COMPARISONS][4] = {"a", "b", "c"};
    struct mu_error err = {0};
    struct mu_json points = mu_json_array();
    *plan = (struct plan){0};
    plan->campaign.comparisons = plan->comparisons;
    plan->campaign.comparison_count = COMPARISONS;
    plan->campaign.configuration_count = 1;
    plan->campaign.options = &plan->options;
    mu_engine_make(&plan->campaign.engine, COMPARISONS, COMPARISONS, &err);
    for (uint32_t i = 0; i < COMPARISONS; i++) {
        struct mu_json point = mu_json_object();
        mu_json_set_number(&point, "comparison", i);
        mu_json_append_part(&points, &point);
        plan->comparisons[i].text = texts[i];
        mu_engine_add(&plan->campaign.engine, &work, i, 0);
    }
    plan->campaign.points = mu_json_take(&points, "the points of a plan", &err);
    if (err.status != MU_OK) release_plan(plan);
    return err.status == MU_OK;
}

/* Every comparison has a part, and no part is empty. */
static bool deal(struct plan *plan, const char *costs)
{
    uint32_t parts[COMPARISONS] = {0};
    double load[PARTS];
    bool used[PARTS] = {false};
    struct mu_error err = {0};
    const struct mu_shard shard = {.number = 1, .count = PARTS, .costs = costs};
    const struct mu_shard more = {.number = 1, .count = COMPARISONS + 1, .costs = costs};
    if (!fuzz_succeeded(mu_shard_deal(&plan->campaign, &shard, parts, load, &err), &err)) return false;
    for (size_t i = 0; i < COMPARISONS; i++) {
        fuzz_require(parts[i] >= 1 && parts[i] <= PARTS, "each comparison has a part");
        used[parts[i] - 1] = true;
    }
    for (size_t i = 0; i < PARTS; i++) fuzz_require(used[i] && load[i] >= 0, "each part has comparisons");
    fuzz_require(!fuzz_succeeded(mu_shard_deal(&plan->campaign, &more, parts, NULL, &err), &err),
                 "there are no more parts than comparisons");
    return true;
}

/* All parts together are the plan. */
static void cut_parts(const char *costs, bool can_be)
{
    uint32_t steps = 0, comparisons = 0;
    for (uint32_t part = 1; part <= PARTS; part++) {
        struct mu_error err = {0};
        struct plan plan;
        if (!make_plan(&plan)) return;
        plan.options.shard = (struct mu_shard){part, PARTS, costs};
        fuzz_require(fuzz_succeeded(mu_shard_cut(&plan.campaign, &err), &err) == can_be, "what is dealt can be cut");
        steps += plan.campaign.engine.step_count;
        comparisons += plan.campaign.own_comparisons;
        release_plan(&plan);
    }
    fuzz_require(!can_be || (steps == COMPARISONS && comparisons == COMPARISONS), "each step is in one part");
}

/* What a file of costs is written as can be read. */
static void write_costs(struct plan *plan)
{
    struct mu_error err = {0};
    char path[PATH_MAX];
    const char *const place = fuzz_place("costs.json");
    if (place == NULL) return;
    snprintf(path, sizeof path, "%s", place);
    fuzz_require(fuzz_succeeded(mu_shard_write_costs(&plan->campaign, path, &err), &err) && deal(plan, path),
                 "what is written is read");
    remove(path);
}

/* The bytes as a part of a command line, too. */
static void parse(const uint8_t *data, size_t size)
{
    struct mu_error err = {0};
    struct mu_shard shard = {0};
    char text[64] = "";
    memcpy(text, data, size < sizeof text - 1 ? size : sizeof text - 1);
    if (fuzz_succeeded(mu_shard_parse(text, &shard, &err), &err))
        fuzz_require(shard.number >= 1 && shard.number <= shard.count, "a part is one of them");
}

void fuzz_costs(const uint8_t *data, size_t size)
{
    struct plan plan;
    const char *const path = fuzz_file(data, size);
    if (path == NULL || !make_plan(&plan)) return;
    parse(data, size);
    cut_parts(path, deal(&plan, path));
    deal(&plan, NULL);
    write_costs(&plan);
    release_plan(&plan);
}

/* ---- Jobs ---- */

static char folder[PATH_MAX];

static void remove_all(const char *of, const char *const *files)
{
    for (; *files != NULL; files++) {
        char path[PATH_MAX + 32];
        snprintf(path, sizeof path, "%s/%s", of, *files);
        remove(path);
    }
}

static void remove_folder(void)
{
    static const char *const files[] = {"job.json", "part-1.started", "part-1.ended", "c/s.2-of-2.jsonl", "c", "",
                                        NULL};
    remove_all(folder, files);
}

static void remove_written(void)
{
    static const char *const files[] = {"job.json", "task.sh", "merge.sh", "run.sh", "", NULL};
    const char *const place = fuzz_place("written");
    if (place != NULL) remove_all(place, files);
}

/* A folder whose job.json is the file, and what is known of its parts, too. */
static bool make_folder(const char *file)
{
    static const char *const links[] = {"job.json", "part-1.started", "part-1.ended", "c/s.2-of-2.jsonl"};
    char path[PATH_MAX + 32];
    const char *const place = fuzz_place("job");
    if (place == NULL || folder[0] != '\0') return folder[0] != '\0';
    snprintf(folder, sizeof folder, "%s", place);
    snprintf(path, sizeof path, "%s/c", folder);
    if (mkdir(folder, 0700) != 0 || mkdir(path, 0700) != 0 || atexit(remove_folder) != 0) return false;
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, links[i]);
        if (symlink(file, path) != 0) return false;
    }
    return true;
}

/* Shows how far it is, to nobody. */
static void show(const struct mu_job *job, const struct mu_part *parts)
{
    struct mu_error err = {0};
    const struct mu_output output = {.wide = true, .colour = "always"};
    fflush(stdout);
    const int usual = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (usual >= 0 && nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0) {
        fuzz_succeeded(mu_job_show(job, parts, &output, &err), &err);
        fflush(stdout);
        fuzz_require(dup2(usual, STDOUT_FILENO) >= 0, "standard output comes back");
    }
    if (usual >= 0) close(usual);
    if (nowhere >= 0) close(nowhere);
}

/* What is written of a job is read as the same. */
static void write_job(struct mu_job *job)
{
    struct mu_error err = {0};
    struct mu_job other = {0};
    char path[PATH_MAX];
    const char *const place = fuzz_place("written");
    if (place == NULL || (mkdir(place, 0700) != 0 && errno != EEXIST)) return;
    snprintf(path, sizeof path, "%s", job->folder);
    snprintf(job->folder, sizeof job->folder, "%s", place);
    fuzz_require(fuzz_succeeded(mu_job_write(job, &err), &err) &&
                     fuzz_succeeded(mu_job_open(place, &other, &err), &err) && json_equal(job->about, other.about),
                 "a job that is written is read");
    fuzz_succeeded(mu_job_write_scripts(job, &err), &err);
    snprintf(job->folder, sizeof job->folder, "%s", path);
    mu_job_close(&other);
    remove_written();
}

/* A job that is read can be looked at, and written. What asks a scheduler is no part of this. */
static void use_job(struct mu_job *job)
{
    struct mu_error err = {0};
    struct mu_part *parts = calloc(mu_job_parts(job), sizeof *parts);
    if (parts == NULL || json_object_set_new(job->about, "engine", json_string("script")) != 0 ||
        json_object_set_new(job->about, "results", json_string(folder)) != 0) {
        free(parts);
        return;
    }
    if (fuzz_succeeded(mu_job_look(job, parts, &err), &err))
        for (uint32_t i = 0; i < mu_job_parts(job); i++)
            fuzz_require(parts[i].state <= MU_PART_LOST, "a part has a state");
    show(job, parts);
    free(parts);
    write_job(job);
}

void fuzz_job(const uint8_t *data, size_t size)
{
    struct mu_error err = {0};
    struct mu_job job;
    const char *const path = fuzz_file(data, size);
    if (path == NULL || !make_folder(path)) return;
    if (fuzz_succeeded(mu_job_open(folder, &job, &err), &err) && job.about != NULL) use_job(&job);
    mu_job_close(&job);
}
