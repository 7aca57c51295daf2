"""The plots of cooperative kernels: figures 5.6 and 5.7 of Sorensen's thesis (2018), for the chips here.

They read load.csv and stealing.csv, as `muster table` prints them. One panel stands below the other, so that they can be read on
a telephone.
"""

from drawing import add_legend, colour_of, in_order, marks_of, number, panels, plt, read_rows, save, set_log_axis

NARROW = 3.6  # inches: 390 px are 5.4
SHARES = ("1", "quarter", "half", "most")
LIMIT = 6  # panels: what else there is stands in the tables


def cases_of(source):
    """The rows of a load by chip, app and what it runs on."""
    cases = {}
    for row in read_rows(source, "load", "app", "input", "load", "groups", "gather_ns", "task_ns"):
        cases.setdefault((row["chip"], f'{row["app"]} {row["input"]}'), []).append(row)
    for row in read_rows(source, "stealing", "app", "size", "load", "groups", "gather_ns", "task_ns"):
        cases.setdefault((row["chip"], f'{row["app"]} {row["size"]}'), []).append(row)
    return cases


def draw_case(axis, rows, colours):
    """The time of tasks by their workgroups, with a line, and the time to gather these, dotted; of each load."""
    for load in in_order(row["load"] for row in rows):
        for name, style in (("task_ns", "-"), ("gather_ns", ":")):
            points = sorted((number(row, "groups"), number(row, name) / 1e6) for row in rows
                            if row["load"] == load and row.get(name) and number(row, "groups"))
            axis.plot(*zip(*points), style, marker="o", markersize=3, color=colours[load],
                      label=f'{load}: {"task" if style == "-" else "gathering"}') if points else None
        asked = [number(row, "period_asked_ns") for row in rows if row["load"] == load]
        if asked and asked[0]:
            axis.axhline(asked[0] / 1e6, color=colours[load], linewidth=0.6)
    axis.set_xscale("log")
    axis.set_yscale("log")
    set_log_axis(axis.xaxis)
    axis.set_xlabel("workgroups of the load")
    axis.set_ylabel("ms")


def draw_gathering(source, folder):
    """Figure 5.6: how long workgroups gather, and how long they take for a task, beside the period that is asked for."""
    cases = cases_of(source)
    if not cases:
        return False
    shown = list(cases)[:LIMIT]
    colours = colour_of(in_order(row["load"] for case in shown for row in cases[case]))
    figure, axes = panels(len(shown), NARROW, 2.4, 1)
    for axis, case in zip(axes, shown):
        draw_case(axis, cases[case], colours)
        axis.set_title(f"{case[0]}\n{case[1]}", fontsize=7)
    axes[0].legend(fontsize=6, loc="lower left", bbox_to_anchor=(0, 1.2), ncols=2)
    save(figure, folder, "cooperative-gathering")
    return True


def draw_shares(axis, rows, column, scale, colours, marks):
    """A line for each load and barrier over the shares of the workgroups."""
    for load, barrier in in_order((row["load"], row["resizing"]) for row in rows):
        points = [(SHARES.index(row["asked_for"]), number(row, column) / scale) for row in rows
                  if (row["load"], row["resizing"]) == (load, barrier) and row["asked_for"] in SHARES and row.get(column)]
        if points:
            axis.plot(*zip(*sorted(points)), "-" if barrier == "query" else "--", marker=marks[barrier], markersize=4,
                      color=colours[load], label=f"{load}, {barrier}")
    axis.set_xticks(range(len(SHARES)), ["1", "N/4", "N/2", "N - 1"])
    axis.set_yscale("log")
    set_log_axis(axis.yaxis)
    axis.set_xlabel("workgroups of the load")


def draw_multitasking(source, folder):
    """Figure 5.7: what a load costs the plans, and the period that it gets."""
    rows = read_rows(source, "load", "asked_for", "resizing", "slowdown", "period_ns", "plans")
    chips = in_order(row["chip"] for row in rows)
    if not rows:
        return False
    colours, marks = colour_of(in_order(row["load"] for row in rows)), marks_of(in_order(row["resizing"] for row in rows))
    figure, axes = plt.subplots(2 * len(chips), 1, figsize=(NARROW, 5 * len(chips)), squeeze=False)
    for place, chip in enumerate(chips):
        own = [row for row in rows if row["chip"] == chip]
        above, below = axes[2 * place][0], axes[2 * place + 1][0]
        draw_shares(above, own, "slowdown", 1, colours, marks)
        draw_shares(below, own, "period_ns", 1e6, colours, marks)
        for load in in_order(row["load"] for row in own):
            asked = [number(row, "period_asked_ns") for row in own if row["load"] == load]
            below.axhline(asked[0] / 1e6, color=colours[load], linewidth=0.6)
        above.set_title(f"{chip}: slowdown of the plans", fontsize=7)
        below.set_title(f"{chip}: period that the load gets, ms", fontsize=7)
    add_legend(figure, axes[0][0])
    figure.subplots_adjust(hspace=0.6)
    save(figure, folder, "cooperative-multitasking")
    return True


PLOTS = {
    "Figure 5.6 of the thesis (load.csv, stealing.csv)": draw_gathering,
    "Figure 5.7 of the thesis (load.csv)": draw_multitasking,
}
