#!/bin/sh
# What is printed for people on a terminal, and for programs: widths, colours, JSON by the same option everywhere, JUnit
# reports, the columns of CSV, a test's history. Most of it needs no device.
. "$srcdir/tests/tap.inc"
MUSTER_RESULTS=$srcdir/tests/data/results
export MUSTER_RESULTS
unset NO_COLOR
escape=$(printf '\033')

# ---- Terminals ----

# on_terminal COLUMNS COMMAND...: its output on a terminal of that width into $folder/out, without the carriage returns.
on_terminal() {
    columns=$1
    shift
    printf '%s ' "stty cols $columns rows 50;" >"$folder/script"
    for word; do printf "'%s' " "$word" >>"$folder/script"; done
    TERM=xterm script -q -e -c "sh '$folder/script'" /dev/null </dev/null | tr -d '\r' >"$folder/out"
}
# True where there is a pseudo-terminal, and script, which opens it.
has_terminal() {
    command -v script >/dev/null && script -q -e -c true /dev/null </dev/null >/dev/null 2>&1
}
# No line is longer than COLUMNS characters, as bytes without escape sequences and without what was erased again, such as how
# long a self-test has taken so far (the tables here are ASCII, but for the mark of what is shortened).
fits() {
    sed -e "s/.*$escape\\[K//" -e "s/$escape\\[[0-9;]*m//g" -e 's/…/./g' "$folder/out" |
        awk -v most="$1" 'length($0) > most { print "too long: " $0; bad = 1 } END { exit bad || NR == 0 }'
}
no_colours() {
    ! grep -q "$escape" "$folder/out"
}
if has_terminal; then
    for columns in 80 100 60; do
        for table in summary speedup times advice outcomes occupancy; do
            fits_terminal() {
                on_terminal "$columns" "$MUSTER" table "$table" && fits "$columns"
            }
            check "table $table fits $columns columns" fits_terminal
        done
    done
    # beside_2016 TABLE RANGE: the means over all published figures.
    beside_2016() {
        on_terminal 80 "$MUSTER" table "$1" --paper --color=never && fits 80 && ! grep -q K5200 "$folder/out" &&
            grep -q '  2016: 8 chips$' "$folder/out" && grep -q "^all  *geometric mean .*  $2\$" "$folder/out"
    }
    check 'table speedup --paper fits 80 columns, beside the range of the published figures' beside_2016 speedup '0.58 to 1.36'
    check '… table slowdown, too' beside_2016 slowdown '0.77 to 1.71'
    on_terminal 200 "$MUSTER" table speedup --paper --color=never
    check '… which stand there one by one where there is room' grep -q '  980  K5200  6100 ' "$folder/out"
    on_terminal 80 "$MUSTER" help terms
    check 'help terms fits 80 columns' fits 80
    if [ -n "$pocl" ]; then
        on_terminal 80 "$MUSTER" devices
        check 'devices fits 80 columns, and tells where its words are explained' \
            sh -c 'grep -q "^   barriers  *can be trusted: " "$0" && grep -qF "$1" "$0"' "$folder/out" '`muster help terms` explains the words.'
        check '… with texts that go on below themselves' fits 80
    fi
    on_terminal 76 "$MUSTER" table summary --color=never
    check 'a ratio stays, and names are shortened for it' has "$folder/out" '  speedup' '…  ' '; shortened: '
    on_terminal 60 "$MUSTER" table failures --color=never
    check 'what happened stands below the rows, whole' grep -x '    rank 3 waited at barrier 17 with 15 of 16 arrived' "$folder/out"
    on_terminal 80 "$MUSTER" table summary
    check 'what is left out is named' has "$folder/out" 'Left out to fit 80 columns: ' 'specialised'
    check '… and how to see it' grep -q -e '--wide' "$folder/out"
    wide() {
        on_terminal 80 "$MUSTER" table summary --wide --color=never &&
            diff "$folder/out" "$srcdir/tests/expected/table-summary.txt"
    }
    check '--wide leaves nothing out' wide
    on_terminal 200 "$MUSTER" table summary
    check 'a terminal has colours' grep -q "$escape" "$folder/out"
    NO_COLOR=1 on_terminal 200 "$MUSTER" table summary
    check '… unless NO_COLOR is set' no_colours
    NO_COLOR='' on_terminal 200 "$MUSTER" table summary
    check '… to more than nothing' grep -q "$escape" "$folder/out"
    on_terminal 200 "$MUSTER" table summary --color=never
    check '… or by --color=never' no_colours
