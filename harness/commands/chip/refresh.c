#include "harness/commands/chip/refresh.h"

#include "base/files/stream.h"
#include "base/memory.h"
#include "harness/commands/chip/stage.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int run_script(const char *script, const char *results, struct mu_error *err)
{
    const char *const argv[] = {"sh", script, results, results, NULL};
    pid_t pid = 0;
    int status = 0;
    const int failure = posix_spawnp(&pid, argv[0], NULL, NULL, (char *const *)(uintptr_t)argv, environ);
    if (failure != 0) return mu_fail(err, MU_IO, "cannot run sh: %s", strerror(failure));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return MU_OK;
    return mu_fail(err, MU_IO, "%s %s did not end well: the sums are not those of the files", script, results);
}

/* Returns true if a page has markers to be filled in from records. */
static bool is_made(const char *path)
{
    struct mu_error useless = {0};
    struct mu_source source = {0};
    const bool made = mu_source_read(path, &source, &useless) == MU_OK &&
                      strstr((const char *)source.bytes, "\n<!-- records") != NULL;
    mu_source_release(&source);
    return made;
}

/* Fills in the README.md of the checkout and the pages that were found, as far as they have markers. */
static int fill_pages(const char *results, const char *readme, const glob_t *found, struct mu_error *err)
{
    char *option = mu_format(err, "--results=%s/chips", results);
    const char **words = mu_calloc(found->gl_pathc + 4, sizeof *words, "pages", err);
    struct mu_stage stage = {.words = words, .seconds = INT_MAX};
    size_t used = 2;
    if (option != NULL && words != NULL) {
        words[0] = "reports";
        words[1] = option;
        if (is_made(readme)) words[used++] = readme;
        for (size_t i = 0; i < found->gl_pathc; i++)
            if (is_made(found->gl_pathv[i])) words[used++] = found->gl_pathv[i];
        if (used > 2 && mu_stage_run(&stage, err) == MU_OK && stage.exit_code != 0)
            mu_fail(err, MU_IO, "the pages could not be filled in");
    }
    mu_free(words);
    mu_free(option);
    return err->status;
}

/* Returns the path of a file of the checkout whose folder of results is given; the caller frees it. Where the last part
 * of that folder's path is a name and no link, it is cut off. */
static char *path_in_checkout(const char *results, const char *file, struct mu_error *err)
{
    struct stat about;
    const char *slash = strrchr(results, '/'), *last = slash != NULL ? slash + 1 : results;
    const bool cut = last[0] != '\0' && strcmp(last, ".") != 0 && strcmp(last, "..") != 0 &&
                     lstat(results, &about) == 0 && !S_ISLNK(about.st_mode);
    return cut ? mu_format(err, "%.*s%s", (int)(last - results), results, file)
               : mu_format(err, "%s/../%s", results, file);
}

int mu_refresh(const char *results, struct mu_error *err)
{
    static const char *const patterns[] = {"%s/*/*.md", "%s/*/*/*.md"};
    glob_t found = {0};
    char *script = path_in_checkout(results, "build-aux/datapackage", err);
    char *readme = path_in_checkout(results, "README.md", err);
    if (script != NULL && readme != NULL && access(script, R_OK) == 0) run_script(script, results, err);
    mu_free(script);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0] && err->status == MU_OK; i++) {
        char pattern[PATH_MAX];
        snprintf(pattern, sizeof pattern, patterns[i], results);
        glob(pattern, i > 0 ? GLOB_APPEND : 0, NULL, &found);
    }
    if (err->status == MU_OK) fill_pages(results, readme, &found, err);
    mu_free(readme);
    globfree(&found);
    return err->status;
}
