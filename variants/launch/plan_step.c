#include "variants/launch/plan_step.h"

#include "apps/app.h"
#include "variants/teams/sync_layout.clh"
#include "variants/variant.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool continues_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns what stands behind "STEP(", "STEP2(" or "STEP_SPLIT(" if `text` begins with that, else NULL. */
static const char *behind_call(const char *text)
{
    static const char *const words[] = {"STEP", "STEP2", "STEP_SPLIT"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(words[i]);
        if (strncmp(text, words[i], length) != 0 || continues_name(text[length])) continue;
        text += length + strspn(text + length, " \t");
        return *text == '(' ? text + 1 : NULL;
    }
    return NULL;
}

bool mu_step_of_line(const char *plan, uint32_t line, char *name, size_t room)
{
    const char *found = NULL;
    uint32_t at = 1;
    for (const char *text = plan; *text != '\0' && at <= line; text++) {
        const char *argument = text == plan || !continues_name(text[-1]) ? behind_call(text) : NULL;
        if (argument != NULL) found = argument;
        if (*text == '\n') at++;
    }
    if (found == NULL) return false;
    found += strspn(found, " \t\n");
    size_t length = 0;
    while (continues_name(found[length])) length++;
    if (length == 0 || length >= room) return false;
    memcpy(name, found, length);
    name[length] = '\0';
    return true;
}

void mu_plan_place(const void *source, uint32_t line, char *text, size_t bytes)
{
    const struct mu_plan_source *from = source;
    struct mu_sources plan = {0};
    struct mu_error ignored = {0};
    char step[64];
    /* The text that a compiler gets begins with a line that tells the file's name. */
    if (mu_sources_add(&plan, from->path, from->kernel_dir, &ignored) == MU_OK &&
        mu_step_of_line(plan.text[0], line + 1, step, sizeof step))
        snprintf(text, bytes, " behind step %s (%s:%u)", step, from->path, line);
    else
        snprintf(text, bytes, " (%s:%u)", from->path, line);
    mu_sources_free(&plan);
}

/* ---- Broken rules ---- */

/* What stands around the two numbers of a message; and whether a step breaks the rule, or else the plan. */
static const struct {
    bool in_step;
    const char *before, *between, *behind;
} texts[] = {
    [MU_RULE_ROUND_ZERO] = {false, "the plan asks for round", ", and a step was told round",
                            " last; rounds count from 1"},
    [MU_RULE_STAMP_ZERO] = {true, "a step stamps in round", ", behind round", "; rounds count from 1"},
    [MU_RULE_ROUND_PAST] = {false, "the plan asks for round", ", and a step has stamped it in round",
                            "; the plan asks before the next step stamps"},
    [MU_RULE_TWO_STEPS] = {true, "a step stamps in round", ", and another one did so in round",
                           "; the plan has not asked in between"},
    [MU_RULE_NOT_ALL] = {false, "the plan asks for round",
                         ", and other workgroups have passed a STAMP that this one, told round",
                         " last, has not; all pass it, so it stands in no condition"},
    [MU_RULE_RISE] = {true, "a step counts in round", ", and round",
                      " is due; rounds rise by one from one step that counts to the next"},
    [MU_RULE_COUNTED] = {false, "the plan asks for round", ", and the last step that counted did so for round",
                         "; it is told the round before, has elements, and all workgroups pass its COUNT_INTO"},
    [MU_RULE_BEHIND] = {false, "the plan asks behind step", ", and the last that contributed is step",
                        "; it asks right behind that, and all workgroups pass its CONTRIBUTE"},
};

static const char *role_name(enum mu_role role)
{
    static const char *const names[] = {
        [MU_ROLE_FLAG] = "flag", [MU_ROLE_COUNTER] = "counter", [MU_ROLE_SUM] = "sum", [MU_ROLE_MAX] = "maximum"};
    return mu_role_has_protocol(role) ? names[role] : "buffer";
}

/* Writes " (apps/own/x/x.cl:7)", beside the plan that the source names. */
static void say_step(const struct mu_plan_source *source, uint32_t line, char *text, size_t bytes)
{
    const size_t suffix = strlen(".plan.h"), length = strlen(source->path);
    snprintf(text, bytes, " (%.*s.cl:%u)", (int)(length > suffix ? length - suffix : 0), source->path, line);
}

int mu_report_rule(const void *owner, const struct mu_broken_rule *broken, struct mu_error *err)
{
    const struct mu_plan_source *source = owner;
    const struct mu_app *app = source->app;
    char place[256] = "";
    if (broken->rule == 0 || broken->rule >= sizeof texts / sizeof texts[0] || broken->buffer >= app->buffer_count)
        return mu_fail(err, MU_DEVICE, "the kernel reports rule %u of buffer %u, and there is none", broken->rule,
                       broken->buffer);
    const struct mu_buffer *row = &app->buffers[broken->buffer];
    if (broken->place != 0 && texts[broken->rule].in_step)
        say_step(source, broken->place, place, sizeof place);
    else if (broken->place != 0)
        mu_plan_place(source, broken->place, place, sizeof place);
    return mu_fail(err, MU_USAGE, "%s %s: %s %u%s %u%s%s", role_name(row->role), row->name, texts[broken->rule].before,
                   broken->round, texts[broken->rule].between, broken->told, texts[broken->rule].behind, place);
}
