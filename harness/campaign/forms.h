/* The forms that a campaign compares: a variant, under a condition, with its grid and its kind of team. Option
 * --variants of a campaign and the column `variant` of tables name forms. */
#ifndef MU_HARNESS_CAMPAIGN_FORMS_H
#define MU_HARNESS_CAMPAIGN_FORMS_H

#include "harness/run/asked.h"

struct mu_form {
    const char *name, *purpose;
    enum mu_variant variant;
    enum mu_condition condition;
    enum mu_step_grid grid;
    uint32_t team;  /* MU_TEAM_BOUND, or MU_AUTO */
    bool whole;     /* its team is all that fit: a tuning chooses the workgroup only */
    const char *as; /* the form whose tuning it takes, if that is compared too; NULL: it is tuned for itself */
};

/* All forms; the last row has no name. */
extern const struct mu_form mu_forms[];

/* A list of forms, in which one may stand more than once. */
#define MU_MAX_FORMS 12
struct mu_form_list {
    const struct mu_form *forms[MU_MAX_FORMS];
    size_t count;
};

/* Reads a list of names, such as "portable,specialised". MU_USAGE lists the names that there are. */
int mu_form_list_read(const char *names, struct mu_form_list *list, struct mu_error *err);

/* Asks for the form's variant, condition, grid and team, except for those that were asked for before. */
void mu_form_ask(const struct mu_form *form, struct mu_asked *asked);

#endif
