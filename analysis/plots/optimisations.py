"""The plots of the optimisation study: figures 4.1 to 4.6 and 4.8 of Sorensen's thesis (2018), for the chips here.

They read strategies.csv, top.csv, features.csv, necessary.csv and heatmap.csv, as `muster table` prints them.
"""

import math

from drawing import colour_of, COLOURS, in_order, INK, number, plt, read_rows, save, WIDTH

GOOD, NEUTRAL, BAD = COLOURS[2], "#bbbbbb", COLOURS[1]


def draw_parts(axis, rows, label, parts, colours):
    """A lying bar a row, in percent, of the counts in some columns, which are written into it."""
    for place, row in enumerate(rows):
        counts = [number(row, part) or 0 for part in parts]
        whole, left = sum(counts), 0
        for count, colour in zip(counts, colours):
            width = 100 * count / whole if whole else 0
            axis.barh(place, width, 0.7, left, color=colour)
            if width > 6:
                axis.text(left + width / 2, place, f"{count:g}", ha="center", va="center", fontsize=7)
            left += width
    axis.set_yticks(range(len(rows)), [row[label] for row in rows])
    axis.set_ylim(len(rows) - 0.4, -0.6)
    axis.set_xlim(0, 100)
    axis.grid(axis="y", visible=False)
    axis.set_xlabel("tests (%)")


def add_keys(axis, names, colours):
    """The colours of the parts, above the axis."""
    keys = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in colours]
    axis.legend(keys, names, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(names), fontsize=7, columnspacing=1)


def draw_strategies(source, folder):
    """Figures 4.5 and 4.6: how many tests each strategy speeds up or slows down, and its mean time over the oracle's."""
    rows = read_rows(source, "strategies", "strategy", "speedups", "no_change", "slowdowns", "over_oracle")
    if not rows:
        return False
    figure, (counts, means) = plt.subplots(1, 2, figsize=(WIDTH, 0.3 * len(rows) + 0.6), sharey=True)
    draw_parts(counts, rows, "strategy", ["speedups", "no_change", "slowdowns"], [GOOD, NEUTRAL, BAD])
    add_keys(counts, ["speedup", "no change", "slowdown"], [GOOD, NEUTRAL, BAD])
    for place, row in enumerate(rows):
        value = number(row, "over_oracle")
        if value is None:
            continue
        low, high = number(row, "over_oracle_low") or value, number(row, "over_oracle_high") or value
        means.errorbar([value], [place], xerr=[[value - low], [high - value]], fmt="o", color=COLOURS[0], markersize=4)
        means.text(1.01, place, f"{value:.2f}", transform=means.get_yaxis_transform(), va="center", fontsize=8)
    means.axvline(1, color=INK, linewidth=1)
    means.set_xlabel("time / oracle's, geometric mean")
    means.grid(axis="y", visible=False)
    figure.subplots_adjust(wspace=0.08)
    save(figure, folder, "optimisation-strategies")
    return True


def draw_top(source, folder):
    """Figures 4.2 and 4.3: the top speedups of the tests, by chip and by feature class."""
    blocks = [
        ("chip", read_rows(source, "top", "chip", "tests", "none")),
        ("feature_class", read_rows(source, "features", "feature_class", "tests", "none")),
    ]
    blocks = [(label, rows) for label, rows in blocks if rows]
    if not blocks:
        return False
    heights = [len(rows) for _, rows in blocks]
    figure, axes = plt.subplots(len(blocks), 1, figsize=(WIDTH * 0.8, 0.3 * sum(heights) + 0.9 * len(blocks)),
                                height_ratios=heights, squeeze=False)
    bins = [name for name in blocks[0][1][0] if name == "none" or name.startswith(("below_", "from_"))]
    colours = ["#dddddd"] + [plt.get_cmap("viridis")(0.35 + 0.6 * i / (len(bins) - 1)) for i in range(1, len(bins))]
    for axis, (label, rows) in zip(axes.flat, blocks):
        draw_parts(axis, rows, label, bins, colours)
    names = [name.replace("below_", "< ").replace("from_", "≥ ").replace("none", "no speedup") for name in bins]
    add_keys(axes.flat[0], names, colours)
    figure.subplots_adjust(hspace=0.9)
    save(figure, folder, "optimisation-top")
    return True


