#include "inputs/mesh/text.h"

#include "base/memory.h"
#include "base/number.h"
#include "inputs/formats/scan.h"
#include "inputs/mesh/build.h"
#include "inputs/mesh/predicates.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The shortest lines of a point, a triangle and a segment: "0 0 0\n", "0 0 1 2\n", "0 0 1\n". */
enum { POINT_BYTES = 6, TRIANGLE_BYTES = 8, SEGMENT_BYTES = 6 };

static const struct mu_range point_count = {"the number of points", 0, UINT32_MAX - 1};
static const struct mu_range dimension = {"the dimension", 2, 2};
static const struct mu_range triangle_count = {"the number of triangles", 1, MU_MAX_TRIANGLES};
static const struct mu_range corner_count = {"the number of a triangle's points", 3, 3};
static const struct mu_range segment_count = {"the number of segments", 0, UINT32_MAX - 1};

/* The rows of one kind (points, triangles or segments), each on a line of its own that begins with its id. */
struct rows {
    struct mu_scan scan;
    const char *what; /* "points" */
    uint64_t count;
    uint64_t first; /* the first row's id */
    uint64_t *line; /* [count] */
};

struct text {
    struct rows points, triangles, segments;
    uint32_t *segment; /* [2 * segments.count] */
    struct mu_mesh *mesh;
};

/* Goes to the next line that holds more than a comment, which begins with # anywhere on a line. What follows the
 * numbers that are read is ignored. */
static bool next_line(struct mu_scan *scan)
{
    while (mu_scan_next_line(scan, '#')) {
        if (*scan->at != '#') return true;
        mu_scan_skip_line(scan);
    }
    return false;
}

static int begin_rows(struct rows *rows, const struct mu_range *range, size_t row_bytes, struct mu_error *err)
{
    if (!next_line(&rows->scan)) return mu_scan_fail(&rows->scan, err, "%s is missing", range->what);
    int status = mu_scan_number(&rows->scan, range, &rows->count, err);
    if (status == MU_OK && rows->count > rows->scan.source->size / row_bytes + 1)
        status = mu_scan_fail(&rows->scan, err, "%" PRIu64 " %s are promised, but the file is only %zu bytes long",
                              rows->count, rows->what, rows->scan.source->size);
    return status;
}

/* Goes to the next row and reads past its id. Ids count up from that of the first row, which is 0 or 1. */
static int next_row(struct rows *rows, uint64_t row, struct mu_error *err)
{
    const uint64_t last_first = row == 0 ? 1 : rows->first;
    const struct mu_range id = {"an id that counts from 0 or 1", row == 0 ? 0 : row + rows->first,
                                row == 0 ? last_first : row + rows->first};
    uint64_t value;
    if (!next_line(&rows->scan))
        return mu_scan_fail(&rows->scan, err, "the file ends after %" PRIu64 " of %" PRIu64 " %s", row, rows->count,
                            rows->what);
    int status = mu_scan_number(&rows->scan, &id, &value, err);
    if (row == 0) rows->first = value;
    rows->line[row] = rows->scan.line;
    return status;
}

static int end_rows(struct rows *rows, struct mu_error *err)
{
    if (!next_line(&rows->scan)) return MU_OK;
    return mu_scan_fail(&rows->scan, err, "all %" PRIu64 " %s have come already", rows->count, rows->what);
}

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Reads a coordinate: a decimal number that is 0 or of a magnitude for which the predicates are exact. */
static int read_real(struct mu_scan *scan, const char *what, double *value, struct mu_error *err)
{
    char text[MU_SCAN_QUOTED_BYTES];
    bool fits = false;
    mu_scan_blanks(scan);
    if (mu_scan_line_is_over(scan)) return mu_scan_fail(scan, err, "%s is missing at the end of the line", what);
    const char *at = (const char *)scan->at;
    const size_t length = mu_number_at(at, value, &fits);
    const double magnitude = fabs(*value);
    const bool ends =
        is_blank((unsigned char)at[length]) || scan->at + length == scan->source->bytes + scan->source->size;
    if (length == 0 || !ends) return mu_scan_fail(scan, err, "%s is expected, not %s", what, mu_scan_quote(scan, text));
    if (!fits || (magnitude != 0.0 && !(magnitude >= MU_COORDINATE_MIN && magnitude <= MU_COORDINATE_MAX)))
        return mu_scan_fail(scan, err, "%s must be 0 or of a magnitude from 2^-140 to 2^140, not %s", what,
                            mu_scan_quote(scan, text));
    *value += 0.0; /* -0 is 0 */
    scan->at += length;
    return MU_OK;
}

