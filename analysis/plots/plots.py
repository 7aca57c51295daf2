#!/usr/bin/env python3
"""Draws the plots of a results folder: plots.py CSV-FOLDER SVG-FOLDER.

Reads nothing but what `muster table NAME --format=csv` prints (speedup.csv, slowdown.csv, tuning.csv, samples.csv,
recall.csv, rollcall-cost.csv, utilisation.csv), and writes SVG that is the same, byte for byte, for the same CSV and the
same matplotlib. A plot whose CSV is missing or has no rows is skipped with a note.

Figures 7 to 11 are those of Sorensen and others, "Portable Inter-workgroup Barrier Synchronisation for GPUs", OOPSLA
2016, for the chips here; the launch utilisation is Figure 4.7 of Sorensen's thesis.
"""

import csv
import math
import os
import statistics
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update(
    {
        "svg.hashsalt": "muster",
        "svg.fonttype": "none",
        "font.size": 8,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "#dddddd",
        "figure.dpi": 100,
    }
)
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator  # noqa: E402

COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#000000"]
VARIANTS = {"multi-kernel": "#4477aa", "portable": "#228833", "specialised": "#ee6677"}
PLAIN = FuncFormatter(lambda value, _: f"{value:g}")


# ---- Reading ----


def read_blocks(path):
    """The tables of a CSV file, which empty lines set apart: lists of rows, each a dict."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = file.read().split("\n")
    blocks, block = [], []
    for line in lines + [""]:
        if line:
            block.append(line)
        elif block:
            blocks.append(list(csv.DictReader(block)))
            block = []
    return blocks


def read_rows(folder, name, *columns):
    """The rows of the first table in name.csv that has the columns; [] with a note when there is none."""
    path = os.path.join(folder, name + ".csv")
    if not os.path.exists(path):
        return []
    for block in read_blocks(path):
        if block and all(column in block[0] for column in columns):
            return block
    return []


def separate_sets(rows):
    """Names the set behind the chip where a chip has several: their figures are never put together."""
    sets = {}
    for row in rows:
        sets.setdefault(row["chip"], set()).add(row.get("set", ""))
    for row in rows:
        if len(sets[row["chip"]]) > 1 and row.get("set"):
            row["place"] = f'{row["chip"]} {row["set"]}'
        else:
            row["place"] = row["chip"]
    return rows


def number(row, name):
    """The number in a cell; None when it is empty."""
    return float(row[name]) if row.get(name) else None


def in_order(values):
    """Each value once, in the order of the first."""
    return list(dict.fromkeys(values))


# ---- Drawing ----


def colour_of(things):
    return {thing: COLOURS[i % len(COLOURS)] for i, thing in enumerate(things)}


def save(figure, folder, name):
    figure.savefig(os.path.join(folder, name + ".svg"), metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    plt.close(figure)


def set_log_ticks(axis, ticks):
    axis.set_major_formatter(PLAIN)
    axis.set_minor_formatter(NullFormatter())
    axis.set_ticks(ticks)


def set_log_axis(axis):
    """Labels at 1, 2 and 5 of each decade."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(PLAIN)


def panels(count, width=3.2, height=2.4, columns=4):
    """A figure with `count` axes, and the axes."""
    columns = max(1, min(columns, count))
    rows = math.ceil(count / columns)
    figure, axes = plt.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False)
    flat = list(axes.flat)
    for axis in flat[count:]:
        axis.set_visible(False)
    figure.subplots_adjust(hspace=0.6, wspace=0.35)
    return figure, flat[:count]


def add_legend(figure, axis):
    """The legend of one of several axes, beside them all."""
    figure.legend(*axis.get_legend_handles_labels(), loc="center left", bbox_to_anchor=(0.92, 0.5), fontsize=6)


def summary_of(values):
    mean = math.exp(statistics.fmean(math.log(value) for value in values))
    return f"GM {mean:.2f}\nMed {statistics.median(values):.2f}\nMax {max(values):.2f}\nMin {min(values):.2f}"


def powers_of_two(low, high):
    return [2.0**i for i in range(math.floor(math.log2(low)), math.ceil(math.log2(high)) + 1)]


