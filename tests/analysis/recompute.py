"""Recomputes tables of muster from raw records with code of its own, as a check of muster's arithmetic.

    recompute.py fixture FOLDER              writes records for the comparison (recompute_fixtures.py)
    recompute.py TABLE CSV RECORDS...        compares a table that muster printed as CSV with what the records say

TABLE is summary, conditions, compare (of two files), strategies or advice. Needs numpy. Ends with the number of cells that
were compared; the exit code is 1 where one differs, or where there was nothing to compare.
"""

import csv
import itertools
import json
import lzma
import math
import sys

import numpy as np

from recompute_fixtures import write_fixture, write_studied
from recompute_statistics import Ratio, baseline, corrected, interval, level_of, rank_test, student_quantile, welch

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
    """Returns tests by app, input and form. The fixtures have one configuration of each test."""
    groups = {}
    for record in records:
        if record.get("kind") == "measure":
            groups.setdefault((record["app"], record["input"], form(record)), []).append(record)
    return {key: Test(group) for key, group in groups.items()}


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
    """The logarithms of the times of a configuration's processes. Even ones choose, odd ones judge."""

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


# ---- The command ----


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
