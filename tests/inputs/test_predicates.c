/* inputs/mesh/predicates.clh: every sign is that of the determinant in rational arithmetic, for points at random,
 * points nearly on one line or circle, and points that are; and PoCL computes the same signs as the host. */
#include "inputs/mesh/predicates.h"
#include "inputs/rng.h"
#include "tests/on_device.h"
#include "tests/tap.h"

#include <math.h>

#ifdef HAVE_GMP
#include <gmp.h>
#endif

enum { CASES = 20000, KINDS = 8, ALL = CASES * KINDS, POINTS = 4 };

struct test_case {
    mu_point point[POINTS];
};

#ifdef HAVE_GMP
static const char *const kinds[KINDS] = {
    "random",
    "random, far apart in magnitude",
    "on a small grid",
    "on a circle, rounded",
    "on a line, rounded",
    "on a moved grid, nudged",
    "points that repeat",
    "at the ends of the range",
};
#endif

static uint64_t stream, counter;

static uint64_t draw(void)
{
    return mu_random(stream, counter++);
}

/* From -1 to 1. */
static double draw_unit(void)
{
    return (double)(int64_t)(draw() >> 11) * 0x1p-52 - 1;
}

static double draw_wide(int exponents)
{
    return ldexp(draw_unit() + (draw() % 2 ? 2 : -2), (int)(draw() % (unsigned)(2 * exponents)) - exponents);
}

static double draw_grid(int size)
{
    return (double)(draw() % (unsigned)size);
}

/* Up to two steps to a neighbouring double. */
static double nudge(double x)
{
    for (uint64_t steps = draw() % 3; steps > 0; steps--) x = nextafter(x, draw() % 2 ? INFINITY : -INFINITY);
    return x;
}

static mu_point draw_point(unsigned kind, const double shape[4])
{
    const double along = draw_unit(), turn = 4 * draw_unit();
    switch (kind) {
    case 0:
        return (mu_point){draw_unit(), draw_unit()};
    case 1:
        return (mu_point){draw_wide(40), draw_wide(40)};
    case 2:
        return (mu_point){draw_grid(5), draw_grid(5)};
    case 3:
        return (mu_point){shape[0] + shape[2] * cos(turn), shape[1] + shape[2] * sin(turn)};
    case 4:
        return (mu_point){shape[0] + along * shape[2], shape[1] + along * shape[3]};
    case 5:
        return (mu_point){nudge(shape[0] + draw_grid(3) * 0.125), nudge(shape[1] + draw_grid(3) * 0.125)};
    case 6:
        return draw() % 2 ? (mu_point){shape[0], shape[1]} : (mu_point){shape[2], draw_unit()};
    default:
        return (mu_point){ldexp(draw_grid(3) - 1, draw() % 2 ? 140 : -140), ldexp(draw_grid(3) - 1, 140)};
    }
}

static struct test_case *make_cases(void)
{
    struct test_case *cases = calloc(ALL, sizeof *cases);
    if (cases == NULL) abort();
    stream = mu_random_stream(4, 99);
    for (unsigned i = 0; i < ALL; i++) {
        const double shape[4] = {draw_unit() * 100, draw_unit(), draw_unit(), draw_unit()};
        for (unsigned point = 0; point < POINTS; point++) cases[i].point[point] = draw_point(i / CASES, shape);
    }
    return cases;
}

static int orient(const struct test_case *test)
{
    return mu_orient(test->point[0], test->point[1], test->point[2]);
}

static int in_circle(const struct test_case *test)
{
    return mu_in_circle(test->point[0], test->point[1], test->point[2], test->point[3]);
}

static int is_bad(const struct test_case *test)
{
    return mu_is_bad(test->point[0], test->point[1], test->point[2], 0, 0.75);
}

#ifdef HAVE_GMP
/* Rows of differences from the last point, in rational numbers. */
struct rows {
    mpq_t x[POINTS], y[POINTS], square[POINTS];
};

static void set_rows(struct rows *rows, const struct test_case *test, unsigned last)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    for (unsigned i = 0; i < last; i++) {
        mpq_set_d(rows->x[i], test->point[i].x);
        mpq_set_d(rows->y[i], test->point[i].y);
        mpq_set_d(x, test->point[last].x);
        mpq_set_d(y, test->point[last].y);
        mpq_sub(rows->x[i], rows->x[i], x);
        mpq_sub(rows->y[i], rows->y[i], y);
        mpq_mul(x, rows->x[i], rows->x[i]);
        mpq_mul(y, rows->y[i], rows->y[i]);
        mpq_add(rows->square[i], x, y);
    }
    mpq_clears(x, y, NULL);
}

