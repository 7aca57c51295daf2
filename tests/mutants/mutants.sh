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

# Inputs that no generator makes: a chain of diamonds has two to the power of their number shortest paths.
awk 'BEGIN { n = 2200; print "# diamonds"
    for (i = 0; i < n; i++) { a = 3 * i
        for (side = 1; side <= 2; side++) {
            print a, a + side; print a + side, a; print a + side, a + 3; print a + 3, a + side } } }' \
    >"$folder/diamonds"
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

# ---- Which mutants ----

# list: one line for each mutant: file, name, "sampled", "quick" or "-", source, killer, a checksum of what the file says of
# it; tabs between them.
list() {
    for file in "$mutants"/*.mutants; do
        awk -v file="$file" '
            BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i }
            function put() { if (name != "") printf "%s\t%s\t%s\t%s\t%s\t%.0f\n", file, name, mark, source, killer, sum }
            $1 == "mutant" { put(); name = $2; mark = $3 == "" ? "-" : $3; source = killer = "?"; sum = 0 }
            $1 == "of" { source = $2 }
            /^killed by / { killer = substr($0, 11) }
            { for (i = 1; i <= length($0); i++) sum = (33 * sum + code[substr($0, i, 1)]) % 4294967291 }
            END { put() }' "$file"
    done
}

# wanted NAME...: the mutants that were asked for.
wanted() {
    case ${1:-} in
        '') list | awk -F '\t' '$3 != "-"' ;;
        all) list ;;
        *) for name in "$@"; do list | awk -F '\t' -v name="$name" '$2 == name || index($1, "/" name ".mutants")'; done ;;
    esac
}

# ---- What is known from before, and shards ----

results=${MUTANT_RESULTS:-}

# sources_now: a checksum of the sources: of kernels, of the program and of the tests, without what `make` writes. So it is the
# same on all machines, and in all commits that have the same sources.
sources_now() {
    (cd "$srcdir" && find apps base harness inputs records statistics variants tests \( -path tests/own -o -path tests/cache \) -prune -o \
        \( -name '*.[ch]' -o -name '*.cl' -o -name '*.clh' \) \
        ! -path variants/embedded.c ! -path apps/registry.c ! -path harness/device/commit.c -print | sort | xargs cat | cksum | tr ' ' -)
}

# known: the last verdict of each mutant with the sources as they are, from $results: name, checksum, verdict. That a machine
# could not try it says nothing against what another found, whose verdicts may stand in the same file.
known() {
    [ -f "$results" ] || return 0
    awk -F '\t' -v now="$now" '
        $1 != now || ($2 "\t" $3 in last && $4 ~ / # SKIP /) { next }
        { last[$2 "\t" $3] = $4 }
        END { for (of in last) print of "\t" last[of] }' "$results"
}

# not_known: the lines of list() whose mutants have no good verdict yet.
not_known() {
    known >"$folder/known"
    awk -F '\t' 'FILENAME != "-" { if ($3 ~ /^ok / && $3 !~ / # SKIP /) good[$1, $2] = 1; next } !(($2, $6) in good)' \
        "$folder/known" -
}

# shard: of the lines of list() those of shard $MUTANT_SHARD. All mutants of a killer are in the same, since each killer is run
# on the kernels as they are, too.
shard() {
    awk -F '\t' -v part="${MUTANT_SHARD:-1/1}" '
        BEGIN { split(part, of, "/"); if (of[1] !~ /^[0-9]+$/ || of[2] < 1 || of[1] < 1 || of[1] > of[2]) exit }
        !($5 in at) { at[$5] = killers++ }
        at[$5] % of[2] == of[1] - 1'
}

# shards_are_all, goes_on: of these functions themselves, with verdicts that are made up.
shards_are_all() {
    for part in 1 2 3; do
        list | MUTANT_SHARD=$part/3 shard >"$folder/part-$part"
        [ -s "$folder/part-$part" ] || return 1
    done
    list | sort >"$folder/all" && sort "$folder"/part-[123] | cmp - "$folder/all"
}

goes_on() (
    results=$folder/made-up now=now
    list >"$folder/all"
    sed 4q "$folder/all" | awk -F '\t' -v OFS='\t' '{
        sum = NR == 2 ? "another" : $6; verdict = NR == 3 ? "not ok 1 - " $2 " survives" : "ok 1 - " $2 ": failed, by run"
        print NR == 4 ? "before" : "now", $2, sum, verdict
        if (NR == 1) print "now", $2, sum, "ok 2 - " $2 " # SKIP there is no Oclgrind" }' >"$results"
    not_known <"$folder/all" >"$folder/left"
    sed 1d "$folder/all" | cmp - "$folder/left"
)

# keep TOLD: adds the verdict that a file tells to $results.
keep() {
    [ -n "$results" ] || return 0
    verdict=$(sed 1q "$1")
    name=$(echo "$verdict" | sed 's/^\(not \)*ok [0-9]* - \([^ :]*\).*/\2/')
    sum=$(awk -F '\t' -v name="$name" '$2 == name { print $6 }' "$folder/wanted")
    printf '%s\t%s\t%s\t%s\n' "$now" "$name" "$sum" "$verdict" >>"$results"
}

