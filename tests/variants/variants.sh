#!/bin/sh
# Every app in every variant on PoCL with 1, 2 and 4 workers, checked, on graphs of every odd shape. The team is forced
# to the full number of workers, so that global barriers are crossed by that many workgroups.
#
# `make check` runs a sample: every app in every variant and team, every app on every input, every variant on every input,
# but an app and an input with one of the variants only; specialised, and portable of the five apps that PoCL compiles for
# four to eleven seconds, in workgroups of one work-item (group_of in tests/tap.inc); a kernel that is built in another
# way for one of the apps; and each app as users' compilers make it in one of its variants, and compiled without optimising, which
# takes half the time, in the others. With two workers `make check-long` compiles every app in every variant as users do, in
# workgroups of many work-items. All runs with a number of workers are in one process (many_runs in tests/tap.inc).
# tests/variants/sync.sh has every roll call and every barrier.
. "$srcdir/tests/tap.inc"
need_pocl

# A roll call that waits for all workers however late they wake up.
patience=4000000000

# ---- Inputs ----

# A star, a path and vertices without any edge, the first and the last among them.
awk 'BEGIN {
    print "p sp 700 597"
    for (v = 2; v <= 299; v++) print "a 300", v, v % 7 + 1
    for (v = 300; v < 599; v++) print "a", v, v + 1, 5
}' >"$folder/isolated.gr"

# Every vertex has a loop; a cycle, and chords.
awk 'BEGIN { for (v = 0; v < 300; v++) { print v, v; print v, (v + 1) % 300; print v, (v * 7) % 300 } }' >"$folder/loops.txt"

# Every arc three times, with three weights, the lightest in the middle.
awk 'BEGIN {
    print "p sp 300 1800"
    for (v = 1; v <= 300; v++) {
        w = v % 300 + 1
        for (i = 0; i < 3; i++) { print "a", v, w, 9 - 4 * (i % 2); print "a", w, v, 9 - 4 * (i % 2) }
    }
}' >"$folder/parallel.gr"

printf 'p sp 300 0\n' >"$folder/no-edges.gr"

# Rings of 3, 5, 7, … vertices.
awk 'BEGIN {
    print "%%MatrixMarket matrix coordinate pattern symmetric"
    print 399, 399, 399
    first = 1
    for (n = 3; n <= 39; n += 2) {
        print first + n - 1, first
        for (i = 1; i < n; i++) print first + i, first + i - 1
        first += n
    }
}' >"$folder/parts.mtx"

odd="$folder/isolated.gr $folder/loops.txt $folder/parallel.gr $folder/no-edges.gr $folder/parts.mtx"

# ---- One run ----

# groups: as group_of; in `make check-long` with two workers in workgroups of many.
groups() {
    if [ "$size" -ne 2 ] || ! in_full 0; then group_of "$app" "$variant"; fi
}

# one WORKERS APP VARIANT INPUT [OPTION...]: a right answer from a team of the right size, and counts that fit, judged by
# judge_all.
one() {
    size=$1 app=$2 variant=$3 input=$4
    shift 4
    case $variant in multi-kernel) form=0 ;; portable) form=1 ;; *) form=2 ;; esac
    title="$app $variant ${input##*/} with $size workers${*:+, $*}" options="$*"
    if [ $(((a + form) % 3)) -ne 2 ] && { [ "$size" -ne 2 ] || [ $# -gt 0 ] || ! in_full 0; }; then set -- "$@" --unoptimised; fi
    later "$variant" "$options" "$title" "$app" --variant="$variant" --input="$input" --team="$size" --samples=2 \
        --warmup=0 --patience=$patience "$@"
}

# judge CODE RECORD: a right answer from a team of the right size, and counts that fit.
judge() {
    launches=$(member launches "$2")
    barriers=$(member barriers "$2")
    teams=$(pick 'teams/*' <"$2" | paste -s -d , -)
    case "$variant $options" in
        multi-kernel*) right="$barriers,$teams = 0,"; [ "${launches:-0}" -ge 1 ] || right= ;;
        # This roll call cannot be made to wait for a worker that wakes up late.
        *rollcall=ticket*) right="$launches = 1"; [ "$(member team "$2")" -le "$size" ] || right= ;;
        *) right="$launches,$teams = 1,$size,$size"; [ "${barriers:-0}" -ge 1 ] || right= ;;
    esac
    echo "launches, teams or barriers: $right"
    [ -n "$right" ] && [ "${right% = *}" = "${right#* = }" ] && was_right "$@" && exercised "$2"
}

