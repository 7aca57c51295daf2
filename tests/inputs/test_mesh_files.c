/* Triangle's files: what is read from them, what is refused and with which words, and that writing loses nothing. */
#include "base/limits.h"
#include "inputs/mesh/check.h"
#include "inputs/mesh/mesh.h"
#include "inputs/mesh/text.h"
#include "inputs/rng.h"
#include "tests/inputs/input_files.h"
#include "tests/tap.h"

#include <lzma.h>
#include <zlib.h>

/* A square of four points, ids from 1, its lower right half first. */
#define SQUARE "4 2 0 0\n1 0 0\n2 4 0\n3 4 4\n4 0 4\n"
#define HALVES "2 3 0\n1 1 2 3\n2 1 3 4\n"

/* Makes the files m.node, m.ele and m.poly of what is not NULL, and no others. */
static void make_files(const char *node, const char *ele, const char *poly)
{
    const char *const names[] = {"m.node", "m.ele", "m.poly"}, *const texts[] = {node, ele, poly};
    for (unsigned i = 0; i < 3; i++) {
        unlink(path_of(names[i]));
        if (texts[i] != NULL) make_file(names[i], texts[i], strlen(texts[i]));
    }
}

static int load(const char *path, struct mu_mesh **mesh, struct mu_error *err)
{
    *mesh = NULL;
    *err = (struct mu_error){0};
    return mu_mesh_load(path, 1, mesh, err);
}

/* "x,y … | a b c/neighbours/fixed … | segments turned flipped", the triangles' neighbours as - where there is none. */
static const char *describe(const struct mu_mesh *mesh)
{
    static char text[4096];
    size_t used = 0;
    for (uint32_t i = 0; i < mesh->points && used < sizeof text - 200; i++)
        used += (size_t)snprintf(text + used, 100, "%g,%g ", mesh->coordinate[2 * (size_t)i],
                                 mesh->coordinate[2 * (size_t)i + 1]);
    used += (size_t)snprintf(text + used, 10, "|");
    for (uint32_t i = 0; i < mesh->triangles && used < sizeof text - 200; i++) {
        used += (size_t)snprintf(text + used, 60, " %u %u %u/", mesh->corner[3 * (size_t)i],
                                 mesh->corner[3 * (size_t)i + 1], mesh->corner[3 * (size_t)i + 2]);
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t neighbour = mesh->neighbour[3 * i + k];
            used += (size_t)(neighbour == MU_NO_TRIANGLE ? snprintf(text + used, 20, "-")
                                                         : snprintf(text + used, 20, "%u", neighbour));
        }
        used += (size_t)snprintf(text + used, 20, "/%u", mesh->fixed[i]);
    }
    snprintf(text + used, 60, " | %u %u %u", mesh->segments, mesh->turned, (unsigned)mesh->flipped);
    return text;
}

static const char square[] = "0,0 4,0 4,4 0,4 | 0 1 2/-1-/5 0 2 3/--0/3 | 4 0 0";

