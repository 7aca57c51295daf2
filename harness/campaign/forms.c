#include "harness/campaign/forms.h"

#include "base/user/nearest.h"

#include <stdio.h>
#include <string.h>

const struct mu_form mu_forms[] = {
    {.name = "multi-kernel", .purpose = "a work-item for each element of a step", .variant = MU_MULTI_KERNEL},
    {.name = "multi-kernel-fixed",
     .purpose = "the same workgroups in every step, which keep their lists",
     .variant = MU_MULTI_KERNEL,
     .grid = MU_GRID_FIXED},
    {.name = "multi-kernel-first",
     .purpose = "the first run of a process",
     .variant = MU_MULTI_KERNEL,
     .condition = MU_FIRST,
     .as = "multi-kernel"},
    {.name = "portable", .purpose = "warm: the size of the team is known", .variant = MU_PORTABLE},
    {.name = "portable-cold",
     .purpose = "nothing is known of the size, or of the chip",
     .variant = MU_PORTABLE,
     .condition = MU_COLD,
     .whole = true},
    {.name = "portable-first",
     .purpose = "the first launch of a process",
     .variant = MU_PORTABLE,
     .condition = MU_FIRST,
     .whole = true,
     .as = "portable-cold"},
    {.name = "specialised", .purpose = "workgroup and team as they were tuned", .variant = MU_SPECIALISED},
    {.name = "specialised-bound",
     .purpose = "its full bound, proven, at the workgroup size of portable-cold",
     .variant = MU_SPECIALISED,
     .team = MU_TEAM_BOUND,
     .whole = true,
     .as = "portable-cold"},
    {.name = "specialised-first",
     .purpose = "the first launch of a process",
     .variant = MU_SPECIALISED,
     .condition = MU_FIRST,
     .as = "specialised"},
    {.name = "cooperative",
     .purpose = "as portable, with a team that can be resized",
     .variant = MU_COOPERATIVE,
     .as = "portable"},
    {.name = NULL},
};

static const struct mu_form *find(const char *name, size_t length)
{
    for (const struct mu_form *form = mu_forms; form->name != NULL; form++)
        if (strlen(form->name) == length && strncmp(form->name, name, length) == 0) return form;
    return NULL;
}

static int refuse(const char *name, size_t length, struct mu_error *err)
{
    char names[256] = "", word[64], hint[MU_HINT_BYTES];
    struct mu_nearest nearest = {.word = word};
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    for (const struct mu_form *form = mu_forms; form->name != NULL; form++) {
        const size_t used = strlen(names);
        mu_nearest_try(&nearest, form->name);
        snprintf(names + used, sizeof names - used, "%s%s", used != 0 ? ", " : "", form->name);
    }
    return mu_fail(err, MU_USAGE, "--variants=%.*s: no such choice%s; there are: %s", (int)length, name,
                   mu_nearest_hint(&nearest, hint, sizeof hint), names);
}

int mu_form_list_read(const char *names, struct mu_form_list *list, struct mu_error *err)
{
    list->count = 0;
    for (const char *name = names;; name++) {
        const size_t length = strcspn(name, ",");
        const struct mu_form *form = find(name, length);
        if (form == NULL) return refuse(name, length, err);
        if (list->count >= MU_MAX_FORMS) return mu_fail(err, MU_USAGE, "--variants: more than %d", MU_MAX_FORMS);
        list->forms[list->count++] = form;
        name += length;
        if (*name == '\0') return MU_OK;
    }
}

/* Asks for a value other than 0, unless the option has one already. */
static void ask(struct mu_asked *asked, enum mu_test_option setting, uint32_t number)
{
    if (number != 0 && asked->options[setting].from == MU_FROM_NOBODY) mu_ask(asked, setting, number, MU_FROM_OPTION);
}

void mu_form_ask(const struct mu_form *form, struct mu_asked *asked)
{
    mu_ask(asked, MU_TEST_variant, form->variant, MU_FROM_OPTION);
    ask(asked, MU_TEST_condition, form->condition);
    ask(asked, MU_TEST_grid, form->grid);
    ask(asked, MU_TEST_team_limit, form->team);
}
