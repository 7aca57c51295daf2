"""The plots of the persistent-threads study: figures 4 to 10 of Gupta, Stuart and Owens (InPar 2012), for the chips here.

They read persistent.csv, as `muster table persistent` prints it: a table for each use case.
"""

from matplotlib.ticker import FuncFormatter

from drawing import add_legend, colour_of, COLOURS, in_order, INK, marks_of, number, panels, plt, read_rows, save, set_log_axis, WIDTH

THOUSANDS = FuncFormatter(lambda value, _: f"{value / 1e6:g}M" if value >= 1e6 else f"{value / 1e3:g}k" if value >= 1e3
                          else f"{value:g}")
WAYS = {"locked": COLOURS[1], "ring": COLOURS[0], "steal": COLOURS[2]}


def draw_gap(source, folder):
    """Figure 4-I: what lies between a producer's end and its consumer's start."""
    rows = [row for row in read_rows(source, "persistent", "chip", "readback_ns", "host_ns", "launch_ns", "behind_ns")
            if row["readback_ns"]]
    if not rows:
        return False
    figure, axis = plt.subplots(figsize=(WIDTH * 0.7, 0.6 * len(rows) + 0.6))
    for place, row in enumerate(rows):
        left = 0
        for part, (column, name) in enumerate((("readback_ns", "read-back"), ("host_ns", "host"), ("launch_ns", "launch"))):
            width = number(row, column) / 1e3
            axis.barh(place - 0.2, width, 0.36, left, color=COLOURS[part], label=name if place == 0 else None)
            left += width
        axis.barh(place + 0.2, number(row, "behind_ns") / 1e3, 0.36, color=COLOURS[3],
                  label="enqueued before" if place == 0 else None)
    axis.set_yticks(range(len(rows)), [row["chip"] for row in rows])
    axis.set_ylim(len(rows) - 0.5, -0.5)
    axis.set_xlabel("from the producer's end to the consumer's start (µs)")
    axis.grid(axis="y", visible=False)
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, fontsize=8)
    save(figure, folder, "persistent-gap")
    return True


def draw_line(axis, rows, x, speedup, style):
    """A line of speedups with their intervals, over the values of a column."""
    own = sorted((row for row in rows if row[x] and row[speedup]), key=lambda row: number(row, x))
    values = [number(row, speedup) for row in own]
    lows = [number(row, speedup + "_low") or number(row, speedup) for row in own]
    highs = [number(row, speedup + "_high") or number(row, speedup) for row in own]
    if own:
        axis.errorbar([number(row, x) for row in own], values,
                      yerr=[[max(value - low, 0) for value, low in zip(values, lows)],
                            [max(high - value, 0) for value, high in zip(values, highs)]],
                      markersize=4, linewidth=1, elinewidth=0.7, **style)


def finish(axis, title, xlabel, least):
    """Where both ways are as good, and what the axes are."""
    axis.axhline(1, color=INK, linewidth=1)
    if least > 0:
        axis.set_xscale("log")
    else:
        axis.set_xscale("symlog", linthresh=1)
        axis.set_xlim(left=-0.3)
    axis.set_yscale("log")
    axis.xaxis.set_major_formatter(THOUSANDS)
    axis.tick_params(axis="x", labelsize=7)
    set_log_axis(axis.yaxis)
    axis.set_xlabel(xlabel, fontsize=8)
    axis.set_ylabel("speedup of what stays", fontsize=8)
    axis.set_title(title, loc="left", fontsize=6)


def draw_families(figure_of, families, x, xlabel, name, folder):
    """A panel for each family of points; figure_of: the lines of a family, as (label, rows, column of the speedup)."""
    if not families:
        return False
    labels = in_order(label for rows in families.values() for label, _, _ in figure_of(rows))
    colours, marks = colour_of(labels), marks_of(labels)
    colours.update({label: WAYS[label] for label in labels if label in WAYS})
    figure, axes = panels(len(families))
    for axis, (title, rows) in zip(axes, families.items()):
        for label, own, speedup in figure_of(rows):
            draw_line(axis, own, x, speedup, {"fmt": "-" + marks[label], "color": colours[label], "label": label})
        finish(axis, title, xlabel, min(number(row, x) for row in rows))
    add_legend(figure, axes[0])
    save(figure, folder, name)
    return True


def families_of(rows, title):
    families = {}
    for row in rows:
        families.setdefault(title(row), []).append(row)
    return families


def lines_by(column, text):
    """The lines of a panel: one for each value of a column."""
    def lines(rows):
        values = sorted(in_order(row[column] for row in rows), key=float)
        return [(text.format(value), [row for row in rows if row[column] == value], "speedup") for value in values]
    return lines


def draw_handover(source, folder):
    """Figure 5: a producer that finds out how many blocks its consumer has."""
    rows = read_rows(source, "persistent", "chip", "kind", "fmas", "blocks", "speedup")
    families = families_of(rows, lambda row: f'{row["chip"]}, {row["kind"]} bound')
    return draw_families(lines_by("fmas", "{} multiply-adds"), families, "blocks", "blocks", "persistent-handover", folder)


def draw_forest(source, folder):
    """Figures 6 to 8: work queues against a launch for each level, over the work of an item."""
    rows = read_rows(source, "persistent", "chip", "shape", "depth", "locked", "steal")
    families = families_of(rows, lambda row: f'{row["chip"]}: {row["inputs"]} {row["shape"]}, depth {row["depth"]}')
    return draw_families(lambda own: [(way, own, way) for way in WAYS], families, "fmas", "multiply-adds an item",
                         "persistent-forest", folder)


def draw_locality(source, folder):
    """Figure 9: a sum, and work in two stages."""
    sums = families_of(read_rows(source, "persistent", "chip", "floats", "speedup"),
                       lambda row: row["chip"])
    drawn = draw_families(lambda own: [("one barrier", own, "speedup")], sums, "floats", "floats", "persistent-reduce", folder)
    stages = families_of(read_rows(source, "persistent", "chip", "keep", "speedup_one", "speedup_two"),
                         lambda row: f'{row["chip"]}: {row["blocks"]} blocks, {row["fmas"]} multiply-adds')
    both = lambda own: [("over one kernel", own, "speedup_one"), ("over two", own, "speedup_two")]  # noqa: E731
    return draw_families(both, stages, "keep", "items of 256 that go on", "persistent-stages", folder) or drawn


def draw_sync(source, folder):
    """Figure 10: rounds by launches against the barrier, over the work of a round."""
    rows = read_rows(source, "persistent", "chip", "fmas", "rounds", "barrier_ns", "speedup")
    families = families_of(rows, lambda row: f'{row["chip"]}, {row["rounds"]} rounds')
    return draw_families(lines_by("blocks", "{} blocks"), families, "fmas", "multiply-adds a round", "persistent-sync", folder)


PLOTS = {
    "Figure 4-I of the persistent-threads study (persistent.csv)": draw_gap,
    "Figure 5 of the persistent-threads study (persistent.csv)": draw_handover,
    "Figures 6 to 8 of the persistent-threads study (persistent.csv)": draw_forest,
    "Figure 9 of the persistent-threads study (persistent.csv)": draw_locality,
    "Figure 10 of the persistent-threads study (persistent.csv)": draw_sync,
}
