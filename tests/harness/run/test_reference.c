/* harness/run/reference: a reference that another process has kept is the one that an app makes, is found by all that
 * it depends on, and never makes a right result wrong or a wrong one right. */
#include "base/memory.h"
#include "harness/run/process.h"
#include "tests/on_device.h"
#include "tests/tap.h"

#include <dirent.h>
#include <malloc.h>

static char folder[] = "/tmp/muster-reference-XXXXXX";

/* How many references are kept. */
static int count_kept(void)
{
    char inner[256];
    int count = 0;
    snprintf(inner, sizeof inner, "%s/muster", folder);
    DIR *entries = opendir(inner);
    for (const struct dirent *entry = entries ? readdir(entries) : NULL; entry != NULL; entry = readdir(entries))
        count += strncmp(entry->d_name, "input-reference-", 16) == 0;
    if (entries != NULL) closedir(entries);
    return count;
}

/* Checks the instance's result as a process does which keeps everything. */
static int check_as_process(struct mu_instance *instance, uint64_t input_hash, struct mu_error *err)
{
    struct mu_process process = {.instance = instance,
                                 .input_hash = input_hash,
                                 .input_cache = {.use = true, .most_bytes = 1 << 24},
                                 .test = {.app = instance->app}};
    return mu_check_result(&process, err);
}

static void forget(struct mu_instance *instance)
{
    mu_free(instance->reference);
    instance->reference = NULL;
}

/* The first word of the result becomes another one. */
static void corrupt(struct mu_instance *instance)
{
    uint32_t *words = *mu_instance_array(instance, mu_app_buffer(instance->app, instance->app->result));
    words[0] ^= 0x7ffff;
    words[1] ^= 0x7ffff;
}

/* Gives `to` the results that `from` has, by the names of their buffers. */
static void copy_results(const struct mu_instance *from, struct mu_instance *to, struct mu_error *err)
{
    for (size_t i = 0; i < to->app->buffer_count; i++) {
        if (to->app->buffers[i].role != MU_ROLE_RESULT) continue;
        const size_t other = mu_app_buffer(from->app, to->app->buffers[i].name);
        const size_t length = (size_t)to->app->length(to, i);
        const size_t bytes = mu_instance_element_bytes(to, i);
        void **array = mu_instance_array(to, i);
        *array = mu_malloc(length, bytes, "results", err);
        if (*array != NULL) memcpy(*array, *mu_instance_array(from, other), length * bytes);
    }
}

/* Another app that makes the same reference, in another schedule, finds the one that `instance` has kept, and by that
 * right results right and wrong ones wrong. */
static void test_sibling(const struct mu_instance *instance, const struct mu_app *sibling, struct mu_graph *graph)
{
    struct mu_app_setup setup = {.seed = 1, .single = instance->setup.single};
    struct mu_instance *other = NULL;
    struct mu_error err = {0}, damaged = {0};
    const int kept = count_kept();
    for (size_t i = 0; sibling->options[i].name != NULL; i++)
        if ((sibling->options[i].is & MU_OPTION_SCHEDULE) != 0)
            mu_app_set(sibling, sibling->options[i].name, strcmp(sibling->options[i].name, "fg") == 0 ? "8" : "on",
                       &setup, &err);
    if (err.status == MU_OK && mu_instance_new(sibling, graph, &setup, &other, &err) == MU_OK)
        copy_results(instance, other, &err);
    if (err.status == MU_OK) check_as_process(other, 1, &err);
    CHECK(err.status == MU_OK && count_kept() == kept, "%s/%s in another schedule finds it: %s", sibling->suite,
          sibling->name, err.message);
    if (err.status == MU_OK && other != NULL) {
        forget(other);
        corrupt(other);
        check_as_process(other, 1, &damaged);
        CHECK(damaged.status == MU_WRONG, "by which a wrong result is wrong: %s", damaged.message);
    }
    mu_instance_free(other);
}

/* The first of these options that is not of the schedule. */
static const struct mu_option *answering(const struct mu_option *option)
{
    while (option->name != NULL && (option->is & MU_OPTION_SCHEDULE) != 0) option++;
    return option;
}

/* Whether two apps make the same reference: they say so, and have the same options beside those of the schedule. */
static bool are_siblings(const struct mu_app *a, const struct mu_app *b)
{
    if (a->reference_name == NULL || b->reference_name == NULL || strcmp(a->suite, b->suite) != 0) return false;
    if (strcmp(a->reference_name, b->reference_name) != 0) return false;
    const struct mu_option *first = answering(a->options), *second = answering(b->options);
    while (first->name != NULL && second->name != NULL && strcmp(first->name, second->name) == 0) {
        first = answering(first + 1);
        second = answering(second + 1);
    }
    return first->name == NULL && second->name == NULL;
}

