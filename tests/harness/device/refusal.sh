#!/bin/sh
# What muster thinks of llvmpipe, the CPU device of Mesa's rusticl, holds everywhere. Its releases have different faults:
# that of Debian 12 ends a long loop silently and "succeeds", that of Debian 13 crashes while it compiles a persistent
# kernel. Such a device is refused by every command, for the reason that `muster devices` gives, but for multi-kernel where
# single steps are right. Should a release be
# trusted, then every variant must give right answers there. A refusal is not kept, so that each takes a self-test; in `make
# check` one variant is refused.
. "$srcdir/tests/tap.inc"
find_llvmpipe || skip_all "$no_llvmpipe"
ends 0 "$MUSTER" devices
cp "$folder/out" "$folder/devices"
variants='multi-kernel portable specialised'

right() {
    ends 0 "$MUSTER" run mis --variant="$1" --input=road:4 --device=llvmpipe --samples=2 --json &&
        has "$folder/out" '"outcome":"ok"' '"check":"passed"' && exercised "$folder/out"
}
if [ "$llvmpipe_trust" != no ]; then
    check 'the list trusts it' sh -c 'grep "^ *barriers " "$0" | grep -v refused' "$folder/devices"
    for variant in $variants; do check "what is trusted runs, $variant" right "$variant"; done
    tap_done
fi

# The self-test runs anew each time, and may count something else.
reason=${llvmpipe_reason%%[0-9]*}
check 'the list says that barriers are not to be trusted, and why' grep -q "^ *barriers *refused[,;] .*: $reason" "$folder/devices"
check '… which is a reason' [ -n "$llvmpipe_reason" ]
case $(pick devices/platform=rusticl/driver <"$folder/llvmpipe") in
    22.*) check '… the one of Mesa 22' has "$folder/devices" 'the driver cuts loops short' ;;
esac
for variant in $variants; do
    # Where the kernel of barriers alone fails, launches of single steps run.
    if [ "$variant" = multi-kernel ] && grep -q 'refused; launches of single steps are right' "$folder/devices"; then
        check "what single steps need is right, $variant" right "$variant"
        continue
    fi
    [ "$variant" = portable ] || in_full || continue
    check "no run, $variant" ends 3 "$MUSTER" run mis --variant="$variant" --input=road:4 --device=llvmpipe --json
    check '… with a message' has "$folder/err" "is not trusted: $reason"
    check '… and an outcome' has "$folder/out" '"outcome":"unsupported"'
    check '… and no time' sh -c '! grep samples_ns "$0"' "$folder/out"
done
if in_full 2; then
    check 'nor a campaign' ends 3 env MUSTER_RESULTS="$folder/results" "$MUSTER" bench --device=llvmpipe
    check '… which says why, and leaves nothing' sh -c 'grep -q "is not trusted" "$0/err" && [ ! -e "$0/results" ]' "$folder"
fi
tap_done
