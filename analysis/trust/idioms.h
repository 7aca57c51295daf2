/* What became of idioms in use on a chip, as `muster litmus` saw it. */
#ifndef MU_ANALYSIS_TRUST_IDIOMS_H
#define MU_ANALYSIS_TRUST_IDIOMS_H

#include <jansson.h>

/* The measurement of an idiom among workgroups, by its short name and by how groups get their ids; NULL: none. */
const json_t *mu_idioms_seen(const json_t *measurements, const char *idiom, const char *ids);

#endif
