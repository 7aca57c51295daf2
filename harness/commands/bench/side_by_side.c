#include "harness/commands/bench/side_by_side.h"

#include "base/memory.h"
#include "base/plain.h"
#include "harness/commands/bench/start.h"
#include "harness/device/child.h"
#include "records/results.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Which devices ---- */

bool mu_sides_are_named(const char *wanted)
{
    return wanted != NULL && (strcmp(wanted, "all") == 0 || strchr(wanted, ',') != NULL);
}

static int add_side(struct mu_sides *sides, const struct mu_device_info *info, struct mu_error *err)
{
    for (size_t i = 0; i < sides->count; i++)
        if (sides->side[i].info == info)
            return mu_fail(err, MU_USAGE, "--device: device %u (%s) is named twice", info->index, info->chip);
    if (sides->count == MU_SIDES) return mu_fail(err, MU_LIMIT, "--device: more than %d devices", MU_SIDES);
    sides->side[sides->count++] = (struct mu_side){.info = info, .told = -1};
    return MU_OK;
}

static int choose_all(const struct mu_device_list *list, struct mu_sides *sides, struct mu_error *err)
{
    bool has_others = false;
    for (uint32_t i = 0; i < list->count; i++) has_others = has_others || !list->devices[i].cpu;
    for (uint32_t i = 0; i < list->count && err->status == MU_OK; i++)
        if (!list->devices[i].simulator && !(has_others && list->devices[i].cpu))
            add_side(sides, &list->devices[i], err);
    if (err->status == MU_OK && sides->count == 0) mu_device_find(list, NULL, err); /* err says why there is none */
    return err->status;
}

int mu_sides_choose(const struct mu_device_list *list, const char *wanted, struct mu_sides *sides, struct mu_error *err)
{
    char *rest = NULL;
    if (strcmp(wanted, "all") == 0) return choose_all(list, sides, err);
    char *names = mu_strdup(wanted, err);
    for (char *name = names != NULL ? strtok_r(names, ",", &rest) : NULL; name != NULL && err->status == MU_OK;
         name = strtok_r(NULL, ",", &rest)) {
        const struct mu_device_info *info = mu_device_find(list, name, err);
        if (info != NULL) add_side(sides, info, err);
    }
    mu_free(names);
    return sides->count == 0 ? mu_fail(err, MU_USAGE, "--device=%s names no device", wanted) : err->status;
}

/* ---- One campaign for the devices of a chip ---- */

/* Makes the file of costs by which this campaign is divided into parts, unless it is there already. */
static int make_costs(const struct mu_side *side, const struct mu_campaign_options *options, const char *path,
                      struct mu_error *err)
{
    struct mu_campaign campaign = {0};
    const struct mu_engine_environment environment = mu_engine_environment_of(side->info);
    if (access(path, F_OK) == 0 && !options->restart) return MU_OK;
    if (mu_campaign_plan(options, side->info, &environment, &campaign, err) == MU_OK &&
        mu_results_make(side->info->chip, err) == MU_OK) {
        mu_progress_start(&campaign.engine.progress, &environment, 0);
        if (mu_campaign_learn(&campaign, err) == MU_OK) mu_shard_write_costs(&campaign, path, err);
        mu_progress_end(&campaign.engine.progress);
    }
    mu_campaign_free(&campaign);
    return err->status;
}

/* Returns true for devices of one identity and driver. Only these share work: a short name may belong to two unlike
 * devices. */
static bool are_equal(const struct mu_device_info *a, const struct mu_device_info *b)
{
    return mu_device_is_alike(a, b) && strcmp(a->driver, b->driver) == 0;
}

static uint32_t count_equal(const struct mu_sides *sides, const struct mu_device_info *info, size_t before)
{
    uint32_t count = 0;
    for (size_t i = 0; i < before; i++) count += are_equal(sides->side[i].info, info);
    return count;
}

/* Returns into how many parts the devices equal to this one divide the campaign; 1: they do not. Files of parts are
 * named by the chip alone, so they do not where unlike devices of this short name would divide one, too. */
