#include "base/user/data_folder.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *mu_own_path(void)
{
    static char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return NULL;
    path[length] = '\0';
    return path;
}

/* Returns true if a folder holds the script that makes pages, by which the data folder is recognised. */
static bool is_data_folder(const char *folder)
{
    char file[PATH_MAX + 64];
    snprintf(file, sizeof file, "%s/analysis/plots/report.py", folder);
    return access(file, R_OK) == 0;
}

const char *mu_data_folder(void)
{
    static char folder[PATH_MAX];
    const char *given = getenv("MUSTER_DATA"), *own = mu_own_path();
    const char *slash = own != NULL ? strrchr(own, '/') : NULL;
    const int length = slash != NULL ? (int)(slash - own) : 0;
    const struct {
        int length;
        const char *start, *end;
    } places[] = {{given != NULL ? (int)strlen(given) : 0, given != NULL ? given : "", ""},
                  {length, own != NULL ? own : "", "/../share/muster"},
                  {length, own != NULL ? own : "", ""},
                  {(int)strlen(MU_DATA_FOLDER), MU_DATA_FOLDER, ""}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char path[PATH_MAX + 32];
        if (places[i].length == 0) continue;
        snprintf(path, sizeof path, "%.*s%s", places[i].length, places[i].start, places[i].end);
        if (is_data_folder(path) && realpath(path, folder) != NULL) return folder;
    }
    return NULL;
}
