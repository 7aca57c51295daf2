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

static int fill_pages(const char *results, char **pages, size_t count, struct mu_error *err)
{
    char *option = mu_format(err, "--results=%s/chips", results);
    const char **words = mu_calloc(count + 3, sizeof *words, "pages", err);
    struct mu_stage stage = {.words = words, .seconds = INT_MAX};
    size_t used = 2;
    if (option != NULL && words != NULL) {
        words[0] = "reports";
        words[1] = option;
        for (size_t i = 0; i < count; i++)
            if (is_made(pages[i])) words[used++] = pages[i];
        if (used > 2 && mu_stage_run(&stage, err) == MU_OK && stage.exit_code != 0)
            mu_fail(err, MU_IO, "the pages could not be filled in");
    }
    mu_free(words);
    mu_free(option);
    return err->status;
}

int mu_refresh(const char *results, struct mu_error *err)
{
    static const char *const patterns[] = {"%s/../README.md", "%s/*/*.md", "%s/*/*/*.md"};
    glob_t found = {0};
    char *script = mu_format(err, "%s/../build-aux/datapackage", results);
    if (script != NULL && access(script, R_OK) == 0) run_script(script, results, err);
    mu_free(script);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0] && err->status == MU_OK; i++) {
        char pattern[PATH_MAX];
        snprintf(pattern, sizeof pattern, patterns[i], results);
        glob(pattern, i > 0 ? GLOB_APPEND : 0, NULL, &found);
    }
    if (err->status == MU_OK) fill_pages(results, found.gl_pathv, found.gl_pathc, err);
    globfree(&found);
    return err->status;
}
