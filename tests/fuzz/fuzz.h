/* Fuzz targets: functions that are given any bytes and must come to an end in good order. What the readers promise of a
 * success, they check too.
 *
 * The same objects make two programs. tests/fuzz/test_fuzz_corpus runs each target over its corpus,
 * tests/fuzz/corpus/<name>, in `make check`. Linked with libFuzzer (`make fuzz`), LLVMFuzzerTestOneInput runs the
 * target that the environment's FUZZ_TARGET names.
 *
 * To add a target: write tests/fuzz/<name>.c with functions of this type, declare them and give them a row in fuzz.c,
 * and put a few small inputs into the corpus. */
#ifndef MU_TESTS_FUZZ_H
#define MU_TESTS_FUZZ_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef void fuzz_run(const uint8_t *data, size_t size);

struct fuzz_target {
    const char *name;
    fuzz_run *run;
};

/* Ends in a row without a name. */
extern const struct fuzz_target fuzz_targets[];

/* NULL if there is none. */
const struct fuzz_target *fuzz_find(const char *name);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold: prints the words, and aborts if it does not. */
void fuzz_require(int holds, const char *words);

/* The same of a failed call: its status is not MU_OK and that of the error, whose message says something. Returns
 * whether the call succeeded. */
int fuzz_succeeded(int status, const struct mu_error *err);

/* The path of a file in memory that holds these bytes; NULL where that cannot be had. The file is the same for all
 * calls, so that no run costs a file of its own on a disk. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* The path of a file of that name in a folder of this process, in memory where the system has a place for that: for
 * what makes files of its own beside it. NULL where there is none. The folder goes when the process ends well. */
const char *fuzz_place(const char *name);

#endif
