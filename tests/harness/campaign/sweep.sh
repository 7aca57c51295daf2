#!/bin/sh
# Options as axes: lists that a campaign sweeps and that are tuned; what counts as done, and what is measured anew because
# the kernels, the profile or an option is another; each option of a program's build at the ends of its range.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised

# bench ARGUMENT...: one process of two samples for each test, without tuning.
bench() {
    workers 2 "$MUSTER" bench --device="$pocl" --repeats=1 --min-samples=2 --max-samples=2 --max-time=0.02 --no-tune "$@"
}

# records SET: how many records it has.
chip=$(pocl_has chip 2)
records() {
    wc -l <"$MUSTER_RESULTS/$chip/$1.jsonl"
}

# ---- Sweeps ----

small="--input=road:4 --variants=multi-kernel,portable $one_item"
# shellcheck disable=SC2086
sweeps() {
    ends 0 bench lonestar/sssp $small --delta=4,none --barrier=counter,xf --set=sweep && [ "$(records sweep)" -eq 6 ] &&
        pick variant label configuration/delta configuration/barrier <"$MUSTER_RESULTS/$chip/sweep.jsonl" |
        tr '\n' ' ' >"$folder/values" || return 1
    for value in 'multi-kernel 4 ' 'multi-kernel none ' 'portable barrier=xf 4 xf ' 'portable barrier=counter none counter '; do
        has "$folder/values" "$value" || return 1
    done
}
check 'lists are swept: an option of the app makes tests, another one ways to run them' sweeps
check '… and are apart in the tables' sh -c \
    '"$MUSTER" table times >"$1" && [ "$(grep -c "road:4 delta=4 " "$1")" -ge 2 ] && grep -q "@barrier=xf" "$1"' \
    sh "$folder/table"
# shellcheck disable=SC2086
is_done() {
    ends 0 bench lonestar/sssp $small --sweep=delta=none,4 --barrier=counter,xf --set=sweep && [ "$(records sweep)" -eq 6 ]
}
check 'the same sweep in other words is done' is_done
# shellcheck disable=SC2086
goes_on() {
    ends 0 bench lonestar/sssp $small --delta=4,8 --barrier=counter,xf --set=sweep && [ "$(records sweep)" -eq 9 ]
}
check 'of another sweep, only what is new is run' goes_on
tunes() {
    ends 0 workers 2 "$MUSTER" tune mis --device="$pocl" --input=road:4 --variants=multi-kernel --batch=1,4 --quick &&
        has "$folder/out" 'road:4 batch=1' 'road:4 batch=4'
}
if in_full; then check 'a tuning tunes each value' tunes; fi

# A process that measures several tests keeps what lies on the device, but not what another input of the app made.
angles() {
    ends 0 bench dmr --input=mesh:40 --variants=portable --workgroup=32 --min-angle=10,20,30 --together=3 --set=angles &&
        pick configuration/min_angle summary/triangles <"$MUSTER_RESULTS/$chip/angles.jsonl" | paste - - |
        sort -n >"$folder/angles" &&
        [ "$(awk '$2 > last { last = $2; more++ } END { print more }' "$folder/angles")" -eq 3 ]
}
if in_full; then check 'values that make other inputs, one after another in a process' angles; fi

# says CODE PART ARGUMENT...
says() {
    code=$1 part=$2
    shift 2
    ends "$code" bench "$@" && has "$folder/err" "$part"
}
check 'a list with a value that is none' says 2 '--delta=x: not a whole number' lonestar/sssp --input=road:4 --delta=4,x
check 'a value twice' says 2 'named twice' lonestar/sssp --input=road:4 --delta=4,4
check 'an option that no app takes' says 2 '--delta: no app of this campaign takes it' mis --input=road:4 --delta=4
check 'an option that some app takes' ends 0 bench mis bfs --input=road:4 --source=3 --dry-run
check 'too many combinations' says 3 'more than 4096 combinations' mis --input=road:4 \
    --patience="$(seq -s, 1 70)" --spin-limit="$(seq -s, 1000 1070)"
check 'no such option to sweep' says 2 'no option of a test has this name' mis --sweep=nonsense=1
check 'a sweep without values' says 2 'not NAME=LIST' mis --sweep=delta

# Nothing asks in an idle load, and one workgroup leaves at one barrier, whatever takes more.
repeats() {
    ends 0 bench mis --input=road:4 --variants=cooperative --load=none,idle,brief --load-groups=1,half \
        --resizing=query,plain --repeats=1 --dry-run &&
        [ "$(sed -n 's/^pannotia.*cooperative //p' "$folder/out" | sort | tr '\n' ';')" = "load=brief,load_groups=1 1/1;\
load=brief,load_groups=half,resizing=plain 1/1;load=brief,load_groups=half,resizing=query 1/1;load=idle 1/1;\
load=none,resizing=plain 1/1;load=none,resizing=query 1/1;" ]
}
check 'what another option makes idle is not swept' repeats