# report: of all mutants, by what is known.
report() {
    known >"$folder/known"
    list >"$folder/all"
    awk -F '\t' 'FNR == NR { said[$1, $2] = $3; next } ($2, $6) in said { print said[$2, $6] }' "$folder/known" "$folder/all" |
        awk -v mutants="$(awk 'END { print NR }' "$folder/all")" -f "$mutants/summary.awk"
}

# ---- How many there are ----

# six_of_each: every kernel source of apps/ and variants/, and the idioms in use, have six mutants, or stand in the list of those
# that have fewer; and none stands there without need.
six_of_each() {
    (cd "$srcdir" && find apps variants harness/litmus/idioms.cl -name '*.clh' -o -name '*.cl' ! -path 'variants/*') |
        sort >"$folder/sources"
    list | awk -F '\t' -v few="$mutants/few" '
        FILENAME == few { if ($0 !~ /^#/) { split($0, word, " "); known[word[1]] = 1 } next }
        FILENAME == "-" { count[$4]++; next }
        (count[$1] < 6) != ($1 in known) { print $1 ": " count[$1] + 0 " mutants" ($1 in known ? ", and is in " few : ""); bad = 1 }
        { there[$1] = 1 }
        END { for (of in known) if (!(of in there)) { print of ": no such source"; bad = 1 } exit bad }' "$mutants/few" - "$folder/sources"
}

# reasoned: of the verdicts of the last run of all, each crash and each deadline has a reason in `endings.tsv`, and nothing else has.
reasoned() {
    awk -F '\t' '
        /^#/ { next }
        FILENAME == ARGV[1] { if ($2 == "crash" || $2 == "deadline") ended[$1] = $2; next }
        NF != 3 || length($3) < 10 || ended[$1] != $2 { print $1 ": " $2 ", and was " ended[$1]; bad = 1 }
        { told[$1] = 1 }
        END { for (of in ended) if (!(of in told)) { print of ": " ended[of] ", and no reason"; bad = 1 } exit bad }' "$@"
}

# reason_missed: of a list that lacks one, and of one that has another ending.
reason_missed() {
    grep -v '^dmr-room-not-checked' "$mutants/endings.tsv" >"$folder/endings"
    ! reasoned "$mutants/verdicts.tsv" "$folder/endings" >"$folder/missed" && grep -q '^dmr-room-not-checked: crash' "$folder/missed" &&
        sed '/^dmr-room-not-checked/s/crash/deadline/' "$mutants/endings.tsv" >"$folder/endings" &&
        ! reasoned "$mutants/verdicts.tsv" "$folder/endings" >"$folder/missed"
}

# ---- Killers: 0 where the test passes, 1 where it fails as a mutant's must, 2 where it fails in another way ----

# On a busy machine a test that passes may take long; one that never ends, or whose workgroups wait for each other in
# vain, need not be waited for as long.
patience=$hangs_after

# limited SECONDS COMMAND...: as timeout(1), whose exit code it has, but the seconds are those in which this script ran, too: when
# all of it has been stopped for a while, that is no test that hangs. The command is a program, which writes to $folder/record.
# When that has a check that failed, it is not waited for: a test may report races for minutes.
limited() {
    limit=$1
    shift
    rm -f "$folder/late" "$folder/failed"
    "$@" &
    command_id=$!
    (
        while [ "$limit" -gt 0 ]; do
            sleep 1
            limit=$((limit - 1))
            if grep -q -a '^not ok ' "$folder/record"; then
                : >"$folder/failed"
                break
            fi
        done
        [ -e "$folder/failed" ] || : >"$folder/late"
        kill -KILL "$command_id"
    ) >"$folder/watch" 2>&1 &
    watch=$!
    wait "$command_id"
    code=$?
    kill "$watch" 2>"$folder/watch"
    wait "$watch" 2>"$folder/watch"
    [ ! -e "$folder/late" ] || code=124
    [ ! -e "$folder/failed" ] || code=1
    return "$code"
}

# try_run PROGRAM WORKERS OUTCOME ARGUMENTS: OUTCOME is that of the kernels as they are.
try_run() {
    program=$1 count=$2 usual=$3
    # shellcheck disable=SC2046 # options are words; @NAME is a file of this test
    set -- $(echo "$4" | sed "s|@|$shared/|g")
    workers "$count" "$program" run --device="$device" --team="$count" --samples=2 --warmup=0 \
        --spin-limit="$spins" --deadline="$patience" --json --kernel-dir="$kernels" "$@" >"$folder/record" 2>"$folder/err"
    seen=$(member outcome "$folder/record")
    case $seen in
        "$usual") return 0 ;;
        ok | wrong | deadlock | crash | deadline | limit | usage) return 1 ;; # misuse, too: the command was right before
    esac
    return 2
}

