/* Runs of muster check-app: a configuration on all inputs. */
#include "harness/commands/apps/check.h"

#include "base/memory.h"
#include "harness/run/resolve.h"
#include "variants/launch/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options of each run. It has several executions, since leftovers of one must not help the next; and a bound on rounds
 * that no right plan reaches on such inputs, so that an endless one is found in seconds. */
#define SAMPLES "samples=2 warmup=0 rounds=100000"

/* On a CPU, the roll call waits for all workers, however late they wake up; otherwise a busy machine would give teams
 * of one. */
#define ALL_WORKERS "patience=4000000000"

/* Environment variables from which PoCL's releases read the number of workers. */
static const char *const worker_names[] = {"POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT", "POCL_MAX_COMPUTE_UNITS"};
enum { WORKER_NAMES = sizeof worker_names / sizeof worker_names[0], MORE_WORKERS = 2 };

bool mu_check_is_late(const struct mu_check *check)
{
    return (double)(mu_now_ns() - check->start_ns) / 1e9 > check->budget_s;
}

static bool is_pocl(const struct mu_device_info *info)
{
    return strcmp(info->platform, "Portable Computing Language") == 0;
}

/* Sets the number of workers for child processes, which inherit the environment. This process itself loads no
 * driver. */
static int set_workers(uint32_t workers, struct mu_error *err)
{
    char text[16];
    snprintf(text, sizeof text, "%u", workers);
    for (size_t i = 0; i < WORKER_NAMES; i++)
        if (setenv(worker_names[i], text, 1) != 0)
            return mu_fail(err, MU_NO_MEMORY, "no memory to set %s", worker_names[i]);
    return MU_OK;
}

/* Returns the device that was asked for, on PoCL with the row's number of workers. The first call takes the device as
 * it is. */
static const struct mu_device_info *find_device(struct mu_check *check, uint32_t asked, struct mu_error *err)
{
    uint32_t workers = asked;
    if (check->info_count != 0) {
        const struct mu_device_info *usual = &check->infos[0];
        if (asked == MU_WORKERS_MORE) workers = usual->compute_units + MORE_WORKERS;
        if (asked == MU_WORKERS_USUAL) workers = usual->compute_units;
        if (!is_pocl(usual)) return usual;
        if (set_workers(workers, err) != MU_OK) return NULL;
    }
    for (size_t i = 0; i < check->info_count; i++)
        if (check->workers[i] == workers) return &check->infos[i];
    if (check->info_count == MU_CHECK_DEVICES) return &check->infos[0];
    struct mu_device_info *info = &check->infos[check->info_count];
    if (mu_device_choose(check->device, info, NULL, err) != MU_OK) return NULL;
    check->workers[check->info_count] = check->info_count != 0 ? workers : info->compute_units;
    check->info_count++;
    return info;
}

/* Applies words "NAME=VALUE" in `text` to settings that the user has not given. */
static int ask_words(const char *text, struct mu_asked *asked, struct mu_error *err)
{
    char copy[MU_CHECK_OPTIONS], name[MU_CHECK_OPTIONS], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        for (int i = 0; i < MU_TEST_OPTION_COUNT; i++) {
            mu_option_spell(&mu_test_options[i], name, sizeof name);
            if (strcmp(name, word) != 0 || asked->options[i].from != MU_FROM_NOBODY) continue;
            if (mu_option_parse(&mu_test_options[i], value, &asked->options[i], err) != MU_OK) return err->status;
        }
    }
    return MU_OK;
}

/* Returns the command that repeats a run. */
static char *make_command(const struct mu_check *check, const struct mu_check_row *row,
                          const struct mu_device_info *info, const char *input, struct mu_error *err)
{
    char workers[64] = "", copy[MU_CHECK_OPTIONS], *rest = NULL;
    if (is_pocl(info)) snprintf(workers, sizeof workers, "%s=%u ", worker_names[0], info->compute_units);
    snprintf(copy, sizeof copy, "%s", row->options);
    char *text = mu_format(err, "%smuster run %s/%s --device=%u --variant=%s --input=%s%s%s", workers,
                           check->app->suite, check->app->name, info->index, mu_variants[row->variant].name, input,
                           check->kernel_dir != NULL ? " --kernel-dir=" : "",
                           check->kernel_dir != NULL ? check->kernel_dir : "");
    for (char *word = strtok_r(copy, " ", &rest); word != NULL && text != NULL; word = strtok_r(NULL, " ", &rest)) {
        char *longer = mu_format(err, "%s --%s", text, word);
        mu_free(text);
        text = longer;
    }
    char *whole = text != NULL ? mu_format(err, "%s%s", text, check->own_text) : NULL;
    mu_free(text);
    return whole;
}

