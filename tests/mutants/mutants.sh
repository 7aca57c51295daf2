#!/bin/sh
# The mutation suite: errors are planted in the kernel sources, one at a time, and the smallest test that must catch
# each is run. A mutant that nothing catches is a failing test.
#
#   mutants.sh                 the mutants that are marked `sampled` or `quick`, for `make check-long`; those marked `quick`, one
#                              for each kind of killer that takes a second or two, for `make check`
#   mutants.sh all             every one: `make check-mutants`
#   mutants.sh NAME...         those, or those of the files tests/mutants/NAME.mutants
#
# MUTANT_JOBS=N tries N of them at a time (by default 1). MUTANT_DEVICE=NAME has the runs of apps on that device, with teams of
# as many workgroups, and leaves out what else needs PoCL.
#
# MUTANT_RESULTS=FILE keeps each verdict there as it is told, and ends with a report of all mutants: those that have no verdict
# with the sources as they are now are counted as not tried. `all` then leaves out those that have a good one, so that a run
# that was stopped goes on. MUTANT_SHARD=I/N tries the I-th of N parts of what was asked for. Shards may run one after another
# or at a time, with one file of results.
#
# tests/mutants/*.mutants hold them. A mutant is
#
#   mutant NAME [sampled|quick]
#   of FILE                    the source: of a kernel, or of the host's part, which only the killer `unit` knows
#   does WHAT                  what is wrong with it
#   killed by KILLER
#   -line                      lines that are replaced, between lines that stay (' '), and what they become ('+'): they are
#   +line                      found by their text (apply.awk); several such places have a line `@@` between them
#
# and KILLER is one of
#
#   run APP OPTION...          a run on PoCL with 2 workers must not end well any more; @NAME is an input that this
#                              script makes
#   run4 APP OPTION...         the same with 4 workers
#   own APP OPTION...          the same, with 2, of an app of tests/apps/own
#   study EXPERIMENT           of the persistent-threads study in its small form, on PoCL with 2 workers, a point of that
#                              experiment must not end well any more
#   stealing EXPERIMENT        the same of the work-stealing apps
#   limit APP OPTION...        such a run must not say any more that it came to a limit
#   library PROGRAM ARG...     tests/variants/library/PROGRAM.c, which has the library's header made of the sources, must fail on PoCL
#   races APP OPTION...        such a run, of multi-kernel with a fixed grid, must show Oclgrind a data race
#   team APP OPTION...         such a run must not find its team of both workers any more, though its result may be right
#   device TEST                tests/variants/test_TEST, which gives the sources to PoCL, must fail
#   text TEST                  tests/variants/test_TEST, which reads the sources as texts, must fail
#   host TEST                  test_TEST.c of any room, with the sources compiled for the host, must fail
#   tsan TEST                  the same under the thread sanitizer
#   unit ROOM/TEST             tests/ROOM/test_TEST, linked with the source in the place of the one in the library, must fail
#   every TEST                 the same in every interleaving, or every execution, of small teams: TEST is interleavings or
#                              axioms
#   nothing, REASON            it cannot be seen, and that is why
#
# Each killer is run on the kernels as they are, too, and must pass there. Of tests that have a sample it is the sample.
. "$srcdir/tests/tap.inc"
. "$srcdir/tests/apps/graphs.inc"
mutants=$srcdir/tests/mutants
shared=$folder
device=${MUTANT_DEVICE:-$pocl}
with_device=no with_pocl=no spins=200000000
if [ "$device" != "$pocl" ]; then
    with_device=yes spins=2000000 # a poll of a GPU takes longer
elif find_pocl && [ "$(pocl_has compute_units 2)" = 2 ]; then
    with_device=yes with_pocl=yes
fi
if [ $# -gt 0 ]; then
    # How long a mutant may take follows from how long the kernels as they are took, with their compilation: none is known
    # from before. The sample saves that time.
    XDG_CACHE_HOME=$shared/cache POCL_CACHE_DIR=$shared/cache/pocl
    export XDG_CACHE_HOME POCL_CACHE_DIR
    mkdir -p "$POCL_CACHE_DIR"
else
    compile_unoptimised
fi
planted=
with_tsan=no
if echo 'int main(void) { return 0; }' >"$folder/tsan.c" && ${CC:-cc} -fsanitize=thread -o "$folder/tsan" "$folder/tsan.c" &&
    "$folder/tsan"; then
    with_tsan=yes
fi 2>"$folder/tsan.log"
kernels "$shared/kernels"
cp -R "$srcdir/tests/apps/own" "$shared/kernels/apps/own" && chmod -R u+w "$shared/kernels/apps/own"

# Inputs that no generator makes.
diamonds >"$folder/diamonds"
stars >"$folder/stars"
# A vertex with as many arcs as there are vertices, behind a path that comes after nearly all arcs.
awk 'BEGIN { print "# late"
    for (i = 0; i < 300; i++) for (k = 0; k < 300; k++) if (i != k) print i, k
    for (i = 300; i < 4300; i++) { tail = i == 300 ? 0 : i > 302 ? 302 : i - 1; print tail, i; print i, tail } }' >"$folder/late"
