#!/usr/bin/env python3
"""What analysis/plots/plots.py draws, by value: plot_values.py SRCDIR PLOT...

Draws each plot from a few rows of CSV and compares the bars, lines and texts in the figure with those that the rows stand
for. A line of each: "ok PLOT", or "not ok PLOT" with what differs behind it.
"""

import importlib.util
import os
import sys
import tempfile


def bars(axis):
    """(label, end) of each lying bar, in the order of drawing."""
    found = []
    for container in axis.containers:
        for patch in getattr(container, "patches", None) or []:
            label = container.get_label()
            found.append(("" if label.startswith("_") else label, rounded(patch.get_x() + patch.get_width())))
    return found


def rows(axis):
    """(label, value) of each row, from the top; headings have no value."""
    labels = [label.get_text() for label in axis.get_yticklabels()]
    values = {}
    for container in axis.containers:
        x, y = container.lines[0].get_xydata()[0]
        values[round(y)] = rounded(x)
    for line in axis.lines:
        if line.get_marker() == "D":
            values[round(line.get_ydata()[0])] = rounded(line.get_xdata()[0])
    return [(label, values.get(place)) for place, label in enumerate(labels)]


def intervals(axis):
    """(lower end, upper end) of each error bar."""
    segments = [
        segment
        for container in axis.containers
        if getattr(container, "has_xerr", False)
        for segment in container.lines[2][0].get_segments()
    ]
    return [(rounded(low[0]), rounded(high[0])) for low, high in segments]


def titles(axis):
    """The panels of the figure and the mean of each."""
    return [(panel.get_title(loc="left"), rows(panel)[-1]) for panel in axis.figure.axes]


def curves(axis):
    """(label, points) of each curve, with error bars or without."""
    found = [
        (container.get_label(), [(rounded(x), rounded(y)) for x, y in container.lines[0].get_xydata()])
        for container in axis.containers
    ]
    return found or lines(axis)


def lines(axis):
    """(label, points) of each line that has a label of its own."""
    return [
        (line.get_label(), [(rounded(x), rounded(y)) for x, y in line.get_xydata()])
        for line in axis.lines
        if not line.get_label().startswith("_")
    ]


def with_ends(axis):
    """(label, (x, value, low, high) of each point) of each curve that has error bars, and behind them each line."""
    found = []
    for container in axis.containers:
        bars_of = container.lines[2][0].get_segments()
        found.append((container.get_label(), [tuple(map(rounded, (x, y, bar[0][1], bar[1][1])))
                                              for (x, y), bar in zip(container.lines[0].get_xydata(), bars_of)]))
    return found + lines(axis)


def parts(axis):
    """(label, ends of its parts) of each lying bar that is made of parts."""
    labels = [label.get_text() for label in axis.get_yticklabels()]
    ends = {label: [] for label in labels}
    for container in axis.containers:
        for patch in container.patches:
            ends[labels[round(patch.get_y() + patch.get_height() / 2)]].append(rounded(patch.get_x() + patch.get_width()))
    return list(ends.items())


def texts(axis):
    return [text.get_text() for text in axis.texts]


def rounded(value):
    return round(float(value), 9)


RATIOS = """chip,app,input,{0},{0}_low,{0}_high,confident,numerator_ns,denominator_ns,outcome
g,lonestar/bfs,road:9,2,1.5,2.5,1,4000000,2000000,ok
g,pannotia/mis,road:9,8,,,1,8000000,1000000,ok
h,lonestar/bfs,road:9,0.5,,,1,1000000,2000000,ok
h,pannotia/mis,road:9,,,,,,1000000,crash
"""
RATIO_ROWS = [("lonestar", None), ("bfs  road:9", 2.0), ("pannotia", None), ("mis  road:9", 8.0), ("geometric mean", 4.0)]
RATIO_TEXTS = ["2.00 [1.50, 2.50]", "8.00", "4.00"]

