"""Which chip and set a page of results begins with, the same for its sentence and its picture."""


def chosen(rows):
    """(chip, set) of the headline, from the rows of the table of headlines (chip, set, speedup, tests); None without any.

    The chip with the most tests over all of its sets, and of those the set with the most. Sets without a speedup have
    nothing to say first, and come behind those that have one; the first row goes first among equals.
    """
    tests = {}
    for row in rows:
        tests[row["chip"]] = tests.get(row["chip"], 0) + count(row)
    if not rows:
        return None
    first = max(rows, key=lambda row: (has_speedup(row), tests[row["chip"]], count(row)))
    return first["chip"], first["set"]


def count(row):
    return int(row["tests"]) if row["tests"].isdigit() else 0


def has_speedup(row):
    return row["speedup"][:1].isdigit()
