#!/bin/sh
# What result sets there can be, links to them and copies of them; what is wrong with a file, with its line. Needs no device.
. "$srcdir/tests/tap.inc"
. "$srcdir/tests/analysis/records.inc"

# ---- Sets ----

# shows PART COMMAND...: ends well and prints that.
shows() {
    part=$1
    shift
    ends 0 "$@" && has "$folder/out" "$part"
}
shows_not() {
    part=$1
    shift
    ends 0 "$@" && ! grep -q -F -e "$part" "$folder/out"
}
cp "$folder/sets/one/a.jsonl" "$folder/plain.jsonl"
check 'a file' shows 'one   -    pannotia/mis' "$MUSTER" table times "$folder/plain.jsonl"
check 'a folder' shows 'one   -    pannotia/mis' "$MUSTER" table times "$folder/sets"
check 'a chip' shows 'gpu-b  -    pannotia/mis' "$MUSTER" table times gpu-b
check '… and no other' shows_not gpu-a "$MUSTER" table times gpu-b
check '--chip' shows_not gpu-a "$MUSTER" table times --chip=gpu-b
check 'several sets' shows 'gpu-b  -    pannotia/mis' "$MUSTER" table times "$folder/plain.jsonl" gpu-b
check 'a packed file with labels' shows 'gpu-a@b  -    pannotia/mis' "$MUSTER" table times "$srcdir/tests/data/equals.jsonl.xz"
check 'one label' shows_not 'gpu-a@b' "$MUSTER" table times "$srcdir/tests/data/equals.jsonl.xz@a"
mkdir -p "$folder/apart/experiments/question" && cp "$folder/plain.jsonl" "$folder/apart/experiments/question"
check 'experiments are passed over' shows 'No results.' "$MUSTER" table times "$folder/apart"
check '… unless they are named' shows 'one   -    pannotia/mis' "$MUSTER" table times "$folder/apart/experiments"
mkdir "$folder/empty"
check 'no results at all' shows 'No results.' env MUSTER_RESULTS="$folder/empty" "$MUSTER" table times
check 'results that are nowhere' ends 2 env MUSTER_RESULTS="$folder/nowhere" "$MUSTER" table summary
check '… are told' has "$folder/err" "$folder/nowhere: No such file or directory (MUSTER_RESULTS names it)"
: >"$folder/empty.jsonl"
check 'an empty file' shows 'No results.' "$MUSTER" table times "$folder/empty.jsonl"
check 'records for programs that are no runs are passed over' shows_not probe "$MUSTER" table times gpu-a
check 'the old driver is not shown' shows_not '999 us' "$MUSTER" table times gpu-a
check 'a campaign wins over single runs' shows_not '1.00 us' "$MUSTER" table times gpu-a
printf '%s' '{"schema":4,"kind":"measure","app":"panno' >>"$folder/plain.jsonl"
check 'a last line that was cut off' shows 'one   -    pannotia/mis' "$MUSTER" table times "$folder/plain.jsonl"
check '… with a note' has "$folder/err" 'plain.jsonl:7: the last line was cut off'

# ---- Links and copies ----

