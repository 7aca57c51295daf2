#!/bin/sh
# muster table: every table in every format from the fixtures in tests/data/results, as in tests/expected (`BLESS=1` writes
# those files anew); what result sets there can be; what is wrong with a file, with its line. Needs no device.
. "$srcdir/tests/tap.inc"
MUSTER_RESULTS=$srcdir/tests/data/results
export MUSTER_RESULTS

# ---- Goldens: a deadlock, a wrong result, a crash, a deadline, missing variants, an old driver, single runs, tunings ----

for table in headline history summary speedup slowdown same-size conditions rollcalls throughput growth times tuning outcomes failures advice samples provenance chips; do
    check "table $table" golden table-$table.txt "$MUSTER" table $table
    check "table $table as CSV" golden table-$table.csv "$MUSTER" table $table --format=csv
done
check 'table schedulers, which is of models and not of records' golden table-schedulers.txt "$MUSTER" table schedulers
for format in markdown latex json cells; do
    check "table speedup as $format" golden table-speedup.$format "$MUSTER" table speedup --format=$format
done
for table in speedup slowdown; do
    check "table $table beside the figures of 2016" golden table-$table-paper.txt "$MUSTER" table $table --paper
done

# The geometric means of the published figures are those of the paper's Figures 9 and 10 (R7's 1.17 there is 1.16 of the
# rounded figures).
paper_means() {
    "$MUSTER" table "$1" --paper | awk -v suite="$2" '$1 == suite && $2 == "geometric" && !/shared/ {
        print $(NF - 7), $(NF - 6), $(NF - 5), $(NF - 4), $(NF - 3), $(NF - 2), $(NF - 1), $NF }' >"$folder/means"
    printf '%s\n' "$3" | diff -u - "$folder/means"
}
check 'means of the published speedups' paper_means speedup pannotia/ '1.03 0.96 1.36 1.28 1.29 0.98 0.58 0.65'
check 'means of the published slowdowns' paper_means slowdown lonestar/ '1.31 1.29 1.05 1.06 1.71 1.16 0.83 0.77'

# Each value by hand: 300 / 100 = 3 in every process, so that the ratio is known exactly.
record() {
    printf '{"schema":4,"kind":"measure","app":"pannotia/mis","input":"road:9","variant":"%s","chip":"%s",' "$1" "$2"
    printf '"outcome":"ok","repeat":%s,"samples_ns":[%s]}\n' "$3" "$4"
}
# Beside the paper stands what was measured cold: 300 / 200 on the stand-in of its circ, whose row is its own.
beside_the_paper() {
    for repeat in 0 1 2; do
        record multi-kernel one "$repeat" 300000000,300000000
        record portable one "$repeat" 100000000,100000000
        record portable one "$repeat" 200000000,200000000 | sed 's/}$/,"configuration":{"condition":"cold"}}/'
    done | sed 's/"input":"road:9"/"input":"road:1259","set":"s"/' >"$folder/cold.jsonl"
    "$MUSTER" table speedup --paper "$folder/cold.jsonl" >"$folder/cold" &&
        awk '$2 == "road:1259" || $2 == "median" || $2 == "greatest" { print $2, $3, $(NF - 7), $NF }' "$folder/cold" |
        diff -u "$folder/expected-cold" -
}
printf '%s\n' 'road:1259 1.50 0.97 0.43' 'median 1.50 1.02 0.57' 'greatest 1.50 1.10 1.78' >"$folder/expected-cold"
check 'cold beside cold, and a stand-in beside its original' beside_the_paper

# Cold by two roll calls, 300 and 120 against a bound of 100, which the sweep does not label.
by_rollcall() {
    for repeat in 0 1 2; do
        record specialised roll "$repeat" 100000000 | sed 's/}$/,"team_from":"bound","set":"mutexes"}/'
        for rollcall in ticket:300 ticket-destruct:120; do
            record portable roll "$repeat" "${rollcall#*:}000000" |
                sed "s/}$/,\"rollcall\":\"${rollcall%:*}\",\"configuration\":{\"condition\":\"cold\"},\"label\":\"rollcall=${rollcall%:*}\",\"set\":\"mutexes\"}/"
        done
    done >"$folder/mutexes.jsonl"
    "$MUSTER" table rollcalls --format=csv "$folder/mutexes.jsonl" >"$folder/rollcalls" &&
        awk -F , 'NR > 1 && NF > 5 { print $1, $2, $5, $6, $9, $12 }' "$folder/rollcalls" | diff -u "$folder/expected" -
}
printf '%s\n' 'roll mutexes ticket 300000000 100000000 3' 'roll mutexes ticket-destruct 120000000 100000000 1.2' >"$folder/expected"
check 'a roll call over the bound, from end to end' by_rollcall
mkdir "$folder/sets" "$folder/sets/one" "$folder/sets/two"
for repeat in 0 1 2; do
    record multi-kernel one $repeat 300000000,300000000,900000000
    record portable one $repeat 100000000,100000000,100000000