static void cross(mpq_t result, const struct rows *rows, unsigned i, unsigned j)
{
    mpq_t product;
    mpq_init(product);
    mpq_mul(result, rows->x[i], rows->y[j]);
    mpq_mul(product, rows->x[j], rows->y[i]);
    mpq_sub(result, result, product);
    mpq_clear(product);
}

static int rational_orient(struct rows *rows, const struct test_case *test)
{
    mpq_t area;
    mpq_init(area);
    set_rows(rows, test, 2);
    cross(area, rows, 0, 1);
    const int sign = mpq_sgn(area);
    mpq_clear(area);
    return sign;
}

static int rational_in_circle(struct rows *rows, const struct test_case *test)
{
    mpq_t sum, minor;
    mpq_inits(sum, minor, NULL);
    set_rows(rows, test, 3);
    for (unsigned i = 0; i < 3; i++) {
        cross(minor, rows, (i + 1) % 3, (i + 2) % 3);
        mpq_mul(minor, minor, rows->square[i]);
        mpq_add(sum, sum, minor);
    }
    const int sign = mpq_sgn(sum);
    mpq_clears(sum, minor, NULL);
    return sign;
}

static void test_host(const struct test_case *cases)
{
    struct rows rows;
    for (unsigned i = 0; i < POINTS; i++) mpq_inits(rows.x[i], rows.y[i], rows.square[i], NULL);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        unsigned wrong[2] = {0}, ties[2] = {0};
        for (const struct test_case *test = cases + (size_t)kind * CASES; test < cases + (size_t)(kind + 1) * CASES;
             test++) {
            const int line = rational_orient(&rows, test), circle = rational_in_circle(&rows, test);
            wrong[0] += orient(test) != line;
            wrong[1] += in_circle(test) != circle;
            ties[0] += line == 0;
            ties[1] += circle == 0;
        }
        CHECK(wrong[0] == 0, "orientation of %d points %s: %u on a line, %u wrong", CASES, kinds[kind], ties[0],
              wrong[0]);
        CHECK(wrong[1] == 0, "in circle, %d points %s: %u on the circle, %u wrong", CASES, kinds[kind], ties[1],
              wrong[1]);
    }
    for (unsigned i = 0; i < POINTS; i++) mpq_clears(rows.x[i], rows.y[i], rows.square[i], NULL);
}
#else
static void test_host(const struct test_case *cases)
{
    (void)cases;
    tap_skip("signs against rational arithmetic", "there is no GMP (Debian package libgmp-dev)");
}
#endif

/* What must hold without an oracle: turning and mirroring. */
static void test_symmetry(const struct test_case *cases)
{
    unsigned wrong = 0, rotated = 0;
    for (const struct test_case *test = cases; test < cases + ALL; test++) {
        const mu_point *p = test->point;
        wrong += orient(test) != mu_orient(p[1], p[2], p[0]) || orient(test) != -mu_orient(p[1], p[0], p[2]);
        wrong += in_circle(test) != mu_in_circle(p[1], p[2], p[0], p[3]);
        wrong += in_circle(test) != -mu_in_circle(p[0], p[1], p[3], p[2]);
        rotated += is_bad(test) != mu_is_bad(p[1], p[2], p[0], 0, 0.75);
        rotated += is_bad(test) != mu_is_bad(p[0], p[2], p[1], 0, 0.75);
    }
    CHECK(wrong == 0, "signs follow when points change places: %u do not", wrong);
    CHECK(rotated == 0, "whether a triangle is bad does not depend on its corners' order: %u do", rotated);
}

static void test_bad(void)
{
    const double square = cos(acos(-1) / 6) * cos(acos(-1) / 6);
    const mu_point a = {0, 0}, b = {1, 0}, even = {0.5, 0.866}, flat = {0.5, 0.25}, sharp = {1, 0.5}, blunt = {1, 0.6};
    CHECK(!mu_is_bad(a, b, even, 0, square), "60 degrees are not below 30");
    CHECK(mu_is_bad(a, b, flat, 0, square), "two angles of 26.6 degrees are");
    CHECK(mu_is_bad(a, b, sharp, 0, square) && !mu_is_bad(a, b, blunt, 0, square), "26.6 degrees are, 31.0 are not");
    CHECK(!mu_is_bad(a, b, sharp, 6, square), "but not where both sides are segments");
    CHECK(mu_is_bad(a, b, sharp, 3, square) && mu_is_bad(a, b, sharp, 5, square), "whatever the third side is");
    CHECK(!mu_is_bad(b, sharp, a, 3, square) && !mu_is_bad(sharp, a, b, 5, square), "at each of the corners");
    CHECK(MU_COORDINATE_MIN == 0x1p-140 && MU_COORDINATE_MAX == 0x1p140 && MU_ROUNDING == 0x1p-53,
          "constants are powers of two");
}