# keyed NUMBER...: records with keys, two samples each.
keyed() {
    for number in "$@"; do
        printf '{"schema":4,"kind":"measure","key":"run %s","app":"pannotia/mis","input":"road:9",' "$number"
        printf '"variant":"portable","chip":"one","outcome":"ok","label":"x","samples_ns":[1000,1000]}\n'
    done
}
# counts SAMPLES NOTES SET...: the samples and the notes of result sets.
counts() {
    samples=$1 notes=$2
    shift 2
    ends 0 "$MUSTER" results --format=csv "$@" || return 1
    echo "$(($(wc -l <"$folder/out") - 1)) samples, $(grep -c note: "$folder/err") notes"
    cat "$folder/err"
    [ "$(wc -l <"$folder/out")" -eq "$((samples + 1))" ] && [ "$(grep -c note: "$folder/err")" -eq "$notes" ]
}
mkdir -p "$folder/deep/2/3/4/5/6" "$folder/twice/under"
keyed 1 2 3 >"$folder/deep/2/3/4/5/6/a.jsonl"
check 'a folder six deep' counts 6 0 "$folder/deep"
ln -s .. "$folder/deep/2/up"
check 'links in a circle end' counts 6 1 "$folder/deep"
check '… with a note' has "$folder/err" "note: $folder/deep/2/up is the same as $folder/deep, and is read once"
keyed 1 2 3 >"$folder/twice/a.jsonl"
ln -s a.jsonl "$folder/twice/b.jsonl"
ln "$folder/twice/a.jsonl" "$folder/twice/under/c.jsonl"
check 'a link and a second name of a file' counts 6 2 "$folder/twice"
check 'a set that is named twice' counts 6 1 "$folder/twice/a.jsonl" "$folder/twice/under/c.jsonl"
check '… with a label' counts 6 1 "$folder/twice/a.jsonl@x" "$folder/twice/a.jsonl@x"
check '… and without: records count once' counts 6 1 "$folder/twice/a.jsonl" "$folder/twice/a.jsonl@x"
{ cat "$folder/twice/a.jsonl" && keyed 4; } | xz >"$folder/twice/under/d.jsonl.xz"
check 'a copy counts where it has more' counts 8 3 "$folder/twice"
check '… with a note' has "$folder/err" 'd.jsonl.xz: 3 records have keys that were read before'
sed 's/"chip":"one"/"chip":"two"/' "$folder/twice/a.jsonl" >"$folder/two.jsonl"
check 'the same key on another chip is another run' counts 12 0 "$folder/two.jsonl" "$folder/twice/a.jsonl"

# The same key with another content: whichever file is read first, the run that was made first counts. Of two that were
# made in the same second, one of them counts, and always the same one.
dated() {
    printf '{"schema":4,"kind":"measure","key":"k","app":"pannotia/mis","input":"road:9","variant":"portable",'
    printf '"chip":"one","outcome":"ok","repeat":0,"date":"%s","samples_ns":[%s]}\n' "$1" "$2"
}
dated 2026-01-02T00:00:00Z 7000000,7000000 >"$folder/late.jsonl"
dated 2026-01-01T00:00:00Z 5000000,5000000 >"$folder/early.jsonl"
dated 2026-01-01T00:00:00Z 6000000,6000000 >"$folder/other.jsonl"
settled() {
    rm -f "$folder/settled"
    for order in 'late early other' 'other early late' 'early late other'; do
        # shellcheck disable=SC2086
        set -- $order
        ends 0 "$MUSTER" table times --format=csv "$folder/$1.jsonl" "$folder/$2.jsonl" "$folder/$3.jsonl" &&
            grep -q '[56]000000' "$folder/out" && ! grep -q 7000000 "$folder/out" &&
            has "$folder/err" "$2.jsonl:1: another record with this key was read before" \
                'the one that was made first counts (that of 2026-01-01T00:00:00Z, not that of ' || return 1
        [ -e "$folder/settled" ] || cp "$folder/out" "$folder/settled"
        cmp -s "$folder/out" "$folder/settled" || return 1
    done
}
check 'of two records with one key the earlier one counts, in any order of files' settled
cp "$folder/early.jsonl" "$folder/copy.jsonl"
copied() {
    ends 0 "$MUSTER" table times "$folder/early.jsonl" "$folder/copy.jsonl" &&
        has "$folder/err" 'copy.jsonl: 1 records have keys that were read before' && ! grep -q another "$folder/err"
}
check '… and a copy is no such thing' copied

# One campaign, made by two hosts, and by two equal devices of one: keys are equal, runs are not.
elsewhere() {
    sed "s/\"chip\":\"one\"/\"chip\":\"one\",\"host\":{\"name\":\"$1\"},\"device\":{\"uuid\":\"$2\"}/" "$folder/early.jsonl"
}
{ elsewhere here 0a && elsewhere there 0a && elsewhere here 0b; } >"$folder/hosts.jsonl"
elsewhere here 0a >"$folder/again.jsonl"
check 'equal keys of two hosts, and of two devices, are three runs' ends 0 "$MUSTER" results "$folder/hosts.jsonl" \
    "$folder/again.jsonl"
check '… of which the copy counts once' has "$folder/out" '3 records: ok 3'
check '… with a note' has "$folder/err" 'again.jsonl: 1 records have keys that were read before'

# ---- What is refused ----