done >"$folder/sets/one/a.jsonl"
# Times that rise by half: what for, they do not tell. Where samples lost their core, that is the reason.
rising=$(awk 'BEGIN { for (i = 0; i < 20; i++) printf "%s%d", i ? "," : "", 100000000 + 4000000 * i }')
advises() {
    "$MUSTER" table advice --format=csv "$folder/$1.jsonl" >"$folder/advice" && has "$folder/advice" "$2" &&
        ! grep -q "$3" "$folder/advice"
}
record portable one 0 "$rising" >"$folder/hot.jsonl"
sed 's/}$/,"preempted":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3,1,2]}/' "$folder/hot.jsonl" >"$folder/busy.jsonl"
check 'times that rise are not called throttling' advises hot ',rise,' throttling
check '… but where samples lost their core, the machine was busy' advises busy '3 of 20 samples lost their core' ',rise,'
# Workgroups that give their processor away while they wait are counted as if they had lost it.
sed 's/}$/,"configuration":{"yield":"syscall"}}/' "$folder/busy.jsonl" >"$folder/yields.jsonl"
check '… where workgroups give theirs away, that tells nothing' advises yields ',rise,' ,busy,
# watched WATCHED OTHERS IDLE, in ms: what the processors did meanwhile.
watched() {
    sed "s/}\$/,\"environment\":{\"variables\":{},\"watched_ns\":${1}000000,\"others_ns\":${2}000000,\"idle_ns\":${3}000000}}/" \
        "$folder/busy.jsonl" >"$folder/watched.jsonl"
}
watched 1000 450 300
check '… it was where others had part of the processors, and little was left' advises watched 'other programs had 0.45 cores' ',rise,'
watched 1000 450 600
check '… but not where there were more processors' advises watched ',rise,' ,busy,
watched 1000 90 300
check '… nor where others had little' advises watched ',rise,' ,busy,
watched 50 20 30
check '… or as little as a clock tells' advises watched ',rise,' ,busy,
# What the host of a virtual machine took; a tenth of a core and two ticks are allowed.
stolen() {
    sed "s/}\$/,\"environment\":{\"variables\":{},\"watched_ns\":1000000000,\"others_ns\":0,\"idle_ns\":0,\"steal_ns\":${1}000000}}/" \
        "$folder/hot.jsonl" >"$folder/stolen.jsonl"
}
stolen 510
check 'the host took time' advises stolen ',steal,"the host of this virtual machine took 51 % of a core' ,busy,
stolen 120
check '… but a little does not count' advises stolen ',rise,' ,steal,
# Two processes that differ; how long a word took between two cores before and after each.
moved() {
    { record portable one 0 100,101 && record portable one 0 200,201; } |
        sed -e "1s/}\$/,\"environment\":{\"variables\":{},\"core_latency_ns_before\":$1,\"core_latency_ns_after\":$2}}/" \
            -e "2s/}\$/,\"environment\":{\"variables\":{},\"core_latency_ns_after\":$3}}/" >"$folder/moved.jsonl"
}
moved 60 62 350.4
check 'cores are moved where a word takes longer between them in one process' advises moved 'from 60 to 350 ns between two cores' ,busy,
moved 60 130 61
check '… or behind one than before it' advises moved 'from 60 to 130 ns between two cores' ,busy,
moved 60 110 65
check '… but not where it takes much the same' advises moved ',processes-differ,' ,cores-moved,
# What a process of muster does about its threads where another one was first.
placed() {
    sed "s/}\$/,\"placement\":\"$1\"}/" "$folder/hot.jsonl" >"$folder/placed.jsonl"
}
placed 'none: another process of muster places its threads'
check 'threads had no cores of their own where another muster ran' advises placed \
    ',not-placed,in 1 of 1 processes threads had no cores of their own' ,busy,
