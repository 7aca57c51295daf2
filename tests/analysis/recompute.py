"""Recomputes tables of muster from raw records, by its own reading of them: a second opinion on the arithmetic.

    recompute.py fixture FOLDER              writes records with what the tables have to cope with, drawn with a fixed seed
    recompute.py TABLE CSV RECORDS...        compares a table that muster printed as CSV with what the records say

TABLE is summary, conditions, compare (of two files), strategies or advice. Needs numpy. Ends with the number of cells that
were compared; the exit code is 1 where one differs, or where there was nothing to compare.
"""

import csv
import functools
import itertools
import json
import lzma
import math
import os
import sys

import numpy as np

# ---- Distributions ----


def beta_part(a, b, x):
    """The regularised incomplete beta function, by its continued fraction (Lentz)."""
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
    """P(T > t) for t >= 0; the normal distribution for infinitely many degrees of freedom."""
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


# ---- Records ----

FORMS = {("multi-kernel", "fixed"), ("multi-kernel", "first"), ("portable", "cold"), ("portable", "first"),
         ("specialised", "bound"), ("specialised", "first")}


def read(path):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def form(record):
    configuration = record.get("configuration", {})
    if configuration.get("condition") in ("first", "cold"):
        suffix = configuration["condition"]
    elif configuration.get("grid") == "fixed":
        suffix = "fixed"
    elif "bound" in (record.get("team_from"), configuration.get("team_limit")):
        suffix = "bound"
    else:
        suffix = ""
    return record["variant"] + ("-" + suffix if (record["variant"], suffix) in FORMS else "")


class Test:
    """The processes of one test in one form: their samples, and the sessions that these are of."""

    def __init__(self, records):
        self.good = [r for r in records if r["outcome"] == "ok" and r.get("samples_ns")]
        self.failed = len(records) - len(self.good)
        self.samples = [np.array(r["samples_ns"], float) for r in self.good]
        self.sessions = [json.dumps(r.get("session"), sort_keys=True) for r in self.good]
        self.logs = np.array([np.median(np.log(s)) for s in self.samples])

    def counts(self):
        return self.failed == 0 and len(self.good) > 0


def tests_of(records):
    """By app, input and form. The fixtures have one configuration of each test."""
    groups = {}
    for record in records:
        if record.get("kind") == "measure":
            groups.setdefault((record["app"], record["input"], form(record)), []).append(record)
    return {key: Test(group) for key, group in groups.items()}


# ---- Levels and ratios ----


