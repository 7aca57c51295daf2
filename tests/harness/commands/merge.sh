#!/bin/sh
# muster results merge: files of records in any order make one file, always the same. Needs no device.
. "$srcdir/tests/tap.inc"

packed=$srcdir/tests/data/smoke.jsonl.xz
if ! xz -dc "$packed" >"$folder/all.jsonl"; then
    skip_all 'xz cannot unpack the records'
fi
lines=$(wc -l <"$folder/all.jsonl")

# merge FILE SET...: merges into the file; what it tells is in $folder/told.
merge() {
    merged=$1
    shift
    "$MUSTER" results merge --output="$merged" "$@" 2>"$folder/told" || { cat "$folder/told"; return 1; }
}
told() {
    has "$folder/told" "$@"
}

# ---- Any order ----

# Four parts that overlap: each has every third or fourth line of the set, and all lines are in one of them.
for part in 0 1 2 3; do
    awk -v part=$part 'NR % 4 == part || NR % 12 == part + 4' "$folder/all.jsonl" >"$folder/part$part.jsonl"
done
twice=$(($(cat "$folder"/part?.jsonl | wc -l) - lines))
xz -k "$folder/part3.jsonl" && rm "$folder/part3.jsonl"
set -- "$folder/part0.jsonl" "$folder/part1.jsonl" "$folder/part2.jsonl" "$folder/part3.jsonl.xz"
check 'four files that overlap' merge "$folder/merged.jsonl" "$@"
check '… each run once, duplicates told from conflicts' told "$lines records, $twice duplicates, 0 in conflict, 0 damaged lines"
all_lines() {
    sort "$folder/all.jsonl" >"$folder/left" && sort "$folder/merged.jsonl" | cmp "$folder/left" -
}
check '… every line as it was, and none else' all_lines

any_order() {
    for a in "$@"; do
        for b in "$@"; do
            for c in "$@"; do
                for d in "$@"; do
                    case $b in "$a") continue ;; esac
                    case $c in "$a" | "$b") continue ;; esac
                    case $d in "$a" | "$b" | "$c") continue ;; esac
                    merge "$folder/again.jsonl" "$a" "$b" "$c" "$d" && cmp "$folder/merged.jsonl" "$folder/again.jsonl" || return 1
                done
            done
        done
    done
}
check 'all 24 orders give the same file' any_order "$@"
backwards() {
    sed '1!G;h;$!d' "$folder/all.jsonl" >"$folder/backwards.jsonl"
    merge "$folder/again.jsonl" "$folder/backwards.jsonl" && cmp "$folder/merged.jsonl" "$folder/again.jsonl"
}
check 'so does one file, backwards' backwards
to_output() {
    "$MUSTER" results merge "$folder" 2>"$folder/told" | cmp "$folder/merged.jsonl" -
}
check 'and all of them with what was merged, to standard output' to_output
halves() {
    merge "$folder/left.jsonl" "$1" "$2" && merge "$folder/right.jsonl" "$3" "$4" &&
        merge "$folder/again.jsonl" "$folder/right.jsonl" "$folder/left.jsonl" && cmp "$folder/merged.jsonl" "$folder/again.jsonl"
}
check 'and two that were merged before' halves "$@"
rm -f "$folder"/left.jsonl "$folder"/right.jsonl "$folder"/again.jsonl "$folder"/backwards.jsonl
same_tables() {
    "$MUSTER" table summary "$folder/all.jsonl" >"$folder/left" 2>&1 && [ -s "$folder/left" ] &&
        "$MUSTER" table summary "$folder/merged.jsonl" 2>&1 | diff "$folder/left" -
}
check 'its tables are those of the set' same_tables
chosen() {
    "$MUSTER" results merge --app=bfs "$folder/all.jsonl" 2>"$folder/told" >"$folder/out" && [ -s "$folder/out" ] &&
        ! grep -v '"app":"lonestar/bfs"' "$folder/out"
}
check 'filters choose what is merged' chosen

# ---- Conflicts ----

first=$(head -n 1 "$folder/all.jsonl")
printf '%s\n' "$first" >"$folder/first.jsonl"
sed 's/"date":"2/"date":"3/' "$folder/first.jsonl" >"$folder/later.jsonl"
sed 's/"date":"2/"date":"1/' "$folder/first.jsonl" >"$folder/earlier.jsonl"
# The same record, said otherwise.
sed -e 's/^{\("[a-z]*":[^,]*\),/{ /' -e "s/}\$/,$(sed 's/^{\("[a-z]*":[^,]*\),.*/\1/' "$folder/first.jsonl" | sed 's,/,\\/,g')}/" \
    "$folder/first.jsonl" >"$folder/otherwise.jsonl"
