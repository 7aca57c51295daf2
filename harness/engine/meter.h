/* How far long work has come: i/n, elapsed time, time to go weighted by what runs cost, what runs now, outcomes so far.
 * On a terminal one line that changes, otherwise a line for each run. Everything goes to standard error. */
#ifndef MU_HARNESS_ENGINE_METER_H
#define MU_HARNESS_ENGINE_METER_H

#include "base/json.h"
#include "harness/engine/world.h"

#include <stdbool.h>
#include <stdint.h>

struct mu_meter {
    uint32_t done, planned;
    const struct mu_world *world; /* whose clock it reads; NULL: the system's */
    uint64_t start_ns;
    bool terminal;
    char shown[192]; /* what mu_meter_show showed last, with the time to go then, in seconds */
    double shown_to_go_s, shown_at_s;
    struct mu_json costs;    /* what runs took: {group: {"sum": seconds, "count": runs}} */
    struct mu_json outcomes; /* {outcome: count} */
};

void mu_meter_start(struct mu_meter *meter, const struct mu_world *world, uint32_t planned);
void mu_meter_end(struct mu_meter *meter);

/* A run of these groups, from the widest to the narrowest ("measure", "measure bfs", …; NULL ends them), took so long.
 */
void mu_meter_learn(struct mu_meter *meter, const char *const *groups, double seconds);

/* What such a run will probably take: the mean of its narrowest group that is known; `otherwise` when none is. */
double mu_meter_expect(const struct mu_meter *meter, const char *const *groups, double otherwise);

/* What runs now, with the expected seconds to go. Shown on a terminal only. */
void mu_meter_show(struct mu_meter *meter, const char *what, double to_go_s);

/* What the process of the run that is shown does, and for how many seconds so far: behind what runs. The time to go has
 * become less meanwhile; where nothing is left of it, the line says that this takes longer than expected. For struct
 * mu_teller, whose context is the meter. */
void mu_meter_tell(void *meter, const char *doing, double seconds);

/* `runs` runs are done, with this outcome. A line on its own unless it is "ok" on a terminal. */
void mu_meter_done(struct mu_meter *meter, uint32_t runs, const char *what, const char *outcome, double to_go_s);

/* What a line of mu_meter_done on no terminal says, read back by whoever started the process that prints it. */
struct mu_meter_line {
    uint32_t done, planned;
    double to_go_s;
    const char *what, *outcome; /* within the line */
};

/* Takes such a line apart, without its newline; false, leaving it as it is, for any other. */
bool mu_meter_read(char *line, struct mu_meter_line *read);

/* Seconds since the start. */
double mu_meter_elapsed(const struct mu_meter *meter);

/* Removes the line that changes, before something else is printed. */
void mu_meter_clear(const struct mu_meter *meter);

/* "1:02:03" or "4:05". */
void mu_meter_duration(double seconds, char *text, size_t bytes);

#endif
