#include "harness/commands/bench/start.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { OWN_WORDS = 4, WORD_BYTES = PATH_MAX + 32 };

/* ---- Cores ---- */

/* Finds the cores of one side: neighbours, and as many for each. Returns false if cores are not divided: a device that
 * runs on the host's cores needs all of them, and there may be fewer cores than campaigns. */
static bool share_of_cores(const struct mu_sides *sides, size_t which, cpu_set_t *share)
{
    cpu_set_t all;
    size_t place = 0;
    if (sched_getaffinity(0, sizeof all, &all) != 0) return false;
    const size_t cores = (size_t)CPU_COUNT(&all);
    for (size_t i = 0; i < sides->count; i++)
        if (sides->side[i].info->cpu) return false;
    if (cores < sides->count) return false;
    CPU_ZERO(share);
    for (size_t core = 0; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, &all)) continue;
        if (place * sides->count / cores == which) CPU_SET(core, share);
        place++;
    }
    return true;
}

/* ---- Words ---- */

/* Returns the words of the command line and, behind its options, those of the side; of an option that occurs twice, the
 * last one counts. */
static char **make_words(const struct mu_side *side, int argc, char *const *argv, char (*own)[WORD_BYTES],
                         struct mu_error *err)
{
    static char name[] = "muster", bench[] = "bench";
    size_t count = 0, given = 1, own_count = 0;
    char **words = mu_calloc((size_t)argc + 2 + OWN_WORDS + 1, sizeof *words, "a command line", err);
    if (words == NULL) return NULL;
    snprintf(own[own_count++], WORD_BYTES, "--device=%u", side->info->index);
    snprintf(own[own_count++], WORD_BYTES, "--junit=/dev/null"); /* the parent writes one report at the end */
    if (side->shard.count != 0) {
        snprintf(own[own_count++], WORD_BYTES, "--shard=%u/%u", side->shard.number, side->shard.count);
        snprintf(own[own_count++], WORD_BYTES, "--costs=%s", side->shard.costs);
    }
    words[count++] = name;
    words[count++] = bench;
    for (; given < (size_t)argc && strcmp(argv[given], "--") != 0; given++) words[count++] = argv[given];
    for (size_t i = 0; i < own_count; i++) words[count++] = own[i];
    for (; given < (size_t)argc; given++) words[count++] = argv[given];
    return words;
}

/* ---- The process ---- */

/* Replaces the new process by the campaign, or ends it with 127. */
static void become_campaign(const struct mu_sides *sides, size_t which, int tells, char **words)
{
    cpu_set_t share;
    const int nowhere = sides->printing ? STDOUT_FILENO : open("/dev/null", O_WRONLY | O_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (share_of_cores(sides, which, &share)) sched_setaffinity(0, sizeof share, &share);
    if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0 && dup2(tells, STDERR_FILENO) >= 0)
        execv("/proc/self/exe", words);
    dprintf(tells, "cannot start a campaign: %s\n", strerror(errno));
    _exit(127);
}

int mu_side_start(struct mu_sides *sides, size_t which, int argc, char *const *argv, struct mu_error *err)
{
    struct mu_side *side = &sides->side[which];
    char(*own)[WORD_BYTES] = mu_calloc(OWN_WORDS, sizeof *own, "a command line", err);
    char **words = own != NULL ? make_words(side, argc, argv, own, err) : NULL;
    int ends[2] = {-1, -1};
    if (words != NULL && pipe2(ends, O_CLOEXEC) != 0) mu_fail(err, MU_IO, "pipe: %s", strerror(errno));
    if (words != NULL && err->status == MU_OK) {
        fflush(NULL);
        side->pid = fork();
        if (side->pid == 0) become_campaign(sides, which, ends[1], words);
        if (side->pid < 0) {
            mu_fail(err, MU_IO, "fork: %s", strerror(errno));
            side->pid = 0;
            close(ends[0]);
        } else {
            side->told = ends[0];
        }
        close(ends[1]);
    }
    mu_free(words);
    mu_free(own);
    return err->status;
}