else
    skip 'terminals' 'there is no script (Debian package bsdutils), or no pseudo-terminal'
fi
coloured() {
    ends 1 "$MUSTER" compare gpu-a "$srcdir/tests/data/after.jsonl" --color=always &&
        has "$folder/out" "${escape}[31mslower" "${escape}[32mfaster" "${escape}[31mbroken" "${escape}[32mfixed"
}
check '--color=always: red is worse, green is better' coloured
plain() {
    ends 1 env NO_COLOR=1 "$MUSTER" compare gpu-a "$srcdir/tests/data/after.jsonl" &&
        ! grep -q "$escape" "$folder/out"
}
check 'a file has no colours' plain
check 'what a failed test says is red' sh -c '"$MUSTER" table times --color=always | grep -q "$0"' "$escape\\[31mdeadlock"
refuses_colour() {
    ends 2 "$MUSTER" table times --color=pink && has "$folder/err" '--color=pink: no such choice; there are: auto, always, never'
}
check 'an unknown --color' refuses_colour

# ---- For programs ----

for table in headline history summary speedup slowdown times outcomes; do
    check "table $table --json" sh -c '"$MUSTER" table "$0" --json | "$1" rows >"$2"' $table "$JSON_PICK" "$folder/rows"
done
booleans() {
    "$MUSTER" table speedup --json >"$folder/json" &&
        [ "$(grep -o '"confident":[a-z0-9]*' "$folder/json" | sort -u | tr '\n' ' ')" = '"confident":null "confident":true ' ]
}
check 'confident is a boolean' booleans
check 'results --json' sh -c '"$MUSTER" results --json | "$0" key >"$1"' "$JSON_PICK" "$folder/keys"
csv_columns() {
    "$MUSTER" results --format=csv >"$folder/csv" && head -n 1 "$folder/csv" | grep -q ',label,date,commit,set,host' &&
        sed 1d "$folder/csv" | grep -q ',2026-[0-9-]*T[0-9:]*Z,'
}
check 'CSV has date, commit, set and host' csv_columns

# ---- JUnit ----

# attribute NAME: of the element <testsuite>.
attribute() {
    sed -n "s/^<testsuite .* $1=\"\\([0-9]*\\)\".*\$/\\1/p" "$folder/junit.xml"
}
junit_compare() {
    ends 1 "$MUSTER" compare gpu-a "$srcdir/tests/data/after.jsonl" --junit="$folder/junit.xml" &&
        [ "$(attribute failures)" -eq "$(grep -c '<failure' "$folder/junit.xml")" ] &&
        [ "$(attribute tests)" -eq "$(grep -c '<testcase' "$folder/junit.xml")" ] &&
        has "$folder/junit.xml" 'message="slower: B / A is 1.' 'classname="gpu-a.pannotia.mis"'
}
check 'compare --junit' junit_compare
xml() {
    "${PYTHON3:-python3}" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$folder/junit.xml"
}
if command -v "${PYTHON3:-python3}" >/dev/null; then check '… is XML' xml; else skip '… is XML' 'there is no Python 3'; fi
refuses_file() {
    ends 2 "$MUSTER" "$@" --junit="$folder/none/junit.xml" && has "$folder/err" "cannot write '$folder/none/junit.xml'"
}
check 'a report that cannot be written is refused' refuses_file compare gpu-a gpu-a
check '… before a campaign' refuses_file bench mis

# ---- History ----

