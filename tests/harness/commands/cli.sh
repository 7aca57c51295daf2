#!/bin/sh
# The command line: helps and lists as in tests/expected (`BLESS=1 make check TESTS=tests/harness/commands/cli.sh` writes those files
# anew), exit codes and messages, JSON, output files, signals.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised

# ---- Goldens ----

# The list without the apps: adding one needs no change here.
list_without_apps() {
    "$MUSTER" list | sed '/^apps$/,/^variants$/{/^  /d}'
}

check 'muster --help' golden help.txt "$MUSTER" --help
for command in $("$MUSTER" --help | sed -n '/^Commands:$/,/^$/s/^  \([a-z-]*\) .*$/\1/p'); do
    check "muster $command --help" golden "help-$command.txt" "$MUSTER" "$command" --help
done
empty_filter() {
    ends 0 "$MUSTER" table times "$srcdir/tests/data/results/gpu-b" --chip=nonesuch &&
        has "$folder/err" 'note: with --chip=nonesuch there is nothing to show' &&
        ends 0 "$MUSTER" table times "$srcdir/tests/data/results/gpu-b" --chip=gpu-b && [ ! -s "$folder/err" ] &&
        ends 0 "$MUSTER" table times "$srcdir/tests/data/results/gpu-b" --chip=gpu-b --app=none &&
        has "$folder/err" 'note: with --chip=gpu-b --app=none there is nothing to show' && [ "$(wc -l <"$folder/err")" -eq 1 ]
}
# What a table shows stands in its line, of which the page of muster report makes a title.
one_line_each() {
    "$MUSTER" table --help | sed -n '/^Tables:$/,/^$/p' | grep -v -x -e 'Tables:' -e '' -e ' [A-Z].*?' >"$folder/tables" &&
        [ "$(wc -l <"$folder/tables")" -gt 40 ] && ! grep -v -x '  [a-z-]*  *[a-z].*' "$folder/tables"
}
check 'a line for each table' one_line_each
check 'a filter that lets nothing through is told' empty_filter
check 'muster list' golden list.txt list_without_apps
lists_all_apps() {
    "$MUSTER" list >"$folder/list"
    for source in "$srcdir"/apps/*/*/*.c; do
        app=${source#"$srcdir/apps/"}
        case $app in
            */"$(basename "$source" .c)"/*) has "$folder/list" "  ${app%/*} " || return 1 ;;
        esac
    done
    [ "$(apps | wc -l)" -gt 0 ]
}
check 'every app is listed' lists_all_apps
check 'muster --version' ends 0 "$MUSTER" --version
check '… in one line' grep -q -x 'muster [0-9][0-9.]*' "$folder/out"

# ---- Exit codes and messages ----

# says CODE PART ARGUMENT...: the exit code, and a message on standard error.
says() {
    code=$1 part=$2
    shift 2
    ends "$code" "$MUSTER" "$@" && has "$folder/err" "$part"
}

check 'report: a folder without its option' says 2 "'mine' is too much: a folder of results is named by --results=mine" report mine
check 'no command' says 2 'Usage: muster COMMAND'
check 'an unknown command' says 2 "no command 'nonsense'" nonsense
check 'no app' says 2 'which app?' run
check 'two apps' says 2 "'bfs' is too much" run mis bfs
check 'an unknown app lists what there is' says 2 "no app 'nonsense'; there are: irgl/bfs-cx, " run nonsense
check 'an app of another suite' says 2 "no app 'pannotia/bfs'" run pannotia/bfs
check 'an empty name' says 2 "no app ''" run ''
check 'the full name' ends 0 "$MUSTER" run pannotia/mis --device=$pocl --input=road:4 --samples=1
check '… and one of a thing is one' has "$folder/out" '(1 sample: too few' ' 1 launch, '
twice=$(apps | sed 's,.*/,,' | sort | uniq -d | head -n 1)
if [ -n "$twice" ]; then
    check 'an ambiguous app lists the choices' says 2 "app '$twice' is ambiguous: say one of " run "$twice"
else
    skip 'an ambiguous app' 'no two apps have the same name'
fi
lacks_a_hint() {
    says 2 "'$1' is neither a file nor a generator; " run mis --input="$1"
}
check 'a misspelled app' says 2 "no app 'bsf' (did you mean bfs?); there are: " run bsf
check 'a misspelled command' says 2 "no command 'tabel' (did you mean table?); there are: run, " tabel
check 'a misspelled option' says 2 "unrecognized option '--varient' (did you mean --variant?)" run mis --varient=portable
check 'an option that others are longer names of' says 2 "unrecognized option '--samples' (did you mean --min-samples or --max-samples?)" \
    bench --samples=5
check '… that one other is' says 2 "unrecognized option '--limit' (did you mean --spin-limit?)" run mis --limit=5
check '… as the value of another one' says 2 '--variant=--samlpes' run mis --variant --samlpes
check 'a misspelled variant' says 2 '--variant=portble: no such choice (did you mean portable?)' run mis --variant=portble
check 'the beginning of a variant' says 2 '--variant=coop: no such choice (did you mean cooperative?)' run mis --variant=coop
check 'a misspelled form of a variant' says 2 '--variants=portable-clod: no such choice (did you mean portable-cold?)' \
    bench --device="$pocl" --variants=multi-kernel,portable-clod
check 'a misspelled suite' says 2 '--suite=papr: no such choice (did you mean paper?)' bench --suite=papr
check 'a misspelled table' says 2 "no table 'speedpu' (did you mean speedup?)" table speedpu
check 'a misspelled generator' says 2 "neither a file nor a generator (did you mean road:N?)" graph raod:30
check 'a generator without its colon' says 2 "'road300' is neither a file nor a generator (did you mean road:300?)" \
    run mis --input=road300
check '… on bench, with more than a number' says 2 "(did you mean grid2d:10x20?)" bench --input=grid2d10x20
check '… of meshes' says 2 "(did you mean meshgrid:4x4:1?)" run dmr --input=meshgrid4x4:1
check 'a file that begins as a generator does' lacks_a_hint road300.gr
check 'a mesh where a graph is needed' lacks_a_hint mesh30
check 'a misspelled section' says 2 "nothing called 'app' can be listed (did you mean apps?)" list app
# The tables that suites and the probe's experiments name are there.
experiments_have_tables() {
    "$MUSTER" list suites experiments | sed -n 's/.*; muster table //p' | tr ' ' '\n' >"$folder/named"
    [ -s "$folder/named" ] || return 1
    while read -r table; do
        "$MUSTER" table --help | grep -q "^  $table " || { echo "no table $table"; return 1; }
    done <"$folder/named"
}
check 'suites and the experiments of the probe name tables' experiments_have_tables
check 'a section of the list' ends 0 "$MUSTER" list barriers
check '… alone' sh -c 'head -n 1 "$0" | grep -x barriers && ! grep -q portable "$0"' "$folder/out"
check 'an unknown command does not print the whole help' sh -c '"$MUSTER" nonsense 2>&1 | wc -l | grep -x 1'
check 'muster help COMMAND is its --help' golden help-run.txt "$MUSTER" help run
one_screen() {
    for command in run bench tune; do
        "$MUSTER" "$command" --help >"$folder/out" || return 1
        [ "$(wc -l <"$folder/out")" -le 50 ] && [ "$(grep -c '^      --' "$folder/out")" -ge 9 ] &&
            [ "$("$MUSTER" "$command" --help=all | wc -l)" -gt 200 ] || return 1
    done
}
check 'the helps of commands with many options fit a screen' one_screen
check 'a part of the options' ends 0 "$MUSTER" help bench measuring
check '… and no other' sh -c 'grep -q -e --budget=TIME "$0" && ! grep -q -e --device "$0"' "$folder/out"
check 'an app has its own options' ends 0 "$MUSTER" help run bfs
check '… and no other' sh -c 'grep -q -e --alpha=PARTS "$0" && ! grep -q -e --delta "$0"' "$folder/out"
check 'a misspelled topic' says 2 "--help=barier: no such topic (did you mean barrier?)" help run barier
check 'a word is explained' ends 0 "$MUSTER" help barrier
check '… as term, table, option with its choices' sh -c 'for text in "global barrier" barrier-cost --barrier=NAME xf; do
    grep -q -e "$text" "$0" || exit 1; done' "$folder/out"
check 'an option of a command is found' ends 0 "$MUSTER" help budget
check '… once' [ "$(grep -c -e 'muster bench --budget=TIME' "$folder/out")" -eq 1 ]
check 'a misspelled word' says 2 "'speedpu' (did you mean speedup?)" help speedpu
check 'muster help terms' golden help-terms.txt "$MUSTER" help terms
# Names stand behind two blanks, the meanings from column 20 on; the last two are signs.
terms_are_in_the_glossary() {
    sed -n 's/^  \([^ ].\{16\}\).*/\1/p' "$folder/out" | sed 's/ *$//' | grep -v -e '^\[' -e '^~' >"$folder/terms" && [ -s "$folder/terms" ] || return 1
    while read -r term; do
        grep -q "^| \*\*[^*]*${term}[^*]*\*\*" "$srcdir/doc/glossary.md" || { echo "not in the glossary: $term" && return 1; }
    done <"$folder/terms"
}
ends 0 "$MUSTER" help terms
check '… which the glossary has, too' terms_are_in_the_glossary
check 'bench --warmup' says 2 '--warmup=x: not a whole number' bench --warmup=x --input=road:4
check 'an unknown option' says 2 'unrecognized option' run mis --nonsense
check 'an unknown device lists what there is' says 3 "no device matches 'nonsense'; there are: 0: $(pocl_has chip)" \
    run mis --device=nonsense
for command in 'run mis' 'bench mis' tune probe litmus; do
    # shellcheck disable=SC2086 # the command is words
    check "muster $command --device=" says 2 '--device= names no device' $command --device=
done
check 'a device index out of range' says 3 "no device matches '99'" run mis --device=99
check 'no device at all' ends 3 env OCL_ICD_VENDORS="$folder" "$MUSTER" run mis
check '… says what to install' has "$folder/err" pocl-opencl-icd
check 'listing no device at all' ends 3 env OCL_ICD_VENDORS="$folder" "$MUSTER" devices
for choice in variant rollcall barrier atomics cl-std; do
    check "an unknown --$choice" says 2 "--$choice=nonsense: no such choice; there are: " run mis --$choice=nonsense
done
for number in samples=0 samples=-1 samples= samples=1x samples=1e3 warmup=-1 seed=99999999999999999999 \
    workgroup=0 team=0 groups=0 patience=0 spin-limit=0 expected=0 rollcall-delay=-1; do
    check "--$number" says 2 "--${number%=*}=${number#*=}: not a whole number from " run mis "--$number"
done
check '--source=4294967296' says 2 '--source=4294967296: not a whole number from ' run bfs --source=4294967296
check 'an option of another app' says 2 '--delta: pannotia/mis does not take it' run mis --delta=4
check 'a word that is none' says 2 '--delta=some: not a whole number from 1 to 4294967294, nor auto, nor none' \
    run lonestar/sssp --delta=some
for number in deadline=0 deadline=-1 deadline=nan deadline=inf deadline=1s deadline= deadline=0x10; do
    check "--$number" says 2 'not a positive number of seconds' run mis "--$number"
done

# fails CODE PART ARGUMENT...: as says, for a run that gets as far as the device.
fails() {
    code=$1 part=$2
    shift 2
    says "$code" "$part" run "$@" --device="$pocl" --samples=1 --warmup=0
}

check 'a workgroup that is no power of two' fails 2 'not a power of two' mis --input=road:4 --workgroup=48
check 'a workgroup that is too large' fails 3 'has at most' mis --input=road:4 --workgroup=65536
check 'a source that is no vertex' fails 2 'source 16 is not a vertex' bfs --input=road:4 --source=16
check 'no such file' fails 2 "$folder/none" mis --input="$folder/none"
printf 'p sp 2 1\na 1 3 1\n' >"$folder/bad.gr"
check 'a bad file, with its line' fails 2 'bad.gr:2: ' mis --input="$folder/bad.gr"
check '… and nothing else' [ ! -s "$folder/out" ]
check 'a name that is not UTF-8' fails 2 'is not UTF-8' mis --input="$(printf '\377')"
check 'an atomics path that the device has not' fails 3 'cannot do --atomics=ptx' mis --atomics=ptx
check 'too many workgroups' fails 2 'work-items' mis --input=road:4 --variant=specialised --team=16777216
check 'bench: an input whose name is not UTF-8' says 2 'is not UTF-8' bench --input="$(printf '\377')"
mkfifo "$folder/pipe"
check 'bench: an input that only its first process could read' says 2 'not a file, and every process' bench --input="$folder/pipe"

# benches PART ARGUMENT...: as says, for a campaign that is refused.
benches() {
    part=$1
    shift
    says 2 "$part" bench "$@" --device="$pocl"
}
check 'bench: an unknown suite' benches '--suite=nonsense: no such choice; there are: smoke, paper, matrix, goals, full' --suite=nonsense
check 'bench: an unknown variant' benches 'no such choice' --variants=portable,nonsense
check 'bench: an unknown app' benches "no app 'nonsense'" nonsense
check 'bench: an input twice' benches 'named twice' --input=road:4 --input=road:4 --dry-run
check 'bench: a set that is a path' benches 'not a name' --set=../x
check 'bench: a set that is something else' benches 'holds something else' --set=tune
check 'bench: a workgroup that is no power of two' benches 'not a power of two' --workgroup=48
check 'bench: to tune and not to tune' benches 'nothing is tuned' --retune --no-tune
check 'bench: a width of nothing' benches 'not a percentage' --target-width=0
check 'bench: no folder of inputs' benches 'not a folder' --inputs="$folder/none" --dry-run
originals() {
    mkdir "$folder/graphs" && printf 'p sp 2 1\na 1 2 1\n' >"$folder/graphs/NY.gr" &&
        ends 0 "$MUSTER" bench --device="$pocl" --suite=paper --inputs="$folder/graphs" --dry-run &&
        has "$folder/out" "pannotia/sssp $folder/graphs/NY.gr portable 1/5" 'pannotia/mis grid2d:1000x1000 portable 1/5'
}
check 'bench: originals are taken by name' originals

# ---- Output ----

# Through a link, so that a program that replaces the file by another replaces the link.
if [ -w /dev/full ]; then
    ln -s /dev/full "$folder/full"
    check 'a result to a full disk' fails 2 'No space left' mis --input=road:4 --output="$folder/full"
    check '… and the disk is left as it was' [ -L "$folder/full" ]
    for command in --version --help list 'list --json' devices 'devices --json' "run mis --device=$pocl --input=road:4" \
        "run mis --device=$pocl --input=road:4 --json"; do
        # shellcheck disable=SC2086 # the command is words
        check "standard output to a full disk: $command" \
            sh -c '"$MUSTER" "$@" >/dev/full 2>"$0"; [ $? -eq 2 ] && grep -q "cannot write" "$0"' "$folder/err" $command
    done
else
    skip 'a full disk' 'there is no /dev/full'
fi
check 'a result to an unwritable folder' fails 2 'none/result' mis --input=road:4 --output="$folder/none/result"
check '… is refused before a device is looked for' ends 2 env OCL_ICD_VENDORS="$folder" \
    "$MUSTER" run bfs --output="$folder/none/result"
check '… also where it is a folder' ends 2 env OCL_ICD_VENDORS="$folder" "$MUSTER" run bfs --output="$folder"
check '… and of a mesh' ends 2 env OCL_ICD_VENDORS="$folder" "$MUSTER" run dmr --output="$folder/none/mesh"

# Ends quietly, as by SIGPIPE, when nobody reads: `muster results | head`. The reader has gone before muster begins.
reader_goes() {
    rm -f "$folder/pipe" "$folder/gone" && mkfifo "$folder/pipe" || return 1
    (
        exec >"$folder/pipe" 2>"$folder/err"
        until [ -e "$folder/gone" ]; do sleep 0.05; done
        exec "$MUSTER" "$@"
    ) &
    writing=$!
    : <"$folder/pipe"
    : >"$folder/gone"
    wait "$writing"
    code=$?
    [ "$code" -eq 141 ] && [ ! -s "$folder/err" ] || { echo "exit code $code"; cat "$folder/err"; return 1; }
}
mkdir -p "$MUSTER_RESULTS" # tables read no folder that is not there
for command in list 'list --json' 'table times' 'graph road:4' "run mis --device=$pocl --input=road:4"; do
    # shellcheck disable=SC2086 # the command is words
    check "nobody reads: $command" reader_goes $command
done

# result NAME APP ARGUMENT...: the app's result in $folder/NAME.
result() {
    name=$1
    shift
    "$MUSTER" run "$@" --device="$pocl" --samples=1 --warmup=0 --output="$folder/$name"
}

same_results() {
    app=$1
    for variant in multi-kernel portable specialised; do
        # shellcheck disable=SC2046 # options are words
        result "$variant" "$app" --variant="$variant" --input=road:9 $(group_of "$app" "$variant") || return 1
    done
    [ "$(wc -l <"$folder/portable")" -eq 81 ] && cmp "$folder/portable" "$folder/multi-kernel" &&
        cmp "$folder/portable" "$folder/specialised"
}
if in_full; then check 'all variants write the same result: bfs' same_results bfs; fi
check 'all variants write the same result: mis' same_results mis
printf '# a path\n10 20\n20 30\n30 40\n' >"$folder/path.txt"
right_result() {
    result path bfs --variant=multi-kernel --input="$folder/path.txt" --source=1 &&
        printf '4294967295\n0\n1\n2\n' | diff -u - "$folder/path"
}
check 'one value for each vertex, in order' right_result
no_leftovers() {
    ! find "$folder" \( -name '*.part' -o -name 'path.*' \) ! -name path.txt | grep .
}
check 'no temporary file is left' no_leftovers

# ---- JSON ----

json_is_valid() {
    ends 0 "$MUSTER" run mis --device="$pocl" --input=road:4 --samples=3 --json || return 1
    [ "$(wc -l <"$folder/out")" -eq 1 ] || return 1
    for key in app input seed variant rollcall barrier atomics c_standard workgroup chip device platform driver version \
        commit date outcome check vertices edges input_hash load_ns build_ns build_cached launches readbacks barriers \
        team groups_launched samples_ns teams rollcall_ns rollcall_teams rollcall_groups; do
        has "$folder/out" "\"$key\":" || return 1
    done
    [ "$(member outcome "$folder/out")" = ok ] && [ "$(member samples_ns "$folder/out" | tr -cd '[')" = '[' ]
}
check 'muster run --json is one line with all keys' json_is_valid
for command in list devices "run mis --device=$pocl --input=road:4" "run mis --device=$pocl --input=none" \
    'graph road:4'; do
    # shellcheck disable=SC2086 # the command is words
    check "JSON: $command" sh -c '"$MUSTER" "$@" --json | "$0" ""' "$JSON_PICK" $command
done

# ---- Signals ----

# A run that takes long, in the background. Its child is $child.
start_long_run() {
    "$MUSTER" run mis --device="$pocl" --input=road:30 --samples=1000000 --no-check >"$folder/long" 2>&1 &
    parent=$!
    child=
    while kill -0 "$parent"; do
        sleep 0.1
        # The children that list the devices and test one come and go.
        now=$(cat "/proc/$parent/task/$parent/children" 2>/dev/null)
        [ -n "$now" ] && [ "$now" = "$child" ] && [ $((same += 1)) -ge 10 ] && return 0
        [ "$now" = "$child" ] || same=0
        child=$now
    done
    return 1
}

child_ends() {
    for _ in $(seq 300); do
        # shellcheck disable=SC2086 # a blank follows the number
        kill -0 $child 2>/dev/null || return 0
        sleep 0.1
    done
    echo "process $child is still there"
    return 1
}

ends_by() {
    start_long_run || return 1
    kill -"$1" "$parent"
    before=$(date +%s)
    wait "$parent"
    got=$?
    [ $(($(date +%s) - before)) -le 5 ] || got=late
    [ "$got" = "$2" ] && child_ends || { echo "exit code $got"; cat "$folder/long"; return 1; }
}
if [ -r /proc/self/task/$$/children ] || [ -r "/proc/$$/task/$$/children" ]; then
    check 'SIGINT ends a run and its child' ends_by INT 130
    if in_full; then check 'SIGTERM ends a run and its child' ends_by TERM 130; fi
    check 'a run that is killed takes its child along' ends_by KILL 137
else
    skip 'signals' '/proc does not tell the children of a process'
fi
tap_done
