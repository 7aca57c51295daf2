#!/bin/sh
# muster predict and muster table prediction, on records of a world whose law is known: multi-kernel takes its work and 10 us
# for each launch with its read-back; specialised takes the work and barriers of 0.75 us, which are 1.5 times the profile's, as the
# first estimate has it, and 1.2 times that where there is little to synchronise, so that multi-kernel wins there; portable takes 1.25 times as long as
# specialised. So whatever is left out, the other cases tell the rest.
. "$srcdir/tests/tap.inc"
mkdir -p "$MUSTER_RESULTS/one" "$MUSTER_RESULTS/two" "$MUSTER_RESULTS/bare"
for chip in one two; do
    {
        printf '[profile]\nformat = 1\n[chip]\nname = %s\n[barrier]\ncost_ns = 500\n' "$chip"
        printf '[launch]\npipelined_ns = 1000\nblocking_ns = 12000\nword_ns = 10000\nreadback = word\n'
    } >"$MUSTER_RESULTS/$chip/chip.ini"
done

# cases CHIP [GRID [SLOWER [BY_APP]]]: records of a campaign and of a tuning: inputs of 10 to 2000 rounds, with little work in each, the more the larger, or much.
# With a fixed grid there is a trace, whose kernels take as long as the work. What stays on the device takes SLOWER times as long
# as by the law. Of sizes 128 is the best, or with BY_APP, the default, 64 for mis.
cases() {
    awk -v chip="$1" -v grid="${2-}" -v slower="${3-1}" -v by_app="${4-1}" '
        function record(kind, variant, ns, workgroup, more) {
            printf "{\"schema\":4,\"kind\":\"%s\",\"key\":\"%d\",\"chip\":\"%s\",\"driver\":\"1\",\"app\":\"%s\",", kind, ++key, chip, app
            printf "\"input\":\"%s\",\"variant\":\"%s\",\"workgroup\":%d,\"launches\":%d,\"readbacks\":%d,", input, variant, workgroup, rounds, rounds
            printf "\"commit\":\"abcdef0\",\"date\":\"2026-01-01T00:00:00Z\",\"outcome\":\"ok\",\"samples_ns\":[%.0f]%s}\n", ns, more
        }
        BEGIN {
            for (size = 1; size <= 12; size++)
                for (a = 0; a < 2; a++) {
                    app = a == 0 ? "lonestar/bfs" : "pannotia/mis"
                    rounds = a == 0 ? 10 * size * size : 20 * size
                    work = rounds * (size % 4 == 0 ? 1000000 : 4000 + 500 * size)
                    input = (size % 3 == 1 ? "road:" : "rmat:") size
                    set = ",\"set\":\"s\""
                    told = grid == "" ? "" : sprintf(",\"comparison\":\"%s %s\",\"configuration\":{\"grid\":\"%s\"},\"trace\":{\"device_ns\":%d}", app, input, grid, work)
                    record("measure", "multi-kernel", work + 10000 * rounds, 256, set told)
                    stays = slower * (size % 4 == 0 ? 1.2 : 1) * (work + 750 * rounds)
                    record("measure", "portable", 1.25 * stays, 256, set)
                    record("measure", "specialised", stays, 256, set)
                    record("tune", "multi-kernel", work + 10000 * rounds, 256, "")
                    stays = slower * (work + 750 * rounds)
                    record("tune", "portable", 2.5 * stays, 512, "")
                    record("tune", "portable", (a == 1 && by_app ? 1 : 1.2) * stays, 64, "")
                    record("tune", "portable", (a == 1 && by_app ? 1.2 : 1) * stays, 128, ",\"team_limit\":132")
                }
        }'
}
for chip in one two; do cases "$chip" >"$MUSTER_RESULTS/$chip/s.jsonl"; done

