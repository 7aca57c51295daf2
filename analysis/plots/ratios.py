"""Speedups and slowdowns, a row a test with its interval: Figures 9 and 10, and the picture that a page begins with.

They read speedup.csv and slowdown.csv, and headline.csv for the intervals of the means. A page is read on a desk and on a
telephone: its first picture is drawn twice, with labels and figures beside the points, and above them.
"""

import math
import statistics

from drawing import COLOURS, in_order, INK, number, plt, powers_of_two, read_rows, save, separate_sets, set_log_ticks, suites_of, WIDTH
import headline

NARROW = 3.3  # inches: 320 pixels
SPEEDUP = "speedup: multi-kernel / portable (above 1 the barrier pays)"
SLOWDOWN = "slowdown: portable / specialised (above 1 portability costs)"


def ratio_text(value, low, high):
    return f"{value:.2f}" if low is None else f"{value:.2f} [{low:.2f}, {high:.2f}]"


def lines_of(rows, column, means):
    """(label, whether it is a heading, value, low, high) of each line of a chip: its suites, their tests, and the mean."""
    lines = []
    for suite, row in suites_of(rows):
        if row is None:
            lines.append((suite, True, None, None, None))
            continue
        label = f'{row["app"].split("/")[-1]}  {row["input"]}'
        lines.append((label, False, *(number(row, column + end) for end in ("", "_low", "_high"))))
    mean = math.exp(statistics.fmean(math.log(number(row, column)) for row in rows))
    low, high = means.get((rows[0]["chip"], rows[0].get("set", ""), rows[0].get("clock", "")), (None, None))
    return lines + [("geometric mean", False, mean, low, high)]


def read_means(source, column):
    """(low, high) of the mean of each chip, set and clock, as far as the table of headlines has them."""
    rows = read_rows(source, "headline", "chip", "set", column + "_low", column + "_high")
    ends = {(row["chip"], row["set"], row.get("clock", "")): (number(row, column + "_low"), number(row, column + "_high")) for row in rows}
    return {place: pair for place, pair in ends.items() if None not in pair}


def draw_points(axis, lines, below):
    """The points and intervals, each so far below the place of its line; the mean is the last."""
    for place, (_, _, value, low, high) in enumerate(lines):
        if value is None:
            continue
        mean = place == len(lines) - 1
        colour = COLOURS[1 if mean else 0]
        axis.errorbar([value], [place + below], xerr=None if low is None else [[max(value - low, 0)], [max(high - value, 0)]],
                      fmt="D" if mean else "o", color=colour, markersize=5 if mean else 4, linewidth=1.2,
                      markerfacecolor="none" if low is None and not mean else colour)
    axis.tick_params(axis="y", length=0)


def draw_panel(axis, lines):
    """One chip, on a desk: labels at the left of the points, figures at the right."""
    draw_points(axis, lines, 0)
    axis.axvline(1, color=INK, linewidth=1)
    axis.grid(axis="y", visible=False)
    axis.set_yticks(range(len(lines)), [line[0] for line in lines])
    for label, (_, heading, *_) in zip(axis.get_yticklabels(), lines):
        label.set_fontweight("bold" if heading else "normal")
    for place, (_, _, value, low, high) in enumerate(lines):
        if value is not None:
            axis.text(1.01, place, ratio_text(value, low, high), transform=axis.get_yaxis_transform(), va="center", fontsize=8)
    axis.set_ylim(len(lines) - 0.5, -0.5)


def draw_narrow_panel(axis, lines):
    """The same on a telephone: labels and figures above the points."""
    draw_points(axis, lines, 0.45)
    # No line runs through a text.
    axis.grid(visible=False)
    axis.vlines([1] * len(lines), [place + 0.25 for place in range(len(lines))], [place + 0.65 for place in range(len(lines))],
                color=[INK if line[2] is not None else "none" for line in lines], linewidth=1)
    axis.set_yticks([])
    axis.spines.left.set_visible(False)
    for place, (text, heading, value, low, high) in enumerate(lines):
        across = axis.get_yaxis_transform()
        axis.text(0, place, text, transform=across, va="center", fontweight="bold" if heading else "normal")
        if value is not None:
            axis.text(1, place, ratio_text(value, low, high), transform=across, va="center", ha="right")
    axis.set_ylim(len(lines) - 0.25, -0.5)


