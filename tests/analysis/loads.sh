#!/bin/sh
# Tables of apps beside a load, of work-stealing apps, and of runs with random waits or schedules. Needs no device.
. "$srcdir/tests/tap.inc"

# ---- Loads ----

# loaded KEY INPUT DATE TASK_NS
loaded() {
    printf '{"schema":4,"kind":"run","app":"a","input":"%s","variant":"cooperative","chip":"c","outcome":"ok","workgroup":64,' "$2"
    printf '"configuration":{"load":"brief","load_groups":"most","resizing":"query"},"date":"%s","key":"%s",' "$3" "$1"
    printf '"samples_ns":[5],"load_gather_ns":[1],"load_task_ns":[%s],"load_period_ns":[9],"load_task":{"groups":2}}\n' "$4"
}
# columns_of GRID COLUMN...: these columns of the rows of a grid of CSV, a row from the next by a semicolon.
columns_of() {
    awk -F , -v columns="$*" '
        BEGIN { count = split(columns, names, " ") }
        /^$/ { grid++; head = 0; next }
        grid + 1 != names[1] { next }
        !head { for (i = 1; i <= NF; i++) place[$i] = i; head = 1; next }
        { line = ""; for (i = 2; i <= count; i++) line = line (i > 2 ? " " : "") $place[names[i]]; print line }' | paste -s -d ';' -
}
loads_of() {
    "$MUSTER" table load --format=csv "$folder/load.jsonl" 2>"$folder/err" | columns_of "$@"
}
tasks_of() {
    loads_of 1 tasks
}
long=$(printf '%0200d' 0)
{ loaded k1 "${long}a" 2026-01-02 3 && loaded k2 "${long}b" 2026-01-02 3; } >"$folder/load.jsonl"
check 'inputs with long names have rows of their own in table load' [ "$(tasks_of)" = '1;1' ]
{ loaded k1 i 2026-01-02 3 && loaded k1 i 2026-01-01 4; } >"$folder/load.jsonl"
check 'a record that stands for another is not counted with it' [ "$(tasks_of)" = 1 ]

# Plans that differ in an option are told apart, whichever it is, and a slowdown is over the same plan. Those that differ in
# how much was measured are one plan. of SOURCES LOAD NS [SCRIPT]
of() {
    key=$((${key:-0} + 1))
    loaded "$key" i 2026-01-02 3 | sed "s/\"configuration\":{/&\"sources\":$1,\"samples\":$key,/; s/\"load\":\"brief\"/\"load\":\"$2\"/
        s/\"outcome\"/\"configuration_from\":{\"sources\":\"option\",\"samples\":\"option\"},&/; s/\[5\]/[$3]/; ${4:-}"
}
slowdowns_of() {
    loads_of 1 input tasks slowdown
}
{ of 400 none 10 && of 800 none 40 && of 400 brief 20 && of 800 brief 60 && of 400 brief 20; } >"$folder/load.jsonl"
check 'table load tells plans with other --sources apart' [ "$(slowdowns_of)" = 'i sources=400 2 2;i sources=800 1 1.5' ]
means_of() {
    loads_of 2 asked_for plans slowdown most_slowdown period_ns | awk '{ $3 *= $3; print }'
}
check 'and has their geometric mean and their greatest, at the period that they keep' [ "$(means_of)" = 'most 2 3 2 9' ]
# What a load is compared with is the same kernel and team without a task, where that was measured.
idle='s/"chip":"c"/&,"kernel_hash":"k","team":3/'
{ of 400 none 10 && of 400 brief 20 "$idle" && of 400 idle 40 "$idle"; } >"$folder/load.jsonl"
check '… over load idle, where there is one of the same kernel' [ "$(slowdowns_of)" = 'i sources=400 1 0.5' ]
{ of 400 none 10 && of 400 brief 20 "$idle" && of 400 idle 40; } >"$folder/load.jsonl"
check '… else over the kernel without a load' [ "$(slowdowns_of)" = 'i sources=400 1 2' ]
# Processes have layouts of their own, and are put together: here their times are 4 and 16, and those without a task 2 and 8.
laid='s/"sources":400,"samples"/"layout":LAYOUT,&/'
{ for layout in 1 2; do
    of 400 brief $((layout * layout * 4)) "$(echo "$laid" | sed "s/LAYOUT/$layout/")"
    of 400 idle $((6 * layout - 4)) "$(echo "$laid" | sed "s/LAYOUT/$layout/")"
done; } >"$folder/load.jsonl"
check 'table load puts processes together' [ "$(loads_of 1 processes run_ns slowdown)" = '2 8 2' ]
check '… whose differences are in the interval' [ "$(loads_of 1 run_ns_low run_ns_high slowdown_low slowdown_high | awk '{ print ($1 < 4 && $2 > 16 && $3 < 1 && $4 > 4) }')" = 1 ]
# With another workgroup size, atomics, label, driver or program there is no time without a load to compare with.
for script in 's/"workgroup":64/"workgroup":32/' 's/"load":"brief"/"atomics":"ptx",&/' 's/"chip":"c"/&,"label":"b"/' \
    's/"chip":"c"/&,"driver":"2"/' 's/"chip":"c"/&,"program_hash":"2"/' 's/"chip":"c"/&,"input_hash":"2"/'; do
    { of 400 none 10 && of 400 brief 20 && of 400 brief 20 "$script"; } >"$folder/load.jsonl"
    check "nor are those one that differ by $script" [ "$(slowdowns_of)" = 'i sources=400 1 2;i sources=400 1 ' ]
