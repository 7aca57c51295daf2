#!/bin/sh
# The kernels as OpenCL C 1.2 and as the newest that PoCL compiles, and each atomics path that it has, run and checked.
# What PoCL lacks (OpenCL C 2.0, inline PTX) tests/test_sources compiles. In `make check` each way that is a program of its own
# runs with one of the apps on graphs.
. "$srcdir/tests/tap.inc"
need_pocl

# runs APP STANDARD PATH [OPTION...]: a right answer by what was asked for.
runs() {
    app=$1 standard=$2 path=$3
    shift 3
    ends 0 workers 2 "$MUSTER" run "$app" --cl-std="$standard" --atomics="$path" --device="$pocl" --input=rmat:7 \
        --team=2 --warmup=0 --samples=1 --json "$@" &&
        has "$folder/out" "\"c_standard\":\"$standard\"" "\"atomics\":\"$path\"" '"check":"passed"' &&
        exercised "$folder/out"
}

available=$(pocl_has atomics_available)
newest=$(pocl_has c_standard)
# is_sampled WAY: whether the app at hand runs in this way in `make check`.
is_sampled() {
    case $app,$1 in
        */mis,portable | */mis,atomics | pannotia/sssp,specialised | */mis,multi-kernel) ;;
        *) in_full ;;
    esac
}
for app in $(apps); do
    if is_sampled multi-kernel; then
        check "$app as CL1.2, fences, multi-kernel" runs "$app" CL1.2 fences --variant=multi-kernel
    fi
    if is_sampled portable; then
        check "$app as CL1.2, fences, portable" runs "$app" CL1.2 fences --rollcall=ticket
    fi
    if is_sampled specialised; then
        check "$app as $newest, fences, specialised" runs "$app" "$newest" fences --variant=specialised
    fi
    is_sampled atomics || continue
    case $available in
        *c11*) check "$app as $newest, c11, specialised" runs "$app" "$newest" c11 --variant=specialised ;;
        *) skip "$app as $newest, c11" 'the device has no such atomics' ;;
    esac
done

for app in $(apps mesh); do
    if in_full 2; then
        check "$app as CL1.2, fences, multi-kernel" runs "$app" CL1.2 fences --variant=multi-kernel --input=mesh:40
        check "$app as CL1.2, fences, portable" runs "$app" CL1.2 fences --rollcall=ticket --input=mesh:40
    fi
done

one_two_means_fences() {
    ends 0 "$MUSTER" run mis --variant=multi-kernel --cl-std=CL1.2 --device="$pocl" --input=road:4 --samples=1 --json &&
        has "$folder/out" '"atomics":"fences"'
}
check 'CL1.2 alone means fences' one_two_means_fences
check 'C11 atomics as CL1.2 do not build' ends 3 "$MUSTER" run mis --cl-std=CL1.2 --atomics=c11 --device=$pocl \
    --input=road:4 --samples=1
tap_done