def draw_ratio_bars(rows, column, label, folder, name):
    """Bars of a ratio for each app and input, grouped by chip: Figures 9 and 10."""
    rows = separate_sets([row for row in rows if number(row, column) is not None])
    chips = in_order(row["place"] for row in rows)
    tests = sorted({(row["app"], row["input"]) for row in rows})
    colours = colour_of(sorted({app for app, _ in tests}))
    figure, axis = plt.subplots(figsize=(max(6, 0.22 * len(tests) * len(chips) + 3), 3.2))
    width, labels = 1 / (len(tests) + 2), set()
    for place, chip in enumerate(chips):
        own = {(row["app"], row["input"]): row for row in rows if row["place"] == chip}
        for i, test in enumerate(tests):
            if test not in own:
                continue
            value = number(own[test], column)
            low, high = number(own[test], column + "_low"), number(own[test], column + "_high")
            inputs = [t for t in tests if t[0] == test[0]]
            axis.bar(
                place + (i + 1.5) * width,
                value - 1,
                width,
                bottom=1,
                color=colours[test[0]],
                alpha=1 - 0.6 * inputs.index(test) / len(inputs),
                edgecolor="black",
                linewidth=0.4,
                yerr=None if low is None else [[value - low], [high - value]],
                error_kw={"linewidth": 0.7},
                label=None if test in labels else f"{test[0]} [{test[1]}]",
            )
            labels.add(test)
        axis.text(place + 0.5, 1.02, summary_of([number(row, column) for row in own.values()]), ha="center", va="bottom",
                  transform=axis.get_xaxis_transform(), fontsize=7)
    values = [number(row, column) for row in rows]
    axis.set_yscale("log", base=2)
    set_log_ticks(axis.yaxis, powers_of_two(min(values + [0.5]), max(values + [2])))
    axis.axhline(1, color="black", linewidth=0.8)
    axis.set_xticks([place + 0.5 for place in range(len(chips))], chips)
    axis.set_xlim(0, len(chips))
    axis.grid(axis="x", visible=False)
    axis.set_ylabel(label)
    axis.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=7)
    save(figure, folder, name)


def draw_figure9(source, folder):
    rows = read_rows(source, "speedup", "speedup", "chip", "app", "input")
    if any(row["speedup"] for row in rows):
        draw_ratio_bars(rows, "speedup", "speedup: multi-kernel / portable", folder, "figure9-speedup")
        return True
    return False


def draw_figure10(source, folder):
    rows = read_rows(source, "slowdown", "slowdown", "chip", "app", "input")
    if any(row["slowdown"] for row in rows):
        draw_ratio_bars(rows, "slowdown", "slowdown: portable / specialised", folder, "figure10-slowdown")
        return True
    return False


def draw_figure11(source, folder):
    """What portability costs against how long the specialised variant takes: a cost that is constant falls to the right."""
    rows = separate_sets([row for row in read_rows(source, "slowdown", "slowdown", "denominator_ns") if row["slowdown"]])
    chips = in_order(row["place"] for row in rows)
    if not chips:
        return False
    colours = colour_of(chips)
    figure, axis = plt.subplots(figsize=(5, 3))
    for chip in chips:
        own = [row for row in rows if row["place"] == chip]
        axis.plot([number(row, "denominator_ns") / 1e6 for row in own], [number(row, "slowdown") for row in own], "x",
                  color=colours[chip], label=chip)
    axis.axhline(1, color="black", linewidth=0.8)
    axis.set_xscale("log")
    set_log_axis(axis.xaxis)
    axis.set_xlabel("time of the specialised variant (ms)")
    axis.set_ylabel("slowdown: portable / specialised")
    axis.legend(fontsize=7)
    save(figure, folder, "figure11-overhead")
    return True


