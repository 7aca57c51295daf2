#include "base/files/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RANDOM "XXXXXX"

/* Between the making of a folder and its lock passes less than this. */
enum { SURELY_LOCKED_S = 60, MOST_OPEN = 16 };

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
    (void)about;
    (void)kind;
    (void)walk;
    return remove(path);
}

void mu_scratch_remove_folder(const char *path)
{
    nftw(path, remove_one, MOST_OPEN, FTW_DEPTH | FTW_PHYS);
}

/* Opens a folder and locks it. Children inherit the lock, so that a folder stays as long as one of them uses it.
 * Returns -1 if another process has locked it, or where folders cannot be locked. */
static int lock_folder(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (folder < 0 || flock(folder, LOCK_EX | LOCK_NB) == 0) return folder;
    close(folder);
    return -1;
}

static bool is_old(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
           about.st_mtime < time(NULL) - SURELY_LOCKED_S;
}

/* Removes the folders of processes that have ended without doing so. */
static void remove_stale(const char *parent, const char *beginning)
{
    const size_t length = strlen(beginning);
    DIR *entries = opendir(parent);
    if (entries == NULL) return;
    for (const struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        char path[PATH_MAX];
        if (strncmp(entry->d_name, beginning, length) != 0 || strlen(entry->d_name) != length + strlen(RANDOM))
            continue;
        const int written = snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
        if (written < 0 || (size_t)written >= sizeof path || !is_old(path)) continue;
        const int lock = lock_folder(path);
        if (lock < 0) continue;
        mu_scratch_remove_folder(path);
        close(lock);
    }
    closedir(entries);
}

int mu_scratch_make(const char *parent, const char *beginning, struct mu_scratch *scratch, struct mu_error *err)
{
    scratch->lock = -1;
    if (parent == NULL) parent = getenv("TMPDIR");
    if (parent == NULL || parent[0] == '\0') parent = "/tmp";
    const int length = snprintf(scratch->path, sizeof scratch->path, "%s/%s" RANDOM, parent, beginning);
    if (length < 0 || (size_t)length >= sizeof scratch->path)
        return mu_fail(err, MU_LIMIT, "%s: the path is too long", parent);
    remove_stale(parent, beginning);
    if (mkdtemp(scratch->path) == NULL)
        return mu_fail(err, MU_IO, "%s: cannot make the folder: %s", scratch->path, strerror(errno));
    scratch->lock = lock_folder(scratch->path);
    return MU_OK;
}

void mu_scratch_remove(struct mu_scratch *scratch)
{
    mu_scratch_remove_folder(scratch->path);
    if (scratch->lock >= 0) close(scratch->lock);
    scratch->lock = -1;
}
