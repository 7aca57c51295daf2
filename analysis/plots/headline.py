"""Which chip and set a page of results begins with, the same for its sentence and its picture; and whose results they are.

    headline.py RESULTS DATA FILE

writes FILE, which tells of a folder of results what is somebody's own there, and what comes with muster (DATA is the folder
of its files): {"folder": …, "published": how many files, "own": how many, "places": [[chip, set], …] that are timed in the
own ones, "mixed": those of them that are timed in published ones, too, "unfinished": [[chip, set, steps done, steps planned],
…] of campaigns that have not come to their end}.
"""

import gzip
import hashlib
import json
import lzma
import os
import re
import sys

UNFINISHED = ".jsonl.unfinished"
OPENERS = {".jsonl": open, ".jsonl.xz": lzma.open, ".jsonl.gz": gzip.open}


def chosen(rows, own=()):
    """(chip, set) of the headline, from the rows of the table of headlines (chip, set, speedup, tests); None without any.

    The reader's own go first. Then the chip with the most tests over all of its sets, and of those the set `paper`, which is
    chosen by its name, since a set is no more telling for having more tests; without it the one with the most.
    Sets without a speedup have nothing to say first, and come behind those that have one; the first row goes first among
    equals.
    """
    tests = {}
    for row in rows:
        tests[row["chip"]] = tests.get(row["chip"], 0) + count(row)
    if not rows:
        return None
    first = max(rows, key=lambda row: (place(row) in own, has_speedup(row), tests[row["chip"]], set_of(row["set"]) == "paper",
                                      clock_age(row.get("clock", "")), count(row)))
    return place(first)


def place(row):
    return row["chip"], set_of(row["set"])


def set_of(cell):
    """The name of a set without the marks that a table has behind it."""
    name = re.sub(r" \((dirty|no session)\)", "", cell).strip()
    return "" if name == "-" else name


def clock_age(clock):
    """Orders clocks: the newest is the greatest."""
    return ["", "launch", "run"].index(clock) if clock in ("launch", "run") else 0


def count(row):
    return int(row["tests"]) if row["tests"].isdigit() else 0


def has_speedup(row):
    return row["speedup"][:1].isdigit()


# ---- Whose results they are ----


def read_origin(folder):
    """What was written of a folder of results; None where nothing was. Its places are a set of (chip, set)."""
    try:
        with open(os.path.join(folder, "origin.json"), encoding="utf-8") as file:
            origin = json.load(file)
    except FileNotFoundError:
        return None
    origin["places"] = {tuple(pair) for pair in origin["places"]}
    return origin


def own_places(folder):
    """(chip, set) of what is the reader's own."""
    origin = read_origin(folder)
    return origin["places"] if origin else set()


def opener_of(path):
    return next((opener for ending, opener in OPENERS.items() if path.endswith(ending)), None)


def timed_places(path):
    """(chip, set) of the records of a file that have times of apps; the label stands behind the chip, as in tables. What
    cannot be read is passed over: the tables tell of it.
    """
    places = set()
    try:
        with opener_of(path)(path, "rt", encoding="utf-8", errors="replace") as file:
            for line in file:
                places |= place_of_record(line)
    except (OSError, EOFError, lzma.LZMAError):
        pass
    return places


def place_of_record(line):
    try:
        record = json.loads(line)
    except ValueError:
        return set()
    if not isinstance(record, dict) or not isinstance(record.get("chip"), str) or not {"app", "samples_ns"} <= record.keys():
        return set()
    label = record.get("label") or ""
    return {(f'{record["chip"]}@{label}' if label else record["chip"], str(record.get("set", "")))}


def find_unfinished(results):
    """[chip, set, done, planned] of what muster bench says of campaigns in files of their own; several campaigns of a set,
    such as those of several devices, are one. What cannot be read is passed over.
    """
    sums = {}
    for folder, _, names in sorted(os.walk(results, followlinks=True)):
        for path in sorted(os.path.join(folder, name) for name in names if name.endswith(UNFINISHED)):
            try:
                with open(path, encoding="utf-8") as file:
                    mark = json.load(file)
                place, steps = (str(mark["chip"]), str(mark["set"])), (int(mark["done"]), int(mark["planned"]))
            except (OSError, ValueError, LookupError, TypeError):
                continue
            sums[place] = tuple(map(sum, zip(sums.get(place, (0, 0)), steps)))
    return [[*place, *steps] for place, steps in sums.items()]


def find_origin(results, data):
    sums = set()
    try:
        with open(os.path.join(data, "results", "SHA256SUMS"), encoding="utf-8") as file:
            sums = {line.split()[0] for line in file if line.strip()}
    except FileNotFoundError:
        pass  # nothing is known to be published
    own, published = [], []
    for folder, _, names in sorted(os.walk(results, followlinks=True)):
        for path in sorted(os.path.join(folder, name) for name in names if opener_of(name)):
            with open(path, "rb") as file:
                known = hashlib.sha256(file.read()).hexdigest() in sums
            (published if known else own).append(path)
    places = set().union(*map(timed_places, own))
    # A published file lies in the folder of its chip: the others need not be read.
    chips = {chip.split("@")[0] for chip, _ in places}
    shared = set().union(*(timed_places(path) for path in published if os.path.basename(os.path.dirname(path)) in chips))
    return {"folder": results, "published": len(published), "own": len(own), "places": sorted(places),
            "mixed": sorted(places & shared), "unfinished": find_unfinished(results)}


def main(arguments):
    if len(arguments) != 4:
        print("usage: headline.py RESULTS DATA FILE", file=sys.stderr)
        return 2
    try:
        origin = find_origin(arguments[1], arguments[2])
        with open(arguments[3], "w", encoding="utf-8") as file:
            json.dump(origin, file)
    except OSError as error:
        print(f"headline.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
