/* Every app: the n-th allocation of preparing and checking fails, for every n. The status says so, nothing leaks (under
 * the address sanitizer), and a later check of the same instance, with memory, gives the right verdict. */
#include "base/memory.h"
#include "tests/apps/app_inputs.h"
#include "tests/on_device.h"
#include "tests/tap.h"

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

/* An app's results and what the app says of them: right ones from a run where there is a device, else zeros. */
struct answer {
    const struct mu_app *app;
    const struct app_inputs *inputs;
    struct mu_app_setup setup;
    void *results[MU_MAX_BUFFERS];
    int verdict;
};

static size_t result_bytes(const struct mu_instance *instance, size_t buffer)
{
    if (instance->app->buffers[buffer].role != MU_ROLE_RESULT) return 0;
    return (size_t)instance->app->length(instance, buffer) * mu_instance_element_bytes(instance, buffer);
}

static void fill_results(const struct answer *answer, struct mu_instance *instance)
{
    for (size_t buffer = 0; buffer < answer->app->buffer_count; buffer++)
        if (answer->results[buffer] != NULL)
            memcpy(*mu_instance_array(instance, buffer), answer->results[buffer], result_bytes(instance, buffer));
}

static int find_answer(const struct on_device *device, struct answer *answer, struct mu_error *err)
{
    struct mu_instance *instance = NULL;
    struct mu_error verdict = {0};
    if (new_instance(answer->app, answer->inputs, &answer->setup, &instance, err) != MU_OK) return err->status;
    if (device != NULL ? run_on(device, instance, err) == MU_OK : mu_instance_need_results(instance, err) == MU_OK) {
        answer->verdict = answer->app->check(instance, &verdict);
        for (size_t buffer = 0; buffer < answer->app->buffer_count; buffer++) {
            const size_t bytes = result_bytes(instance, buffer);
            answer->results[buffer] = bytes != 0 ? mu_malloc(bytes, 1, "a result", err) : NULL;
            if (answer->results[buffer] != NULL)
                memcpy(answer->results[buffer], *mu_instance_array(instance, buffer), bytes);
        }
    }
    mu_instance_free(instance);
    return err->status;
}

/* Prepares, and checks the answer, while allocation n fails; then checks again with memory. */
static struct tried try(const struct answer *answer, unsigned long n)
{
    struct tried tried = {.right = true};
    struct mu_instance *instance = NULL;
    struct mu_error prepared = {0}, made = {0}, checked = {0}, again = {0};
    mu_fail_allocation(n);
    note(&tried, new_instance(answer->app, answer->inputs, &answer->setup, &instance, &prepared), &prepared, MU_OK);
    if (prepared.status != MU_OK) {
        mu_fail_allocation(0);
        tried.right &= instance == NULL;
        return tried;
    }
    note(&tried, mu_instance_need_results(instance, &made), &made, MU_OK);
    if (made.status == MU_OK) {
        fill_results(answer, instance);
        note(&tried, answer->app->check(instance, &checked), &checked, answer->verdict);
    }
    mu_fail_allocation(0);
    mu_instance_need_results(instance, &again);
    fill_results(answer, instance);
    tried.right &= answer->app->check(instance, &again) == answer->verdict && again.status == answer->verdict;
    mu_instance_free(instance);
    return tried;
}

static void test_app(const struct on_device *device, const struct mu_app *app, const struct app_inputs *inputs)
{
    struct answer answer = {.app = app, .inputs = inputs, .setup = {.seed = 1}};
    struct mu_error err = {0};
    unsigned long failed = 0, passed = 0, first_wrong = 0, n = 1;
    answer.setup.single = device != NULL && !device->info.has_double;
    find_answer(device, &answer, &err);
    if (!CHECK(err.status == MU_OK && (device == NULL || answer.verdict == MU_OK), "%s/%s: an answer %s", app->suite,
               app->name, err.message))
        return;
    for (; passed < MORE_TRIES; n++) {
        const struct tried tried = try(&answer, n);
        if (!tried.right && first_wrong == 0) first_wrong = n;
        failed += tried.out_of_memory;
        passed = tried.out_of_memory ? 0 : passed + 1;
    }
    CHECK(first_wrong == 0, "%s/%s: every failing allocation is reported and survived (first not: %lu)", app->suite,
          app->name, first_wrong);
    CHECK(failed >= 2 && failed == n - 1 - MORE_TRIES, "%s/%s: %lu allocations failed, none unnoticed", app->suite,
          app->name, failed);
    for (size_t buffer = 0; buffer < MU_MAX_BUFFERS; buffer++) mu_free(answer.results[buffer]);
}

int main(void)
{
    struct app_inputs inputs = {0};
    struct on_device device = {0};
    compile_unoptimised();
    const bool opened = open_pocl(&device);
    if (!load_inputs("road:6", "mesh:10", &inputs)) return 99;
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++)
        if (((app - mu_apps) % 2 == 0 && is_first_of_problem(app) && strcmp((*app)->suite, "irgl") != 0) ||
            tap_in_full())
            test_app(opened ? &device : NULL, *app, &inputs);
    free_inputs(&inputs);
    mu_device_close(&device.target);
    return tap_done();
}
