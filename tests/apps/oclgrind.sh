#!/bin/sh
# The steps of every app under Oclgrind, which finds data races and reads of what nobody has written. Multi-kernel only:
# Oclgrind knows no ordering between the workgroups of one launch. In `make check` an eighteenth of all inputs and options.
. "$srcdir/tests/tap.inc"
[ -n "${OCLGRIND:-}" ] || skip_all 'there is no Oclgrind (Debian package oclgrind)'
case $OCLGRIND in
    /*) ;;
    *) command -v "$OCLGRIND" >/dev/null || skip_all "there is no $OCLGRIND" ;;
esac

# Oclgrind's options are not part of a cached program's key.
XDG_CACHE_HOME=$folder/cache
export XDG_CACHE_HOME
# The verdict of the self-test, which has races on purpose, is in the cache from here on, also for the options of `grind` below.
"$OCLGRIND" --build-options -cl-opt-disable "$MUSTER" devices >"$folder/devices" 2>&1
"$OCLGRIND" "$MUSTER" devices >"$folder/devices" 2>&1
if ! grep -q 'platform *Oclgrind' "$folder/devices"; then
    cat "$folder/devices"
    skip_all "$OCLGRIND does not show its device"
fi

# ---- Multi-kernel only ----

check 'the list says that it is for multi-kernel only' \
    has "$folder/devices" 'multi-kernel only: a simulator (it claims to be a CPU and a GPU at once)'
for variant in portable specialised; do
    check "no run, $variant" ends 3 "$OCLGRIND" "$MUSTER" run mis --variant=$variant --input=road:4 --device=oclgrind \
        --json
    check '… which says why' has "$folder/err" "cannot do --variant=$variant: multi-kernel only: a simulator"
    check '… and is an outcome' has "$folder/out" '"outcome":"unsupported"'
done
chip=$(sed -n 's/^[0-9]* *\(oclgrind-.*\)$/\1/p' "$folder/devices")
mkdir -p "$MUSTER_RESULTS/$chip"
chip_lines "$OCLGRIND" "$MUSTER" devices --json >"$folder/chip"
with_profile() {
    { printf '[profile]\nformat = 1\n[selftest]\ntrust = alone\nreason = %s\nvariants = %s\n' 'one at a time' "$1" &&
        printf '[chip]\nname = %s\n' "$chip" && cat "$folder/chip"; } >"$MUSTER_RESULTS/$chip/chip.ini"
}
with_profile 'multi-kernel only'
check 'a profile that says so, too' ends 3 "$OCLGRIND" "$MUSTER" run mis --input=road:4 --device=oclgrind
check '… which is the reason' has "$folder/err" 'its profile says [selftest] variants = multi-kernel only'
check 'multi-kernel runs' ends 0 "$OCLGRIND" "$MUSTER" run mis --variant=multi-kernel --input=road:4 --samples=1 \
    --device=oclgrind
listed() {
    "$MUSTER" table features >"$folder/features" && has "$folder/features" 'multi-kernel only  one at a time' "$chip"
}
check 'a table of chips says it' listed
if in_full; then
    with_profile all
    check 'who knows better may say so in the profile' ends 0 "$OCLGRIND" "$MUSTER" run mis --input=road:4 --samples=1 --warmup=0 \
        --device=oclgrind
fi
rm -r "$MUSTER_RESULTS"

# ---- A graph that does not fit ----

small_device() {
    ends "$1" "$OCLGRIND" --global-mem-size "$2" "$MUSTER" run mis --variant=multi-kernel --input=road:16 --samples=1 \
        --device=oclgrind --json
}
check 'buffers that the device has no room for are refused' small_device 3 5000
check '… with both numbers, before one is made' has "$folder/err" \
    "the app's buffers take 5576 bytes, and the device has 5000"
check '… and the record says out-of-memory' has "$folder/out" '"outcome":"out-of-memory"'
check 'a device that has room for no more takes them' small_device 0 12000
check '… and the record says what they take' has "$folder/out" '"device_bytes":5576'

# ---- Many tests in a process ----

# Their programs are built by other processes, in a cache that has none of them.
together() {
    ends 0 "$OCLGRIND" "$MUSTER" bench irgl/mis-wl --suite=irgl --device=oclgrind --variants=multi-kernel --input=road:4 \
        --coop-cv=off,on --workgroup=8,16 --max-samples=1 --min-samples=1 --brief "$@"
}
built=$MUSTER_RESULTS/$chip/custom.jsonl
check 'tests that share a process' together
check 'each has its records' [ "$(grep -c '"outcome":"ok"' "$built")" = 8 ]
check 'their programs were built ahead' [ "$(grep -c '"build_cached":true' "$built")" = 8 ]
find "$XDG_CACHE_HOME/muster" -name 'program-*' | sed -n 2p | xargs rm
if in_full 2; then
    check 'again, where the cache lacks one of them' together --restart
    check '… which was built ahead' [ "$(grep -c '"build_cached":true' "$built")" = 8 ]
fi
rm -r "$MUSTER_RESULTS"

# ---- Races and uninitialised words ----

printf '0 0\n0 1\n1 1\n1 2\n2 0\n2 2\n3 3\n4 5\n5 4\n4 5\n0 1\n' >"$folder/loops.txt"
printf 'p sp 40 6\na 3 7 2\na 7 3 2\na 3 7 1\na 7 40 5\na 40 7 5\na 1 3 4\n' >"$folder/isolated.gr"

# grind OPTION KERNELS APP INPUT [OPTION-OF-MUSTER...]: the run must end well, on Oclgrind, and say nothing. Unoptimised, since optimised
# kernels hold intrinsics that Oclgrind does not know.
grind() {
    of_oclgrind=$1 kernels=$2 app=$3 input=$4
    shift 4
    "$OCLGRIND" "$of_oclgrind" --build-options -cl-opt-disable \
        sh -c 'LD_PRELOAD=$0${LD_PRELOAD:+:$LD_PRELOAD} exec "$MUSTER" "$@"' "$no_fill" \
        run "$app" --variant=multi-kernel --device=oclgrind --input="$input" --workgroup=16 --samples=1 --warmup=0 --json \
        --kernel-dir="$kernels" "$@" >"$folder/out" 2>"$folder/err" &&
        has "$folder/out" '"chip":"oclgrind-' '"check":"passed"' && [ ! -s "$folder/err" ] && exercised "$folder/out" &&
        return 0
    head -n 30 "$folder/err" "$folder/out"
    return 1
}

# For --uninitialized a relaxed store is a plain one: Oclgrind takes an exchange with a word for a use of the word.
kernels "$folder/plain"
atomics=$folder/plain/variants/atomics/fences.clh
sed -i 's/^    atomic_xchg((volatile __global uint \*)p, value);$/    *(volatile __global uint *)p = value;/' "$atomics"
check 'the plain stores are in place' sh -c '! grep -v "^ \*" "$0" | grep atomic_xchg' "$atomics"

no_fill=$folder/no_fill.so
options='--data-races --uninitialized'
if ! ${CC:-cc} -shared -fPIC -o "$no_fill" "$srcdir/tests/data/no_fill.c" 2>"$folder/cc.log"; then
    no_fill=
    options=--data-races
    skip 'nothing uninitialised' 'there is no C compiler'
fi

n=0
for app in $(apps); do
    for input in road:6 rmat:5:4 "$folder/loops.txt" "$folder/isolated.gr"; do
        for option in $options; do
            n=$((n + 1))
            [ $((n % 18)) -eq 0 ] || in_full || continue
            sources=$srcdir
            [ "$option" = --data-races ] || sources=$folder/plain
            # Every input with either option, and a fixed grid with either, once each.
            case $input$option in
                road:6--uninitialized | *isolated.gr--data-races)
                    check "oclgrind $option: $app on ${input##*/}, a fixed grid" \
                        grind "$option" "$sources" "$app" "$input" --grid=fixed --team=2
                    ;;
                *) check "oclgrind $option: $app on ${input##*/}" grind "$option" "$sources" "$app" "$input" ;;
            esac
        done
    done