done

# The loads that a campaign compared stand in labels, but for them there is one plan, and one chip.
compared='s/"chip":"c"/&,"label":"x-load=none,load_groups=half"/'
{ of 400 none 10 "$compared" && of 400 brief 20 "$(echo "$compared" | sed 's/none/brief/')"; } >"$folder/load.jsonl"
check 'table load compares loads of one campaign' [ "$(slowdowns_of)" = 'i sources=400 1 2' ]
labels_of() {
    "$MUSTER" table load --format=csv "$folder/load.jsonl" 2>"$folder/err" | awk -F , 'NR == 2 { print $1 }'
}
check '… whose label is what is not of the load' [ "$(labels_of)" = c@x ]

# ---- Work-stealing apps ----

# stole COMMIT FIRST_SEED IMPLEMENTATION NS: a measurement of the octree, whose processes differ in their first seeds.
stole() {
    printf '{"schema":4,"kind":"persistent","chip":"c","driver":"d","commit":"%s","outcome":"ok","part":0,"groups":3,"ns":[%s],' "$1" "$4"
    printf '"implementation":"%s","parameters":{"experiment":"octree","points":8,"seeds":2,"first_seed":%s,"team":3,"turns":1}}\n' "$3" "$2"
}
# burdened PROCESS IMPLEMENTATION SHARE NS: one beside a load.
burdened() {
    printf '{"schema":4,"kind":"persistent","chip":"c","driver":"d","commit":"x","outcome":"ok","part":0,"groups":2,"ns":[%s],' "$4"
    printf '"implementation":"%s","load_groups":"%s","load_gather_ns":[1],"load_task_ns":[2],"load_period_ns":[3],' "$2" "$3"
    printf '"load_task":{"groups":1,"period_ns":40,"alone_ns":8},'
    printf '"parameters":{"experiment":"game-load","depth":2,"load":"medium","process":%s,"team":3,"turns":1}}\n' "$1"
}
mkdir -p "$folder/results/c"
{ stole old 1 original 100 && stole x 1 original 2 && stole x 1 cooperative 4 && stole x 3 original 8 && stole x 3 cooperative 16 &&
    burdened 1 idle 1 4 && burdened 1 load half 8 && burdened 2 idle 1 16 && burdened 2 load half 32; } >"$folder/results/c/stealing.jsonl"