# Of each plot: the function, the CSV that it reads, what it reads of the first axes, and what that is.
PLOTS = {
    "figure7": (
        "draw_figure7",
        {
            "recall": "chip,microbenchmark,rollcall,runs,recall_percent,units_percent\n"
            "g,1l,atomic,9,100,50\ng,1l,spin,9,4,50\ng,LW,atomic,9,80,\ng,LW,spin,9,0,\n"
        },
        bars,
        [("atomic", 100.0), ("atomic", 80.0), ("spin", 4.0), ("spin", 0.0)],
    ),
    "figure8": (
        "draw_figure8",
        {
            "rollcall-cost": "chip,workgroup,rollcall,closed_by,team,median_ns\n"
            "g,32,atomic,size,8,5000\ng,64,atomic,size,4,4000\ng,32,spin,protocol,8,90000\ng,64,spin,protocol,4,\n"
        },
        curves,
        [("atomic size", [(4.0, 4.0), (8.0, 5.0)]), ("spin", [(8.0, 90.0)])],
    ),
    "figure9": ("draw_figure9", {"speedup": RATIOS.format("speedup")}, rows, RATIO_ROWS),
    "figure9-summary": ("draw_figure9", {"speedup": RATIOS.format("speedup")}, texts, RATIO_TEXTS),
    "figure9-intervals": ("draw_figure9", {"speedup": RATIOS.format("speedup")}, intervals, [(1.5, 2.5)]),
    # Two sets of a chip have a place each, and a mean each.
    "figure9-sets": (
        "draw_figure9",
        {
            "speedup": "chip,set,app,input,speedup,speedup_low,speedup_high\n"
            "g,a,bfs,road:9,2,,\ng,b,bfs,road:9,8,,\n"
        },
        titles,
        [("g a", ("geometric mean", 2.0)), ("g b", ("geometric mean", 8.0))],
    ),
    # Of the chip with the most tests, its largest set.
    "headline": (
        "draw_headline",
        {
            "headline": "chip,set,speedup,tests\ng,a,2,3\nh,a,4,1\nh,b,8,2\nh,c,,9\nk,a,,20\n",
            "speedup": "chip,set,app,input,speedup,speedup_low,speedup_high\n"
            "g,a,bfs,road:9,2,,\nh,a,bfs,road:9,4,,\nh,b,bfs,road:9,8,,\n",
        },
        titles,
        [("h b", ("geometric mean", 8.0))],
    ),
    # With labels and figures above the points, and the interval of the mean.
    "headline-narrow": (
        "draw_headline_narrow",
        {
            "headline": "chip,set,speedup,speedup_low,speedup_high,tests\ng,a,8,7,9,1\n",
            "speedup": "chip,set,app,input,speedup,speedup_low,speedup_high\ng,a,lonestar/bfs,road:9,8,6,10\n",
        },
        lambda axis: (texts(axis), intervals(axis)),
        (["lonestar", "bfs  road:9", "8.00 [6.00, 10.00]", "geometric mean", "8.00 [7.00, 9.00]"], [(6.0, 10.0), (7.0, 9.0)]),
    ),
    "figure10": ("draw_figure10", {"slowdown": RATIOS.format("slowdown")}, rows, RATIO_ROWS),
    "figure10-summary": ("draw_figure10", {"slowdown": RATIOS.format("slowdown")}, texts, RATIO_TEXTS),
    "figure11": (
        "draw_figure11",
        {"slowdown": RATIOS.format("slowdown")},
        curves,
        [("g", [(2.0, 2.0), (1.0, 8.0)]), ("h", [(2.0, 0.5)])],
    ),
    "workgroups": (
        "draw_workgroups",
        {
            "tuning": "chip,app,input,variant,workgroup,team,median_ns,median_ns_low,median_ns_high\n"
            "g,bfs,road:9,portable,64,1,9000000,1000000,9000000\ng,bfs,road:9,portable,64,2,7000000,6000000,8000000\n"
            "g,bfs,road:9,portable,32,4,8000000,,\ng,bfs,road:9,specialised,32,4,6000000,5000000,6500000\n"
            "g,bfs,road:9,multi-kernel,32,,,,\n"
        },
        with_ends,
        [("portable", [(32.0, 8.0, 8.0, 8.0), (64.0, 7.0, 6.0, 8.0)]), ("specialised", [(32.0, 6.0, 5.0, 6.5)])],
    ),
    # Quartiles of 80, 100, 120, 140, 160 against their median are -17 % and +17 %; bars lie, so their ends are x.
    "distributions": (
        "draw_distributions",
        {
            "samples": "chip,app,input,variant,ns\n"
            + "".join(f"g,bfs,road:9,portable,{ns}\n" for ns in (100, 160, 80, 140, 120))
            + "g,bfs,road:9,specialised,7\n"
        },
        lambda axis: [
            (rounded(patch.get_x()), rounded(patch.get_x() + patch.get_width()))
            for container in axis.containers
            for patch in container.patches
        ],
        [(0.0, 0.0), (rounded(-100 / 6), rounded(100 / 6))],
    ),
    "utilisation": (
        "draw_utilisation",
        {"utilisation": "chip,readback,kernel_us,utilisation_percent\ng,word,100,95\ng,word,1,10\ng,read,1,5\n"},
        lines,
        [("word", [(1.0, 10.0), (100.0, 95.0)]), ("read", [(1.0, 5.0)])],
    ),
    # Two sizes are no growth, and other variants are not drawn.
    "growth": (
        "draw_growth",
        {
            "growth": "chip,set,app,input,variant,elements,ps_per_element,ps_per_element_low,ps_per_element_high,"
            + "copy_ps_per_element\n"
            + "".join(f"g,s,lonestar/bfs,road:{n},portable,{4 * n},{n + 1},{n},{n + 3},2\n" for n in (9, 3, 6))
            + "g,s,lonestar/bfs,road:5,specialised,20,99,98,100,2\ng,s,lonestar/mst,road:3,portable,12,5,4,6,2\n"
        },
        with_ends,
        [("bfs", [(12.0, 4.0, 3.0, 6.0), (24.0, 7.0, 6.0, 9.0), (36.0, 10.0, 9.0, 12.0)]),
         ("copy", [(12.0, 2.0), (24.0, 2.0), (36.0, 2.0)])],
    ),
    # Of the optimisation study: the ends of the parts of each bar in percent, and what is written into the cells.
    "strategies": (
        "draw_strategies",
        {
            "strategies": "strategy,speedups,no_change,slowdowns,over_oracle,over_oracle_low,over_oracle_high\n"
            "global,6,3,1,1.3,1.2,1.4\noracle,10,0,0,1,,\n"
        },
        parts,
        [("global", [60.0, 90.0, 100.0]), ("oracle", [100.0, 100.0, 100.0])],
    ),
    "top": (
        "draw_top",
        {"top": "chip,tests,none,below_2,from_2,mean\ng,4,1,2,1,1.5\n"},
        parts,
        [("g", [25.0, 75.0, 100.0])],
    ),
    "necessary": (
        "draw_necessary",
        {"necessary": "optimisation,tests,beneficial,benign,harmful\nsg,5,1,2,2\nwg,0,0,0,0\n"},
        parts,
        [("sg", [20.0, 60.0, 100.0])],
    ),
    "heatmap": (
        "draw_heatmap",
        {"heatmap": "executed_on,tuned_for,tests,slowdown\na,a,2,1\na,b,2,1.25\nb,a,2,1.5\nb,b,2,1\n"},
        texts,
        ["1.00", "1.25", "1.50", "1.00"],
    ),
    # Of the persistent-threads study: the first panel's curves, and the ends of what a gap is made of, in µs.
    "gap": (
        "draw_gap",
        {"persistent": "chip,readback_ns,host_ns,launch_ns,behind_ns\ng,1000,2000,500,700\n"},
        bars,
        [("read-back", 1.0), ("host", 3.0), ("launch", 3.5), ("enqueued before", 0.7)],
    ),
    "handover": (
        "draw_handover",
        {"persistent": "chip,kind,fmas,blocks,speedup,speedup_low,speedup_high\ng,compute,10,32,1.5,1.4,1.6\n"
                       "g,compute,0,32,2,,\ng,compute,0,16,3,,\ng,memory,0,16,4,,\n"},
        curves,
        [("0 multiply-adds", [(16.0, 3.0), (32.0, 2.0)]), ("10 multiply-adds", [(32.0, 1.5)])],
    ),
    "forest": (
        "draw_forest",
        {"persistent": "chip,shape,depth,inputs,fmas,locked,ring,steal\ng,tilted,5,7,100,0.1,0.2,0.9\n"
                       "g,tilted,5,7,0,0.3,,1.2\n"},
        curves,
        [("locked", [(0.0, 0.3), (100.0, 0.1)]), ("ring", [(100.0, 0.2)]), ("steal", [(0.0, 1.2), (100.0, 0.9)])],
    ),
    "stages": (
        "draw_locality",
        {"persistent": "chip,fmas,blocks,keep,speedup_one,speedup_two\ng,100,8,64,1.4,1.2\ng,100,8,0,0.9,0.8\n"},
        curves,
        [("over one kernel", [(0.0, 0.9), (64.0, 1.4)]), ("over two", [(0.0, 0.8), (64.0, 1.2)])],
    ),
    "sync": (
        "draw_sync",
        {"persistent": "chip,fmas,blocks,rounds,groups,barrier_ns,speedup\ng,1000,8,10,8,5,0.9\ng,1,8,10,8,5,2\n"},
        curves,
        [("8 blocks", [(1.0, 2.0), (1000.0, 0.9)])],
    ),
}


def difference(modules, name):
    """What the plot of that name shows that it should not; an empty text where it is right."""
    function, tables, look, expected = PLOTS[name]
    figures = []
    for module in modules:
        module.save = lambda figure, folder, name: figures.append(figure)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tables.items():
            with open(os.path.join(folder, name + ".csv"), "w", encoding="utf-8") as file:
                file.write(text)
        drawn = next(getattr(module, function) for module in modules if hasattr(module, function))(folder, folder)
    if not drawn or len(figures) != 1:
        return f"{len(figures)} figures are drawn, not one"
    found = look(figures[0].axes[0])
    return "" if found == expected else f"expected {expected}, found {found}"


def main(arguments):
    sys.path.insert(0, os.path.join(arguments[1], "analysis", "plots"))  # where plots.py finds drawing.py
    place = importlib.util.spec_from_file_location("plots", os.path.join(arguments[1], "analysis", "plots", "plots.py"))
    plots = importlib.util.module_from_spec(place)
    sys.dont_write_bytecode = True
    place.loader.exec_module(plots)
    for name in arguments[2:]:
        wrong = difference([plots, plots.ratios, plots.optimisations, plots.persistent], name)
        print(f"not ok {name}: {wrong}" if wrong else f"ok {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
