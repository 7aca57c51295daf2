#!/bin/sh
# muster conform: a healthy device is not refuted, faults that a layer plants are, with what is needed to see them again;
# waivers, baselines, exit codes; and a call that was killed goes on. `make check` runs a sample of the tests.
. "$srcdir/tests/tap.inc"
need_pocl
set_workers 2
in_full 0 || compile_unoptimised
# PoCL keeps kernels by their source, which is what the layer changes.
XDG_CACHE_HOME=$folder/cache
export XDG_CACHE_HOME
mkdir -p "$XDG_CACHE_HOME"
chip=$(pocl_has chip)
layer=$folder/faults.so
# shellcheck disable=SC2086 # words
${CC:-cc} -std=c11 -shared -fPIC -o "$layer" "$srcdir/tests/harness/device/faults.c" -ldl 2>"$folder/err" || layer=
[ -z "$layer" ] || LD_PRELOAD=$layer "$MUSTER" --version >"$folder/out" 2>"$folder/err" && [ ! -s "$folder/err" ] || layer=

# conform RESULTS OPTION...: one round, whose records are in a folder of the test's own.
conform() {
    results=$folder/$1
    shift
    MUSTER_RESULTS=$results "$MUSTER" conform --device="$pocl" --rounds=1 --budget=10m "$@"
}
# with LIE COMMAND...: the same where the layer lies.
with() {
    lie=$1
    shift
    MU_LIE=$lie LD_PRELOAD=$layer "$@"
}

# ---- A healthy device ----

some='*/c11/[Mc]*[Pr]' # memory MP and barrier counter
healthy() {
    ends 0 conform healthy --only="$some" --junit="$folder/junit.xml" && cp "$folder/out" "$folder/healthy.out" &&
        has "$folder/out" 'not refuted  barrier/c11/counter' 'not refuted  memory/c11/MP' &&
        has "$folder/junit.xml" 'tests="2" failures="0" errors="0"'
}
check 'a healthy device is not refuted' healthy
sentence() {
    [ "$(tail -n 1 "$folder/healthy.out" | cut -d ' ' -f 1-3)" = 'Global barriers on' ] && has "$folder/healthy.out" 'nothing speaks against them'
}
check 'the last line is a sentence on global barriers' sentence
schema() {
    "${MUSTER%/*}/tests/records/test_record_schema" --schema="$srcdir/doc/conform.schema.json" "$folder/$1/$chip/conform.json" &&
        "${MUSTER%/*}/tests/records/test_record_schema" "$folder/$1/$chip/conform.jsonl"
}
check 'verdicts are as doc/conform.schema.json says, measurements as those of records' schema healthy
again() {
    ends 0 conform healthy --only="$some" --baseline="$folder/healthy/$chip" --json && has "$folder/err" 'were in' && [ "$(pick exit_code <"$folder/out")" = 0 ]
}
check 'what was tried is not tried again' again
check 'no such test' ends 2 conform healthy --only=nothing
check 'no such time' ends 2 conform healthy --budget=soon
everything() {
    ends 0 conform whole && has "$folder/out" 'nothing speaks against them' &&
        ! grep '^not tried  .*/c11/[a-km-z]' "$folder/out" && ! grep '^refuted.* \[NEW\]' "$folder/out"
}
hurried() {
    conform hurried --budget=1 >"$folder/out" 2>"$folder/err"
    has "$folder/err" ' to go' && ! grep 'about' "$folder/err" | grep -v 'about 0:0[01] to go'
}
if in_full 2; then
    check 'nothing that is relied on is refuted of a healthy device' everything
    check 'no more time is expected than the budget leaves' hurried
fi
compile_unoptimised

# ---- Planted faults ----

if [ -z "$layer" ]; then
    skip 'planted faults' 'nothing can be loaded before the program, as under a sanitizer'
    tap_done
fi
# Programs are kept by what the driver is told, of which the layer makes something else: it is tried on programs that were not
# built without it.
other_cache() {
    XDG_CACHE_HOME=$folder/other
    rm -rf "$XDG_CACHE_HOME"
}
refuted() {
    with early ends 1 conform faulty --only='barrier/c11/tree' &&
        has "$folder/out" 'refuted      barrier/c11/tree' '[NEW]' 'do not rely on them' 'written before, not seen behind'
}
check 'a barrier whose arrival overtakes writes is refuted' refuted
files() {
    from=$folder/faulty/$chip/conform/barrier-c11-tree
    has "$from/README" 'barrier/c11/tree' '--only' && has "$from/kernel.cl" 'Options of the compiler: ' 'litmus_barrier' &&
        [ "$(pick weak <"$from/measurement.json")" -gt 0 ] && has "$folder/faulty/$chip/conform.json" "\"reproduction\": \"$from\""
}
check '… and what is needed to see it again is there' files
check '… and its verdicts are as the schema says' schema faulty

