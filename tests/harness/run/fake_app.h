/* A program with one app, "test/fake", whose kernels lie in a folder of the test: for tests of options and identities.
 * Everything that muster knows of apps comes from mu_apps, which is made here. */
#ifndef MU_TESTS_FAKE_APP_H
#define MU_TESTS_FAKE_APP_H

#define APP_BUFFERS(X) X(value, uint, vertices, RESULT)
#define APP_SCALARS(X) X(vertices, uint) X(share, real)

#define APP_OPTIONS(X)                                                                                                 \
    X(damping_share, real, .argument = "SHARE", .is = MU_OPTION_INPUT, .most = 1, .unit = "parts",                     \
      .words = {{"auto", 0}}, .otherwise = "auto", .usual = "auto: by the input", .help = "What stays")                \
    X(lane_width, uint, .argument = "LANES", .is = MU_OPTION_BUILD, .min = 1, .max = 64, .otherwise = "8",             \
      .help = "How wide")
#include "apps/host.h"

#include "base/memory.h"
#include "harness/run/identity.h"
#include "harness/run/resolve.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

PLAN(fake)
{
    STEP(init, S.vertices, 0);
}

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    (void)err;
    S->vertices = instance->graph->vertices;
    if (S->option.damping_share <= 0) S->option.damping_share = 0.5;
    S->share = S->option.damping_share;
    return MU_OK;
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    (void)instance;
    return err->status;
}

static const struct mu_app fake = {.suite = "test",
                                   .name = "fake",
                                   .purpose = "an app of this test",
                                   .result = "value",
                                   .prepare = prepare,
                                   .check = check,
                                   MU_APP_TABLES};
const struct mu_app *const mu_apps[] = {&fake, NULL};

static char folder[] = "/tmp/muster-options-XXXXXX";
static const struct mu_device_info device = {.chip = "chip",
                                             .driver = "1.0",
                                             .compute_units = 4,
                                             .max_workgroup = 1024,
                                             .available = {true, true, true},
                                             .c_standard = "CL3.0"};

static inline void write_file(const char *path, const char *text)
{
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s/%s", folder, path);
    FILE *file = fopen(name, "w");
    if (file == NULL || fputs(text, file) == EOF || fclose(file) != 0) perror(name);
}

/* A folder of kernels: those of the source tree, and the fake app's. */
static void make_kernels(void)
{
    static const char *const folders[] = {"apps", "apps/test", "apps/test/fake"};
    static const char *const shared[] = {"variants", "apps/priority.clh"};
    char name[PATH_MAX], source[PATH_MAX], target[PATH_MAX * 2];
    const char *srcdir = getenv("srcdir");
    if (realpath(srcdir != NULL ? srcdir : ".", source) == NULL) perror("srcdir");
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(name, sizeof name, "%s/%s", folder, folders[i]);
        if (mkdir(name, 0777) != 0) perror(name);
    }
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        snprintf(name, sizeof name, "%s/%s", folder, shared[i]);
        snprintf(target, sizeof target, "%s/%s", source, shared[i]);
        if (symlink(target, name) != 0) perror(name);
    }
    write_file("apps/test/fake/fake.state.h", "/* the state */\n");
    write_file("apps/test/fake/fake.cl", "int a;\n");
    write_file("apps/test/fake/fake.plan.h", "/* the plan */\n");
}

static inline int resolve(const struct mu_asked *asked, struct mu_test *test)
{
    const struct mu_facts facts = {
        .info = &device, .selftest = {.trust = MU_TRUSTED, .yield = MU_YIELD_SYSCALL, .spin_limit = 1u << 20}};
    struct mu_error err = {0};
    bool untested;
    return mu_resolve_by(asked, &facts, test, &untested, &err);
}

static inline struct mu_asked ask_nothing(void)
{
    return (struct mu_asked){.app = &fake, .input = "road:4", .kernel_dir = folder};
}

static inline char *text_of(const struct mu_test *test)
{
    struct mu_error err = {0};
    char *text = mu_test_text(test, &device, &err);
    if (text == NULL) printf("# %s\n", err.message);
    return text;
}

static bool make_folder(void)
{
    if (mkdtemp(folder) == NULL) return false;
    make_kernels();
    return true;
}

static void remove_folder(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) printf("# %s remains\n", folder);
}

#endif