# ---- What is measured anew ----

kernels "$folder/kernels"
mis=$folder/kernels/apps/pannotia/mis/mis.cl
mine() {
    ends 0 bench mis --input=road:4 --variants=multi-kernel "$one_item" --kernel-dir="$folder/kernels" --set=mine
}
changed_kernels() {
    mine && [ "$(records mine)" -eq 1 ] && mine && [ "$(records mine)" -eq 1 ] || return 1
    printf '/* The same kernel. */\n' >>"$mis"
    mine && [ "$(records mine)" -eq 1 ] || return 1
    printf 'static uint another(void)\n{\n    return 1;\n}\n' >>"$mis"
    mine && [ "$(records mine)" -eq 2 ] && mine && [ "$(records mine)" -eq 2 ]
}
check 'a kernel in a folder of the same name that changed is measured anew; a comment changes nothing' changed_kernels
same_as_embedded() {
    ends 0 bench mis --input=road:4 --variants=multi-kernel "$one_item" --set=same && kernels "$folder/again" &&
        ends 0 bench mis --input=road:4 --variants=multi-kernel "$one_item" --kernel-dir="$folder/again" --set=same &&
        [ "$(records same)" -eq 1 ]
}
check 'kernels that are those inside the program are not' same_as_embedded
lists_apart() {
    "$MUSTER" table times "$MUSTER_RESULTS/$chip/mine.jsonl" --format=csv >"$folder/csv" &&
        "$MUSTER" results "$MUSTER_RESULTS/$chip/mine.jsonl" >"$folder/list" &&
        [ "$(grep -c 'pannotia/mis' "$folder/list")" -eq 2 ]
}
check '… and kernels of two kinds are no one measurement' lists_apart
profile() {
    { printf '[profile]\nformat = 1\n[launch]\nreadback = %s\n[chip]\n' "$1" &&
        chip_lines workers 2 "$MUSTER" devices --json; } >"$MUSTER_RESULTS/$chip/chip.ini"
}
other_profile() {
    profile blocking && ends 0 bench mis --input=road:4 --variants=multi-kernel "$one_item" --set=profile &&
        profile word && ends 0 bench mis --input=road:4 --variants=multi-kernel "$one_item" --set=profile || return 1
    rm "$MUSTER_RESULTS/$chip/chip.ini"
    [ "$(records profile)" -eq 2 ] &&
        pick configuration/readback configuration_from/readback <"$MUSTER_RESULTS/$chip/profile.jsonl" |
        tr '\n' ' ' | grep -q -x 'blocking profile word profile ' &&
        [ "$("$MUSTER" results "$MUSTER_RESULTS/$chip/profile.jsonl" | grep -c 'pannotia/mis')" -eq 2 ]
}
check 'another read-back in the profile is another measurement' other_profile

# ---- Options of the build ----

# Every name that an app's option of the build has, with the ends of its range, as the help tells them.
"$MUSTER" run --help=all | tr -s ' \n' ' ' | sed 's/ --/\n--/g' |
    sed -n 's/^--\([a-z-]*\)=[A-Z]* .* \([0-9]*\) to \([0-9]*\) (default.*$/\1 \2 \3/p' >"$folder/ranges"
check 'there are options of the build' [ "$(wc -l <"$folder/ranges")" -ge 9 ]

# takes APP OPTION: whether the app has that option.
takes() {
    ! OCL_ICD_VENDORS=$folder "$MUSTER" run "$1" --"$2"=1 </dev/null 2>&1 | grep -q 'does not take it'
}
# together TITLE APP VARIANT LEAST: a right result with all of the app's options at an end: by turns the least and the most, the
# first of them at the least where LEAST is 1. Those of the app are in $folder/taken.
together() {
    title=$1 app=$2 variant=$3 turn=$4
    set --
    while read -r option least most; do
        if [ "$turn" -eq 1 ]; then set -- "$@" --"$option"="$least"; else set -- "$@" --"$option"="$most"; fi
        turn=$((1 - turn))
    done <"$folder/taken"
    case $app in
        */dmr) set -- "$@" --input=mesh:50 ;;
        *) set -- "$@" --input=rmat:6 ;;
    esac
    later "$variant" '' "$title" "$app" --variant="$variant" --samples=1 --warmup=0 --workgroup=32 "$@"
}
# judge CODE RECORD: a right result.
judge() {
    was_right "$@"
}
# In `make check` one app stands for all, at one of the ends.
for app in $(apps) $(apps mesh); do
    case $app in pannotia/sssp) ;; *) in_full 2 || continue ;; esac
    while read -r option least most; do
        ! takes "$app" "$option" || echo "$option $least $most"
    done <"$folder/ranges" >"$folder/taken"
    if ! [ -s "$folder/taken" ]; then
        fail "$app has no such option"
        continue
    fi
    together "$app with all of its options at an end" "$app" multi-kernel 1
    if in_full; then together "$app with them at the other" "$app" portable 0; fi
done
judge_all 2
tap_done
