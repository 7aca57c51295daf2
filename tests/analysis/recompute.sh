#!/bin/sh
# Tables are recomputed from raw records by another program, tests/analysis/recompute.py, which reads them in its own way.
# (recompute_statistics.py has the arithmetic, recompute_fixtures.py the records.) Needs Python with numpy, and no device.
# Only in `make check-long`.
. "$srcdir/tests/tap.inc"

python=${PYTHON3:-python3}
recompute=$srcdir/tests/analysis/recompute.py

# recomputed TABLE RECORDS...: muster's table, and whether the records say the same.
recomputed() {
    if [ "$1" = compare ]; then
        "$MUSTER" compare --format=csv "$2" "$3" >"$folder/$1.csv" || [ $? -eq 1 ] || return 1
    else
        "$MUSTER" table "$1" --format=csv "$2" >"$folder/$1.csv" || return 1
    fi
    table=$1
    shift
    "$python" -B "$recompute" "$table" "$folder/$table.csv" "$@" >"$folder/out" 2>&1 || {
        sed 's/^/# /' "$folder/out"
        return 1
    }
}

# A figure that is off by a hundredth has to be found, or the program above compares nothing.
is_found() {
    awk -F , -v OFS=, 'NR == 2 { $14 *= 1.01 } 1' "$folder/summary.csv" >"$folder/wrong.csv" &&
        cmp -s "$folder/summary.csv" "$folder/wrong.csv" && return 1
    ! "$python" -B "$recompute" summary "$folder/wrong.csv" "$folder/a.jsonl" >"$folder/out" 2>&1 &&
        grep -q ', [1-9][0-9]* differ' "$folder/out"
}

if ! in_full 6; then
    :
elif ! "$python" -c 'import numpy' 2>"$folder/err"; then
    skip 'tables recomputed from raw records' 'there is no Python with numpy'
else
    "$python" -B "$recompute" fixture "$folder" || exit 99
    for table in summary conditions advice; do
        check "table $table is what the records say" recomputed $table "$folder/a.jsonl"
    done
    check 'compare is, too' recomputed compare "$folder/a.jsonl" "$folder/b.jsonl"
    check 'table strategies is, too' recomputed strategies "$folder/studied.jsonl"
    check '… and a wrong figure is found' is_found
fi
for file in recompute recompute_fixtures recompute_statistics; do
    check "$file.py is a program" "$python" -c "import ast, sys; ast.parse(open(sys.argv[1], encoding=\"utf-8\").read())" \
        "$srcdir/tests/analysis/$file.py"
done
tap_done
