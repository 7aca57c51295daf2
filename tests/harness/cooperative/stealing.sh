#!/bin/sh
# The work-stealing apps of the cooperative-kernels study, on PoCL: octree and game are right in the original form, in the
# cooperative one, and under random schedules of the team's size, whose record says that the team fell to one workgroup and
# grew again; and beside a load, whose tasks are checked. The game also has its largest size, 9 turns, with 32 workers, too:
# there a queue with room for a few times a worker's share of the items is too small. `make check` has 4 workers and 20
# schedules; `make check-long` 1, 2, 4 and those 32 workers; `make check-cooperative`, as tests/harness/cooperative/stealing.sh
# all, 1000 schedules with these and with 8.
. "$srcdir/tests/tap.inc"
need_pocl
suite=stealing-small schedules=20 games=2
[ "${1:-}" != all ] || suite=stealing-seeds schedules=1000 games=1

# right SIZE: the suite ends well with that many workers, and each app has done all schedules.
right() {
    records=$folder/$1.jsonl
    ends 0 workers "$1" "$MUSTER" bench --device="$pocl" --suite="$suite" || return 1
    cat "$MUSTER_RESULTS"/*/"$suite.jsonl" >"$records" && rm -rf "$MUSTER_RESULTS"
    ! grep '"refused"' "$records" || return 1
    grep '"implementation":"stress"' "$records" | pick parameters/experiment groups right left came least_team | paste -d ' ' - - - - - - |
        awk -v size="$1" -v schedules="$schedules" -v games="$games" '
            { runs[$1] += $3; left[$1] += $4; came[$1] += $5; if (least[$1] == 0 || $6 < least[$1]) least[$1] = $6
              if ($2 != size) bad = 1 }
            END { for (app in runs) { apps++
                      print app ": " runs[app] " runs, " left[app] " left, " came[app] " came, least " least[app]
                      if (runs[app] != schedules * (app == "game" ? games : 1) || least[app] != 1 || came[app] > left[app]) bad = 1
                      if (size > 1 && (left[app] == 0 || came[app] == 0)) bad = 1 }
                  exit bad || apps != 2 }'
}

[ "${1:-}" = all ] || ! in_full || check 'octree, and game of 9 turns, 32 workers: no queue is full' right 32

sizes='1 2 4'
if [ "${1:-}" = all ]; then sizes='1 2 4 8'; elif ! in_full 2; then sizes=4; fi
for size in $sizes; do
    check "octree and game, $size workers, $schedules random schedules each" right "$size"
done

# Beside a load there are tasks, each with its times, whatever part of the team it asks for.
loaded() {
    grep '"implementation":"load"' "$records" | pick parameters/experiment groups load_task/groups load_tasks | paste -d ' ' - - - - |
        awk -v size="$size" '
            { rows[$1]++; tasks[$1] += $4; if ($2 != size - 1 || $3 < 1 || $3 >= $2) bad = 1 }
            END { for (app in rows) { apps++; print app ": " tasks[app] " tasks"; if (rows[app] != 4 || tasks[app] == 0) bad = 1 }
                  exit bad || apps != 2 }' &&
        grep '"implementation":"load"' "$records" | pick load_tasks >"$folder/tasks" &&
        [ "$(awk '{ n += $1 } END { print n }' "$folder/tasks")" = "$(grep '"implementation":"load"' "$records" | pick 'load_task_ns/*' | wc -l)" ]
}
[ "${1:-}" = all ] || check 'a load beside octree and game gets workgroups, and its tasks are right' loaded
idle() {
    [ "$(grep '"implementation":"idle"' "$records" | pick load_tasks | sort -u)" = 0 ]
}
[ "${1:-}" = all ] || check '… and before it the same kernel runs without a task' idle

check 'every measurement is as doc/record.schema.json says' "${MUSTER%/*}/tests/records/test_record_schema" "$records"

# Both forms have times, and the table has a row for each app.
tabled() {
    [ "$(pick implementation <"$records" | sort -u | paste -s -d ' ' -)" = 'cooperative idle load original stress' ] &&
        ends 0 "$MUSTER" table stealing "$records" --format=csv && has "$folder/out" ',octree,600,' ',game,3,' ',game,9,' slowdown
}
check 'muster table stealing shows both apps' tabled

in_full 4 || tap_done

# Where the device has no room for the queue, nothing is allocated, and the record says why.
no_room() {
    rm -rf "$MUSTER_RESULTS"
    POCL_MEMORY_LIMIT=1 workers 64 "$MUSTER" bench --device="$pocl" --suite="$suite" >"$folder/out" 2>"$folder/err"
    cat "$MUSTER_RESULTS"/*/"$suite.jsonl" >"$folder/limited" && rm -rf "$MUSTER_RESULTS"
    grep '"depth":9' "$folder/limited" | grep -q 'bytes for one' || { cut -c 1-300 "$folder/limited"; return 1; }
}
check 'a queue for which the device has no room is refused before it is made' no_room
compile_unoptimised

# plant FILE SCRIPT: an error beside those before it. found WORKERS TEXT: the suite ends with a wrong result and says so.
kernels "$folder/kernels"
plant() {
    sed -i "$2" "$folder/kernels/$1"
    ! cmp -s "$srcdir/$1" "$folder/kernels/$1" || { echo "Bail out! nothing was planted in $1"; exit 99; }
}
found() {
    rm -rf "$MUSTER_RESULTS"
    ends 1 workers "$1" "$MUSTER" bench --device="$pocl" --suite=stealing-small --kernel-dir="$folder/kernels" && has "$folder/err" "$2"
}
plant harness/cooperative/octree.cl \
    's/\(to\[atomic_inc(.*)\] = id\);/\1 ^ (depth == 0);/'
plant variants/cooperative/load.clh 's/row < side \* (share + 1) \/ shares/& - 1/'
check 'a point in the wrong leaf is seen' found 4 'the octree has '
# The game, which is right, says it in the same run.
check 'a share of a task that is done in part is seen' has "$folder/err" 'the load: C is not'
plant harness/cooperative/game.cl \
    's/node\[GAME_BEST\] = words\[GAME_VALUE\];/node[GAME_BEST] = words[GAME_VALUE] + W.offers.words[MU_OFFERS_LEFT];/; s/static void game_place(struct game G,/static void game_place(struct steal W, struct game G,/; s/game_place(G, words)/game_place(W, G, words)/'
check 'a failure under a schedule says its seed' found 2 'with seed 1:'
tap_done
