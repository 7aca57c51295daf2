#!/bin/sh
# Variant cooperative: tests/variants/cooperative.sh [SEEDS [APP...]] runs each app under so many seeds of --stress (by default 20,
# or $MU_STRESS_SEEDS), where the team gets a random size behind every barrier, on PoCL with 1, 2, 4 and 8 workers and both
# ways to resize; every result must be right. `make check-cooperative` takes 1000 seeds; with few, an app has two numbers of
# workers one way and four workers the other, and two of the apps have one worker. `make check` runs a sample.
. "$srcdir/tests/tap.inc"
need_pocl
in_full 0 || compile_unoptimised
seeds=${1:-${MU_STRESS_SEEDS:-20}}
[ $# -eq 0 ] || shift
[ "$seeds" -le 20 ] || hangs_after=900

# stressed WORKERS APP WAY HOW: a run that waits for judge_all; its program is compiled once for all seeds.
stressed() {
    size=$1 app=$2 way=$3 how=$4
    set --
    input=road:40
    case $app in
        */bc) input=road:12 && set -- --batch=4 ;;
        */dmr) input=mesh:300 ;;
    esac
    [ -z "$how" ] || set -- "$@" --unoptimised
    later cooperative "$size $way" "$app, $way, $size workers: right with seeds 1 to $seeds" "$app" --variant=cooperative \
        --resizing="$way" --input="$input" --team="$size" --stress=1 --samples="$seeds" --warmup=0 --patience=4000000000 "$@"
}

# judge CODE RECORD: right, by teams of many sizes, as $options says.
judge() {
    size=${options% *}
    was_right "$@" && exercised "$2" || return 1
    # Where one leaves at a time a team of eight does not fall to one, and whoever comes had left before.
    least=$(member least_team "$2")
    most=1
    [ "${options#* }" = query ] || most=$((size - 1))
    [ "$size" = 1 ] || [ "$least" -le "$most" ] || { echo "the smallest team was of $least"; return 1; }
    [ "$(member came "$2")" -le "$(member left "$2")" ]
}

sizes='1 2 4 8'
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046 # names of apps are words
    set -- $(apps) $(apps mesh)
    [ "$seeds" -gt 20 ] || in_full $((3 * $# + 2)) || { set -- pannotia/sssp && sizes=4; }
fi
for size in $sizes; do
    turn=0
    for app in "$@"; do
        turn=$((turn + 1))
        # Each way is a kernel of its own: one of them as users' compilers make it, but for two apps whose kernels take PoCL half a
        # minute. Their steps are optimised in tests/variants/variants.sh, and what resizes a team in the other apps here.
        for way in query plain; do
            how=
            case $app,$way,$((turn % 2)) in */dmr,* | */mst,* | *,query,0 | *,plain,1) how=unoptimised ;; esac
            if [ "$sizes" = 4 ]; then
                [ $way = query ] || in_full || continue
            elif [ "$seeds" -le 20 ]; then
                # PoCL compiles for a team of one anew: two of the apps have one, which is what larger teams fall to.
                case $how,$size,$app,$way in
                    ,[28],* | *,4,*/dmr,query | *,8,*/dmr,plain | *,2,*/mst,query | *,4,*/mst,plain) ;;
                    *,*/dmr,* | *,*/mst,*) continue ;;
                    unoptimised,4,*) ;;
                    unoptimised,1,*) [ $((turn % 3)) -eq 0 ] || continue ;;
                    *) continue ;;
                esac
            fi
            stressed "$size" "$app" $way "$how"
        done
    done
    judge_all "$size"
done

compile_unoptimised

# More barriers than the record of what the plan read has rows, twice over: parked workgroups are led on.
in_full 0 && samples=2 || samples=1
wraps() {
    ends 0 workers 4 "$MUSTER" run pannotia/sssp --variant=cooperative --input="$folder/path" --device="$pocl" --team=4 \
        --stress=7 --samples="$samples" --warmup=0 --patience=4000000000 --json &&
        [ "$(member check "$folder/out")" = passed ] && [ "$(member barriers "$folder/out")" -gt 4096 ]
}
awk 'BEGIN { print "# path"; for (i = 0; i < 5000; i++) { print i, i + 1; print i + 1, i } }' >"$folder/path"
check "a plan of more than 4096 barriers" wraps

