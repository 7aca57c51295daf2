#!/bin/sh
# The programs of suite irgl under schedules: tests/apps/irgl.sh [FORM [PROGRAM...]]. Results are checked, on PoCL.
#
#   sample  every program once, each with another of the configurations below, all in one process, and compiled without optimising but
#           where --wg=on, since PoCL 6 cannot compile that so (an assertion of its own fails): `make check`
#   long    every program with four configurations that have every value of every optimisation, each with 1, 2 or 4 workers and
#           on one of the graphs, in turn, and compiled in the same way: `make check-long`. Those of every two programs have every
#           pair of values of every two optimisations. Workgroups have two sizes, which change places behind every two programs.
#
# tests/apps/irgl-soak.sh runs every configuration on all of them.
. "$srcdir/tests/tap.inc"
need_pocl
. "$srcdir/tests/apps/irgl.inc"
form=${1:-$([ "${MU_EXTENT:-sample}" = all ] && echo long || echo sample)}
[ $# -eq 0 ] || shift
# shellcheck disable=SC2046 # names of programs are words
[ $# -gt 0 ] || set -- $(programs)

# coop-cv, wg, sg, fg, the variant and the workgroup. Workgroups are small, so that small graphs have heavy vertices. The first six
# have every pair of the others.
pairs='off,off,off,off,portable,32  on,on,on,off,multi-kernel,16  off,off,on,1,multi-kernel,16  on,on,off,1,portable,32
       off,on,off,8,multi-kernel,16  on,off,on,8,portable,32  on,off,off,1,multi-kernel,32  off,on,on,8,portable,16'
all=$(for coop in off on; do for wg in off on; do for sg in off on; do for fg in off 1 8; do
    for variant in multi-kernel portable; do for size in 16 32; do echo $coop,$wg,$sg,$fg,$variant,$size; done; done
done; done; done; done)

# four_of NUMBER: those of the program of that number.
# shellcheck disable=SC2086 # configurations are words
four_of() {
    printf '%s\n' $pairs | if [ $(($1 % 2)) -eq 0 ]; then sed -n '1p; 2p; 3p; 5p'; else sed -n '1p; 2p; 4p; 6p'; fi |
        if [ $(($1 / 2 % 2)) -eq 0 ]; then cat; else sed 's/,16$/,-/; s/,32$/,16/; s/,-$/,32/'; fi
}

# covers COLUMNS CONFIGURATIONS: every pair of values of every two of the first columns stands in the list.
# shellcheck disable=SC2086 # configurations are words
covers() {
    printf '%s\n' $2 | cut -d , -f "-$1" >"$folder/pairs"
    printf '%s\n' $all | cut -d , -f "-$1" | awk -F , -v given="$folder/pairs" '
        BEGIN { while ((getline line < given) > 0) { n = split(line, f); for (i = 1; i < n; i++) for (j = i + 1; j <= n; j++) has[i, j, f[i], f[j]] = 1 } }
        { for (i = 1; i < NF; i++) for (j = i + 1; j <= NF; j++) if (!((i, j, $i, $j) in has)) { print "no " $i " in column " i " with " $j " in column " j; bad = 1 } }
        END { exit bad }'
}
check 'the configurations have every pair of values of every two columns' covers 6 "$pairs"
# has_values CONFIGURATIONS: every value of the first five columns.
# shellcheck disable=SC2086 # configurations are words
has_values() {
    for column in 1 2 3 4 5; do
        [ "$(printf '%s\n' $1 | cut -d , -f $column | sort -u)" = "$(printf '%s\n' $all | cut -d , -f $column | sort -u)" ] || return 1
    done
}
check 'each program has every value of every optimisation' has_values "$(four_of 0)"
check '… and so has the next' has_values "$(four_of 1)"
check 'together they have every pair of every two optimisations' covers 5 "$(four_of 0) $(four_of 1)"
check '… and with the next two every pair with the sizes of workgroups' covers 6 \
    "$(four_of 0) $(four_of 1) $(four_of 2) $(four_of 3)"

# ---- Runs ----

# options PROGRAM CONFIGURATION: those of the configuration that the program takes.
options() {
    echo "$2" | while IFS=, read -r coop wg sg fg variant size; do
        printf '%s ' "--variant=$variant --workgroup=$size"
        ! takes "$1" coop-cv || printf '%s ' "--coop-cv=$coop"
        ! takes "$1" wg || printf '%s ' "--wg=$wg --sg=$sg --fg=$fg"
    done
}

# agrees OPTION...: the record in $folder/out is of a right result, and has the options.
agrees() {
    for option in "$@"; do
        name=$(printf '%s\n' "${option%%=*}" | sed 's/^--//; s/-/_/g')
        case $name in variant | workgroup) path=$name ;; *) path=configuration/$name ;; esac
        [ "$(pick "$path" <"$folder/out")" = "${option#*=}" ] || { echo "the record does not say $option"; return 1; }
    done
    [ "$(pick outcome check <"$folder/out" | paste -s -d ' ' -)" = 'ok passed' ] && exercised "$folder/out"
}