static int read_points(struct text *text, struct mu_error *err)
{
    int status = MU_OK;
    for (uint64_t point = 0; status == MU_OK && point < text->points.count; point++) {
        double *coordinate = text->mesh->coordinate + 2 * point;
        status = next_row(&text->points, point, err);
        if (status == MU_OK) status = read_real(&text->points.scan, "x", &coordinate[0], err);
        if (status == MU_OK) status = read_real(&text->points.scan, "y", &coordinate[1], err);
        if (status == MU_OK) mu_scan_skip_line(&text->points.scan);
    }
    return status;
}

/* Reads ids of points and turns them into positions, counted from 0. */
static int read_ids(const struct text *text, struct mu_scan *scan, unsigned count, uint32_t *id, struct mu_error *err)
{
    const struct mu_range range = {"a point's id", text->points.first, text->points.first + text->points.count - 1};
    int status = MU_OK;
    for (unsigned i = 0; status == MU_OK && i < count; i++) {
        uint64_t value;
        status = mu_scan_number(scan, &range, &value, err);
        id[i] = (uint32_t)(value - text->points.first);
    }
    if (status == MU_OK) mu_scan_skip_line(scan);
    return status;
}

static int read_triangles(struct text *text, struct mu_error *err)
{
    int status = MU_OK;
    for (uint64_t triangle = 0; status == MU_OK && triangle < text->triangles.count; triangle++) {
        status = next_row(&text->triangles, triangle, err);
        if (status == MU_OK) status = read_ids(text, &text->triangles.scan, 3, text->mesh->corner + 3 * triangle, err);
    }
    return status == MU_OK ? end_rows(&text->triangles, err) : status;
}

static int read_segments(struct text *text, struct mu_error *err)
{
    int status = MU_OK;
    for (uint64_t segment = 0; status == MU_OK && segment < text->segments.count; segment++) {
        status = next_row(&text->segments, segment, err);
        if (status == MU_OK) status = read_ids(text, &text->segments.scan, 2, text->segment + 2 * segment, err);
    }
    return status;
}

static int begin_points(struct rows *rows, const struct mu_source *source, struct mu_error *err)
{
    uint64_t value;
    *rows = (struct rows){.scan = mu_scan_start(source), .what = "points"};
    int status = begin_rows(rows, &point_count, POINT_BYTES, err);
    if (status == MU_OK) status = mu_scan_number(&rows->scan, &dimension, &value, err);
    if (status == MU_OK) mu_scan_skip_line(&rows->scan);
    return status;
}

static int begin_triangles(struct rows *rows, const struct mu_source *source, struct mu_error *err)
{
    uint64_t value;
    *rows = (struct rows){.scan = mu_scan_start(source), .what = "triangles"};
    int status = begin_rows(rows, &triangle_count, TRIANGLE_BYTES, err);
    if (status == MU_OK) status = mu_scan_number(&rows->scan, &corner_count, &value, err);
    if (status == MU_OK) mu_scan_skip_line(&rows->scan);
    return status;
}

