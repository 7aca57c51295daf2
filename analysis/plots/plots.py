#!/usr/bin/env python3
"""Draws the plots of a results folder: plots.py CSV-FOLDER SVG-FOLDER.

As many processors work as MUSTER_JOBS says, all without it.

Reads nothing but what `muster table NAME --format=csv` prints (slowdown.csv, tuning.csv, samples.csv, recall.csv,
rollcall-cost.csv, utilisation.csv, growth.csv; ratios.py, optimisations.py and persistent.py say what they read), and writes SVG that is
the same, byte for byte, for the same CSV and the same matplotlib. A plot whose CSV is missing or has no rows is skipped with a note.

Figures 7 to 11 are those of Sorensen and others, "Portable Inter-workgroup Barrier Synchronisation for GPUs", OOPSLA
2016, for the chips here; the launch utilisation is Figure 4.7 of Sorensen's thesis.

Where the environment has MUSTER_PROGRESS=1, each plot is a line on file descriptor 3 instead of a note where it is skipped.
"""

import concurrent.futures
import os
import statistics
import sys

import matplotlib

sys.dont_write_bytecode = True  # nothing is left beside the installed scripts
from drawing import (  # noqa: E402
    add_legend,
    colour_of,
    in_order,
    INK,
    KERNELS,
    marks_of,
    number,
    panels,
    PLAIN,
    read_rows,
    save,
    separate_sets,
    set_log_axis,
    set_log_ticks,
    VARIANTS,
    WIDTH,
    plt,
)
import cooperative  # noqa: E402
import optimisations  # noqa: E402
import persistent  # noqa: E402
import ratios  # noqa: E402


def draw_figure11(source, folder):
    """What portability costs against how long the specialised variant takes: a cost that is constant falls to the right."""
    rows = separate_sets([row for row in read_rows(source, "slowdown", "slowdown", "denominator_ns") if row["slowdown"]])
    chips = in_order(row["place"] for row in rows)
    if not chips:
        return False
    colours, marks = colour_of(chips), marks_of(chips)
    figure, axis = plt.subplots(figsize=(WIDTH * 0.8, 3.2))
    for chip in chips:
        own = [row for row in rows if row["place"] == chip]
        values = [number(row, "slowdown") for row in own]
        ends = [(number(row, "slowdown_low") or value, number(row, "slowdown_high") or value)
                for row, value in zip(own, values)]
        axis.errorbar([number(row, "denominator_ns") / 1e6 for row in own], values,
                      yerr=[[value - low for value, (low, _) in zip(values, ends)],
                            [high - value for value, (_, high) in zip(values, ends)]],
                      fmt=marks[chip], color=colours[chip], markersize=4, elinewidth=0.6, label=chip)
    axis.axhline(1, color=INK, linewidth=1)
    axis.set_xscale("log")
    set_log_axis(axis.xaxis)
    values = [number(row, "slowdown") for row in rows]  # not the intervals, which may be of any width
    axis.set_yscale("log")
    axis.set_ylim(min(values) / 1.2, max(values) * 1.2)
    set_log_axis(axis.yaxis)
    axis.set_xlabel("time of the specialised variant (ms)")
    axis.set_ylabel("slowdown: portable / specialised")
    add_legend(figure, axis)
    save(figure, folder, "figure11-overhead")
    return True


def with_interval(row, column, unit):
    """(value, low, high) of a column; where there is no interval, its ends are the value."""
    value = number(row, column) / unit
    return (value, *(ends / unit if ends is not None else value
                     for ends in (number(row, column + "_low"), number(row, column + "_high"))))


def draw_curve(axis, points, style, colour, label):
    """Points (x, value, low, high) with their intervals, and the line through them."""
    places, values, lows, highs = zip(*points)
    axis.errorbar(places, values, yerr=[[max(value - low, 0) for value, low in zip(values, lows)],
                                        [max(high - value, 0) for value, high in zip(values, highs)]],
                  fmt=style, color=colour, markersize=4, linewidth=1, elinewidth=0.7, label=label)


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
                    size, time = int(number(row, "workgroup")), with_interval(row, "median_ns", 1e6)
                    best[size] = min(time, best.get(size, time))
                sizes.update(best)
                if best:
                    draw_curve(axis, [(size, *best[size]) for size in sorted(best)], "o-", colour, variant)
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
        figure, axis = plt.subplots(figsize=(WIDTH * 0.7, 0.16 * len(names) + 0.8))
        spread = []  # least, lower quartile, upper quartile, most
        for name in names:
            median = statistics.median(tests[name])
            values = [100 * (value / median - 1) for value in tests[name]]
            low, _, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
            spread.append((min(values), low, high, max(values)))
        places = list(range(len(names)))
        least, low, high, most = zip(*spread)
        axis.hlines(places, least, most, color=INK, linewidth=0.5)
        axis.barh(places, [end - start for start, end in zip(low, high)], 0.6, low,
                  color=[VARIANTS.get(name[2], "#bbbbbb") for name in names], edgecolor=INK, linewidth=0.5)
        axis.vlines([0] * len(names), [place - 0.3 for place in places], [place + 0.3 for place in places], color=INK,
                    linewidth=0.9)
        axis.set_yticks(range(len(names)), [" ".join(name) for name in names], fontsize=7)
        axis.set_ylim(-1, len(names))
        axis.set_xscale("symlog", linthresh=10)
        axis.xaxis.set_major_formatter(PLAIN)
        axis.set_xlabel("sample against the median of its test (%)")
        save(figure, folder, "distributions-" + chip)
    return bool(rows)