static const struct good {
    const char *title, *node, *ele, *poly, *expected;
} goods[] = {
    {"ids from 1", SQUARE, HALVES, NULL, square},
    {"ids from 0", "4 2 0 0\n0 0 0\n1 4 0\n2 4 4\n3 0 4\n", "2 3 0\n0 0 1 2\n1 0 2 3\n", NULL, square},
    {"triangles count from 0 while points count from 1", SQUARE, "2 3 0\n0 1 2 3\n1 1 3 4\n", NULL, square},
    {"attributes, markers and comments",
     "# first\n4 2 1 1 # header\n\n 1 0 -0 7.5 1\n2 4. 0e0 x 1\n  # between\n"
     "3\t4e0\t+4 8 0 # end\n4 0 40e-1\n# last\n",
     "2 3 1\n1 1 2 3 0.5\n2 1 3 4 # so\n#", NULL, square},
    {"lines of another system", "4 2 0 0\r\n1 0 0\r\n2 4 0\r\n3 4 4\r\n4 0 4\r\n", "2 3 0\r\n1 1 2 3\r\n2 1 3 4", NULL,
     square},
    {"no newline at the end", "4 2\n1 0 0\n2 4 0\n3 4 4\n4 0 4", "2 3\n1 1 2 3\n2 1 3 4", NULL, square},
    {"clockwise triangles are turned", SQUARE, "2 3 0\n1 1 3 2\n2 4 3 1\n", NULL,
     "0,0 4,0 4,4 0,4 | 0 1 2/-1-/5 3 0 2/0--/6 | 4 2 0"},
    {"the boundary as segments", SQUARE, HALVES, "0 2 0 0\n4 1\n1 1 2 1\n2 3 2\n3 3 4\n4 1 4\n0\n", square},
    {"a segment within", SQUARE, HALVES, "0 2 0 0\n1 0\n1 3 1\n0\n",
     "0,0 4,0 4,4 0,4 | 0 1 2/-1-/7 0 2 3/--0/7 | 5 0 0"},
    {"the same segment twice", SQUARE, HALVES, "0 2 0 0\n2 0\n1 3 1\n2 1 3\n0\n",
     "0,0 4,0 4,4 0,4 | 0 1 2/-1-/7 0 2 3/--0/7 | 5 0 0"},
    {"no segments, and holes", SQUARE, HALVES, "0 2 0 0\n0 0\n1\n1 0.5 0.5\n", square},
    {"points in the .poly", NULL, HALVES, SQUARE "1 0\n1 1 3\n0\n",
     "0,0 4,0 4,4 0,4 | 0 1 2/-1-/7 0 2 3/--0/7 | 5 0 0"},
    {"points in both", SQUARE, HALVES, "2 2 0 0\n1 9 9\n2 8 8\n1 0\n1 1 3\n0\n",
     "0,0 4,0 4,4 0,4 | 0 1 2/-1-/7 0 2 3/--0/7 | 5 0 0"},
    {"an edge that is not Delaunay is flipped", "4 2\n1 0 0\n2 4 -1\n3 8 0\n4 4 1\n", "2 3\n1 1 2 3\n2 1 3 4\n", NULL,
     "0,0 4,-1 8,0 4,1 | 3 1 2/--1/3 0 1 3/0--/6 | 4 0 1"},
    {"but not if it is a segment", "4 2\n1 0 0\n2 4 -1\n3 8 0\n4 4 1\n", "2 3\n1 1 2 3\n2 1 3 4\n",
     "0 2 0 0\n1 0\n1 1 3\n0\n", "0,0 4,-1 8,0 4,1 | 0 1 2/-1-/7 0 2 3/--0/7 | 5 0 0"},
    {"a sliver of 1e-12", "3 2\n1 0 0\n2 1 0\n3 0.5 1e-12\n", "1 3\n1 1 2 3\n", NULL,
     "0,0 1,0 0.5,1e-12 | 0 1 2/---/7 | 3 0 0"},
    {"two triangles that share a point", "5 2\n1 0 0\n2 1 0\n3 0 1\n4 -1 0\n5 0 -1\n", "2 3\n1 1 2 3\n2 1 4 5\n", NULL,
     "0,0 1,0 0,1 -1,0 0,-1 | 0 1 2/---/7 0 3 4/---/7 | 6 0 0"},
    {"two triangles apart", "6 2\n1 0 0\n2 1 0\n3 0 1\n4 5 0\n5 6 0\n6 5 1\n", "2 3\n1 1 2 3\n2 4 5 6\n", NULL,
     "0,0 1,0 0,1 5,0 6,0 5,1 | 0 1 2/---/7 3 4 5/---/7 | 6 0 0"},
};

static void test_good(void)
{
    for (size_t i = 0; i < sizeof goods / sizeof goods[0]; i++) {
        struct mu_mesh *mesh;
        struct mu_error err;
        make_files(goods[i].node, goods[i].ele, goods[i].poly);
        const int status = load(path_of("m.ele"), &mesh, &err);
        const char *found = status == MU_OK ? describe(mesh) : err.message;
        CHECK(strcmp(found, goods[i].expected) == 0, "%s: %s", goods[i].title, found);
        mu_mesh_free(mesh);
    }
}