# line WORKERS PROGRAM INPUT OPTION...: what stands behind `muster run`.
line() {
    echo "irgl/$2 --input=$3 --team=$1 --samples=2 --warmup=0 --patience=4000000000 $(shift 3 && echo "$*")"
}

# each PROGRAM CONFIGURATION WORKERS INPUT: a line that waits for many_runs.
each() {
    # shellcheck disable=SC2046 # options are words
    set -- "$3" "$1" "$4" $(options "$1" "$2")
    title="irgl/$2 ${3##*/} with $1 workers:"
    shifted=$*
    title="$title ${shifted#"$1 $2 $3 "}"
    case " $* " in
        *' --wg=on '*) line "$@" ;;
        *) line "$@" --unoptimised ;;
    esac >>"$folder/lines.$1"
    echo "$title" >>"$folder/titles.$1"
}

# judge RECORD OPTION...
judge() {
    cp "$1" "$folder/out" || { cat "$folder/err"; return 1; }
    shift
    agrees "$@" || { cat "$folder/out" "$folder/err"; return 1; }
}

number=0 shift=0
for program in "$@"; do
    if [ "$form" = sample ]; then
        # From the second on: so most programs that PoCL compiles for long are multi-kernel.
        # shellcheck disable=SC2086 # configurations are words
        configuration=$(printf '%s\n' $pairs | sed -n "$(((number + 1) % 8 + 1))p")
        each "$program" "$configuration" 2 "$folder/odd.gr"
        number=$((number + 1))
        continue
    fi
    seen=
    for configuration in $(four_of $shift); do
        # A program that lacks options has fewer configurations.
        key=$(options "$program" "$configuration" | tr ' ' +)
        case " $seen " in *" $key "*) continue ;; esac
        seen="$seen $key"
        # shellcheck disable=SC2086 # names of graphs are words
        each "$program" "$configuration" "$((1 << (number + shift) % 3))" "$(printf '%s\n' $inputs | sed -n "$(((number + shift) % 8 + 1))p")"
        number=$((number + 1))
    done
    shift=$((shift + 1))
done

for size in 1 2 4; do
    [ -f "$folder/lines.$size" ] || continue
    : >"$folder/err"
    many_runs "$size" "$folder/lines.$size"
    judged=0
    while read -r title; do
        judged=$((judged + 1))
        # shellcheck disable=SC2086 # options are words
        check "$title" judge "$folder/record.$judged" ${title#*: }
    done <"$folder/titles.$size"
done

# From an end of a path, each level has one vertex; from the middle of a row of three, the second has two.
lists() {
    ends 0 "$MUSTER" run irgl/bfs-wl --input="$1" --source="$2" --device="$pocl" --variant=multi-kernel --samples=1 --warmup=0 \
        --json && [ "$(pick worklist_mean <"$folder/out")" = "$3" ]
}
if in_full 2; then
    check 'the mean length of lists that the host was told of' lists grid2d:9x1 0 1.0
    check '… which may be broken' lists grid2d:3x1 1 1.5
fi

refuses() {
    ends 3 "$MUSTER" run irgl/bfs-wl --input=road:8 --device="$pocl" --subgroups="$1" && has "$folder/err" "--subgroups=$1"
}
check 'subgroups that the device has not are refused' refuses ptx
check 'subgroups of size 1 can be asked for' ends 0 "$MUSTER" run irgl/bfs-wl --input=road:8 --device="$pocl" --subgroups=none \
    --variant=multi-kernel --workgroup=16 --samples=1
tap_done