placed cores
check '… but not where they had' advises placed ',rise,' ,not-placed,
placed 'none: asked for'
check '… nor where the user wanted it so' advises placed ',rise,' ,not-placed,
sed 's/}$/,"environment":{"variables":{},"device_after":{"throttle":["idle","power cap"]}}}/' "$folder/hot.jsonl" >"$folder/capped.jsonl"
sed 's/}$/,"environment":{"variables":{},"device_after":{"throttle":["idle"]}}}/' "$folder/hot.jsonl" >"$folder/idle.jsonl"
check '… it is throttling where the driver says so' advises capped 'clocks were held down: power cap' ,busy,
check '… which an idle device is not' advises idle ',rise,' throttling
# A file is called by its name without the folder, unless that would be two inputs' name; and found by either.
on_file() {
    sed "s,\"road:9\",\"$1\"," "$folder/hot.jsonl"
}
files() {
    "$MUSTER" table times --format=csv "$@" "$folder/files.jsonl" | sed 1d | cut -d, -f4 | paste -s -d ' ' -
}
{ on_file /tmp/some/one.gr && on_file here/two.gr && on_file two.gr && on_file three.gr; } >"$folder/files.jsonl"
check 'files are shown without their folders where that tells them apart' [ "$(files)" = 'one.gr here/two.gr three.gr two.gr' ]
check '… and are found by that name' [ "$(files --input=one.gr)" = one.gr ]
check '… or by their paths' [ "$(files --input=/tmp/some/one.gr)" = one.gr ]
check '… which records keep' [ "$("$MUSTER" results --format=json "$folder/files.jsonl" | grep -c /tmp/some/one.gr)" = 1 ]
# Both variants were tried with 32 and 64; portable was measured with 64, specialised with 32.
tried() {
    printf '{"schema":4,"kind":"tune","app":"pannotia/mis","input":"road:9","chip":"two","variant":"%s","workgroup":%s,' "$1" "$2"
    printf '"outcome":"ok","samples_ns":[%s,%s]}\n' "$3" "$3"
}
{
    tried portable 32 330 && tried portable 64 300 && tried specialised 32 300 && tried specialised 64 400
    record portable two 0 300,300 | sed 's/}$/,"workgroup":64}/'
    record specialised two 0 300,300 | sed 's/}$/,"workgroup":32}/'
} >"$folder/sizes.jsonl"
same_size() {
    "$MUSTER" table same-size --format=csv "$folder/sizes.jsonl" | sed 1d | cut -d, -f6-8,11,14 >"$folder/sizes" &&
        printf '64,32,1,0.75,1.1\n' | diff -u - "$folder/sizes"
}
check 'ratios at one workgroup size by hand' same_size
# 1000 arcs and 99 vertices in 1 ms are a million arcs a second, and 4 (1000 + 100 + 99) bytes; bc passes them ten times.
{
    record portable one 0 1000000,1000000 | sed 's/}$/,"edges":1000,"vertices":99}/'
    record portable one 0 1000000,1000000 | sed -e 's/}$/,"edges":1000,"vertices":99,"scalars":{"sources":10}}/' -e s/mis/bc/
    record portable one 0 1000000,1000000 | sed s/mis/color/
} >"$folder/arcs.jsonl"
throughput() {
    "$MUSTER" table throughput --format=csv "$folder/arcs.jsonl" | sed 1d | cut -d, -f3,6,9 >"$folder/arcs" &&
        printf 'pannotia/bc,10,0.04796\npannotia/color,,\npannotia/mis,1,0.004796\n' | diff -u - "$folder/arcs"
}
check 'arcs and bytes for each second by hand' throughput
# The chip of these records copies 0.4796 GB/s, by the array that no cache holds.
share_of_copy() {
    chip=$("$MUSTER" table throughput --format=csv "$folder/arcs.jsonl" | sed -n 2p | cut -d, -f1)
    mkdir -p "$folder/copied/$chip" || return 1
    for bytes in 262144 268435456; do
        printf '{"schema":4,"kind":"probe","parameters":{"experiment":"copy","bytes":%s},"outcome":"ok","part":0,"parts":1,"chip":"%s","driver":"1.0","date":"2026-01-01T00:00:00Z","bytes_moved":479600,"ns":[%s]}\n' \
            "$bytes" "$chip" "$((bytes == 262144 ? 1 : 1000000))"
    done >"$folder/copied/$chip/probe.jsonl"
    MUSTER_RESULTS=$folder/copied "$MUSTER" table throughput --format=csv "$folder/arcs.jsonl" |
        sed 1d | cut -d, -f3,12 >"$folder/share" &&
        printf 'pannotia/bc,10\npannotia/color,\npannotia/mis,1\n' | diff -u - "$folder/share"
}
check 'the share of what a copy moves by hand' share_of_copy
# The same on that chip: 1000 ns an arc, of bc for ten sources; a copy moves 4796 bytes in 10 000 ns, ten times as much in
# 100 000. A mesh of 50 triangles has 20 000 ns for each. In picoseconds.
{
    sed 's/}$/,"device_bytes":8000,"host_bytes":64000}/' "$folder/arcs.jsonl"
    record portable one 0 1000000,1000000 | sed -e 's/}$/,"triangles":50,"device_bytes":500}/' -e s,pannotia/mis,lonestar/dmr,
} >"$folder/sizes.jsonl"
growth() {
    MUSTER_RESULTS=$folder/copied "$MUSTER" table growth --format=csv "$folder/sizes.jsonl" |
        sed 1d | cut -d, -f3,6,7,10- >"$folder/growth" &&
        printf '%s\n' lonestar/dmr,50,20000000,,10, pannotia/bc,1000,1000000,100000,8,64 pannotia/mis,1000,1000000,10000,8,64 |
        diff -u - "$folder/growth"
}
check 'time and memory for each arc by hand' growth
by_hand() {
    "$MUSTER" table speedup "$folder/sets/one" --format=csv | cut -d, -f1-5 >"$folder/csv"
    printf 'chip,set,app,input,speedup\none,,pannotia/mis,road:9,3\n' | diff -u - "$folder/csv"
}
check 'a ratio by hand: an outlier in each process changes no median' by_hand

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

