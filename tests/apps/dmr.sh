#!/bin/sh
# dmr on degenerate inputs, and where it must not go on for ever.
. "$srcdir/tests/tap.inc"
need_pocl
in_full 0 || compile_unoptimised

# mesh NAME AWK-PROGRAM: makes NAME.node and NAME.ele; the program calls point(x, y) and triangle(a, b, c), from 1.
mesh() {
    awk -v node="$folder/$1.node" -v ele="$folder/$1.ele" '
        function point(x, y) { P[++points] = sprintf("%.17g %.17g", x, y) }
        function triangle(a, b, c) { T[++triangles] = a " " b " " c }
        BEGIN {'"$2"'
            print points, 2, 0, 0 >node
            for (i = 1; i <= points; i++) print i, P[i] >node
            print triangles, 3, 0 >ele
            for (i = 1; i <= triangles; i++) print i, T[i] >ele
        }'
}

refine() {
    input=$1
    shift
    workers 2 "$MUSTER" run dmr --input="$input" --device="$pocl" --variant=multi-kernel --samples=1 --warmup=0 --json "$@"
}

# refines NAME PART...: refinement ends well, and the record has every part.
refines() {
    name=$1
    shift
    ends 0 refine "$folder/$name" && has "$folder/out" '"check":"passed"' "$@"
}

# ---- Degenerate inputs ----

# Every circumcentre is that of the polygon, and the first cavity the whole of it: far more than has a place by itself.
mesh polygon 'n = 150; for (i = 0; i < n; i++) point(cos(2 * 3.14159265358979 * i / n), sin(2 * 3.14159265358979 * i / n))
    for (i = 2; i < n; i++) triangle(1, i, i + 1)'
check 'points of a circle: a cavity of more than a hundred triangles' refines polygon
pool_grows() {
    ends 0 refine "$folder/polygon" --room=1 && cp "$folder/out" "$folder/small" &&
        [ "$(member grown "$folder/small")" -ge 2 ] && has "$folder/small" '"check":"passed"'
}
check 'room for large cavities grows too' pool_grows
mesh sliver 'point(0, 0); point(1, 0); point(0.5, 1e-12); point(1, 1); point(0, 1)
    triangle(1, 2, 3); triangle(2, 4, 3); triangle(4, 5, 3); triangle(5, 1, 3)'
check 'a sliver of height 1e-12' refines sliver
mesh thin 'point(0, 0); point(1, 0); point(0.5, 1e-12); triangle(1, 2, 3)'
check 'nothing but a sliver: its angles are those of segments' refines thin '"rounds":0'
mesh collinear 'point(0, 0); point(1e-9, 0); point(1e-6, 0); point(1e-3, 0); point(0.5, 0); point(0.75, 0); point(1, 0)
    point(0, 1); for (i = 1; i < 7; i++) triangle(i, i + 1, 8)'
check 'collinear points on the boundary' refines collinear
mesh skew 'point(0.1, 0.2); point(3.3, 0.3); point(3.1, 0.7); point(0.3, 0.9); triangle(1, 2, 3); triangle(1, 3, 4)'
check 'segments whose middles are rounded' refines skew
mesh turned 'point(0, 0); point(4, 0); point(4, 1); point(0, 1); triangle(1, 3, 2); triangle(1, 3, 4)'
check 'a clockwise triangle is turned, with a note' refines turned '"turned":1'
mesh twice 'point(0, 0); point(1, 0); point(0, 1); point(1, 0); triangle(1, 2, 3); triangle(4, 2, 3)'
check 'duplicate points are refused by name' ends 2 refine "$folder/twice"
check '… with both lines' has "$folder/err" twice.node:
takes_few_points() {
    ends 0 refine mesh:1000 && [ "$(member summary "$folder/out" | sed 's/.*"points":\([0-9]*\).*/\1/')" -lt 4400 ]
}
check 'off-centres take fewer points than circumcentres would' takes_few_points
check 'cocircular points: a grid of 12 x 12' ends 0 refine meshgrid:12x12

cross='point(0, 0); point(1, 0); point(1, 1); point(0, 1); point(0.5, 0.5); point(0.9, 0.52)
    triangle(1, 2, 5); triangle(2, 6, 5); triangle(2, 3, 6); triangle(3, 5, 6); triangle(3, 4, 5); triangle(4, 1, 5)'
mesh cross "$cross"
printf '0 2 0 0\n1 0\n1 5 6\n0\n' >"$folder/cross.poly"
check 'a segment inside is kept and split' refines cross '"segments":5'

# ---- Where there is no end ----

mesh fan 'for (i = 0; i < 6; i++) { r = 1 + 0.37 * (i % 3); x[i] = r * cos(i * 0.0175); y[i] = r * sin(i * 0.0175) }
    point(0, 0); for (i = 0; i < 6; i++) point(x[i], y[i]); for (i = 2; i < 7; i++) triangle(1, i, i + 1)'
check 'segments at angles of one degree: a limit, not a hang' ends 3 refine "$folder/fan" --deadline="$hangs_after"
check '… and its outcome says so' has "$folder/out" '"outcome":"limit"'
check '… with advice' has "$folder/err" 'smaller --min-angle'
check 'fewer degrees can be had' ends 0 refine "$folder/fan" --min-angle=20

# ---- Options ----

for angle in 0 -1 33.9 90 x 30x nan inf ''; do
    check "--min-angle=$angle is refused" ends 2 refine mesh:20 --min-angle=$angle
done
check '--min-angle is for dmr' ends 2 "$MUSTER" run mis --min-angle=20
check '--room is for dmr' ends 2 "$MUSTER" run mis --room=20
larger_angle() {
    ends 0 refine mesh:100 --min-angle=33 && has "$folder/out" '"min_angle":33.0' '"min_angle":33'
}
check '--min-angle=33' larger_angle
graph_is_refused() {
    ends 2 refine road:10 && has "$folder/err" road:10
}
check 'a graph is refused' graph_is_refused

# The mesh that is written can be read, and is refined already.
written() {
    ends 0 refine mesh:100 --output="$folder/fine" && ends 0 refine "$folder/fine" && has "$folder/out" '"rounds":0'
}
check '--output writes a mesh that needs no refinement' written
figures() {
    ends 0 refine mesh:100 && has "$folder/out" '"summary":{"min_angle":30.' '"points":' '"triangles":' '"rounds":' \
        '"conflicts":' '"bad_by_round":[' '"conflicts_by_round":['
}
check 'the record has the figures' figures
refused() {
    ends 3 "$MUSTER" run dmr --input=mesh:20 --device=llvmpipe && has "$folder/err" 'muster: '
}
if ! in_full; then
    : # tests/harness/device/refusal.sh has it
elif ! find_llvmpipe; then
    skip 'a device that is not trusted is refused: llvmpipe' "$no_llvmpipe"
elif [ "$llvmpipe_trust" != no ]; then
    skip 'a device that is not trusted is refused: llvmpipe' "this release is trusted: $llvmpipe_reason"
else
    check 'a device that is not trusted is refused: llvmpipe' refused
fi
tap_done