# A path whose arcs are there twice: whoever looks at both before one is followed must not list its head twice.
awk 'BEGIN { print "# twins"; for (i = 0; i < 100; i++) for (twice = 0; twice < 2; twice++) {
    print i, i + 1; print i + 1, i } }' >"$folder/twins"
# A directed fan: many vertices, of which a search from 3000 reaches the last hundred, lead to one, and that to the first.
awk 'BEGIN { print "# fan"
    for (i = 0; i < 3000; i++) print i, 3001
    for (i = 2900; i < 3000; i++) { print 3000, i; print 3001, i - 2900 } }' >"$folder/fan"

# A mesh of a square with a segment inside, from its fifth to its sixth point, which has to be split.
printf '6 2 0 0\n1 0 0\n2 1 0\n3 1 1\n4 0 1\n5 0.5 0.5\n6 0.9 0.52\n' >"$folder/cross.node"
printf '6 3 0\n1 1 2 5\n2 2 6 5\n3 2 3 6\n4 3 5 6\n5 3 4 5\n6 4 1 5\n' >"$folder/cross.ele"
printf '0 2 0 0\n1 0\n1 5 6\n0\n' >"$folder/cross.poly"

. "$srcdir/tests/mutants/select.inc"
. "$srcdir/tests/mutants/killers.inc"

# ---- Several at a time ----

# to_try FUNCTION FILE: calls FUNCTION for each line of the file that nobody else has taken, with what it prints in a file of
# told/, whose name is printed when it is complete. A line has: what is known of the killer, which is nothing or what
# try_usual told; a number; and the fields of list().
to_try() {
    while IFS='	' read -r took number file name _ source killer _; do
        mkdir "$shared/taken/$1-$number" 2>/dev/null || continue
        "$1" >"$folder/told" && mv "$folder/told" "$shared/told/$1-$number" && echo "$1-$number"
    done <"$2"
}

# ready: the mutants whose killer has been tried on the kernels as they are, those first whose killers took longest, so that all
# hands end at about the same time.
ready() {
    cat "$shared"/told/try_usual-* 2>"$folder/err" |
        awk -F '\t' -v OFS='\t' 'FILENAME == "-" { took[$2] = $1; next } $7 in took { $1 = took[$7]; print }' - "$shared/mutants" |
        sort -r -n
}

# hand: tries killers while there are any that nobody has taken, and then mutants till all are taken.
hand() {
    to_try try_usual "$shared/killers"
    more_seconds=$((2 * hangs_after)) # in which another hand may still try a killer
    while [ $more_seconds -gt 0 ]; do
        ready >"$folder/ready"
        to_try judge "$folder/ready"
        [ "$(wc -l <"$folder/ready")" -lt "$(wc -l <"$shared/mutants")" ] || break
        sleep 1
        more_seconds=$((more_seconds - 1))
    done
}

# together: the same by $MUTANT_JOBS at once, each with a folder and kernel sources of its own.
together() {
    hand=0
    while [ $hand -lt "${MUTANT_JOBS:-1}" ]; do
        hand=$((hand + 1))
        (
            folder=$shared/hand-$hand kernels=$shared/hand-$hand/kernels
            mkdir "$folder" && cp -R "$shared/kernels" "$kernels" && : >"$folder/err" || exit
            hand
        ) &
    done
    wait
}

# numbered: gives each line of a list a number, behind its first field.
numbered() {
    awk -F '\t' -v OFS='\t' '{ $1 = $1 "\t" NR; print }'
}

# how_it_failed FILE: what the killer that failed has told, with its first check that failed on the first line.
how_it_failed() {
    { grep '^not ok' "$folder/record"; head -q -n 30 "$folder/err" "$folder/record"; } >"$1" 2>/dev/null
}

# try_again KILLER: for threads that race it is a matter of chance what they meet. Where the machine let one of them wait for long,
# the test has a second try; the first is told at the end.
try_again() {
    case $1 in
        'tsan '* | 'host '*) try "$1" ;;
        *) return 1 ;;
    esac
}

