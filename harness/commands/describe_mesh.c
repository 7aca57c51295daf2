#include "harness/commands/describe.h"

#include "base/json.h"
#include "base/plain.h"
#include "harness/commands/command.h"
#include "inputs/mesh/stats.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>

/* The smallest angle, in degrees, to which dmr refines by default. */
enum { MIN_ANGLE = 30 };

struct report {
    const struct mu_mesh *mesh;
    struct mu_mesh_stats stats;
    uint64_t seed, hash;
    double load_seconds;
};

void mu_describe_name(const char *name)
{
    char plain[PATH_MAX];
    snprintf(plain, sizeof plain, "%s", name);
    mu_make_plain(plain, "");
    printf("name        %s\n", plain);
}

static void print_text(const struct report *report)
{
    const struct mu_mesh *mesh = report->mesh;
    const struct mu_mesh_stats *stats = &report->stats;
    mu_describe_name(mesh->name);
    printf("format      %s\n", mesh->format);
    printf("points      %" PRIu32 ", x from %g to %g, y from %g to %g\n", mesh->points, stats->x_min, stats->x_max,
           stats->y_min, stats->y_max);
    printf("triangles   %" PRIu32 ", area %g\n", mesh->triangles, stats->area);
    printf("segments    %" PRIu32 ", %" PRIu32 " of them on the boundary\n", mesh->segments, stats->boundary);
    printf("euler       %" PRId64 "\n", stats->euler);
    printf("angles      min %.4f, max %.4f degrees\n", stats->angle_min, stats->angle_max);
    for (unsigned i = 0; i < MU_ANGLE_CLASSES; i++)
        printf("  below %-4u  %" PRIu64 "\n", MU_ANGLE_CLASS_DEGREES * (i + 1), stats->angle_class[i]);
    printf("bad         %" PRIu32 " triangles with an angle below %d degrees\n", stats->bad, MIN_ANGLE);
    printf("turned      %" PRIu32 " clockwise triangles\n", mesh->turned);
    printf("flipped     %" PRIu64 " edges that were not Delaunay\n", mesh->flipped);
    printf("hash        %016" PRIx64 "\n", report->hash);
    printf("load        %.3f s\n", report->load_seconds);
}

static json_t *json_histogram(const struct mu_mesh_stats *stats)
{
    struct mu_json classes = mu_json_array();
    for (int i = 0; i < MU_ANGLE_CLASSES; i++)
        mu_json_append(&classes,
                       json_pack("{s:i, s:i, s:I}", "from", MU_ANGLE_CLASS_DEGREES * i, "to",
                                 MU_ANGLE_CLASS_DEGREES * (i + 1), "corners", (json_int_t)stats->angle_class[i]));
    return mu_json_take(&classes, "a histogram", NULL);
}

static json_t *json_report(const struct report *report)
{
    const struct mu_mesh *mesh = report->mesh;
    const struct mu_mesh_stats *stats = &report->stats;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, report->hash);
    json_t *box = json_pack("[f, f, f, f]", stats->x_min, stats->y_min, stats->x_max, stats->y_max);
    json_t *angles = json_pack("{s:f, s:f, s:o}", "min", stats->angle_min, "max", stats->angle_max, "histogram",
                               json_histogram(stats));
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:f, s:o, s:I, s:I, s:I, s:s, s:f}", "name",
                     mesh->name, "format", mesh->format, "seed", (json_int_t)report->seed, "points",
                     (json_int_t)mesh->points, "triangles", (json_int_t)mesh->triangles, "segments",
                     (json_int_t)mesh->segments, "boundary", (json_int_t)stats->boundary, "euler",
                     (json_int_t)stats->euler, "box", box, "area", stats->area, "angles", angles, "bad_triangles",
                     (json_int_t)stats->bad, "turned", (json_int_t)mesh->turned, "flipped", (json_int_t)mesh->flipped,
                     "hash", hash, "load_s", report->load_seconds);
}

int mu_describe_mesh(const struct mu_mesh *mesh, uint64_t seed, double load_seconds, bool json, struct mu_error *err)
{
    struct report report = {.mesh = mesh, .seed = seed, .hash = mu_mesh_hash(mesh), .load_seconds = load_seconds};
    int status = MU_OK;
    mu_mesh_stats(mesh, MIN_ANGLE, &report.stats);
    if (json)
        status = mu_print_json(json_report(&report), 17, err);
    else
        print_text(&report);
    if (status == MU_OK && mu_finish_output(err) != MU_OK)
        status = mu_fail(err, MU_IO, "cannot write to standard output");
    return status;
}
