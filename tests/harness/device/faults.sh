#!/bin/sh
# Drivers that go wrong in any way, in any OpenCL call that muster makes: muster ends, and says what happened. The layer
# tests/harness/device/faults.c is between muster and the loader. `make check` runs a sample.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised
set_workers 2
layer=$folder/faults.so
echo 'int main(void) { return 0; }' >"$folder/empty.c"
${CC:-cc} -shared -fPIC -o "$folder/empty.so" "$folder/empty.c" 2>"$folder/err" || skip_all 'the compiler makes no shared objects'
LD_PRELOAD=$folder/empty.so "$MUSTER" --version >"$folder/out" 2>"$folder/err" && [ ! -s "$folder/err" ] ||
    skip_all 'nothing can be loaded before the program, as under a sanitizer'
# shellcheck disable=SC2086 # words
check 'the layer is built' ${CC:-cc} -std=c11 -Wall -Wextra -Werror -shared -fPIC -o "$layer" "$srcdir/tests/harness/device/faults.c" -ldl
[ -f "$layer" ] || tap_done

# Verdicts of self-tests and compiled kernels are those of drivers as they are.
XDG_CACHE_HOME=$folder/cache POCL_CACHE_DIR=$folder/cache/pocl
export XDG_CACHE_HOME POCL_CACHE_DIR
# list_deadline WORD...: how long a driver may take to be listed: a second if it is to hang.
list_deadline() {
    case $* in *:hang*) echo 1 ;; *) echo 20 ;; esac
}
mkdir -p "$POCL_CACHE_DIR"

# command_of NUMBER: what is run. Each call is reached by one of them.
command_of() {
    case $1 in
        1) echo 'run mis --input=road:4 --variant=portable' ;;
        2) echo 'run mis --input=road:4 --variant=multi-kernel --readback=word' ;;
        3) echo 'run mis --input=road:4 --variant=multi-kernel --readback=blocking --layout=1' ;;
        4) echo 'run irgl/bfs-wl --input=road:4 --variant=multi-kernel' ;;
        5) echo 'run dmr --input=mesh:200 --variant=multi-kernel --room=1' ;;
        6) echo 'run mis --input=road:4 --variant=cooperative --load=light' ;;
        7 | refused) echo 'run mis --input=road:4 --variant=specialised --barrier=native --team=1' ;;
        fails) echo "run mis --input=road:4 --variant=multi-kernel --kernel-dir=$folder/broken" ;;
    esac
}
commands='1 2'
if in_full; then commands='1 2 3 4 5 6 7'; fi
# What a driver says for a command: in command 7 it promises that workgroups run at once, in `refused` it breaks that. In command 2
# its reads are slow, since an event is asked for its state only where they are.
lie_of() {
    case $1 in
        2) echo "${MU_LIE:-slow}" ;;
        7) echo native ;;
        refused) echo refuses ;;
        *) echo "${MU_LIE:-}" ;;
    esac
}
# go SECONDS NUMBER VARIABLE=VALUE...: the command with the layer; it must end within that time. Its exit code is $code.
go() {
    limit=$1
    shift
    number=$1
    shift
    # A load needs a workgroup to schedule, one to stay and one to give.
    [ "$number" != 6 ] || set_workers 3
    # shellcheck disable=SC2046 # options are words
    env MUSTER_LIST_DEADLINE="$(list_deadline "$@")" MU_LIE="$(lie_of "$number")" "$@" LD_PRELOAD="$layer" timeout -s KILL "$limit" "$MUSTER" $(command_of "$number") --workgroup=1 --samples=1 --warmup=0 \
        --deadline="${deadline:-1}" --json >"$folder/record" 2>"$folder/err"
    code=$?
    set_workers 2
}
for number in $commands; do
    # The first time takes what a compiler takes.
    [ "$number" != 6 ] || set_workers 3
    deadline=$hangs_after
    # shellcheck disable=SC2046
    case $number in
        7) go 60 7 ;;
        *) "$MUSTER" $(command_of "$number") --workgroup=1 --samples=1 --warmup=0 --deadline="$deadline" --json >"$folder/record" 2>"$folder/err" ;;
    esac
    go 60 "$number" MU_FAULT_LOG="$folder/log.$number"
    check "command $number ends well beside the layer" [ "$code $(member outcome "$folder/record")" = '0 ok' ]
    sort -u "$folder/log.$number" >"$folder/reached.$number"
