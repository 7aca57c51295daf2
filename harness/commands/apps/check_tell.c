/* The findings of muster check-app: collects them once for each message, and prints them. */
#include "harness/commands/apps/check.h"

#include "base/memory.h"
#include "variants/launch/opencl.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Returns true if two messages are equal but for numbers, which differ from run to run. */
static bool is_same(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            while (isdigit((unsigned char)*a)) a++;
            while (isdigit((unsigned char)*b)) b++;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

static struct mu_finding *find(struct mu_check *check, const struct mu_error *outcome, bool by_oclgrind)
{
    for (size_t i = 0; i < check->finding_count; i++) {
        struct mu_finding *finding = &check->findings[i];
        if (finding->status == outcome->status && finding->by_oclgrind == by_oclgrind &&
            is_same(finding->message, outcome->message))
            return finding;
    }
    return NULL;
}

static int add(struct mu_check *check, const struct mu_error *outcome, bool by_oclgrind, const char *command,
               struct mu_error *err)
{
    if (check->finding_count == MU_MOST_FINDINGS) {
        check->more_findings++;
        return MU_OK;
    }
    struct mu_finding *finding = &check->findings[check->finding_count];
    *finding = (struct mu_finding){.status = outcome->status, .by_oclgrind = by_oclgrind};
    finding->message = mu_strdup(outcome->message, err);
    finding->command = mu_strdup(command, err);
    check->finding_count++;
    return err->status;
}

int mu_check_note(struct mu_check *check, int variant, const struct mu_error *outcome, const char *command,
                  struct mu_error *err)
{
    const bool by_oclgrind = variant == MU_CHECK_OCLGRIND;
    if (outcome->status == MU_OK) return MU_OK;
    if (outcome->status == MU_UNSUPPORTED) {
        check->unsupported++;
        snprintf(check->unsupported_reason, sizeof check->unsupported_reason, "%s", outcome->message);
        return MU_OK;
    }
    struct mu_finding *finding = find(check, outcome, by_oclgrind);
    if (finding == NULL && add(check, outcome, by_oclgrind, command, err) == MU_OK)
        finding = find(check, outcome, by_oclgrind);
    if (finding == NULL) return err->status;
    finding->count++;
    finding->by_checker |= variant == MU_CHECK_CHECKER;
    if (variant >= 0) finding->in[variant] = true;
    return MU_OK;
}

/* Lists the variants whose entry equals `wanted`, such as "portable, specialised"; "none" if there are none. */
static const char *list_variants(const bool in[MU_CHECK_VARIANTS], char *text, size_t bytes)
{
    text[0] = '\0';
    for (int i = 0; i < MU_CHECK_VARIANTS; i++)
        if (in[i])
            snprintf(text + strlen(text), bytes - strlen(text), "%s%s", text[0] != '\0' ? ", " : "",
                     mu_variants[i].name);
    return text[0] != '\0' ? text : "none";
}

/* Returns what probably causes a finding, judging from the variants that had it and those that were always right. */
static const char *hint(const struct mu_check *check, const struct mu_finding *finding)
{
    bool persistent = false, others_right = check->right[MU_MULTI_KERNEL] != 0;
    for (int i = MU_PORTABLE; i < MU_CHECK_VARIANTS; i++) persistent |= finding->in[i];
    if (finding->by_checker) return NULL;
    if (finding->status != MU_WRONG && finding->status != MU_DEADLOCK && finding->status != MU_DEADLINE) return NULL;
    for (size_t i = 0; i < check->finding_count; i++) others_right &= !check->findings[i].in[MU_MULTI_KERNEL];
    if (finding->in[MU_MULTI_KERNEL] && !persistent)
        return "only multi-kernel: does the plan keep something between steps that is no buffer?";
    if (persistent && others_right)
        return "never multi-kernel: does a step read what another workgroup writes in the same step, or does a barrier "
               "or "
               "a STAMP stand in a condition?";
    return NULL;
}

static void tell_finding(const struct mu_check *check, size_t i)
{
    const struct mu_finding *finding = &check->findings[i];
    char seen[128];
    const char *why = hint(check, finding);
    printf("\n%zu. %s: %s\n", i + 1, finding->by_oclgrind ? "Oclgrind" : mu_status_text(finding->status),
           finding->message);
    if (finding->by_checker)
        puts("   of answers that were right before");
    else if (finding->by_oclgrind)
        printf("   in %u run%s under Oclgrind\n", finding->count, finding->count != 1 ? "s" : "");
    else
        printf("   in %u run%s of %s\n", finding->count, finding->count != 1 ? "s" : "",
               list_variants(finding->in, seen, sizeof seen));
    if (why != NULL) printf("   %s\n", why);
    printf("   again: %s\n", finding->command);
}

static void tell_teams(const struct mu_check *check)
{
    bool right[MU_CHECK_VARIANTS];
    char seen[128];
    for (int i = 0; i < MU_CHECK_VARIANTS; i++) right[i] = check->right[i] != 0;
    printf("  right answers from %s", list_variants(right, seen, sizeof seen));
    for (size_t i = 0; i < check->team_count; i++)
        printf("%s%u", i == 0 ? "; teams of " : i + 1 < check->team_count ? ", " : " and ", check->teams[i]);
    putchar('\n');
}

void mu_check_tell(const struct mu_check *check)
{
    const double seconds = (double)(mu_now_ns() - check->start_ns) / 1e9;
    printf("\n%s/%s: %u runs in %.0f s\n", check->app->suite, check->app->name, check->runs, seconds);
    tell_teams(check);
    if (check->unsupported != 0)
        printf("  not possible on this device: %u (%s)\n", check->unsupported, check->unsupported_reason);
    if (check->left_out != 0) printf("  left out: %u (--budget, --first, or a deadline)\n", check->left_out);
    for (int i = 0; i < MU_CHECK_VARIANTS; i++)
        if (check->hung[i])
            printf("  after a run of %s that passed its deadline there was no other\n", mu_variants[i].name);
    for (size_t i = 0; i < check->finding_count; i++) tell_finding(check, i);
    if (check->more_findings != 0) printf("\nand %zu more\n", check->more_findings);
    if (check->finding_count == 0) puts("nothing differed");
}

void mu_check_free(struct mu_check *check)
{
    for (size_t i = 0; i < MU_MOST_FINDINGS; i++) {
        mu_free(check->findings[i].message);
        mu_free(check->findings[i].command);
    }
    mu_free(check->own_text);
}
