#!/bin/sh
# muster submit: a campaign in parts, by scripts that are run by hand, and on a real Slurm where it is installed.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised
need_workers 2
set_workers 2
work=$folder/work
mkdir "$work" && cd "$work" || exit 99
case $srcdir in /*) ;; *) srcdir=$OLDPWD/$srcdir ;; esac
quick='--variants=multi-kernel,portable --min-samples=2 --max-samples=3 --max-time=0.02 --workgroup=1'

# submit ARGUMENT...: its output is in $folder/out.
submit() {
    "$MUSTER" submit "$@"
}
# states [FOLDER]: of the parts, as words.
states() {
    submit --status --json ${1:+--folder="$1"} | pick 'rows/*/state' | paste -s -d ' ' -
}
# complete COUNT FILE: the records are those of that many runs, each once.
complete() {
    "$JSON_PICK" order <"$2" | sort -n >"$folder/orders" && awk -v count="$1" 'BEGIN { for (i = 0; i < count; i++) print i }' |
        cmp "$folder/orders" -
}

# ---- Scripts ----

# shellcheck disable=SC2086 # they are words
scripts() {
    submit --engine=script --shards=2 mis --input=road:6 --input=rmat:5 --input=road:5 --repeats=2 --label="it's" $quick "$@"
}
check 'scripts for two parts' ends 0 scripts -- --partition=gpu --comment='a b'
check '… with options for the scheduler' has muster-job/task.sh '#SBATCH --array=1-2 --requeue' \
    "#SBATCH --partition=gpu '--comment=a b'"
