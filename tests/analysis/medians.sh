#!/bin/sh
# The medians that ship with the program: where the published records are not installed, tables have the rows and columns of
# theirs that stand beside the user's own, with the same ratios. Needs no device.
. "$srcdir/tests/tap.inc"
fixture=$srcdir/tests/data/results
data=$folder/data
mkdir -p "$data/analysis/plots" "$data/results/chips" "$folder/user"
: >"$data/analysis/plots/report.py"
MUSTER_RESULTS=$fixture "$MUSTER" table medians --format=csv >"$data/results/medians.csv" || exit 99
cd "$folder/user" || exit 99

# of_user ARGUMENT...: a table of a user who has no published records.
of_user() {
    env -u MUSTER_RESULTS MUSTER_DATA="$data" "$MUSTER" table "$@" 2>"$folder/err"
}
# The ratios to six digits, in any order of the chips, whose marks are taken away.
digits() {
    sed 's/ (published medians)//' | awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) if ($i ~ /^[0-9.]+$/) $i = sprintf("%.6g", $i); print }' | sort
}
same_ratios() {
    MUSTER_RESULTS=$fixture "$MUSTER" table "$1" --format=csv | grep '^chip,\|,paper,' | grep -v '@' | digits >"$folder/of-records"
    of_user "$1" --format=csv | grep '^chip,\|,paper,' | digits >"$folder/of-medians"
    [ "$(wc -l <"$folder/of-records")" -gt 3 ] && diff "$folder/of-records" "$folder/of-medians"
}
for table in speedup slowdown; do
    check "$table of medians is that of the records" same_ratios $table
done
marked() {
    of_user headline >"$folder/out" && has "$folder/out" 'gpu-a (published medians)' 'Published medians: of records that are not installed'
}
check 'they are marked, and a note says what they are' marked

# The user's own set has those of the same name and clock beside it, and no others.
mkdir -p mine/own && xz -dc "$srcdir/tests/data/smoke.jsonl.xz" | sed 's/"set":"smoke"/"set":"paper"/; s/"clock":"launch",//; s/"chip":"[^"]*"/"chip":"own"/' >mine/own/paper.jsonl
beside() {
    of_user headline --format=csv | cut -d, -f1,2 >"$folder/out" && has "$folder/out" 'own,paper' 'gpu-a (published medians),paper' &&
        ! grep medians "$folder/out" | grep -v ',paper$'
}
check 'what is of the same set stands beside the own' beside
sed -i 's/"set":"paper"/"set":"nobody"/' mine/own/paper.jsonl
none_beside() {
    of_user headline >"$folder/out" && has "$folder/out" 'nobody' && ! grep -i 'published medians' "$folder/out"
}
check '… and nothing else' none_beside
only() {
    rm -r mine && of_user headline --chip=gpu-b --format=csv | grep -v '^chip,\|^gpu-b' | head -n 3 >"$folder/out" && [ ! -s "$folder/out" ]
}
check '--chip is for them, too' only
named() {
    MUSTER_RESULTS=$fixture MUSTER_DATA=$data "$MUSTER" table headline >"$folder/out" && ! grep medians "$folder/out"
}
check 'where a folder is named as the only one, there are none' named
with_records() {
    : >"$data/results/SHA256SUMS" && of_user headline >"$folder/out" && ! grep medians "$folder/out"
    code=$?
    rm "$data/results/SHA256SUMS"
    return "$code"
}
check 'nor where the records are installed' with_records

# ---- Damaged ----

cp "$data/results/medians.csv" "$folder/medians.csv"
# refuses LINE TEXT SED: a file that is changed so.
refuses() {
    sed "$3" "$folder/medians.csv" >"$data/results/medians.csv"
    of_user headline >"$folder/out"
    [ $? -eq 2 ] && has "$folder/err" "medians.csv:$1: $2"
}
check 'another column' refuses 1 "another column than those here, 'chips'" '1s/chip/chips/'
check 'a cell less' refuses 2 'there is no cell for' '2s/,[^,]*$//'
check 'a cell more' refuses 2 'there are more cells behind' '2s/$/,x/'
check 'a time that is none' refuses 2 'median_ns' '2s/\(,[a-z-]*\),[0-9.]*,\([0-9.]*,[0-9.]*,[0-9.e-]*,[0-9]*,\)/\1,-5,\2/'
check 'a session that is none' refuses 2 'no session and its time' '2s/,[0-9]*:/,99:/'
empty() {
    : >"$data/results/medians.csv"
    of_user headline >"$folder/out"
    [ $? -eq 2 ] && has "$folder/err" 'medians.csv:1: '
}
check 'nothing' empty
tap_done
