#!/bin/sh
# muster table peers: times of other programs, beside muster's best of the same work and of no other. Needs no device.
. "$srcdir/tests/tap.inc"
results=$folder/peers
mkdir -p "$results/cpu"
xz -dc "$srcdir/tests/data/smoke.jsonl.xz" | sed 's/"chip":"[^"]*"/"chip":"cpu"/' >"$results/cpu/smoke.jsonl"
MUSTER_RESULTS=$results
export MUSTER_RESULTS
# of_bfs NAME: a member of the records of bfs on road:60.
of_bfs() {
    grep '"app":"lonestar/bfs","input":"road:60"' "$results/cpu/smoke.jsonl" | head -n 1 >"$folder/bfs" && member "$1" "$folder/bfs"
}
vertices=$(of_bfs vertices) edges=$(of_bfs edges) hash=$(of_bfs input_hash)
[ -n "$vertices" ] && [ -n "$hash" ] || exit 99

# peer PROGRAM MEMBERS...: a record of a program that searches that road.
peer() {
    printf '{"schema":4,"kind":"peer","chip":"cpu","program":"%s","app":"bfs","input":"road:60","clock":"host","day":"2026-01-02"' "$1"
    printf ',"vertices":%s,"edges":%s,"outcome":"%s","check":"%s"%s}\n' "$2" "$3" "$4" "$5" "$6"
}
{
    peer quick "$vertices" "$edges" ok passed ',"parameter":"-d 1","samples_ns":[9000000,9000001,9000002]'
    peer quick "$vertices" "$edges" ok passed ',"parameter":"-d 2","samples_ns":[1000000,1000010,1000020]'
    peer quick "$vertices" "$edges" ok passed ',"parameter":"-d 2","samples_ns":[1000040,1000030,1000050]'
    peer quick "$vertices" "$edges" wrong failed ',"parameter":"-d 3","samples_ns":[1,2,3]'
    peer hashed "$vertices" "$edges" ok passed ",\"input_hash\":\"$hash\",\"median_ns\":2000000"
    peer renamed "$vertices" "$edges" ok passed ",\"input_hash\":\"$hash\",\"median_ns\":2000000" | sed 's/"road:60"/"graph road60"/'
    peer ordered "$vertices" "$edges" ok passed ',"order":"degree","median_ns":2000000'
    peer other "$vertices" $((edges + 2)) ok passed ',"median_ns":2000000'
    peer unlike "$vertices" "$edges" ok 'not checked' ',"input_hash":"0123456789abcdef","median_ns":2000000'
    peer killed "$vertices" "$edges" deadline 'not checked' ',"note":"after a minute"'
    peer wrong "$vertices" "$edges" wrong failed ',"median_ns":5'
    peer sources "$vertices" "$edges" ok passed ',"sources":16,"parameter":"-i 16","median_ns":5000000'
    peer lone "$vertices" "$edges" ok passed ',"parameter":"-d 1","median_ns":5000000'
    peer muster "$vertices" $((edges + 2)) ok passed ',"parameter":"portable","median_ns":1000000'
} >"$results/cpu/peer.jsonl"
"$MUSTER" table peers --format=csv >"$folder/table" 2>"$folder/err" || exit 99
# row PROGRAM: what the table says of it, by the columns that are named.
row() {
    awk -F, -v program="$1" -v wanted="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; count = split(wanted, names, " "); next }
        $at["program"] == program { for (i = 1; i <= count; i++) printf "%s%s", $at[names[i]], i < count ? "|" : "\n" }' "$folder/table"
}
check 'the fastest parameter that was right, of those tried' [ "$(row quick 'parameter tried note')" = '-d 2|3|' ]
check '… with an interval over its processes' [ -n "$(row quick peer_ns_low)" ]
best() {
    "$MUSTER" table times --app=bfs --input=road:60 --format=csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        least == "" || $at["median_ns"] < least { least = $at["median_ns"] } END { print least }' >"$folder/best"
    [ "$(row hashed muster_ns)" = "$(cat "$folder/best")" ]
}
check "muster's best stands beside it" best
ratio() {
    row hashed 'ratio muster_ns' | awk -F'|' '{ off = $1 * $2 / 2000000 - 1; exit !(off < 1e-6 && off > -1e-6) }'
}
check '… and their ratio' ratio
check '… and beside the same graph by another name' [ "$(row renamed 'muster_ns ratio')" = "$(row hashed 'muster_ns ratio')" ]
check 'nothing but its own time beside another hash' [ "$(row unlike 'muster muster_ns ratio note')" = '|||not checked' ]
check '… and beside another order' [ "$(row ordered 'muster ratio')" = '|' ]
check '… and beside more sources' [ "$(row sources 'muster ratio')" = '|' ]
check 'a free parameter with one value alone is told, sources are none' \
    [ "$(row lone note)$(row sources note)" = 'not swept' ]
check 'beside another size what was measured for it' [ "$(row other 'muster muster_ns ratio')" = 'portable|1000000|2' ]
check 'what was killed has no time' [ "$(row killed 'peer_ns ratio note')" = '||deadline; after a minute' ]
check '… nor what was wrong' [ "$(row wrong 'peer_ns ratio note')" = '||wrong' ]
check "muster's own are no row" [ -z "$(row muster program)" ]
check 'records of peers are no runs' [ "$("$MUSTER" results --format=csv 2>/dev/null | grep -c quick)" = 0 ]
filtered() {
    [ "$("$MUSTER" table peers --app=mis --format=csv 2>/dev/null | wc -l)" -eq 1 ]
}
check 'filters are for them, too' filtered
peer zero "$vertices" "$edges" ok passed ',"samples_ns":[0]' >>"$results/cpu/peer.jsonl"
check 'a time of nothing is refused' ends 2 "$MUSTER" table peers
check '… by its program' has "$folder/err" 'a record of zero has a time that is not positive'
tap_done