# try_usual: the killer on the kernels as they are. It tells the time in seconds, in which PoCL compiled them; or a file, which
# says how it failed; or why it cannot be run here.
try_usual() {
    patience=$hangs_after hasty=
    began=$(date +%s)
    case $killer in
        nothing*) took=0 ;;
        *)
            if ! can_run "$killer"; then
                took=$missing
            elif try "$killer" || { how_it_failed "$shared/failed-$number"; try_again "$killer"; }; then
                took=$(($(date +%s) - began))
            else
                took=$shared/failed-$number-again
                how_it_failed "$took"
            fi
            ;;
    esac
    printf '%s\t%s\n' "$took" "$killer"
}

# judge: one mutant.
judge() {
    case $took in
        /*) fail "$name: its killer must pass on the kernels as they are: $killer: $(head -n 1 "$took")" "$took" && return ;;
        *[!0-9]*) skip "$name" "$took" && return ;;
    esac
    if ! awk -v mutant="$name" -f "$mutants/apply.awk" "$file" "$srcdir/$source" >"$folder/planted" 2>"$folder/err"; then
        fail "$name does not apply to $source any more" "$folder/err"
        return
    fi
    [ "$killer" = "${killer#nothing, }" ] || { pass "$name still applies (nothing kills it: ${killer#nothing, })"; return; }
    case $killer in
        'unit '*) cp "$folder/planted" "$folder/planted.c" && planted=$folder/planted.c ;;
        *) cp "$folder/planted" "$kernels/$source" ;;
    esac
    patience=$((12 + 3 * took)) hasty=-DSPIN_LIMIT=0x20000u # a mutant is compiled in that time, too
    try "$killer"
    code=$?
    if [ "$code $seen" = '1 deadline' ] && ! in_time; then
        patience=$hangs_after
        try "$killer"
        code=$?
    fi
    [ -n "$planted" ] || cp "$shared/kernels/$source" "$kernels/$source"
    planted=
    case $code in
        1) pass "$name: $seen, by $killer" ;;
        0) fail "$name survives $killer" ;;
        *) fail "$name: $killer ended in another way: $seen" "$folder/err" "$folder/record" ;;
    esac
}

# ---- All of them ----

now=
if [ -n "$results" ]; then
    now=$(sources_now) && mkdir -p "$(dirname "$results")" && : >>"$results" || exit 99
fi
wanted "$@" | shard >"$folder/wanted"
if [ $# -eq 0 ] && ! in_full "$(awk -F '\t' '$3 != "quick"' "$folder/wanted" | wc -l)"; then
    awk -F '\t' '$3 == "quick"' "$folder/wanted" >"$folder/quick" && mv "$folder/quick" "$folder/wanted"
fi
check 'there are mutants' [ -s "$folder/wanted" ]
check 'shards are everything together, each mutant in one of them' shards_are_all
check 'what has a good verdict, and is as it was, is not tried again' goes_on
check 'each kernel source has six of them, or a reason why it has fewer' six_of_each
check 'each applies to its source' all_apply
check 'each that ended in a crash or at a deadline in the last run of all has a reason why' reasoned "$mutants/verdicts.tsv" \
    "$mutants/endings.tsv"
check '… and one that is missing is told' reason_missed
[ -s "$folder/wanted" ] || tap_done
if [ -n "$results" ] && [ "$*" = all ]; then
    not_known <"$folder/wanted" >"$folder/left" && mv "$folder/left" "$folder/wanted"
fi
mkdir "$shared/taken" "$shared/told"

# A line's first field is what is known of its killer.
awk -F '\t' '!seen[$5]++ { print "?\t" $0 }' "$folder/wanted" | numbered >"$folder/killers"
awk '{ print "?\t" $0 }' "$folder/wanted" | numbered >"$folder/mutants"
together | while read -r told; do
    [ "$told" != "${told#judge-}" ] || continue
    tap_count=$((tap_count + 1))
    sed "1s/ok [0-9]* - /ok $tap_count - /" "$shared/told/$told"
    keep "$shared/told/$told"
done
cat "$shared"/told/judge-* >"$folder/judged" 2>"$folder/err"
judged=$(grep -c -E '^(not )?ok ' "$folder/judged")
tap_count=$((tap_count + judged))
tap_failures=$((tap_failures + $(grep -c '^not ok ' "$folder/judged")))
check 'each was tried' [ "$judged" -eq "$(awk 'END { print NR }' "$folder/wanted")" ]
for first in "$shared"/failed-*; do
    [ -f "$first" ] && echo "# a killer failed on the kernels as they are: $(head -n 1 "$first")"
done
if [ -n "$results" ]; then report; else awk -f "$mutants/summary.awk" "$folder/judged"; fi | sed 's/^/# /'
tap_done
