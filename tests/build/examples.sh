#!/bin/sh
# The examples of code in doc/adding.md compile as they are printed, and `make bench` keeps its records in a folder of the user's
# own. The commands of the program that documents show are run by tests/build/install.sh.
. "$srcdir/tests/tap.inc"
text=$srcdir/doc/adding.md

# The user's own folder is where records go, in a checkout as well.
if find_pocl; then
    own_folder() {
        mkdir "$folder/own" && (cd "$folder/own" && unset MUSTER_RESULTS && "$MUSTER" bench mis --device="$pocl" --input=road:4 \
            --variants=multi-kernel --repeats=1 --set=own >out 2>err) && cat "$folder"/own/mine/*/own.jsonl | grep -q '"mis\|/mis"'
    }
    check 'records go to the folder mine' own_folder
else
    skip 'records go to the folder mine' "$no_pocl"
fi

if ! echo '#include <jansson.h>' | ${CC:-cc} -x c -fsyntax-only - 2>"$folder/err"; then
    skip 'the examples compile' 'there is no C compiler, or no jansson'
    tap_done
fi
compiles() {
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only -I"$srcdir" "$@"
}
# What stands at … is what the experiment measures.
experiment() {
    {
        echo '#include "harness/probe/probe.h"'
        echo 'int mu_probe_example(struct mu_trial *trial, struct mu_error *err);'
        sed -n '/^    int mu_probe_example(/,/^    }/p' "$text" | sed 's/…/const double ns = workgroup;/'
    } >"$folder/experiment.c"
    has "$folder/experiment.c" 'const double ns' && compiles "$folder/experiment.c"
}
check 'the example of an experiment compiles' experiment
tap_done