def draw_workgroups(source, folder):
    """Time against workgroup size, one file a chip: the best team of each size."""
    rows = [row for row in read_rows(source, "tuning", "workgroup", "median_ns", "variant") if row["median_ns"]]
    for chip in in_order(row["chip"] for row in rows):
        own = [row for row in rows if row["chip"] == chip]
        tests = in_order((row["app"], row["input"]) for row in own)
        figure, axes = panels(len(tests))
        for axis, test in zip(axes, tests):
            sizes = set()
            for variant, colour in VARIANTS.items():
                best = {}
                for row in own:
                    if (row["app"], row["input"]) != test or row["variant"] != variant or not row["workgroup"]:
                        continue
                    size, time = int(number(row, "workgroup")), number(row, "median_ns") / 1e6
                    best[size] = min(time, best.get(size, time))
                sizes.update(best)
                if best:
                    axis.plot(sorted(best), [best[size] for size in sorted(best)], "o-", color=colour, markersize=3,
                              linewidth=1, label=variant)
            axis.set_title(f"{test[0]} {test[1]}", fontsize=7)
            axis.set_xscale("log", base=2)
            axis.set_yscale("log")
            set_log_ticks(axis.xaxis, sorted(sizes))
            set_log_axis(axis.yaxis)
            axis.set_xlabel("workgroup size", fontsize=7)
            axis.set_ylabel("ms", fontsize=7)
        add_legend(figure, axes[0])
        save(figure, folder, "workgroups-" + chip)
    return bool(rows)


def draw_distributions(source, folder):
    """The samples of each test relative to its median, one file a chip: boxes to the quartiles, whiskers to the extremes."""
    rows = separate_sets(read_rows(source, "samples", "ns", "chip", "app", "input", "variant"))
    for chip in in_order(row["chip"] for row in rows):
        tests = {}
        for row in rows:
            if row["chip"] == chip:
                own = row["input"] + row["place"][len(chip):]
                tests.setdefault((row["app"], own, row["variant"]), []).append(number(row, "ns"))
        names = sorted(tests, reverse=True)
        figure, axis = plt.subplots(figsize=(6, 0.16 * len(names) + 0.8))
        for place, name in enumerate(names):
            median = statistics.median(tests[name])
            values = [100 * (value / median - 1) for value in tests[name]]
            low, _, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
            axis.hlines(place, min(values), max(values), color="black", linewidth=0.5)
            axis.barh(place, high - low, 0.6, low, color=VARIANTS.get(name[2], "#bbbbbb"), edgecolor="black",
                      linewidth=0.5)
            axis.vlines(0, place - 0.3, place + 0.3, color="black", linewidth=0.9)
        axis.set_yticks(range(len(names)), [" ".join(name) for name in names], fontsize=5)
        axis.set_ylim(-1, len(names))
        axis.set_xscale("symlog", linthresh=10)
        axis.xaxis.set_major_formatter(PLAIN)
        axis.set_xlabel("sample against the median of its test (%)")
        save(figure, folder, "distributions-" + chip)
    return bool(rows)


def draw_figure7(source, folder):
    """Recall of each roll call for the microbenchmarks, on a log scale, with the compute units marked."""
    rows = [row for row in read_rows(source, "recall", "chip", "microbenchmark", "rollcall", "recall_percent")
            if (number(row, "recall_percent") or 0) > 0]
    chips = in_order(row["chip"] for row in rows)
    if not chips:
        return False
    colours = colour_of(in_order(row["rollcall"] for row in rows))
    figure, axes = panels(len(chips), columns=3)
    for axis, chip in zip(axes, chips):
        own = [row for row in rows if row["chip"] == chip]
        kernels = in_order(row["microbenchmark"] for row in own)
        for i, (rollcall, colour) in enumerate(colours.items()):
            cells = [(kernels.index(row["microbenchmark"]), row) for row in own if row["rollcall"] == rollcall]
            axis.bar([place + (i + 0.5) / (len(colours) + 1) for place, _ in cells],
                     [number(row, "recall_percent") for _, row in cells], 1 / (len(colours) + 1), color=colour,
                     label=rollcall)
        for place, kernel in enumerate(kernels):
            units = [number(row, "units_percent") for row in own
                     if row["microbenchmark"] == kernel and row.get("units_percent")]
            if units and units[0] > 0:
                axis.hlines(units[0], place, place + 0.9, color="black", linestyle=":", linewidth=1)
        axis.set_yscale("log")
        axis.set_ylim(top=150)
        set_log_axis(axis.yaxis)
        axis.set_xticks([place + 0.45 for place in range(len(kernels))], kernels)
        axis.set_ylabel("recall (%)")
        axis.set_title(chip, fontsize=8)
    add_legend(figure, axes[0])
    save(figure, folder, "figure7-recall")
    return True


