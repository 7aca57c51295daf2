#!/bin/sh
# build-aux/measure runs the lines of a plan in order, within their time, and refuses what it cannot run before it runs
# anything; the plans of published results are commands that muster takes.
. "$srcdir/tests/tap.inc"
measure=$srcdir/build-aux/measure
command -v bash >/dev/null || skip_all 'there is no bash'

# A program that writes down how it was called, and then sleeps, fails, or ends.
cat >"$folder/program" <<'EOF'
#!/bin/sh
echo "$*" >>"$CALLS"
case $1 in
    sleep) exec sleep 60 ;;
    fail) exit 3 ;;
esac
EOF
chmod +x "$folder/program"
CALLS=$folder/calls
export CALLS
mkdir -p "$folder/plans/chip"
plan=$folder/plans/chip/measure.plan
printf 'the profile\n' >"$folder/plans/chip/chip.ini"
cat >"$plan" <<'EOF'
# a comment

one 100 bench  --input=road:6 --set=x
two 100 fail
one 50 run mis
long 1 sleep
EOF

listed() {
    ends 0 "$measure" "$plan" && printf '%-24s at most %5d s\n' one 150 two 100 long 1 >"$folder/expected" && cmp "$folder/out" "$folder/expected"
}
check 'a plan is listed' listed
ordered() {
    rm -f "$CALLS"
    ends 0 "$measure" --muster="$folder/program" "$plan" one && printf 'bench --input=road:6 --set=x\nrun mis\n' >"$folder/expected" &&
        cmp "$CALLS" "$folder/expected" && cmp "$MUSTER_RESULTS/chip/chip.ini" "$folder/plans/chip/chip.ini"
}
check 'lines of a name run in order, beside the profile of the chip' ordered
kept() {
    echo 'another one' >"$MUSTER_RESULTS/chip/chip.ini" && ends 0 "$measure" --muster="$folder/program" "$plan" one &&
        has "$MUSTER_RESULTS/chip/chip.ini" 'another one'
}
check 'a profile that is there stays' kept
failed() {
    rm -f "$CALLS"
    ends 1 "$measure" --muster="$folder/program" "$plan" two one && [ "$(wc -l <"$CALLS")" -eq 3 ] &&
        has "$folder/err" 'two: exit code 3'
}
check 'one that fails does not keep the others from running, and is told' failed
interrupted() {
    ends 4 "$measure" --muster="$folder/program" "$plan" long && has "$folder/err" 'long: not ended after 1 s'
}
check 'one that takes longer is interrupted' interrupted
too_late() {
    rm -f "$CALLS"
    ends 4 "$measure" --muster="$folder/program" --seconds=9 "$plan" one && has "$folder/err" 'one: no time left for muster bench' &&
        [ ! -e "$CALLS" ]
}
check 'one for which there is no time is not begun' too_late
# refused MESSAGE ARGUMENT...: nothing runs.
refused() {
    part=$1
    shift
    rm -f "$CALLS"
    ends 2 "$measure" --muster="$folder/program" "$@" && has "$folder/err" "$part" && [ ! -e "$CALLS" ]
}
check 'no plan' refused 'which plan?'
check 'a plan that is missing' refused "$folder/none: cannot be read" "$folder/none" one
check 'a name that is not in it' refused 'has no line of the name three' "$plan" one three
check 'an option that there is not' refused 'there is no such option' --fast "$plan" one
check 'no number of seconds' refused 'not a number of seconds' --seconds=1h "$plan" one
check 'no program' refused 'no such program' --muster="$folder/none" "$plan" one
no_results() {
    (unset MUSTER_RESULTS && refused 'MUSTER_RESULTS is not set' "$plan" one)
}
check 'no folder of results' no_results
for line in 'One 5 run' 'one five run' 'one 5'; do
    printf 'one 5 run mis\n%s\n' "$line" >"$folder/bad"
    check "the line '$line'" refused "$folder/bad:2: " "$folder/bad" one
done

# The plans of published results name commands that there are: campaigns are planned for one other device, and single runs take
# one sample there.
if find_pocl; then
    for published in "$srcdir"/results/chips/*/measure.plan; do
        awk '!/^[ \t]*(#|$)/' "$published" | sed 's/--device=[a-z0-9-]*/--device=pocl/; s/ --split / /' >"$folder/all"
        # Those that have a word which is new, or an option which is new to their app: so every word, and every option that an app is
        # asked for, is in one of them. In `make check` the first of each name.
        awk '{ new = 0
            for (i = 3; i <= NF; i++) {
                name = $i
                sub(/=.*/, "", name)
                if (!words[$i]++) new = 1
                if (!options[$4, name]++) new = 1
            } }
            new' "$folder/all" >"$folder/some"
        awk '!told[$1]++' "$folder/all" >"$folder/lines"
        ! in_full "$(($(wc -l <"$folder/some") - $(wc -l <"$folder/lines")))" || cp "$folder/some" "$folder/lines"
        while read -r name _ arguments; do
            case $arguments in
                bench*) arguments="$arguments --dry-run" ;;
                run*) arguments="$arguments --samples=1 --workgroup=1" ;;
            esac
            # shellcheck disable=SC2086 # arguments of plans have no blanks
            check "${published##*/results/}: $name: $arguments" unoptimised ends 0 "$MUSTER" $arguments
        done <"$folder/lines"
    done
else
    skip 'the plans of published results' "$no_pocl"
fi
tap_done