def draw_necessary(source, folder):
    """Figure 4.4: of how many fastest configurations an optimisation is a needed part, and how many it would harm."""
    rows = [row for row in read_rows(source, "necessary", "optimisation", "beneficial", "benign", "harmful")
            if number(row, "tests")]
    if not rows:
        return False
    figure, axis = plt.subplots(figsize=(WIDTH * 0.7, 0.3 * len(rows) + 0.6))
    draw_parts(axis, rows, "optimisation", ["beneficial", "benign", "harmful"], [GOOD, NEUTRAL, BAD])
    add_keys(axis, ["beneficial", "benign", "harmful"], [GOOD, NEUTRAL, BAD])
    save(figure, folder, "optimisation-necessary")
    return True


def draw_needed(source, folder):
    """Figure 4.1: in how many tests of each chip an optimisation is needed for the top speedup."""
    rows = read_rows(source, "necessary", "chip", "sz256", "oitergb")
    if not rows:
        return False
    names = [name for name in rows[0] if name != "chip"]
    figure, axis = plt.subplots(figsize=(WIDTH * 0.7, 0.18 * len(rows) * len(names) * 0.6 + 0.8))
    colours = colour_of(names)
    for place, row in enumerate(rows):
        for i, name in enumerate(names):
            y = place + (i - (len(names) - 1) / 2) * 0.8 / len(names)
            axis.barh(y, number(row, name) or 0, 0.8 / len(names), color=colours[name], label=name if place == 0 else None)
    axis.set_yticks(range(len(rows)), [row["chip"] for row in rows])
    axis.set_ylim(len(rows) - 0.4, -0.6)
    axis.grid(axis="y", visible=False)
    axis.set_xlabel("tests that need it")
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, fontsize=7, columnspacing=1)
    save(figure, folder, "optimisation-needed")
    return True


def draw_heatmap(source, folder):
    """Figure 4.8: the slowdown of each chip in the configurations that are the fastest on each other."""
    rows = [row for row in read_rows(source, "heatmap", "executed_on", "tuned_for", "slowdown") if row["slowdown"]]
    chips = in_order(row["executed_on"] for row in rows)
    if len(chips) < 2:
        return False
    cells = {(row["executed_on"], row["tuned_for"]): number(row, "slowdown") for row in rows}
    values = [[cells.get((on, tuned), math.nan) for tuned in chips] for on in chips]
    figure, axis = plt.subplots(figsize=(1.6 + 0.7 * len(chips), 0.9 + 0.45 * len(chips)))
    highest = max([1.5] + [value for line in values for value in line if value == value])
    axis.imshow(values, cmap="YlOrRd", vmin=1, vmax=highest, aspect="auto")
    for y, line in enumerate(values):
        for x, value in enumerate(line):
            if value == value:
                axis.text(x, y, f"{value:.2f}", ha="center", va="center", fontsize=8,
                          color="white" if value > 1 + 0.7 * (highest - 1) else "black")
    axis.set_xticks(range(len(chips)), chips, rotation=30, ha="right")
    axis.set_yticks(range(len(chips)), chips)
    axis.grid(visible=False)
    axis.set_xlabel("configurations tuned for")
    axis.set_ylabel("executed on")
    save(figure, folder, "optimisation-heatmap")
    return True


PLOTS = {
    "Figures 4.5 and 4.6 of the thesis (strategies.csv)": draw_strategies,
    "Figures 4.2 and 4.3 of the thesis (top.csv, features.csv)": draw_top,
    "Figure 4.4 of the thesis (necessary.csv)": draw_necessary,
    "Figure 4.1 of the thesis (necessary.csv)": draw_needed,
    "Figure 4.8 of the thesis (heatmap.csv)": draw_heatmap,
}