/* Begins to read the segments, which stand behind the points of a .poly. */
static int begin_segments(struct text *text, const struct mu_scan *after_points, struct mu_error *err)
{
    text->segments = (struct rows){.scan = *after_points, .what = "segments"};
    int status = begin_rows(&text->segments, &segment_count, SEGMENT_BYTES, err);
    if (status != MU_OK) return status;
    mu_scan_skip_line(&text->segments.scan);
    text->segments.line = mu_malloc(text->segments.count, sizeof(uint64_t), "the segments' lines", err);
    text->segment = mu_malloc(2 * text->segments.count, sizeof *text->segment, "the segments", err);
    if (text->segments.line == NULL || text->segment == NULL) return MU_NO_MEMORY;
    return read_segments(text, err);
}

/* Reads the segments of a .poly that lies beside a .node. Points that the .poly may hold as well are ignored. */
static int read_poly(struct text *text, const struct mu_source *poly, struct mu_error *err)
{
    struct rows points;
    int status = begin_points(&points, poly, err);
    for (uint64_t point = 0; status == MU_OK && point < points.count; point++) {
        if (!next_line(&points.scan))
            return mu_scan_fail(&points.scan, err, "the file ends after %" PRIu64 " of %" PRIu64 " points", point,
                                points.count);
        mu_scan_skip_line(&points.scan);
    }
    return status == MU_OK ? begin_segments(text, &points.scan, err) : status;
}

static int allocate(struct text *text, struct mu_error *err)
{
    int status = mu_mesh_new(text->points.count, text->triangles.count, &text->mesh, err);
    if (status != MU_OK) return status;
    text->points.line = mu_malloc(text->points.count, sizeof(uint64_t), "the points' lines", err);
    text->triangles.line = mu_malloc(text->triangles.count, sizeof(uint64_t), "the triangles' lines", err);
    return text->points.line != NULL && text->triangles.line != NULL ? MU_OK : MU_NO_MEMORY;
}

static int read_text(struct text *text, const struct mu_source *node, const struct mu_source *ele,
                     const struct mu_source *poly, struct mu_error *err)
{
    int status = begin_points(&text->points, node != NULL ? node : poly, err);
    if (status == MU_OK && text->points.count == 0)
        return mu_scan_fail(&text->points.scan, err,
                            node != NULL ? "a mesh needs points" : "the points are in a .node file, which is missing");
    if (status == MU_OK) status = begin_triangles(&text->triangles, ele, err);
    if (status == MU_OK) status = allocate(text, err);
    if (status == MU_OK) status = read_points(text, err);
    if (status == MU_OK && node != NULL) status = end_rows(&text->points, err);
    if (status == MU_OK) text->mesh->first_id = (uint32_t)text->points.first;
    if (status == MU_OK) status = read_triangles(text, err);
    if (status == MU_OK && node == NULL) status = begin_segments(text, &text->points.scan, err);
    if (status == MU_OK && node != NULL && poly != NULL) status = read_poly(text, poly, err);
    return status;
}

static int build(const struct text *text, struct mu_error *err)
{
    const struct mu_mesh_origin origin = {
        .point_path = text->points.scan.source->path,
        .triangle_path = text->triangles.scan.source->path,
        .segment_path = text->segments.count > 0 ? text->segments.scan.source->path : NULL,
        .point_line = text->points.line,
        .triangle_line = text->triangles.line,
        .segment_line = text->segments.line,
        .segment = text->segment,
        .segments = (uint32_t)text->segments.count,
    };
    int status = mu_mesh_connect(text->mesh, &origin, err);
    return status == MU_OK ? mu_mesh_make_delaunay(text->mesh, false, err) : status;
}

int mu_mesh_text_read(const struct mu_source *node, const struct mu_source *ele, const struct mu_source *poly,
                      struct mu_mesh **mesh, struct mu_error *err)
{
    struct text text = {0};
    int status = read_text(&text, node, ele, poly, err);
    if (status == MU_OK) status = build(&text, err);
    mu_free(text.points.line);
    mu_free(text.triangles.line);
    mu_free(text.segments.line);
    mu_free(text.segment);
    if (status != MU_OK) {
        mu_mesh_free(text.mesh);
        return status;
    }
    text.mesh->format = "triangle";
    *mesh = text.mesh;
    return MU_OK;
}