# Without a seed nobody leaves, and the record says so.
still() {
    ends 0 workers 4 "$MUSTER" run pannotia/sssp --variant=cooperative --input=road:40 --device="$pocl" --team=4 --samples=3 \
        --patience=4000000000 --json && [ "$(member resized "$folder/out") $(member left "$folder/out")" = '0 0' ]
}
check "nothing is resized that nobody wants resized" still

# A failure says with which seed: here those that come believe that one more has come.
kernels "$folder/kernels"
sed -i 's/words\[MU_LOCAL_RANK\] = words\[MU_LOCAL_SLOT\];/& words[MU_LOCAL_SIZE]++;/' \
    "$folder/kernels/variants/cooperative/parked.clh"
names_seed() {
    workers 4 "$MUSTER" run pannotia/sssp --variant=cooperative --input=road:40 --device="$pocl" --team=4 --stress=1 "$one_item" \
        --samples=50 --warmup=0 --patience=4000000000 --spin-limit=100000000 --kernel-dir="$folder/kernels" --json \
        >"$folder/out" 2>"$folder/err"
    [ $? = 1 ] && grep -q -E -e '\(--stress=[0-9]+ --warmup=0 --samples=1\)' "$folder/out" "$folder/err"
}
if in_full; then check "a failure says its seed" names_seed; fi

# ---- A load beside the plan ----

# loaded GROUPS [OPTION...]: tasks of a load that lasts, beside a plan that is long enough for some.
loaded() {
    groups=$1
    shift
    workers 4 "$MUSTER" run pannotia/sssp --variant=cooperative --input=road:100 --device="$pocl" --team=4 --samples=2 \
        --warmup=0 --patience=4000000000 "$one_item" --load=brief --load-groups="$groups" --json "$@" >"$folder/out" 2>"$folder/err"
}

# Its results are checked, and every task has its times.
serves() {
    loaded "$1" || { cat "$folder/err"; return 1; }
    tasks=$(member load_tasks "$folder/out")
    requests=$(member load_task/requests "$folder/out")
    echo "# requests: $requests"
    case $requests in svm | pinned | copied | schedule) ;; *) return 1 ;; esac
    [ "$(member check "$folder/out")" = passed ] && [ "$tasks" -gt 0 ] && [ "$(member left "$folder/out")" -gt 0 ] &&
        [ "$(pick 'load_gather_ns/*' <"$folder/out" | wc -l)" = "$tasks" ] &&
        [ "$(pick 'load_task_ns/*' <"$folder/out" | wc -l)" = "$tasks" ]
}
check 'a load gets all workgroups but one of the team, and is done' serves most
tabled() {
    "$MUSTER" table load --format=csv "$folder/out" >"$folder/table" || return 1
    grep -q "^pocl.*,pannotia/sssp,road:100 workgroup=1,brief,query,4,2,1,$(member load_tasks "$folder/out")," "$folder/table" || { cat "$folder/table"; return 1; }
}
check 'table load shows it' tabled

in_full 11 || tap_done
# A campaign of loads ends in their table.
campaign() {
    workers 4 "$MUSTER" bench pannotia/sssp --variants=cooperative --input=road:100 --device="$pocl" --team=4 --repeats=1 \
        --patience=4000000000 --load=idle,brief --no-tune --min-samples=2 --max-samples=2 >"$folder/out" 2>"$folder/err"
    grep -q 'A load beside cooperative plans' "$folder/out" && ! grep -q 'No results' "$folder/out"
}
check 'a campaign of loads ends in their table' campaign
check 'a load gets one workgroup, and is done' serves 1

# An idle load has the kernel and no task, also where requests would come by schedule.
idle() {
    loaded most --load=idle "$@" || { cat "$folder/err"; return 1; }
    [ "$(member check "$folder/out") $(member load_tasks "$folder/out") $(member left "$folder/out")" = 'passed 0 0' ]
}
check 'an idle load asks for nothing' idle
kernels "$folder/deaf"
sed -i 's/mu_store_relaxed(sync + MU_LOAD_REQUEST(groups), 1u);/;/' "$folder/deaf/variants/cooperative/schedule.clh"
check '… nor by schedule' idle --kernel-dir="$folder/deaf"

