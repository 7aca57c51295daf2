/* base/files/scratch: a temporary folder, and what becomes of those that killed processes have left. */
#include "base/files/scratch.h"

#include "tests/tap.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/muster-scratch-XXXXXX";

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Puts a file into the folder, which then looks an hour old. */
static void fill(const struct mu_scratch *scratch)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = time(NULL) - 3600}};
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/file", scratch->path);
    const int file = open(path, O_CREAT | O_WRONLY, 0600);
    CHECK(file >= 0 && close(file) == 0 && utimensat(AT_FDCWD, scratch->path, times, 0) == 0, "a file in the folder");
}

/* Makes a folder in a process that is killed. */
static void leave(struct mu_scratch *left)
{
    int ends[2];
    CHECK(pipe(ends) == 0, "a pipe");
    const pid_t child = fork();
    if (child == 0) {
        struct mu_error err = {0};
        if (mu_scratch_make(folder, "a-", left, &err) == MU_OK &&
            write(ends[1], left->path, sizeof left->path) == (ssize_t)sizeof left->path)
            raise(SIGKILL);
        _exit(1);
    }
    CHECK(child > 0 && read(ends[0], left->path, sizeof left->path) == (ssize_t)sizeof left->path &&
              waitpid(child, NULL, 0) == child && is_there(left->path),
          "a killed process leaves its folder");
    close(ends[0]);
    close(ends[1]);
}

static void test_stale(void)
{
    struct mu_error err = {0};
    struct mu_scratch young, left, used, other, last;
    leave(&young);
    leave(&left);
    fill(&left);
    CHECK(mu_scratch_make(folder, "a-", &used, &err) == MU_OK && !is_there(left.path), "which the next one removes");
    CHECK(is_there(young.path), "… unless it is young: it may not be locked yet");
    CHECK(mu_scratch_make(folder, "b-", &other, &err) == MU_OK, "a folder of another kind");
    fill(&used);
    CHECK(mu_scratch_make(folder, "a-", &last, &err) == MU_OK && is_there(used.path), "one in use stays");
    mu_scratch_remove(&used);
    mu_scratch_remove(&other);
    mu_scratch_remove(&last);
    CHECK(!is_there(used.path) && !is_there(other.path) && !is_there(last.path), "each is removed with its content");
    mu_scratch_remove_folder(young.path);
}

static void test_failures(void)
{
    struct mu_error none = {0}, absent = {0};
    char path[PATH_MAX], outside[sizeof folder + 16], link[sizeof folder + 16];
    struct mu_scratch scratch;
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    CHECK(mu_scratch_make(path, "a-", &scratch, &none) == MU_LIMIT, "too long a path: %.40s", none.message);
    CHECK(mu_scratch_make("/nowhere", "a-", &scratch, &absent) == MU_IO, "no such folder: %s", absent.message);
    snprintf(outside, sizeof outside, "%s/o", folder);
    snprintf(link, sizeof link, "%s/a-link66", folder);
    CHECK(mkdir(outside, 0700) == 0 && symlink("o", link) == 0, "a link to a folder");
    CHECK(mu_scratch_make(folder, "a-", &scratch, &none) == MU_OK && is_there(link) && is_there(outside),
          "a link is left alone");
    mu_scratch_remove(&scratch);
    unlink(link);
    rmdir(outside);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) return 99;
    test_stale();
    test_failures();
    CHECK(rmdir(folder) == 0, "nothing else is left");
    return tap_done();
}
