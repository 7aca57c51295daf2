/* Statistics of samples. Exact where an exact method exists; nothing is dropped. */
#ifndef MU_STATISTICS_STATISTICS_H
#define MU_STATISTICS_STATISTICS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- One series of samples ---- */

struct mu_summary {
    size_t count;
    double min, median, max;
    bool has_interval;          /* false for too few samples: five or fewer have no interval at 95 % */
    double low, high;           /* the interval of the median: order statistics low_rank and high_rank */
    size_t low_rank, high_rank; /* from 1 */
    double coverage; /* the exact probability that the interval holds the median, at least the confidence asked for */
};

/* Ranks, from 1, of the order statistics that enclose the median of `count` independent samples with at least
 * `confidence` (0.95): the narrowest symmetric pair, by the binomial distribution. False when even the extremes do not
 * suffice (count <= 5 at 95 %). */
bool mu_median_ranks(size_t count, double confidence, size_t *low_rank, size_t *high_rank, double *coverage);

/* Summarises count >= 1 values at 95 %. MU_NO_MEMORY; MU_USAGE for no values. */
int mu_summarise(const double *values, size_t count, struct mu_summary *summary, struct mu_error *err);

/* Returns the geometric mean of count >= 1 positive values. */
double mu_geometric_mean(const double *values, size_t count);

/* ---- Levels and ratios: samples of one process or of several ---- */

/* So many sessions, and devices, are told apart; their numbers count modulo this, so that of more some are put
 * together. */
#define MU_SESSIONS_MAX 16

/* The samples of one process: positive values, in the order in which they were taken. */
struct mu_samples {
    const double *values;
    size_t count;
    uint32_t session; /* the number of its session: one boot of one host on one day */
    uint32_t device;  /* the number of the device that it ran on: equal ones of one host need not be equally fast */
};

/* A figure of each session: what the processes of one session have in common differs between sessions. */
struct mu_by_session {
    uint32_t known; /* bit i: session i has a figure; 0: not told by session */
    double value[MU_SESSIONS_MAX];
};

/* How long a test takes, on the scale of logarithms, and how well that is known. */
struct mu_level {
    double log_value; /* the mean over sessions of the mean over their processes of the log of the process's median */
    double variance;  /* of log_value as an estimate */
    double df;        /* degrees of freedom behind the variance; 0: one sample, so that there is no variance */
    size_t processes, samples;
    struct mu_by_session sessions; /* the log of each session's level */
};

/* Computes the level of count >= 1 processes with at least one sample each.
 *
 * Several sessions: the levels of the sessions are the observations, for the same reason as processes are in what
 * follows. So the interval covers all three: what differs between sessions, between the processes of one, and between
 * the samples of one process.
 *
 * One session on several devices: the levels of the devices are the observations, so that what differs between equal
 * devices is in the interval.
 *
 * Several processes of one session on one device: the medians of the processes are the observations, since samples of
 * one process share what makes processes differ (Kalibera and Jones, "Rigorous benchmarking in reasonable time", ISMM
 * 2013). Their mean has the variance s²/k with k - 1 degrees of freedom. Only this is assumed: that the logs of process
 * medians are roughly normal. Resampling whole processes instead (a cluster bootstrap) undercovers with so few. Three
 * processes have only ten distinct resamples, and its intervals lack the factor t(k - 1)/z · sqrt(k/(k - 1)), 2.7 for k
 * = 3.
 *
 * One process: the variance is that of the bootstrap of the median over infinitely many resamples, in closed form
 * (Maritz and Jarrett, "A note on estimating the variance of the sample median", JASA 73, 1978). The distribution is
 * the normal one, from six samples on. So no seed is needed, and the same samples give the same interval everywhere. It
 * lacks the differences between processes, which such samples cannot show.
 *
 * By simulation (tests/statistics/test_coverage.c) the interval of a ratio holds the truth in 94 to 96 % of cases for
 * five processes and more, whether they differ or not, and for single processes of 20 samples and more. Three processes
 * err on the safe side (96.5 %), as do heavy tails and fewer samples (up to 97 %).
 *
 * Times are whole nanoseconds: the variance of that rounding is the least variance of a median. MU_NO_MEMORY. */
