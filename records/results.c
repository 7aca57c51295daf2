#include "records/results.h"

#include "base/memory.h"
#include "base/plain.h"
#include "base/user/data_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *mu_results_root(void)
{
    const char *root = getenv("MUSTER_RESULTS");
    return root != NULL && root[0] != '\0' ? root : "results";
}

/* Whether a set, maybe with a label behind an @, can only be a chip: no path, and nothing of this name is here. */
static bool is_chip(const char *set)
{
    struct stat about;
    char name[PATH_MAX];
    const char *at = strrchr(set, '@');
    const int length = at != NULL ? (int)(at - set) : (int)strlen(set);
    if (strchr(set, '/') != NULL || stat(set, &about) == 0) return false;
    return snprintf(name, sizeof name, "%.*s", length, set) < PATH_MAX && stat(name, &about) != 0;
}

/* Whether any of the sets is looked for under the root; without sets the root itself is read. */
static bool reads_root(const char *const *sets, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_chip(sets[i])) return true;
    return count == 0;
}

const char *mu_results_reading_root(const char *const *sets, size_t count, FILE *notes)
{
    static char published[PATH_MAX];
    const char *root = getenv("MUSTER_RESULTS"), *data = mu_data_folder();
    struct stat about;
    if ((root != NULL && root[0] != '\0') || stat(mu_results_root(), &about) == 0 || data == NULL)
        return mu_results_root();
    const int length = snprintf(published, sizeof published, "%s/results", data);
    if (length < 0 || (size_t)length >= sizeof published || stat(published, &about) != 0) return mu_results_root();
    if (reads_root(sets, count))
        mu_note(notes, "there is no folder 'results' here: these are the published results, from %s", published);
    return published;
}

int mu_results_path(const char *chip, const char *file, char *path, size_t bytes, struct mu_error *err)
{
    const int length = file == NULL ? snprintf(path, bytes, "%s/%s", mu_results_root(), chip)
                                    : snprintf(path, bytes, "%s/%s/%s", mu_results_root(), chip, file);
    if (length < 0 || (size_t)length >= bytes)
        return mu_fail(err, MU_LIMIT, "%s/%s/%s: the path is too long", mu_results_root(), chip,
                       file != NULL ? file : "");
    return MU_OK;
}

int mu_results_records_path(const char *chip, const char *tag, const char *set, char *path, size_t bytes,
                            struct mu_error *err)
{
    char *file = mu_format(err, "%s%s%s.jsonl", set, tag[0] != '\0' ? "." : "", tag);
    if (file != NULL) mu_results_path(chip, file, path, bytes, err);
    mu_free(file);
    return err->status;
}

static int make_folder(const char *path, struct mu_error *err)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return MU_OK;
    return mu_fail(err, MU_IO, "%s: cannot make the folder: %s", path, strerror(errno));
}

int mu_results_make(const char *chip, struct mu_error *err)
{
    char path[PATH_MAX];
    if (mu_results_path(chip, NULL, path, sizeof path, err) != MU_OK) return err->status;
    if (make_folder(mu_results_root(), err) != MU_OK) return err->status;
    return make_folder(path, err);
}
