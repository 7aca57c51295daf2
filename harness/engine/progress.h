/* How far long work has come: i/n, elapsed time, time to go weighted by what runs cost, what runs now, outcomes so far.
 * On a terminal one line that changes, otherwise a line for each run. Everything goes to standard error. */
#ifndef MU_HARNESS_ENGINE_PROGRESS_H
#define MU_HARNESS_ENGINE_PROGRESS_H

#include "base/json.h"
#include "harness/engine/environment.h"

#include <stdbool.h>
#include <stdint.h>

/* A time to go that cannot be told yet. */
#define MU_UNKNOWN_S (-1e9)

struct mu_progress {
    uint32_t done, planned;
    const struct mu_engine_environment *environment; /* whose clock it reads; NULL: the system's */
    uint64_t start_ns;
    bool terminal;
    int verbosity;
    char shown[192]; /* what mu_progress_show showed last, with the time to go then, in seconds */
    double shown_to_go_s, shown_at_s;
    struct mu_json costs;    /* what runs took: {group: {"sum": seconds, "count": runs}} */
    struct mu_json outcomes; /* {outcome: count} */
};

void mu_progress_start(struct mu_progress *progress, const struct mu_engine_environment *environment, uint32_t planned);
void mu_progress_end(struct mu_progress *progress);

/* A run of these groups, from the widest to the narrowest ("measure", "measure bfs", …; NULL ends them), took so long.
 */
void mu_progress_learn(struct mu_progress *progress, const char *const *groups, double seconds);

/* What such a run will probably take: the mean of its narrowest group that is known; `otherwise` when none is. */
double mu_progress_expect(const struct mu_progress *progress, const char *const *groups, double otherwise);

/* What runs now, with the expected seconds to go, or MU_UNKNOWN_S. Shown on a terminal only. */
void mu_progress_show(struct mu_progress *progress, const char *what, double to_go_s);

/* What the process of the run that is shown does, and for how many seconds so far: behind what runs. The time to go has
 * become less meanwhile; where nothing is left of it, the line says that this takes longer than expected. For struct
 * mu_progress_callback, whose context is the progress. */
void mu_progress_tell(void *progress, const char *doing, double seconds);

/* `runs` runs are done, with this outcome. A line on its own unless it is "ok" on a terminal. */
void mu_progress_done(struct mu_progress *progress, uint32_t runs, const char *what, const char *outcome,
                      double to_go_s);

/* What a line of mu_progress_done on no terminal says, read back by whoever started the process that prints it. */
struct mu_progress_line {
    uint32_t done, planned;
    double to_go_s;
    const char *what, *outcome; /* within the line */
};

/* Takes such a line apart, without its newline; false, leaving it as it is, for any other. */
bool mu_progress_read(char *line, struct mu_progress_line *read);

/* Seconds since the start. */
double mu_progress_elapsed(const struct mu_progress *progress);

/* Removes the line that changes, before something else is printed. */
void mu_progress_clear(const struct mu_progress *progress);

/* "1:02:03" or "4:05". */
void mu_progress_duration(double seconds, char *text, size_t bytes);

#endif