# What is known is told of the measurements that are there.
known() {
    wanted=$1
    shift
    ends "$wanted" conform faulty --only='barrier/c11/tree' "$@"
}
waived() {
    echo 'barrier/c11/tr* 2999-12-31 ticket 7: fixed in the next release' >"$folder/waivers"
    known 0 --waivers="$folder/waivers" && has "$folder/out" '[waived: ticket 7: fixed in the next release]' 'do not rely on them'
}
check 'a waiver makes it known' waived
ended() {
    printf '# known failures\n\nbarrier/c11/tree 2020-01-31 ticket 7\n' >"$folder/waivers"
    known 1 --waivers="$folder/waivers" && has "$folder/err" "waivers:3: the waiver of barrier/c11/tree ended on 2020-01-31"
}
check '… until its end' ended
bad_waiver() {
    printf 'memory/c11/MP a reason\nbarrier/c11/tree 2999-12-31\n' >"$folder/waivers"
    known 2 --waivers="$folder/waivers" && has "$folder/err" 'waivers:2: a waiver of barrier/c11/tree without a reason'
}
check '… and only with a reason' bad_waiver
bad_date() {
    for date in 2999-3-31 2999-31-03; do
        echo "barrier/c11/tree $date ticket 7" >"$folder/waivers"
        known 2 --waivers="$folder/waivers" && has "$folder/err" "waivers:1: $date is no date" || return 1
    done
}
check '… nor with a date that is none, which would never end' bad_date
old_fault() {
    cp "$folder/faulty/$chip/conform.json" "$folder/before.json"
    known 0 --baseline="$folder/before.json" && has "$folder/out" '[as in the baseline]' &&
        known 0 --baseline="$folder/faulty/$chip/conform.jsonl"
}
check 'what the baseline has as refuted is not new' old_fault
# Versions of PoCL call the same processor pthread-… and cpu-….
old_name() {
    sed 's/"name": "pthread-/"name": "cpu-/' "$folder/before.json" >"$folder/renamed.json"
    known 0 --baseline="$folder/renamed.json" && has "$folder/out" '[as in the baseline]'
}
check '… nor where the driver has another name for the device' old_name
new_fault() {
    sed 's/"refuted"/"not refuted"/' "$folder/before.json" >"$folder/better.json" &&
        known 1 --baseline="$folder/better.json" --junit="$folder/junit.xml" &&
        has "$folder/out" '[NEW: not refuted in the baseline]' && has "$folder/junit.xml" 'failures="1"'
}
check '… and what it has as not refuted is' new_fault
other_device() {
    sed 's/"name": ".*Processor"/"name": "another"/; s/"vendor": ".*"/"vendor": "another"/' "$folder/before.json" >"$folder/another.json"
    known 2 --baseline="$folder/another.json" && has "$folder/err" 'says nothing of'
}
check 'a baseline of another device is refused' other_device
check 'a baseline that is none' known 2 --baseline="$srcdir/doc/conform.schema.json"
# In full, since each compiles programs of its own.
late() {
    with late ends 1 conform late --only='memory/c11/MP' && has "$folder/out" 'refuted      memory/c11/MP' &&
        has "$folder/late/$chip/conform/memory-c11-MP/program/test.c" clEnqueueNDRangeKernel
}
lied() {
    with more ends 1 conform lied --only='barrier/c11/tree' && has "$folder/out" 'refuted      barrier/c11/tree'
}
hung() {
    MU_FAULT=clEnqueueNDRangeKernel:crash LD_PRELOAD=$layer ends 1 conform crashed --only='self-test' && has "$folder/out" 'refuted      self-test'
}
killed() {
    (MUSTER_RESULTS=$folder/killed && exec "$MUSTER" conform --device="$pocl" --rounds=1 --budget=10m --only='memory/*') \
        >"$folder/out" 2>"$folder/err" &
    begun=$! tries=0
    while [ ! -s "$folder/killed/$chip/conform.jsonl" ] && [ "$tries" -lt 100 ]; do
        tries=$((tries + 1))
        sleep 0.2
    done
    kill -9 "$begun"
    wait "$begun" 2>"$folder/err"
    ends 0 conform killed --only='memory/*' && has "$folder/out" 'not refuted  memory/c11/MP' 'not refuted  memory/fences/ISA2'
}
if in_full 4; then
    other_cache
    check 'a store that comes after a release is refuted, with a program that shows it' late
    other_cache
    check 'workgroups that do not fit are found out' lied
    check 'a driver that crashes fails the self-test' hung
    other_cache
    check 'a call that was killed goes on' killed
fi
tap_done
