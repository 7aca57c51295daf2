#!/usr/bin/env python3
"""Puts the tables and plots of a results folder into one HTML file: report.py RESULTS-FOLDER HTML-FILE.

Reads RESULTS-FOLDER/tables/*.cells.json, which are tables as `muster table --format=cells` prints them, RESULTS-FOLDER/tables/titles.txt,
RESULTS-FOLDER/plots/*.svg, and RESULTS-FOLDER/origin.json, which tells what is the reader's own and what comes with muster;
`muster report` makes all three. The page begins with whose results these are and with what came out: a sentence and a
picture, of the chip and set that headline.py chooses. A table has those of the others; everything else is folded away, by
table and by chip. The file needs nothing else: styles, plots and the script that sorts tables are in it, and it refers to
nothing on a network. The same tables and plots give the same file.
"""

import glob
import html
import json
import os
import re
import sys

sys.dont_write_bytecode = True  # nothing is left beside the installed scripts
from answer import answer_html, has_value, origin_html, place_of, whose_html  # noqa: E402
from headline import read_origin, set_of  # noqa: E402
from report_style import SCRIPT, STYLE  # noqa: E402

# The tables that come first; the others follow in the order of `muster table --help`, which also has all titles.
FIRST = ["summary", "slowdown", "speedup-2016", "slowdown-2016", "trust", "history", "failures", "outcomes", "advice", "times",
         "tuning", "strategies", "samples", "provenance"]
TITLES = "titles.txt"  # beside the tables: of each its name and what it shows
# Columns by which a reader chooses what the page shows.
CHOICES = ("chip", "set")
# Largest number of rows of a part of a table in the page.
MOST_ROWS = 16
# The plots in each table's section; those of "headline" belong to the answer, others come last.
PLOTS = {
    "headline": ["headline-"],
    "summary": ["figure9-"],
    "slowdown": ["figure10-", "figure11-"],
    "tuning": ["workgroups-"],
    "samples": ["distributions-"],
    "recall": ["figure7-"],
    "rollcall-cost": ["figure8-"],
    "utilisation": ["launch-"],
    "growth": ["growth"],
    "strategies": ["optimisation-strategies"],
    "top": ["optimisation-top"],
    "necessary": ["optimisation-necessary"],
    "heatmap": ["optimisation-heatmap"],
}
# Ending of the names of plots for narrow windows.
NARROW = "-narrow"
# Tables that the page leaves out: speedups stand in the summary and in the answer's picture, and medians are for programs.
LEFT_OUT = {"speedup", "medians"}
# Texts longer than this many characters may take several lines.
LONG = 48


def cell_html(cell, column, tag):
    """Returns a cell. It needs no end tag, and its table's class tells columns of numbers (NUMBERS of report_style.py)."""
    kinds = ["long"] if tag == "td" and column["left"] and len(cell) > LONG else []
    kinds += ["none"] if tag == "td" and not has_value(cell) else []
    text = html.escape(cell, quote=False)
    if tag == "th":
        text = f"<button>{text}</button>"
    kind = f" class={kinds[0]}" if len(kinds) == 1 else f' class="{" ".join(kinds)}"' if kinds else ""
    return f"<{tag}{kind}>{text}"


def row_html(cells, columns, tag):
    return "<tr>" + "".join(cell_html(cell, column, tag) for cell, column in zip(cells, columns)) + "\n"


def without_empty(columns, rows):
    """Returns the columns with a value in some row, and the rows with a value in some column that is no key."""
    keys = [i for i, column in enumerate(columns) if column["left"]]
    if len(keys) < len(columns):
        rows = [row for row in rows if any(has_value(cell) for i, cell in enumerate(row) if i not in keys)] or rows
    kept = [i for i in range(len(columns)) if any(has_value(row[i]) for row in rows)] or list(range(len(columns)))
    return [columns[i] for i in kept], [[row[i] for i in kept] for row in rows]


