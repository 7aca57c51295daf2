#!/bin/sh
# A CPU that fails its self-test is tried again with other settings of its driver. The driver here is PoCL behind a
# library that ends every process which has not the setting that helps.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised
unset POCL_WORK_GROUP_METHOD
XDG_CACHE_HOME=$folder/cache
export XDG_CACHE_HOME
mkdir "$folder/cache"
library=$folder/needs_setting.so
if ! ${CC:-cc} -shared -fPIC -o "$library" "$srcdir/tests/data/needs_setting.c" -ldl 2>"$folder/cc.log"; then
    sed 's/^/# /' "$folder/cc.log"
    skip_all 'no shared library could be made'
fi

# muster [NAME=VALUE...] COMMAND ARGUMENT...: on the driver that needs the setting.
muster() {
    env LD_PRELOAD="$library${LD_PRELOAD:+:$LD_PRELOAD}" "$@"
}
run() {
    muster "$@" "$MUSTER" run mis --variant=multi-kernel --input=road:4 --device="$pocl" --samples=1 --warmup=0 --json
}

check 'a setting that helps is found' ends 0 muster "$MUSTER" devices
check '… and named' grep -q '^ *settings *POCL_WORK_GROUP_METHOD=cbs: ' "$folder/out"
# On a machine with other work to do two workgroups may not meet in the self-test.
check '… with barriers that are right' grep -q '^ *barriers *\(can be trusted: \|right, but never more than one workgroup\)' \
    "$folder/out"
check 'a run has it' ends 0 run
check '… and its record says so' has "$folder/out" '"driver_settings":{"POCL_WORK_GROUP_METHOD":"cbs"}' '"outcome":"ok"'
check 'the verdict is remembered with it' ends 0 run
check '… for the next run' has "$folder/out" '"driver_settings":{"POCL_WORK_GROUP_METHOD":"cbs"}' '"outcome":"ok"'

# The deadline of a trial says that the machine was busy: what it would have found is asked again the next time.
late() {
    ends 0 env XDG_CACHE_HOME="$folder/late" HANGS_AT=yield_trial LD_PRELOAD="$library${LD_PRELOAD:+:$LD_PRELOAD}" \
        "$MUSTER" devices && has "$folder/out" 'yield none (' 'the trial of sched_yield in a kernel failed: ' &&
        ends 0 env XDG_CACHE_HOME="$folder/late" "$MUSTER" devices && ! grep 'the trial of sched_yield.*failed' "$folder/out"
}
mkdir "$folder/late"
if in_full; then check 'a trial that met its deadline is not remembered' late; fi

check 'what the user has set stays, and the device is refused' ends 3 run POCL_WORK_GROUP_METHOD=loopvec
check '… with both reasons' has "$folder/err" 'is not trusted: the self-test failed' \
    "POCL_WORK_GROUP_METHOD is set to 'loopvec' here"
check 'what the user has set may be what helps' ends 0 run POCL_WORK_GROUP_METHOD=cbs
check '… and then nothing was chosen' has "$folder/out" '"driver_settings":{}' '"outcome":"ok"'
tap_done
