"""What a page of results says first: whose results these are, and what came out, in sentences.

The tables are those that report.py reads; `origin` is what headline.py has found out of the folder of results, or None.
"""

import html
import re

from headline import chosen, clock_age, has_speedup, set_of


def has_value(cell):
    return cell not in ("", "-")


def place_of(row, titles):
    """(chip, set) of a row."""
    return row[titles.index("chip")], set_of(row[titles.index("set")])


def column_of(table, title):
    """The texts of a column, by its title; [] where the table has no such column."""
    titles = [column["title"] for column in table["columns"]]
    return [row[titles.index(title)] for row in table["rows"]] if title in titles else []


def number_of(cell):
    found = re.match(r"[0-9.]+", cell)
    return float(found.group()) if found else None


def figures_of(cell):
    """The figures of a ratio as they stand in a sentence."""
    return cell.replace(" ~", "").replace(" [wide]", ", whose interval goes beyond a factor of ten")


def gain(cell, what, other):
    """A ratio of times in words."""
    value = number_of(cell)
    if value is None:
        return f"{what} was not compared with {other}"
    figures = figures_of(cell)
    if cell.endswith("~"):
        return f"between {what} and {other} no difference is shown (factor {figures})"
    if value >= 1:
        return f"{what} is {figures} times as fast as {other}"
    return f"{what} takes longer than {other} (factor {figures})"


def loss(cell):
    """What portable, which knew the size of its team from earlier runs (warm), takes beside specialised, in words."""
    value = number_of(cell)
    if value is None:
        return "what portability costs was not measured"
    figures = figures_of(cell)
    if cell.endswith("~"):
        return f"once the size of the team is known, the roll call costs nothing measurable (factor {figures})"
    if value == 1:
        return f"once the size of the team is known, the roll call costs nothing measurable: 1\u00a0% at most (factor {figures})"
    if value >= 1:
        return f"with a roll call, once the size of the team is known, it takes {figures} times as long as without"
    return f"with a roll call it takes {figures} times as long as without, which is no gain: the two are different programs"


def counted(number, what):
    return f"{number} {what}" if number == "1" else f"{number} {what}s"


def unfinished(place, origin):
    """That the campaign of the chip and set was stopped, or still runs, where that is so: a sentence, or ""."""
    chip = place[0].split("@")[0]
    for other, name, done, planned in origin.get("unfinished", []) if origin else []:
        if (other, name) == (chip, place[1]):
            return f" This campaign is not finished: {done} of {counted(str(planned), 'step')} were done."
    return ""


def tests_of(tables, place):
    """The tests of a chip and set that have a row in some tables, each as (app, input, variant)."""
    titles = ("chip", "set", "app", "input", "variant")
    rows = [row for table in tables for row in zip(*(column_of(table, title) for title in titles))]
    return {row[2:] for row in rows if place_of(row, titles) == place}


def warnings(place, tables):
    """That most measurements of the chip and set have warnings, where that is so: a sentence, or ""."""
    advice = tables.get("advice", [])
    measurements, warned = tests_of(tables.get("times", []), place), tests_of(advice, place)
    if not warned or 2 * len(warned) < len(measurements):
        return ""
    signs = {}
    for table in advice:
        for row in zip(*(column_of(table, title) for title in ("chip", "set", "sign"))):
            if place_of(row, ("chip", "set")) == place:
                signs[row[2]] = signs.get(row[2], 0) + 1
    often = sorted(signs, key=lambda sign: -signs[sign])[:2]
    number = len(measurements)
    who = f"All {number} measurements have" if len(warned) >= number > 1 else (
        "The measurement has" if number <= 1 else f"{len(warned)} of {number} measurements have")
    return f' {who} <a href="#advice">warnings</a>, most often: {html.escape(", ".join(often).replace("-", " "))}.'