int mu_level_of(const struct mu_samples *processes, size_t count, struct mu_level *level, struct mu_error *err);

/* Computes the level of the better of two, such as two forms of one test, each of count >= 1 processes. If the same
 * times chose the better one and were reported, they would be too short. So the processes of each session are split at
 * random: one half chooses, and the other half of the winner tells the time. The level is the mean over many splits, so
 * that it does not depend on the order of the processes. Its variance is that of the two whole levels, weighted by how
 * often each won. By simulation (tests/statistics/test_coverage.c) the interval holds the time of the better one in 93
 * to 97 % of cases.
 *
 * *part becomes the part of splits that the second one won. It is -1 if one of them has a single process in every
 * session: nothing can be chosen then, and the level is left as it is. MU_NO_MEMORY. */
int mu_level_of_better(const struct mu_samples *const processes[2], const size_t counts[2], struct mu_level *level,
                       double *part, struct mu_error *err);

/* Computes the level of the quickest of count >= 1 forms, each of the samples of one process. As in mu_level_of_better,
 * samples that choose do not tell the time. Those of each form are split at random: one half chooses, and the other
 * half of the winner tells the time. The level is the mean over many splits. Its variance is that of the whole levels,
 * weighted by how often each won. Forms of a single sample cannot be split; then the level has no variance. *most
 * becomes the form that won most splits. Fails with MU_NO_MEMORY. */
int mu_level_of_quickest(const struct mu_samples *samples, size_t count, struct mu_level *level, size_t *most,
                         struct mu_error *err);

/* What an interval covers. */
enum mu_scope {
    MU_WITHIN_SESSION, /* both sides are of one session, and the same one: what differs between sessions is not in it */
    MU_OVER_SESSIONS,  /* both are of several sessions: it is */
    MU_APART_IN_SESSION /* of different sessions, with one only on a side: the interval lacks what differs between them
                         */
};

/* A ratio of two levels, or the geometric mean of such ratios, with its interval at 95 %. */
struct mu_ratio {
    double value;
    bool has_interval;
    double low, high;
    bool confident; /* the interval excludes 1: the thesis's "confident" speedup or slowdown (section 4.4.1) */
    double p;       /* of the two-sided test that the ratio is 1; 1 without an interval */
    double log_value, variance, df;
    double rounding; /* the variance of rounding times to whole nanoseconds: the least that the ratio's can be */
    enum mu_scope scope;
    size_t spans; /* so many sessions, on the side that has fewer; of a mean, in the ratio that has fewest */
    bool single;  /* a side, or that of a ratio of the mean, has one process: what processes differ by is not in it */
    struct mu_by_session sessions; /* logs, where both sides have the same sessions, at least two */
};

/* Computes numerator / denominator. If both have the same sessions, two or more, their ratios within each are the
 * observations, so that what a session does to both sides cancels out. Else the interval is Welch's: the difference of
 * two logs with unequal variances, by Student's distribution with the degrees of freedom of Welch and Satterthwaite. */
void mu_ratio_of(const struct mu_level *numerator, const struct mu_level *denominator, struct mu_ratio *ratio);

/* Makes a ratio of the level itself to 1: its time with an interval. `confident` and `p` are of no use then. */
void mu_ratio_of_one(const struct mu_level *level, struct mu_ratio *ratio);

/* Computes the geometric mean of count >= 1 ratios. Its interval says how well the mean of just these tests is known,
 * not how other tests would turn out: tests are chosen, not drawn. It has none if one of the ratios has none.
 *
 * A session does something to all of its tests, so that their errors do not cancel out. If all ratios have the same
 * sessions, the means of the sessions are the observations. If only some of them span sessions, or not the same ones,
 * errors are taken to be as dependent as they can be: then the interval is on the safe side. */
void mu_ratio_mean(const struct mu_ratio *ratios, size_t count, struct mu_ratio *mean);

/* Computes the mean of count >= 1 logs of ratios, each an independent observation, with Student's interval. */
void mu_ratio_over(const double *logs, size_t count, struct mu_ratio *mean);

/* Returns p of the F test that count >= 2 levels, each of the processes of one device in one session, are one. It is a
 * one-way analysis of variance of the logs of the processes' medians; NAN if none of them has two processes. */
