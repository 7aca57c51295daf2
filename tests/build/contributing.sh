#!/bin/sh
# What CONTRIBUTING.md says is there: its files, make's targets and what they are given, configure's options, shell functions
# and names of the code; and its examples of code compile as they are printed. The commands of the program that it shows are
# run by tests/build/install.sh.
. "$srcdir/tests/tap.inc"
build=${MUSTER%/*}
text=$srcdir/CONTRIBUTING.md
# The words in code quotes, one a line.
tr '\n' ' ' <"$text" | grep -o '`[^`]*`' | tr -d '`' | sort -u >"$folder/quoted"

# A path may have <name> in it, for any, and FOLDER for a user's own.
files() {
    grep -x -e '[A-Za-z0-9_.<>*-]*/[][A-Za-z0-9_.<>*/-]*' -e '[a-z0-9_-]*\.\(sh\|inc\)' "$folder/quoted" |
        grep -v -e FOLDER -e '^build-fuzz/' -e '^tests/cache/' -e '\.log$' -e '^apps/own/' -e '^own/' -e '<chip>' |
        sed 's/<[a-z]*>/*/g' >"$folder/files"
    [ "$(wc -l <"$folder/files")" -ge 40 ] || return 1
    while read -r path; do
        # shellcheck disable=SC2086 # the path is a pattern
        ls -d "$srcdir"/$path || ls -d "$build"/$path || return 1
    done <"$folder/files"
}
check 'files and folders that it names are there' files

links() {
    grep -o '](\([^)]*\))' "$text" | sed 's/](\([^)#]*\).*/\1/' | grep . | sort -u >"$folder/links"
    [ -s "$folder/links" ] && while read -r path; do [ -f "$srcdir/$path" ] || { echo "$path"; return 1; }; done <"$folder/links"
}
check 'so are those that it links to' links

if [ -f "$build/Makefile" ]; then
    targets() {
        sed 's/.* && //' "$folder/quoted" | sed -n 's/^make  *//p' | sed 's/-j[0-9]*//' | sed "s/[A-Z_]*=\('[^']*'\|\"[^\"]*\"\|[^ ]*\)//g" |
            tr -s ' ' '\n' | grep . | sort -u >"$folder/targets"
        [ "$(wc -l <"$folder/targets")" -ge 15 ] || return 1
        while read -r target; do
            grep -q -E "^(.* )?$target( .*)?:" "$build/Makefile" || { echo "make $target"; return 1; }
        done <"$folder/targets"
    }
    check 'make has its targets' targets
    given() {
        sed -n "s/.*\<\([A-Z_]\{4,\}\)=.*/\1/p" "$folder/quoted" | sort -u >"$folder/given"
        [ "$(wc -l <"$folder/given")" -ge 5 ] && while read -r variable; do
            grep -q "^$variable = \|[(]${variable}[)]" "$build/Makefile" || { echo "$variable"; return 1; }
        done <"$folder/given"
    }
    check 'and knows what they are given' given
    # As README says; the folder may be named otherwise.
    own_folder() {
        for results in '' theirs; do
            ${MAKE:-make} -n -C "$build" bench DEVICE=pocl >"$folder/bench" 2>&1 || return 1
            sed -n "s,\./muster.* bench .*,printenv MUSTER_RESULTS,p" "$folder/bench" >"$folder/line"
            [ "$(MUSTER_RESULTS=$results sh "$folder/line")" = "${results:-mine}" ] || { cat "$folder/bench"; return 1; }
        done
    }
    check 'make bench keeps its records in the folder mine' own_folder
    lists() {
        for name in LONG_SHELL_TESTS SAMPLED_TESTS; do
            has "$folder/quoted" "$name" && grep -q "^$name = " "$build/Makefile" || return 1
        done
    }
    check 'lists of the Makefile have their names' lists
else
    skip 'make has its targets' 'there is no Makefile beside the program'
fi

mutants() {
    chosen=$(sed -n 's/^make check-mutants MUTANTS="\(.*\)"$/\1/p' "$folder/quoted")
    [ -n "$chosen" ] && for name in $chosen; do
        [ -f "$srcdir/tests/mutants/$name.mutants" ] || grep -h "^[a-z]* *$name\>" "$srcdir"/tests/mutants/*.mutants || return 1
    done
}
check 'the mutants that it chooses are there' mutants
fuzzed() {
    chosen=$(sed -n 's/^FUZZ_TARGETS="\(.*\)"$/\1/p' "$folder/quoted")
    [ -n "$chosen" ] && for name in $chosen; do
        [ -d "$srcdir/tests/fuzz/corpus/$name" ] && ls "$srcdir/tests/fuzz/"*"$name.c" || return 1
    done
}
check 'so are the targets of the fuzzers' fuzzed
if [ -f "$srcdir/configure" ]; then
    options() {
        "$srcdir/configure" --help >"$folder/help"
        grep -o -e '--\(enable\|with\)-[a-z]*' "$text" | sort -u | while read -r option; do
            has "$folder/help" "$option" || return 1
        done
    }
    check 'configure has its options' options
else
    skip 'configure has its options' 'there is no configure'
fi

# Names of the code: words with an underscore, and of the shell's functions those that it says tests call.
names() {
    grep -x -e '[a-z]*_[a-z_]*' -e 'MU_[A-Z_]*' -e 'struct mu_[a-z_]*' "$folder/quoted" >"$folder/names"
    [ "$(wc -l <"$folder/names")" -ge 10 ] && while read -r name; do
        # shellcheck disable=SC2086 # the folders are words
        (cd "$srcdir" && grep -r -q -w -e "$name" --include='*.[ch]' --include='*.clh' --include='*.inc' apps base harness \
            inputs records tests variants) || { echo "$name"; return 1; }
    done <"$folder/names"
}
check 'names of the code are there' names
for name in exercised pick member in_full; do
    check "shell tests have $name" grep -q "^$name() {" "$srcdir/tests/tap.inc"
done

# ---- Its code ----

if ! echo '#include <jansson.h>' | ${CC:-cc} -x c -fsyntax-only - 2>"$folder/err"; then
    skip 'its code compiles' 'there is no C compiler, or no jansson'
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
# The hook is found where the link points to.
hook() {
    mkdir -p "$folder/clone/.git/hooks" && ln -s "$srcdir/build-aux" "$folder/clone/build-aux" &&
        line=$(sed -n 's/^    \(ln -s .*\)$/\1/p' "$text") && [ -n "$line" ] &&
        (cd "$folder/clone" && eval "$line" && sh -n .git/hooks/pre-commit && [ -x .git/hooks/pre-commit ])
}
check 'the hook is linked as it says' hook
tap_done