# column NAME ROW: a cell of the first grid in CSV.
column() {
    awk -F , -v name="$1" -v row="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
        NR == row + 1 { print $at; exit }' "$folder/table"
}
exact() {
    "$MUSTER" table prediction --format=csv >"$folder/table" || return 1
    for row in 1 2 3 4; do
        awk -v error="$(column error_percent "$row")" -v most="$(column error_90_percent "$row")" -v regret="$(column regret_percent "$row")" \
            -v right="$(column right_percent "$row")" -v usual="$(column usual_right_percent "$row")" -v row="$row" \
            'BEGIN { exit !(error != "" && error < 1 && most < 15 && regret == 0 && right == 100 && usual < 80) }' || return 1
    done
}
check 'a law that all cases share is found, whatever is left out: little error, no regret, better than the commonest' exact
unfixed() {
    ! grep -q 'from a fixed grid\|measured twice' "$folder/table"
}
check '… and no case has a fixed grid, or was measured twice' unfixed
traced() {
    mkdir -p "$folder/traced/one" "$folder/traced/two" || return 1
    for chip in one two; do cp "$MUSTER_RESULTS/$chip/chip.ini" "$folder/traced/$chip/"; done
    cases one fixed >"$folder/traced/one/s.jsonl"
    cases two >"$folder/traced/two/s.jsonl"
    MUSTER_RESULTS=$folder/traced "$MUSTER" table prediction --format=csv |
        awk -F , '/^$/ { exit } $1 == "variants" { all = $3 } $2 == " from a fixed grid\"" { rows++; of = $4; wrong += $5 > 5 || $11 != 0 }
            END { exit !(rows == 4 && all == 48 && of == 24 && wrong == 0) }'
}
check 'those with a fixed grid have rows of their own' traced
slower() {
    mkdir -p "$folder/slower/one" "$folder/slower/two" || return 1
    for chip in one two; do
        cp "$MUSTER_RESULTS/$chip/chip.ini" "$folder/slower/$chip/" && cases "$chip" '' 1.3 >"$folder/slower/$chip/s.jsonl" ||
            return 1
    done
    MUSTER_RESULTS=$folder/slower "$MUSTER" table prediction --format=csv >"$folder/table" || return 1
    awk -v error="$(column error_percent 1)" -v regret="$(column regret_percent 1)" \
        'BEGIN { exit !(error != "" && error < 3 && regret == 0) }'
}
check 'what the estimate leaves out is taken from other inputs' slower
# One app takes 1.5 times as long on the device as the other, on both chips. If only the chip counted, the error would be 40 %.
apps() {
    mkdir -p "$folder/apps/one" "$folder/apps/two" || return 1
    for chip in one two; do
        cp "$MUSTER_RESULTS/$chip/chip.ini" "$folder/apps/$chip/" || return 1
        cases "$chip" | grep bfs >"$folder/apps/$chip/b.jsonl"
        cases "$chip" '' 1.5 | grep mis | sed 's/"key":"/&m/' >"$folder/apps/$chip/m.jsonl"
    done
    MUSTER_RESULTS=$folder/apps "$MUSTER" table prediction --format=csv >"$folder/table" || return 1
    awk -v error="$(column error_percent 3)" -v most="$(column error_90_percent 3)" \
        'BEGIN { exit !(error != "" && error < 25 && most < 40) }'
}
check 'what an app is like on one chip is taken from it for another' apps
# What a second set has of some tests: portable takes 1.5 times as long there.
twins() {
    cp -r "$MUSTER_RESULTS" "$folder/twins" && sed -n '/"measure".*"road:/{/"portable"/s/\(samples_ns":\[\)[0-9]*/\17/
        s/"set":"s"/"set":"t"/;s/"key":"/&t/;p;}' "$MUSTER_RESULTS/one/s.jsonl" >"$folder/twins/one/t.jsonl" &&
        MUSTER_RESULTS=$folder/twins "$MUSTER" table prediction --format=csv |
        awk -F , '$2 == "(measured twice)" { rows++; of = $3; right = $8 } END { exit !(rows == 1 && of == 16 && right < 100) }'
}
check 'tests that were measured twice have a row: what the one says of the other' twins
# The graph road:1 under the name of a file, with times that are nothing like it.
renamed() {
    cp -r "$MUSTER_RESULTS" "$folder/renamed" && sed '/"road:1"/s/"launches"/"vertices":9,"edges":20,&/' \
        "$MUSTER_RESULTS/one/s.jsonl" >"$folder/renamed/one/s.jsonl" && sed -n '/"measure".*"road:1"/{s/road:1/file.sg/
        /multi-kernel/!s/\(samples_ns":\[\)/\199/;s/"key":"/&x/;p;}' "$folder/renamed/one/s.jsonl" >"$folder/renamed/one/x.jsonl" &&
        MUSTER_RESULTS=$folder/renamed "$MUSTER" table prediction --format=csv >"$folder/out" &&
        awk -F , '$1 == "one" && $4 == "road:1" { rows++; wrong += $5 - $6 > 0.02 || $6 - $5 > 0.02 }
            $4 == "file.sg" { files++ } END { exit !(rows > 0 && files > 0 && wrong == 0) }' "$folder/out"
}
check 'a graph under the name of a file is the same input, and left out with it' renamed
within() {
    awk -v within="$(column within_percent 1)" 'BEGIN { exit !(within > 0) }'
}
check '… and intervals are made of errors' within
sizes() {
    "$MUSTER" table prediction --format=csv >"$folder/table" &&
        awk -F , '/^$/ { exit } $1 == "\"variants" && $2 == " sizes" { rows++; wrong += $4 != "app" && $(NF - 1) != 0 } END { exit !(rows == 3 && wrong == 0) }' \
            "$folder/table" && has "$folder/table" '"portable 128, team 132"'
}
check 'sizes and teams are predicted from tunings' sizes
# Each tuning tried two sizes under a fixed grid, too, with a trace.
tries() {
    cp -r "$MUSTER_RESULTS" "$folder/tries" && sed -n '/"tune".*"multi-kernel"/{
        s/"launches"/"configuration":{"grid":"fixed"},"trace":{"device_ns":5000,"least_ns":10},&/;s/"key":"/&f/;p
        s/"workgroup":256/"workgroup":64/;s/"key":"/&g/;p;}' "$MUSTER_RESULTS/one/s.jsonl" >"$folder/tries/one/f.jsonl" &&
        MUSTER_RESULTS=$folder/tries "$MUSTER" table prediction --format=csv |
        awk -F , '/^$/ { exit } $2 == " sizes" { rows++; wrong += $5 != 48 } END { exit !(rows == 3 && wrong == 0) }'
}
check 'a tuning is one case, however many sizes it tried under a fixed grid' tries

