#!/bin/sh
# What a user gets wrong: a word too many, a file of another kind, options that do not go together. Each is refused before
# anything runs or is written, by a message that names it and with exit code 2; and text that nobody can read is an error.
. "$srcdir/tests/tap.inc"
work=$folder/work
case $srcdir in /*) ;; *) srcdir=$PWD/$srcdir ;; esac
mkdir "$work" && cd "$work" || exit 99

# refuses PART ARGUMENT...: with exit code 2, one line on standard error which has the part, and nothing on standard output.
refuses() {
    part=$1
    shift
    ends 2 "$MUSTER" "$@" && has "$folder/err" "$part" && [ "$(wc -l <"$folder/err")" -eq 1 ] && [ ! -s "$folder/out" ]
}
for command in devices litmus probe advise; do
    check "muster $command takes options only" refuses "'mis' is too much: muster $command takes options only" "$command" mis
done

# ---- Files ----

: >empty.jsonl
echo 'Dear reader' >letter.txt
mkdir folder
{ head -c 3000 /dev/zero && echo; } >zeros
printf '[1, 2]\n' >list.json
for file in letter.txt zeros list.json; do
    check "predict from $file" refuses "$file:1: not a record" predict "$file"
    check "table history of $file" refuses "$file:1: not a record" table history "$file"
    check "table litmus of $file" refuses "$file:1: not a record" table litmus "$file"
    check "merge of $file" ends 2 "$MUSTER" results merge --output=merged.jsonl "$file"
    check '… which leaves no file' [ ! -e merged.jsonl ]
    check '… and says that it was all' has "$folder/err" "$file:1: " 'nothing was merged: '
done
for file in empty.jsonl folder /dev/null; do
    check "predict from $file" refuses "$file: no run of multi-kernel that went well" predict "$file"
    check "a merge of nothing, $file, is nothing" ends 0 "$MUSTER" results merge "$file"
done
check 'predict from a file that is not there' refuses 'none.jsonl: no such file or folder' predict none.jsonl
check 'two files at once: the wrong one is named' refuses 'letter.txt:1: not a record' predict empty.jsonl letter.txt
check 'merge makes JSON Lines and no CSV' refuses '--format=csv: merge writes the records as they are' results merge --format=csv .
check '… and takes --json for what it does' ends 0 "$MUSTER" results merge --json empty.jsonl
if [ "$(id -u)" -ne 0 ]; then
    echo '{}' >secret.jsonl && chmod 0 secret.jsonl
    check 'a file that may not be read' refuses "secret.jsonl" predict secret.jsonl
else
    skip 'a file that may not be read' 'root may read all'
fi

# Published results are read beside those of one's own, and beside no file that is named.
unset MUSTER_RESULTS
MUSTER_DATA=$srcdir
export MUSTER_DATA
quiet_of() {
    ends "$@" && ! grep 'published results' "$folder/err"
}
check 'a file that is named is no published result' quiet_of 0 "$MUSTER" results empty.jsonl
check '… nor one with a label' quiet_of 2 "$MUSTER" table summary empty.jsonl@a
check '… nor two that are compared' quiet_of 2 "$MUSTER" compare empty.jsonl ./empty.jsonl
check '… nor those that are merged' quiet_of 0 "$MUSTER" results merge empty.jsonl
check 'a published chip is found by its name' ends 0 "$MUSTER" table headline nvidia-h200-132
# A data folder as it is installed without the records.
mkdir -p data/analysis/plots data/results/chips/nvidia-h200-132 && : >data/analysis/plots/report.py
without_records() {
    ends "$1" env MUSTER_DATA="$work/data" "$MUSTER" table headline ${2:+"$2"} && has "$folder/err" 'Debian package muster-data'
}
check 'where the records are not installed, tables say which package has them' without_records 0
check '… and so does a set that would be there' without_records 2 results/chips/nvidia-h200-132/paper.session-7.jsonl.xz
unset MUSTER_DATA
MUSTER_RESULTS=$folder/results
export MUSTER_RESULTS

# ---- Options of campaigns ----

mkdir "$MUSTER_RESULTS"
check 'a suite that is not there: studies are suites, too' refuses 'irgl, persistent, persistent-2012, persistent-small' bench --suite=nothing
check '… a misspelled one' refuses '(did you mean persistent?)' bench --suite=persistant
for option in --brief --junit=x --stamp=x --repeats=3 --together=3 --tune --no-tune --retune --split --shard=1/2 --max-time=1 \
    --target-width=2 --min-samples=2 --order-seed=2 --label=x --set=x; do
    check "a study and $option" refuses '--suite=persistent is a study: of the options only' bench --suite=persistent "$option"
done
check 'parts of one device' refuses '--split goes with --device=all or a list' bench --split --device=pocl
check '… of the first one' refuses '--split goes with --device=all or a list' bench --split
check 'a part of several devices' refuses '--shard and --stamp are for one device' bench --device=all --shard=1/2
for part in 0/2 3/2 1/0 1 a/b 1/2/3 -1/2 1/1000000 1/ /2 ''; do
    check "part '$part'" refuses "--shard=$part: not a part" bench --shard="$part"
done
check 'an input without a name' refuses '--input= names no input' bench --input=

# An input that cannot be one is refused by whoever takes inputs, before a device is asked for: that there is none would be
# exit code 3.
mkfifo pipe
for command in run bench tune check-app; do
    check "$command of its standard input" refuses '--input=/dev/stdin: not a file, and a process that measures has no' \
        "$command" mis --device=none --input=/dev/stdin
done
for command in bench check-app; do
    check "$command of a pipe" refuses 'pipe: not a file, and every process' "$command" mis --device=none --input=pipe
done
generators=$("$MUSTER" list generators | awk '!/^generators/ { printf "%s%s", between, $1; between = ", " }')
mkdir meshes && printf '1 3 0\n1 1 2 3\n' >meshes/half.ele
printf 'p sp 2 1\na 1 3 1\n' >wrong.gr
for command in bench tune; do
    check "$command on nonsense, with all generators" refuses "--input: 'nonsense' is neither a file nor a generator; generators: $generators" \
        "$command" --device=none --input=nonsense
    check "$command on a file that is missing" refuses "--input: 'none.gr' is neither a file" "$command" --device=none --input=road:4 --input=none.gr
    check "$command on a file that is no graph" refuses '--input: wrong.gr:2: ' "$command" --device=none --input=wrong.gr
    check "$command on a misspelled generator" refuses '(did you mean mesh:N?)' "$command" --device=none --input=mehs:4
    check "$command on no parameters" refuses "--input: bad input 'road:x': the syntax is road:N" "$command" --device=none --input=road:x
    check "$command: an app on another kind" refuses "--input: 'road:4' is a graph, and a mesh is needed" "$command" dmr --device=none --input=road:4
    check "$command: an app without an input" refuses '--input: lonestar/dmr takes a mesh, and none is named' \
        "$command" dmr mis --device=none --input=road:4
done
check 'bench on all devices, on nonsense' refuses "--input: 'nonsense' is neither" bench --device=all --input=nonsense
check 'run on nonsense' refuses "'nonsense' is neither a file nor a generator; generators of graphs: grid2d:" run mis --device=none --input=nonsense
check 'run on a mesh that lacks a file' refuses 'half.node: no such file' run dmr --device=none --input=meshes/half.ele
check 'run of dmr on nonsense' refuses 'generators of meshes: mesh:N, meshgrid:WxH[:A]' run dmr --device=none --input=nonsense
check 'graph of nonsense, with all generators' refuses "generators: $generators" graph nonsense
check 'graph of a misspelled mesh' refuses '(did you mean mesh:N?)' graph mehs:4
check 'a page without a name' refuses "cannot write '': a file needs a name" report --output=
check 'costs without parts' refuses '--costs goes with --shard' bench --costs=letter.txt
for file in folder none/stamp /proc/stamp; do
    check "a stamp that cannot be written: $file" refuses 'cannot write' bench --stamp="$file" --set=stamped
done
check '… before any record is made' [ -z "$(ls "$MUSTER_RESULTS")" ]

# ---- muster submit ----

for number in 0 abc '' 1e3 100001; do
    check "$number parts" refuses "--shards=$number: not a whole number from 1 to 100000, nor auto" submit --shards="$number"
done
check 'parts on several devices' refuses '--device=all: a part runs on one device' submit --engine=script --device=all
check '… on a list of them' refuses '--device=0,1: a part runs on one device' submit --engine=script --device=0,1
check 'a study in parts' refuses '--suite=persistent is a study' submit --engine=script --suite=persistent
check 'an engine that is not there' refuses '--engine=pbs: no such choice; there are: slurm, script' submit --engine pbs
check 'no job is left by any of them' [ ! -e muster-job ]
spaced() {
    ends 0 "$MUSTER" submit --engine script --folder 'a job' --shards 2 mis --input road:6 --input road:5 &&
        has 'a job/task.sh' "'mis' '--input' 'road:6' '--input' 'road:5'" '--shard="$part/2"'
}
check 'values behind a space' spaced
check 'no value at all' ends 2 "$MUSTER" submit --folder
# What a job that did not come about has left is not the next one's.
stale() {
    ends 2 "$MUSTER" submit --engine=script --folder=stale --shards=3 mis --input=road:6 && [ ! -e stale/job.json ] &&
        ends 0 "$MUSTER" submit --engine=script --folder=stale --shards=1 bfs --input=road:5 &&
        has stale/costs.json lonestar/bfs && ! grep mis stale/costs.json
}
check 'another job in the folder of one that failed' stale

# ---- muster probe ----

check 'fine sizes of an app' refuses "--fine, --quick and --thesis are of the chip's experiments" probe --fine --app=mis
check 'a quick look at an app' refuses "--fine, --quick and --thesis are of the chip's experiments" probe --quick --app=mis
check 'keys as JSON' refuses '--keys prints a table in Markdown' probe --keys --json
check 'an input without an app' refuses '--input, --input-format and --workgroup go with --app' probe --input=road:6
check '… and its format' refuses '--input, --input-format and --workgroup go with --app' probe --input-format=snap
printf '3 3\n2 3\n1 3\n1 2\n' >both.txt
check 'an input of two formats' refuses 'fits the formats metis and snap' probe --app=mis --input=both.txt
check 'an input that is a pipe' refuses 'pipe: not a file, and every process' probe --app=mis --input=pipe
check 'a format that there is not' refuses '--input-format=gif: no such choice' probe --app=mis --input-format=gif
check '… of an app that is checked' refuses 'input-format=gif: no such choice' check-app mis --input-format=gif

# ---- Files of a campaign ----

find_pocl || no_device=$no_pocl
if [ -n "${no_device:-}" ]; then
    skip 'costs that are none, and the plan of a study' "$no_device"
else
    for file in letter.txt list.json folder none; do
        check "costs from $file" refuses "$file" bench --device="$pocl" --dry-run --shard=1/2 --costs="$file"
    done
    check 'the plan of a study leaves nothing' ends 0 "$MUSTER" bench --device="$pocl" --suite=persistent-small --dry-run
    check '… in the folder of results' [ -z "$(ls "$MUSTER_RESULTS")" ]
fi

# ---- A device ----

bound() {
    ends "$1" "$MUSTER" probe --device="$pocl" --app=mis --input=small.gr --workgroup=1
}
useless() {
    ends 0 "$MUSTER" run mis --device="$pocl" --variant=multi-kernel --input=road:4 --samples=1 --workgroup=1 --readback=blocking "$@"
}
if [ -z "${no_device:-}" ] && in_full 9; then
    check 'the bound of an app on an input that is not there' refuses "'small.gr' is neither a file nor a generator" \
        probe --device="$pocl" --app=mis --input=small.gr --workgroup=1
    printf 'p sp 2 2\na 1 2 3\na 2 1 3\n' >small.gr
    check '… and is looked for again once it is there' bound 0
    check '… of which alone is told' [ "$(cut -d : -f 2 "$folder/out" | cut -c 1-7)" = ' bound ' ]
    check 'stress of a variant that has none' useless --stress=1 --load=light --rollcall=ticket
    check '… is told' has "$folder/err" 'note: --stress changes nothing in variant multi-kernel' '--load changes nothing'
    check '… and what else the variant does not have' has "$folder/err" '--rollcall changes nothing in variant multi-kernel'
    check 'workgroups that portable alone launches' useless --variant=specialised --team=1 --groups=64
    check '… are told, too' has "$folder/err" 'note: --groups changes nothing in variant specialised'
fi

# ---- Help that cannot be written ----

if [ -c /dev/full ]; then
    for command in run bench submit litmus predict table; do
        check "muster $command --help on a full disk" sh -c '"$0" "$1" --help >/dev/full 2>"$2"; [ $? -eq 2 ] &&
            grep "standard output: cannot write" "$2"' "$MUSTER" "$command" "$folder/err"
    done
else
    skip 'help on a full disk' 'there is no /dev/full'
fi
closed() {
    ! "$MUSTER" help submit >&- 2>"$folder/err" && has "$folder/err" 'standard output: cannot write'
}
check 'help without standard output' closed
tap_done
