#include "records/results.h"

#include "base/memory.h"
#include "base/user/data_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the folder that the environment names, beside which no other is read; NULL for none. */
static const char *named_root(void)
{
    const char *root = getenv("MUSTER_RESULTS");
    return root != NULL && root[0] != '\0' ? root : NULL;
}

const char *mu_results_root(void)
{
    const char *root = named_root();
    return root != NULL ? root : "mine";
}

const char *mu_results_published(void)
{
    static char published[PATH_MAX];
    struct stat about;
    const char *data = mu_data_folder();
    if (named_root() != NULL) return NULL;
    const int length = snprintf(published, sizeof published, "%s/results/chips", data != NULL ? data : ".");
    return length > 0 && (size_t)length < sizeof published && stat(published, &about) == 0 ? published : NULL;
}

const char mu_results_missing[] = "the published records are not installed: Debian package muster-data, or the "
                                  "file muster-results of this version";

bool mu_results_have_records(void)
{
    const char *data = mu_data_folder();
    char sums[PATH_MAX];
    const int length = snprintf(sums, sizeof sums, "%s/results/SHA256SUMS", data != NULL ? data : ".");
    return length > 0 && (size_t)length < sizeof sums && access(sums, R_OK) == 0;
}

bool mu_results_medians(char path[PATH_MAX])
{
    const char *data = mu_data_folder();
    if (named_root() != NULL || mu_results_have_records()) return false;
    const int length = snprintf(path, PATH_MAX, "%s/results/medians.csv", data != NULL ? data : ".");
    return length > 0 && length < PATH_MAX && access(path, R_OK) == 0;
}

bool mu_results_next_root(const char **roots, char root[PATH_MAX])
{
    const size_t length = strcspn(*roots, ":");
    if (length == 0) return false;
    snprintf(root, PATH_MAX, "%.*s", (int)length, *roots);
    *roots += length + ((*roots)[length] == ':');
    return true;
}

bool mu_results_find(const char *roots, const char *chip, const char *file, char path[PATH_MAX])
{
    char root[PATH_MAX];
    struct stat about;
    while (mu_results_next_root(&roots, root)) {
        const int length = snprintf(path, PATH_MAX, "%s/%s/%s", root, chip, file);
        if (length > 0 && length < PATH_MAX && stat(path, &about) == 0) return true;
    }
    return false;
}

const char *mu_results_reading_root(void)
{
    static char roots[2 * PATH_MAX];
    struct stat about;
    const char *published = mu_results_published(), *own = mu_results_root();
    if (published == NULL) return own;
    if (stat(own, &about) != 0) return published;
    snprintf(roots, sizeof roots, "%s:%s", own, published);
    return roots;
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

int mu_results_path_to_read(const char *chip, const char *file, char path[PATH_MAX], struct mu_error *err)
{
    struct stat about;
    char there[PATH_MAX];
    const char *published = mu_results_published();
    if (mu_results_path(chip, file, path, PATH_MAX, err) != MU_OK || stat(path, &about) == 0 || published == NULL)
        return err->status;
    if (mu_results_find(published, chip, file, there)) memcpy(path, there, sizeof there);
    return MU_OK;
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
