#!/bin/sh
# muster probe on PoCL with 1, 2 and 4 workers: the bound is the worker count, the profile is written and used, a probe
# that was stopped goes on, a device that is missing or refused is told. With 1 worker, and in `make check` with 2, a probe is
# interrupted behind the bounds; there the profile that is used is written by hand.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised
MUSTER_RESULTS=$folder/results
export MUSTER_RESULTS

# The chip's folder, of which there is one for each number of workers.
chip_folder() {
    echo "$MUSTER_RESULTS"/pocl*-"$1"
}

# golden NAME COMMAND...: standard output is tests/expected/NAME.
golden() {
    file=$srcdir/tests/expected/$1
    shift
    "$@" >"$folder/golden" 2>&1 || return 1
    if [ -n "${BLESS:-}" ]; then
        cp "$folder/golden" "$file"
    else
        diff -u "$file" "$folder/golden"
    fi
}

# value FILE SECTION KEY: from a profile.
value() {
    sed -n "/^\\[$2\\]\$/,/^\\[/s/^$3 = //p" "$1"
}

probe_quick() {
    workers "$1" "$MUSTER" probe --device="$pocl" --quick >"$folder/out" 2>"$folder/err" || {
        cat "$folder/err"
        return 1
    }
    ini=$(chip_folder "$1")/chip.ini
    for key in workgroup_1 workgroup_256 local_all_workgroup_one local_one_workgroup_max; do
        [ "$(value "$ini" bound "$key")" = "$1" ] || { cat "$ini"; return 1; }
    done
    ! grep -e deadline -e crash "$(chip_folder "$1")/probe.jsonl" | grep -v '"experiment":"combining"'
}

# interrupted WORKERS ENOUGH OPTION...: a probe that gets SIGINT once the function ENOUGH says so.
interrupted() {
    size=$1 enough=$2
    shift 2
    (
        set_workers "$size"
        exec "$MUSTER" probe --device="$pocl" --quick "$@"
    ) >"$folder/out" 2>"$folder/err" &
    parent=$!
    while ! "$enough"; do
        kill -0 "$parent" || break
        sleep 0.1
    done
    kill -INT "$parent"
    wait "$parent"
    [ $? -eq 130 ] && has "$folder/err" 'the same command goes on from here'
}

# Behind the bounds.
promised() {
    grep -q -s '"experiment":"promises"' "$(chip_folder "$size")/probe.jsonl"
}
all_bounds() {
    grep '"experiment":"bound"' "$(chip_folder "$size")/probe.jsonl" | pick parameters/workgroup bound outcome | paste -d ' ' - - - >"$folder/bounds"
    sort -u "$folder/bounds" | awk -v size="$size" '$2 != size || $3 != "ok" { bad = 1 } END { exit bad || NR < 3 }' ||
        { cat "$folder/bounds"; return 1; }
}
by_hand() {
    {
        printf '[profile]\nformat = 1\n[rollcall]\ndefault = atomic\npatience = 256\n[bound]\nworkgroup_256 = 2\n'
        printf '[progress]\nlobe = inconsistent\n[chip]\n'
        chip_lines workers 2 "$MUSTER" devices --json
    } >"$(chip_folder 2)/chip.ini"
}

if in_full 2; then
    check 'a probe with 1 worker that is interrupted behind the bounds' interrupted 1 promised
    check '… has found them' all_bounds
    check 'the bound of PoCL with 2 workers' probe_quick 2
else
    check 'a probe that is interrupted says how to go on' interrupted 2 promised
    check '… and keeps what it has measured: bounds of PoCL with 2 workers' all_bounds
    by_hand
fi
answers() {
    sed -n '/^barriers work /,$p' "$folder/out" >"$folder/answers" &&
        has "$folder/answers" 'yes: 2 workgroups crossed ' 'a barrier ' 'a launch ' 'worth it ' &&
        grep -q '^a barrier  *costs [0-9.]* [mun]*s \[.*\] between' "$folder/answers" &&
        grep -q -e ' cold, .* from [0-9]* round' -e ' never: ' "$folder/answers" && grep -q -e ' warm, .* from [0-9]* round' -e ' never: ' "$folder/answers"
}