# try_study SUITE EXPERIMENT: the worst outcome of its points.
try_study() {
    rm -rf "$folder/study"
    MUSTER_RESULTS=$folder/study workers 2 timeout "$hangs_after" "$MUSTER" bench --suite="$1" --device="$pocl" \
        --kernel-dir="$kernels" >"$folder/record" 2>"$folder/err"
    cat "$folder"/study/*/"$1.jsonl" >"$folder/record" 2>/dev/null || return 2
    shift
    seen=$(sed -n "s/.*\"experiment\":\"$1\".*\"outcome\":\"\([a-z-]*\)\".*/\1/p" "$folder/record" | sort -u | grep -v -x ok | paste -s -d ' ' -)
    grep -q "\"experiment\":\"$1\"" "$folder/record" || return 2
    [ -n "$seen" ] || return 0
    return 1
}

# try_team ARGUMENTS: as try_run, but the team is judged, too.
try_team() {
    try_run "$MUSTER" 2 ok "$1" || return $?
    seen="a team of $(member team "$folder/record")"
    [ "$seen" = 'a team of 2' ] || return 1
}

# try_device TEST: its program is built, and finds the sources by $KERNELS.
try_device() {
    seen=failed
    limited "$patience" env KERNELS="$kernels" "${MUSTER%/*}/tests/variants/test_$1" >"$folder/record" 2>"$folder/err"
    case $? in
        0) return 0 ;;
        1) return 1 ;;
    esac
    return 2
}

# try_library PROGRAM ARGUMENTS: the library is the objects of `make library`, but for the text of its header.
mkdir "$shared/include" "$shared/include/muster" && cp "$srcdir/variants/library/team.h" "$shared/include/muster/"
library_objects=$(find "${MUSTER%/*}/library/base" "${MUSTER%/*}/library/variants" -name '*.o' ! -name helper.o ! -name text.o 2>/dev/null)
try_library() {
    seen=failed
    # shellcheck disable=SC2086 # objects are words
    sh "$srcdir/build-aux/team-clh" "$kernels" >"$folder/team.clh" &&
        sh "$srcdir/build-aux/embed" "$srcdir" muster/team.clh="$folder/team.clh" variants/library/trust.cl >"$folder/text.c" &&
        ${CC:-cc} -std=c11 -w -DCL_TARGET_OPENCL_VERSION=300 -I"$srcdir" -I"$shared/include" -o "$folder/host" \
            "$srcdir/tests/variants/library/${1%% *}.c" "$folder/text.c" $library_objects -lOpenCL >"$folder/err" 2>&1 || return 2
    eval "set -- ${1#* }"
    (set_workers 2 && limited "$patience" env MUSTER_TEAM_HELPER=true "$folder/host" "$@") >"$folder/record" 2>"$folder/err"
    case $? in
        0) return 0 ;;
        124) seen=deadline ;;
    esac
    ! grep -q '^build: ' "$folder/record" || return 2
    return 1
}