static const struct bad {
    const char *title, *node, *ele, *poly, *message;
} bads[] = {
    {"an empty .node", "", HALVES, NULL, "m.node:1: the number of points is missing"},
    {"only comments", "# a\n\n# b\n", HALVES, NULL, "m.node:4: the number of points is missing"},
    {"no points", "0 2\n", HALVES, NULL, "m.node:2: a mesh needs points"},
    {"three dimensions", "1 3 0 0\n1 0 0 0\n", HALVES, NULL, "m.node:1: the dimension must be from 2 to 2, not '3'"},
    {"too many points promised", "4000 2\n1 0 0\n", HALVES, NULL, "m.node:1: 4000 points are promised, but the file"},
    {"a huge number of points", "99999999999999999999 2\n", HALVES, NULL, "m.node:1: the number of points must be"},
    {"a point missing", "4 2\n1 0 0\n2 4 0\n3 4 4\n", HALVES, NULL, "m.node:5: the file ends after 3 of 4 points"},
    {"a point too many", SQUARE "5 9 9\n", HALVES, NULL, "m.node:6: all 4 points have come already"},
    {"ids from 2", "3 2\n2 0 0\n3 4 0\n4 4 4\n", HALVES, NULL, "m.node:2: an id that counts from 0 or 1 must be"},
    {"an id left out", "3 2\n1 0 0\n3 4 0\n4 4 4\n", HALVES, NULL,
     "m.node:3: an id that counts from 0 or 1 must be from 2"},
    {"a coordinate missing", "3 2\n1 0 0\n2 4\n3 4 4\n", HALVES, NULL, "m.node:3: y is missing at the end of the line"},
    {"a coordinate that is none", "3 2\n1 0 0\n2 4 x\n3 4 4\n", HALVES, NULL, "m.node:3: y is expected, not 'x'"},
    {"NaN", "3 2\n1 nan 0\n2 4 0\n3 4 4\n", HALVES, NULL, "m.node:2: x is expected, not 'nan'"},
    {"infinity", "3 2\n1 0 inf\n2 4 0\n3 4 4\n", HALVES, NULL, "m.node:2: y is expected, not 'inf'"},
    {"hexadecimal", "3 2\n1 0 0x1p3\n2 4 0\n3 4 4\n", HALVES, NULL, "m.node:2: y is expected, not '0x1p3'"},
    {"two signs", "3 2\n1 0 --1\n2 4 0\n3 4 4\n", HALVES, NULL, "m.node:2: y is expected, not '--1'"},
    {"too large", "3 2\n1 0 1e43\n2 4 0\n3 4 4\n", HALVES, NULL, "m.node:2: y must be 0 or of a magnitude"},
    {"far too large", "3 2\n1 0 1e999\n2 4 0\n3 4 4\n", HALVES, NULL, "m.node:2: y must be 0 or of a magnitude"},
    {"too small", "3 2\n1 0 1e-43\n2 4 0\n3 4 4\n", HALVES, NULL, "m.node:2: y must be 0 or of a magnitude"},
    {"far too small", "3 2\n1 0 1e-999\n2 4 0\n3 4 4\n", HALVES, NULL, "m.node:2: y must be 0 or of a magnitude"},
    {"a point twice", "4 2\n1 0 0\n2 4 0\n3 4 4\n4 4 -0\n", HALVES, NULL, "m.node:5: the same point as"},
    {"and where the first one is", "4 2\n1 0 0\n2 4 0\n3 4 4\n4 4 0\n", HALVES, NULL, "m.node:3: (4, 0)"},
    {"a point in no triangle", SQUARE, "1 3\n1 1 2 3\n", NULL, "m.node:5: the point is no triangle's corner"},
    {"an empty .ele", SQUARE, "", NULL, "m.ele:1: the number of triangles is missing"},
    {"no triangles", SQUARE, "0 3\n", NULL, "m.ele:1: the number of triangles must be from 1"},
    {"six corners", SQUARE, "1 6\n1 1 2 3 4 1 2\n", NULL, "m.ele:1: the number of a triangle's points must be from 3"},
    {"too many triangles promised", SQUARE, "99 3\n1 1 2 3\n", NULL, "m.ele:1: 99 triangles are promised"},
    {"a triangle missing", SQUARE, "2 3\n1 1 2 3\n\n", NULL, "m.ele:4: the file ends after 1 of 2 triangles"},
    {"a triangle too many", SQUARE, HALVES "3 1 2 4\n", NULL, "m.ele:4: all 2 triangles have come already"},
    {"a corner missing", SQUARE, "2 3\n1 1 2\n2 1 3 4\n", NULL,
     "m.ele:2: a point's id is missing at the end of the line"},
    {"a corner that is no point", SQUARE, "2 3\n1 1 2 5\n2 1 3 4\n", NULL, "m.ele:2: a point's id must be from 1 to 4"},
    {"an id below the first", SQUARE, "2 3\n1 1 2 0\n2 1 3 4\n", NULL, "m.ele:2: a point's id must be from 1 to 4"},
    {"a negative id", SQUARE, "2 3\n1 1 2 -3\n2 1 3 4\n", NULL, "m.ele:2: a point's id must be from 1 to 4"},
    {"a corner twice", SQUARE, "2 3\n1 1 2 2\n2 1 3 4\n", NULL, "m.ele:2: the triangle has no area"},
    {"corners on a line", "4 2\n1 0 0\n2 4 0\n3 8 0\n4 0 4\n", "2 3\n1 1 2 4\n2 1 2 3\n", NULL,
     "m.ele:3: the triangle has no area"},
    {"a triangle twice", SQUARE, "2 3\n1 1 2 3\n2 3 1 2\n", NULL, "m.ele:2: overlaps with"},
    {"two triangles on one side", SQUARE, "2 3\n1 1 2 3\n2 1 2 4\n", NULL, "m.ele:2: overlaps with"},
    {"three triangles at an edge", "5 2\n1 0 0\n2 4 0\n3 4 4\n4 0 4\n5 1 -1\n", "3 3\n1 1 2 3\n2 1 2 4\n3 1 5 2\n",
     NULL, "m.ele:2: the edge from point 1 to 2 is shared with"},
    {"a triangle within another", "6 2\n1 0 0\n2 9 0\n3 0 9\n4 1 1\n5 2 1\n6 1 2\n", "2 3\n1 1 2 3\n2 4 5 6\n", NULL,
     "m.ele:3: overlaps with"},
    {"triangles that cross", "6 2\n1 0 0\n2 9 0\n3 0 9\n4 -1 1\n5 2 1\n6 -1 2\n", "2 3\n1 1 2 3\n2 4 5 6\n", NULL,
     "overlaps with"},
    {"a corner on another's edge", "5 2\n1 0 0\n2 8 0\n3 0 8\n4 4 0\n5 4 -4\n", "2 3\n1 1 2 3\n2 1 5 4\n", NULL,
     "overlaps with"},
    {"a point on another's edge", "6 2\n1 0 0\n2 8 0\n3 0 8\n4 4 0\n5 5 -4\n6 6 -4\n", "2 3\n1 1 2 3\n2 4 5 6\n", NULL,
     "m.node:5: the point is on an edge of"},
    {"segments missing", SQUARE, HALVES, "0 2 0 0\n", "m.poly:2: the number of segments is missing"},
    {"a segment missing", SQUARE, HALVES, "0 2 0 0\n2 0\n1 1 2\n", "m.poly:4: the file ends after 1 of 2 segments"},
    {"a segment that is no edge", SQUARE, HALVES, "0 2 0 0\n1 0\n1 2 4\n0\n",
     "m.poly:3: the segment from point 2 to 4 is no edge of the mesh"},
    {"a segment from a point to itself", SQUARE, HALVES, "0 2 0 0\n1 0\n1 2 2\n0\n",
     "m.poly:3: the segment from point 2"},
    {"a segment without an end", SQUARE, HALVES, "0 2 0 0\n1 0\n1 2 7\n0\n",
     "m.poly:3: a point's id must be from 1 to 4"},
    {"a .poly that breaks off", SQUARE, HALVES, "2 2 0 0\n1 0 0\n", "m.poly:3: the file ends after 1 of 2 points"},
    {"no points anywhere", NULL, HALVES, "0 2 0 0\n0 0\n0\n",
     "m.poly:2: the points are in a .node file, which is missing"},
    {"no .ele", SQUARE, NULL, NULL, "m.ele: no such file"},
    {"no .node", NULL, HALVES, NULL, "m.node: no such file"},
};

