#!/bin/sh
# `muster chip`: an unknown device gets its rows and a page, a pack of them is made, and a checkout takes it and makes
# its tables. tests/records/test_pack.c has the packs that are refused.
. "$srcdir/tests/tap.inc"
need_pocl
set_workers 2
chip=$(pocl_has chip)
compile_unoptimised

own=$MUSTER_RESULTS/$chip
pack=$folder/$chip.pack.jsonl.xz
checkout=$folder/checkout

# ---- add ----

# A kill in the probe, whose records stay; no process of it goes on.
killed() {
    "$MUSTER" chip add mis --device="$pocl" --budget=100 >"$folder/out" 2>&1 &
    add=$!
    tries=0
    until [ -s "$own/probe.jsonl" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 600 ] || { cat "$folder/out"; kill -9 "$add"; return 1; }
        sleep 0.1
    done
    kill -9 "$add"
    wait "$add"
    # Its stage is told to end as well, and holds the file until it has.
    flock -w 60 "$own/probe.jsonl" true || return 1
    before=$(wc -l <"$own/probe.jsonl")
}
check 'add is killed in its first stage' killed
has_row() {
    "$MUSTER" table speedup "$1" --format=csv 2>"$folder/err" | grep -q "^$chip,smoke,pannotia/mis,road:60,[0-9]"
}
# The same command goes on until there is a row.
goes_on() {
    for budget in 10 20 40 80; do
        ends 0 "$MUSTER" chip add mis --device="$pocl" --budget="${budget}s" || return 1
        [ ! -f "$own/smoke.jsonl" ] || ! has_row "$own/smoke.jsonl" || return 0
    done
    cat "$folder/out" "$folder/err"
    return 1
}
check 'the same command goes on, with what was there, to a row of the tables' goes_on
kept() {
    [ "$(wc -l <"$own/probe.jsonl")" -ge "$before" ] && has "$own/README.md" "# $chip" 'pannotia/mis' &&
        has "$folder/out" "muster chip pack $chip" "$own/README.md"
}
check '… and leaves a page, and says what comes next' kept
interrupted() {
    "$MUSTER" chip add mis --device="$pocl" --budget=100 >"$folder/out" 2>&1 &
    add=$!
    sleep 1
    kill -TERM "$add"
    wait "$add"
    [ $? -eq 130 ] && has "$folder/out" 'the same command goes on'
}
check 'a signal ends it' interrupted

# ---- pack ----

# A folder such as a pack that was killed leaves.
mkdir -p "$folder/temporary/muster-pack-killed/$chip" && touch -d '1 hour ago' "$folder/temporary/muster-pack-killed"
packed() {
    ends 0 env TMPDIR="$folder/temporary" "$MUSTER" chip pack --output="$pack"
}
check 'the only chip is packed' packed
check '… and no temporary folder is left, nor one of before' [ -z "$(ls "$folder/temporary")" ]
check '… and read as any file of records' has_row "$pack"
stripped() {
    xz -dc "$pack" >"$folder/unpacked" && ! grep -F -e "\"$(uname -n)\"" -e "$folder" "$folder/unpacked" &&
        has "$folder/unpacked" '"name":"host-' '"readme":"# '
}
check '… without the names of this host and its folders' stripped
again() {
    "$MUSTER" chip pack "$chip" --output="$folder/again.xz" >"$folder/out" && cmp "$pack" "$folder/again.xz"
}
if [ -s /etc/machine-id ]; then check 'the same records make the same pack' again; else skip 'the same pack' 'there is no /etc/machine-id'; fi

# Profiles that do not fit the records, of a copy of the folder of results.
mkdir "$folder/copy" && cp -R "$MUSTER_RESULTS/$chip" "$folder/copy"
packs_copy() {
    (MUSTER_RESULTS=$folder/copy && export MUSTER_RESULTS && "$MUSTER" chip pack --output="$folder/copy.xz")
}
foreign() {
    printf '[profile]\nformat = 1\n\n[chip]\ndevice = another\n' >"$folder/copy/$chip/chip.ini" && ends 0 packs_copy &&
        has "$folder/err" "$folder/copy/$chip/chip.ini is the profile of another device ('another')" && has_row "$folder/copy.xz" &&
        xz -dc "$folder/copy.xz" | head -n 1 | grep -q '"profile":""'
}
check 'a profile of another device than the records is not packed, and is named' foreign
broken() {
    echo 'nonsense = 1' >>"$folder/copy/$chip/chip.ini"
    ends 2 packs_copy && has "$folder/err" "$folder/copy/$chip/chip.ini:"
}
check 'a damaged profile is named by its own path' broken

# ---- import ----