done
deadline=1

# Calls that these commands do not make: each has tests below; clGetKernelSubGroupInfo, for drivers with subgroups, has stand-ins in
# tests/harness/device/test_subgroup_size.c.
elsewhere=' clCreateProgramWithBinary clGetProgramBuildInfo clGetProgramInfo clCreateKernel clGetExtensionFunctionAddressForPlatform'
elsewhere="$elsewhere clEnqueueWriteBufferRect clGetKernelSubGroupInfo "
if command -v nm >"$folder/nm"; then
    nm -D --undefined-only "$MUSTER" | sed -n 's/.* \(cl[A-Z][A-Za-z]*\).*/\1/p' | sort -u >"$folder/made"
    nm -D --defined-only "$layer" | sed -n 's/.* T \(cl[A-Z][A-Za-z]*\).*/\1/p' | sort -u >"$folder/layered"
    check 'the layer has every OpenCL call of the program' sh -c '! comm -23 "$1/made" "$1/layered" | grep .' sh "$folder"
else
    cat "$folder"/reached.* | sort -u >"$folder/made"
    skip 'the layer has every OpenCL call of the program' 'there is no nm'
fi
all_reached() {
    while read -r call; do
        case $elsewhere in *" $call "*) continue ;; esac
        grep -q -x "$call" "$folder"/reached.* || { echo "$call is made by none of the commands"; return 1; }
    done <"$folder/made"
}
if in_full; then check 'each call is reached by a command, or named as one that is not' all_reached; fi

# survives CALL KIND: muster ends in time, not by a signal, and says why it ended badly, if it did; what it calls right has
# been checked.
survives() {
    number=$(grep -l -x "$1" "$folder"/reached.* | head -n 1)
    XDG_CACHE_HOME=$folder/own
    rm -rf "$folder/own"
    mkdir "$folder/own"
    cp -R "$folder/cache/muster" "$folder/own/"
    go 25 "${number##*.}" MU_FAULT="$1:$2" MU_FAULT_LOG="$folder/log"
    XDG_CACHE_HOME=$folder/cache
    echo "exit code $code"
    cat "$folder/record" "$folder/err"
    case $code in
        0) [ "$(member outcome "$folder/record") $(member check "$folder/record")" = 'ok passed' ] ;;
        1 | 2 | 3 | 4) [ -s "$folder/err" ] || [ -n "$(member message "$folder/record")" ] ;;
        *) return 1 ;;
    esac
}
sample=' clBuildProgram:hang clGetPlatformIDs:crash clEnqueueNDRangeKernel:exit clFinish:error clGetDeviceInfo:garbage clEnqueueReadBuffer:garbage '
sort -u "$folder"/reached.* >"$folder/calls"
# What a call gives is judged where it is made, so that each has errors and garbage. That a process hangs, crashes or exits is seen
# by another, which does not know in which call: each call has one of these, by turns.
turn=0
while read -r call; do
    turn=$((turn % 3 + 1))
    for kind in hang crash exit error garbage; do
        case "$sample $kind-$turn" in
            *" $call:$kind "*) ;;
            *hang-[23] | *crash-[13] | *exit-[12]) continue ;;
            *) in_full || continue ;;
        esac
        check "$call: $kind" survives "$call" "$kind" </dev/null
    done
done <"$folder/calls"

# ---- Builds that fail, and programs that are kept ----

