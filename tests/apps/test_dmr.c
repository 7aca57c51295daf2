/* lonestar/dmr in this process: room that runs out, results that are damaged, the mesh that is written. */
#include "base/memory.h"
#include "tests/on_device.h"
#include "tests/tap.h"

#include <math.h>

/* The mesh of one run, and how it came about. */
struct run {
    struct mu_instance *instance;
    struct mu_sample sample;
};

static uint32_t *words(const struct mu_instance *instance, const char *buffer)
{
    return *mu_instance_array(instance, mu_app_buffer(instance->app, buffer));
}

static uint32_t size_of(const struct mu_instance *instance, uint32_t word)
{
    return words(instance, "size")[2 * (words(instance, "progress")[0] % 2) + word];
}

/* Runs dmr twice, so that growth of the first run and a second start are seen. */
static int run_twice(const struct on_device *device, struct run *run, struct mu_error *err)
{
    struct mu_sample samples[2] = {0};
    if (run_samples(device, run->instance, samples, 2, err) != MU_OK) return err->status;
    run->sample = samples[0];
    CHECK(samples[1].grown == 0, "what has grown stays for the next run");
    return MU_OK;
}

static struct run refine(const struct on_device *device, const struct mu_mesh *mesh, uint32_t room)
{
    struct mu_app_setup setup = {.seed = 1};
    char text[16];
    snprintf(text, sizeof text, "%u", room);
    struct run run = {0};
    struct mu_error err = {0};
    const struct mu_app *app = mu_app_find("lonestar/dmr", &err);
    if (room != 0) mu_app_set(app, "room", text, &setup, &err);
    if (mu_instance_new_mesh(app, mesh, &setup, &run.instance, &err) == MU_OK && run_twice(device, &run, &err) == MU_OK)
        run.instance->app->check(run.instance, &err);
    if (!CHECK(err.status == MU_OK, "room for %u: a right mesh %s", room, err.message)) {
        mu_instance_free(run.instance);
        run.instance = NULL;
    }
    return run;
}

static bool same_mesh(const struct mu_instance *a, const struct mu_instance *b)
{
    const uint32_t points = size_of(a, 0), triangles = size_of(a, 1);
    return points == size_of(b, 0) && triangles == size_of(b, 1) &&
           memcmp(words(a, "point"), words(b, "point"), (size_t)points * 2 * sizeof(double)) == 0 &&
           memcmp(words(a, "triangle"), words(b, "triangle"), (size_t)triangles * 8 * sizeof(uint32_t)) == 0 &&
           words(a, "progress")[0] == words(b, "progress")[0] &&
           memcmp(words(a, "conflicts"), words(b, "conflicts"), words(a, "progress")[0] * sizeof(uint32_t)) == 0;
}

/* However little room there is at the start, the mesh is the same. */
static void test_room(const struct on_device *device, const struct mu_mesh *mesh, const struct run *ample)
{
    const uint32_t rooms[] = {1, mesh->triangles + 500, 2 * mesh->triangles};
    CHECK(ample->sample.grown == 0, "ample room is not enlarged");
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        struct run run = refine(device, mesh, rooms[i]);
        if (run.instance == NULL) continue;
        CHECK(run.sample.grown >= 1, "room for %u triangles is enlarged %u times", rooms[i], run.sample.grown);
        CHECK(same_mesh(run.instance, ample->instance), "room for %u triangles gives the same mesh", rooms[i]);
        mu_instance_free(run.instance);
    }
}

