/* harness/engine/progress: what runs are expected to take, and what the line of progress says. */
#include "harness/engine/cost.h"
#include "harness/engine/progress.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void test_expect(void)
{
    static const char *const bfs_road[] = {"measure", "measure bfs", "measure bfs road:9", NULL};
    static const char *const bfs_rmat[] = {"measure", "measure bfs", "measure bfs rmat:9", NULL};
    static const char *const mis[] = {"measure", "measure mis", "measure mis road:9", NULL};
    static const char *const tune[] = {"tune", "tune mis", NULL};
    struct mu_progress progress;
    mu_progress_start(&progress, NULL, 10);
    CHECK(mu_progress_expect(&progress, mis, 7) == 7, "nothing is known: what the caller guesses");
    mu_progress_learn(&progress, bfs_road, 2);
    mu_progress_learn(&progress, bfs_road, 4);
    mu_progress_learn(&progress, bfs_rmat, 9);
    CHECK(mu_progress_expect(&progress, bfs_road, 7) == 3, "the mean of the same kind of run");
    CHECK(mu_progress_expect(&progress, bfs_rmat, 7) == 9, "… of each its own");
    CHECK(mu_progress_expect(&progress, (const char *const[]){"measure", "measure bfs", "measure bfs uniform:9", NULL},
                             7) == 5,
          "a new input: the mean of the app");
    CHECK(mu_progress_expect(&progress, mis, 7) == 5, "a new app: the mean of all");
    mu_progress_learn(&progress, mis, 25);
    CHECK(mu_progress_expect(&progress, bfs_road, 7) == 3 && mu_progress_expect(&progress, mis, 7) == 25,
          "another app's runs change nothing");
    CHECK(mu_progress_expect(&progress, (const char *const[]){"measure", "measure mst", NULL}, 7) == 10,
          "… but for those of which nothing is known");
    CHECK(mu_progress_expect(&progress, tune, 7) == 7, "measuring tells nothing of tuning");
    mu_progress_end(&progress);
}

static void test_duration(void)
{
    static const struct {
        double seconds;
        const char *text;
    } known[] = {{0, "0:00"},       {-1, "0:00"},        {NAN, "0:00"},     {0.4, "0:00"},
                 {0.6, "0:01"},     {59.4, "0:59"},      {59.6, "1:00"},    {62, "1:02"},
                 {3599.4, "59:59"}, {3599.6, "1:00:00"}, {3723, "1:02:03"}, {360000, "100:00:00"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[24];
        mu_progress_duration(known[i].seconds, text, sizeof text);
        CHECK(strcmp(text, known[i].text) == 0, "%g s: %s", known[i].seconds, text);
    }
}

/* What goes to standard error while `work` is done, into `text`. */
static void capture(void (*work)(void), char *text, size_t bytes)
{
    char path[] = "/tmp/test_progress.XXXXXX";
    const int file = mkstemp(path), saved = dup(STDERR_FILENO);
    memset(text, 0, bytes);
    if (!CHECK(file >= 0 && saved >= 0 && dup2(file, STDERR_FILENO) >= 0, "a file for standard error")) return;
    work();
    dup2(saved, STDERR_FILENO);
    CHECK(pread(file, text, bytes - 1, 0) > 0, "there are lines");
    close(file);
    close(saved);
    unlink(path);
}

static void three_runs(void)
{
    struct mu_progress progress;
    mu_progress_start(&progress, NULL, 4);
    mu_progress_show(&progress, "bfs 1/2", 100);
    mu_progress_tell(&progress, "building kernels", 7);
    mu_progress_done(&progress, 1, "bfs 1/2", "ok", 62);
    mu_progress_done(&progress, 2, "mis 1/2", "wrong", 31);
    mu_progress_done(&progress, 1, "bfs 2/2", "ok", 0);
    mu_progress_end(&progress);
}

static void test_lines(void)
{
    char text[512];
    capture(three_runs, text, sizeof text);
    CHECK(strcmp(text, "[1/4] 0:00, about 1:02 to go; ok 1; bfs 1/2: ok\n"
                       "[3/4] 0:00, about 0:31 to go; ok 1, wrong 2; mis 1/2: wrong\n"
                       "[4/4] 0:00, about 0:00 to go; ok 2, wrong 2; bfs 2/2: ok\n") == 0,
          "no terminal: a line for each run that is done, none for what begins");
}

static uint64_t no_time(void *context)
{
    (void)context;
    return 0;
}

static void quiet_runs(void)
{
    static const struct mu_engine_environment quiet = {.verbosity = MU_QUIET, .now_ns = no_time};
    struct mu_progress progress;
    mu_progress_start(&progress, &quiet, 4);
    mu_progress_done(&progress, 1, "bfs 1/2", "ok", 62);
    mu_progress_done(&progress, 1, "mis 1/2", "wrong", 31);
    mu_progress_end(&progress);
}

static void test_quiet(void)
{
    char text[512];
    capture(quiet_runs, text, sizeof text);
    CHECK(strstr(text, "bfs") == NULL && strstr(text, "mis 1/2: wrong\n") != NULL, "quiet: what fails alone is told");
}

/* Lines as test_lines has them, and others. */
static void test_read(void)
{
    struct mu_progress_line read;
    static const char *const others[] = {"",
                                         "muster: a message",
                                         "[1/4] 0:00, about 1:02 to go; ok 1",
                                         "[1/4] 0:00, about 1:02 to go; ok 1; bfs",
                                         "[1/4] 0:00, about 1:2x to go; ok 1; bfs: ok",
                                         "[1] 0:00, about 1:02 to go; ok 1; bfs: ok",
                                         "[a/4] 0:00, about 1:02 to go; ok 1; bfs: ok"};
    char line[] = "[3/400] 1:02:03, about 2:01:31 to go; ok 1, wrong 2; mis a: b; c portable 1/2: wrong";
    CHECK(mu_progress_read(line, &read) && read.done == 3 && read.planned == 400 && fabs(read.to_go_s - 7291) < 1e-9 &&
              strcmp(read.what, "mis a: b; c portable 1/2") == 0 && strcmp(read.outcome, "wrong") == 0,
          "a line is read back");
    char unknown[] = "[1/4] 0:00, how long is known after a round; ok 1; bfs 1/2: ok";
    CHECK(mu_progress_read(unknown, &read) && read.to_go_s == MU_UNKNOWN_S && strcmp(read.what, "bfs 1/2") == 0,
          "… and one that knows no time to go");
    char minutes[] = "[1/4] 0:00, about 1:02 to go; ok 1; bfs 1/2: ok";
    CHECK(mu_progress_read(minutes, &read) && fabs(read.to_go_s - 62) < 1e-9, "… with minutes");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s", others[i]);
        CHECK(!mu_progress_read(text, &read) && strcmp(text, others[i]) == 0, "no such line: '%s'", others[i]);
    }
}

