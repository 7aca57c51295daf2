#include "base/files/cache_folder.h"

#include "base/memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct entry {
    char *name;
    struct timespec used;
    uint64_t bytes;
};

struct list {
    struct entry *entry;
    size_t count, room;
    uint64_t bytes;
};

/* Adds a file of the kind, whole or unfinished. Skips anything else, and files for which memory runs out; these stay on
 * the disk. */
static void add(struct list *list, int folder, const char *name)
{
    struct stat status;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode)) return;
    if (list->count == list->room) {
        const size_t room = list->room != 0 ? 2 * list->room : 16;
        if (mu_resize((void **)&list->entry, room, sizeof *list->entry, "a list of the cache", NULL) != MU_OK) return;
        list->room = room;
    }
    char *copy = mu_strdup(name, NULL);
    if (copy == NULL) return;
    list->entry[list->count++] = (struct entry){copy, status.st_mtim, (uint64_t)status.st_size};
    list->bytes += (uint64_t)status.st_size;
}

static void list_kind(struct list *list, int folder, const char *kind)
{
    const size_t length = strlen(kind);
    const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *files = again >= 0 ? fdopendir(again) : NULL;
    if (files == NULL && again >= 0) close(again);
    if (files == NULL) return;
    for (const struct dirent *file = readdir(files); file != NULL; file = readdir(files))
        if (strncmp(file->d_name, kind, length) == 0 && file->d_name[length] == '-') add(list, folder, file->d_name);
    closedir(files);
}

static int by_use(const void *a, const void *b)
{
    const struct timespec x = ((const struct entry *)a)->used, y = ((const struct entry *)b)->used;
    if (x.tv_sec != y.tv_sec) return x.tv_sec < y.tv_sec ? -1 : 1;
    return (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

bool mu_cache_trim(const char *kind, uint64_t bytes, uint64_t wanted)
{
    struct list list = {0};
    struct statvfs disk;
    const int folder = mu_cache_folder();
    if (folder < 0) return false;
    list_kind(&list, folder, kind);
    if (list.count > 1) qsort(list.entry, list.count, sizeof *list.entry, by_use);
    for (size_t i = 0; i < list.count && list.bytes > bytes; i++)
        if (unlinkat(folder, list.entry[i].name, 0) == 0) list.bytes -= list.entry[i].bytes;
    for (size_t i = 0; i < list.count; i++) mu_free(list.entry[i].name);
    mu_free(list.entry);
    const bool known = fstatvfs(folder, &disk) == 0;
    close(folder);
    return known && disk.f_frsize != 0 && wanted / disk.f_frsize <= disk.f_bavail / 2;
}