def without_constant(columns, rows):
    """Returns the columns that differ between rows, their rows, and a sentence with the values of the others."""
    constant = [i for i, column in enumerate(columns) if column["left"] and len(rows) > 1 and column["title"] not in CHOICES
                and all(row[i] == rows[0][i] for row in rows)]
    kept = [i for i in range(len(columns)) if i not in constant]
    if not kept:
        return columns, rows, ""
    said = ", ".join(f'{columns[i]["title"]} {rows[0][i]}' for i in constant)
    return [columns[i] for i in kept], [[row[i] for i in kept] for row in rows], said


def grid_html(columns, rows, command=""):
    """Returns a sortable table. In a narrow window each row becomes a few lines of text. A long table has only its first
    rows, and the command that prints the others.
    """
    columns, rows = without_empty(columns, rows)
    columns, rows, said = without_constant(columns, rows)
    left = len(rows) - MOST_ROWS if command and len(rows) > MOST_ROWS * 5 // 4 else 0
    numbers = [f"n{i + 1}" for i, column in enumerate(columns) if not column["left"]]
    kind = f' class="{" ".join(numbers)}"' if numbers else ""
    parts = [f"<p class=note>All rows: {html.escape(said)}.\n" if said else "", f"<div class=scroll tabindex=0><table{kind}>\n<thead>",
             row_html([column["title"] for column in columns], columns, "th"), "<tbody>\n",
             *(row_html(row, columns, "td") for row in rows[: len(rows) - left]), "</table></div>\n",
             f"<p class=note>{left} more rows: <code>{html.escape(command)}</code>\n" if left else ""]
    return "".join(parts)


def folded(title, text, level=None, chip=None):
    chip_of = f' data-chip="{html.escape(chip, quote=True)}"' if chip else ""
    heading = f"<h{level}>{html.escape(title)}</h{level}>" if level else html.escape(title)
    return f"<details{chip_of}><summary>{heading}</summary>\n{text}</details>\n"


def table_html(name, table, own):
    """Returns a table. If its first column is the chip, it is divided by chips, each folded away, the reader's own first."""
    columns, rows = table["columns"], table["rows"]
    chips = list(dict.fromkeys(row[0] for row in rows)) if columns[0]["title"] == "chip" else []
    chips.sort(key=lambda chip: chip not in own)
    command = f"muster table {name.removesuffix('-2016')}" + (" --paper" if name.endswith("-2016") else "")
    if len(rows) > len(chips) > 1:
        parts = []
        for chip in chips:
            of_chip = [row[1:] for row in rows if row[0] == chip]
            parts.append(folded(f"{chip} ({len(of_chip)} rows)", grid_html(columns[1:], of_chip, f"{command} --chip={chip.split('@')[0]}"),
                                chip=chip))
        body = "".join(parts)
    else:
        body = grid_html(columns, sorted(rows, key=lambda row: row[0] not in own), command) if rows else ""
    return f"<h3>{html.escape(table['title'])}</h3>\n{body}{notes_html(table)}"


def notes_html(table):
    return "".join(f"<p class=note>{html.escape(note)}</p>\n" for note in table["notes"])


def headline_html(table, origin):
    """Returns the table of headlines: rows with a ratio, the reader's own first; then, folded away, rows without."""
    columns, rows = list(table["columns"]), [list(row) for row in table["rows"]]
    titles = [column["title"] for column in columns]
    if not {"chip", "set", "speedup", "slowdown"} <= set(titles):
        return table_html("headline", table, set())
    if origin and origin["places"] and origin["published"]:
        columns.insert(2, {"title": "whose", "left": True})
        for row in rows:
            row.insert(2, "yours" if place_of(row, titles) in origin["places"] else "comes with muster")
        rows.sort(key=lambda row: row[2] != "yours")
        titles = [column["title"] for column in columns]
    ratios = [titles.index("speedup"), titles.index("slowdown")]
    compared = [row for row in rows if any(row[i][:1].isdigit() for i in ratios)]
    rest = [row for row in rows if row not in compared]
    body = grid_html(columns, compared) if compared else ""
    if rest:
        body += folded(f"{len(rest)} more sets, in which the variants are not compared" if compared else
                       f"{len(rest)} sets, in which the variants are not compared", grid_html(columns, rest))
    return f"<h3>{html.escape(table['title'])}</h3>\n{body}{notes_html(table)}"


