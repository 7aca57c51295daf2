#include "analysis/prediction/alike.h"

#include <math.h>
#include <string.h>

/* Widths say how far apart two cases are: where a fact differs by one, the covariance is 0.6 of what it was; where by
 * two, 0.14. All but that of read-backs are of differences of natural logarithms. The variances are of what cases have
 * in common that are not apart; their scale is that of logarithms, too. That of every case is small, since the estimate
 * is right but for what the forms do differently. */
const struct mu_constants mu_usual_constants = {{
    [MU_LATE_ARRIVAL] = 1.5,
    [MU_OF_EVERY] = 0.02,
    [MU_LEVEL_NOISE] = 0.1,
    [MU_OF_ALIKE] = 0.4,
    [MU_OF_CHIP] = 0.8,
    [MU_OF_APP] = 0.4,
    [MU_OF_BOTH] = 0.1,
    [MU_OTHER_FORM] = 0.7,
    [MU_SHARE_WIDTH] = 0.5,
    [MU_DEGREE_WIDTH] = 5.0,
    [MU_LAUNCHES_WIDTH] = 4.0,
    [MU_WORK_WIDTH] = 1.0,
    [MU_READBACKS_WIDTH] = 0.1,
}};

const struct mu_choice mu_left_out_names[] = {
    [MU_LEAVE_NOTHING] = {"nothing", ""}, [MU_LEAVE_INPUT] = {"input", ""}, [MU_LEAVE_FAMILY] = {"family", ""},
    [MU_LEAVE_CHIP] = {"chip", ""},       [MU_LEAVE_APP] = {"app", ""},     {NULL, NULL},
};

bool mu_same_chip(const struct mu_case *a, const struct mu_case *b)
{
    return strcmp(a->of->plain_chip, b->of->plain_chip) == 0;
}

bool mu_same_class(const struct mu_case *a, const struct mu_case *b)
{
    return mu_case_on_cpu(a) == mu_case_on_cpu(b);
}

/* Returns true if the inputs have one name, or are one graph under two names. */
static bool same_input(const struct mu_case *a, const struct mu_case *b)
{
    return strcmp(a->of->input, b->of->input) == 0 ||
           (a->facts.edges > 0 && a->facts.edges == b->facts.edges && a->facts.vertices == b->facts.vertices);
}

bool mu_same_test(const struct mu_case *a, const struct mu_case *b)
{
    return mu_same_chip(a, b) && strcmp(a->of->app, b->of->app) == 0 && same_input(a, b);
}

static bool same_family(const char *a, const char *b)
{
    const size_t length = strcspn(a, ":");
    return strcspn(b, ":") == length && strncmp(a, b, length) == 0;
}

bool mu_leaves_out(enum mu_left_out left_out, const struct mu_case *asked, const struct mu_case *known)
{
    switch (left_out) {
    case MU_LEAVE_INPUT:
        return same_input(asked, known);
    case MU_LEAVE_FAMILY:
        return same_input(asked, known) || same_family(asked->of->input, known->of->input);
    case MU_LEAVE_CHIP:
        return mu_same_chip(asked, known);
    case MU_LEAVE_APP:
        return strcmp(asked->of->app, known->of->app) == 0;
    default:
        return false;
    }
}

static double squared(double difference, double width)
{
    return difference / width * (difference / width);
}

double mu_alike(const struct mu_case *a, const struct mu_case *b, const struct mu_constants *constants)
{
    const struct mu_case_facts *x = &a->facts, *y = &b->facts;
    const double *const of = constants->of;
    const double apart = squared(x->log.share - y->log.share, of[MU_SHARE_WIDTH]) +
                         squared(x->log.degree - y->log.degree, of[MU_DEGREE_WIDTH]) +
                         squared(x->log.launches - y->log.launches, of[MU_LAUNCHES_WIDTH]) +
                         squared(x->log.work - y->log.work, of[MU_WORK_WIDTH]) +
                         squared(x->readbacks / x->launches - y->readbacks / y->launches, of[MU_READBACKS_WIDTH]);
    const bool same_chip = mu_same_chip(a, b), same_app = strcmp(a->of->app, b->of->app) == 0;
    const double common = of[MU_OF_ALIKE] + (same_chip ? of[MU_OF_CHIP] : 0) + (same_app ? of[MU_OF_APP] : 0) +
                          (same_chip && same_app ? of[MU_OF_BOTH] : 0);
    return common * exp(-0.5 * apart) * (x->fixed == y->fixed ? 1 : of[MU_OTHER_FORM]);
}