def median_variance(logs):
    """Maritz and Jarrett."""
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
    """Mean, variance of the mean, and degrees of freedom."""
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
    """Degrees of freedom of a sum of two variances."""
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
    """All ways to split the processes of each session into those that choose and those that tell the time."""
    def of_one(logs):
        for chosen in itertools.combinations(range(len(logs)), (len(logs) + 1) // 2):
            rest = [logs[i] for i in range(len(logs)) if i not in chosen]
            yield np.mean([logs[i] for i in chosen]), np.mean(rest) if rest else None
    return itertools.product(*[list(of_one(logs)) for logs in sessions])


def baseline(tests, key):
    """multi-kernel's level: of the better of its two forms, as the mean over ways to split."""
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


# ---- Comparing with a table ----

compared = 0
wrong = []


def same(what, cell, value, tolerance=1e-6):
    global compared
    compared += 1
    if value is None:
        ok = cell == ""
    elif isinstance(value, str):
        ok = cell == value
    else:
        ok = cell != "" and abs(float(cell) - value) <= tolerance * max(1e-9, abs(value))
    if not ok:
        wrong.append(f"{what}: muster says {cell!r}, the records {value!r}")


def same_ratio(what, row, name, ratio):
    ends = ratio.interval()
    same(what, row[name], math.exp(ratio.value))
    same(what + " low", row[name + "_low"], ends[0] if ends else None)
    same(what + " high", row[name + "_high"], ends[1] if ends else None)


RATIOS = {
    "summary": {"speedup": ("multi-kernel", "portable"), "slowdown": ("portable", "specialised")},
    "conditions": {"speedup_cold": ("multi-kernel", "portable-cold"), "speedup_warm": ("multi-kernel", "portable"),
                   "slowdown_cold": ("portable-cold", "specialised-bound"), "slowdown_warm": ("portable", "specialised")},
}


def check_ratios(rows, tests, columns):
    for row in rows:
        key = row["app"], row["input"]
        for name, sides in columns.items():
            levels = []
            for side in sides:
                test = tests.get((*key, side))
                if test is None or not test.counts():
                    break
                levels.append(baseline(tests, key)[0] if side == "multi-kernel" else level_of(test))
            if len(levels) < 2:
                same(f"{key} {name}", row[name], None)
            else:
                same_ratio(f"{key} {name}", row, name, Ratio(*levels))


def rank_test(a, b):
    """Mann and Whitney: the effect and p, by counting pairs; normal but for 20 and 20 values without ties."""
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
    """Benjamini and Hochberg."""
    order, result, least = np.argsort(p, kind="stable"), np.empty(len(p)), 1.0
    for place in range(len(p) - 1, -1, -1):
        least = min(least, p[order[place]] * len(p) / (place + 1))
        result[order[place]] = least
    return result


def check_compare(rows, a, b):
    keys = [(row["app"], row["input"], row["variant"]) for row in rows]
    ratios, ranks = [], []
    for key in keys:
        ratios.append(Ratio(level_of(b[key]), level_of(a[key])))
        ranks.append(rank_test(np.concatenate(b[key].samples), np.concatenate(a[key].samples)))
    judged = [i for i, ratio in enumerate(ratios) if not ratio.single]
    p = corrected(np.array([max(ratios[i].p(), ranks[i][1]) for i in judged]))
    for i, (row, key) in enumerate(zip(rows, keys)):
        same_ratio(f"{key}", row, "ratio", ratios[i])
        same(f"{key} effect", row["effect"], ranks[i][0])
        same(f"{key} rank p", row["rank_p"], ranks[i][1], 1e-4)
        if i not in judged:
            same(f"{key} verdict", row["verdict"], "not shown (one process)")
            continue
        own = p[judged.index(i)]
        same(f"{key} corrected p", row["corrected_p"], own, 1e-4)
        ends = ratios[i].interval()
        if ends[1] <= 1.05 and ends[0] >= 1 / 1.05:
            verdict = "equivalent"
        elif not ratios[i].confident() or own >= 0.05:
            verdict = "not shown"
        else:
            verdict = "slower" if ratios[i].value > 0 else "faster"
        same(f"{key} verdict", row["verdict"], verdict)


# ---- Advice ----


def signs_of(test):
    processes, total = len(test.samples), sum(len(s) for s in test.samples)
    signs, level = set(), level_of(test)
    ends = interval(level.value, level.variance, level.df)
    off = np.abs(test.logs - np.median(test.logs))
    if total < 20:
        signs.add("few-samples")
    if processes == 1:
        signs.add("one-process")
    elif ends[1] / math.exp(level.value) > 1.2 and np.ptp(test.logs) > math.log(1.25):
        signs.add("processes-differ")
    if processes >= 4 and off.max() > max(math.log(1.5), 10 * np.median(off)):
        signs.add("odd-process")
    outliers = first = 0
    for samples in test.samples:
        away = np.abs(samples - np.median(samples))
        outliers += int((away > 14.8 * np.median(away)).sum()) if np.median(away) > 0 else 0
        rest = samples[1:]
        mad = np.median(np.abs(rest - np.median(rest)))
        first += samples[0] > max(rest.max(), 1.1 * np.median(rest), np.median(rest) + 7.4 * mad)
    if outliers > 0.15 * total:
        signs.add("outliers")
    if 2 * first > processes:
        signs.add("slow-first")
    watched = [r["environment"] for r in test.good if "others_ns" in r.get("environment", {})]
    if watched:
        span, ticks = sum(e["watched_ns"] for e in watched), 2e7 * len(watched)
        if sum(e["others_ns"] for e in watched) > 0.1 * span + ticks and sum(e["idle_ns"] for e in watched) < 0.5 * span:
            signs.add("busy")
    return signs


def check_advice(rows, tests):
    told = {}
    for row in rows:
        told.setdefault((row["app"], row["input"], row["variant"]), set()).add(row["sign"])
    for key, test in tests.items():
        if test.good:
            same(f"{key}", " ".join(sorted(told.get(key, ()))), " ".join(sorted(signs_of(test))))


# ---- Strategies ----

OPTIMISATIONS = ("sz256", "coop-cv", "oitergb", "fg1", "fg8", "sg", "wg")
NARROWED = {"global": (), "chip": (0,), "app": (1,), "input": (2,), "chip and app": (0, 1), "chip and input": (0, 2),
            "app and input": (1, 2)}


def configuration_of(record):
    c = record["configuration"]
    return frozenset(name for name, on in zip(OPTIMISATIONS, (
        record["workgroup"] == 256, c.get("coop_cv") == "on", record["variant"] == "portable", c.get("fg") == 1,
        c.get("fg") == 8, c.get("sg") == "on", c.get("wg") == "on")) if on)


class Configured:
    """The logs of a configuration's processes. The first half chooses, the second one judges."""

    def __init__(self, records):
        self.logs = np.array([np.median(np.log(r["samples_ns"])) for r in records])
        self.all, self.choosing, self.judging = self.logs.mean(), self.logs[0::2].mean(), self.logs[1::2].mean()
        self.pooled = self.df = 0.0


def studied_tests(records):
    groups = {}
    for record in records:
        test = groups.setdefault((record["chip"], record["app"], record["input"]), {})
        test.setdefault(configuration_of(record), []).append(record)
    tests = {key: {c: Configured(r) for c, r in test.items()} for key, test in groups.items()}
    for test in tests.values():
        for outlined in (False, True):
            own = [c for name, c in test.items() if ("oitergb" in name) == outlined and len(c.logs) > 1]
            df = sum(len(c.logs) - 1 for c in own)
            squares = sum(((c.logs - c.all) ** 2).sum() for c in own)
            for c in own:
                c.pooled, c.df = max(squares / df, math.exp(-2 * c.all) / 12) / len(c.logs), df
    return tests


def effect(test, with_it, name):
    without = with_it - {name}
    if name not in with_it or without not in test:
        return None
    a, b = test[with_it], test[without]
    variance = a.pooled + b.pooled
    df = welch(a.pooled, a.df, b.pooled, b.df)
    half = math.sqrt(variance) * student_quantile(0.975, df)
    return math.exp(a.all - b.all) if abs(a.all - b.all) > half else None


def decide(tests):
    chosen, medians = set(), {}
    for name in OPTIMISATIONS:
        effects = [e for test in tests for c in test if (e := effect(test, c, name)) is not None]
        if effects and rank_test(effects, np.ones(len(effects)))[1] < 0.05 and np.median(effects) < 1:
            chosen.add(name)
            medians[name] = np.median(effects)
    if {"fg1", "fg8"} <= chosen:
        chosen.remove("fg8" if medians["fg1"] < medians["fg8"] else "fg1")
    return chosen


def check_strategies(rows, tests):
    for row in rows:
        name = row["strategy"]
        over, over_all, decided = [], [], {}
        for key, test in tests.items():
            available = frozenset().union(*test)
            if name == "baseline":
                chosen = frozenset()
            elif name == "oracle":
                chosen = min(test, key=lambda c: test[c].choosing)
            else:
                part = tuple(key[i] for i in NARROWED[name])
                if part not in decided:
                    decided[part] = frozenset(decide([t for k, t in tests.items()
                                                      if tuple(k[i] for i in NARROWED[name]) == part]))
                chosen = decided[part] & available
            best = min(test, key=lambda c: test[c].choosing)
            fastest = min(test, key=lambda c: test[c].all)
            over.append(test[chosen].judging - test[best].judging)
            over_all.append(test[chosen].all - test[fastest].all)
        same(name, row["over_oracle"], math.exp(np.mean(over)))
        same(name + ", thesis's oracle", row["over_thesis_oracle"], math.exp(np.mean(over_all)))


# ---- Fixtures ----

FIXTURE_FORMS = {"multi-kernel": 1.0, "multi-kernel-fixed": 0.8, "portable-cold": 0.7, "portable": 0.5,
                 "specialised-bound": 0.65, "specialised": 0.5, "portable-first": 0.9}


def fixture_record(app, place, which, samples, session, repeat):
    variant, _, suffix = place[1].partition("-") if not place[1].startswith("multi") else (
        "multi-kernel", "", place[1][len("multi-kernel-"):])
    configuration = {"condition": suffix if suffix in ("cold", "first") else "warm",
                     "grid": "fixed" if suffix == "fixed" else "elements",
                     "team_limit": "bound" if suffix == "bound" else "auto"}
    return {"schema": 4, "kind": "measure", "chip": "c", "set": "paper", "app": app, "input": place[0], "variant": variant,
            "comparison": f"{app} {place[0]}", "configuration": configuration, "configuration_hash": place[1],
            "kernel_hash": "k", "program_hash": "p", "driver": "d", "commit": "0", "outcome": "ok",
            "date": f"2026-01-0{session + 1}T00:00:{repeat:02d}Z", "repeat": repeat, "workgroup": 256,
            "key": f"{which}{app}{place}{session}{repeat}",
            "session": {"boot": f"b{session}", "date": f"2026-01-0{session + 1}", "host": "h"},
            "samples_ns": [int(s) for s in samples]}


def write_fixture(folder):
    rng = np.random.default_rng(2016)
    for which, factor in (("a", {}), ("b", {"road:9": 1.3, "rmat:9": 0.7})):
        with open(os.path.join(folder, which + ".jsonl"), "w", encoding="utf-8") as file:
            for app in ("lonestar/bfs", "pannotia/mis"):
                for text in ("road:9", "rmat:9", "uniform:9", "grid2d:9", "road:5"):
                    sessions = 3 if text in ("road:9", "uniform:9") else 1
                    processes = 1 if text == "road:5" else 5
                    for name, part in FIXTURE_FORMS.items():
                        for session in range(sessions):
                            shift = rng.normal(0, 0.01)
                            for repeat in range(processes):
                                level = 1e7 * part * factor.get(text, 1) * math.exp(shift + rng.normal(0, 0.02))
                                samples = level * np.exp(rng.normal(0, 0.02, 20))
                                if text == "grid2d:9" and repeat == 4 and name == "portable":
                                    samples *= 2
                                if text == "grid2d:9" and name == "multi-kernel":
                                    samples[0] *= 3
                                if text == "rmat:9" and name == "specialised":
                                    samples[::4] *= 4
                                record = fixture_record(app, (text, name), which, samples, session, repeat)
                                if app == "pannotia/mis":
                                    busy = 1 if text == "uniform:9" else 0
                                    record["environment"] = {"watched_ns": 10**9, "others_ns": busy * 10**9, "idle_ns": 10**8}
                                file.write(json.dumps(record) + "\n")


def write_studied(folder):
    """Configurations of oitergb, fg8, sg and wg, whose effects differ between chips and between apps."""
    rng = np.random.default_rng(2018)
    with open(os.path.join(folder, "studied.jsonl"), "w", encoding="utf-8") as file:
        places = itertools.product(("one", "two"), ("bfs-wl", "tri", "cc"), ("road:9", "rmat:9"))
        for (chip, app, text), bits in itertools.product(places, itertools.product((0, 1), repeat=4)):
            oitergb, fg8, sg, wg = bits
            level = 1e7 * (0.6 if chip == "one" else 1.2) ** oitergb * 0.8 ** fg8 * (0.9 if app == "tri" else 1.1) ** sg
            level *= (0.97 if text == "road:9" else 1.02) ** wg
            for repeat in range(4):
                samples = level * math.exp(rng.normal(0, 0.01)) * np.exp(rng.normal(0, 0.01, 5))
                configuration = {"coop_cv": "off", "fg": 8 * fg8, "sg": ("off", "on")[sg], "wg": ("off", "on")[wg]}
                words = " ".join(f"{name}={value}" for name, value in configuration.items())
                file.write(json.dumps({
                    "schema": 4, "kind": "measure", "chip": chip, "app": "irgl/" + app, "input": text, "outcome": "ok",
                    "variant": ("multi-kernel", "portable")[oitergb], "workgroup": 128, "repeat": repeat,
                    "comparison": f"irgl/{app} {text} {words}", "configuration": configuration,
                    "configuration_from": {name: "option" for name in configuration},
                    "configuration_hash": f"{bits}", "samples_ns": [int(x) for x in samples]}) + "\n")


def main():
    if sys.argv[1] == "fixture":
        write_fixture(sys.argv[2])
        write_studied(sys.argv[2])
        return 0
    table, printed, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(printed, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(itertools.takewhile(lambda line: line.strip(), file)))
    if table in RATIOS:
        check_ratios(rows, tests_of(read(files[0])), RATIOS[table])
    elif table == "compare":
        check_compare(rows, *(tests_of(read(path)) for path in files))
    elif table == "advice":
        check_advice(rows, tests_of(read(files[0])))
    else:
        check_strategies(rows, studied_tests(read(files[0])))
    print(f"{table}: {compared} cells compared, {len(wrong)} differ")
    for line in wrong[:20]:
        print("  " + line)
    return 1 if wrong or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