def svg_html(path, index, kind=""):
    """Returns a plot without the parts that only a separate file needs, and with ids that are unique in the page. `kind` is
    the width of the windows that show it: "wide", "narrow", or "" for all.
    """
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<style>svg.*?</style>", "", text, flags=re.DOTALL)
    prefix = f"p{index}-"
    text = re.sub(r'\bid="', f'id="{prefix}', text)
    text = re.sub(r'(href="#|url\(#)', lambda match: match.group(1) + prefix, text)
    name = os.path.basename(path).removesuffix(".svg")
    for_windows = f" class={kind}" if kind else ""
    return f"<figure{for_windows} tabindex=0 aria-label={html.escape(name, quote=True)!r}>\n{text}</figure>\n"


def plots_html(first, plots):
    """Returns some of the plots. One that has a narrow form is replaced by it in narrow windows."""
    parts = []
    for path in first:
        name, ending = os.path.splitext(path)
        kind = "narrow" if name.endswith(NARROW) else "wide" if name + NARROW + ending in first else ""
        parts.append(svg_html(path, plots.index(path), kind))
    return "".join(parts)


def read_tables(folder):
    """Returns the tables of each file by the file's name; each line is a table."""
    tables = {}
    for path in sorted(glob.glob(os.path.join(folder, "tables", "*.cells.json"))):
        name = os.path.basename(path).removesuffix(".cells.json")
        with open(path, encoding="utf-8") as file:
            tables[name] = [json.loads(line) for line in file]
    return tables


PURPOSE = """<p>muster runs graph algorithms on OpenCL devices in three forms: <b>multi-kernel</b> launches a kernel for each
step, <b>portable</b> is one kernel whose workgroups find each other by a roll call and meet at a global barrier, and
<b>specialised</b> is the same for a known number of workgroups. Speedup is the time of multi-kernel over that of portable,
slowdown that of portable over that of specialised; brackets are intervals at 95 %.</p>
"""


def read_titles(folder):
    """Returns the title of each table, in the order of sections; {} if there is no file of titles."""
    try:
        with open(os.path.join(folder, "tables", TITLES), encoding="utf-8") as file:
            return dict(line.split(None, 1) for line in file.read().splitlines() if len(line.split(None, 1)) == 2)
    except FileNotFoundError:
        return {}


def title_of(name, titles):
    """Returns a table's title for people."""
    with_2016 = name.removesuffix("-2016")
    text = titles.get(name) or titles.get(with_2016) or name.replace("-", " ")
    return text[:1].upper() + text[1:] + (", beside figures of 2016" if with_2016 != name else "")


def source_of(tables):
    """Returns what would measure these empty tables, taken from their notes."""
    notes = [note for table in tables for note in table["notes"]]
    found = next(filter(None, (re.match(r"No [^:]*: see (.*?)( for .*)?\.$", note) for note in notes)), None)
    return f"see {found.group(1)}" if found else "further campaigns and studies"


def missing_html(missing):
    """Returns the titles of missing tables, grouped by what would measure them, folded behind one line."""
    count = sum(map(len, missing.values()))
    groups = [f"<h3>{html.escape(source[:1].upper() + source[1:])}</h3>\n<ul>\n" +
              "".join(f"<li>{html.escape(title)}</li>\n" for title in missing[source]) + "</ul>\n" for source in missing]
    return folded(f"Not measured here: {count} {'table' if count == 1 else 'tables'}", "".join(groups), 2)


def tells(name, table):
    """Returns true if a table has rows and, beside figures of 2016, at least one figure of ours."""
    if not name.endswith("-2016"):
        return bool(table["rows"])
    ours = [i for i, column in enumerate(table["columns"]) if not column["left"] and "2016" not in column["title"]]
    return any(has_value(row[i]) for row in table["rows"] for i in ours)