if in_full 2; then
    check 'its last lines answer: whether barriers work, what they cost, when they are worth it' answers
    if [ "$(nproc)" -ge 4 ]; then
        check 'the bound of PoCL with 4 workers' probe_quick 4
    else
        skip 'the bound of PoCL with 4 workers' 'there are fewer than 4 processors'
    fi
fi

ini=$(chip_folder 2)/chip.ini
if in_full 3; then
    check 'the profile says what is trusted' [ "$(value "$ini" selftest trust)" = trusted ]
    check 'the profile says which variants may run' [ "$(value "$ini" selftest variants)" = all ]
    check 'the profile says how often the forward-progress tests ran' [ "$(value "$ini" progress tries)" -ge 1 ]
fi

# A kernel with sums of subgroups, which PoCL 6 cannot link with this work-group method.
combined() {
    grep '"experiment":"combining"' "$(chip_folder 2)/probe.jsonl" >"$folder/combining" &&
        ! grep -v -e '"outcome":"ok"' -e '"outcome":"unsupported"' "$folder/combining"
}
method=${POCL_WORK_GROUP_METHOD:-$(pocl_has selftest/driver_settings/POCL_WORK_GROUP_METHOD 2)}
if [ "$method" = cbs ] && ! combined >/dev/null; then
    skip 'additions combined in subgroups' "PoCL's work-group method cbs has no sums of subgroups"
else
    check 'additions combined in subgroups' combined
fi
tells_times() {
    grep -q '^muster: [0-9]*:[0-5][0-9]' "$folder/err" && has "$folder/err" ': launch ' ', progress ' &&
        has "$(chip_folder 2)/probe.jsonl" '"seconds":'
}
if in_full; then check 'the probe tells what its parts took' tells_times; fi
study_team() {
    workers 2 "$MUSTER" bench --device="$pocl" --suite=stealing-small --dry-run >"$folder/out" 2>"$folder/err" && has "$folder/out" ", team $1,"
}
# A bound that the device has not.
told_one() {
    sed -i 's/^workgroup_256 = 2$/workgroup_256 = 1/' "$ini"
    study_team 1
}
check 'a study takes its team from the profile' told_one
of_another() {
    sed -i 's/^device = .*/device = another/' "$ini"
    study_team 2 && has "$folder/err" 'is not used'
}
check '… but not from that of another device of that name' of_another
# stays COMMAND...: the command refuses to replace the profile, and says how to go on.
stays() {
    cp "$ini" "$folder/profile" && ends 2 workers 2 "$MUSTER" "$@" --device="$pocl" &&
        has "$folder/err" "is the profile of 'another'" '--chip=NAME' && cmp "$ini" "$folder/profile"
}
check 'a profile of another device of that name is not replaced by probe' stays probe --quick
check '… nor by chip add' stays chip add --budget=5s
anew() {
    rm "$ini" && probe_quick 2 && [ "$(value "$ini" chip device)" != another ]
}
if in_full 3; then
    check 'once it is away the profile is made anew' anew
    check 'the profile has a patience' [ "$(value "$ini" rollcall patience)" -ge 1 ]
    check 'the profile has the cost of a barrier' [ -n "$(value "$ini" barrier cost_ns)" ]
else
    by_hand
fi

overlaps() {
    grep '"experiment":"overlap"' "$(chip_folder 2)/probe.jsonl" >"$folder/overlap" &&
        ! grep -v '"before_ns":\[.*"outcome":"ok"\|"outcome":"ok".*"before_ns":\[' "$folder/overlap" && has "$folder/overlap" '"beside_ns":['
}
if in_full; then check 'rounds of work before a barrier, and between its halves' overlaps; fi

# Kernels are compiled when they are first run, and a busy machine takes its time; neither is a reason to measure one size
# only.
sizes_of_rounds() {
    [ "$(grep -c '"experiment":"crossover"' "$(chip_folder 2)/probe.jsonl")" -ge 2 ]
}
if in_full; then check 'rounds of several sizes, by launches and by a team' sizes_of_rounds; fi

exact_launch() {
    [ "$(grep -c '"expected":2,"launched":2,' "$(chip_folder 2)/probe.jsonl")" -eq 1 ] ||
        { grep '"expected":' "$(chip_folder 2)/probe.jsonl"; return 1; }
}
if in_full; then check 'the cost with the expected size known is that of a launch of exactly so many' exact_launch; fi

# ---- Use ----