mkdir -p "$checkout/build-aux" "$checkout/results/chips"
cp "$srcdir/build-aux/datapackage" "$checkout/build-aux"
cp -R "$srcdir/results/chips/oclgrind-21.10-simulator-1" "$checkout/results/chips" && chmod -R u+w "$checkout"
printf '%s\n' '# A page' '' '<!-- records -->' '<!-- end -->' '' 'It is <!-- cell provenance chip='"$chip"' runs -->none<!-- end --> runs.' \
    >"$checkout/README.md"
import() {
    (cd "$checkout" && "$MUSTER" chip import "$@")
}
mv "$checkout/build-aux/datapackage" "$folder" && echo 'exit 1' >"$checkout/build-aux/datapackage"
check 'an import whose sums cannot be made' ends 2 import "$pack"
mv "$folder/datapackage" "$checkout/build-aux"
check 'the same command goes on' ends 0 import "$pack"
clean() {
    grep -qx 'README.md' "$folder/out" && ! grep -F '..' "$folder/out"
}
check '… and names pages by clean paths' clean
imported() {
    MUSTER_RESULTS=$checkout/results/chips && has_row "$checkout/results/chips" &&
        (cd "$checkout/results" && sha256sum -c SHA256SUMS && grep "/$chip/" SHA256SUMS) &&
        has "$checkout/results/chips/$chip/README.md" "# $chip" && ! grep -q none "$checkout/README.md"
}
check '… its row is in the tables, its files among the sums, and the pages know it' imported
other=results/chips/oclgrind-21.10-simulator-1/README.md
if [ -f "$srcdir/$other" ]; then
    check '… and the page of another chip is what it was' cmp "$srcdir/$other" "$checkout/$other"
else
    skip 'the page of another chip' 'the tarball has no pages of chips'
fi
state() {
    (cd "$checkout" && find . -type f -exec sha256sum {} + | sort)
}
state >"$folder/before"
# refused CODE PART COMMAND...: it ends with the code, says so, and leaves the checkout as it was.
refused() {
    refused_code=$1 refused_part=$2
    shift 2
    ends "$refused_code" "$@" && has "$folder/err" "$refused_part" && state | cmp "$folder/before" -
}
nothing_new() {
    ends 0 import "$pack" --output=results// && has "$folder/out" "results/chips/$chip: 0 new records" && state | cmp "$folder/before" -
}
check 'once more, and nothing is new' nothing_new
head -c 1000 "$pack" >"$folder/cut.xz"
check 'a pack that was cut off is refused' refused 2 "$folder/cut.xz" import "$folder/cut.xz"
check 'a name that is a path is refused' refused 2 'plain word' import "$pack" --chip=../x
check 'a folder that is no checkout is refused' refused 2 'no folder of results' import "$pack" --output="$folder/elsewhere"
mv "$checkout/results/chips/$chip" "$folder/moved" && ln -s "$folder/moved" "$checkout/results/chips/$chip"
state >"$folder/before"
check 'a chip that is a link is refused' refused 2 'no folder' import "$pack"
rm "$checkout/results/chips/$chip"
mv "$folder/moved" "$checkout/results/chips/$chip"
sed -i 's/"compute_units": *2/"compute_units":3/' "$checkout/results/chips/$chip/probe.jsonl"
state >"$folder/before"
check 'another device of that name is refused' refused 2 'another device' import "$pack"
renamed() {
    ends 0 import "$pack" --chip=other && MUSTER_RESULTS=$checkout/results/chips "$MUSTER" table provenance --chip=other --format=csv | grep -q '^other,smoke,'
}
check '… and gets another name' renamed
if in_full; then
    head -c 300000000 /dev/zero | xz -0 >"$folder/bomb.xz"
    state >"$folder/before"
    check 'what unpacks to anything is refused' refused 3 'unpacks to more' import "$folder/bomb.xz"
fi

# ---- Mistakes ----

check 'add of no app' ends 2 "$MUSTER" chip add nonsense --device=none
check '… is told before a device is asked for' has "$folder/err" "no app 'nonsense'"
check 'add of no suite' ends 2 "$MUSTER" chip add --suite=nonsense --device=none
check '… is told' has "$folder/err" '--suite=nonsense: no such choice'
check 'add of a study' ends 2 "$MUSTER" chip add --suite=persistent --device=none
check '… is told' has "$folder/err" '--suite=persistent is a study'
check 'chip alone' ends 2 "$MUSTER" chip
check 'an unknown work' ends 2 "$MUSTER" chip dance
check 'import of nothing' ends 2 "$MUSTER" chip import
check 'an option of another work' ends 2 "$MUSTER" chip pack --budget=3
check 'a chip that is not there' ends 2 "$MUSTER" chip pack nobody
check 'a chip that is a path' ends 2 "$MUSTER" chip pack ../results
tap_done