def sections_html(tables, plots, drawn, own, titles):
    """Yields a section for each file with a table that is not empty, then one that names the others."""
    order = [name for name in dict.fromkeys([*FIRST, *titles, *tables]) if name in tables]
    missing = {}
    for name in order:
        kept = [table for table in tables[name] if tells(name, table)]
        if not kept:
            missing.setdefault(source_of(tables[name]), []).append(title_of(name, titles))
            continue
        shown = [path for path in plots if any(os.path.basename(path).startswith(start) for start in PLOTS.get(name, []))]
        drawn.update(shown)
        parts = [plots_html(shown, plots), *(table_html(name, table, own) for table in kept)]
        yield f'<section id="{name}">{folded(title_of(name, titles), "".join(parts), 2)}</section>\n'
    if missing:
        yield f'<section id="missing">{missing_html(missing)}</section>\n'


def chooser_html(headline):
    """Returns the form by which a reader chooses one chip or one set."""
    lists = []
    for title in CHOICES:
        values = {set_of(row[[column["title"] for column in table["columns"]].index(title)]).split("@")[0]
                  for table in headline if any(column["title"] == title for column in table["columns"]) for row in table["rows"]}
        options = "".join(f"<option>{html.escape(value)}" for value in sorted(values - {""}))
        lists.append(f'<label>{title} <select name={title}><option value="">all{options}</select></label>')
    return f"<form>Show {' '.join(lists)}</form>\n"


def page(folder):
    tables = {name: table for name, table in read_tables(folder).items() if name not in LEFT_OUT}
    if not tables:
        raise FileNotFoundError(f"{folder}/tables has no table: 'muster table --all' makes them")
    plots = sorted(glob.glob(os.path.join(folder, "plots", "*.svg")))
    first = [path for path in plots if any(os.path.basename(path).startswith(start) for start in PLOTS["headline"])]
    drawn = set(first)
    headline = tables.pop("headline", [])
    origin = read_origin(folder)
    own = {chip for chip, _ in origin["places"]} if origin else set()
    parts = [
        "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n",
        '<meta name=viewport content="width=device-width, initial-scale=1">\n<title>muster: results</title>\n',
        f"<style>{STYLE}</style>\n<h1>How workgroups synchronise on OpenCL devices</h1>\n",
        whose_html(origin, headline, tables),
        answer_html(headline, origin, tables),
        plots_html(first, plots),
        PURPOSE,
        chooser_html(headline),
        *(headline_html(table, origin) for table in headline),
        *sections_html(tables, plots, drawn, own, read_titles(folder)),
    ]
    rest = [path for path in plots if path not in drawn]
    if rest:
        parts.append(folded("Other plots", "".join(svg_html(path, plots.index(path)) for path in rest), 2))
    if plots:
        parts.append("<p class=note>There are more plots, which are larger: <code>muster table --all=FOLDER</code> writes what "
                     "<code>plots.py FOLDER PLOTS</code> draws.</p>\n")
    else:
        parts.append("<p class=note>There are no plots: matplotlib was missing when the tables were made.</p>\n")
    parts.append(origin_html(tables, origin))
    return "".join(parts) + f"<script>{SCRIPT}</script>\n</html>\n"


def write(path, text):
    """Writes a file, all of it, or leaves the one that is there; a device or a pipe is written to directly."""
    path = os.path.realpath(path)
    beside = path if os.path.exists(path) and not os.path.isfile(path) else path + ".new"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
        if beside != path:
            os.replace(beside, path)
    except OSError:
        if beside != path and os.path.exists(beside):
            os.remove(beside)
        raise


def main(arguments):
    if len(arguments) != 3:
        print("usage: report.py RESULTS-FOLDER HTML-FILE", file=sys.stderr)
        return 2
    try:
        text = page(arguments[1])
        write(arguments[2], text)
    except (OSError, ValueError, LookupError, TypeError) as error:
        print(f"report.py: {error or type(error).__name__}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