# ---- Loads ----

# loaded KEY INPUT DATE TASK_NS
loaded() {
    printf '{"schema":4,"kind":"run","app":"a","input":"%s","variant":"cooperative","chip":"c","outcome":"ok","workgroup":64,' "$2"
    printf '"configuration":{"load":"brief","load_groups":"most","resizing":"query"},"date":"%s","key":"%s",' "$3" "$1"
    printf '"samples_ns":[5],"load_gather_ns":[1],"load_task_ns":[%s],"load_period_ns":[9],"load_task":{"groups":2}}\n' "$4"
}
# columns_of GRID COLUMN...: these columns of the rows of a grid of CSV, a row from the next by a semicolon.
columns_of() {
    awk -F , -v columns="$*" '
        BEGIN { count = split(columns, names, " ") }
        /^$/ { grid++; head = 0; next }
        grid + 1 != names[1] { next }
        !head { for (i = 1; i <= NF; i++) place[$i] = i; head = 1; next }
        { line = ""; for (i = 2; i <= count; i++) line = line (i > 2 ? " " : "") $place[names[i]]; print line }' | paste -s -d ';' -
}
loads_of() {
    "$MUSTER" table load --format=csv "$folder/load.jsonl" 2>"$folder/err" | columns_of "$@"
}
tasks_of() {
    loads_of 1 tasks
}
long=$(printf '%0200d' 0)
{ loaded k1 "${long}a" 2026-01-02 3 && loaded k2 "${long}b" 2026-01-02 3; } >"$folder/load.jsonl"
check 'inputs with long names have rows of their own in table load' [ "$(tasks_of)" = '1;1' ]
{ loaded k1 i 2026-01-02 3 && loaded k1 i 2026-01-01 4; } >"$folder/load.jsonl"
check 'a record that stands for another is not counted with it' [ "$(tasks_of)" = 1 ]

