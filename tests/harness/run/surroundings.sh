#!/bin/sh
# What surrounds the program misbehaves: descriptors are closed, signals come, descriptors and memory run out, a driver has
# odd names.
. "$srcdir/tests/tap.inc"
need_pocl

# bench ARGUMENT...: a campaign of two runs.
bench() {
    "$MUSTER" bench mis --device=$pocl --input=road:6 --variants=multi-kernel --repeats=2 --min-samples=2 \
        --max-samples=2 --max-time=0.02 --workgroup=256 "$@"
}

# Records that are all whole: as many as runs were planned.
whole() {
    [ "$(wc -l <"$MUSTER_RESULTS/$chip/$1.jsonl")" -eq 2 ] && ends 0 bench --set="$1" && has "$folder/out" '1 of 1 tests'
}
chip=$("$MUSTER" devices --json | sed -n 's/^ *"chip": "\([^"]*\)",*$/\1/p' | head -n 1)

# ---- Closed descriptors: no file may take their place ----

(bench --set=in <&-) >"$folder/log" 2>&1
check 'a campaign without standard input' whole in
(bench --set=out >&-) 2>"$folder/log"
check 'a campaign without standard output says so' [ $? -eq 2 ]
check '… and keeps its records' whole out
(bench --set=err 2>&-) >"$folder/log"
check 'a campaign without standard error' whole err
(bench --set=none <&- >&- 2>&-)
check 'a campaign without any' whole none
check 'a list without standard output' sh -c '! "$MUSTER" list >&-'

# ---- Signals: a command that reads results ends at once ----

# ends_by SIGNAL COMMAND...: the command, which waits for a pipe that never ends, ends by the signal, not by the kill that
# follows.
ends_by() {
    mkfifo "$folder/endless" || return 1
    sleep 20 >"$folder/endless" &
    writer=$!
    timeout -k 5 -s "$1" 0.5 "$MUSTER" "$2" ${3:+"$3"} "$folder/endless"
    code=$?
    kill "$writer"
    rm -f "$folder/endless"
    echo "exit code $code"
    [ "$code" -eq 124 ]
}
for signal in INT TERM; do
    check "muster results ends by SIG$signal" ends_by $signal results
    check "muster table ends by SIG$signal" ends_by $signal table times
    check "muster compare ends by SIG$signal" ends_by $signal compare "$MUSTER_RESULTS/$chip/in.jsonl"
done

# ---- Too little of something: the cause is said ----

# lacks RESOURCE LIMIT CAUSE: a run that cannot ask the driver for want of something.
lacks() {
    ends 3 sh -c 'ulimit "$1" "$2" && shift 2 && exec "$@"' sh "$1" "$2" "$MUSTER" run mis --device="$pocl" --input=road:4 &&
        has "$folder/err" "no device matches 'pocl'; there are: none; not every driver could be asked: " "$3"
}
for descriptors in 6 8 10; do
    check "$descriptors descriptors" lacks -n $descriptors 'Too many open files'
done
if (ulimit -v 100000 && "$MUSTER" --version) >"$folder/version" 2>&1; then
    check '100 MB of memory' lacks -v 100000 'pocl.icd: '
else
    skip '100 MB of memory' 'this build of muster cannot start with so little'
fi

# ---- Names that a driver should not give ----

cat >"$folder/names.c" <<'EOF'
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>
cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t bytes, void *value, size_t *needed)
{
    static const char name[] = "a\377b \033[2Jc \302\2332J \303\244";
    cl_int (*next)(cl_device_id, cl_device_info, size_t, void *, size_t *);
    *(void **)&next = dlsym(RTLD_NEXT, "clGetDeviceInfo");
    if (what != CL_DEVICE_NAME) return next(device, what, bytes, value, needed);
    if (needed) *needed = sizeof name;
    if (value) memcpy(value, name, sizeof name);
    return CL_SUCCESS;
}
EOF
odd_names() {
    ends 0 env LD_PRELOAD="$folder/names.so" "$MUSTER" devices --json &&
        has "$folder/out" '"name": "a?b ?[2Jc ??2J ä"' && ends 0 env LD_PRELOAD="$folder/names.so" "$MUSTER" run mis \
        --input=road:4 --samples=1
}
if ${CC:-cc} -shared -fPIC -o "$folder/names.so" "$folder/names.c" 2>"$folder/log" &&
    LD_PRELOAD=$folder/names.so "$MUSTER" --version >"$folder/log" 2>&1; then
    check 'a device whose name is not UTF-8, and would steer the terminal, is there' odd_names
else
    skip 'a device whose name is not UTF-8' 'no library could be put before the driver'
fi

tap_done