def draw_figure8(source, folder):
    """What a roll call costs against the size of the team it finds, as the workgroup size varies."""
    rows = [row for row in read_rows(source, "rollcall-cost", "chip", "rollcall", "team", "median_ns")
            if row["median_ns"] and row["team"]]
    chips = in_order(row["chip"] for row in rows)
    if not chips:
        return False
    names = in_order((row["rollcall"], row.get("closed_by", "")) for row in rows)
    colours = colour_of(names)
    figure, axes = panels(len(chips), columns=3)
    for axis, chip in zip(axes, chips):
        for name in names:
            points = sorted((number(row, "team"), number(row, "median_ns") / 1e3) for row in rows
                            if row["chip"] == chip and (row["rollcall"], row.get("closed_by", "")) == name)
            if points:
                axis.plot([point[0] for point in points], [point[1] for point in points], "o-", color=colours[name],
                          markersize=3, linewidth=1, label=" ".join(part for part in name if part not in ("", "-", "protocol")))
        axis.set_xscale("log", base=2)
        axis.set_yscale("log")
        axis.xaxis.set_major_formatter(PLAIN)
        axis.yaxis.set_major_formatter(PLAIN)
        axis.set_xlabel("workgroups found")
        axis.set_ylabel("roll call (us)")
        axis.set_title(chip, fontsize=8)
    add_legend(figure, axes[0])
    save(figure, folder, "figure8-rollcall-cost")
    return True


def draw_utilisation(source, folder):
    """How much of the time the device computes when every kernel is followed by a read-back, against the kernel's length."""
    rows = [row for row in read_rows(source, "utilisation", "chip", "readback", "kernel_us", "utilisation_percent")
            if row["kernel_us"] and row["utilisation_percent"]]
    lines = in_order((row["chip"], row["readback"]) for row in rows)
    if not lines:
        return False
    colours = colour_of(lines)
    figure, axis = plt.subplots(figsize=(5, 3))
    for line in lines:
        points = sorted((number(row, "kernel_us"), number(row, "utilisation_percent")) for row in rows
                        if (row["chip"], row["readback"]) == line)
        axis.plot([point[0] for point in points], [point[1] for point in points], "o-", color=colours[line],
                  markersize=3, linewidth=1, label=" ".join(line))
    axis.set_xscale("log")
    set_log_axis(axis.xaxis)
    axis.set_ylim(0, 105)
    axis.set_xlabel("time of one kernel (us)")
    axis.set_ylabel("utilisation (%)")
    axis.legend(fontsize=7)
    save(figure, folder, "launch-utilisation")
    return True


PLOTS = {
    "Figure 7 (recall.csv)": draw_figure7,
    "Figure 8 (rollcall-cost.csv)": draw_figure8,
    "Figure 9 (speedup.csv)": draw_figure9,
    "Figure 10 (slowdown.csv)": draw_figure10,
    "Figure 11 (slowdown.csv)": draw_figure11,
    "time against workgroup size (tuning.csv)": draw_workgroups,
    "distributions (samples.csv)": draw_distributions,
    "launch utilisation (utilisation.csv)": draw_utilisation,
}


def main(arguments):
    if len(arguments) != 3:
        print("usage: plots.py CSV-FOLDER SVG-FOLDER", file=sys.stderr)
        return 2
    source, folder = arguments[1:]
    os.makedirs(folder, exist_ok=True)
    for name, draw in PLOTS.items():
        if not draw(source, folder):
            print(f"plots.py: note: {name} is skipped: no rows for it in {source}", file=sys.stderr)
    with open(os.path.join(folder, "matplotlib-version.txt"), "w", encoding="utf-8") as file:
        file.write(matplotlib.__version__ + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
