/* The file of a chip's measurements: JSON Lines, appended experiment by experiment. */
#include "harness/probe.h"

#include "base/memory.h"
#include "inputs/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_of(const json_t *measurement, const struct mu_device_info *info)
{
    return info == NULL ||
           (mu_json_is(measurement, "device", info->name) && mu_json_is(measurement, "driver", info->driver) &&
            mu_json_is(measurement, "platform", info->platform_version));
}

static int take_line(const char *path, unsigned line, const char *text, size_t length,
                     const struct mu_device_info *info, json_t *measurements, struct mu_error *err)
{
    json_error_t error;
    json_t *object = json_loadb(text, length, 0, &error);
    if (object == NULL && error.text[0] == '\0') /* the parser names what is wrong with a text; here nothing is */
        return mu_fail(err, MU_NO_MEMORY, "%s:%u: out of memory", path, line);
    if (object == NULL) return mu_fail(err, MU_INPUT, "%s:%u: not JSON: %s", path, line, error.text);
    if (!json_is_object(object) || !json_is_object(json_object_get(object, "parameters")))
        mu_fail(err, MU_INPUT, "%s:%u: not a measurement", path, line);
    else if (json_integer_value(json_object_get(object, "schema")) != MU_PROBE_SCHEMA)
        mu_fail(err, MU_INPUT, "%s:%u: schema %lld; this program reads %d", path, line,
                (long long)json_integer_value(json_object_get(object, "schema")), MU_PROBE_SCHEMA);
    else if (is_of(object, info) && json_array_append(measurements, object) != 0)
        mu_fail(err, MU_NO_MEMORY, "%s: out of memory", path);
    json_decref(object);
    return err->status;
}

int mu_probe_load(const char *path, const struct mu_device_info *info, json_t **measurements, char note[256],
                  struct mu_error *err)
{
    struct mu_source source = {0};
    unsigned line = 0;
    note[0] = '\0';
    *measurements = json_array();
    if (*measurements == NULL) return mu_fail(err, MU_NO_MEMORY, "%s: out of memory", path);
    if (access(path, F_OK) != 0 && errno == ENOENT) return MU_OK;
    if (mu_source_read(path, &source, err) != MU_OK) return err->status;
    const char *text = (const char *)source.bytes, *end = text + source.size;
    while (text < end && err->status == MU_OK) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        line++;
        if (newline == NULL) {
            snprintf(note, 256, "%.180s:%u: the last line is cut off; it is left out", path, line);
            break;
        }
        take_line(path, line, text, (size_t)(newline - text), info, *measurements, err);
        text = newline + 1;
    }
    mu_source_release(&source);
    return err->status;
}

static json_int_t runs_of(const json_t *measurement)
{
    return json_integer_value(json_object_get(json_object_get(measurement, "parameters"), "runs"));
}

/* The same parameters, but for the number of runs. */
static bool is_same_experiment(const json_t *a, const json_t *b)
{
    static const char *const names[] = {"experiment", "workgroup", "local_bytes", "app", "input"};
    const json_t *of_a = json_object_get(a, "parameters"), *of_b = json_object_get(b, "parameters");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const json_t *value_a = json_object_get(of_a, names[i]), *value_b = json_object_get(of_b, names[i]);
        if (value_a != value_b && !json_equal(value_a, value_b)) return false;
    }
    return true;
}

static bool is_superseded(const json_t *measurements, const json_t *measurement)
{
    size_t i;
    json_t *other;
    json_array_foreach ((json_t *)measurements, i, other)
        if (runs_of(other) > runs_of(measurement) && is_same_experiment(other, measurement)) return true;
    return false;
}

json_t *mu_probe_current(const json_t *measurements)
{
    json_t *current = json_array(), *measurement;
    const json_t *last = json_array_get(measurements, json_array_size(measurements) - 1);
    size_t i;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (json_equal(json_object_get(last, "driver"), json_object_get(measurement, "driver")) &&
            !is_superseded(measurements, measurement))
            json_array_append(current, measurement);
    return current;
}

/* The lines as one text, so that they are written at once. */
static char *to_lines(const json_t *measurements, struct mu_error *err)
{
    char *lines = mu_strdup("", err);
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        char *line = json_dumps(measurement, JSON_COMPACT | JSON_REAL_PRECISION(6));
        char *longer = lines != NULL && line != NULL ? mu_format(err, "%s%s\n", lines, line) : NULL;
        free(line);
        mu_free(lines);
        lines = longer;
    }
    if (lines == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory: measurements");
    return lines;
}

/* A last line that was cut off, because the program was killed while it wrote, must not swallow the next one. */
static int end_last_line(int file, const char *path, struct mu_error *err)
{
    char last = '\n';
    off_t length = lseek(file, 0, SEEK_END);
    while (length > 0 && pread(file, &last, 1, length - 1) == 1 && last != '\n') length--;
    if (length < 0 || (last != '\n' && length > 0) || ftruncate(file, length) != 0)
        return mu_fail(err, MU_IO, "%s: cannot cut off an unfinished line: %s", path, strerror(errno));
    return MU_OK;
}

int mu_probe_append(const char *path, const json_t *measurements, struct mu_error *err)
{
    char *lines = to_lines(measurements, err);
    if (lines == NULL) return err->status;
    const int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) mu_fail(err, MU_IO, "%s: cannot open: %s", path, strerror(errno));
    if (err->status == MU_OK && end_last_line(file, path, err) == MU_OK) {
        const size_t bytes = strlen(lines);
        const ssize_t written = write(file, lines, bytes);
        if (written < 0 || (size_t)written != bytes || fdatasync(file) != 0)
            mu_fail(err, MU_IO, "%s: cannot append: %s", path, written < 0 ? strerror(errno) : "the disk is full");
    }
    if (file >= 0) close(file);
    mu_free(lines);
    return err->status;
}

bool mu_probe_is_done(const json_t *measurements, const json_t *parameters)
{
    size_t i;
    json_t *measurement;
    json_int_t found = 0, parts = 1;
    bool failed_to_verify = false;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        if (!json_equal(json_object_get(measurement, "parameters"), parameters)) continue;
        parts = json_integer_value(json_object_get(measurement, "parts"));
        failed_to_verify = json_is_false(json_object_get(measurement, "full"));
        found++;
    }
    if (mu_json_is(parameters, "experiment", "verify") && failed_to_verify) return found >= MU_VERIFY_TRIES;
    return found > 0 && found >= parts;
}