static void test_bad(void)
{
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        struct mu_mesh *mesh;
        struct mu_error err;
        make_files(bads[i].node, bads[i].ele, bads[i].poly);
        const int status = load(path_of("m.ele"), &mesh, &err);
        CHECK((status == MU_INPUT || status == MU_IO) && mesh == NULL && strstr(err.message, bads[i].message) != NULL,
              "%s: %s", bads[i].title, err.message);
        mu_mesh_free(mesh);
    }
}

static uint64_t hash_of(const char *path)
{
    struct mu_mesh *mesh;
    struct mu_error err;
    if (load(path, &mesh, &err) != MU_OK) {
        printf("# %s\n", err.message);
        return 0;
    }
    const uint64_t hash = mu_mesh_hash(mesh);
    mu_mesh_free(mesh);
    return hash;
}

static void test_names(void)
{
    make_files(SQUARE, HALVES, "0 2 0 0\n1 0\n1 3 1\n0\n");
    const uint64_t hash = hash_of(path_of("m"));
    CHECK(hash != 0 && hash == hash_of(path_of("m.node")) && hash == hash_of(path_of("m.ele")) &&
              hash == hash_of(path_of("m.poly")),
          "any of the names will do");
    CHECK(mu_mesh_is_named(path_of("m")) && mu_mesh_is_named("x.ele") && mu_mesh_is_named("x.node.gz") &&
              !mu_mesh_is_named("x.gr") && !mu_mesh_is_named("x.gz") && !mu_mesh_is_named(".ele") &&
              !mu_mesh_is_named("x"),
          "a mesh's names are told from others");
    make_file("m", "p sp 1 0\n", 9);
    CHECK(!mu_mesh_is_named(path_of("m")), "a file of that name itself comes first");
    unlink(path_of("m"));
}