def draw_figure7(source, folder):
    """Recall of each roll call for the microbenchmarks, from 0 to 100 %, with its deviation and the compute units marked."""
    rows = [row for row in read_rows(source, "recall", "chip", "microbenchmark", "rollcall", "recall_percent")
            if number(row, "recall_percent") is not None]
    chips = in_order(row["chip"] for row in rows)
    if not chips:
        return False
    names = in_order(row["rollcall"] for row in rows)
    colours = colour_of(names)
    figure, axes = panels(len(chips), width=4, height=0.13 * 4 * (len(names) + 1) + 0.4, columns=2, wspace=0.85)
    for axis, chip in zip(axes, chips):
        own = [row for row in rows if row["chip"] == chip]
        kernels = in_order(row["microbenchmark"] for row in own)
        for i, (rollcall, colour) in enumerate(colours.items()):
            cells = [(kernels.index(row["microbenchmark"]), row) for row in own if row["rollcall"] == rollcall]
            axis.barh([place + (i + 0.5) / (len(colours) + 1) for place, _ in cells],
                      [number(row, "recall_percent") for _, row in cells], 0.8 / (len(colours) + 1), color=colour,
                      xerr=[number(row, "deviation_percent") or 0 for _, row in cells],
                      error_kw={"linewidth": 0.7, "ecolor": INK}, label=rollcall)
        for place, kernel in enumerate(kernels):
            units = [number(row, "units_percent") for row in own
                     if row["microbenchmark"] == kernel and row.get("units_percent")]
            if units and units[0] > 0:
                axis.vlines(units[0], place, place + 0.9, color=INK, linestyle=":", linewidth=1,
                            label=None if place else "one workgroup a compute unit")
        axis.set_xlim(0, 105)
        axis.set_ylim(len(kernels), -0.1)
        axis.set_yticks([place + 0.45 for place in range(len(kernels))],
                        [KERNELS.get(kernel, kernel).replace(", ", ",\n") for kernel in kernels], fontsize=8)
        axis.grid(axis="y", visible=False)
        axis.set_xlabel("recall (%)", fontsize=8)
        axis.set_title(chip, loc="left", fontweight="bold")
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
    colours, marks = colour_of(names), marks_of(names)
    figure, axes = panels(len(chips))
    for axis, chip in zip(axes, chips):
        for name in names:
            own = sorted((row for row in rows
                          if row["chip"] == chip and (row["rollcall"], row.get("closed_by", "")) == name),
                         key=lambda row: (number(row, "team"), number(row, "median_ns")))
            points = [(number(row, "team"), *with_interval(row, "median_ns", 1e3)) for row in own]
            if points:
                draw_curve(axis, points, "-" + marks[name], colours[name],
                           " ".join(part for part in name if part not in ("", "-", "protocol")))
        axis.set_xscale("log", base=2)
        axis.set_yscale("log")
        axis.xaxis.set_major_formatter(PLAIN)
        set_log_axis(axis.yaxis)
        axis.set_xlabel("workgroups found", fontsize=8)
        axis.set_ylabel("roll call (µs)", fontsize=8)
        axis.set_title(chip, loc="left", fontweight="bold")
    add_legend(figure, axes[0])
    save(figure, folder, "figure8-rollcall-cost")
    return True


def draw_utilisation(source, folder):
    """How much of the time the device computes when every kernel is followed by a read-back, against the kernel's length."""
    rows = [row for row in read_rows(source, "utilisation", "chip", "readback", "kernel_us", "utilisation_percent")
            if row["kernel_us"] and row["utilisation_percent"]]
    chips = in_order(row["chip"] for row in rows)
    if not chips:
        return False
    ways = in_order(row["readback"] for row in rows)
    colours, marks = colour_of(ways), marks_of(ways)
    figure, axes = panels(len(chips))
    for axis, chip in zip(axes, chips):
        for way in ways:
            points = sorted((number(row, "kernel_us"), number(row, "utilisation_percent")) for row in rows
                            if (row["chip"], row["readback"]) == (chip, way))
            if points:
                axis.plot([point[0] for point in points], [point[1] for point in points], "-" + marks[way],
                          color=colours[way], markersize=4, linewidth=1, label=way)
        axis.set_xscale("log")
        axis.xaxis.set_major_formatter(PLAIN)
        # Above 100 % where a kernel took less than it took alone.
        most = max(number(row, "utilisation_percent") for row in rows if row["chip"] == chip)
        axis.set_ylim(0, 1.05 * max(100, most))
        axis.set_xlabel("time of one kernel (µs)", fontsize=8)
        axis.set_ylabel("utilisation (%)", fontsize=8)
        axis.set_title(chip, loc="left", fontweight="bold")
    add_legend(figure, axes[0])
    save(figure, folder, "launch-utilisation")
    return True