done

# One group that goes round several times: what a loop leaves to its next round. Near and far lists of sssp are longer
# than a group with so small a delta.
input=uniform:7:4
in_full 0 || input=uniform:6:4
for app in $(apps); do
    # It begins at each vertex, which takes Oclgrind seconds.
    [ "$app" != pannotia/bc ] || in_full || continue
    case $app in
        lonestar/sssp) option=--delta=1 ;;
        pannotia/bc) option=--sources=16 ;;
        pannotia/color) option=--poll-degree=0 ;;
        pannotia/mis) option='--serial-degree=1 --sweeps=3' ;;
        *) option= ;;
    esac
    # shellcheck disable=SC2086 # options are words
    check "oclgrind --data-races: $app, one group for all" \
        grind --data-races "$srcdir" "$app" $input --grid=fixed --team=1 $option
done

# Bounds that rise while neighbours read them.
check 'oclgrind --data-races: color in order of degree, where rows are shared' \
    grind --data-races "$srcdir" color rmat:5:4 --order=degree --poll-degree=0 --serial-degree=2 --grid=fixed --team=2
if in_full; then
    check '… where they are short' grind --data-races "$srcdir" color road:6 --order=degree --batch=8
    check '… where neighbours before a vertex are few' \
        grind --data-races "$srcdir" color rmat:5:4 --order=degree --serial-degree=2 --grid=fixed --team=2
fi

for app in $(apps mesh); do
    for input in mesh:6 meshgrid:3x3; do
        for option in $options; do
            sources=$srcdir
            [ "$option" = --data-races ] || sources=$folder/plain
            case $input$option in
                mesh:6--data-races | meshgrid:3x3--uninitialized)
                    [ "$option" = --data-races ] || in_full || continue
                    check "oclgrind $option: $app on $input" grind "$option" "$sources" "$app" "$input"
                    ;;
                *)
                    in_full || continue
                    check "oclgrind $option: $app on $input, a fixed grid" \
                        grind "$option" "$sources" "$app" "$input" --grid=fixed --team=2
                    ;;
            esac
        done
    done
done

# What is planted must be found.
finds() {
    part=$1
    shift
    ! grind "$@" && has "$folder/err" "$part"
}
kernels "$folder/race"
sed -i '/^STEP_DEF(decide/,/^{$/ s/^{$/{\n    FOR_EACH (w) S.status[0] = w;/' \
    "$folder/race/apps/pannotia/mis/mis.cl"
check 'a planted race is found' finds 'data race' --data-races "$folder/race" mis road:6
[ -n "$no_fill" ] || tap_done
sed -i 's/^        S.status\[v\] = degree == 0/        if (degree == 0) &/' "$folder/plain/apps/pannotia/mis/mis.cl"
check 'a planted read of nothing is found' finds 'Uninitialized' --uninitialized "$folder/plain" mis road:6
tap_done