/* Neither a wrong result nor an app outside the tree leaves a reference. */
static void test_not_kept(const struct mu_app *app, struct mu_instance *instance)
{
    struct mu_error damaged = {0}, err = {0};
    struct mu_app own = *app;
    const int kept = count_kept();
    forget(instance);
    corrupt(instance);
    check_as_process(instance, 3, &damaged);
    corrupt(instance);
    CHECK(damaged.status == MU_WRONG && count_kept() == kept, "a wrong result leaves no reference");
    forget(instance);
    own.suite = "own";
    instance->app = &own;
    check_as_process(instance, 4, &err);
    instance->app = app;
    CHECK(err.status == MU_OK && count_kept() == kept, "nor does an app outside the tree: %s", err.message);
}

static void test_app(const struct on_device *device, const struct mu_app *app, struct mu_graph *graphs[2])
{
    const struct mu_app_setup setup = {.seed = 1, .single = !device->info.has_double};
    struct mu_instance *instance = NULL, *other = NULL;
    struct mu_error err = {0}, damaged = {0}, stale = {0}, both = {0};
    if (mu_instance_new(app, graphs[0], &setup, &instance, &err) == MU_OK && run_on(device, instance, &err) == MU_OK)
        check_as_process(instance, 1, &err);
    if (err.status != MU_OK) {
        CHECK(false, "%s/%s: %s", app->suite, app->name, err.message);
        mu_instance_free(instance);
        return;
    }
    const size_t bytes = app->reference_bytes(instance), has = malloc_usable_size(instance->reference);
    CHECK(bytes <= has && has < bytes + 64, "%s/%s: its reference takes %zu bytes", app->suite, app->name, bytes);
    const int kept = count_kept();
    void *first = instance->reference;
    instance->reference = NULL;
    check_as_process(instance, 1, &err);
    CHECK(err.status == MU_OK && memcmp(first, instance->reference, bytes) == 0 && count_kept() == kept,
          "the next process has the same one");
    mu_free(first);
    forget(instance);
    corrupt(instance);
    check_as_process(instance, 1, &damaged);
    corrupt(instance);
    CHECK(damaged.status == MU_WRONG, "by which a wrong result is wrong: %s", damaged.message);
    forget(instance);
    check_as_process(instance, 2, &err);
    CHECK(err.status == MU_OK && count_kept() == kept + 1, "another input has a reference of its own");
    /* Taken for the first graph, the second finds the reference of that one. */
    if (mu_instance_new(app, graphs[1], &setup, &other, &err) == MU_OK && run_on(device, other, &err) == MU_OK) {
        check_as_process(other, 1, &stale);
        forget(other);
        corrupt(other);
        check_as_process(other, 1, &both);
    }
    CHECK(err.status == MU_OK && stale.status == MU_OK && both.status == MU_WRONG,
          "by a reference that is not its own no result is wrong, nor right: %s", stale.message);
    test_not_kept(app, instance);
    for (const struct mu_app *const *sibling = mu_apps; *sibling != NULL; sibling++)
        if (are_siblings(app, *sibling)) test_sibling(instance, *sibling, graphs[0]);
    mu_instance_free(other);
    mu_instance_free(instance);
}

int main(void)
{
    static const char *const inputs[2] = {"uniform:6:3", "uniform:6:4"};
    struct mu_graph *graphs[2] = {NULL, NULL};
    struct on_device device;
    struct mu_error err = {0};
    char command[128];
    int tested = 0;
    set_pocl_workers("2");
    if (mkdtemp(folder) == NULL) return 99;
    compile_unoptimised();
    if (!open_pocl(&device)) {
        tap_skip("references of apps", "no PoCL");
        return tap_done();
    }
    setenv("XDG_CACHE_HOME", folder, 1);
    for (int i = 0; i < 2; i++)
        if (mu_graph_load(inputs[i], 1, &graphs[i], &err) != MU_OK || mu_graph_need_weights(graphs[i], &err) != MU_OK)
            return 99;
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) {
        if ((*app)->reference_bytes == NULL || !is_first_of_problem(app)) continue;
        test_app(&device, *app, graphs);
        tested++;
    }
    CHECK(tested == 13, "%d apps keep references", tested);
    for (int i = 0; i < 2; i++) mu_graph_free(graphs[i]);
    mu_device_close(&device.target);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) return 99;
    return tap_done();
}
