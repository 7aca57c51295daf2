"""Levels of times, ratios and tests of ranks, written with numpy. doc/statistics.md describes the methods."""

import functools
import itertools
import math

import numpy as np

# ---- Distributions ----


def beta_part(a, b, x):
    """Returns the regularised incomplete beta function, by its continued fraction (Lentz)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_part(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, 500):
        for step in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + step * d)
            c = 1 + step / c
            result *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * result


def student_tail(t, df):
    """Returns P(T > t) for t >= 0; normal if the degrees of freedom are infinite."""
    if math.isinf(df):
        return math.erfc(t / math.sqrt(2)) / 2
    return beta_part(df / 2, 0.5, df / (df + t * t)) / 2


@functools.lru_cache(maxsize=None)
def student_quantile(probability, df):
    low, high = 0.0, 1.0
    while student_tail(high, df) > 1 - probability:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if student_tail(middle, df) > 1 - probability else (low, middle)
    return (low + high) / 2


# ---- Levels and ratios ----


def median_variance(logs):
    """Returns the variance of a median by the method of Maritz and Jarrett."""
    logs, n = np.sort(logs), len(logs)
    ends = np.array([beta_part((n + 1) / 2, (n + 1) / 2, i / n) for i in range(n + 1)])
    weights = np.diff(ends)
    return float(weights @ (logs - weights @ logs) ** 2)


class Level:
    def __init__(self, value, variance, df, sessions, processes):
        self.value, self.variance, self.df, self.sessions, self.processes = value, variance, df, sessions, processes


def rounding(value, processes):
    return math.exp(-2 * value) / 12 / processes


def spread(values):
    """Returns mean, variance of the mean, and degrees of freedom."""
    values = np.array(values)
    return float(values.mean()), float(values.var(ddof=1) / len(values)), len(values) - 1


def level_of(test):
    sessions = {}
    for log, session in zip(test.logs, test.sessions):
        sessions.setdefault(session, []).append(log)
    means = {session: float(np.mean(logs)) for session, logs in sessions.items()}
    processes = len(test.logs)
    if len(means) > 1:
        value, variance, df = spread(list(means.values()))
    elif processes > 1:
        value, variance, df = spread(test.logs)
    elif len(test.samples[0]) >= 6:
        value, variance, df = float(test.logs[0]), median_variance(np.log(test.samples[0])), math.inf
    else:
        value, variance, df = float(test.logs[0]), 0.0, 0
    if df > 0:
        variance = max(variance, rounding(value, processes))
    return Level(value, variance, df, means, processes)


def interval(value, variance, df):
    if df <= 0 or variance <= 0:
        return None
    half = math.sqrt(variance) * student_quantile(0.975, df)
    return math.exp(value - half), math.exp(value + half)


def welch(a, df_a, b, df_b):
    """Returns the degrees of freedom of a sum of two variances (Welch)."""
    weighted = a ** 2 / df_a + b ** 2 / df_b
    return (a + b) ** 2 / weighted if weighted > 0 else math.inf


class Ratio:
    def __init__(self, a, b):
        self.value = a.value - b.value
        self.variance, self.df = a.variance + b.variance, 0
        self.rounding = rounding(a.value, a.processes) + rounding(b.value, b.processes)
        self.single = a.processes < 2 or b.processes < 2
        self.sessions = {}
        if len(a.sessions) > 1 and set(a.sessions) == set(b.sessions):
            self.sessions = {s: a.sessions[s] - b.sessions[s] for s in a.sessions}
            self.value, self.variance, self.df = spread(list(self.sessions.values()))
            self.variance = max(self.variance, self.rounding)
        elif a.df > 0 and b.df > 0 and self.variance > 0:
            self.df = welch(a.variance, a.df, b.variance, b.df)

    def interval(self):
        return interval(self.value, self.variance, self.df)

    def confident(self):
        ends = self.interval()
        return ends is not None and (ends[0] > 1 or ends[1] < 1)

    def p(self):
        return 1.0 if self.df <= 0 else 2 * student_tail(abs(self.value) / math.sqrt(self.variance), self.df)


def halves_of(sessions):
    """Yields each way to split the processes of every session into those that choose and those that judge."""
    def of_one(logs):
        for chosen in itertools.combinations(range(len(logs)), (len(logs) + 1) // 2):
            rest = [logs[i] for i in range(len(logs)) if i not in chosen]
            yield np.mean([logs[i] for i in chosen]), np.mean(rest) if rest else None
    return itertools.product(*[list(of_one(logs)) for logs in sessions])


def baseline(tests, key):
    """Returns multi-kernel's level: that of the better of its two forms, as the mean over ways to split."""
    elements, fixed = (tests.get((*key, name)) for name in ("multi-kernel", "multi-kernel-fixed"))
    if fixed is None or not elements.counts() or not fixed.counts():
        return level_of(elements), 0
    by_session = [[[log for log, s in zip(t.logs, t.sessions) if s == session] for session in dict.fromkeys(t.sessions)]
                  for t in (elements, fixed)]
    if any(max(len(logs) for logs in sessions) < 2 for sessions in by_session):
        return level_of(elements), 0
    ways = [list(itertools.islice(halves_of(sessions), 3000)) for sessions in by_session]
    choices = [np.array([np.mean([c for c, _ in way]) for way in side]) for side in ways]
    if choices[1].max() < choices[0].min():
        return level_of(fixed), 1
    assert choices[0].max() < choices[1].min(), "the fixture has a test whose forms are equally fast"
    return level_of(elements), 0


# ---- Tests of ranks ----


def rank_test(a, b):
    """Returns effect and p of Mann and Whitney's test. p is exact for up to 20 and 20 values without ties, else normal."""
    a, b = np.asarray(a), np.sort(b)
    below, upto = np.searchsorted(b, a, "left"), np.searchsorted(b, a, "right")
    u = float((below + upto).sum() / 2)
    n, m = len(a), len(b)
    _, equal = np.unique(np.concatenate([a, b]), return_counts=True)
    ties = float((equal ** 3 - equal).sum())
    if n <= 20 and m <= 20 and ties == 0:
        ways = np.zeros((n + 1, n * m + 1))
        ways[0, 0] = 1
        for rank in range(1, n + m + 1):
            for taken in range(min(rank, n), 0, -1):
                shift = rank - taken  # of B's values below this one of A
                if shift <= m:
                    ways[taken, shift:] += ways[taken - 1, : n * m + 1 - shift]
        least = int(min(u, n * m - u))
        return u / (n * m), min(1.0, 2 * ways[n, : least + 1].sum() / ways[n].sum())
    variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)))
    off = max(0.0, abs(u - n * m / 2) - 0.5)
    return u / (n * m), min(1.0, math.erfc(off / math.sqrt(variance) / math.sqrt(2)))


def corrected(p):
    """Returns p corrected by the method of Benjamini and Hochberg."""
    order, result, least = np.argsort(p, kind="stable"), np.empty(len(p)), 1.0
    for place in range(len(p) - 1, -1, -1):
        least = min(least, p[order[place]] * len(p) / (place + 1))
        result[order[place]] = least
    return result
