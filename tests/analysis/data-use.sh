#!/bin/sh
# Results in the hands of others: every row of the CSV is told apart from all others; the lines of Python and R in
# doc/results-format.md do what they say; the data package names every published file with its sum. Needs no device.
. "$srcdir/tests/tap.inc"

# ---- CSV ----

MUSTER_RESULTS=$srcdir/results
export MUSTER_RESULTS
# Columns that are times of a sample; without them, and quoted texts made plain, no row comes twice.
told_apart() {
    "$MUSTER" results "$@" --format=csv 2>/dev/null >"$folder/all.csv" && [ "$(wc -l <"$folder/all.csv")" -gt 1 ] || return 1
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { name[$i] = i } next }
        { while (match($0, /"[^"]*"/)) {
              quoted = substr($0, RSTART + 1, RLENGTH - 2); gsub(/,/, ";", quoted)
              $0 = substr($0, 1, RSTART - 1) quoted substr($0, RSTART + RLENGTH) }
          for (column in name) if (column ~ /^(host|device|end_to_end|cpu)_ns$/ || column == "preempted") $name[column] = ""
          if (seen[$0]++) { print; wrong = 1 } } END { exit wrong }' "$folder/all.csv"
}
if published; then
    if in_full; then
        check 'no two rows of all published samples are the same but for their times' told_apart
    else
        check 'no two rows of a chip'"'"'s published samples are the same but for their times' told_apart "$srcdir"/results/chips/pocl-3.1-skylake-avx512-amd-epyc-2/*.xz
    fi
    check '… nor those of an A/A comparison' told_apart "$srcdir/results/experiments/a-a/aa-h200.jsonl.xz"
else
    skip 'no two rows of published samples are the same' "$no_records"
fi

# ---- Variants against themselves ----

# Every pair of labels: at most 5 % of the tests may differ.
equals=$srcdir/results/experiments/a-a/aa-h200.jsonl.xz
same_are_same() {
    "$MUSTER" results "$equals" --format=csv >"$folder/equals.csv" || return 1
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "label") at = i; next } { print $at }' "$folder/equals.csv" | sort -u >"$folder/labels"
    while read -r a; do
        while read -r b; do
            [ "$a" = "$b" ] || expr "$a" '>' "$b" >/dev/null || "$MUSTER" compare "$equals@$a" "$equals@$b" --format=csv || [ $? -eq 1 ] || return 1
        done <"$folder/labels"
    done <"$folder/labels" >"$folder/pairs"
    awk -F, '$NF == "slower" || $NF == "faster" { different++ } $NF != "verdict" { pairs++ }
        END { print different + 0 " of " pairs " pairs differ"; exit !(pairs >= 20 && different <= 0.05 * pairs) }' "$folder/pairs"
}
if published; then
    check 'a variant against itself differs in at most 5 % of pairs' same_are_same
else
    skip 'a variant against itself' "$no_records"
fi

# ---- Python and R ----

# block LANGUAGE: the lines that the documentation gives.
block() {
    sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$srcdir/doc/results-format.md" | sed '1d;$d'
}
# Two processes with the medians 200 and 400 on one day, one with 700 on the next; a try of a tuning and a failure.
mkdir "$folder/use"
cd "$folder/use" || exit 99
record() {
    printf '{"schema":4,"kind":"%s","key":"%s","set":"s","app":"pannotia/mis","input":"road:9","variant":"portable",' "$1" "$2"
    printf '"chip":"c","outcome":"%s","repeat":%s,"session":{"date":"2026-01-0%s","host":"h"},"samples_ns":[%s]}\n' "$3" "$4" "$5" "$6"
}
{
    record measure a ok 0 1 100,200,900
    record measure b ok 1 1 400
    record measure c ok 2 2 700,700
    record tune d ok 0 1 5
    record measure e wrong 3 1 7
} >records.jsonl
"$MUSTER" results records.jsonl --format=csv >samples.csv || exit 99
finds_medians() {
    "$@" >out 2>err || { cat out err; return 1; }
    cat out
    grep -q '2026-01-01 *300' out && grep -q '2026-01-02 *700' out
}
block python >use.py
block r >use.R
check 'the documentation has lines for both' [ -s use.py ] && [ -s use.R ]
python=
for candidate in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$candidate" -c 'import pandas' 2>/dev/null || python=$candidate
done
if [ -n "$python" ]; then
    check 'its Python finds the medians' finds_medians "$python" use.py
else
    skip 'its Python finds the medians' 'Python has no pandas (Debian package python3-pandas)'
fi
if command -v Rscript >/dev/null 2>&1; then
    check 'its R finds the medians' finds_medians Rscript use.R
else
    skip 'its R finds the medians' 'there is no R (Debian package r-base-core)'
fi
cd "$OLDPWD" || exit 99

# ---- The data package ----

if ! published; then
    skip 'the data package' "$no_records"
elif command -v sha256sum >/dev/null 2>&1; then
    sums_hold() {
        (cd "$srcdir/results" && sha256sum --quiet -c SHA256SUMS)
    }
    check 'the sums of the published files hold' sums_hold
    # What was measured in this checkout is not published.
    up_to_date() {
        cp -R "$srcdir/results" "$folder/results"
        [ ! -e "$srcdir/.git" ] || (cd "$srcdir" && git ls-files --others results) | while read -r file; do rm "$folder/$file"; done
        "${CONFIG_SHELL:-/bin/sh}" "$srcdir/build-aux/datapackage" "$folder/results" "$folder" &&
            diff "$srcdir/results/datapackage.json" "$folder/datapackage.json" && diff "$srcdir/results/SHA256SUMS" "$folder/SHA256SUMS"
    }
    check 'the data package has all of them, and nothing else' up_to_date
    check 'the data package is JSON, with a licence' sh -c '"$0" licenses <"$1" >"$2" && grep -q CC-BY-4.0 "$2"' \
        "$JSON_PICK" "$srcdir/results/datapackage.json" "$folder/licence"
else
    skip 'the data package' 'there is no sha256sum'
fi
check 'the licence is there' grep -q 'creativecommons.org/licenses/by/4.0' "$srcdir/results/LICENSE.md"
tap_done