# shellcheck disable=SC2086 # options are words
use() {
    workers 2 "$MUSTER" run mis --device="$pocl" --input=road:9 --samples=1 --json $one_item "$@" >"$folder/out" 2>"$folder/err"
}
uses_profile() {
    use || { cat "$folder/err"; return 1; }
    has "$folder/out" '"configuration_from":{' '"patience":"profile"' '"outcome":"ok"'
}
options_win() {
    use --patience=1000 && has "$folder/out" '"configuration_from":{' && ! grep -q '"patience":"profile"' "$folder/out"
}
check 'a run uses the profile, and says so' uses_profile
check 'options win' options_win
other_driver() {
    sed -i 's/^driver = .*/driver = another/' "$ini" && use &&
        has "$folder/err" "$ini is not used: it is of driver 'another'" && ! grep -q ':"profile"' "$folder/out"
}
cp "$ini" "$folder/keep"
names_rollcall() {
    sed -i 's/^default = .*/default = ticket/' "$ini" && use || { cat "$folder/err"; return 1; }
    has "$folder/out" '"rollcall":"ticket"' '"rollcall":"profile"' && use --rollcall=atomic &&
        has "$folder/out" '"rollcall":"atomic"' && ! grep -q '"rollcall":"profile"' "$folder/out"
}
check 'the profile names the roll call where no option does' names_rollcall
bad_rollcall() {
    sed -i 's/^default = .*/default = fast/' "$ini" && ! use &&
        has "$folder/err" "$ini:$(grep -n '^default' "$ini" | cut -d: -f1): default=fast: no such choice"
}
check '… and one that does not exist is an error with file and line' bad_rollcall
cp "$folder/keep" "$ini"
lobe() {
    sed -i 's/^lobe = .*/lobe = inconsistent/' "$ini" # not tested, where the machine was too busy for a team of two
    has "$ini" 'lobe = inconsistent' && ends 3 workers 2 "$MUSTER" run mis --device="$pocl" --input=road:9 \
        --rollcall=lobe && has "$folder/err" '--rollcall=lobe: its profile says [progress] lobe = inconsistent'
}
check 'roll call lobe is refused where the profile says that its tests did not pass' lobe
check 'a profile of another driver is flagged and not used' other_driver
bad_profile() {
    cp "$folder/keep" "$ini" && echo 'nonsense = 1' >>"$ini" && ! use &&
        has "$folder/err" "$ini:$(wc -l <"$ini" | tr -d ' '): no such key: ["
}
check 'a bad key is an error with file and line' bad_profile
cp "$folder/keep" "$ini"

# ---- Going on ----

lines() {
    wc -l <"$(chip_folder 2)/probe.jsonl"
}
again() {
    before=$(lines)
    workers 2 "$MUSTER" probe --device="$pocl" --quick >"$folder/out" 2>"$folder/err" &&
        [ "$(lines)" -eq "$before" ] && has "$folder/err" 'experiments were in' '(--restart does them anew)'
}
if in_full; then check 'what was measured is not measured again' again; fi
goes_on() {
    before=$(lines)
    file=$(chip_folder 2)/probe.jsonl
    # Most are kept, since each that is lost takes its time again.
    kept=$((before - 2))
    head -n "$kept" "$file" >"$file.cut" && head -c 100 "$file" >>"$file.cut" && mv "$file.cut" "$file" && rm "$ini"
    workers 2 "$MUSTER" probe --device="$pocl" --quick >"$folder/out" 2>"$folder/err" &&
        has "$folder/err" 'the last record was cut off' "$file.cut" && [ -s "$ini" ] &&
        has "$folder/err" 'experiments were in' && [ "$(lines)" -gt "$kept" ] && ! grep -v '^{.*}$' "$file"
}
if in_full; then check 'a probe that was killed goes on' goes_on; fi
damaged() {
    file=$(chip_folder 2)/probe.jsonl
    cp "$file" "$folder/keep.jsonl"
    sed -i '3s/.*/nonsense/' "$file"
    ends 2 workers 2 "$MUSTER" probe --device="$pocl" --quick && has "$folder/err" 'probe.jsonl:3: not a record'
}
check 'a damaged line is an error with file and line' damaged
cp "$folder/keep.jsonl" "$(chip_folder 2)/probe.jsonl"