# columns TABLE GRID COLUMN...: of a table of all results.
columns() {
    table=$1
    shift
    MUSTER_RESULTS="$folder/results" "$MUSTER" table "$table" --format=csv --chip=c 2>"$folder/err" | columns_of "$@"
}
check 'table stealing puts the processes of a build together' [ "$(columns stealing 1 app size processes original_ns slowdown)" = 'octree 8 2 4 2' ]
check '… and those beside a load, over those without a task' [ "$(columns stealing 2 app size load groups processes run_ns slowdown)" = 'game 2 medium 1 2 16 2' ]
check '… with their means by load and share' [ "$(columns stealing 3 load asked_for apps slowdown most_of preempted)" = 'medium half 1 2 game 2 1.25' ]
# ran VARIANT INPUT NS: a run of suite cooperative.
ran() {
    printf '{"schema":4,"kind":"measure","set":"cooperative","app":"a","input":"%s","variant":"%s","chip":"c","driver":"d","outcome":"ok",' "$2" "$1"
    printf '"workgroup":64,"configuration":{},"date":"2026-01-02","key":"%s%s","repeat":0,"samples_ns":[%s]}\n' "$1" "$2" "$3"
}
{ ran portable i 10 && ran cooperative i 40 && ran portable j 10 && ran cooperative j 10; } >"$folder/results/c/cooperative.jsonl"
check 'table cooperative has the classes of apps' [ "$(columns cooperative 2 set class tests slowdown most_slowdown most_of)" = \
    'cooperative global barriers 2 2 4 a i;cooperative work stealing 1 2 2 octree 8;cooperative all 3 2 4 a i' ]

# Runs with random waits are no times; their failures are told.
perturbed() {
    printf '{"schema":4,"kind":"run","app":"a","input":"i","variant":"portable","chip":"c","outcome":"%s","workgroup":64,' "$1"
    printf '"configuration":{"perturb":1},"date":"2026-01-02","key":"%s","samples_ns":[5,6,7]}\n' "$1"
}
times_of() {
    { perturbed "$1" | sed "${2:-}"; } >"$folder/perturbed.jsonl" && "$MUSTER" table times --format=csv "$folder/perturbed.jsonl" 2>"$folder/err" |
        awk -F , 'NR > 1 { print $3, $NF }'
}
check 'a run with random waits is no time' [ -z "$(times_of ok)" ]
check '… which one without them is' [ "$(times_of ok 's/"perturb":1//')" = 'a ok' ]
check '… but its failure is told' [ "$(times_of wrong)" = 'a wrong' ]

# stressed KEY OUTCOME SAMPLES: a record of runs under random schedules, which table load leaves out.
stressed() {
    printf '{"schema":4,"kind":"run","app":"a","input":"i","variant":"cooperative","chip":"c","outcome":"%s","check":"%s","team":4,"workgroup":64,' "$2" "$2"
    printf '"configuration":{"load":"none","resizing":"plain","stress":1},"date":"2026-01-02","key":"%s","resized":7,"left":5,' "$1"
    printf '"came":3,"least_team":2,"samples_ns":[%s]}\n' "$3"
}
loaded k1 i 2026-01-02 3 >"$folder/load.jsonl"
alone=$("$MUSTER" table load --format=csv "$folder/load.jsonl" 2>"$folder/err")
{ loaded k1 i 2026-01-02 3 && stressed k2 ok 1,2,3 | sed 's/"check":"ok"/"check":"passed"/' && stressed k3 wrong 4; } >"$folder/load.jsonl"
rows_of() {
    "$MUSTER" table "$1" --format=csv "$folder/load.jsonl" 2>"$folder/err" | tail -n +2
}
check 'runs under random schedules are counted with their failures' [ "$(rows_of resizing)" = 'c,a,i,plain,4,4,1,7,5,3,2' ]
check 'and are no time without a load' [ "$("$MUSTER" table load --format=csv "$folder/load.jsonl" 2>"$folder/err")" = "$alone" ]
check 'neither they nor runs beside a load are times of the variant' [ -z "$(rows_of times)" ]
{ loaded k1 i 2026-01-02 3 | sed 's/"load":"brief"/"load":"none"/' && stressed k2 ok 1,2,3; } >"$folder/load.jsonl"
check 'as those without are' [ "$(rows_of times | wc -l)" = 1 ]
tap_done