/* As if it were a terminal, 40 seconds after a run was shown, and then when it should have ended long ago. */
static void one_long_run(void)
{
    struct mu_progress progress;
    mu_progress_start(&progress, NULL, 4);
    progress.terminal = true;
    mu_progress_show(&progress, "bfs 1/2", 100);
    progress.start_ns -= 40000000000u;
    mu_progress_tell(&progress, "building kernels", 7.2);
    progress.start_ns -= 90000000000u;
    mu_progress_tell(&progress, "building kernels", 97.2);
    mu_progress_tell(&progress, NULL, 0);
    mu_progress_end(&progress);
}

static void test_told(void)
{
    char text[512];
    capture(one_long_run, text, sizeof text);
    CHECK(strcmp(text, "\r\033[K[0/4] 0:00, about 1:40 to go; bfs 1/2"
                       "\r\033[K[0/4] 0:40, about 1:00 to go; bfs 1/2: 7 s of building kernels"
                       "\r\033[K[0/4] 2:10, longer than expected; bfs 1/2: 97 s of building kernels\r\033[K") == 0,
          "a terminal: what a long run does, while the time to go passes, and when it has passed");
}

/* Learns from a damaged record, whose compiler took longer than all of it: it tells nothing. */
static void test_learn(void)
{
    struct mu_progress progress;
    struct mu_cost cost;
    json_t *record = json_pack("{s:s, s:s, s:s, s:i, s:i, s:b}", "kind", "run", "app", "bfs", "comparison", "road:4",
                               "wall_ns", 2, "build_ns", 3, "build_cached", 0);
    mu_progress_start(&progress, NULL, 10);
    mu_cost_of("run", "bfs", "road:4", &cost);
    mu_cost_learn(&progress, record);
    CHECK(record != NULL && !mu_cost_is_known(&progress, &cost), "a test shorter than its compiler tells no cost");
    if (record != NULL) json_object_set_new(record, "wall_ns", json_integer(1000000003));
    mu_cost_learn(&progress, record);
    CHECK(fabs(mu_cost_expect(&progress, &cost, 0) - 1) < 1e-9, "compiling is not counted: %g s",
          mu_cost_expect(&progress, &cost, 0));
    json_decref(record);
    mu_progress_end(&progress);
}

int main(void)
{
    test_expect();
    test_learn();
    test_duration();
    test_lines();
    test_quiet();
    test_told();
    test_read();
    return tap_done();
}