# A case that nobody has measured: 100 rounds, 1 us of work in each.
cat >"$folder/new.jsonl" <<'END'
{"schema":4,"kind":"run","chip":"one","driver":"1","app":"lonestar/bfs","input":"uniform:9","variant":"multi-kernel","workgroup":256,"launches":100,"readbacks":100,"commit":"abcdef0","date":"2026-01-02T00:00:00Z","outcome":"ok","samples_ns":[3000000]}
END
predicts() {
    ends 0 "$MUSTER" predict "$folder/new.jsonl" --format=csv &&
        awk -F , '$1 == "portable" && NF == 6 { portable = $2 } NR == 2 && $1 == "specialised" { specialised = $2 }
            $2 == 128 && $3 == 132 { team = $4 }
            function near(a, b, off) { return a > b * (1 - off) && a < b * (1 + off) }
            END { exit !(near(portable, 2593750, 0.01) && near(specialised, 2075000, 0.01) && near(team, 2075000, 0.1)) }' \
            "$folder/out"
}
check 'a case that nobody has measured: all times by the law, the fastest first' predicts
# Where the commonest choice is as often right, none is named, and a line says so.
withheld() {
    mkdir -p "$folder/withheld/one" && cp "$MUSTER_RESULTS/one/chip.ini" "$folder/withheld/one/" &&
        cases one '' 1 0 | sed '/"measure".*"specialised"/d; /"measure".*"multi-kernel"/s/samples_ns":\[/&9/' \
            >"$folder/withheld/one/s.jsonl" &&
        MUSTER_RESULTS=$folder/withheld ends 0 "$MUSTER" predict "$folder/new.jsonl" &&
        grep -q 'No fastest is named: the model is right in 100 %.*always naming the commonest in 100 %' "$folder/out" &&
        grep -q 'No sizes and teams are named.*right in 100 %' "$folder/out" && grep -q '^portable .* predicted' "$folder/out" &&
        ! grep -q 'fastest first' "$folder/out" && ! grep -q 'best workgroup sizes' "$folder/out" &&
        MUSTER_RESULTS=$folder/withheld "$MUSTER" table prediction --format=csv >"$folder/table" &&
        awk -F , '/^choice,left_out,class/ { on = 1; next } /^$/ { on = 0 } on { rows++; wrong += $NF != "no" }
            END { exit !(rows > 0 && wrong == 0) }' "$folder/table"
}
check 'where always naming the commonest is as good, nothing is named' withheld
# multi-kernel and portable take turns in being slow, so that nothing tells of the next case; with no change as near, there is no time.
timeless() {
    mkdir -p "$folder/timeless/one" && cp "$MUSTER_RESULTS/one/chip.ini" "$folder/timeless/one/" &&
        cases one | awk '/"measure"/ && /"portable"/ { n++; sub(/samples_ns":\[[0-9]*/, "samples_ns\":[" last * (n % 2 ? 1.01 : 0.99)) }
            /"measure"/ && /"multi-kernel"/ { match($0, /samples_ns":\[[0-9]*/); last = substr($0, RSTART + 13, RLENGTH - 13) + 0 }
            !/"measure".*"specialised"/' >"$folder/timeless/one/s.jsonl" &&
        MUSTER_RESULTS=$folder/timeless ends 0 "$MUSTER" predict "$folder/new.jsonl" && has "$folder/out" 'No times are predicted' &&
        grep -q '^multi-kernel .* measured' "$folder/out" && ! grep -q '^portable .* predicted' "$folder/out"
}
check 'where a constant is nearer, no time is predicted' timeless
few() {
    mkdir -p "$folder/few" && cp -r "$MUSTER_RESULTS/one" "$folder/few" &&
        sed -n '/"tune".*"portable".*"workgroup":64/{s/"workgroup":64/"workgroup":32/;s/\[.*\]/[10]/;s/"key":"/&x/;p;q;}' \
            "$MUSTER_RESULTS/one/s.jsonl" >"$folder/few/one/x.jsonl" && [ "$(wc -l <"$folder/few/one/x.jsonl")" -eq 1 ] &&
        MUSTER_RESULTS=$folder/few ends 0 "$MUSTER" predict "$folder/new.jsonl" --format=csv &&
        has "$folder/out" portable,64, && ! grep portable,32, "$folder/out"
}
check 'what one case of many has tried is not predicted' few
other_chip() {
    mkdir -p "$folder/other" && cp -r "$MUSTER_RESULTS"/* "$folder/other" && grep -v '"tune"' "$MUSTER_RESULTS/one/s.jsonl" \
        >"$folder/other/one/s.jsonl" && MUSTER_RESULTS=$folder/other ends 0 "$MUSTER" predict "$folder/new.jsonl" --format=csv &&
        has "$folder/out" specialised && ! grep portable,64, "$folder/out"
}
check '… and sizes that are best on another chip say nothing of this one' other_chip
traced() {
    sed 's/"launches":100/"trace":{"device_ns":2500000},&/' "$folder/new.jsonl" >"$folder/traced.jsonl"
    ends 0 "$MUSTER" predict "$folder/traced.jsonl" --format=csv &&
        awk -F , '$1 == "portable" && NF == 6 { exit !($2 > 3187000 && $2 < 3251000) }' "$folder/out"
}
check 'with a trace, the work is the time in kernels' traced
hostile() {
    for counts in '"launches":-5,"readbacks":5' '"launches":5,"readbacks":-5' '"launches":1e300,"readbacks":1e308'; do
        mkdir -p "$folder/hostile" && cp -r "$MUSTER_RESULTS"/* "$folder/hostile" && sed 's/"launches":[0-9]*,"readbacks":[0-9]*/'"$counts"'/
            s/"key":"/&x/; s/"input":"/&y/' "$MUSTER_RESULTS/two/s.jsonl" >"$folder/hostile/one/x.jsonl" &&
            MUSTER_RESULTS=$folder/hostile ends 0 "$MUSTER" predict "$folder/new.jsonl" --format=csv &&
            awk -F , 'NR == 2 { exit !($1 == "specialised" && $2 > 2054000 && $2 < 2096000) }' "$folder/out" || return 1
    done
}
check 'counts that cannot be are no facts' hostile
check 'no file' ends 2 "$MUSTER" predict
check 'a file without a run of multi-kernel' sh -c \
    'grep portable "$2" >"$1/portable.jsonl"; "$MUSTER" predict "$1/portable.jsonl" 2>"$1/err"; [ $? -eq 2 ] && grep -q "no run of multi-kernel" "$1/err"' \
    sh "$folder" "$MUSTER_RESULTS/one/s.jsonl"
bare() {
    sed 's/"chip":"one"/"chip":"bare"/' "$folder/new.jsonl" >"$folder/bare.jsonl"
    ends 2 "$MUSTER" predict "$folder/bare.jsonl" && has "$folder/err" 'no profile'
}
check 'a chip without a profile is refused' bare
nothing() {
    MUSTER_RESULTS=$folder/empty ends 0 "$MUSTER" table prediction && MUSTER_RESULTS=$folder/empty ends 2 "$MUSTER" predict \
        "$folder/new.jsonl"
}
mkdir -p "$folder/empty"
check 'no records: an empty table, and no prediction' nothing
# Beside each error stands what constants would have said, and the model is offered where none is nearer.
beside_constants() {
    MUSTER_RESULTS=$folder/apps "$MUSTER" table prediction --format=csv | awk '/^left_out,class/ { on = 1 } /^$/ { on = 0 } on' >"$folder/constants"
    awk -F , 'NR > 1 { rows++; least = $4; constant = 0
            for (i = 6; i <= 7; i++) if ($i != "" && $i + 0 < least + 0) { least = $i; constant = 1 }
            wrong += $8 != (constant ? "no" : "yes") || $3 < 1
            all[$1] += $2 == "all" ? $3 : -$3 }
        END { for (name in all) wrong += all[name] != 0; exit !(rows > 0 && wrong == 0) }' "$folder/constants"
}
check 'errors by class of device, beside those of constants' beside_constants
tap_done