ended_badly() {
    echo "exit code $code"
    cat "$folder/record" "$folder/err"
    case $code in
        3 | 4) [ -s "$folder/err" ] ;;
        *) return 1 ;;
    esac
}
mkdir -p "$folder/broken/apps/pannotia/mis"
{ cat "$srcdir/apps/pannotia/mis/mis.cl"; echo nonsense; } >"$folder/broken/apps/pannotia/mis/mis.cl"
for kind in hang crash exit error garbage; do
    [ "$kind" = garbage ] || in_full || continue
    deadline=20
    [ "$kind" != hang ] || deadline=5
    go 40 fails MU_FAULT=clGetProgramBuildInfo:$kind
    check "clGetProgramBuildInfo: $kind" ended_badly
done
check 'a log without bounds is not read' has "$folder/err" 'The driver says that its log has '
# kept CALL KIND: with the cache that is there. PoCL makes a binary by compiling once more; on a busy machine the self-test
# and that take seconds.
kept() {
    deadline=60
    [ "$2" != hang ] || deadline=15
    go 80 2 MU_LIE=kept MU_FAULT="$1:$2" MU_FAULT_LOG="$folder/log"
    grep -q -x "$1" "$folder/log" || return 1
    case $code in
        0) [ "$(member outcome "$folder/record") $(member check "$folder/record")" = 'ok passed' ] ;;
        *) ended_badly ;;
    esac
}
if in_full 12; then
    for kind in hang crash exit error garbage; do
        rm -rf "$folder/cache/muster" "$folder/log"
        check "clGetProgramInfo: $kind" kept clGetProgramInfo $kind
    done
    check 'a binary without bounds is not kept' has "$folder/err" "that a program's binary has "
    rm -rf "$folder/cache/muster"
    deadline=60
    go 80 2 MU_LIE=kept
    check 'a program that is kept' [ "$code $(member outcome "$folder/record")" = '0 ok' ]
    for kind in hang crash exit error garbage; do
        rm -f "$folder/log"
        check "clCreateProgramWithBinary: $kind" kept clCreateProgramWithBinary $kind
    done
fi
# The self-test whose verdict is not known yet, and a launch of workgroups at once that is refused.
if in_full 10; then
    for kind in hang crash exit error garbage; do
        deadline=10
        rm -rf "$folder/cache/muster" "$folder/log"
        go 40 1 MU_FAULT=clCreateKernel:$kind MU_FAULT_LOG="$folder/log"
        check "clCreateKernel: $kind" ended_badly
        check '… in the self-test' grep -q -x clCreateKernel "$folder/log"
        deadline=10
        go 40 refused MU_FAULT=clGetExtensionFunctionAddressForPlatform:$kind MU_FAULT_LOG="$folder/log"
        check "clGetExtensionFunctionAddressForPlatform: $kind" ended_badly
    done
fi
deadline=1