mkdir "$folder/history"
# A test at three commits, three processes each: 1 ms, the same, then 2 ms; and another test at one of them.
record() {
    printf '{"schema":4,"kind":"measure","key":"%s","app":"%s","input":"road:9","variant":"portable",' "$1" "$2"
    printf '"chip":"one","driver":"1.0","outcome":"ok","commit":"%s","date":"2026-01-0%sT00:00:00Z","samples_ns":[%s]}\n' \
        "$3" "$4" "$5"
}
for process in 1 2 3; do
    record "a$process" pannotia/mis aaa 1 "1000000,100000$process,999990"
    record "b$process" pannotia/mis bbb 2 "1000010,100000$process,999980"
    record "c$process" pannotia/mis ccc 3 "2000000,200000$process,1999990"
    record "d$process" lonestar/bfs ccc 3 "2000000,200000$process,1999990"
done >"$folder/history/a.jsonl"
history_shows() {
    ends 0 "$MUSTER" table history "$folder/history/a.jsonl" "$@"
}
check 'a history' history_shows
ordered() {
    sed -n 's/^one .*pannotia.*  \(aaa\|bbb\|ccc\)  .*$/\1/p' "$folder/out" | tr '\n' ' ' | grep -x 'aaa bbb ccc '
}
check '… from the oldest commit on' ordered
check '… says what is slower' grep -q 'ccc .* 2\.000 \[' "$folder/out"
check '… and what is not' grep -q 'bbb .* 1\.000 .*~' "$folder/out"
check '… leaves out what was measured once' sh -c '! grep -q bfs "$0" && grep -q "^1 tests were measured at one" "$0"' "$folder/out"
check 'a history of one test' history_shows --app=bfs --input=road:9 --variant=portable
check '… shows it in any case' grep -q '^one .*lonestar/bfs' "$folder/out"
check '… alone' sh -c '! grep -q pannotia "$0"' "$folder/out"

# ---- Devices ----

mkdir "$folder/devices"
# Two tests on three devices in one session, two processes each. The third takes a tenth longer, and one device of another
# session would take twice as long.
on_device() {
    printf '{"schema":4,"kind":"measure","key":"%s","set":"all","app":"%s","input":"road:9","variant":"portable",' "$1" "$2"
    printf '"chip":"one","driver":"1.0","outcome":"ok","commit":"aaa","date":"2026-01-01T00:00:00Z",'
    printf '"device":{"name":"one","uuid":"%s"},"session":{"boot":"%s","date":"2026-01-01","host":"vm"},' "$3" "$4"
    printf '"comparison":"%s road:9","configuration_hash":"c","kernel_hash":"k","program_hash":"p",' "$2"
    printf '"configuration":{"workgroup":32},"samples_ns":[%s]}\n' "$5"
}
for app in pannotia/mis lonestar/bfs; do
    for process in 1 2; do
        on_device "$app-a$process" $app aaaaaaaaaaaa here "100000$process"
        on_device "$app-b$process" $app bbbbbbbbbbbb here "100000$process"
        on_device "$app-c$process" $app cccccccccccc here "110000$process"
        on_device "$app-d$process" $app dddddddddddd there "200000$process"
    done
done >"$folder/devices/a.jsonl"
check 'equal devices' ends 0 "$MUSTER" table devices "$folder/devices/a.jsonl" --format=csv
three_devices() {
    printf '%s\n' one,all,2026-01-01,aaaaaaaa,2,2,0.9687 one,all,2026-01-01,bbbbbbbb,2,2,0.9687 \
        one,all,2026-01-01,cccccccc,2,2,1.0656 >"$folder/expected"
    sed -n 's/^\(one,all,2026-01-01,[a-d]*,2,2,[0-9.]\{6\}\).*/\1/p' "$folder/out" | diff "$folder/expected" -
}
check '… of one session, beside the mean of them' three_devices
check '… and which tests differ' [ "$(grep -c 'cccccccc,1.0656.*,different$' "$folder/out")" -eq 2 ]

# ---- On a device ----