/* What the hook says when a plan asks for more than it may have, and what it does when asked for some. */
static void test_growth(const struct mu_mesh *mesh)
{
    const struct mu_app_setup setup = {.seed = 1};
    struct mu_instance *instance = NULL;
    struct mu_error err = {0}, limit = {0}, pool_limit = {0};
    const struct mu_app *app = mu_app_find("lonestar/dmr", &err);
    if (mu_instance_new_mesh(app, mesh, &setup, &instance, &err) != MU_OK) {
        CHECK(false, "an instance: %s", err.message);
        return;
    }
    const size_t triangle = mu_app_buffer(app, "triangle"), cavity = mu_app_buffer(app, "cavity");
    const uint64_t triangles = app->length(instance, triangle), words_before = app->length(instance, cavity);
    const uint32_t some[4] = {1, (uint32_t)(triangles / 8 + 1), 0, 0}, pool[4] = {1, 0, 1u << 20, 0};
    const uint32_t many[4] = {1, UINT32_MAX, 0, 0}, much[4] = {1, 0, UINT32_MAX, 0};
    CHECK(app->grow(instance, some, &err) == MU_OK && app->length(instance, triangle) >= 2 * triangles &&
              app->length(instance, cavity) == words_before,
          "room for triangles at least doubles");
    CHECK(app->grow(instance, pool, &err) == MU_OK && app->length(instance, cavity) >= (1u << 20) + words_before / 2,
          "room for large cavities grows");
    CHECK(app->grow(instance, NULL, &err) == MU_OK && app->length(instance, triangle) >= 2 * triangles,
          "a new run keeps the room");
    CHECK(app->grow(instance, many, &limit) == MU_LIMIT && strstr(limit.message, "30 degrees") != NULL, "%s",
          limit.message);
    CHECK(app->grow(instance, much, &pool_limit) == MU_LIMIT, "%s", pool_limit.message);
    mu_instance_free(instance);
}

/* One word of a result, and what it becomes. */
static void test_damage(struct mu_instance *instance, const char *buffer, size_t word, uint32_t value, int expected)
{
    struct mu_error err = {0}, again = {0};
    uint32_t *array = words(instance, buffer);
    const uint32_t was = array[word];
    array[word] = value;
    const int status = instance->app->check(instance, &err);
    array[word] = was;
    CHECK(status == expected && instance->app->check(instance, &again) == MU_OK, "%s[%zu] = %u: %s", buffer, word,
          value, err.message);
}

static void test_damages(struct mu_instance *instance)
{
    const uint32_t points = size_of(instance, 0), triangles = size_of(instance, 1);
    const size_t parity = 2 * (size_t)(words(instance, "progress")[0] % 2), last = 8 * ((size_t)triangles - 1);
    for (size_t k = 0; k < 3; k++) {
        test_damage(instance, "triangle", last + k, points, MU_WRONG);
        test_damage(instance, "triangle", k, words(instance, "triangle")[(k + 1) % 3], MU_WRONG);
        test_damage(instance, "triangle", last + 4 + k, triangles, MU_WRONG);
        test_damage(instance, "triangle", 4 + k, 0, MU_WRONG);
    }
    test_damage(instance, "triangle", 3, words(instance, "triangle")[3] ^ 1, MU_WRONG);
    test_damage(instance, "point", 1, 0x40400000u, MU_WRONG);                      /* a point of the input */
    test_damage(instance, "point", 4 * (size_t)points - 1, 0x40400000u, MU_WRONG); /* the last new one */
    test_damage(instance, "point", 4 * (size_t)points - 1, 0x7ff80000u, MU_WRONG); /* not a number */
    test_damage(instance, "size", parity, UINT32_MAX, MU_WRONG);                   /* more than there is room for */
    test_damage(instance, "size", parity, points - 1, MU_WRONG);
    test_damage(instance, "size", parity + 1, UINT32_MAX, MU_WRONG);
    test_damage(instance, "size", parity + 1, triangles - 1, MU_WRONG);
    test_damage(instance, "dropped", 0, 1, MU_LIMIT);
    test_damage(instance, "progress", 0, 100000, MU_LIMIT);
}

static void test_figures(const struct mu_instance *instance)
{
    struct mu_figure figures[MU_MAX_FIGURES];
    const size_t count = instance->app->summary(instance, figures);
    double angle = 0, rounds = 0, conflicts = 0;
    uint64_t sum = 0;
    bool lists = true;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(figures[i].name, "min_angle") == 0) angle = figures[i].value;
        if (strcmp(figures[i].name, "rounds") == 0) rounds = figures[i].value;
        if (strcmp(figures[i].name, "conflicts") == 0) conflicts = figures[i].value;
        if (figures[i].series == NULL) continue;
        lists = lists && (double)figures[i].count == rounds && figures[i].series[0] != 0;
        for (size_t k = 0; strcmp(figures[i].name, "conflicts_by_round") == 0 && k < figures[i].count; k++)
            sum += figures[i].series[k];
    }
    CHECK(count >= 7 && count <= MU_MAX_FIGURES && angle >= 30 && angle <= 60, "the smallest angle: %g", angle);
    CHECK(rounds > 1 && lists && (double)sum == conflicts && conflicts > 0, "%g conflicts in %g rounds", conflicts,
          rounds);
}