# refuses PART ARGUMENT...: exit code 2 and a message.
refuses() {
    part=$1
    shift
    ends 2 "$MUSTER" table "$@" && has "$folder/err" "$part"
}
# refuses_line PART LINE: a file whose second line that is.
refuses_line() {
    { record portable one 0 5 && printf '%s\n' "$2" && record portable one 1 5; } >"$folder/bad.jsonl"
    refuses "bad.jsonl:2: $1" times "$folder/bad.jsonl"
}
check 'no table' refuses 'which of these tables?'
check 'an unknown table lists what there is' refuses "no table 'nonsense'; there are: summary, speedup" nonsense
check 'an unknown format' refuses '--format=nonsense: no such choice; there are: text' times --format=nonsense
check 'no such set' refuses 'none: no such file or folder' times "$folder/none"
check 'no such label' refuses "no record has the label 'c'" times "$srcdir/tests/data/equals.jsonl.xz@c"
check 'a line that is no JSON' refuses_line '' '{"app":'
check 'a line that is no object' refuses_line 'not a record: no JSON object' '[1]'
check 'a newer schema' refuses_line 'schema 5 is newer' '{"schema":5}'
check 'an older schema' refuses_line 'schema 3 is older' '{"schema":3}'
check 'a schema that is no number' refuses_line 'schema is no number' '{"schema":"x"}'
check 'a record without an app' refuses_line 'a record without app' '{"schema":4}'
check 'an outcome that is no text' refuses_line 'a record without outcome' \
    '{"app":"a","input":"i","variant":"v","chip":"c","outcome":1}'
for samples in '[1,-1]' '[0]' '["x"]' '[null]' '{}' '1'; do
    check "samples $samples" refuses_line 'samples_ns ' \
        '{"app":"a","input":"i","variant":"v","chip":"c","outcome":"ok","samples_ns":'"$samples"'}'
done
xz -c "$folder/sets/one/a.jsonl" 2>/dev/null | head -c 100 >"$folder/cut.jsonl.xz"
check 'a packed file that was cut off' refuses cut.jsonl.xz times "$folder/cut.jsonl.xz"
if [ -w /dev/full ]; then
    check 'a full disk' sh -c '"$MUSTER" table times >/dev/full 2>"$0"; [ $? -eq 2 ] && grep -q "cannot write" "$0"' "$folder/err"
else
    skip 'a full disk' 'there is no /dev/full'
fi
printf '%s\n' '{"app":"\u001b[2J","input":"i","variant":"v","chip":"c","outcome":"ok","samples_ns":[1]}' >"$folder/steer.jsonl"
check 'no text steers the terminal' sh -c '! "$MUSTER" table times "$0" | LC_ALL=C grep -q "[[:cntrl:]]"' "$folder/steer.jsonl"
printf '%s\n' '{"app":"a\\|b|c","input":"i","variant":"v","chip":"c","outcome":"ok","samples_ns":[1]}' >"$folder/bar.jsonl"
check 'a bar in Markdown, behind a backslash or not' shows 'a\\\|b\|c' "$MUSTER" table times --format=markdown "$folder/bar.jsonl"
# Chips are columns of some tables and titles of others.
for steer in '\u001b[2J' '\u009b2J'; do
    for table in speedup slowdown summary times outcomes; do
        for variant in multi-kernel portable specialised; do record $variant "$steer" 0 5; done >"$folder/steer.jsonl"
        check "nor a chip's name, $steer, in table $table" sh -c '! "$MUSTER" table $1 "$0" |
            LC_ALL=C grep -e "$(printf "\033")" -e "$(printf "\302\233")"' "$folder/steer.jsonl" $table
    done
done
printf '{"a": "\302\2332J" \033[2J}\n' >"$folder/steer.jsonl"
check 'nor a message that quotes a file' sh -c '"$MUSTER" table times "$0" 2>"$1"; [ $? -eq 2 ] && grep -q "steer.jsonl:1: " "$1" &&
    ! LC_ALL=C grep -e "$(printf "\033")" -e "$(printf "\302\233")" "$1"' "$folder/steer.jsonl" "$folder/err"
steering=$folder/a$(printf '\033')[2J.jsonl
: >"$steering"
check "nor a note on a file, by the file's name" sh -c '"$MUSTER" results "$0" "$0" 2>"$1" >"$1.out"; grep -q "note: .*a?\[2J.jsonl is the same" "$1" &&
    ! LC_ALL=C grep "$(printf "\033")" "$1"' "$steering" "$folder/err"
tap_done