# try_races ARGUMENTS: Oclgrind has a cache of its own, since its options are not part of a program's key; the verdict of
# the self-test, which has races on purpose, is in it before a run begins.
try_races() {
    # shellcheck disable=SC2046 # options are words
    set -- $(echo "$1" | sed "s|@|$shared/|g")
    XDG_CACHE_HOME=$folder/oclgrind "$OCLGRIND" "$MUSTER" devices >"$folder/err" 2>&1
    XDG_CACHE_HOME=$folder/oclgrind "$OCLGRIND" --data-races --build-options -cl-opt-disable "$MUSTER" run \
        --variant=multi-kernel --grid=fixed --device=oclgrind --workgroup=16 --samples=1 --warmup=0 \
        --deadline="$patience" --json --kernel-dir="$kernels" "$@" >"$folder/record" 2>"$folder/err"
    seen=$(member outcome "$folder/record")
    [ "$seen" != ok ] || [ -s "$folder/err" ] || return 0
    grep -q 'data race' "$folder/err" || return 2
    seen='a data race'
    return 1
}

# What a test on the host is compiled with, beside the folder of kernel sources.
host_flags="-std=c11 -O1 -g -w -pthread -D_GNU_SOURCE -I${MUSTER%/*} -I$srcdir -DCL_TARGET_OPENCL_VERSION=300"

# test_source TEST: its file, in whichever room.
test_source() {
    find "$srcdir/tests" -name "test_$1.c"
}

# run_host: the sample of the test that was built; 0 if it passes. Of a race it counts that there is one, not the names in the
# sanitizer's report, which take it longer than the test.
run_host() {
    limited "$patience" env MU_EXTENT="${1:-sample}" TSAN_OPTIONS=symbolize=0 "$folder/host" >"$folder/record" 2>"$folder/err"
    case $? in
        0) return 0 ;;
        124) seen=deadline ;;
    esac
    return 1
}

try_host() {
    seen=failed more=
    case $2 in
        sync*) more="$srcdir/tests/host/sync.c $srcdir/tests/host/together.c" ;;
        queues) more=$srcdir/tests/host/queues.c ;;
        idioms) more=$srcdir/tests/host/idioms.c ;;
    esac
    case $2 in *races | queues) more="$more $srcdir/tests/host/orders.c $srcdir/tests/host/sites.c" ;; esac
    # shellcheck disable=SC2086 # flags are words
    ${CC:-cc} -I"$kernels" $host_flags $hasty $1 -o "$folder/host" "$(test_source "$2")" $more "$srcdir/tests/host/threads.c" $host_library >"$folder/err" 2>&1 || return 2
    # Its sample repeats less, which says less of what is a matter of time.
    if [ "$2" = queues ]; then run_host all; else run_host; fi
}

# try_unit ROOM/TEST: the test's program as it is; or, where an error is planted, its object and that source with the library,
# which then does not take its own.
try_unit() {
    seen=failed quoted=
    case $source in apps/*) quoted="-iquote $srcdir/${source%/*}" ;; esac
    rm -f "$folder/host" # a process that the mutant before has left may still run it
    cp "${MUSTER%/*}/tests/${1%/*}/test_${1##*/}" "$folder/host" 2>"$folder/err" || return 2
    # shellcheck disable=SC2086 # flags and libraries are words
    [ -z "$planted" ] || (cd "${MUSTER%/*}" && ${CC:-cc} $host_flags ${UNIT_FLAGS:-} -w $quoted -o "$folder/host" "tests/${1%/*}/test_${1##*/}.o" \
        "$planted" $UNIT_LIBRARIES) >"$folder/err" 2>&1 || return 2
    run_host
}