find_pocl || {
    skip 'on a device' "$no_pocl"
    tap_done
}
MUSTER_RESULTS=$folder/results
# shellcheck disable=SC2086 # options are words
bench() {
    unoptimised "$MUSTER" bench mis --device="$pocl" --input=road:6 --repeats=2 --min-samples=2 --max-samples=2 --warmup=0 --no-tune \
        $one_item "$@"
}
brief() {
    ends 0 bench --brief && [ "$(wc -l <"$folder/out")" -eq 1 ] &&
        grep -q ': speedup [0-9.]* .*over 1 test, slowdown [0-9.]* .*over 1 test; 3 of 3 measurements ended well$' "$folder/out"
}
check 'bench --brief is one line' brief
bench_json() {
    ends 0 bench --json && [ "$(pick 'rows/*/app' <"$folder/out")" = pannotia/mis ] && has "$folder/err" 'records: '
}
check 'bench --json' bench_json
junit_bench() {
    ends 0 bench --junit="$folder/junit.xml" && [ "$(attribute tests)" -eq 3 ] && [ "$(attribute errors)" -eq 0 ] &&
        has "$folder/junit.xml" 'name="road:6 multi-kernel"'
}
check 'bench --junit' junit_bench
fails_junit() {
    ends 4 bench --variants=portable --deadline=0.001 --set=late --junit="$folder/junit.xml" &&
        [ "$(attribute errors)" -eq 1 ] && has "$folder/junit.xml" '<error message="deadline: '
}
check '… what did not end well is an error' fails_junit
tune_json() {
    ends 0 unoptimised "$MUSTER" tune mis --device="$pocl" --input=road:6 --variants=multi-kernel --quick --json &&
        [ "$(pick 'rows/*/outcome' <"$folder/out")" = ok ]
}
if in_full; then check 'tune --json' tune_json; fi
probe_json() {
    printf '3 3\n2 3\n1 3\n1 2\n' >"$folder/both.txt"
    ends 0 unoptimised "$MUSTER" probe --device="$pocl" --app=mis --input="$folder/both.txt" --input-format=metis --workgroup=1 --json &&
        [ "$(pick 'measurements/*/outcome' <"$folder/out")" = ok ] &&
        [ "$(pick 'measurements/*/parameters/input_format' <"$folder/out")" = metis ]
}
check 'probe --app --json' probe_json

# ---- What takes long ----

kernels_that_fail "$folder/endless"
# shows PATTERN COMMAND...: what the terminal gets has it. The deadline is such that a phase takes over two seconds, which
# are told; on a busy machine four seconds may be over before the kernel is compiled, which the second attempt finds in
# PoCL's cache.
shows() {
    pattern=$1
    shift
    for seconds in 3.5 4 20; do
        unoptimised on_terminal 140 env MUSTER_RESULTS="$folder/shown-$seconds" "$MUSTER" "$@" --device="$pocl" \
            --input=road:5 --workgroup=1 --deadline="$seconds" --kernel-dir="$folder/endless"
        if grep -q "$pattern" "$folder/out"; then return 0; fi
    done
    return 1
}
if has_terminal; then
    check 'a terminal shows what a long run does' shows "$escape\\[Kmuster: [2-4] s of [a-z ]*$escape" run mis
    check '… and no more when it has ended' grep -q "$escape\\[Kpannotia/mis on road:5" "$folder/out"
    if in_full; then
        check '… behind what a campaign runs' shows 'road:5 portable.*: [2-4] s of [a-z ]*' bench mis --variants=portable \
            --repeats=1 --no-tune
    fi
else
    skip 'a terminal shows what a long run does' 'there is no script (Debian package bsdutils), or no pseudo-terminal'
fi
quiet_run() {
    ends 4 unoptimised "$MUSTER" run mis --device="$pocl" --input=road:5 --workgroup=1 --deadline=3 --kernel-dir="$folder/endless" &&
        ! grep -q "$escape" "$folder/err"
}
if in_full; then check 'a file gets none of that' quiet_run; fi
tap_done