# Of a study, which has a deadline of its own: minutes, in which a call that hangs is ended as any other is.
studied() {
    rm -rf "$MUSTER_RESULTS"
    rm -f "$folder/log"
    ends 3 env MU_FAULT="clEnqueueWriteBufferRect:$1" MU_FAULT_LOG="$folder/log" LD_PRELOAD="$layer" "$MUSTER" bench \
        --device="$pocl" --suite=stealing-small --json && grep -q -x clEnqueueWriteBufferRect "$folder/log" &&
        ! has "$MUSTER_RESULTS"/*/stealing-small.jsonl '"outcome":"ok"'
}
if in_full 4; then
    for kind in crash exit error garbage; do
        check "clEnqueueWriteBufferRect: $kind" studied $kind
    done
fi

# ---- Lies ----

# Nothing hangs here, and a second passes quickly on a busy machine.
deadline=20
listed() {
    MU_LIE=$1 LD_PRELOAD=$layer "$MUSTER" devices >"$folder/out" 2>"$folder/err"
    code=$?
    shift
    has "$folder/out" "$@"
}
check 'a dead device hides no other' listed devices 'platform 0, device 1 is not used' 'can be trusted'
check 'more devices than are looked at are told' listed many 'says that it has 1000 devices: the first 64'
refused() {
    go 25 1 MU_LIE=units
    [ "$code" = 3 ] && has "$folder/err" 'CL_DEVICE_MAX_COMPUTE_UNITS is 4294967295, which cannot be'
}
check 'a number that cannot be is named with its query' refused
lying_clock() {
    go 25 1 MU_LIE=clock
    echo "exit code $code"
    cat "$folder/record" "$folder/err"
    [ "$code" = 3 ] && has "$folder/record" 'clGetEventProfilingInfo says that a command went from 0 ns to'
}
check 'so is a time that cannot be' lying_clock
no_devices() {
    go 25 1 MU_FAULT=clGetDeviceIDs:error
    [ "$code" = 3 ] && ends 3 env LD_PRELOAD="$layer" MU_FAULT=clGetDeviceIDs:error "$MUSTER" devices
}
check 'to list no device is a failure' no_devices
unwritable() {
    : >"$folder/file"
    ends 3 env POCL_CACHE_DIR="$folder/file/pocl" "$MUSTER" devices &&
        has "$folder/err" "its cache folder $folder/file/pocl cannot be written"
}
check 'that PoCL cannot write its cache is told' unwritable

# ---- A vendor library that hangs ----

cat >"$folder/hangs.c" <<'END'
#include <unistd.h>
__attribute__((constructor)) static void hang(void) { for (;;) pause(); }
END
hangs() {
    mkdir -p "$folder/vendors"
    ${CC:-cc} -shared -fPIC -o "$folder/hangs.so" "$folder/hangs.c" || return 1
    echo "$folder/hangs.so" >"$folder/vendors/hangs.icd"
    cp "$pocl_icd" "$folder/vendors/" || return 1
    OCL_ICD_VENDORS=$folder/vendors MUSTER_LIST_DEADLINE=3
    export MUSTER_LIST_DEADLINE
    ends 0 "$MUSTER" devices && has "$folder/err" "$folder/vendors/hangs.icd: its driver hangs" && has "$folder/out" pocl-
}
forgets_not() {
    ends 0 "$MUSTER" devices && [ ! -s "$folder/err" ] && has "$folder/out" 'hangs.icd' 'hung within the last hour' pocl- &&
        ends 0 "$MUSTER" devices --no-cache && has "$folder/err" "hangs.icd: its driver hangs"
}
cat >"$folder/later.c" <<'END'
#include <time.h>
time_t time(time_t *seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec += 2 * 3600;
    if (seconds != NULL) *seconds = now.tv_sec;
    return now.tv_sec;
}
END
asks_again() {
    ${CC:-cc} -shared -fPIC -o "$folder/later.so" "$folder/later.c" &&
        ends 0 env LD_PRELOAD="$folder/later.so" "$MUSTER" devices && has "$folder/err" "hangs.icd: its driver hangs"
}
if [ -f "$pocl_icd" ]; then
    check 'a vendor library that hangs is named, and others are used' hangs
    check '… left out the next time, and asked again where that is wanted' forgets_not
    check '… or two hours later' asks_again
    OCL_ICD_VENDORS=$pocl_icd
else
    skip 'a vendor library that hangs' 'PoCL has no vendor file of its own'
fi

# ---- What a deadline is good for ----

deadline=1
short() {
    XDG_CACHE_HOME=$folder/none
    began=$(date +%s)
    go 25 1 MU_FAULT=clBuildProgram:hang
    XDG_CACHE_HOME=$folder/cache
    [ $(($(date +%s) - began)) -lt 10 ] && [ "$code" = 3 ] && has "$folder/err" 'is not trusted'
}
check 'the deadline of a run holds for the self-test' short
tap_done