/* ---- The device ---- */

static const char kernel_text[] =
    "kernel void signs(const global double2 *point, global int *sign)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    const double2 a = point[4 * i], b = point[4 * i + 1], c = point[4 * i + 2], d = point[4 * i + 3];\n"
    "    sign[3 * i] = mu_orient(a, b, c);\n"
    "    sign[3 * i + 1] = mu_in_circle(a, b, c, d);\n"
    "    sign[3 * i + 2] = mu_is_bad(a, b, c, 0, 0.75);\n"
    "}\n";

static cl_program build_kernel(const struct on_device *device, struct mu_error *err)
{
    const struct mu_build build = {.c_standard = device->info.c_standard, .workgroup = 64, .has_double = true};
    struct mu_sources sources = {0};
    struct mu_built built = {0};
    if (mu_sources_set_options(&sources, &build, err) == MU_OK &&
        mu_sources_add(&sources, "inputs/mesh/predicates.clh", NULL, err) == MU_OK) {
        sources.text[sources.count] = kernel_text;
        sources.length[sources.count] = sizeof kernel_text - 1;
        sources.count++;
        mu_program_build(&device->target, &device->info, &sources, true, &built, err);
    }
    mu_sources_free(&sources);
    return built.program;
}

static cl_int run_kernel(const struct mu_target *target, cl_program program, struct test_case *cases, cl_int *sign)
{
    const size_t items = ALL, sign_bytes = items * 3 * sizeof *sign;
    cl_int failure;
    cl_kernel kernel = clCreateKernel(program, "signs", &failure);
    if (failure != CL_SUCCESS) return failure;
    cl_mem in = clCreateBuffer(target->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, items * sizeof *cases, cases,
                               &failure);
    cl_mem out = clCreateBuffer(target->context, CL_MEM_WRITE_ONLY, sign_bytes, NULL, &failure);
    failure = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (failure == CL_SUCCESS) failure = clSetKernelArg(kernel, 1, sizeof out, &out);
    if (failure == CL_SUCCESS)
        failure = clEnqueueNDRangeKernel(target->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    if (failure == CL_SUCCESS)
        failure = clEnqueueReadBuffer(target->queue, out, CL_TRUE, 0, sign_bytes, sign, 0, NULL, NULL);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    return failure;
}

#if defined __i386__
#define PLAIN_I386 true
#else
#define PLAIN_I386 false
#endif

static void test_device(struct test_case *cases)
{
    static const char title[] = "the device computes the host's signs";
    struct on_device device;
    struct mu_error err = {0};
    if (!open_pocl(&device)) {
        tap_skip(title, "there is no PoCL (Debian package pocl-opencl-icd)");
        return;
    }
    if (PLAIN_I386) {
        tap_skip(title, "PoCL computes doubles on the x87 here, which has more bits");
        return;
    }
    if (!device.info.has_double) {
        tap_skip(title, "the device has no double precision");
        return;
    }
    cl_program program = build_kernel(&device, &err);
    cl_int *sign = calloc(3 * (size_t)ALL, sizeof *sign);
    CHECK(program != NULL && sign != NULL, "the predicates compile: %s", err.message);
    if (program == NULL || sign == NULL) {
        free(sign);
        return;
    }
    CHECK(run_kernel(&device.target, program, cases, sign) == CL_SUCCESS, "and run");
    unsigned wrong[3] = {0};
    for (size_t i = 0; i < ALL; i++) {
        wrong[0] += sign[3 * i] != orient(&cases[i]);
        wrong[1] += sign[3 * i + 1] != in_circle(&cases[i]);
        wrong[2] += sign[3 * i + 2] != is_bad(&cases[i]);
    }
    CHECK(wrong[0] == 0 && wrong[1] == 0 && wrong[2] == 0, "%s: of %d, %u, %u and %u differ", title, ALL, wrong[0],
          wrong[1], wrong[2]);
    free(sign);
    clReleaseProgram(program);
    mu_device_close(&device.target);
}

int main(void)
{
    struct test_case *cases = make_cases();
    test_host(cases);
    test_symmetry(cases);
    test_bad();
    test_device(cases);
    free(cases);
    return tap_done();
}
