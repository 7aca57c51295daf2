#!/bin/sh
# muster check-app: errors that are planted in copies of the app kcore of examples/apps are found, and named; the app as it is
# passes.
. "$srcdir/tests/tap.inc"
need_pocl
MUSTER=$MUSTER_OWN
compile_unoptimised

# plants FILE SCRIPT: a copy of the app in which one file is edited, and nothing else.
plants() {
    rm -rf "$folder/apps"
    mkdir -p "$folder/apps" && cp -R "$srcdir/examples/apps/kcore" "$folder/apps" && chmod -R u+w "$folder/apps"
    sed -i "$2" "$folder/apps/kcore/kcore.$1"
    if cmp -s "$srcdir/examples/apps/kcore/kcore.$1" "$folder/apps/kcore/kcore.$1"; then
        echo "Bail out! nothing was edited in kcore.$1"
        exit 99
    fi
}

# found TITLE VARIANT INPUT PART...: check-app ends with exit code 1 and says each part. It ends at the first finding, and where
# that is not in the first runs with that variant it has no time to find it.
found() {
    title=$1
    check "$title" ends 1 "$MUSTER" check-app own/kcore --device="$pocl" --kernel-dir="$folder/apps" --first \
        --option=variant="$2" --input="$3" --option=rounds=2000
    shift 3
    cp "$folder/out" "$folder/told"
    check '… and is told' has "$folder/told" "$@" 'again: ' 'muster run own/kcore'
}

plants cl 's/if (mu_load_relaxed(S.degree + v) > level) continue;/if (mu_load_relaxed(S.degree + v) > level || v == 3) continue;/
    s/left++;/left += v != 3;/'
found 'a result that is not whole' multi-kernel road:4 'wrong result: vertex 3 has core '
plants cl 's/STAMP(peeled, peeled, round)/STAMP(peeled, peeled, 0)/'
found 'a stamp of round 0' multi-kernel road:4 'flag peeled: a step stamps in round 1, behind round 0' 'of multi-kernel'
if in_full 2; then
    plants cl 's/^    CONTRIBUTE(left, left);/    if (round == 1) CONTRIBUTE(left, left);/'
    found 'a contribution that is missing' multi-kernel road:4 'sum left: the plan asks behind step'
fi
plants plan.h 's,level++,level += 0,'
found 'a plan without end' specialised road:4 'the plan has had 2000 barriers' 'kcore.plan.h:'
if in_full 4; then
    plants cl 's/STAMP(peeled, peeled, round)/if (T.rank == 0) STAMP(peeled, peeled, round)/'
    found 'a flag that one workgroup stamps' specialised rmat:8 'flag peeled'
    plants cl 's/STAMP(peeled, peeled, round)/STAMP(unknown, peeled, round)/'
    found 'what does not compile' multi-kernel road:4 'apps/own/kcore/kcore.cl' 'unknown'
fi

# Oclgrind finds a race that PoCL rarely shows, and names the line. In the sample it runs in tests/harness/commands/new_app.sh.
if ! in_full 2; then
    :
elif command -v oclgrind >/dev/null; then
    plants cl 's/atomic_dec((volatile __global uint \*)(S.degree + S.column\[e\]))/S.degree[S.column[e]]--/'
    found 'a race' multi-kernel grid2d:6x6 'Oclgrind: apps/own/kcore/kcore.cl:31: '
else
    skip 'a race' 'there is no Oclgrind (Debian package oclgrind)'
fi

# Right answers are corrupted for the app's check: one that accepts everything is found, and one that refuses all passes.
check 'a check that accepts everything' ends 1 "$MUSTER" check-app own/trusting --device="$pocl" --first \
    --option=variant=multi-kernel --input=road:4
check '… is told' has "$folder/out" 'corrupted answers  ' '0 of 10 refused' \
    'the check of own/trusting accepts whatever stands in number: each of 10 corrupted answers'

# A process stands for Oclgrind that says its number and stays.
leaves_nothing() {
    mkdir -p "$folder/bin" && printf '#!/bin/sh\necho $$ >"%s/pid"\nexec sleep 300\n' "$folder" >"$folder/bin/oclgrind" &&
        chmod +x "$folder/bin/oclgrind" || return 1
    PATH=$folder/bin:$PATH "$MUSTER" check-app own/kcore --device="$pocl" --option=variant=multi-kernel --input=grid2d:6x6 \
        >"$folder/out" 2>&1 &
    check=$!
    while kill -0 "$check" && [ ! -s "$folder/pid" ]; do sleep 0.1; done
    kill -KILL "$check"
    wait "$check"
    [ -s "$folder/pid" ] || return 1
    for _ in 1 2 3 4 5; do
        # One that has ended may wait to be collected.
        case $(ps -o stat= -p "$(cat "$folder/pid")") in '' | Z*) return 0 ;; esac
        sleep 1
    done
    kill -KILL "$(cat "$folder/pid")"
    return 1
}
if in_full; then check 'a check that is killed leaves no Oclgrind behind' leaves_nothing; fi

# What is asked wrongly.
check 'an app that is not there' ends 2 "$MUSTER" check-app nonsense
check 'a folder without kernels' ends 1 "$MUSTER" check-app own/kcore --device="$pocl" --kernel-dir="$srcdir/doc" --first
check '… is told' has "$folder/out" 'no kernel source of own/kcore is in this folder'
check 'an option that is not there' ends 2 "$MUSTER" check-app own/kcore --option=nonsense=1
check 'a time in which nothing runs' ends 4 "$MUSTER" check-app own/kcore --device="$pocl" --budget=0.000001

# All of it, on an example.
if in_full 4; then
    check 'the app passes' ends 0 "$MUSTER" check-app own/kcore --device="$pocl" --input=rmat:8 --budget=100
    check '… in all variants' has "$folder/out" \
        'right answers from multi-kernel, portable, specialised, cooperative; teams of' 'nothing differed'
    check '… by a check that refuses all that is wrong' has "$folder/out" ' 10 of 10 refused'
    if command -v oclgrind >/dev/null; then
        check '… and Oclgrind sees no race' has "$folder/out" 'under Oclgrind '
    else
        skip '… and Oclgrind sees no race' 'there is no Oclgrind'
    fi
fi
tap_done
