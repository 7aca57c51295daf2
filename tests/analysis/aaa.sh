#!/bin/sh
# An A/A/A over sessions, as doc/statistics.md has it: the same command in each of three sessions, with more processes each time,
# and one comparison of each label with each. PoCL; the sessions are made three by their dates.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised
records=$folder/equals.jsonl

# session NUMBER: runs what is missing, and says of what is new that it is of that day.
session() {
    ends 0 workers 2 "$MUSTER" bench mis --device="$pocl" --variants=portable,portable,portable --set=equals --no-tune \
        --workgroup=1 --input=road:20 --repeats=$((2 * $1)) --min-samples=6 --max-samples=6 || return 1
    cat "$MUSTER_RESULTS"/*/equals.jsonl >"$records"
    before=$(wc -l <"$folder/before")
    [ "$(wc -l <"$records")" = $((before + 6)) ] || { wc -l "$records"; return 1; }
    tail -n 6 "$records" | sed "s/\(\"session\":{[^}]*\"date\":\)\"[^\"]*\"/\1\"2026-01-0$1\"/" >>"$folder/before"
    for file in "$MUSTER_RESULTS"/*/equals.jsonl; do cp "$folder/before" "$file"; done
}
: >"$folder/before"
for number in 1 2 3; do
    check "session $number runs two more processes of each label" session $number
done
spread() {
    pick label session/date <"$folder/before" | paste -d ' ' - - | sort | uniq -c | awk '$1 != 2 { bad = 1 } END { exit bad || NR != 9 }'
}
check 'three sessions of two processes for each of three labels' spread

# All pairs have an interval over the sessions, so that each gets a verdict; which, the machine decides.
compared() {
    "$MUSTER" compare "$folder/before@a" "$folder/before@b" "$folder/before@c" --format=csv >"$folder/out" 2>"$folder/err"
    [ $? -le 1 ] && awk -F , '$1 == "all" { all = $3 == 3 && $4 + $5 + $6 + $7 == 3 && $8 + $9 == 0 } END { exit !all }' "$folder/out" &&
        ! grep -q 'one process' "$folder/out" || { cat "$folder/out" "$folder/err"; return 1; }
}
check 'one command compares each label with each' compared
tap_done
