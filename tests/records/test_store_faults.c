/* records/store: what was appended is there, whatever happened to the writer, the disk or the memory. */
#include "records/store.h"

#include "base/memory.h"
#include "tests/records/store_file.h"
#include "tests/tap.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* The limit on a file's size stands in for the full disk. */
static void test_full_disk(void)
{
    struct rlimit before, small;
    struct mu_error err = {0};
    struct mu_store store;
    make_file(3);
    const size_t bytes = file_size(path);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = bytes + 10;
    bool opened = mu_store_open(path, &store, &err) == MU_OK;
    setrlimit(RLIMIT_FSIZE, &small);
    const int status = opened ? append(&store, 3, &err) : MU_OK;
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(status == MU_IO && strstr(err.message, "File too large") != NULL, "a full disk is an error: %s", err.message);
    CHECK(strstr(err.message, "the 3 records before it are safe") != NULL, "which says what is safe");
    CHECK(file_size(path) == bytes, "no part of the record is left");
    err = (struct mu_error){0};
    CHECK(opened && append(&store, 3, &err) == MU_OK, "when there is room again, it can be appended");
    mu_store_close(&store);
    CHECK(holds_runs(4), "and everything is there");

    /* No room for the bytes that a repair sets aside. */
    char *text = read_file(path);
    write_file(text, strlen(text) - 5);
    const size_t cut = file_size(path);
    free(text);
    unlink(cut_path);
    err = (struct mu_error){0};
    small.rlim_cur = 3;
    setrlimit(RLIMIT_FSIZE, &small);
    const int repaired = mu_store_open(path, &store, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(repaired == MU_IO && file_size(path) == cut, "a repair that cannot keep what it cuts leaves the file: %s",
          err.message);
}

/* A writer that is killed at some moment; what it told us it had appended must be there. */
static void test_kills(void)
{
    bool whole = true;
    unsigned least = 0;
    make_file(0);
    for (unsigned round = 0; round < 20; round++) {
        int told[2];
        if (pipe(told) != 0) return;
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            struct mu_error err = {0};
            struct mu_store store;
            close(told[0]);
            if (mu_store_open(path, &store, &err) != MU_OK) _exit(1);
            for (unsigned i = (unsigned)mu_store_count(&store); append(&store, i, &err) == MU_OK; i++)
                if (write(told[1], "x", 1) != 1) _exit(1);
            _exit(1);
        }
        close(told[1]);
        char byte;
        unsigned appended = 0;
        while (appended <= round && read(told[0], &byte, 1) == 1) appended++;
        usleep(137 * round);
        kill(child, SIGKILL);
        while (read(told[0], &byte, 1) == 1) appended++;
        close(told[0]);
        waitpid(child, NULL, 0);
        least += appended;
        struct mu_error err = {0};
        struct mu_store store;
        whole = whole && mu_store_open(path, &store, &err) == MU_OK && mu_store_count(&store) >= least;
        if (!whole) break;
        least = (unsigned)mu_store_count(&store);
        mu_store_close(&store);
        whole = holds_runs(least);
    }
    CHECK(whole && least > 20, "20 writers were killed, and no record is lost or there twice (%u records)", least);
}

/* Every allocation fails once: an error, no leak (the sanitizer looks), and the file is as it was. */
static void test_memory(void)
{
    bool right = true;
    unsigned long n = 1;
    make_file(3);
    char *text = read_file(path);
    write_file(text, strlen(text) - 5);
    for (;; n++) {
        struct mu_error err = {0};
        struct mu_store store;
        write_file(text, strlen(text) - 5);
        mu_fail_allocation(n);
        const int status = mu_store_open(path, &store, &err);
        mu_fail_allocation(0);
        if (status == MU_OK) {
            mu_store_close(&store);
            break;
        }
        right = right && status == MU_NO_MEMORY && file_size(path) == strlen(text) - 5;
        if (n > 100) break;
    }
    CHECK(right && n > 1 && n <= 100, "each of %lu allocations may fail", n - 1);
    free(text);
}

static unsigned long json_allocations_left; /* 0: all succeed */

static void *json_allocate(size_t bytes)
{
    if (json_allocations_left == 1) return NULL;
    if (json_allocations_left != 0) json_allocations_left--;
    return malloc(bytes);
}

/* The same for the allocations of the JSON library, which says so of some by an empty reason, and takes others for a
 * wrong token. */
static void test_json_memory(void)
{
    bool right = true;
    unsigned long n = 1, named = 0;
    make_file(3);
    json_set_alloc_funcs(json_allocate, free);
    for (; n <= 1000; n++) {
        struct mu_error err = {0};
        struct mu_store store;
        json_allocations_left = n;
        const int status = mu_store_open(path, &store, &err);
        json_allocations_left = 0;
        if (status == MU_OK) {
            mu_store_close(&store);
            break;
        }
        const char *reason = strrchr(err.message, ':');
        right = right && reason != NULL && strlen(reason) > 2;
        named += status == MU_NO_MEMORY;
    }
    json_set_alloc_funcs(malloc, free);
    CHECK(right && n > 10 && n <= 1000, "each of %lu allocations of the JSON library may fail", n - 1);
    CHECK(named > n / 2, "most of them are named: %lu", named);
}

int main(void)
{
    if (!make_folder()) return 99;
    test_full_disk();
    test_kills();
    test_memory();
    test_json_memory();
    remove_folder();
    return tap_done();
}