static uint32_t count_parts(const struct mu_sides *sides, const struct mu_device_info *info)
{
    const uint32_t count = count_equal(sides, info, sides->count);
    for (size_t i = 0; i < sides->count && count > 1; i++) {
        const struct mu_device_info *other = sides->side[i].info;
        if (strcmp(other->chip, info->chip) != 0 || are_equal(other, info) ||
            count_equal(sides, other, sides->count) == 1)
            continue;
        mu_note(stderr,
                "device %u: all of the campaign, not a part: device %u is another chip of the same short name; muster "
                "chip add --chip=NAME gives one of them another",
                info->index, other->index);
        return 1;
    }
    return count;
}

int mu_sides_split(struct mu_sides *sides, const struct mu_campaign_options *options, const char *set,
                   struct mu_error *err)
{
    for (size_t i = 0; i < sides->count && err->status == MU_OK; i++) {
        struct mu_side *side = &sides->side[i];
        const char *chip = side->info->chip;
        const uint32_t parts = count_parts(sides, side->info);
        if (parts == 1) continue;
        side->shard = (struct mu_shard){.number = count_equal(sides, side->info, i) + 1, .count = parts};
        char *file = mu_format(err, "%s.%u-parts.json", set, side->shard.count);
        if (file != NULL && mu_results_path(chip, file, side->costs, sizeof side->costs, err) == MU_OK) {
            if (side->shard.number == 1) make_costs(side, options, side->costs, err);
            side->shard.costs = side->costs;
        }
        mu_free(file);
    }
    return err->status;
}

/* ---- What they tell ---- */

/* Sums the progress of all campaigns. Returns the time to go of the slowest one, in seconds. */
static double sum_up(const struct mu_sides *sides, struct mu_progress *progress)
{
    double to_go_s = 0;
    bool unknown = false;
    progress->done = progress->planned = 0;
    for (size_t i = 0; i < sides->count; i++) {
        progress->done += sides->side[i].done;
        progress->planned += sides->side[i].planned;
        unknown = unknown || sides->side[i].to_go_s <= MU_UNKNOWN_S;
        if (sides->side[i].to_go_s > to_go_s) to_go_s = sides->side[i].to_go_s;
    }
    return unknown ? MU_UNKNOWN_S : to_go_s;
}

static void take_line(const struct mu_sides *sides, struct mu_side *side, struct mu_progress *progress)
{
    char what[512];
    struct mu_progress_line read;
    if (!mu_progress_read(side->line, &read)) {
        mu_progress_clear(progress);
        if (side->line[0] != '\0') fprintf(stderr, "device %u: %s\n", side->info->index, side->line);
        return;
    }
    side->done = read.done;
    side->planned = read.planned;
    side->to_go_s = read.to_go_s;
    const double to_go_s = sum_up(sides, progress);
    snprintf(what, sizeof what, "device %u: %s", side->info->index, read.what);
    progress->done--;
    mu_progress_done(progress, 1, what, read.outcome, to_go_s);
    mu_progress_show(progress, what, to_go_s);
}

/* Collects the bytes that a campaign prints, and takes each line. Lines too long for the buffer are taken in pieces. */
static void take_bytes(const struct mu_sides *sides, struct mu_side *side, struct mu_progress *progress,
                       const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const bool ends = bytes[i] == '\n';
        if (!ends) side->line[side->used++] = bytes[i];
        if (!ends && side->used + 1 < sizeof side->line) continue;
        side->line[side->used] = '\0';
        side->used = 0;
        take_line(sides, side, progress);
    }
}

/* Waits for the end of a campaign that has closed its output, and notes its exit code. */
static void settle(struct mu_side *side)
{
    int status = 0;
    while (waitpid(side->pid, &status, 0) < 0 && errno == EINTR)
        ;
    side->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    side->pid = 0;
    side->to_go_s = 0;
    close(side->told);
    side->told = -1;
}

