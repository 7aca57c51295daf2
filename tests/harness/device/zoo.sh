#!/bin/sh
# Chips that are not here: the layer tests/harness/device/chips.c makes PoCL look like some, with fewer features, smaller limits and
# other names. `make check` has one, which tells one compute unit and has four; `make check-long` all, from devices to an import.
. "$srcdir/tests/tap.inc"
need_pocl
set_workers 4
compile_unoptimised
layer=$folder/chips.so
echo 'int main(void) { return 0; }' >"$folder/empty.c"
${CC:-cc} -shared -fPIC -o "$folder/empty.so" "$folder/empty.c" 2>"$folder/err" || skip_all 'the compiler makes no shared objects'
LD_PRELOAD=$folder/empty.so "$MUSTER" --version >"$folder/out" 2>"$folder/err" && [ ! -s "$folder/err" ] ||
    skip_all 'nothing can be loaded before the program, as under a sanitizer'
# shellcheck disable=SC2086 # words
check 'the layer is built' ${CC:-cc} -std=c11 -Wall -Wextra -Werror -shared -fPIC -o "$layer" "$srcdir/tests/harness/device/chips.c" -ldl
[ -f "$layer" ] || tap_done

# as CHIP ARGUMENT...: muster on that chip.
as() {
    as_chip=$1
    shift
    MU_CHIP=$as_chip LD_PRELOAD=$layer "$MUSTER" "$@"
}
# says CHIP PATH VALUE: what `muster devices --json` has there.
says() {
    as "$1" devices --json >"$folder/devices" 2>"$folder/err" && [ "$(pick "devices/*/$2" <"$folder/devices" | head -n 1)" = "$3" ] ||
        { cat "$folder/devices"; return 1; }
}
run_right() {
    ends 0 as "$1" run "$2" --variant="$3" --input="$4" --workgroup="${5:-1}" --samples=1 --warmup=0 --json && was_right 0 "$folder/out"
}

# ---- One that tells one unit, as rusticl does of a CPU's threads ----

check 'one unit is told, and four groups are found' says one selftest/team 4
check '… by a device that is trusted' says one selftest/barriers yes
check 'its name is its own' says one chip pocl-"$(pocl_has driver | sed 's/^\([0-9]*\.[0-9]*\).*/\1/')"-llvmpipe-1
check 'what it cannot run is said' says one "refused/*/app" lonestar/dmr
team_of_four() {
    run_right one mis portable road:4 64 && [ "$(member team "$folder/out")" = 4 ] || { cat "$folder/out"; return 1; }
}
check 'defaults follow from what was found: a team of four' team_of_four
units_said() {
    hash=$(member configuration_hash "$folder/out")
    ends 0 as one run mis --variant=portable --input=road:4 --workgroup=64 --samples=1 --warmup=0 --units=2 --json &&
        [ "$(member team "$folder/out")" = 2 ] && [ "$(pick device/units <"$folder/out")" = 2 ] &&
        [ "$(member configuration_hash "$folder/out")" != "$hash" ] || { cat "$folder/out"; return 1; }
}
untimed() {
    [ "$(member outcome "$folder/out")" = ok ] && has "$folder/out" '"rollcall_clock":"run"' || { cat "$folder/out"; return 1; }
}
check '… timed by the host, since no queue records event times' untimed
check '--units overrides both, and makes another test' units_said
check '… and goes with one device' ends 2 as one bench --device=0,1 --units=2
no_study() {
    ends 3 as one bench --suite=stealing-small --dry-run && has "$folder/err" 'at most 64 of 256 work-items'
}
check 'a study says that its workgroups are too small' no_study
refused() {
    ends 3 as one run dmr --input=mesh:20 --variant=multi-kernel && has "$folder/err" 'it has no double precision'
}
check 'dmr is refused without double precision' refused
no_watchdog() {
    ends 3 as one probe --watchdog=1s && has "$folder/err" 'has no watchdog'
}
check 'a CPU has no watchdog' no_watchdog
in_full 14 || tap_done

# ---- Clocks of loads that PoCL's kernels need not have ----

# clocked CHIP CLOCK OPTION...: a load goes by that clock. A task takes milliseconds, or seconds where a GPU's is done
# by threads, and what a busy machine makes of them, which may need more polls than usual, too; a wrong rate is off by orders
# of magnitude.
clocked() {
    clock=$2 chip=$1
    shift 2
    as "$chip" run mis --variant=cooperative --load=light --input=road:40 --workgroup=64 --samples=2 --warmup=0 \
        --spin-limit=4000000000 --json "$@" >"$folder/out" 2>"$folder/err" && was_right 0 "$folder/out" &&
        [ "$(pick load_task/clock <"$folder/out")" = "$clock" ] &&
        pick 'load_task_ns/*' <"$folder/out" | awk '$1 < 1e4 || $1 > 1e11 { bad = 1 } END { exit bad || NR == 0 }' ||
        { cat "$folder/out" "$folder/err"; return 1; }
}
check 'a load goes by cl_khr_kernel_clock, whose rate is found' clocked clock kernel-clock --yield=none
check '… by work, whose rate event times tell, where kernels have no clock' clocked mali work --team=4 --patience=4000000000
check '… or the host, where there are none of these' clocked one work --yield=none

# ---- A watchdog that the system does not tell ----

watched() {
    MU_WATCHDOG_MS=400 ends 0 as mali probe --watchdog=8s && has "$folder/out" 's is ended: device-error' || return 1
    ended=$(sed -n 's/^ended_ms = //p' "$MUSTER_RESULTS"/*/chip.ini)
    [ "${ended:-0}" -ge 250 ] || { cat "$folder/out" "$MUSTER_RESULTS"/*/chip.ini; return 1; }
}
check 'probe --watchdog finds out which kernels are ended' watched
spin_limit() {
    as mali devices --json | pick 'devices/*/selftest/spin_limit' | head -n 1
}
bounded() {
    after=$(spin_limit)
    as mali devices >"$folder/out" && has "$folder/out" 'muster probe: a kernel of' || return 1
    rm -r "$MUSTER_RESULTS"
    [ "$after" -lt "$(spin_limit)" ]
}
check '… and waits are shorter from then on' bounded
killed() {
    rm -rf "$MUSTER_RESULTS"
    MU_WATCHDOG_MS=150 MU_WATCHDOG_KILLS=1 ends 0 as mali probe --watchdog=8s && has "$folder/out" 's is ended: crash' &&
        as mali devices >"$folder/out" && has "$folder/out" 'muster probe: a kernel of'
}
check '… also where the process is killed, and the first kernel is ended' killed

# ---- Unlike devices of one short name ----

# cards N ARGUMENT...: muster on N devices of one short name, of which every second one is another vendor's.
cards() {
    POCL_DEVICES=$(yes pthread | head -n "$1" | paste -s -d ' ' -)
    shift
    (export POCL_DEVICES MU_CHIP_2=theirs && as ours "$@")
}
# has_runs FILE VENDOR RUNS: the campaign's file of that name has so many records, all of that vendor's device.
has_runs() {
    [ "$(pick device/vendor <"$(echo "$MUSTER_RESULTS"/*/"$1.jsonl")" | grep -c -x "$2")" -eq "$3" ] || { ls -R "$MUSTER_RESULTS"; return 1; }
}
divided() {
    cards "$1" bench mis --input=road:4 --input=road:5 --variants=multi-kernel,portable --repeats=1 --min-samples=2 --max-samples=3 \
        --workgroup=1 --max-time=0.02 --no-tune --device=all --split --set="$2" >"$folder/out" 2>"$folder/err" ||
        { cat "$folder/err"; return 1; }
}
two_and_one() {
    divided 3 odd && has_runs odd.1-of-2 Mesa 2 && has_runs odd.2-of-2 Mesa 2 && has_runs odd.index-1 ARM 4
}
two_and_two() {
    divided 4 even && has_runs even.index-0 Mesa 4 && has_runs even.index-1 ARM 4 && has_runs even.index-2 Mesa 4 &&
        has_runs even.index-3 ARM 4 && has "$folder/err" 'another chip of the same short name' &&
        [ "$(grep -c 'is another device than before' "$folder/err")" -eq 1 ]
}
rm -rf "$MUSTER_RESULTS"
check 'equal ones divide a campaign, and the other one does all of it' two_and_one
check 'two of each divide none, since parts of both would be one file' two_and_two
apart() {
    "$MUSTER" results merge --output="$folder/merged.jsonl" "$MUSTER_RESULTS"/*/even.index-?.jsonl &&
        "$MUSTER" table times "$folder/merged.jsonl" --format=csv >"$folder/rows" 2>"$folder/err" &&
        [ "$(grep -c '~2,even,.*,2,' "$folder/rows")" -eq 4 ] && [ "$(grep -v '~2' "$folder/rows" | grep -c ',even,.*,2,')" -eq 4 ] ||
        { cat "$folder/rows" "$folder/err"; return 1; }
}
check 'merged, they are two chips, each of two processes' apart
compared() {
    ends 0 "$MUSTER" compare "$folder/merged.jsonl" "$folder/merged.jsonl" --wide && [ "$(grep -c '~2 .* 1.000 ' "$folder/out")" -eq 4 ] &&
        has "$folder/out" '8 tests: '
}
check '… and each is compared with itself' compared
rm -rf "$MUSTER_RESULTS"

# ---- All of them, from a device to its rows in another checkout ----

mkdir -p "$folder/checkout/results/chips"
chips=0
for chip in mali radeon arc one; do
    MUSTER_RESULTS=$folder/$chip
    ran='' left='' chips=$((chips + 1)) turn=$chips
    for app in $(apps) lonestar/dmr; do
        input=road:4 turn=$((turn + 1))
        [ "$app" != lonestar/dmr ] || input=mesh:20
        # Each app in another variant on each chip of OpenCL 1.2, and dmr in all. What 3.0 offers PoCL has in all other tests, too.
        case $chip,$app in arc,pannotia/mis | arc,lonestar/dmr) ;; arc,*) continue ;; esac
        for variant in multi-kernel portable specialised; do
            case $app,$((turn % 3)),$variant in lonestar/dmr,* | *,0,multi-kernel | *,1,portable | *,2,specialised) ;; *) continue ;; esac
            echo "$app --variant=$variant --input=$input --workgroup=1 --samples=1 --warmup=0"
        done
    done >"$folder/lines"
    (export MU_CHIP="$chip" LD_PRELOAD="$layer" && many_runs 4 "$folder/lines")
    line=0
    while read -r app variant _; do
        line=$((line + 1)) record=$folder/record.$line
        if [ -f "$record" ] && was_right 0 "$record"; then
            ran="$ran $app/${variant#--variant=}"
        else
            left="$left $app/${variant#--variant=}"
        fi
    done <"$folder/lines"
    echo "# $chip: right:$ran"
    echo "# $chip: not:$left"
    all_but_dmr() {
        ! echo "$left" | tr ' ' '\n' | grep -q -v -e '^$' -e '^lonestar/dmr' || { cat "$folder/err"; return 1; }
    }
    check "$chip: every app, but for dmr" all_but_dmr
    doubles() {
        case $chip in
            radeon) [ -z "$left" ] ;;
            *) [ "$(echo "$left" | wc -w)" -eq 3 ] ;;
        esac
    }
    check "$chip: dmr only with double precision" doubles
    # The one with the fewest features is probed; of one with those of OpenCL 3.0, as PoCL has them, it is enough that all begins. How
    # far a budget goes on a busy machine nobody knows: the rows below are another command's.
    case $chip in
        arc) check "$chip: add, in too short a time" ends 0 as $chip chip add mis --budget=5 ;;
        one) check "$chip: add" ends 0 as $chip chip add mis --budget=15 ;;
    esac
    check "$chip: bench" ends 0 as $chip bench mis --suite=smoke --set=rows --no-tune --workgroup=1 --repeats=1 --min-samples=2 --max-samples=5
    check "$chip: pack" ends 0 "$MUSTER" chip pack --output="$folder/$chip.pack.xz"
    check "$chip: import" ends 0 "$MUSTER" chip import "$folder/$chip.pack.xz" --output="$folder/checkout/results"
done
rows() {
    MUSTER_RESULTS=$folder/checkout/results/chips "$MUSTER" table speedup --format=csv >"$folder/rows" 2>"$folder/err"
    [ "$(grep -c ',rows,pannotia/mis,road:60,[0-9]' "$folder/rows")" -eq 4 ] || { cat "$folder/rows" "$folder/err"; return 1; }
}
check 'each has its row' rows
tap_done
