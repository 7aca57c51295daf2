/* Times of other programs, from records of kind `peer` (doc/results-format.md): the best of each program on each graph,
 * and muster's best on the same graph. */
#ifndef MU_ANALYSIS_PEERS_TIMES_H
#define MU_ANALYSIS_PEERS_TIMES_H

#include "analysis/study.h"
#include "analysis/tables/tables.h"

#include <jansson.h>

#define MU_PEER_FILE "peer.jsonl"

/* The time of a program for an app on a graph of a chip by one clock, with its fastest parameter. Texts are those of
 * its first record. */
struct mu_peer_time {
    const char *chip, *app, *input, *program, *clock, *parameter;
    const char *hash;       /* of the graph; "" where the records do not tell */
    const char *order;      /* of color: which vertices get their colours first; "" where the records do not tell */
    double vertices, edges; /* of the graph; 0 where the records do not tell */
    double sources;         /* that bc had; else 0 */
    size_t tried;           /* parameters with records */
    const char *outcome, *check, *note;
    bool has_level;
    struct mu_level level;
};

struct mu_peer_times {
    struct mu_peer_time *times; /* by chip, app, graph, program and clock */
    size_t count;
    json_t *records; /* that the texts are of */
};

/* Loads the times that the request names. Release with mu_peer_times_release, also after a failure. Fails with
 * MU_INPUT, MU_IO or MU_NO_MEMORY. */
int mu_peer_times_load(const struct mu_table_request *request, struct mu_peer_times *peers, struct mu_error *err);
void mu_peer_times_release(struct mu_peer_times *peers);

/* Returns true if muster's time is of the same work: the same sources, the order that the peer tells, and the same
 * graph. Graphs are equal by size and hash, or by name unless both tell the hash. */
bool mu_peer_same_work(const struct mu_peer_time *own, const struct mu_peer_time *peer);

/* Returns the fastest measurement of the same app on the same graph and chip, by the present clock if there is one;
 * NULL: none. */
const struct mu_measurement *mu_peer_beside(const struct mu_study *study, const struct mu_peer_time *peer);

#endif