# A team of two has nobody to give.
refused() {
    workers 2 "$MUSTER" run pannotia/sssp --variant=cooperative --input=road:40 --device="$pocl" --team=2 \
        --patience=4000000000 "$one_item" --load=brief >"$folder/out" 2>"$folder/err"
    grep -q 'no workgroup to schedule' "$folder/out" "$folder/err"
}
check 'a team of two has no workgroup for a load' refused

# planted FILE SCRIPT TEXT: the kernel with that error in it says so.
planted() {
    rm -rf "$folder/planted"
    kernels "$folder/planted"
    sed -i "$2" "$folder/planted/variants/cooperative/$1"
    cmp -s "$srcdir/variants/cooperative/$1" "$folder/planted/variants/cooperative/$1" && { echo 'nothing was planted'; return 1; }
    loaded most --kernel-dir="$folder/planted" --spin-limit=100000000
    grep -q -F -e "$3" "$folder/out" "$folder/err" || { cat "$folder/out" "$folder/err"; return 1; }
}
# A kernel that does not see the host ask gets its requests by schedule.
unheard() {
    planted schedule.clh 's/mu_store_relaxed(sync + MU_LOAD_REQUEST(groups), 1u);/;/' '"requests":"schedule","asking_ns":0' &&
        [ "$(member check "$folder/out")" = passed ] && [ "$(member load_tasks "$folder/out")" -gt 0 ]
}
check 'where the host is not heard requests come by schedule' unheard
# Requests that are always due, as those of tasks that take longer than their period, end with the plan all the same.
check 'requests that follow one another end with the plan' planted schedule.clh \
    's/if (S.sync\[MU_LOAD_TOLD(.*MU_LOAD_BY_HOST\] == 0) return mu_clock() >= due;/return true;/' '"outcome":"ok"'
# A workgroup that rank 0 sends on while the scheduler still counts it as parked serves at the plan's end, if the team is not
# so small again before.
kernels "$folder/late"
sed -i -e 's/if (S.sync\[MU_LOAD_TOLD(.*MU_LOAD_BY_HOST\] == 0) return mu_clock() >= due;/return true;/' \
    -e 's/mu_store_relaxed(S.want, team);/& for (volatile uint i = 0; i < 3000000; i++);/' \
    "$folder/late/variants/cooperative/schedule.clh"
sed -i 's/while (slot < most && mu_coop_claim(sync, words, slot)) slot++;/& for (volatile uint i = 0; i < 6000000; i++);/' \
    "$folder/late/variants/cooperative/barrier.clh"
# On a busy machine a command may end before any has come; one is asked for that has seen it.
sent_on() {
    for try in 1 2 3 4 5 6 7 8 9 10 11 12; do
        ends 0 workers 5 "$MUSTER" run pannotia/sssp --variant=cooperative --resizing=plain --input=road:60 --device="$pocl" "$one_item" \
            --team=5 --load=brief --load-groups=most --samples=20 --warmup=0 --patience=4000000000 --kernel-dir="$folder/late" \
            --json --spin-limit=400000000 || return 1
        [ "$(member came "$folder/out")" -eq 0 ] || return 0
    done
    echo "nobody came in $try commands"
    return 1
}
check 'a request that takes workgroups that are just sent on is done' sent_on
check 'a share that is done in part is seen' planted load.clh 's/row < side \* (share + 1) \/ shares/& - 1/' 'the load: C is not'
check 'a workgroup that is lost is told' planted load.clh 's/mu_add_release(sync + MU_LOAD_DONE(groups), 1u);//' \
    'was not done by its workgroups'

# A workgroup that is to come, but gets no mail, is a deadlock that is told.
kernels "$folder/silent"
sed -i 's/mu_coop_post(sync, words, size, next, 2/if (next > 99) &/' "$folder/silent/variants/cooperative/barrier.clh"
lost() {
    workers 2 "$MUSTER" run pannotia/sssp --variant=cooperative --input=road:40 --device="$pocl" --team=2 --stress=1 "$one_item" \
        --samples=1 --warmup=0 --patience=4000000000 --spin-limit=4000000 --kernel-dir="$folder/silent" \
        >"$folder/out" 2>"$folder/err"
    has "$folder/out" deadlock
}
check "a workgroup that gets no mail is a deadlock" lost
tap_done