def answer_html(tables, origin=None, others=None):
    """The sentence of the chip and set that the page begins with, and what a reader must know beside it: that the campaign
    was stopped, that measurements failed or call for care. `others` are all tables, by name.
    """
    names = ("chip", "set", "speedup", "slowdown", "tests", "failed")
    rows = [dict(zip((*names, "clock"), cells)) for table in tables
            for cells in zip(*(column_of(table, name) for name in names), column_of(table, "clock") or [""] * len(table["rows"]))]
    rows.sort(key=lambda row: -clock_age(row["clock"]))
    own = origin["places"] if origin else set()
    first = chosen(rows, own)
    if first is None:
        return ""
    row = next(row for row in rows if place_of([row["chip"], row["set"]], ["chip", "set"]) == first)
    place = f"{first[0]} ({first[1]})" if first[1] else first[0]
    whose = ""
    if first in own and origin["published"]:
        whose = ", yours together with what comes with muster" if list(first) in origin["mixed"] else ", measured by you"
    text = gain(row["speedup"], "one kernel with a global barrier", "a launch for each step")
    over = f' over {counted(row["tests"], "test")}' if has_speedup(row) else ""
    end = "" if row["failed"] in ("0", "-", "") else f'; {counted(row["failed"], "measurement")} did not end well'
    care = unfinished(first, origin) + warnings(first, others or {})
    return (f'<p class=answer><b>{html.escape(place)}</b>{whose}: {html.escape(text + over)}; '
            f'{html.escape(loss(row["slowdown"]) + end)}.{care}</p>\n')


def measured(tables, wanted):
    """The chips, the days and the commits of the sets that are wanted: wanted(chip, set)."""
    chips, days, commits = [], [], []
    for table in tables.get("provenance", []):
        titles = ("chip", "set", "commit", "first run", "last run")
        for chip, name, commit, *runs in zip(*(column_of(table, title) for title in titles)):
            if not wanted(chip, name if has_value(name) else ""):
                continue
            chips.append(chip)
            commits += [commit] if has_value(commit) else []
            days += [run[:10] for run in runs if has_value(run)]
    return list(dict.fromkeys(chips)), days, list(dict.fromkeys(commits))


def days_text(days, one, several):
    return one + min(days) if min(days) == max(days) else several.format(min(days), max(days))


def whose_html(origin, headline, tables):
    """Whose results these are, where that is known: what the page says first."""
    if origin is None:
        return ""
    chips, days, _ = measured(tables, lambda chip, name: (chip, name) not in origin["places"])
    authors = "measured by its authors"
    if days:
        authors += days_text(days, " on ", " from {} to {}")
    if chips:
        authors += " on " + ", ".join(chips)
    try_it = "To see your own devices here, run <code>muster bench</code>, and then <code>muster report</code> again."
    folder = f'<code>{html.escape(origin["folder"])}</code>'
    if not origin["own"]:
        text = f"<b>These are the results that come with muster</b>, {html.escape(authors)}. None of them is yours. {try_it}"
    elif not origin["published"]:
        text = f"These are the results of the folder {folder}. None of them comes with muster."
        if not shown_places(headline):
            text += " There are no times of apps among them: <code>muster bench</code> measures those."
    elif shown_places(headline) & origin["places"]:
        text = f"<b>Your results come first.</b> The others in {folder} come with muster, {html.escape(authors)}."
    else:
        text = ("There are records of yours, but they have no times of apps. "
                f"<b>What follows first comes with muster</b>, {html.escape(authors)}. {try_it}")
    return f"<p class=origin>{text}</p>\n"


def shown_places(tables):
    return {place_of(cells, ["chip", "set"])
            for table in tables for cells in zip(column_of(table, "chip"), column_of(table, "set"))}


def origin_html(tables, origin=None):
    """What was measured, when and with what, in one line; of what only comes with muster, whose_html has told the rest."""
    chips, days, commits = measured(tables, lambda chip, name: True)
    told = origin is not None and not origin["own"]
    parts = []
    if chips and not told:
        parts.append("Chips: " + ", ".join(chips))
    if days and not told:
        parts.append(days_text(days, "measured ", "measured {} to {}"))
    if commits:
        parts.append(("Measured " if told else "") + "with muster of commit " + ", ".join(commits))
    return f"<p class=note>{html.escape('; '.join(parts))}.</p>\n" if parts else ""
