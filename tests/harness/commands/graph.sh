#!/bin/sh
# muster graph: what it prints, how it converts, and its exit codes.
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
count=0
failures=0

# check TITLE COMMAND...: the command must succeed.
check() {
    title=$1
    shift
    count=$((count + 1))
    if "$@" >"$folder/log" 2>&1; then
        echo "ok $count - $title"
    else
        failures=$((failures + 1))
        echo "not ok $count - $title"
        sed 's/^/# /' "$folder/log"
    fi
}

# skip TITLE REASON: what cannot run here.
skip() {
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

# says CODE PART ARGUMENT...: muster graph ends with that code, and its messages, if PART is given, have PART.
says() {
    code=$1
    part=$2
    shift 2
    "$MUSTER" graph "$@" >"$folder/out" 2>"$folder/err"
    got=$?
    cat "$folder/err"
    [ "$got" -eq "$code" ] || { echo "exit code $got"; return 1; }
    [ -z "$part" ] || grep -q -F -e "$part" "$folder/err"
}

prints() {
    part=$1
    shift
    "$MUSTER" graph "$@" >"$folder/out" && { cat "$folder/out"; grep -q -e "$part" "$folder/out"; }
}

hash_of() {
    "$MUSTER" graph "$@" | sed -n 's/^hash *//p'
}

same_hash() {
    one=$(hash_of "$1") && other=$(hash_of "$2") && echo "$one $other" && [ -n "$one" ] && [ "$one" = "$other" ]
}

converts() {
    "$MUSTER" graph "$1" --convert="$folder/x$2" && same_hash "$1" "$folder/x$2" && rm "$folder/x$2"
}

check 'vertices' prints '^vertices *1200$' grid2d:40x30
check 'edges' prints '^edges *4660 arcs$' grid2d:40x30
check 'histogram' prints '^  degree 4-7 *1064$' grid2d:40x30
check 'JSON' prints '"degree": {' grid2d:40x30 --json
check 'hash' prints '^hash *[0-9a-f]\{16\}$' road:20
check 'help tells the formats' prints 'galois2' --help
check 'help tells the default seed' prints 'default: 1' --help
for suffix in .gr .graph .metis .mtx .egr .wsg .galois .galois2; do
    check "conversion to $suffix" converts road:20 $suffix
done
for suffix in .pace .txt .el .sg; do
    check "conversion to $suffix" converts grid2d:9 $suffix
done
check 'a mesh' prints '^triangles *2122, area 1$' mesh:1000
check 'its bad triangles' prints '^bad *18 triangles' meshgrid:4x4
check 'its angles' prints '^angles *min 26\.5651, max 90\.0000 degrees$' meshgrid:4x4
check 'a mesh as JSON' prints '"bad_triangles": 18' meshgrid:4x4 --json
converts_mesh() {
    "$MUSTER" graph mesh:500 --convert="$folder/$1" && for name in "$1" m.node m.ele m.poly; do
        same_hash mesh:500 "$folder/$name" || return 1
    done
}
check 'conversion of a mesh' converts_mesh m
check 'by the name of one of the files' converts_mesh m.ele
check 'no temporary file is left' sh -c 'cd "$1" && ls m* && [ "$(echo m*)" = "m.ele m.node m.poly" ]' - "$folder"
printf '3 2\n1 0 0\n2 1 0\n3 1 0\n' >"$folder/twice.node"
printf '1 3\n1 1 2 3\n' >"$folder/twice.ele"
check 'a point twice, with both lines' says 2 'twice.node:4: the same point as' "$folder/twice.ele"
check 'no format for a mesh' says 2 '--format and --lossy are for graphs' mesh:5 --convert="$folder/z" --format=mtx
check 'no such mesh' says 2 'none.ele: no such file' "$folder/none.node"
check 'another seed is another graph' sh -c '[ "$0" != "$1" ]' "$(hash_of road:20)" "$(hash_of road:20 --seed=2)"
check 'format over suffix' "$MUSTER" graph grid2d:3 --convert="$folder/y.gr" --format=pace
check 'content over suffix' prints '^format *pace,' "$folder/y.gr"
check 'no input' says 2 'which input' --json
check 'two inputs' says 2 'one input' road:5 road:6
check 'no such option' says 2 'unrecognized option' road:5 --nonsense
check 'bad seed' says 2 'muster: --seed=x' road:5 --seed=x
check 'no such input' says 2 'muster: ' "$folder/none"
check 'bad parameters' says 2 'road:N' road:none
check 'no such format' says 2 'dimacs' road:5 --convert="$folder/z" --format=none
check 'no such suffix' says 2 'dimacs' road:5 --convert="$folder/z.none"
check 'format without conversion' says 2 '--convert' road:5 --format=pace
check 'a place that cannot be written' says 2 'cannot write' road:5 --convert="$folder/none/z.gr"
check '… is told before anything else' [ ! -s "$folder/out" ]
check '… of a mesh, too' says 2 'cannot write' mesh:5 --convert="$folder/none/z"
check 'weights would be lost' says 2 '--lossy' road:5 --convert="$folder/z.pace"
check 'and no file is made' [ ! -e "$folder/z.pace" ]
check 'unless so wanted' says 0 '' road:5 --convert="$folder/z.pace" --lossy
printf 'p sp 2 1\na 1 3 1\n' >"$folder/bad.gr"
check 'bad content, with file and line' says 2 'bad.gr:2: ' "$folder/bad.gr"
# What is no file. A device may have no end.
check 'a device is not read' says 2 'muster: /dev/zero: a device' /dev/zero
check '… and may be empty' says 2 'muster: /dev/null: a device' /dev/null
check 'a pipe is read' sh -c '"$0" graph road:5 --convert="$1/p.gr" >"$1/one" && cat "$1/p.gr" | "$0" graph /dev/stdin >"$1/two" &&
    [ "$(grep ^hash "$1/one")" = "$(grep ^hash "$1/two")" ]' "$MUSTER" "$folder"
if command -v python3 >/dev/null; then
    python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$folder/s"
    check 'a socket is not read' says 2 's: a socket' "$folder/s"
else
    skip 'a socket is not read' 'python3 is not installed'
fi
# What a file was taken for, and its weights.
printf '# c\n0 1 5\n1 2 7\n' >"$folder/list"
printf '0 1 0.5\n1 2 7\n' >"$folder/real"
printf '3 3\n2 3\n1 3\n1 2\n' >"$folder/both"
check 'what a file was taken for, and why' prints '^format *wel, told by three or four numbers' "$folder/list"
check 'skipped lines' prints '^skipped *1 lines' "$folder/list"
check 'weights of the file' prints '^weights *5 to 7, from the input$' "$folder/list"
check 'weights that are no whole numbers' prints "^weights *none: .*line 1: '0.5'" "$folder/real"
check 'weights scaled' prints '^weights *5 to 70, from the input, times 10' "$folder/real" --weights=scaled:10
check 'a rule that is none' says 2 'scaled:K' "$folder/real" --weights=scaled
check 'two formats fit' says 2 '--input-format=metis or --input-format=snap' "$folder/both"
check 'as METIS' prints '^edges *6 arcs' "$folder/both" --input-format=metis
check 'as an edge list' prints '^edges *4 arcs' "$folder/both" --input-format=snap
check 'no such format to read' says 2 'galois2' "$folder/both" --input-format=gml
check 'a generator has no format to read' says 2 'generator' road:5 --input-format=snap
check 'a format that is only read' says 2 'only read' road:5 --convert="$folder/z" --format=konect
MUSTER_MEMORY_LIMIT=1
export MUSTER_MEMORY_LIMIT
check 'limit of memory' says 3 'MUSTER_MEMORY_LIMIT' grid2d:1000
printf '\001\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >"$folder/one.egr"
printf '\002\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >"$folder/two.egr"
for few in one two; do
    check "an ECL graph of $few vertices without arcs is no Galois graph" prints '^format *ecl,' "$folder/$few.egr"
    check 'nor can SNAP hold it' says 2 'no edges' "$folder/$few.egr" --convert="$folder/none.txt" --lossy
    check '… and nothing is written' [ ! -e "$folder/none.txt" ]
done
odd=$(printf '%s/a\377' "$folder")
printf '# arcs\n1 2\n2 3\n' >"$odd"
check 'a name that is not UTF-8' says 0 '' "$odd"
check '… is an error of usage where JSON is wanted' says 2 'not UTF-8' --json "$odd"
# Short files that promise much: each array fits under the limit, their sum does not.
printf 'p sp 134217726 0\n' >"$folder/rows.gr"
printf 'p sp 30000000 0\n' >"$folder/fewer.gr"
MUSTER_MEMORY_LIMIT=1024
check 'the sum of all arrays counts' says 3 'MUSTER_MEMORY_LIMIT' "$folder/rows.gr"
check 'statistics and all' says 0 '' "$folder/fewer.gr"
if (ulimit -v 2500000 && "$MUSTER" --version) >"$folder/version" 2>&1; then
    check '… and little more is asked of the system' sh -c 'ulimit -v 2500000; "$MUSTER" graph "$0/rows.gr" 2>"$0/err"
        [ $? -eq 3 ] && grep MUSTER_MEMORY_LIMIT "$0/err"' "$folder"
else
    skip '… and little more is asked of the system' 'this build of muster cannot start with so little'
fi
for limit in 0 -1 x 1x 0x10 1.5 99999999999999999999; do
    MUSTER_MEMORY_LIMIT=$limit
    check "a limit of $limit is refused" says 2 "MUSTER_MEMORY_LIMIT=$limit: not a whole number of MiB" grid2d:3
done
unset MUSTER_MEMORY_LIMIT
escape=$(printf 'esc\033[31m.txt')
printf '1 2\n2 3\n' >"$folder/$escape"
check 'a name that would steer a terminal is made plain' prints '^name *.*/esc?\[31m\.txt$' "$folder/$escape"
if [ -w /dev/full ]; then
    check 'a full disk' says 2 'No space left' grid2d:300 --convert=/dev/full --format=dimacs
else
    count=$((count + 1))
    echo "ok $count - a full disk # SKIP there is no /dev/full"
fi

echo "1..$count"
[ "$failures" -eq 0 ]
