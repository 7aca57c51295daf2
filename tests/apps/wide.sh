#!/bin/sh
# Row offsets of 64 bits, which graphs of more than 2^31 arcs have: the results are right, in a program that takes them for
# small graphs (tests/wide_offsets.c). And graphs of so many vertices that apps deal them in blocks, as a program takes some of a few
# thousand for (tests/many_vertices.c). In `make check` one app.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised

# is_right APP VARIANT OPTION...: a right result on two workers, and kernels that have wide offsets.
is_right() {
    wide_app=$1 wide_variant=$2
    shift 2
    workers 2 "${MUSTER%/*}/tests/wide_offsets" run "$wide_app" --device="$pocl" --variant="$wide_variant" --input=rmat:8 \
        --samples=1 --warmup=0 --deadline="$hangs_after" --json "$@" >"$folder/record" 2>"$folder/err"
    was_right $? "$folder/record" && grep -q 'DMU_WIDE_OFFSETS' "$folder/record"
}

# Each app in one of the two variants, by turns: its steps are the same text in both, and have the offsets.
variant=multi-kernel
for app in lonestar/sssp lonestar/bfs lonestar/mst pannotia/bc pannotia/color pannotia/mis pannotia/sssp; do
    # shellcheck disable=SC2046 # options are words
    if [ $app = lonestar/sssp ] || in_full; then check "$app $variant: offsets of 64 bits" is_right $app $variant $(group_of $app $variant); fi
    if [ $variant = portable ]; then variant=multi-kernel; else variant=portable; fi
done

# The largest graphs of short rows, whose vertices color and mis deal in blocks, as groups of one work-item and of many.
dealt() {
    dealt_app=$1
    shift
    workers 2 "${MUSTER%/*}/tests/many_vertices" run "$dealt_app" --device="$pocl" --input=grid2d:100 --samples=2 --warmup=0 \
        --deadline="$hangs_after" --json "$@" >"$folder/record" 2>"$folder/err"
    was_right $? "$folder/record" && grep -q '_DEALS=1' "$folder/record"
}
for app in pannotia/color pannotia/mis; do
    in_full 2 || continue
    check "$app: vertices that are dealt in blocks" dealt $app --variant=portable --workgroup=1
    check "$app multi-kernel: vertices that are dealt in blocks" dealt $app --variant=multi-kernel --grid=fixed --workgroup=32
done
for app in lonestar/sssp lonestar/bfs; do
    in_full || continue
    check "$app multi-kernel: offsets of 64 bits, and rows that a group shares" is_right $app multi-kernel --serial-degree=8
done
tap_done