def draw_growth(source, folder):
    """Time for each arc against the arcs of inputs of one kind, beside what a copy of the least that is moved would take."""
    rows = separate_sets([row for row in read_rows(source, "growth", "elements", "ps_per_element", "copy_ps_per_element")
                          if row["variant"] == "portable" and row["ps_per_element"]])
    series = {}
    for row in rows:
        panel, app = (row["place"], row["input"].split(":")[0]), row["app"].split("/")[1]
        series.setdefault(panel, {}).setdefault(app, {})[number(row, "elements")] = row
    series = {panel: {app: sizes for app, sizes in apps.items() if len(sizes) > 2} for panel, apps in series.items()}
    series = {panel: apps for panel, apps in series.items() if apps}
    if not series:
        return False
    apps = sorted({app for panel in series.values() for app in panel})
    colours, marks = colour_of(apps), marks_of(apps)
    figure, axes = panels(len(series))
    for axis, (panel, lines) in zip(axes, series.items()):
        for app, sizes in lines.items():
            points = sorted((size, *with_interval(row, "ps_per_element", 1)) for size, row in sizes.items())
            draw_curve(axis, points, "-" + marks[app], colours[app], app)
            copies = sorted((size, number(row, "copy_ps_per_element")) for size, row in sizes.items()
                            if row["copy_ps_per_element"])
        if copies:
            axis.plot(*zip(*copies), ":", color=INK, linewidth=1, label="copy")
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel("triangles" if panel[1].startswith("mesh") else "arcs", fontsize=8)
        axis.set_ylabel("ps for each", fontsize=8)
        set_log_axis(axis.yaxis)
        axis.set_title(f"{panel[0]}, {panel[1]}", loc="left", fontsize=7)
        axis.legend(fontsize=7)
    save(figure, folder, "growth")
    return True


PLOTS = {
    "Figure 7 (recall.csv)": draw_figure7,
    "Figure 8 (rollcall-cost.csv)": draw_figure8,
    **ratios.PLOTS,
    "Figure 11 (slowdown.csv)": draw_figure11,
    "time against workgroup size (tuning.csv)": draw_workgroups,
    "distributions (samples.csv)": draw_distributions,
    "launch utilisation (utilisation.csv)": draw_utilisation,
    "time for each arc (growth.csv)": draw_growth,
    **optimisations.PLOTS,
    **persistent.PLOTS,
    **cooperative.PLOTS,
}


# Those of the page of `muster report`, which is to be small and soon made.
PAGE = {*list(ratios.PLOTS)[:2], *list(optimisations.PLOTS)[:1]}


def draw_one(name, source, folder):
    """Whether there was something to draw. Tells that it is done."""
    drawn = PLOTS[name](source, folder)
    if os.environ.get("MUSTER_PROGRESS"):
        os.write(3, f'{"plot" if drawn else "no plot of"} {name}\n'.encode())
    return drawn


def processors():
    try:
        return int(os.environ.get("MUSTER_JOBS") or len(os.sched_getaffinity(0)))
    except ValueError:
        return 1


def main(arguments):
    if len(arguments) not in (3, 4) or arguments[3:] not in ([], ["page"]):
        print("usage: plots.py CSV-FOLDER SVG-FOLDER [page]", file=sys.stderr)
        return 2
    source, folder = arguments[1:3]
    wanted = [name for name in PLOTS if name in PAGE or len(arguments) == 3]
    os.makedirs(folder, exist_ok=True)
    with concurrent.futures.ProcessPoolExecutor(max(1, min(processors(), len(wanted)))) as pool:
        # What takes longest begins first.
        order = sorted(wanted, key=lambda name: "samples" not in name)
        drawn = {name: pool.submit(draw_one, name, source, folder) for name in order}
        for name in wanted:
            if not drawn[name].result() and not os.environ.get("MUSTER_PROGRESS"):
                print(f"plots.py: note: {name} is skipped: there are no rows for it", file=sys.stderr)
    with open(os.path.join(folder, "matplotlib-version.txt"), "w", encoding="utf-8") as file:
        file.write(matplotlib.__version__ + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