static void test_packed(void)
{
    static const char ele[] = HALVES;
    unsigned char packed[1024];
    size_t size = 0;
    make_files(SQUARE, HALVES, NULL);
    const uint64_t hash = hash_of(path_of("m"));
    make_files(NULL, NULL, NULL);
    gzFile stream = gzopen(path_of("m.node.gz"), "wb");
    if (stream == NULL || gzputs(stream, SQUARE) < 0 || gzclose(stream) != Z_OK) abort();
    if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (const unsigned char *)ele, strlen(ele), packed, &size,
                                sizeof packed) != LZMA_OK)
        abort();
    make_file("m.ele.xz", packed, size);
    CHECK(hash != 0 && hash_of(path_of("m")) == hash && hash_of(path_of("m.ele.xz")) == hash &&
              hash_of(path_of("m.node")) == hash,
          "packed files are read in place");
    unlink(path_of("m.node.gz"));
    unlink(path_of("m.ele.xz"));
}

static void test_writing(void)
{
    static const char *const specifications[] = {"mesh:700", "meshgrid:9x7:3"};
    struct mu_mesh *mesh;
    struct mu_error err;
    for (unsigned i = 0; i < 2; i++)
        for (uint32_t first = 0; first < 2; first++) {
            if (load(specifications[i], &mesh, &err) != MU_OK) abort();
            mesh->first_id = first;
            const int status = mu_mesh_write(mesh, path_of(first ? "w.node" : "w"), &err);
            CHECK(status == MU_OK && hash_of(path_of("w.ele")) == mu_mesh_hash(mesh),
                  "%s is read as it was written, ids from %u%s", specifications[i], first, err.message);
            mu_mesh_free(mesh);
        }
    make_files(SQUARE, HALVES, "0 2 0 0\n1 0\n1 3 1\n0\n");
    if (load(path_of("m"), &mesh, &err) != MU_OK) abort();
    CHECK(mu_mesh_write(mesh, path_of("w"), &err) == MU_OK && hash_of(path_of("w")) == mu_mesh_hash(mesh),
          "segments within are kept");
    CHECK(mu_mesh_write(mesh, "/nowhere/at/all", &err) == MU_IO, "%s", err.message);
    mu_mesh_free(mesh);
}

/* Whatever becomes of a file, it is read or refused with a reason; a mesh that is read is right. */
static void test_damage(void)
{
    static const char *const texts[3] = {SQUARE, HALVES, "0 2 0 0\n1 0\n1 3 1\n0\n"};
    static const char swaps[] = "0123456789 -\n.#\xff";
    unsigned wrong = 0, read = 0, tried = 0;
    for (unsigned file = 0; file < 3; file++)
        for (size_t at = 0; at < strlen(texts[file]); at++)
            for (size_t swap = 0; swap <= sizeof swaps; swap++) {
                char changed[3][128];
                struct mu_source source[3];
                struct mu_mesh *mesh = NULL;
                struct mu_error err = {0};
                for (unsigned i = 0; i < 3; i++) snprintf(changed[i], sizeof changed[i], "%s", texts[i]);
                changed[file][at] = (char)(swap == sizeof swaps ? '\0' : swaps[swap]);
                for (unsigned i = 0; i < 3; i++)
                    source[i] = (struct mu_source){
                        .path = "test", .bytes = (unsigned char *)changed[i], .size = strlen(changed[i])};
                const int status = mu_mesh_text_read(&source[0], &source[1], &source[2], &mesh, &err);
                if (status == MU_OK)
                    wrong += mu_mesh_check(mesh, mesh, 0, &err) != MU_OK;
                else
                    wrong += status != MU_INPUT || mesh != NULL || err.message[0] == '\0';
                read += status == MU_OK;
                tried++;
                mu_mesh_free(mesh);
            }
    CHECK(wrong == 0 && read > 0 && read < tried, "of %u changed files %u are read, and %u judged wrongly", tried, read,
          wrong);
}

int main(void)
{
    make_folder();
    test_good();
    test_bad();
    test_names();
    test_packed();
    test_writing();
    test_damage();
    remove_folder();
    return tap_done();
}
