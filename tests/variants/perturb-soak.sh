#!/bin/sh
# Every app, perturbed: tests/variants/perturb-soak.sh [SEEDS [APP...]] runs so many seeds (by default 20, or $MU_PERTURB_SEEDS) of
# each app in variants portable and specialised, on PoCL with 2 and 4 workers; every result must be right. The hour that
# is meant to find what is left takes 1000 seeds: `make check-perturb`. `make check` perturbs one of the apps.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised
seeds=${1:-${MU_PERTURB_SEEDS:-20}}
[ $# -eq 0 ] || shift

# perturbed WORKERS VARIANT APP: one process, which has the program compiled once for all seeds.
perturbed() {
    input=traps:100
    case $3 in
        */bc) input=road:6 more='--batch=1' ;;
        */dmr) input=mesh:40 more= ;;
        *) more= ;;
    esac
    # What is perturbed is workgroups. The app that `make check` has is in those of its default.
    case $seeds,$3 in *,pannotia/mis) ;; 20,*) more="$more $one_item" ;; esac
    # shellcheck disable=SC2086 # options are words
    ends 0 workers "$1" "$MUSTER" run "$3" --variant="$2" --input=$input --device=$pocl --team="$1" --perturb=1 \
        --samples="$seeds" --warmup=0 --deadline=900 --patience=4000000000 --json $more &&
        [ "$(member check "$folder/out")" = passed ] || { cat "$folder/err"; return 1; }
}

if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046 # names of apps are words
    set -- $(apps) $(apps mesh)
    [ "$seeds" -gt 20 ] || in_full $(($# - 1)) || set -- pannotia/mis
fi
for app in "$@"; do
    for size in 2 4; do
        for variant in portable specialised; do
            # With few seeds it is one variant, since each is a kernel that PoCL compiles for seconds.
            [ "$seeds" -le 20 ] && [ "$variant$size" != portable2 ] && continue
            check "$app, $variant, $size workers: right with seeds 1 to $seeds" perturbed $size $variant "$app"
        done
    done
done

# A failure says with which seed. Here every barrier stands before its step instead of behind it.
kernels "$folder/kernels"
sed -i -e 's/^ *mu_barrier(T); *\\$/        \\/' -e 's/^ *MU_PERTURB_STEP(T) *\\$/        MU_PERTURB_STEP(T) mu_barrier(T); \\/' \
    "$folder/kernels/variants/teams/persistent.clh"
names_seed() {
    workers 2 "$MUSTER" run mis --input=traps:1500 --device="$pocl" --team=2 --perturb=1 --samples=200 --warmup=0 --spin-limit=100000000 \
        --kernel-dir="$folder/kernels" >"$folder/out" 2>"$folder/err"
    grep -q -E -e '\(--perturb=[0-9]+ --warmup=0 --samples=1\)' "$folder/err" || { cat "$folder/err"; return 1; }
}
if in_full; then check 'a barrier in the wrong place is found, with the seed that shows it' names_seed; fi
tap_done