in_conflict() {
    set -- "$folder/first.jsonl" "$folder/later.jsonl" "$folder/earlier.jsonl" "$folder/otherwise.jsonl"
    merge "$folder/again" "$@" && told '1 record, 1 duplicate, 2 in conflict' \
        'later.jsonl:1 is in conflict with ' 'earlier.jsonl:1, which was made first and is kept' &&
        cmp "$folder/earlier.jsonl" "$folder/again" &&
        merge "$folder/again" "$4" "$3" "$2" "$1" && told '1 record, 1 duplicate, 2 in conflict' &&
        cmp "$folder/earlier.jsonl" "$folder/again"
}
check 'records of one key that differ: the first made is kept, the others are named' in_conflict
said_otherwise() {
    cmp -s "$folder/first.jsonl" "$folder/otherwise.jsonl" && return 1
    merge "$folder/again" "$folder/first.jsonl" "$folder/otherwise.jsonl" && told '1 record, 1 duplicate, 0 in conflict' &&
        merge "$folder/back" "$folder/otherwise.jsonl" "$folder/first.jsonl" && cmp "$folder/again" "$folder/back"
}
check 'one record said in two ways is a duplicate' said_otherwise
two_devices() {
    sed 's/"uuid":"[^"]*"/"uuid":"another"/' "$folder/first.jsonl" >"$folder/second.jsonl"
    cmp -s "$folder/first.jsonl" "$folder/second.jsonl" && return 1
    merge "$folder/again" "$folder/first.jsonl" "$folder/second.jsonl" && told '2 records, 0 duplicates, 0 in conflict'
}
check 'one key on two devices is two runs' two_devices
two_sessions() {
    sed 's/"boot":"[^"]*"/"boot":"another"/' "$folder/first.jsonl" >"$folder/second.jsonl"
    cmp -s "$folder/first.jsonl" "$folder/second.jsonl" && return 1
    merge "$folder/again" "$folder/first.jsonl" "$folder/second.jsonl" && told '2 records, 0 duplicates, 0 in conflict'
}
check '… and so it is in two sessions on one' two_sessions

# ---- Damage ----

damage() {
    sed -e '3s/^{/[/' -e '5s/"chip":[^,]*,//' -e '7s/"schema":[0-9]*/"schema":99/' "$folder/all.jsonl" >"$folder/damaged.jsonl"
    printf '\000\377garbage\n{"key":"cut off' >>"$folder/damaged.jsonl"
    merge "$folder/again" "$folder/damaged.jsonl" && told "$((lines - 3)) records" '5 damaged lines' 'damaged.jsonl:3: ' \
        'damaged.jsonl:5: a record without chip' 'damaged.jsonl:7: schema 99 is newer' "damaged.jsonl:$((lines + 1)): " \
        "damaged.jsonl:$((lines + 2)): the last line was cut off"
}
check 'a damaged file costs its damaged lines, which are named' damage
mended() {
    merge "$folder/again" "$folder/damaged.jsonl" "$folder/all.jsonl" && cmp "$folder/merged.jsonl" "$folder/again"
}
check '… which another file that has them makes up for' mended
truncated() {
    head -c 3000 "$packed" >"$folder/truncated.jsonl.xz"
    merge "$folder/again" "$folder/truncated.jsonl.xz" "$folder/all.jsonl" && told '1 damaged line' 'truncated.jsonl.xz: ' &&
        cmp "$folder/merged.jsonl" "$folder/again"
}
check 'a packed file that is cut off costs what is behind' truncated
check 'a file that is not there' ends 2 "$MUSTER" results merge "$folder/none.jsonl"
check 'nothing is merged from nothing' sh -c 'MUSTER_RESULTS=$0/none "$MUSTER" results merge | cmp - /dev/null' "$folder"
check '--output without merge' ends 2 "$MUSTER" results --output="$folder/x" "$folder/all.jsonl"
check 'merge with --format' ends 2 "$MUSTER" results merge --format=csv "$folder/all.jsonl"

# ---- What ends it ----

if [ -c /dev/full ]; then
    full() { "$MUSTER" results merge "$folder/all.jsonl" >/dev/full 2>"$folder/err"; }
    # shellcheck disable=SC2016 # the function is called by its name
    check 'a full disk, as standard output' ends 2 full
    check '… as a file' ends 2 "$MUSTER" results merge --output=/dev/full "$folder/all.jsonl"
    check '… is named' has "$folder/err" 'cannot write' 'No space left'
else
    skip 'a full disk' 'there is no /dev/full'
fi
# A file at its limit is as a disk that is full.
limited() {
    cp "$folder/first.jsonl" "$folder/kept" || return 1
    (ulimit -f 64 && exec "$MUSTER" results merge --output="$folder/kept" "$folder/all.jsonl") >"$folder/out" 2>&1
    [ $? -eq 2 ] && cmp "$folder/first.jsonl" "$folder/kept" && [ -z "$(find "$folder" -name 'kept.*')" ]
}
check '… leaves the file that was there, and no part of another' limited
# A pipe is read until its writer ends; the signal comes while it is.
interrupted() {
    rm -f "$folder/pipe" "$folder/kept" && mkfifo "$folder/pipe" || return 1
    "$MUSTER" results merge --output="$folder/kept" "$folder/pipe" >"$folder/out" 2>&1 &
    merging=$!
    {
        cat "$folder/all.jsonl"
        while [ -z "$(find "$folder" -name 'kept.*')" ]; do sleep 0.05; done
        kill -"$1" "$merging"
        cat "$folder/all.jsonl"
    } >"$folder/pipe"
    wait "$merging"
    [ $? -eq 130 ] && [ ! -e "$folder/kept" ] && [ -z "$(find "$folder" -name 'kept.*')" ]
}
check 'Ctrl-C leaves nothing behind' interrupted INT
check '… and so does an end from outside' interrupted TERM
tap_done