/* Copies a result from one instance to another of the same mesh. */
static void copy_result(const struct mu_instance *from, const struct mu_instance *to, const char *name)
{
    const size_t buffer = mu_app_buffer(from->app, name);
    const size_t bytes = (size_t)from->app->length(from, buffer) * mu_instance_element_bytes(from, buffer);
    memcpy(words(to, name), words(from, name), bytes);
}

/* A refinement to a greater angle is one to the smaller angle, too, but for its effort. */
static void test_effort(const struct on_device *device, const struct mu_mesh *mesh)
{
    static const char *const results[] = {"point", "triangle", "size", "progress", "dropped", "listed", "conflicts"};
    static const char *const angles[] = {"25", "30"};
    struct mu_instance *instances[2] = {NULL, NULL};
    struct mu_error err = {0}, all = {0}, part = {0};
    struct mu_sample sample;
    const struct mu_app *app = mu_app_find("lonestar/dmr", &err);
    for (int i = 0; i < 2 && err.status == MU_OK; i++) {
        struct mu_app_setup setup = {.seed = 1};
        mu_app_set(app, "min_angle", angles[i], &setup, &err);
        mu_app_set(app, "room", "8000", &setup, &err);
        if (err.status == MU_OK && mu_instance_new_mesh(app, mesh, &setup, &instances[i], &err) == MU_OK &&
            run_samples(device, instances[i], &sample, 1, &err) == MU_OK)
            app->check(instances[i], &err);
    }
    if (err.status == MU_OK) {
        for (size_t i = 0; i < 5; i++) copy_result(instances[1], instances[0], results[i]);
        app->check(instances[0], &part);
        for (size_t i = 5; i < 7; i++) copy_result(instances[1], instances[0], results[i]);
        app->check(instances[0], &all);
    }
    CHECK(err.status == MU_OK && part.status == MU_WRONG, "more points than bad triangles asked for: %s%s", err.message,
          part.message);
    CHECK(err.status == MU_OK && all.status == MU_WRONG, "triangles that are not bad: %s%s", err.message, all.message);
    for (int i = 0; i < 2; i++) mu_instance_free(instances[i]);
}

static void test_write(const struct mu_instance *instance)
{
    char base[] = "/tmp/test_dmr.XXXXXX", path[64];
    struct mu_mesh *mesh = NULL;
    struct mu_error err = {0}, nowhere = {0};
    if (!CHECK(mkdtemp(base) != NULL, "a folder")) return;
    snprintf(path, sizeof path, "%s/fine", base);
    if (instance->app->write(instance, path, &err) == MU_OK) mu_mesh_load(path, 1, &mesh, &err);
    CHECK(mesh != NULL && mesh->points == size_of(instance, 0) && mesh->triangles == size_of(instance, 1) &&
              mesh->flipped == 0 && mesh->turned == 0 &&
              memcmp(mesh->coordinate, words(instance, "point"), (size_t)mesh->points * 2 * sizeof(double)) == 0,
          "the mesh that is written can be read %s", err.message);
    mu_mesh_free(mesh);
    for (const char *const *suffix = (const char *const[]){".node", ".ele", ".poly", "", NULL}; *suffix; suffix++) {
        snprintf(path, sizeof path, **suffix ? "%s/fine%s" : "%s%s", base, *suffix);
        remove(path);
    }
    CHECK(instance->app->write(instance, "/dev/null/fine", &nowhere) == MU_IO, "%s", nowhere.message);
}

int main(void)
{
    struct on_device device = {0};
    struct mu_mesh *mesh = NULL;
    struct mu_error err = {0};
    if (!tap_in_full()) compile_unoptimised();
    if (mu_mesh_load("mesh:400", 1, &mesh, &err) != MU_OK) return 99;
    test_growth(mesh);
    if (!open_pocl(&device) || !device.info.has_double) {
        tap_skip("dmr on a device", "there is no PoCL with double precision (Debian package pocl-opencl-icd)");
        mu_mesh_free(mesh);
        return tap_done();
    }
    struct run ample = refine(&device, mesh, 0);
    if (ample.instance != NULL) {
        test_room(&device, mesh, &ample);
        test_damages(ample.instance);
        test_figures(ample.instance);
        test_effort(&device, mesh);
        test_write(ample.instance);
    }
    mu_instance_free(ample.instance);
    mu_device_close(&device.target);
    mu_mesh_free(mesh);
    return tap_done();
}
