#include "inputs/mesh/mesh.h"

#include "base/memory.h"
#include "base/sink.h"

#include <stdio.h>
#include <string.h>

static void write_points(const struct mu_mesh *mesh, struct mu_sink *sink)
{
    mu_sink_number(sink, mesh->points, ' ');
    mu_sink_text(sink, "2 0 0\n");
    for (uint32_t point = 0; point < mesh->points; point++) {
        char text[64];
        const double *at = mesh->coordinate + 2 * (size_t)point;
        snprintf(text, sizeof text, "%.17g %.17g\n", at[0], at[1]);
        mu_sink_number(sink, (uint64_t)point + mesh->first_id, ' ');
        mu_sink_text(sink, text);
    }
}

static void write_triangles(const struct mu_mesh *mesh, struct mu_sink *sink)
{
    mu_sink_number(sink, mesh->triangles, ' ');
    mu_sink_text(sink, "3 0\n");
    for (uint32_t triangle = 0; triangle < mesh->triangles; triangle++) {
        mu_sink_number(sink, (uint64_t)triangle + mesh->first_id, ' ');
        for (unsigned k = 0; k < 3; k++)
            mu_sink_number(sink, (uint64_t)mesh->corner[3 * (size_t)triangle + k] + mesh->first_id, k < 2 ? ' ' : '\n');
    }
}

/* Writes each segment once: from its only triangle, or from the one with the lower id. The points are in the .node. */
static void write_segments(const struct mu_mesh *mesh, struct mu_sink *sink)
{
    uint64_t id = mesh->first_id;
    mu_sink_text(sink, "0 2 0 0\n");
    mu_sink_number(sink, mesh->segments, ' ');
    mu_sink_text(sink, "0\n");
    for (uint32_t triangle = 0; triangle < mesh->triangles; triangle++)
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t *corner = mesh->corner + 3 * (size_t)triangle;
            if (!(mesh->fixed[triangle] >> k & 1) || mesh->neighbour[3 * (size_t)triangle + k] < triangle) continue;
            mu_sink_number(sink, id++, ' ');
            mu_sink_number(sink, (uint64_t)corner[(k + 1) % 3] + mesh->first_id, ' ');
            mu_sink_number(sink, (uint64_t)corner[(k + 2) % 3] + mesh->first_id, '\n');
        }
    mu_sink_text(sink, "0\n");
}

/* Returns the length of the path without the suffix of one of the three files. */
static int base_length(const char *path)
{
    static const char *const suffixes[] = {".node", ".ele", ".poly"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const size_t suffix = strlen(suffixes[i]);
        if (length > suffix && strcmp(path + length - suffix, suffixes[i]) == 0) return (int)(length - suffix);
    }
    return (int)length;
}

int mu_mesh_write(const struct mu_mesh *mesh, const char *path, struct mu_error *err)
{
    static const struct {
        const char *suffix;
        void (*write)(const struct mu_mesh *mesh, struct mu_sink *sink);
    } files[] = {{".node", write_points}, {".ele", write_triangles}, {".poly", write_segments}};
    int status = MU_OK;
    for (size_t i = 0; status == MU_OK && i < sizeof files / sizeof files[0]; i++) {
        struct mu_sink *sink = NULL;
        char *name = mu_format(err, "%.*s%s", base_length(path), path, files[i].suffix);
        status = name == NULL ? MU_NO_MEMORY : mu_sink_open(name, &sink, err);
        if (status == MU_OK) {
            files[i].write(mesh, sink);
            status = mu_sink_close(sink, MU_OK, err);
        }
        mu_free(name);
    }
    return status;
}