static void note_team(struct mu_check *check, uint32_t team)
{
    size_t i = 0;
    while (i < check->team_count && check->teams[i] != team) i++;
    if (i == check->team_count && i < sizeof check->teams / sizeof check->teams[0])
        check->teams[check->team_count++] = team;
}

/* Fills in the request for the row on one input. */
static int ask(const struct mu_check *check, const struct mu_check_row *row, const struct mu_device_info *info,
               const char *input, struct mu_asked *asked, struct mu_error *err)
{
    *asked = (struct mu_asked){.app = check->app, .input = input, .kernel_dir = check->kernel_dir};
    mu_option_line_ask(&check->line, asked, err);
    mu_ask(asked, MU_TEST_variant, row->variant, MU_FROM_OPTION);
    mu_ask_real(asked, MU_TEST_deadline, check->deadline_s, MU_FROM_OPTION);
    if (err->status == MU_OK) ask_words(row->options, asked, err);
    if (err->status == MU_OK) ask_words(SAMPLES, asked, err);
    if (err->status == MU_OK && info->cpu && row->variant != MU_MULTI_KERNEL) ask_words(ALL_WORKERS, asked, err);
    return err->status;
}

/* Runs one configuration on an input. `outcome` gets how the run ended. */
static int run_one(struct mu_check *check, const struct mu_check_row *row, const struct mu_device_info *info,
                   const char *input, struct mu_error *outcome, struct mu_error *err)
{
    struct mu_asked asked;
    struct mu_json record = {0};
    struct mu_test test;
    if (ask(check, row, info, input, &asked, err) != MU_OK) return err->status;
    mu_resolve(&asked, info, &test, outcome);
    (check->corrupts ? mu_test_perform_corrupting : mu_test_perform)(&test, info, &record, outcome);
    check->runs++;
    if (outcome->status == MU_INTERRUPTED) mu_fail(err, MU_INTERRUPTED, "interrupted");
    if (outcome->status == MU_NO_MEMORY) mu_fail(err, MU_NO_MEMORY, "%s", outcome->message);
    if (outcome->status == MU_OK) check->right[row->variant]++;
    if (outcome->status == MU_OK && row->variant != MU_MULTI_KERNEL)
        note_team(check, mu_json_count(record.value, "team"));
    mu_check_add_refusals(check, json_object_get(record.value, "refusals"));
    if (outcome->status == MU_DEADLINE) check->hung[row->variant] = true;
    mu_json_release(&record);
    return err->status;
}

bool mu_check_wants(const struct mu_check *check, enum mu_variant variant)
{
    for (size_t i = 0; i < check->line.given_count; i++)
        if (check->line.given[i].setting == MU_TEST_variant)
            return strcmp(check->line.given[i].text, mu_variants[variant].name) == 0;
    return true;
}

int mu_check_run_row(struct mu_check *check, const struct mu_check_row *row, struct mu_error *err)
{
    if (!mu_check_wants(check, row->variant)) return MU_OK;
    const struct mu_device_info *info = find_device(check, row->workers, err);
    check->units = info != NULL ? info->compute_units : 0;
    for (const char *const *input = check->inputs; err->status == MU_OK && *input != NULL; input++) {
        struct mu_error outcome = {0};
        if (check->hung[row->variant] || mu_check_is_late(check) || (check->first && check->finding_count != 0)) {
            check->left_out++;
            continue;
        }
        if (run_one(check, row, info, *input, &outcome, err) != MU_OK) break;
        char *command = make_command(check, row, info, *input, err);
        if (command != NULL) mu_check_note(check, (int)row->variant, &outcome, command, err);
        mu_free(command);
    }
    return err->status;
}
