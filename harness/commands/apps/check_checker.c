/* Tests the app's check: right answers are corrupted, and the check must refuse them. */
#include "harness/commands/apps/check.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

void mu_check_add_refusals(struct mu_check *check, const json_t *refusals)
{
    for (size_t buffer = 0; buffer < check->app->buffer_count && buffer < MU_MAX_BUFFERS; buffer++) {
        const json_t *of = json_object_get(refusals, check->app->buffers[buffer].name);
        for (size_t i = 0; i < MU_CORRUPTIONS && i < json_array_size(of); i++) {
            const json_t *refused = json_array_get(of, i);
            check->corrupted[buffer].tried[i] += !json_is_null(refused);
            check->corrupted[buffer].accepted[i] += json_is_false(refused);
        }
    }
}

/* Adds a finding if a check judges nothing: it accepts each corruption of a result on every input, or a result that was
 * never written. A check that accepts some corruptions may be right: components keep their meaning when their labels
 * are exchanged. */
static void judge(const struct mu_check *check, size_t buffer, struct mu_error *outcome)
{
    const struct mu_corrupted *of = &check->corrupted[buffer];
    const char *name = check->app->buffers[buffer].name;
    uint32_t tried = 0, accepted = 0;
    for (size_t i = 0; i < MU_CORRUPTIONS; i++) {
        tried += of->tried[i];
        accepted += of->accepted[i];
    }
    if (tried == 0) return;
    if (accepted == tried)
        mu_fail(outcome, MU_WRONG, "the check of %s/%s accepts whatever stands in %s: each of %u corrupted answers",
                check->app->suite, check->app->name, name, tried);
    else if (of->tried[MU_NEVER_WRITTEN] != 0 && of->accepted[MU_NEVER_WRITTEN] == of->tried[MU_NEVER_WRITTEN] &&
             strcmp(name, check->app->result) == 0)
        mu_fail(outcome, MU_WRONG, "the check of %s/%s accepts a result %s that no step has written", check->app->suite,
                check->app->name, name);
}

/* Prints accepted corruptions that are no finding. */
static void tell_accepted(const struct mu_check *check, size_t buffer)
{
    const struct mu_corrupted *of = &check->corrupted[buffer];
    for (size_t i = 0; i < MU_CORRUPTIONS; i++)
        if (of->accepted[i] != 0)
            printf("  accepted: %s, %s, on %u of %u inputs\n", check->app->buffers[buffer].name, mu_corruptions[i].name,
                   of->accepted[i], of->tried[i]);
}

int mu_check_judge_checker(struct mu_check *check, struct mu_error *err)
{
    uint32_t tried = 0, accepted = 0;
    for (size_t buffer = 0; buffer < check->app->buffer_count && buffer < MU_MAX_BUFFERS; buffer++)
        for (size_t i = 0; i < MU_CORRUPTIONS; i++) {
            tried += check->corrupted[buffer].tried[i];
            accepted += check->corrupted[buffer].accepted[i];
        }
    char *command = tried == 0 ? NULL : mu_format(err, "muster check-app %s/%s", check->app->suite, check->app->name);
    if (command == NULL) return err->status;
    printf("%-64s %9s %3u of %u refused\n", "the app's check, of corrupted answers", "", tried - accepted, tried);
    for (size_t buffer = 0; buffer < check->app->buffer_count && buffer < MU_MAX_BUFFERS; buffer++) {
        struct mu_error outcome = {0};
        tell_accepted(check, buffer);
        judge(check, buffer, &outcome);
        mu_check_note(check, MU_CHECK_CHECKER, &outcome, command, err);
    }
    mu_free(command);
    fflush(stdout);
    return err->status;
}