def draw_ratio_rows(rows, column, label, means, folder, name, narrow=False):
    """A ratio for each app and input as a row with its interval, a panel a place: Figures 9 and 10."""
    rows = [row for row in rows if number(row, column) is not None]
    chips = in_order(row["place"] for row in rows)
    panels = [lines_of([row for row in rows if row["place"] == chip], column, means) for chip in chips]
    heights = [len(lines) for lines in panels]
    width, height = (NARROW, 0.34) if narrow else (WIDTH * 0.62, 0.19)
    figure, axes = plt.subplots(len(chips), 1, figsize=(width, height * sum(heights) + 0.8 * len(chips)),
                                height_ratios=heights, squeeze=False, sharex=True)
    for axis, chip, lines in zip(axes.flat, chips, panels):
        (draw_narrow_panel if narrow else draw_panel)(axis, lines)
        axis.set_title(chip, loc="left", fontweight="bold")
        axis.tick_params(axis="x", labelbottom=True)
    ends = [number(row, column + end) for row in rows for end in ("", "_low", "_high")]
    ends = [end for end in ends if end is not None and end > 0]
    last = axes.flat[-1]
    last.set_xscale("log", base=2)
    set_log_ticks(last.xaxis, powers_of_two(min(ends + [0.8]), max(ends + [1.25])))
    last.set_xlim(min(ends + [0.9]) / 1.05, max(ends + [1.1]) * 1.05)
    last.set_xlabel(label.replace(" (", "\n(") if narrow else label)
    figure.subplots_adjust(hspace=3.2 / statistics.fmean(heights))
    if narrow:
        figure.subplots_adjust(left=0.01, right=0.99)
    save(figure, folder, name)


def draw_all(source, folder, column, label, name, narrow=False):
    """Every chip and set that has the ratio; the reader's own go first."""
    rows = separate_sets(read_rows(source, column, column, "chip", "app", "input"))
    if not any(row[column] for row in rows):
        return False
    own = headline.own_places(source)
    rows.sort(key=lambda row: (row["chip"], row.get("set", "")) not in own)
    draw_ratio_rows(rows, column, label, read_means(source, column), folder, name, narrow)
    return True


def draw_figure9(source, folder):
    return draw_all(source, folder, "speedup", SPEEDUP, "figure9-speedup")


def draw_figure9_narrow(source, folder):
    return draw_all(source, folder, "speedup", SPEEDUP, "figure9-speedup-narrow", narrow=True)


def draw_figure10(source, folder):
    return draw_all(source, folder, "slowdown", SLOWDOWN, "figure10-slowdown")


def draw_figure10_narrow(source, folder):
    return draw_all(source, folder, "slowdown", SLOWDOWN, "figure10-slowdown-narrow", narrow=True)


def draw_first(source, folder, name, narrow):
    """Figure 9 for the one chip and set that a page of results begins with."""
    rows = separate_sets(read_rows(source, "speedup", "speedup", "chip", "app", "input"))
    first = headline.chosen(read_rows(source, "headline", "chip", "set", "speedup", "tests"), headline.own_places(source))
    rows = [row for row in rows if row["speedup"] and (row["chip"], row.get("set", "")) == first]
    newest = max((row.get("clock", "") for row in rows), key=headline.clock_age, default="")
    rows = [row for row in rows if row.get("clock", "") == newest]
    if rows:
        draw_ratio_rows(rows, "speedup", SPEEDUP, read_means(source, "speedup"), folder, name, narrow)
    return bool(rows)


def draw_headline(source, folder):
    return draw_first(source, folder, "headline-speedup", narrow=False)


def draw_headline_narrow(source, folder):
    return draw_first(source, folder, "headline-speedup-narrow", narrow=True)


PLOTS = {
    "the headline's Figure 9 (headline.csv, speedup.csv)": draw_headline,
    "the same for a narrow window": draw_headline_narrow,
    "Figure 9 (speedup.csv)": draw_figure9,
    "Figure 9 for a narrow window": draw_figure9_narrow,
    "Figure 10 (slowdown.csv)": draw_figure10,
    "Figure 10 for a narrow window": draw_figure10_narrow,
}
