/* muster new-app: makes a new app from a template that is right as it stands: examples/apps/labels under another
 * name. */
#include "base/files/scratch.h"
#include "base/memory.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "variants/embedded.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPLATE_NAME   "labels"
#define TEMPLATE_FOLDER "examples/apps/" TEMPLATE_NAME "/"

enum option_key { KEY_FOLDER = 256 };
enum { MOST_NAME = 32 };

static const struct argp_option options[] = {
    {"folder", KEY_FOLDER, "FOLDER", 0, "Where apps of your own lie, one folder each (default: my-apps)", 0},
    {0},
};

struct arguments {
    const char *name, *folder;
    struct mu_error err;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case KEY_FOLDER:
        arguments->folder = text;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->name != NULL) argp_error(state, "one app at a time: '%s' is too much", text);
        arguments->name = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which name shall the app have?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Checks an app's name, which becomes part of identifiers and file names. */
static int check_name(const char *name, struct mu_error *err)
{
    bool ok = islower((unsigned char)name[0]) && strlen(name) <= MOST_NAME;
    for (const char *c = name; *c != '\0' && ok; c++)
        ok = islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_';
    return ok ? MU_OK
              : mu_fail(err, MU_USAGE,
                        "%s: an app's name is a small letter and then small letters, digits and '_', "
                        "%d at most",
                        name, MOST_NAME);
}

/* Returns true if the template's name stands at `at` as a word, or as a part of an identifier that '_' separates. */
static bool is_name(const char *text, const char *at)
{
    const char behind = at[strlen(TEMPLATE_NAME)];
    return (at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)behind);
}

/* Writes a text, replacing the template's name by the app's. */
static void write_renamed(FILE *to, const char *text, const char *name)
{
    const char *from = text;
    for (const char *at = strstr(text, TEMPLATE_NAME); at != NULL; at = strstr(at + 1, TEMPLATE_NAME)) {
        if (!is_name(text, at)) continue;
        fprintf(to, "%.*s%s", (int)(at - from), from, name);
        from = at + strlen(TEMPLATE_NAME);
    }
    fputs(from, to);
}

/* Writes one file of the template: "labels.cl" becomes FOLDER/NAME/NAME.cl. */
static int write_file(const struct mu_embedded *file, const char *folder, const char *name, struct mu_error *err)
{
    const char *end = file->path + strlen(TEMPLATE_FOLDER);
    const bool named = strncmp(end, TEMPLATE_NAME ".", strlen(TEMPLATE_NAME ".")) == 0;
    char *path =
        mu_format(err, "%s/%s/%s%s", folder, name, named ? name : "", named ? end + strlen(TEMPLATE_NAME) : end);
    FILE *to = path != NULL ? fopen(path, "wx") : NULL;
    if (path != NULL && to == NULL) mu_fail(err, MU_IO, "%s: %s", path, strerror(errno));
    if (to != NULL) {
        write_renamed(to, file->text, name);
        const bool bad = ferror(to) != 0;
        if (fclose(to) != 0 || bad)
            mu_fail(err, MU_IO, "%s: cannot be written: %s", path, strerror(errno));
        else
            printf("%s\n", path);
    }
    mu_free(path);
    return err->status;
}

/* Writes the app's folder: all of it, or nothing. */
static int write_app(const char *folder, const char *name, struct mu_error *err)
{
    char *own = mu_format(err, "%s/%s", folder, name);
    if (own == NULL) return err->status;
    const bool made = mkdir(folder, 0777) == 0;
    if ((!made && errno != EEXIST) || mkdir(own, 0777) != 0) {
        mu_fail(err, MU_IO, "%s: %s", own, strerror(errno));
    } else {
        for (const struct mu_embedded *file = mu_embedded_files; file->path != NULL && err->status == MU_OK; file++)
            if (strncmp(file->path, TEMPLATE_FOLDER, strlen(TEMPLATE_FOLDER)) == 0) write_file(file, folder, name, err);
        if (err->status != MU_OK) mu_scratch_remove_folder(own);
    }
    if (err->status != MU_OK && made) rmdir(folder);
    mu_free(own);
    return err->status;
}

/* Prints the commands that follow, which are typed in the source tree: from elsewhere the folder needs its whole path.
 */
static void tell_next(const char *folder, const char *name)
{
    char *whole = access("apps/app.h", F_OK) == 0 ? NULL : realpath(folder, NULL);
    if (whole != NULL) folder = whole;
    printf("\nIt computes connected components, and is right as it stands. In the source tree of muster:\n\n"
           "    ./configure --with-apps=%s && make\n"
           "    sh %s/%s/test.sh\n\n"
           "Then change the steps, the plan and the check. doc/apps.md tells how.\n",
           folder, folder, name);
    free(whole);
}

int mu_cmd_new_app(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "NAME",
        .doc = "Writes an app to begin with: its buffers, steps, plan, host's part and test, in FOLDER/NAME. It builds "
               "and passes its test as it stands."};
    struct arguments arguments = {.folder = "my-apps"};
    struct mu_error *err = &arguments.err;
    if (mu_arguments_parse(&argp, argc, argv, &arguments, err) == MU_OK && check_name(arguments.name, err) == MU_OK &&
        write_app(arguments.folder, arguments.name, err) == MU_OK)
        tell_next(arguments.folder, arguments.name);
    mu_finish_output(err);
    return mu_report(err);
}
