#!/bin/sh
# muster table: every table in every format from the fixtures in tests/data/results, as in tests/expected (`BLESS=1` writes
# those files anew), and values by hand. Needs no device.
. "$srcdir/tests/tap.inc"
. "$srcdir/tests/analysis/records.inc"

# ---- Goldens: a deadlock, a wrong result, a crash, a deadline, missing variants, an old driver, single runs, tunings ----

for table in headline history summary speedup slowdown same-size conditions rollcalls throughput growth times tuning outcomes failures advice samples provenance chips; do
    check "table $table" golden table-$table.txt "$MUSTER" table $table
    check "table $table as CSV" golden table-$table.csv "$MUSTER" table $table --format=csv
done
check 'table schedulers, which is of models and not of records' golden table-schedulers.txt "$MUSTER" table schedulers
check 'it takes no filter' ends 2 "$MUSTER" table schedulers --chip=gpu-a
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
tap_done
