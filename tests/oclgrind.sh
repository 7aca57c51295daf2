#!/bin/sh
# The steps of every app under Oclgrind, which finds data races and reads of what nobody has written. Multi-kernel only:
# Oclgrind knows no ordering between the workgroups of one launch.
. "$srcdir/tests/tap.inc"
[ -n "${OCLGRIND:-}" ] || skip_all 'there is no Oclgrind (Debian package oclgrind)'
case $OCLGRIND in
    /*) ;;
    *) command -v "$OCLGRIND" >/dev/null || skip_all "there is no $OCLGRIND" ;;
esac

# Oclgrind's options are not part of a cached program's key.
XDG_CACHE_HOME=$folder/cache
export XDG_CACHE_HOME
# The verdict of the self-test, which has races on purpose, is in the cache from here on.
"$OCLGRIND" "$MUSTER" devices >"$folder/devices" 2>&1
if ! grep -q 'platform *Oclgrind' "$folder/devices"; then
    cat "$folder/devices"
    skip_all "$OCLGRIND does not show its device"
fi

printf '0 0\n0 1\n1 1\n1 2\n2 0\n2 2\n3 3\n4 5\n5 4\n4 5\n0 1\n' >"$folder/loops.txt"
printf 'p sp 40 6\na 3 7 2\na 7 3 2\na 3 7 1\na 7 40 5\na 40 7 5\na 1 3 4\n' >"$folder/isolated.gr"

# grind OPTION KERNELS APP INPUT: the run must end well, on Oclgrind, and say nothing. Unoptimised, since optimised
# kernels hold intrinsics that Oclgrind does not know.
grind() {
    "$OCLGRIND" "$1" --build-options -cl-opt-disable \
        sh -c 'LD_PRELOAD=$0${LD_PRELOAD:+:$LD_PRELOAD} exec "$MUSTER" "$@"' "$no_fill" \
        run "$3" --variant=multi-kernel --device=oclgrind --input="$4" --workgroup=16 --samples=1 --warmup=0 --json \
        --kernel-dir="$2" >"$folder/out" 2>"$folder/err" &&
        has "$folder/out" '"chip":"oclgrind-' '"check":"passed"' && [ ! -s "$folder/err" ] && return 0
    head -n 30 "$folder/err" "$folder/out"
    return 1
}

# For --uninitialized a relaxed store is a plain one: Oclgrind takes an exchange with a word for a use of the word.
kernels "$folder/plain"
atomics=$folder/plain/variants/atomics_fences.clh
sed -i 's/^    atomic_xchg((volatile __global uint \*)p, value);$/    *(volatile __global uint *)p = value;/' "$atomics"
check 'the plain stores are in place' sh -c '! grep -v "^ \*" "$0" | grep atomic_xchg' "$atomics"

no_fill=$folder/no_fill.so
options='--data-races --uninitialized'
if ! ${CC:-cc} -shared -fPIC -o "$no_fill" "$srcdir/tests/data/no_fill.c" 2>"$folder/cc.log"; then
    no_fill=
    options=--data-races
    skip 'nothing uninitialised' 'there is no C compiler'
fi

for app in $(apps); do
    for input in road:6 rmat:5:4 "$folder/loops.txt" "$folder/isolated.gr"; do
        for option in $options; do
            sources=$srcdir
            [ $option = --data-races ] || sources=$folder/plain
            check "oclgrind $option: $app on ${input##*/}" grind $option "$sources" "$app" "$input"
        done
    done
done

for app in $(apps mesh); do
    for input in mesh:6 meshgrid:3x3; do
        for option in $options; do
            sources=$srcdir
            [ $option = --data-races ] || sources=$folder/plain
            check "oclgrind $option: $app on $input" grind $option "$sources" "$app" "$input"
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
sed -i 's/^    if (T.first == 0 && round == 1) S.undecided\[0\] = 0;$/&\n    FOR_EACH (w) S.undecided[0] = w;/' \
    "$folder/race/apps/pannotia/mis/mis.cl"
check 'a planted race is found' finds 'data race' --data-races "$folder/race" mis road:6
[ -n "$no_fill" ] || tap_done
sed -i 's/ || round == 1) mu_store_relaxed/) mu_store_relaxed/' "$folder/plain/apps/pannotia/mis/mis.cl"
check 'a planted read of nothing is found' finds 'Uninitialized' --uninitialized "$folder/plain" mis road:6
tap_done
