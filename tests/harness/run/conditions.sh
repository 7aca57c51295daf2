#!/bin/sh
# What is known, and warm, when a sample is taken (--condition): what is launched, how the roll call closes, and how many
# samples a process gives.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised

# measure WORKERS OPTION...: a record of a short run in $folder/record.
measure() {
    size=$1
    shift
    workers "$size" "$MUSTER" run --input=road:12 --device="$pocl" --samples=3 --deadline="$hangs_after" --json "$@" \
        >"$folder/record" 2>"$folder/err"
}

# is PATH VALUE: the record's member has this value.
is() {
    found=$(pick "$1" <"$folder/record" | paste -s -d , -)
    [ "$found" = "$2" ] || { echo "$1: $found, not $2"; cat "$folder/record" "$folder/err"; return 1; }
}

# wanted WORKERS TITLE COMMAND ARGUMENT...: a run of which the command must hold, once it is judged.
wanted() {
    size=$1 title=$2 command=$3
    shift 3
    judged "$size" '' "$command" "$title" --input=road:12 --samples=3 "$@"
}

# judge CODE RECORD: whether the command $options holds of the record.
judge() {
    cp "$2" "$folder/record.judged"
    mv "$folder/record.judged" "$folder/record"
    eval "$options"
}

is_right() {
    is outcome ok && is check passed
}

warm() {
    is_right && is configuration/condition warm && is 'teams/*' "$size,$size,$size" && is groups_launched "$size"
}

# More are launched than there are workers. One that wakes up late may miss a roll call, never more than that.
cold() {
    is_right && is configuration/condition cold && is barrier counter && is configuration_from/expected device || return 1
    launched=$(member groups_launched "$folder/record")
    [ "$launched" -gt "$size" ] && is expected "$launched" && [ "$(member team "$folder/record")" -le "$size" ]
}

first() {
    form=$1
    shift
    measure 2 pannotia/mis --variant="$form" "$@" --condition=first "$one_item" && is outcome ok && is check passed && is stop fixed &&
        is 'rollcall_teams/*' '' && [ "$(pick 'samples_ns/*' <"$folder/record" | wc -l)" -eq 1 ]
}

# One clock for all variants, and how the host learnt of the end.
clocked() {
    is outcome ok && is clock run && is 'end_to_end_ns/*' '' && is readback blocking && is rollcall_clock "$1"
}

refused() {
    measure 2 pannotia/mis "$@"
    [ $? -eq 2 ] && is outcome usage
}

for size in 1 2 4; do
    [ $size = 2 ] || in_full 4 || continue
    [ "$(pocl_has compute_units $size)" = $size ] || { skip "$size workers" "PoCL has not so many"; continue; }
    for app in pannotia/mis lonestar/sssp; do
        [ $app = pannotia/mis ] || in_full 2 || continue
        # shellcheck disable=SC2046 # options are words
        wanted "$size" "$app, $size workers: warm launches the team" warm $app --patience=4000000000 $(group_of $app portable)
        # shellcheck disable=SC2046 # options are words
        wanted "$size" "$app, $size workers: cold launches more than fit" cold $app --condition=cold $(group_of $app portable)
    done
    judge_all "$size"
done
for variant in multi-kernel portable; do
    check "$variant: the first launch of a process is its only sample" first "$variant"
done
check 'specialised: the first launch, of a team that is named' first specialised --team=2
# Buffers in another order and at offsets, in every variant; in the sample in one of each app.
for variant in multi-kernel portable specialised; do
    for app in pannotia/color lonestar/sssp; do
        case $variant:$app in multi-kernel:*/color | portable:*/sssp) ;; *) in_full || continue ;; esac
        [ "$variant" = multi-kernel ] && options= || options="--team=2 --patience=4000000000 $(group_of $app "$variant")"
        # shellcheck disable=SC2086 # options are words
        wanted 2 "$app, $variant: another layout" 'is_right && is configuration/layout 12345' $app --variant=$variant \
            --layout=12345 $options
    done
done

# Ids with and without a roll call, each native and remapped.
for variant in portable specialised; do
    for ids in native remapped; do
        [ "$variant,$ids" != specialised,remapped ] || in_full || continue
        # shellcheck disable=SC2086 # options are words
        wanted 2 "$variant with $ids ids" "is_right && is team 2 && is ids_found $ids" pannotia/mis --variant="$variant" \
            --ids=$ids --team=2 --patience=4000000000 $one_item
    done
done
check 'arrivals have no native ids' refused --ids=native --rollcall=ticket
check 'who closes by patience cannot tell' refused --ids=native --condition=cold
late() {
    is outcome unsupported && pick message <"$folder/record" | grep -q 'ids=native: the team of [12] was not the groups 0 to'
}
wanted 2 'a team without native ids is an outcome' late pannotia/mis --ids=native --groups=8 --expected=8 --patience=100000 \
    "$one_item"
for variant in multi-kernel portable specialised; do
    [ $variant = portable ] && clock=device || clock=
    wanted 2 "$variant: the record names its clock" "clocked $clock" pannotia/mis --variant=$variant --team=2 "$one_item"
done
# A campaign of first launches, which the summary has no columns for, ends in the table that shows them.
firsts() {
    ends 0 workers 2 "$MUSTER" bench mis --device="$pocl" --variants=multi-kernel-first,portable-first,specialised-first --team=2 \
        --set=first --no-tune "$one_item" --input=road:12 --repeats=2 &&
        [ "$(grep -c -E 'pannotia/mis +road:12 +(multi-kernel|portable|specialised)-first +1 +[-2] +[0-9]' "$folder/out")" = 3 ]
}
check 'a campaign of first launches shows their times' firsts
# The full bound, proven: a worker's group each completes, and one more does not.
bound() {
    is_right && is team_from bound && is team "$size" && is bound/completed "$size" && is bound/deadlocked $((size + 1))
}
for size in 2 1; do
    # shellcheck disable=SC2086 # options are words
    [ "$(pocl_has compute_units $size)" = $size ] && wanted $size "the bound of $size workers, proven" bound pannotia/mis \
        --variant=specialised --team=bound --patience=4000000000 --spin-limit=100000000 $one_item
    judge_all "$size"
done
check 'only specialised is launched with its bound' refused --team=bound
check 'its first launch needs a number' refused --variant=specialised --condition=first --team=bound
check 'multi-kernel is not cold' refused --variant=multi-kernel --condition=cold
check 'specialised is not cold' refused --variant=specialised --condition=cold
check 'cold expects nothing' refused --condition=cold --expected=2
tap_done
