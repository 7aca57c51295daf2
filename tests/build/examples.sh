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
# The descriptor stands in for that of the shortest app.
descriptor() {
    {
        echo "#include \"$srcdir/apps/pannotia/mis/mis.state.h\""
        sed -e '/^#include "mis.state.h"/d' -e 's|#include "mis\.|#include "apps/pannotia/mis/mis.|' \
            -e '/^const struct mu_app /,$d' "$srcdir/apps/pannotia/mis/mis.c"
        sed -n '/^ *const struct mu_app /,/^ *};/p' "$text" | sed -e 's/<suite>/pannotia/g' -e 's/<app>/mis/g'
    } >"$folder/app.c"
    has "$folder/app.c" 'mu_app_pannotia_mis = {' 'MU_APP_TABLES' && compiles "$folder/app.c"
}
check 'the descriptor of an app compiles' descriptor
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
