#include "base/files/spill.h"

#include "base/files/cache_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_TRIED = 16, LOWEST = 3 };

/* Opens a file without a name. Where the system has no such files, it makes one and removes its name at once. */
static int open_nameless(int folder)
{
    int opened = -1;
#ifdef O_TMPFILE
    opened = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    for (unsigned i = 0; opened < 0 && i < NAMES_TRIED; i++) {
        char name[64];
        snprintf(name, sizeof name, ".muster-unpacked-%ld-%u", (long)getpid(), i);
        opened = openat(folder, name, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, 0600);
        if (opened >= 0) unlinkat(folder, name, 0);
        if (opened < 0 && errno != EEXIST) break;
    }
    return opened;
}

/* Opens the spill in a folder, whose descriptor it closes. */
static bool open_in(int folder, struct mu_spill *spill)
{
    const int opened = folder >= 0 ? open_nameless(folder) : -1;
    const int above = opened >= 0 ? fcntl(opened, F_DUPFD_CLOEXEC, LOWEST) : -1;
    if (folder >= 0) close(folder);
    if (opened >= 0) close(opened);
    if (above >= 0) *spill = (struct mu_spill){.descriptor = above};
    return above >= 0;
}

static int open_folder(const char *path)
{
    return path != NULL && path[0] != '\0' ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

bool mu_spill_open(struct mu_spill *spill)
{
    return open_in(open_folder(getenv("TMPDIR")), spill) || open_in(mu_cache_folder(), spill) ||
           open_in(open_folder("/var/tmp"), spill) || open_in(open_folder("/tmp"), spill);
}

int mu_spill_write(struct mu_spill *spill, const void *bytes, size_t count, const char *path, struct mu_error *err)
{
    const char *at = bytes;
    while (count > 0) {
        const ssize_t done = write(spill->descriptor, at, count);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0)
            return mu_fail(err, MU_IO,
                           "%s: what is unpacked cannot be written to a temporary file after %llu bytes: %s (TMPDIR "
                           "names another folder)",
                           path, (unsigned long long)spill->bytes, done < 0 ? strerror(errno) : "nothing was taken");
        at += done;
        count -= (size_t)done;
        spill->bytes += (uint64_t)done;
    }
    return MU_OK;
}
