/* Every app: the n-th allocation of preparing and checking fails, for every n. The status says so, nothing leaks (under
 * the address sanitizer), and a later try with memory works. */
#include "apps/app.h"
#include "base/memory.h"
#include "tests/tap.h"

#include <string.h>

/* Allocations to go on for after the first try in which none failed: a failure that was ignored would show here. */
#define MORE_TRIES 8

struct tried {
    bool out_of_memory; /* in any call */
    bool right;         /* every call had a status and a message that fit */
};

static void note(struct tried *tried, int status, const struct mu_error *err, int expected)
{
    if (status == MU_NO_MEMORY) {
        tried->out_of_memory = true;
        tried->right &= err->status == MU_NO_MEMORY && strstr(err->message, "out of memory") != NULL;
    } else
        tried->right &= status == expected && err->status == expected;
}

/* Prepares and checks results that are all zero, which the app judges as `verdict`, while allocation n fails; then
 * checks again with memory. */
static struct tried try(const struct mu_app *app, const struct mu_graph *graph, unsigned long n, int verdict)
{
    struct tried tried = {.right = true};
    const struct mu_app_options options = {.seed = 1};
    struct mu_instance *instance = NULL;
    struct mu_error prepared = {0}, made = {0}, checked = {0}, again = {0};
    mu_fail_allocation(n);
    note(&tried, mu_instance_new(app, graph, &options, &instance, &prepared), &prepared, MU_OK);
    if (prepared.status != MU_OK) {
        mu_fail_allocation(0);
        tried.right &= instance == NULL;
        return tried;
    }
    note(&tried, mu_instance_need_results(instance, &made), &made, MU_OK);
    if (made.status == MU_OK) note(&tried, app->check(instance, &checked), &checked, verdict);
    mu_fail_allocation(0);
    mu_instance_need_results(instance, &again);
    tried.right &= app->check(instance, &again) == verdict && again.status == verdict;
    mu_instance_free(instance);
    return tried;
}

/* What the app says of results that are all zero. */
static int judge(const struct mu_app *app, const struct mu_graph *graph)
{
    const struct mu_app_options options = {.seed = 1};
    struct mu_instance *instance = NULL;
    struct mu_error err = {0};
    if (mu_instance_new(app, graph, &options, &instance, &err) == MU_OK &&
        mu_instance_need_results(instance, &err) == MU_OK)
        app->check(instance, &err);
    mu_instance_free(instance);
    return err.status;
}

int main(void)
{
    struct mu_graph *graph = NULL;
    struct mu_error err = {0};
    if (mu_graph_load("road:6", 1, &graph, &err) != MU_OK || mu_graph_need_weights(graph, &err) != MU_OK) return 99;
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) {
        const int verdict = judge(*app, graph);
        unsigned long failed = 0, passed = 0, first_wrong = 0, n = 1;
        for (; passed < MORE_TRIES; n++) {
            const struct tried tried = try(*app, graph, n, verdict);
            if (!tried.right && first_wrong == 0) first_wrong = n;
            failed += tried.out_of_memory;
            passed = tried.out_of_memory ? 0 : passed + 1;
        }
        CHECK(first_wrong == 0, "%s/%s: every failing allocation is reported and survived (first not: %lu)",
              (*app)->suite, (*app)->name, first_wrong);
        CHECK(failed >= 2 && failed == n - 1 - MORE_TRIES, "%s/%s: %lu allocations failed, none unnoticed",
              (*app)->suite, (*app)->name, failed);
    }
    mu_graph_free(graph);
    return tap_done();
}
