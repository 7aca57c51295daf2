#!/bin/sh
# build-aux/test-summary on logs made by hand: every skip is told, and a share of the app forms below the whole is a failure.
. "$srcdir/tests/tap.inc"

summary() {
    sh "$srcdir/build-aux/test-summary" "$MUSTER" "$JSON_PICK" "$@"
}

all_apps=$(apps; apps mesh)
programs=$("$MUSTER" list --json | pick 'apps/*/name' | grep '^irgl/')
count=$(echo "$all_apps" | wc -l)
forms=$((3 * count))

# What tests/variants/variants.sh writes where all goes well.
whole() {
    echo 'ok 1 - something'
    for app in $all_apps; do
        echo "# exercised: $app multi-kernel 0 chip-2"
        for variant in portable specialised; do
            for team in 1 2 4; do echo "# exercised: $app $variant $team chip-$team"; done
        done
    done
    echo '# exercised: pannotia/sssp cooperative 4 chip-2'
    for program in $programs; do echo "# exercised: $program portable 2 chip-2"; done
    echo 1..1
}
mkdir "$folder/tests"
log=$folder/tests/variants.log
printf 'ok 1 - a\nok 2 - b # SKIP there is no c\nok 3 # SKIP nothing\nok 4 - d # SKIP there is no c\n1..4\n' >"$folder/tests/other.log"
printf '1..0 # SKIP there is no PoCL\n' >"$folder/tests/none.log"

whole >"$log"
check 'all app forms' ends 0 summary "$log"
check '… are counted' has "$folder/out" \
    "exercised: $forms of $forms app forms ($count apps x 3 variants), teams of 1, 2, 4, on chip-2, chip-1, chip-4"
check '… and those that were resized' has "$folder/out" "exercised: 1 of $count apps as cooperative"
check '… and the programs of suite irgl' has "$folder/out" \
    "exercised: $(echo "$programs" | wc -l) of $(echo "$programs" | wc -l) programs of suite irgl"
check '… and nothing is missing' sh -c '! grep -e "not exercised" -e skipped "$0"' "$folder/out"
check 'skips do not count against them' ends 0 summary "$folder/tests/other.log" "$log" "$folder/tests/none.log"
check '… and are told' has "$folder/out" "skipped: $folder/tests/other: b and 1 more: there is no c" \
    "skipped: $folder/tests/other: : nothing" "skipped: $folder/tests/none: all of it: there is no PoCL"

# misses WHOLE LINE: the summary fails, with so many app forms and that line.
misses() {
    ends 1 summary "$log" && has "$folder/out" "exercised: $1 of $forms app forms" "$2" \
        "*** The tests above do not show that muster works here: $((forms - $1)) of $forms"
}
whole | grep -v 'bfs portable 4' >"$log"
check 'a team is missing' misses $((forms - 1)) 'not exercised: lonestar/bfs portable, team of 4: no test ran it'
whole | grep -v 'irgl/cc ' >"$log"
check 'a program of suite irgl is missing' ends 1 summary "$log"
check '… and named' has "$folder/out" 'not exercised: irgl/cc'
{
    whole | grep -v 'pannotia/mis multi-kernel'
    echo 'not ok 2 - pannotia/mis multi-kernel road:20 with 2 workers'
} >"$log"
check 'a variant failed' misses $((forms - 1)) 'not exercised: pannotia/mis multi-kernel: it failed'
{
    whole | grep -v ' [24] chip-[24]$'
    echo 'ok 2 - 2 workers # SKIP PoCL shows 1 compute units when asked for 2'
} >"$log"
check 'no team of 2 or 4' misses "$count" \
    'lonestar/dmr specialised, team of 2, 4: PoCL shows 1 compute units when asked for 2'
printf '1..0 # SKIP there is no PoCL\n' >"$log"
check 'no driver' misses 0 'not exercised: pannotia/color portable: there is no PoCL'
rm "$log"
check 'no log' misses 0 'not exercised: pannotia/color portable: no test ran it'
check 'other tests alone' ends 0 summary "$folder/tests/other.log"
check '… are not counted' has "$folder/out" 'exercised: not counted'
printf 'ok 1 - a\n1..1\n# left out: 12\n' >"$folder/tests/a.log"
printf '# left out: 3\nok 1 - b\n1..1\n' >"$folder/tests/b.log"
check 'tests that ran a sample' ends 0 summary "$folder/tests/a.log" "$folder/tests/b.log" "$folder/tests/other.log"
check '… are told with what they left out' has "$folder/out" \
    "not run here: 12 of $folder/tests/a, 3 of $folder/tests/b; run by make check-long"
# Whoever leaves checks out of `make check` or does not optimise there is in the list of those that `make check-long` runs.
sampled_are_listed() {
    (cd "$srcdir" && {
        grep -l -E '(^|[^#]*[ !])in_full( |;|$)|MU_EXTENT:-' --include='*.sh' -r tests | grep -v -x -e tests/build/summary.sh
        grep -l -E '^[^/]*tap_in_full\(' --include='test_*.c' -r tests | sed 's/\.c$//'
    } | sort) >"$folder/sampled"
    sed -s -n '/^SAMPLED_TESTS += /,/[^\\]$/p' "$srcdir"/tests/*/tests.am | grep -o 'tests/[a-z_./-]*' | sort >"$folder/listed"
    [ -s "$folder/listed" ] && diff "$folder/sampled" "$folder/listed"
}
check 'make check-long runs the whole of each sampled test' sampled_are_listed
samples() {
    MU_EXTENT=$1 sh -c '. "$srcdir/tests/tap.inc"; in_full && echo is whole; in_full 4; true' >"$folder/out"
}
check 'a sample leaves checks out, and says how many' samples sample
check '… as many' grep -q -x '# left out: 5' "$folder/out"
check 'the whole leaves out none' samples all
check '… and runs them' sh -c 'grep -q -x "is whole" "$0" && ! grep "left out" "$0"' "$folder/out"
check 'no muster' sh -c '! sh "$1/build-aux/test-summary" /nonexistent "$0" x.log' "$JSON_PICK" "$srcdir"
tap_done
