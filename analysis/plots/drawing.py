"""What every plot needs: reading the CSV that muster prints, colours and marks, axes, panels, and saving an SVG."""

import csv
import math
import os

import matplotlib

matplotlib.use("svg")
# Ink is drawn in these two colours and becomes the colour of the text around the picture in `save`, so that it can be read
# on light and on dark paper. Data have colours that the colour-blind tell apart (Okabe and Ito 2008), each with a mark of
# its own.
INK = "#1a1a1b"
PALE = "#9a9a9b"
matplotlib.rcParams.update(
    {
        "svg.hashsalt": "muster",
        "svg.fonttype": "none",
        "font.size": 9,
        "text.color": INK,
        "axes.edgecolor": PALE,
        "axes.labelcolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "grid.color": PALE,
        "grid.linewidth": 0.4,
        "grid.alpha": 0.6,
        "legend.frameon": False,
        "figure.dpi": 100,
    }
)
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator  # noqa: E402

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#888888"]
MARKS = ["o", "s", "^", "D", "v", "P", "X", "*"]
VARIANTS = {"multi-kernel": "#0072b2", "portable": "#009e73", "specialised": "#d55e00"}
# The four microbenchmarks of the paper, of one work-item or the largest workgroup, with little or all local memory.
KERNELS = {
    "11": "1 work-item",
    "1W": "largest workgroup",
    "L1": "1 work-item, all local memory",
    "LW": "largest workgroup, all local memory",
}
WIDTH = 8.3  # inches: 830 pixels
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
    """Names the set behind the chip where a chip has several, and the clock behind the set where that has two: their
    figures are never put together.
    """
    sets, clocks = {}, {}
    for row in rows:
        sets.setdefault(row["chip"], set()).add(row.get("set", ""))
        clocks.setdefault((row["chip"], row.get("set", "")), set()).add(row.get("clock", ""))
    for row in rows:
        row["place"] = row["chip"]
        if len(sets[row["chip"]]) > 1 and row.get("set"):
            row["place"] += f' {row["set"]}'
        if len(clocks[row["chip"], row.get("set", "")]) > 1:
            row["place"] += " (with set-up)" if row["clock"] == "run" else " (without set-up)"
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


def marks_of(things):
    return {thing: MARKS[i % len(MARKS)] for i, thing in enumerate(things)}


# Where a picture stands alone, it follows the reader's choice of light or dark.
SVG_STYLE = "<style>svg{color:#1a1a1b}@media(prefers-color-scheme:dark){svg{color:#e8e8e8}}</style>"


def save(figure, folder, name):
    path = os.path.join(folder, name + ".svg")
    figure.savefig(path, metadata={"Date": None, "Creator": None}, bbox_inches="tight", transparent=True)
    plt.close(figure)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = text.replace(INK, "currentColor").replace(PALE, "currentColor; opacity: 0.45")
    text = text.replace("<defs>", SVG_STYLE + "<defs>", 1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def set_log_ticks(axis, ticks):
    axis.set_major_formatter(PLAIN)
    axis.set_minor_formatter(NullFormatter())
    axis.set_ticks(ticks)


class ThreeTicks(LogLocator):
    """Labels at 1, 2 and 5 of each decade; where fewer than three of these are in view, at more places."""

    def tick_values(self, vmin, vmax):
        decades = range(math.floor(math.log10(vmin)), math.ceil(math.log10(vmax)))
        for subs in ((1, 2, 5), (1, 1.5, 2, 3, 5, 7)):
            if sum(vmin <= sub * 10.0**decade <= vmax for decade in decades for sub in subs) >= 3:
                return LogLocator(subs=subs).tick_values(vmin, vmax)
        return MaxNLocator(4, min_n_ticks=3).tick_values(vmin, vmax)


def set_log_axis(axis):
    axis.set_major_locator(ThreeTicks())
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(PLAIN)


def panels(count, width=2.9, height=2.2, columns=2, wspace=0.45):
    """A figure with `count` axes, and the axes: two beside each other, whose texts can be read 390 pixels wide, too."""
    columns = max(1, min(columns, count))
    rows = math.ceil(count / columns)
    figure, axes = plt.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False)
    flat = list(axes.flat)
    for axis in flat[count:]:
        axis.set_visible(False)
    figure.subplots_adjust(hspace=1.3 / height, wspace=wspace)  # so many inches between two rows
    return figure, flat[:count]


def add_legend(figure, axis):
    """The legend of one of several axes, above them all, where no data are."""
    handles, labels = axis.get_legend_handles_labels()
    height = figure.get_size_inches()[1]
    figure.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, 0.89 + 0.3 / height),
                  ncols=min(4 if max(map(len, labels), default=0) < 24 else 2, len(labels)), fontsize=8)


def powers_of_two(low, high):
    return [2.0**i for i in range(math.floor(math.log2(low)), math.ceil(math.log2(high)) + 1)]


def suites_of(rows):
    """The rows in order of suite, app and input, a heading before those of each suite: None, or a row."""
    ordered = sorted(rows, key=lambda row: (row["app"], row["input"]))
    lines = []
    for suite in in_order(row["app"].split("/")[0] for row in ordered):
        lines.append((suite, None))
        lines.extend((suite, row) for row in ordered if row["app"].split("/")[0] == suite)
    return lines
