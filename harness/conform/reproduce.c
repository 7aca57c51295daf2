/* Writes a folder for each refuted statement, with what is needed to reproduce it. */
#include "harness/conform/conform.h"

#include "base/memory.h"
#include "base/sink.h"
#include "harness/litmus/reduce.h"
#include "harness/litmus/shapes.clh"
#include "records/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int make_folder(const char *path, struct mu_error *err)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return MU_OK;
    return mu_fail(err, MU_IO, "%s: %s", path, strerror(errno));
}

static int write_file(const char *folder, const char *name, const char *text, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    char *path = mu_format(err, "%s/%s", folder, name);
    if (path != NULL && mu_sink_open(path, &sink, err) == MU_OK) mu_sink_text(sink, text);
    mu_free(path);
    return mu_sink_close(sink, err->status, err);
}

/* Writes the kernel's sources and compiler options. Writes nothing if the point is not of a litmus test. */
static int write_kernel(const struct mu_conform *conform, const json_t *point, const char *folder, struct mu_error *err)
{
    struct mu_trial trial = {.info = *conform->info, .selftest = conform->selftest, .parameters = point};
    struct mu_sources sources = {0};
    struct mu_build build;
    struct mu_sink *sink = NULL;
    enum mu_litmus_form form;
    if (json_object_get(point, "atomics") == NULL) return MU_OK;
    char *path = mu_format(err, "%s/kernel.cl", folder);
    if (path != NULL && mu_litmus_build(&trial, &build, &form, err) == MU_OK &&
        mu_litmus_collect(&build, form, &sources, err) == MU_OK && mu_sink_open(path, &sink, err) == MU_OK) {
        mu_sink_text(sink, "/* Options of the compiler: ");
        mu_sink_text(sink, sources.options);
        mu_sink_text(sink, " */\n");
        for (size_t i = 0; i < sources.count; i++) mu_sink_bytes(sink, sources.text[i], sources.length[i]);
    }
    mu_sources_free(&sources);
    mu_free(path);
    return mu_sink_close(sink, err->status, err);
}

/* Writes a litmus test of a few accesses as a program of its own, which needs nothing of muster. */
static int write_program(const struct mu_conform *conform, const struct mu_conform_statement *statement,
                         const char *folder, struct mu_error *err)
{
    struct stat about;
    int atomics = 0;
    struct mu_litmus_case of = {.form = MU_LITMUS_ORDERED, .stress = mu_litmus_all_over};
    const json_t *proof = statement->proof;
    for (const struct mu_litmus_shape *shape = mu_litmus_shape_table; shape->name != NULL; shape++)
        if (mu_json_is(proof, "test", shape->name)) of.shape = shape;
    if (of.shape == NULL) return MU_OK;
    if (mu_choice_find(mu_atomics_paths, "atomics", mu_json_text(json_object_get(proof, "parameters"), "atomics"),
                       &atomics, err) != MU_OK)
        return err->status;
    of.atomics = (enum mu_atomics)atomics;
    of.instances = mu_json_real(proof, "instances");
    of.per_million = 1e6 * mu_json_real(proof, "weak") / of.instances;
    of.place = (mu_json_flag(proof, "near") ? MU_LITMUS_NEAR : 0) |
               (mu_json_flag(proof, "same_line") ? MU_LITMUS_LINE : 0) |
               (mu_json_flag(proof, "stress") ? MU_LITMUS_STRESS : 0);
    char *path = mu_format(err, "%s/program", folder);
    if (path != NULL && stat(path, &about) != 0) mu_litmus_write_case(conform->info, &of, path, err);
    mu_free(path);
    return err->status;
}

static int write_readme(const struct mu_conform *conform, const struct mu_conform_statement *statement,
                        const char *folder, struct mu_error *err)
{
    const struct mu_device_info *info = conform->info;
    const bool kernel =
        statement->proof != NULL && json_object_get(json_object_get(statement->proof, "parameters"), "atomics") != NULL;
    const bool program = json_object_get(statement->proof, "near") != NULL;
    char *text =
        mu_format(err,
                  "%s\n\nIt is said that %s.\nThat is refuted on %s (%s, driver %s) by:\n\n    %s\n\n"
                  "To try it again, with a time of your own:\n\n"
                  "    MUSTER_RESULTS=again muster conform --device=%s --only='%s' --budget=1m --restart\n\n"
                  "measurement.json  what was measured, with the parameters of the test\n%s%s",
                  statement->name, statement->text, info->name, info->platform_version, info->driver, statement->why,
                  info->chip, statement->name,
                  kernel ? "kernel.cl         all of the program that the driver compiled, and its options\n" : "",
                  program ? "program/          a kernel and a host program that need nothing of muster\n" : "");
    if (text != NULL) write_file(folder, "README", text, err);
    mu_free(text);
    return err->status;
}

static int write_one(const struct mu_conform *conform, struct mu_conform_statement *statement, const char *folder,
                     struct mu_error *err)
{
    char name[sizeof statement->name];
    snprintf(name, sizeof name, "%s", statement->name);
    for (char *slash = name; (slash = strchr(slash, '/')) != NULL;) *slash = '-';
    char *path = mu_format(err, "%s/%s", folder, name);
    if (path != NULL && make_folder(path, err) == MU_OK && write_readme(conform, statement, path, err) == MU_OK &&
        statement->proof != NULL) {
        char *text = json_dumps(statement->proof, JSON_INDENT(2));
        if (text == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory: a measurement");
        if (text != NULL && write_file(path, "measurement.json", text, err) == MU_OK &&
            write_kernel(conform, json_object_get(statement->proof, "parameters"), path, err) == MU_OK)
            write_program(conform, statement, path, err);
        free(text);
    }
    if (err->status == MU_OK) snprintf(statement->folder, sizeof statement->folder, "%s", path);
    mu_free(path);
    return err->status;
}

int mu_conform_reproduce(struct mu_conform *conform, struct mu_error *err)
{
    char folder[PATH_MAX];
    if (mu_results_path(conform->info->chip, MU_CONFORM_FOLDER, folder, sizeof folder, err) != MU_OK)
        return err->status;
    for (size_t i = 0; i < conform->count && err->status == MU_OK; i++)
        if (conform->statements[i].verdict == MU_CONFORM_REFUTED && make_folder(folder, err) == MU_OK)
            write_one(conform, &conform->statements[i], folder, err);
    return err->status;
}