# try_every TEST: the sources have calls before their plain accesses, and the machine has the functions that are called.
try_every() {
    seen=failed more=
    for part in sync turns queues idioms; do
        # shellcheck disable=SC2086 # flags are words
        ${CC:-cc} -I"$kernels" $host_flags -fsanitize=thread -c -o "$folder/$part.o" "$srcdir/tests/host/$part.c" >"$folder/err" 2>&1 ||
            return 2
    done
    for part in explore memory plain record run sites threads together; do more="$more $srcdir/tests/host/$part.c"; done
    # shellcheck disable=SC2086 # flags and files are words
    ${CC:-cc} -I"$kernels" $host_flags -o "$folder/host" "$(test_source "$1")" "$folder/sync.o" "$folder/turns.o" "$folder/queues.o" "$folder/idioms.o" $more \
        >"$folder/err" 2>&1 || return 2
    run_host
}

# A test under the sanitizer may not be linked with a library that is not.
try() {
    case $1 in
        'run '*) try_run "$MUSTER" 2 ok "${1#run }" ;;
        'run4 '*) try_run "$MUSTER" 4 ok "${1#run4 }" ;;
        'own '*) try_run "$MUSTER_OWN" 2 ok "${1#own }" ;;
        'limit '*) try_run "$MUSTER" 2 limit "${1#limit }" ;;
        'study '*) try_study persistent-small "${1#study }" ;;
        'stealing '*) try_study stealing-small "${1#stealing }" ;;
        'team '*) try_team "${1#team }" ;;
        'device '*) try_device "${1#device }" ;;
        'text '*) try_device "${1#text }" ;;
        'unit '*) try_unit "${1#unit }" ;;
        'every '*) try_every "${1#every }" ;;
        'library '*) try_library "${1#library }" ;;
        'races '*) try_races "${1#races }" ;;
        'host '*) host_library="${MUSTER%/*}/libmuster.a -lgsl -ljansson -lOpenCL -lz -llzma -lbz2 -lzstd -lm" try_host '' "${1#host }" ;;
        'tsan '*) host_library='' try_host '-fsanitize=thread -DHAVE_TSAN' "${1#tsan }" ;;
        *) return 2 ;;
    esac
}

# in_time: whether the killer passes on the kernels as they are, too, now, in the time that the mutant had, with nothing compiled
# before. If not, the machine is busy, and the mutant's deadline says nothing.
in_time() (
    folder=$folder/control kernels=$shared/kernels
    planted=
    rm -rf "$folder" && mkdir -p "$folder/pocl" || exit
    XDG_CACHE_HOME=$folder POCL_CACHE_DIR=$folder/pocl
    export XDG_CACHE_HOME POCL_CACHE_DIR
    try "$killer"
)

# can_run KILLER: whether it can be run here; else the reason is in $missing.
can_run() {
    missing="${no_pocl:-PoCL cannot be given 2 workers}"
    case $1 in
        tsan*) missing='the compiler has no thread sanitizer' && [ "$with_tsan" = yes ] ;;
        races*) missing='there is no Oclgrind' && [ -n "${OCLGRIND:-}" ] && command -v "$OCLGRIND" >/dev/null ;;
        run* | own* | limit* | team*) [ "$with_device" = yes ] ;;
        study* | stealing* | library* | device*) [ "$with_pocl" = yes ] ;;
    esac
}

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
            elif try "$killer"; then
                took=$(($(date +%s) - began))
            else
                took=$shared/told/failed-$number
                head -n 30 "$folder/err" "$folder/record" >"$took" 2>/dev/null
            fi
            ;;
    esac
    printf '%s\t%s\n' "$took" "$killer"
}

# judge: one mutant.
judge() {
    case $took in
        /*) fail "$name: its killer must pass on the kernels as they are: $killer" "$took" && return ;;
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
if [ -n "$results" ]; then report; else awk -f "$mutants/summary.awk" "$folder/judged"; fi | sed 's/^/# /'
tap_done