# Plans that differ in an option are told apart, whichever it is, and a slowdown is over the same plan. Those that differ in
# how much was measured are one plan. of SOURCES LOAD NS [SCRIPT]
of() {
    key=$((${key:-0} + 1))
    loaded "$key" i 2026-01-02 3 | sed "s/\"configuration\":{/&\"sources\":$1,\"samples\":$key,/; s/\"load\":\"brief\"/\"load\":\"$2\"/
        s/\"outcome\"/\"configuration_from\":{\"sources\":\"option\",\"samples\":\"option\"},&/; s/\[5\]/[$3]/; ${4:-}"
}
slowdowns_of() {
    loads_of 1 input tasks slowdown
}
{ of 400 none 10 && of 800 none 40 && of 400 brief 20 && of 800 brief 60 && of 400 brief 20; } >"$folder/load.jsonl"
check 'table load tells plans with other --sources apart' [ "$(slowdowns_of)" = 'i sources=400 2 2;i sources=800 1 1.5' ]
means_of() {
    loads_of 2 asked_for plans slowdown most_slowdown period_ns | awk '{ $3 *= $3; print }'
}
check 'and has their geometric mean and their greatest, at the period that they keep' [ "$(means_of)" = 'most 2 3 2 9' ]
# What a load is compared with is the same kernel and team without a task, where that was measured.
idle='s/"chip":"c"/&,"kernel_hash":"k","team":3/'
{ of 400 none 10 && of 400 brief 20 "$idle" && of 400 idle 40 "$idle"; } >"$folder/load.jsonl"
check '… over load idle, where there is one of the same kernel' [ "$(slowdowns_of)" = 'i sources=400 1 0.5' ]
{ of 400 none 10 && of 400 brief 20 "$idle" && of 400 idle 40; } >"$folder/load.jsonl"
check '… else over the kernel without a load' [ "$(slowdowns_of)" = 'i sources=400 1 2' ]
# Processes have layouts of their own, and are put together: here their times are 4 and 16, and those without a task 2 and 8.
laid='s/"sources":400,"samples"/"layout":LAYOUT,&/'
{ for layout in 1 2; do
    of 400 brief $((layout * layout * 4)) "$(echo "$laid" | sed "s/LAYOUT/$layout/")"
    of 400 idle $((6 * layout - 4)) "$(echo "$laid" | sed "s/LAYOUT/$layout/")"
done; } >"$folder/load.jsonl"
check 'table load puts processes together' [ "$(loads_of 1 processes run_ns slowdown)" = '2 8 2' ]
check '… whose differences are in the interval' [ "$(loads_of 1 run_ns_low run_ns_high slowdown_low slowdown_high | awk '{ print ($1 < 4 && $2 > 16 && $3 < 1 && $4 > 4) }')" = 1 ]
# With another workgroup size, atomics, label, driver or program there is no time without a load to compare with.
for script in 's/"workgroup":64/"workgroup":32/' 's/"load":"brief"/"atomics":"ptx",&/' 's/"chip":"c"/&,"label":"b"/' \
    's/"chip":"c"/&,"driver":"2"/' 's/"chip":"c"/&,"program_hash":"2"/' 's/"chip":"c"/&,"input_hash":"2"/'; do
    { of 400 none 10 && of 400 brief 20 && of 400 brief 20 "$script"; } >"$folder/load.jsonl"
    check "nor are those one that differ by $script" [ "$(slowdowns_of)" = 'i sources=400 1 2;i sources=400 1 ' ]
done

# The loads that a campaign compared stand in labels, but for them there is one plan, and one chip.
compared='s/"chip":"c"/&,"label":"x-load=none,load_groups=half"/'
{ of 400 none 10 "$compared" && of 400 brief 20 "$(echo "$compared" | sed 's/none/brief/')"; } >"$folder/load.jsonl"
check 'table load compares loads of one campaign' [ "$(slowdowns_of)" = 'i sources=400 1 2' ]
labels_of() {
    "$MUSTER" table load --format=csv "$folder/load.jsonl" 2>"$folder/err" | awk -F , 'NR == 2 { print $1 }'
}
check '… whose label is what is not of the load' [ "$(labels_of)" = c@x ]

# ---- Work-stealing apps ----

# stole COMMIT FIRST_SEED IMPLEMENTATION NS: a measurement of the octree, whose processes differ in their first seeds.
stole() {
    printf '{"schema":4,"kind":"persistent","chip":"c","driver":"d","commit":"%s","outcome":"ok","part":0,"groups":3,"ns":[%s],' "$1" "$4"
    printf '"implementation":"%s","parameters":{"experiment":"octree","points":8,"seeds":2,"first_seed":%s,"team":3,"turns":1}}\n' "$3" "$2"
}
# burdened PROCESS IMPLEMENTATION SHARE NS: one beside a load.
burdened() {
    printf '{"schema":4,"kind":"persistent","chip":"c","driver":"d","commit":"x","outcome":"ok","part":0,"groups":2,"ns":[%s],' "$4"
    printf '"implementation":"%s","load_groups":"%s","load_gather_ns":[1],"load_task_ns":[2],"load_period_ns":[3],' "$2" "$3"
    printf '"load_task":{"groups":1,"period_ns":40,"alone_ns":8},'
    printf '"parameters":{"experiment":"game-load","depth":2,"load":"medium","process":%s,"team":3,"turns":1}}\n' "$1"
}
mkdir -p "$folder/results/c"
{ stole old 1 original 100 && stole x 1 original 2 && stole x 1 cooperative 4 && stole x 3 original 8 && stole x 3 cooperative 16 &&
    burdened 1 idle 1 4 && burdened 1 load half 8 && burdened 2 idle 1 16 && burdened 2 load half 32; } >"$folder/results/c/stealing.jsonl"