static void take_some(const struct mu_sides *sides, struct mu_side *side, struct mu_progress *progress)
{
    char bytes[4096];
    const ssize_t got = read(side->told, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) return;
    if (got > 0) {
        take_bytes(sides, side, progress, bytes, (size_t)got);
        return;
    }
    if (side->used != 0) take_bytes(sides, side, progress, "\n", 1);
    settle(side);
}

/* Passes a signal on to the campaigns, once, since it may have reached this process alone. */
static void pass_signal_on(const struct mu_sides *sides, bool *passed)
{
    if (*passed || !mu_interrupted()) return;
    *passed = true;
    for (size_t i = 0; i < sides->count; i++)
        if (sides->side[i].pid != 0) kill(sides->side[i].pid, SIGTERM);
}

static void listen(struct mu_sides *sides, struct mu_progress *progress)
{
    struct pollfd from[MU_SIDES];
    bool passed = false;
    for (;;) {
        size_t count = 0;
        struct mu_side *of[MU_SIDES];
        for (size_t i = 0; i < sides->count; i++) {
            if (sides->side[i].pid == 0) continue;
            from[count] = (struct pollfd){.fd = sides->side[i].told, .events = POLLIN};
            of[count++] = &sides->side[i];
        }
        if (count == 0) return;
        pass_signal_on(sides, &passed);
        if (poll(from, (nfds_t)count, 1000) <= 0) continue;
        for (size_t i = 0; i < count; i++)
            if (from[i].revents != 0) take_some(sides, of[i], progress);
    }
}

/* ---- Running them ---- */

int mu_sides_run(struct mu_sides *sides, const struct mu_campaign *campaign, int argc, char *const *argv,
                 struct mu_error *err)
{
    struct mu_progress progress;
    struct mu_campaign_options options = *campaign->options;
    struct mu_campaign part = *campaign;
    part.options = &options;
    for (size_t i = 0; i < sides->count && err->status == MU_OK; i++) {
        struct mu_side *side = &sides->side[i];
        options.shard = side->shard;
        if (mu_campaign_path(&part, side->info, false, side->path, sizeof side->path, err) == MU_OK)
            mu_side_start(sides, i, argc, argv, err);
    }
    if (err->status != MU_OK)
        for (size_t i = 0; i < sides->count; i++)
            if (sides->side[i].pid != 0) kill(sides->side[i].pid, SIGTERM);
    mu_progress_start(&progress, NULL, 0);
    listen(sides, &progress);
    mu_progress_end(&progress);
    return mu_interrupted() ? mu_fail(err, MU_INTERRUPTED, "interrupted: the same command goes on from here")
                            : err->status;
}

int mu_sides_list(struct mu_sides *sides, int argc, char *const *argv, struct mu_error *err)
{
    struct mu_progress progress;
    mu_progress_start(&progress, NULL, 0);
    for (size_t i = 0; i < sides->count && err->status == MU_OK && !mu_interrupted(); i++) {
        printf("device %u (%s):\n", sides->side[i].info->index, sides->side[i].info->chip);
        fflush(stdout);
        sides->printing = true;
        if (mu_side_start(sides, i, argc, argv, err) == MU_OK) listen(sides, &progress);
    }
    mu_progress_end(&progress);
    return err->status;
}

int mu_sides_judge(const struct mu_sides *sides, struct mu_error *err)
{
    const struct mu_side *worst = NULL;
    int status = MU_OK;
    for (size_t i = 0; i < sides->count; i++) {
        static const int of_code[] = {MU_OK, MU_WRONG, MU_USAGE, MU_DEVICE, MU_DEADLINE};
        const int code = sides->side[i].exit_code;
        const int own = code < 5 ? of_code[code] : MU_CRASH;
        if (own == MU_OK || (worst != NULL && mu_status_worse(status, own) == status)) continue;
        status = own;
        worst = &sides->side[i];
    }
    if (worst == NULL) return MU_OK;
    return mu_fail(err, status, "the campaign on device %u (%s) ended with exit code %d", worst->info->index,
                   worst->info->chip, worst->exit_code);
}