# turn N: true for every third number; for the others as in_full.
turn() {
    [ $(($1 % 3)) -eq 0 ] || in_full
}

for size in 1 2 4; do
    units=$(pocl_has compute_units $size)
    if [ "$units" != $size ]; then
        skip "$size workers" "PoCL shows $units compute units when asked for $size"
        continue
    fi
    a=0
    for app in $(apps); do
        a=$((a + 1)) v=0
        for variant in multi-kernel portable specialised; do
            v=$((v + 1)) i=0
            case $size in
                1) inputs=road:12 ;;
                2) inputs="road:20 rmat:9 uniform:9:4 grid2d:1x1 $odd" ;;
                4) inputs="rmat:8 $folder/loops.txt" ;;
            esac
            # The number of workers says little of this variant.
            [ "$variant" = multi-kernel ] && [ "$size" -ne 2 ] && inputs=rmat:8
            for input in $inputs; do
                i=$((i + 1))
                case $size$variant in
                    [14]multi-kernel) in_full || continue ;;
                    2*) turn $((a + v + i)) || continue ;;
                    4*) [ $(((a + v + i) % 2)) -eq 0 ] || in_full || continue ;;
                esac
                # shellcheck disable=SC2046 # options are words
                one "$size" "$app" "$variant" "$input" $(groups)
            done
        done
        # Steps whose workgroups stay: what each remembers of its elements is there in the next.
        case $app:$size in
            pannotia/sssp:2) one 2 "$app" multi-kernel rmat:8 --grid=fixed ;;
            *:2) if in_full; then one 2 "$app" multi-kernel rmat:8 --grid=fixed; fi ;;
        esac
        # Several sweeps in a step, which a CPU has no use for, and short rows that nobody asks through.
        if in_full; then
            case $app:$size in
                */color:2 | */mis:2)
                    one "$size" "$app" portable road:20 --sweeps=7
                    one "$size" "$app" multi-kernel uniform:9:4 --grid=fixed --workgroup=16 --sweeps=7
                    ;;
            esac
            case $app:$size in
                */color:2)
                    one "$size" "$app" specialised road:20 --poll-degree=0
                    one "$size" "$app" multi-kernel road:20 --poll-degree=0 --sparse=0
                    ;;
                */mis:2)
                one "$size" "$app" specialised rmat:9 --serial-degree=1
                one "$size" "$app" multi-kernel road:6 --grid=fixed --workgroup=16 --team=1 --serial-degree=1
                ;;
            esac
        fi
        # The other order, along long and short rows.
        case $app:$size in
            */color:2)
                one 2 "$app" portable rmat:8 --order=degree --poll-degree=0
                if in_full 2; then
                    one 2 "$app" multi-kernel rmat:9 --order=degree --poll-degree=0 --serial-degree=4
                    one 2 "$app" specialised road:20 --order=degree
                    one 2 "$app" portable uniform:9:12 --order=degree --batch=8 --sweeps=5
                    one 2 "$app" multi-kernel rmat:9:2 --order=degree --serial-degree=4
                    one 2 "$app" portable uniform:9:6 --order=degree --poll-degree=0 --serial-degree=2
                fi
                ;;
        esac
        case $app:$size in
            */color:2) if in_full; then one "$size" "$app" portable uniform:9:6 --batch=2 --sweeps=5; fi ;;
        esac
        # Edges that a group shares, which it does not do on a CPU unless it is told to.
        case $app:$size in
            lonestar/sssp:2) one 2 "$app" multi-kernel rmat:9 --serial-degree=8 ;;
            */bfs:2) if in_full; then one 2 "$app" portable road:20 --serial-degree=8; fi ;;
        esac
        # Subteams of all members from the start, and behind one that was alone.
        case $app:$size in
            */bfs:[24])
                if [ "$size" -eq 2 ] || in_full; then one "$size" "$app" portable road:20 --alone=0; fi
                if in_full; then one "$size" "$app" specialised road:40 --alone=8; fi
                ;;
        esac
        case $app:$size in
            */bfs:2 | */color:2 | */bc:2) if in_full; then one 2 "$app" multi-kernel rmat:9 --serial-degree=8; fi ;;
        esac
        case $app:$size in
            */bfs:2 | */color:2 | */bc:2 | lonestar/sssp:2)
                if in_full 2; then
                    one 2 "$app" portable rmat:9 --serial-degree=8
                    one 2 "$app" specialised uniform:9:4 --serial-degree=2
                fi
                ;;
        esac
        # Each of these is a program of its own. What is between workgroups they have in groups of one work-item, too.
        if [ "$size" -eq 2 ]; then
            if in_full 2; then
                one "$size" "$app" multi-kernel "$folder/isolated.gr" --grid=fixed --workgroup=16
                one "$size" "$app" multi-kernel road:20 --grid=fixed --workgroup=16 --team=7
            fi
            if in_full; then
                case $((a % 2)) in
                    0) one "$size" "$app" specialised road:8 --barrier=xf "$one_item" ;;
                    1) one "$size" "$app" portable road:8 --rollcall=ticket "$one_item" ;;
                esac
            fi
        fi
        [ "$size" -eq 4 ] || continue
        case $app in
            */bfs)
                if in_full 2; then
                    one "$size" "$app" portable road:8 --barrier=xf "$one_item"
                    one "$size" "$app" specialised road:8 --barrier=tree "$one_item"
                fi
                ;;
            pannotia/sssp) if in_full; then one "$size" "$app" specialised road:8 --barrier=tree "$one_item"; fi ;;
            */mis)
                if in_full 2; then
                    one "$size" "$app" portable road:8 --barrier=xf "$one_item"
                    one "$size" "$app" specialised road:8 --barrier=tree "$one_item"
                fi
                ;;
        esac
    done
    for app in $(apps mesh); do
        a=$((a + 1)) v=0
        for variant in multi-kernel portable specialised; do
            v=$((v + 1)) i=0
            case $size in
                1) inputs=mesh:60 ;;
                2) inputs="mesh:3 mesh:300 meshgrid:2x2 meshgrid:9x5" ;;
                4) inputs=mesh:30 ;;
            esac
            [ "$variant" = multi-kernel ] && [ "$size" -ne 2 ] && continue
            for input in $inputs; do
                i=$((i + 1))
                [ "$size" -ne 2 ] || turn $((v + i)) || continue
                # shellcheck disable=SC2046
                one "$size" "$app" "$variant" "$input" $(groups)
            done
            # shellcheck disable=SC2046
            [ "$size" -eq 2 ] && one "$size" "$app" "$variant" mesh:40 --room=1 $(groups)
        done
        if [ "$size" -eq 2 ] && in_full 2; then
            one "$size" "$app" multi-kernel mesh:40 --grid=fixed
            one "$size" "$app" specialised mesh:20 --barrier=xf "$one_item"
        fi
    done
    judge_all "$size"
done

# The longest row that color still asks along, from a vertex that all its neighbours come before, and one that is longer. The record
# says which of the two programs it was.
longest() {
    seq 1 "$1" | awk '{ print 0, $1; if ($1 > 1) print $1 - 1, $1 }' >"$folder/star.txt"
    ends 0 unoptimised workers 2 "$MUSTER" run color --device="$pocl" --input="$folder/star.txt" --variant=portable --team=2 \
        --samples=2 --warmup=0 --workgroup=16 --json && has "$folder/out" '"check":"passed"' "\"poll_degree\":$2,"
}
if in_full 2; then
    check 'color, a row of 32 arcs' longest 32 32
    check 'color, a row of 33 arcs' longest 33 0
fi
tap_done