double mu_levels_differ(const struct mu_level *levels, size_t count);

/* Adds a variance that is known, such as that of an effect which the samples cannot show, to that of a ratio with an
 * interval. */
void mu_ratio_widen(struct mu_ratio *ratio, double variance);

/* Returns the least factor by which two sides must differ so that a test of the ratio at the level alpha, two-sided,
 * finds it in four of five cases. NAN without an interval. */
double mu_ratio_detectable(const struct mu_ratio *ratio, double alpha);

/* From this speedup down the slower way is as good. */
#define MU_AS_GOOD 1.05

/* Finds where the speedup falls to MU_AS_GOOD for good, for x >= 0 in rising order: between two points of the sweep, on
 * the scale of the logarithm of x + 1. 0 if it does not fall so far, or never was above. */
double mu_crossover(const double *x, const double *speedup, size_t count);

/* ---- Tests of ranks ---- */

struct mu_rank_test {
    double u;      /* pairs (a, b) with a > b, ties counted as one half */
    double effect; /* u / (pairs): the probability that a value of A exceeds one of B (Vargha and Delaney's A); 0.5:
                      none */
    double p;      /* two-sided */
    bool exact; /* by the exact distribution: at most 20 values on each side and no ties; else by the normal one, with
                   corrections for ties and continuity */
};

/* Tests count_a, count_b >= 1 values by the method of Mann and Whitney. Fails with MU_NO_MEMORY. */
int mu_mann_whitney(const double *a, size_t count_a, const double *b, size_t count_b, struct mu_rank_test *test,
                    struct mu_error *err);

/* Corrects the p of `count` tests done together, by the method of Benjamini and Hochberg ("Controlling the false
 * discovery rate", JRSS B 57, 1995). Of those with adjusted[i] < 0.05, at most 5 % are false alarms on average. If
 * there is nothing to find, the chance of even one is at most 5 %. `adjusted` may be `p`. Fails with MU_NO_MEMORY. */
int mu_false_discovery(const double *p, size_t count, double *adjusted, struct mu_error *err);

/* Effects that come in clusters, such as the pairs of configurations of one test, are not independent, so that a test
 * of all of them takes them for more than they are. Of clusters of which faster[i] of counts[i] effects are below 1,
 * returns the part of resamples, whole clusters drawn anew (a bootstrap), in which most effects are below 1 and the
 * test of Mann and Whitney against as many ones has p < alpha. */
double mu_clusters_below_one(const size_t *faster, const size_t *counts, size_t clusters, double alpha);

/* Draws a number below `limit`, by the generator of Steele, Lea and Flood (splitmix64): the same everywhere. */
size_t mu_draw(uint64_t *state, size_t limit);

/* ---- Signs of trouble in one process ---- */

struct mu_signs {
    size_t outliers; /* |x - median| > 14.8 MAD (10 standard deviations of normal samples): flagged, never dropped */
    bool slow_first; /* the first sample is the slowest, and above the median of the others by more than 10 % and 7.4
                        MAD (of them) */
    bool drift;      /* times rise or fall with their order (Spearman, p < 0.001), by 2 % or more between first and last
                        third */
    bool rising;     /* they rise so by 5 % or more */
    double first_excess; /* the first sample / median of the others, minus 1 */
    double change;       /* median of the last third / median of the first third, minus 1 */
};

/* Signs in count >= 1 positive samples in their order. Drift needs 12 samples, a slow first one needs 5. Fails with
 * MU_NO_MEMORY. */
int mu_signs_of(const double *values, size_t count, struct mu_signs *signs, struct mu_error *err);

/* Finds the process that lies apart from the others of its test, of the logs of count >= 1 medians: by a factor of 1.5
 * and by 10 MAD off the median of all. *factor becomes its time over that median; 0 where there is none, or fewer than
 * four processes. Both limits are above what a quiet machine shows: on two cores of a virtual machine single processes
 * are often a tenth off, and now and then by a third. Fails with MU_NO_MEMORY. */
int mu_odd_one(const double *logs, size_t count, double *factor, struct mu_error *err);

#endif
