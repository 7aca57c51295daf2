#!/bin/sh
# A driver that cuts loops short is refused: rusticl with llvmpipe ends a long spin silently, and "succeeds".
. "$srcdir/tests/tap.inc"
OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd
RUSTICL_ENABLE=llvmpipe
export OCL_ICD_VENDORS RUSTICL_ENABLE
[ -f "$OCL_ICD_VENDORS" ] || skip_all 'there is no rusticl (Debian package mesa-opencl-icd)'
"$MUSTER" devices >"$folder/devices" 2>&1
grep -q llvmpipe "$folder/devices" || skip_all 'rusticl shows no llvmpipe'

check 'the list says that barriers are not to be trusted, and why' \
    grep -q '^ *barriers *no: .*the driver cuts loops short$' "$folder/devices"
for variant in multi-kernel portable specialised; do
    check "no run, $variant" ends 3 "$MUSTER" run mis --variant=$variant --input=road:4 --device=llvmpipe --json
    check '… with a message' has "$folder/err" 'is not trusted: a loop of '
    check '… and an outcome' has "$folder/out" '"outcome":"unsupported"'
    check '… and no time' sh -c '! grep samples_ns "$0"' "$folder/out"
done
check 'nor a campaign' ends 3 env MUSTER_RESULTS="$folder/results" "$MUSTER" bench --device=llvmpipe
check '… which says why, and leaves nothing' sh -c 'grep -q "is not trusted" "$0/err" && [ ! -e "$0/results" ]' "$folder"
tap_done
