/* How a graph is to be read, and what was found out about its file. */
#ifndef MU_INPUTS_FORMATS_READING_H
#define MU_INPUTS_FORMATS_READING_H

#include "base/choice.h"
#include "inputs/graph/graph.h"

struct mu_format;

/* The member `weights` is a factor, or stands for a rule where it is one of these. The words of the option --weights
 * have the same values (harness/run/options.h). */
#define MU_WEIGHTS_AUTO      0u          /* the file's, where they are whole numbers; generated, where it has none */
#define MU_WEIGHTS_ROUNDED   1u          /* the file's, rounded: times one */
#define MU_WEIGHTS_FACTOR    1e9         /* the largest factor */
#define MU_WEIGHTS_FILE      2000000000u /* the file's, which must have some */
#define MU_WEIGHTS_GENERATED 3000000000u /* generated, whatever the file has */

/* The names of the formats, in the order of mu_formats (formats.h), as the choices of --input-format. */
extern const struct mu_choice mu_input_formats[];

struct mu_reading {
    /* Asked. Zeros ask for nothing. */
    uint64_t seed;                  /* of generators */
    const struct mu_format *format; /* NULL: told by the content */
    double weights;                 /* a rule from above, or the factor by which the file's values are multiplied */
    void (*progress)(uint64_t bytes, uint64_t all); /* called now and then, by one thread; may be NULL */

    /* Found. */
    char why[128];    /* what the choice of the format was made by */
    char remark[160]; /* what else is to be said of the file, or nothing */
    uint64_t skipped; /* lines of comments, blank lines */
    uint64_t bytes;   /* of the content */
    bool scaled;      /* the reader has multiplied the weights */
};

/* Finds out whether weights are made up whatever the file has. */
static inline bool mu_reading_generates(const struct mu_reading *reading)
{
    return reading->weights == MU_WEIGHTS_GENERATED;
}

/* Finds out whether the file's values are multiplied and rounded. */
static inline bool mu_reading_scales(const struct mu_reading *reading)
{
    return reading->weights > 0 && reading->weights <= MU_WEIGHTS_FACTOR;
}

/* Makes a weight of a value. False where the value must not be taken: it is negative, too large, or, unless the user
 * has it rounded, no whole number. */
bool mu_weight_of(const struct mu_reading *reading, double value, uint32_t *weight);

/* Says why the values of a file are no weights: the graph then has none, and apps that need some fail with this. */
void mu_graph_refuse_weights(struct mu_graph *graph, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes the weights of a graph that was read or generated what was asked for, and fills in where they are from. */
void mu_graph_settle_weights(struct mu_graph *graph, const struct mu_reading *reading);

/* Loads a graph as mu_graph_load does, by these wishes. */
int mu_graph_load_as(const char *specification, struct mu_reading *reading, struct mu_graph **graph,
                     struct mu_error *err);

#endif
