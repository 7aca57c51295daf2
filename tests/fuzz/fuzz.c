#include "tests/fuzz/fuzz.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

fuzz_run fuzz_adj, fuzz_col, fuzz_dimacs, fuzz_ecl, fuzz_galois, fuzz_galois2, fuzz_graph, fuzz_konect, fuzz_metis,
    fuzz_mtx, fuzz_pace, fuzz_sg, fuzz_snap, fuzz_wel, fuzz_wsg;
fuzz_run fuzz_costs, fuzz_job, fuzz_merge, fuzz_mesh, fuzz_packed, fuzz_profile, fuzz_records, fuzz_scan, fuzz_store,
    fuzz_tables;

const struct fuzz_target fuzz_targets[] = {
    {"adj", fuzz_adj},         {"col", fuzz_col},
    {"graph", fuzz_graph},     {"konect", fuzz_konect},
    {"wel", fuzz_wel},         {"costs", fuzz_costs},
    {"dimacs", fuzz_dimacs},   {"ecl", fuzz_ecl},
    {"galois", fuzz_galois},   {"galois2", fuzz_galois2},
    {"job", fuzz_job},         {"merge", fuzz_merge},
    {"mesh", fuzz_mesh},       {"metis", fuzz_metis},
    {"mtx", fuzz_mtx},         {"pace", fuzz_pace},
    {"packed", fuzz_packed},   {"profile", fuzz_profile},
    {"records", fuzz_records}, {"scan", fuzz_scan},
    {"sg", fuzz_sg},           {"snap", fuzz_snap},
    {"store", fuzz_store},     {"tables", fuzz_tables},
    {"wsg", fuzz_wsg},         {NULL, NULL},
};

const struct fuzz_target *fuzz_find(const char *name)
{
    for (const struct fuzz_target *target = fuzz_targets; target->name != NULL; target++)
        if (strcmp(target->name, name) == 0) return target;
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct fuzz_target *target;
    if (target == NULL) {
        const char *const name = getenv("FUZZ_TARGET");
        target = name != NULL ? fuzz_find(name) : NULL;
        fuzz_require(target != NULL, "FUZZ_TARGET names a target");
    }
    target->run(data, size);
    return 0;
}

void fuzz_require(int holds, const char *words)
{
    if (holds) return;
    fprintf(stderr, "does not hold: %s\n", words);
    abort();
}

int fuzz_succeeded(int status, const struct mu_error *err)
{
    fuzz_require(status == (int)err->status, "the status is the error's");
    fuzz_require((status == MU_OK) == (err->message[0] == '\0'), "a failure has a message, and only a failure");
    return status == MU_OK;
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size) return NULL;
    return path;
}

static char folder[64];

static void remove_folder(void)
{
    rmdir(folder);
}

const char *fuzz_place(const char *name)
{
    static char path[PATH_MAX];
    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "%s/muster-fuzz-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        if (mkdtemp(folder) == NULL || atexit(remove_folder) != 0) return NULL;
    }
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path ? path : NULL;
}