check '… and nothing is run' [ "$(states)" = 'waiting waiting' ]
check 'the second part, by hand' ends 0 sh muster-job/task.sh 2
check '… is done, and the first one waits' [ "$(states)" = 'waiting done' ]
check '… with its records' [ "$(wc -l <"$(echo "$MUSTER_RESULTS"/*/custom.2-of-2.jsonl)")" -eq 4 ]
# The campaign is killed, as by a machine that fails, then told to stop, as by a scheduler.
stopped() {
    signal=$1 state=$2
    : >"$folder/task.err"
    sh muster-job/task.sh 1 >"$folder/out" 2>"$folder/task.err" &
    task=$!
    until grep -q '^\[' "$folder/task.err" || ! kill -0 "$task"; do sleep 0.05; done
    [ "$(states)" = 'running done' ] || return 1
    bench=$(ps -o pid= --ppid "$task") && if [ "$signal" = KILL ]; then kill -KILL "$task"; fi && kill -"$signal" "$bench"
    wait "$task"
    # Its own children end with it.
    until [ "$(states)" != 'running done' ]; do sleep 0.05; done
    [ "$(states)" = "$state done" ]
}
if command -v ps >/dev/null; then
    check 'a part that is running, and then killed, is lost' stopped KILL lost
    check '… stopped, it has failed' stopped TERM failed
else
    skip 'a part that is killed' 'there is no ps'
fi
check 'all of them, which go on' ends 0 sh muster-job/run.sh
check '… end in a table' has "$folder/out" '2 done, 0 running' 'road:5' 'rmat:5' 'Runs that did not end well'
check '… of exactly the planned records' complete 12 muster-job/merged.jsonl
check 'the same command says so' ends 0 scripts
check '… for the same parts' has "$folder/out" '2 done, 0 running, 0 waiting, 0 failed, 0 lost'
mv "$(echo "$MUSTER_RESULTS"/*/custom.2-of-2.jsonl)" away.jsonl
check 'a part whose records were removed is lost' [ "$(states)" = 'done lost' ]
mv away.jsonl "$(dirname "$MUSTER_RESULTS"/*/custom.1-of-2.jsonl)/custom.2-of-2.jsonl"
check 'another campaign needs another folder' ends 2 submit --engine=script mis --input=road:6
check '… and is named' has "$folder/err" 'holds another job'
check 'a folder that holds no job' ends 2 submit --status --folder="$folder"
check 'an option that would begin parts anew' ends 2 submit --engine=script --folder=x --restart
in_folder() {
    mkdir new && (cd new && mkdir muster-job && MUSTER_RESULTS=mine && export MUSTER_RESULTS && "$MUSTER" submit --engine=script mis --input=road:6)
}
check 'a folder that is there already, where there are no results yet' ends 0 in_folder
check 'more parts than comparisons' ends 2 submit --engine=script --folder=x --shards=4 mis --input=road:6
check 'a folder of which no line can tell a scheduler' ends 2 submit --engine=script --folder="it's" mis --input=road:6
check 'an option for the scheduler that would be two lines' ends 2 submit --engine=script --folder=x mis --input=road:6 -- '--comment=a
touch b'
mkdir pipes && mkfifo pipes/job.json
check 'a pipe in the place of a job is not waited for' ends 2 timeout 20 "$MUSTER" submit --status --folder=pipes
check 'auto, by what runs took' ends 0 submit --engine=script --folder=auto --suite=paper
# As if each run had taken two minutes: 3 inputs of 2 runs of 2 variants, and as many again.
by_costs() {
    mkdir slow slow/chip && sed -e 's/"build_cached":false/"build_cached":true/' -e 's/"wall_ns":[0-9]*/"wall_ns":1200000000000/' \
        muster-job/merged.jsonl >slow/chip/custom.jsonl || return 1
    # shellcheck disable=SC2086 # they are words
    MUSTER_RESULTS=slow ends 0 submit --engine=script --folder=by-costs mis --input=road:6 --input=rmat:5 --input=road:5 \
        --repeats=2 $quick --chip=chip && [ "$(MUSTER_RESULTS=slow states by-costs | wc -w)" -eq 3 ]
}
check '… takes parts of an hour' by_costs
# A scheduler's program that hangs does not make muster deaf; `sleep` keeps its output open.
hangs() {
    mkdir -p "$folder/bin"
    printf '#!/bin/sh\n: >"%s"\nexec sleep 60\n' "$folder/asked" >"$folder/bin/sbatch"
    chmod +x "$folder/bin/sbatch"
    PATH=$folder/bin:$PATH "$MUSTER" submit --engine=slurm --folder=hanging --shards=2 mis --input=road:6 --input=road:5 >"$folder/out" 2>"$folder/err" &
    asking=$!
    until [ -e "$folder/asked" ] || ! kill -0 "$asking"; do sleep 0.05; done
    kill -TERM "$asking"
    began=$(date +%s)
    wait "$asking"
    [ $? -eq 130 ] && [ $(($(date +%s) - began)) -lt 30 ] && has "$folder/err" 'interrupted while waiting for sbatch'
}
check 'a signal ends the waiting for a scheduler that hangs' hangs
if command -v sbatch >/dev/null; then
    # Of a configuration that is not there it waits for a minute to appear.
    unreachable() {
        SLURM_CONF=/dev/null ends 2 submit --folder=nowhere mis --input=road:6
    }
    check 'a Slurm that does not answer' unreachable
else
    check 'no Slurm' ends 2 submit --folder=nowhere mis --input=road:6
    check '… says what can be done' has "$folder/err" 'sbatch cannot be run' '--engine=script'
    check '… and no folder is left' [ ! -e nowhere ]
fi

# The packages' names are bootstrap's; what else is done in the container is a script of the shell.
container() {
    sed -n '/^%post/,/^%runscript/{/^%/!p}' "$srcdir/doc/muster.def" >"$folder/post" && [ -s "$folder/post" ] &&
        sh -n "$folder/post" && has "$folder/post" './bootstrap build' 'make install'
}
check 'the definition of a container holds a script' container

# ---- Slurm ----

for program in sbatch slurmctld slurmd munged; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null || missing=$program
done
if [ -n "${missing:-}" ]; then
    skip 'on a Slurm of two nodes' "there is no $missing (Debian packages slurm-wlm and munge)"
    tap_done
elif [ "$(id -u)" -ne 0 ]; then
    skip 'on a Slurm of two nodes' 'only root can begin one'
    tap_done
elif ! in_full 11; then
    tap_done
fi
cluster=$folder/cluster
SLURM_CONF=$cluster/slurm.conf
export SLURM_CONF
trap '"$srcdir/tests/harness/commands/slurm-cluster" "$cluster" stop; tap_exit' EXIT
if ! "$srcdir/tests/harness/commands/slurm-cluster" "$cluster" start >"$folder/start.log" 2>&1; then
    skip 'on a Slurm of two nodes' "it does not begin: $(tail -n 1 "$folder/start.log")"
    tap_done
fi

# shellcheck disable=SC2086 # they are words
on_slurm() {
    submit --folder=slurm --set=slurm --shards=4 mis --input=road:6 --input=rmat:5 --input=road:7 --input=rmat:6 --repeats=12 $quick
}
state_of() {
    states slurm | cut -d ' ' -f "$1"
}
# becomes PART STATE...: waits until the part is in one of the states; a busy machine may compile for minutes before.
becomes() {
    part=$1
    shift
    for try in $(seq $((5 * hangs_after))); do
        now=$(state_of "$part")
        case " $* " in *" $now "*) return 0 ;; esac
        sleep 0.2
    done
    echo "part $part is $now at try $try"
    return 1
}
# begins PART: waits until the part has a record.
begins() {
    for try in $(seq $((5 * hangs_after))); do
        [ "$(cat "$MUSTER_RESULTS"/*/slurm."$1"-of-4.jsonl 2>/dev/null | wc -l)" -eq 0 ] || return 0
        sleep 0.2
    done
    echo "part $1 has no record at try $try"
    return 1
}
check 'an array job of four parts' ends 0 on_slurm
check '… and one that merges' has "$folder/out" ' runs parts 1,2,3,4, job ' ' merges them'
job=$(pick 'numbers/*' <slurm/job.json | tail -n 1)
# Two parts run at a time, and the next ones begin as soon as these have gone.
preempted() {
    begins 1 && scontrol requeue "${job}_1" && becomes 1 waiting
}
check 'a part that is pre-empted waits again' preempted
late() {
    begins 2 || return 1
    # Slurm's signal before the time is up. What it signals is gone by then, which scancel would try again and again.
    scancel --signal=USR1 --batch "${job}_2" 2>/dev/null &
    signalling=$!
    becomes 2 waiting
    ended=$?
    kill "$signalling" 2>/dev/null
    return "$ended"
}
check 'so does one whose time is up' late
cancelled() {
    begins 3 && scancel "${job}_3" && becomes 3 failed lost
}
check 'one that is cancelled has failed, or is lost' cancelled
crashed() {
    begins 4 && node=$(squeue -h -r -j "$job" -o '%K %N' | sed -n 's/^4 n//p') && [ -n "$node" ] &&
        "$srcdir/tests/harness/commands/slurm-cluster" "$cluster" crash "$node" && becomes 4 waiting &&
        "$srcdir/tests/harness/commands/slurm-cluster" "$cluster" up "$node"
}
check 'one whose node is killed waits again' crashed
check 'the same command submits again what was cancelled' ends 0 on_slurm
check '… and nothing else' has "$folder/out" ' runs parts 3, job '
# A job that is queued again waits for two minutes; these do not.
for part in 1 2 4; do scontrol update "jobid=${job}_$part" starttime=now || echo "# part $part is not in the queue"; done
finished() {
    for part in 1 2 3 4; do becomes "$part" "done" || return 1; done
    for _ in $(seq $((5 * hangs_after))); do
        [ -n "$(squeue -h)" ] || return 0
        sleep 0.2
    done
    squeue
    return 1
}
check 'all parts come to their end' finished
check 'the last job has printed the tables' has slurm/merge.out '4 done, 0 running' 'road:7' 'Runs that did not end well'
check 'there are exactly the planned records' complete 96 slurm/merged.jsonl
tap_done
