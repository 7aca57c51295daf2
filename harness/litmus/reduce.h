/* Reduced litmus tests for the authors of a driver: a folder with a kernel, a host program and sizes, which needs
 * nothing of muster. */
#ifndef MU_HARNESS_LITMUS_REDUCE_H
#define MU_HARNESS_LITMUS_REDUCE_H

#include "harness/litmus/litmus.h"

struct mu_litmus_asked {
    const char *folder;                /* to write into, made where it is missing */
    const char *test, *atomics, *form; /* NULL: not asked for */
};

/* A litmus test in the place where its outcome was most frequent. */
struct mu_litmus_case {
    const struct mu_litmus_shape *shape;
    enum mu_atomics atomics;
    enum mu_litmus_form form;
    uint32_t place; /* bits, as in shapes.clh */
    struct mu_litmus_stress stress;
    double instances, per_million; /* instances 0: not measured */
};

/* Writes a folder FOLDER/TEST-PATH-FORM for each test of the device, and prints its path to `to`. By default these are
 * the tests whose outcome is forbidden and was seen, by the chip's litmus.jsonl. A test that is asked for is written in
 * any case, by default through the device's own path and in the ordered form. Existing folders are not overwritten.
 * MU_USAGE: an unknown name, or nothing measured and nothing asked for; MU_UNSUPPORTED: a path that the device lacks;
 * MU_IO, MU_INPUT, MU_NO_MEMORY. */
int mu_litmus_reduce(const struct mu_device_info *info, const struct mu_litmus_asked *asked, FILE *to,
                     struct mu_error *err);

/* Writes test.cl, test.h, test.c and README of one case into a new folder. */
int mu_litmus_write_case(const struct mu_device_info *info, const struct mu_litmus_case *of, const char *folder,
                         struct mu_error *err);

#endif
