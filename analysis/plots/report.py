#!/usr/bin/env python3
"""Puts the published tables and plots of a results folder into one HTML file: report.py RESULTS-FOLDER HTML-FILE.

Reads RESULTS-FOLDER/tables/*.json, which are tables as `muster table --format=cells` prints them, and
RESULTS-FOLDER/plots/*.svg; `make tables` makes both. The file needs nothing else: styles and plots are in it, and it refers
to nothing on a network. The same tables and plots give the same file.
"""

import glob
import html
import json
import os
import re
import sys

# The order of the report; tables that are not named here follow in the order of their names.
SECTIONS = {
    "summary": "Summary",
    "speedup-2016": "What the global barrier gains",
    "slowdown-2016": "What portability costs",
    "outcomes": "Outcomes",
    "advice": "Advice",
    "times": "Times",
    "tuning": "Tuning",
    "samples": "Samples",
    "provenance": "Provenance",
}
# The plots that stand below a table; others come last.
PLOTS = {
    "speedup-2016": ["figure9-"],
    "slowdown-2016": ["figure10-", "figure11-"],
    "tuning": ["workgroups-"],
    "samples": ["distributions-"],
    "recall": ["figure7-"],
    "rollcall-cost": ["figure8-"],
    "utilisation": ["launch-"],
}
# The speedup and slowdown with the figures of 2016 hold all that these have.
LEFT_OUT = {"speedup", "slowdown"}

STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; font-size: 85%; margin: 1em 0; display: block; overflow-x: auto; }
th, td { padding: .2em .6em; border-bottom: 1px solid #ddd; white-space: nowrap; }
th { text-align: left; border-bottom: 2px solid #888; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
tr:hover { background: #f4f4f4; }
nav a { margin-right: 1em; }
p.note { color: #555; font-size: 85%; }
figure { margin: 1em 0; overflow-x: auto; }
svg { max-width: 100%; height: auto; }
"""


def row_html(cells, columns, tag):
    def one(cell, column):
        return f'<{tag}{"" if column["left"] else " class=number"}>{html.escape(cell)}</{tag}>'

    return "<tr>" + "".join(one(cell, column) for cell, column in zip(cells, columns)) + "</tr>\n"


def table_html(table):
    columns = table["columns"]
    return "".join(
        [
            f"<h3>{html.escape(table['title'])}</h3>\n<table>\n",
            row_html([column["title"] for column in columns], columns, "th"),
            *(row_html(row, columns, "td") for row in table["rows"]),
            "</table>\n",
            *(f"<p class=note>{html.escape(note)}</p>\n" for note in table["notes"]),
        ]
    )


def svg_html(path, index):
    """A plot without what only a file of its own needs; its ids are made unique in the page."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    prefix = f"p{index}-"
    text = re.sub(r'\bid="', f'id="{prefix}', text)
    text = re.sub(r'(href="#|url\(#)', lambda match: match.group(1) + prefix, text)
    name = os.path.splitext(os.path.basename(path))[0]
    return f"<figure aria-label={html.escape(name, quote=True)!r}>\n{text}</figure>\n"


def read_tables(folder):
    """The tables of each file, by its name: a line is a table."""
    tables = {}
    for path in sorted(glob.glob(os.path.join(folder, "tables", "*.json"))):
        name = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding="utf-8") as file:
            tables[name] = [json.loads(line) for line in file]
    return tables


def page(folder):
    tables = {name: table for name, table in read_tables(folder).items() if name not in LEFT_OUT}
    if not tables:
        raise FileNotFoundError(f"{folder}/tables has no table: run 'make tables' first")
    plots = sorted(glob.glob(os.path.join(folder, "plots", "*.svg")))
    order = [name for name in SECTIONS if name in tables] + [name for name in tables if name not in SECTIONS]
    titles = {name: SECTIONS.get(name, name.replace("-", " ").capitalize()) for name in order}
    parts = [
        "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n<title>muster: results</title>\n",
        f"<style>{STYLE}</style>\n<h1>muster: how workgroups synchronise on OpenCL devices</h1>\n<nav>",
        *(f'<a href="#{name}">{html.escape(titles[name])}</a> ' for name in order),
        "</nav>\n",
    ]
    drawn = set()
    for name in order:
        parts.append(f'<h2 id="{name}">{html.escape(titles[name])}</h2>\n')
        for index, path in enumerate(plots):
            if any(os.path.basename(path).startswith(start) for start in PLOTS.get(name, [])):
                parts.append(svg_html(path, index))
                drawn.add(path)
        parts.extend(table_html(table) for table in tables[name])
    rest = [path for path in plots if path not in drawn]
    if rest:
        parts.append("<h2>Other plots</h2>\n")
    parts.extend(svg_html(path, plots.index(path)) for path in rest)
    if not plots:
        parts.append("<p class=note>There are no plots: matplotlib was missing when the tables were made.</p>\n")
    return "".join(parts) + "</html>\n"


def main(arguments):
    if len(arguments) != 3:
        print("usage: report.py RESULTS-FOLDER HTML-FILE", file=sys.stderr)
        return 2
    try:
        text = page(arguments[1])
        with open(arguments[2], "w", encoding="utf-8") as file:
            file.write(text)
    except (OSError, ValueError, LookupError, TypeError) as error:
        print(f"report.py: {error or type(error).__name__}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
