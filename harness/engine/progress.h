/* Progress of long work: i/n, elapsed time, time to go, what is running, and the outcomes so far. On a terminal this is
 * one line that changes, otherwise a line for each run. Everything goes to standard error. */
#ifndef MU_HARNESS_ENGINE_PROGRESS_H
#define MU_HARNESS_ENGINE_PROGRESS_H

#include "base/json.h"
#include "harness/engine/environment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands for a time to go that is not known yet. */
#define MU_UNKNOWN_S (-1e9)

struct mu_progress {
    uint32_t done, planned;
    const struct mu_engine_environment *environment; /* borrowed: its clock is read; NULL: the system's */
    uint64_t start_ns;
    bool terminal;
    int verbosity;
    char shown[192]; /* what mu_progress_show showed last, with the time to go and the elapsed time then, in seconds */
    double shown_to_go_s, shown_at_s;
    struct mu_json costs;    /* durations of runs: {group: {"sum": seconds, "count": runs}} */
    struct mu_json outcomes; /* {outcome: count} */
};

/* Starts the clock. `environment` may be NULL; `planned` is the number of runs. Release with mu_progress_end. */
void mu_progress_start(struct mu_progress *progress, const struct mu_engine_environment *environment, uint32_t planned);
/* Clears the line on the terminal and releases what was learnt. */
void mu_progress_end(struct mu_progress *progress);

/* Learns that a run took `seconds`. It belongs to these groups, from the widest to the narrowest, ended by NULL:
 * "measure", "measure bfs", … */
void mu_progress_learn(struct mu_progress *progress, const char *const *groups, double seconds);

/* Returns the expected duration of such a run in seconds: the mean of its narrowest known group, or `otherwise` if none
 * is known. */
double mu_progress_expect(const struct mu_progress *progress, const char *const *groups, double otherwise);

/* Shows what is running and the expected seconds to go, or MU_UNKNOWN_S. Only on a terminal. */
void mu_progress_show(struct mu_progress *progress, const char *what, double to_go_s);

/* Shows that `done` of `count` parts are done, and that `what` is the next; the others are expected to take as long. */
void mu_progress_show_part(struct mu_progress *progress, const char *what, size_t done, size_t count);

/* Shows, behind what is running, what its child process has been doing and for how many seconds. The time to go shrinks
 * meanwhile; once it is used up, the line says that this takes longer than expected. For struct mu_progress_callback,
 * whose context is the progress. */
void mu_progress_tell(void *progress, const char *doing, double seconds);

/* Counts `runs` runs with this outcome, and prints a line, except for "ok" on a terminal. */
void mu_progress_done(struct mu_progress *progress, uint32_t runs, const char *what, const char *outcome,
                      double to_go_s);

/* A line that mu_progress_done has printed to a file, as read back by the parent of the process that printed it. */
struct mu_progress_line {
    uint32_t done, planned;
    double to_go_s;
    const char *what, *outcome; /* borrowed from the line */
};

/* Parses such a line, which has no newline, and writes ends of texts into it. Returns false for any other line, which
 * it leaves as it is. */
bool mu_progress_read(char *line, struct mu_progress_line *read);

/* Returns the seconds since the start. */
double mu_progress_elapsed(const struct mu_progress *progress);

/* Removes the line that changes, so that something else can be printed. */
void mu_progress_clear(const struct mu_progress *progress);

/* Writes a duration as "1:02:03" or "4:05". */
void mu_progress_duration(double seconds, char *text, size_t bytes);

#endif