# columns TABLE GRID COLUMN...: of a table of all results.
columns() {
    table=$1
    shift
    MUSTER_RESULTS="$folder/results" "$MUSTER" table "$table" --format=csv --chip=c 2>"$folder/err" | columns_of "$@"
}
check 'table stealing puts the processes of a build together' [ "$(columns stealing 1 app size processes original_ns slowdown)" = 'octree 8 2 4 2' ]
check '… and those beside a load, over those without a task' [ "$(columns stealing 2 app size load groups processes run_ns slowdown)" = 'game 2 medium 1 2 16 2' ]
check '… with their means by load and share' [ "$(columns stealing 3 load asked_for apps slowdown most_of preempted)" = 'medium half 1 2 game 2 1.25' ]
# ran VARIANT INPUT NS: a run of suite cooperative.
ran() {
    printf '{"schema":4,"kind":"measure","set":"cooperative","app":"a","input":"%s","variant":"%s","chip":"c","driver":"d","outcome":"ok",' "$2" "$1"
    printf '"workgroup":64,"configuration":{},"date":"2026-01-02","key":"%s%s","repeat":0,"samples_ns":[%s]}\n' "$1" "$2" "$3"
}
{ ran portable i 10 && ran cooperative i 40 && ran portable j 10 && ran cooperative j 10; } >"$folder/results/c/cooperative.jsonl"
check 'table cooperative has the classes of apps' [ "$(columns cooperative 2 set class tests slowdown most_slowdown most_of)" = \
    'cooperative global barriers 2 2 4 a i;cooperative work stealing 1 2 2 octree 8;cooperative all 3 2 4 a i' ]

# Runs with random waits are no times; their failures are told.
perturbed() {
    printf '{"schema":4,"kind":"run","app":"a","input":"i","variant":"portable","chip":"c","outcome":"%s","workgroup":64,' "$1"
    printf '"configuration":{"perturb":1},"date":"2026-01-02","key":"%s","samples_ns":[5,6,7]}\n' "$1"
}
times_of() {
    { perturbed "$1" | sed "${2:-}"; } >"$folder/perturbed.jsonl" && "$MUSTER" table times --format=csv "$folder/perturbed.jsonl" 2>"$folder/err" |
        awk -F , 'NR > 1 { print $3, $NF }'
}
check 'a run with random waits is no time' [ -z "$(times_of ok)" ]
check '… which one without them is' [ "$(times_of ok 's/"perturb":1//')" = 'a ok' ]
check '… but its failure is told' [ "$(times_of wrong)" = 'a wrong' ]

# stressed KEY OUTCOME SAMPLES: a record of runs under random schedules, which table load leaves out.
stressed() {
    printf '{"schema":4,"kind":"run","app":"a","input":"i","variant":"cooperative","chip":"c","outcome":"%s","check":"%s","team":4,"workgroup":64,' "$2" "$2"
    printf '"configuration":{"load":"none","resizing":"plain","stress":1},"date":"2026-01-02","key":"%s","resized":7,"left":5,' "$1"
    printf '"came":3,"least_team":2,"samples_ns":[%s]}\n' "$3"
}
loaded k1 i 2026-01-02 3 >"$folder/load.jsonl"
alone=$("$MUSTER" table load --format=csv "$folder/load.jsonl" 2>"$folder/err")
{ loaded k1 i 2026-01-02 3 && stressed k2 ok 1,2,3 | sed 's/"check":"ok"/"check":"passed"/' && stressed k3 wrong 4; } >"$folder/load.jsonl"
rows_of() {
    "$MUSTER" table "$1" --format=csv "$folder/load.jsonl" 2>"$folder/err" | tail -n +2
}
check 'runs under random schedules are counted with their failures' [ "$(rows_of resizing)" = 'c,a,i,plain,4,4,1,7,5,3,2' ]
check 'and are no time without a load' [ "$("$MUSTER" table load --format=csv "$folder/load.jsonl" 2>"$folder/err")" = "$alone" ]
check 'neither they nor runs beside a load are times of the variant' [ -z "$(rows_of times)" ]
{ loaded k1 i 2026-01-02 3 | sed 's/"load":"brief"/"load":"none"/' && stressed k2 ok 1,2,3; } >"$folder/load.jsonl"
check 'as those without are' [ "$(rows_of times | wc -l)" = 1 ]
tap_done
