#!/bin/sh
# The kernels as OpenCL C 1.2 and as the newest that PoCL compiles, and each atomics path that it has, run and checked.
# What PoCL lacks (OpenCL C 2.0, inline PTX) tests/variants/test_sources compiles, which also compiles each app by each standard. So here
# an app runs in two of three ways, each way with five apps; the fourth, C11 atomics by the newest standard, is what all other
# tests run, and is asked for by name once. In `make check` each way runs with one of the apps on graphs.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised

# runs TITLE APP STANDARD PATH [OPTION...]: a right answer by what was asked for.
runs() {
    title=$1 app=$2 standard=$3 path=$4
    shift 4
    judged 2 '' "$standard $path" "$title" "$app" --cl-std="$standard" --atomics="$path" --input=rmat:7 --team=2 --warmup=0 \
        --samples=1 "$@"
}

# judge CODE RECORD: a right answer by the standard and the path that $options says.
judge() {
    was_right "$@" && [ "$(member c_standard "$2") $(member atomics "$2")" = "$options" ] && exercised "$2"
}

available=$(pocl_has atomics_available)
newest=$(pocl_has c_standard)
# is_sampled WAY: whether the app at hand runs in this way in `make check`.
is_sampled() {
    case $app,$1 in
        */mis,portable | */mis,atomics | pannotia/sssp,specialised | */mis,multi-kernel) return 0 ;;
        *,multi-kernel) way=0 ;;
        *,portable) way=1 ;;
        *,specialised) way=2 ;;
        *) return 1 ;;
    esac
    [ $((a % 3)) -ne $way ] && in_full
}
a=0
for app in $(apps); do
    a=$((a + 1))
    if is_sampled multi-kernel; then
        runs "$app as CL1.2, fences, multi-kernel" "$app" CL1.2 fences --variant=multi-kernel
    fi
    if is_sampled portable; then
        runs "$app as CL1.2, fences, portable" "$app" CL1.2 fences --rollcall=ticket
    fi
    if is_sampled specialised; then
        runs "$app as $newest, fences, specialised" "$app" "$newest" fences --variant=specialised
    fi
    is_sampled atomics || continue
    case $available in
        *c11*) runs "$app as $newest, c11, specialised" "$app" "$newest" c11 --variant=specialised ;;
        *) skip "$app as $newest, c11" 'the device has no such atomics' ;;
    esac
done

for app in $(apps mesh); do
    if in_full 2; then
        runs "$app as CL1.2, fences, multi-kernel" "$app" CL1.2 fences --variant=multi-kernel --input=mesh:40
        runs "$app as CL1.2, fences, portable" "$app" CL1.2 fences --rollcall=ticket --input=mesh:40 "$one_item"
    fi
done

judge_all 2

one_two_means_fences() {
    ends 0 "$MUSTER" run mis --variant=multi-kernel --cl-std=CL1.2 --device="$pocl" --input=road:4 --samples=1 --json &&
        has "$folder/out" '"atomics":"fences"'
}
check 'CL1.2 alone means fences' one_two_means_fences
check 'C11 atomics as CL1.2 do not build' ends 3 "$MUSTER" run mis --cl-std=CL1.2 --atomics=c11 --device=$pocl \
    --input=road:4 --samples=1
tap_done