# Once it has measured something, there is a long way to go.
begun() {
    [ -s "$(chip_folder 2)/probe.jsonl" ] && [ -s "$(chip_folder 2)/probe.jsonl.old" ]
}
interrupted_anew() {
    interrupted 2 begun --restart && begun
}
if in_full; then check 'an interrupted probe says how to go on' interrupted_anew; fi
cp "$folder/keep.jsonl" "$(chip_folder 2)/probe.jsonl"

# ---- An app's bound ----

app_bound() {
    ends 0 workers 2 "$MUSTER" probe --device="$pocl" --app=mis --input=road:9 --workgroup=32 &&
        has "$folder/out" 'pannotia/mis road:9, workgroup 32: bound 2, 2 found by roll calls'
}
if in_full; then check "the bound of an app's kernel" app_bound; fi

# ---- Tables ----

# The tables of hand-made measurements, as in tests/expected (BLESS=1 writes those files anew). They have an older driver,
# an experiment that was made again with more runs, and experiments that failed, none of which may show.
table() {
    golden table-"$1"."$2" "$MUSTER" table "$1" "$srcdir/tests/data/probe-a.jsonl" --format="$2"
}
for name in occupancy recall patience delay rollcall-cost barrier-cost queue-cost launch-cost utilisation bandwidth features progress; do
    check "muster table $name" table $name text
    check "muster table $name, CSV" table $name csv
done
check 'muster table occupancy, Markdown' table occupancy markdown
check 'muster table occupancy, LaTeX' table occupancy latex
probed() {
    "$MUSTER" table occupancy --format=csv >"$folder/csv" &&
        has "$folder/csv" "$(basename "$(chip_folder 2)")," ',11,1,1,2,2,atomic,' ',LW,'
}
if in_full; then check 'tables of what was probed' probed; fi
launched() {
    "$MUSTER" table launch-cost --format=csv >"$folder/csv" && has "$folder/csv" "$(basename "$(chip_folder 2)"),pipelined,"
}
check 'a table of what was probed first' launched
packed() {
    mkdir -p "$folder/packed/chip-a" &&
        xz -c "$srcdir/tests/data/probe-a.jsonl" >"$folder/packed/chip-a/probe.jsonl.xz" &&
        MUSTER_RESULTS=$folder/packed "$MUSTER" table recall >"$folder/out" &&
        cmp "$folder/out" "$srcdir/tests/expected/table-recall.text"
}
if command -v xz >/dev/null; then
    check 'measurements packed by xz' packed
else
    skip 'measurements packed by xz' 'there is no xz'
fi
check 'no chip of that name' ends 2 "$MUSTER" table recall nonsense
damaged_table() {
    echo nonsense >"$folder/bad.jsonl"
    ends 2 "$MUSTER" table recall "$folder/bad.jsonl" && has "$folder/err" 'bad.jsonl:1: not a record'
}
check 'damaged measurements are an error with file and line' damaged_table

# ---- Failures ----

check 'a device that is missing' ends 3 "$MUSTER" probe --device=nonsense
check '… is named' has "$folder/err" "no device matches 'nonsense'"
check 'options of an app without one' ends 2 "$MUSTER" probe --workgroup=32
check 'an unwritable folder' ends 2 env MUSTER_RESULTS=/dev/null "$MUSTER" probe --device=$pocl --quick
# A profile of a driver that is trusted, see tests/harness/device/refusal.sh, takes minutes.
refused() {
    ends 3 "$MUSTER" probe --device=llvmpipe && has "$folder/err" 'is not trusted' &&
        [ "$(value "$MUSTER_RESULTS"/rusticl-*/chip.ini selftest trust)" = refused ]
}
# Each command that meets it runs its self-test again; the sample has others in tests/harness/device/refusal.sh.
if ! in_full; then
    :
elif ! find_llvmpipe; then
    skip 'llvmpipe is refused' "$no_llvmpipe"
elif [ "$llvmpipe_trust" != no ]; then
    skip 'llvmpipe is refused' "this release is trusted: $llvmpipe_reason"
else
    check 'llvmpipe is refused, and its profile says so' refused
fi
check 'every measurement is as doc/record.schema.json says' "${MUSTER%/*}/tests/records/test_record_schema" \
    "$MUSTER_RESULTS"/*/probe.jsonl
tap_done
