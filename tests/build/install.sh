#!/bin/sh
# What `make install` puts into a folder is whole: the program works without the published records and finds them where `make
# install-results` puts them, makes a page of the user's own, and shells complete its command line; `make uninstall` leaves
# nothing behind.
. "$srcdir/tests/tap.inc"
build=${MUSTER%/*}
[ -f "$build/Makefile" ] || skip_all 'there is no Makefile beside the program'
unset MUSTER_RESULTS MAKEFLAGS MAKELEVEL MFLAGS MUSTER_DATA
root=$folder/root
# The program is there; what else there is to make takes little.
make_to_root() {
    ${MAKE:-make} -s -C "$build" "$1" DESTDIR="$root" >"$folder/make.log" 2>&1 || { tail -n 20 "$folder/make.log"; return 1; }
}
check 'make install' make_to_root install
prefix=$(find "$root" -type f -name muster -path '*/bin/*' | sed 's,/bin/muster$,,')
installed=$prefix/bin/muster
share=$prefix/share
check 'the program' [ -x "$installed" ]
for file in doc/muster/README.md doc/muster/NEWS doc/muster/profile.md doc/muster/results-format.md \
    muster/results/chips/nvidia-h200-132/chip.ini \
    doc/muster/examples/stencil.c muster/analysis/plots/plots.py muster/analysis/plots/report.py man/man1/muster.1 \
    bash-completion/completions/muster zsh/site-functions/_muster fish/vendor_completions.d/muster.fish; do
    check "share/$file" [ -s "$share/$file" ]
done
# Files that man page and profiles refer to as doc/….
refers() {
    grep -o -h 'doc/[a-z0-9-]*\(\.[a-z][a-z]*\)*' "$srcdir/doc/muster.1" "$srcdir"/results/chips/*/chip.ini | sort -u >"$folder/refers"
    while read -r file; do [ -f "$share/doc/muster/${file#doc/}" ] || { echo "$file"; return 1; }; done <"$folder/refers"
}
check 'the documents that man page and profiles refer to' refers

# ---- From anywhere ----

mkdir "$folder/elsewhere"
cd "$folder/elsewhere" || exit 99
no_records_yet() {
    ! find "$share" -name '*.jsonl*' | grep . && ends 0 "$installed" table headline && has "$folder/err" 'Debian package muster-data' &&
        has "$folder/out" 'nvidia-h200-132 (published medians)'
}
check 'records are not installed, and tables say where they are' no_records_yet
if published; then
    check 'make install-results' make_to_root install-results
    # Of all chips, which is to unpack all files; tests/analysis/pages.sh makes published tables from the sources' folder.
    if in_full 2; then
        check 'tables show the published results' ends 0 "$installed" table headline
        check '… by their chips' has "$folder/out" nvidia-h200-132
    fi
    check 'the runs are those of the published results' sh -c '"$0" results nvidia-h200-132 2>&1 | grep "^nvidia-h200-132 "' "$installed"
else
    skip 'make install-results' "$no_records"
fi
own_results() {
    MUSTER_RESULTS=$srcdir/tests/data/results ends 0 "$installed" table headline && ! grep -q h200 "$folder/out"
}
check 'where the user names a folder that is the only one' own_results

if "${PYTHON3:-python3}" -c '' 2>/dev/null; then
    # A folder for temporary files of its own: other tests make pages at the same time.
    mkdir "$folder/temporary" && TMPDIR=$folder/temporary && export TMPDIR
    report() {
        ends 0 "$installed" report --results="$srcdir/tests/data/results" --output="$folder/page.html" &&
            has "$folder/page.html" '<!DOCTYPE html>' gpu-a && ! grep -q h200 "$folder/page.html"
    }
    check 'muster report makes the page of the results that are named' report
    # A copy of a file in a chip's folder counts once, and is told once, whatever the number of tables.
    told_once() {
        mkdir -p "$folder/doubled/one" &&
            for copy in smoke backup; do cp "$srcdir/tests/data/smoke.jsonl.xz" "$folder/doubled/one/$copy.jsonl.xz"; done &&
            ends 0 "$installed" report --results="$folder/doubled" --output="$folder/doubled.html" &&
            has "$folder/err" 'have keys that were read before; each counts once' && ! sort "$folder/err" | uniq -d | grep .
    }
    if in_full; then check '… and says once what its records call for' told_once; fi
    check '… and leaves nothing behind' sh -c '! ls "$0" | grep .' "$folder/temporary"
    no_python() {
        ends 3 env PYTHON3="$folder/none" "$installed" report --results="$srcdir/tests/data/results" --output="$folder/none.html" &&
            has "$folder/err" 'Debian package python3' && [ ! -e "$folder/none.html" ]
    }
    check '… without Python it says what is missing' no_python
else
    skip 'muster report' 'there is no Python 3'
fi
no_results() {
    ends 2 "$installed" report --results="$folder/none" && has "$folder/err" "$folder/none: no such folder of results"
}
check '… of no results is an error' no_results
no_records() {
    mkdir "$folder/bare" &&
        ends 2 "$installed" report --results="$folder/bare" && has "$folder/err" "$folder/bare: there are no records in it"
}
check '… nor of a folder without records' no_records
unwritable() {
    ends 2 "$installed" report --results="$srcdir/tests/data/results" --output="$folder/none/page.html" && has "$folder/err" 'cannot write'
}
check '… into no folder is an error' unwritable

# ---- Completion ----

# completes WORD EXPECTED COMMAND-LINE...: bash offers EXPECTED for the last word.
completes() {
    expected=$1
    shift
    printf '%s\n' "$@" >"$folder/words"
    bash -c '. "$1"; mapfile -t COMP_WORDS <"$2"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); compopt() { :; }
        _muster; printf "%s\n" "${COMPREPLY[@]}"' bash "$share/bash-completion/completions/muster" "$folder/words" \
        >"$folder/offered" || return 1
    grep -q -x -e "$expected" "$folder/offered" && return 0
    cat "$folder/offered"
    return 1
}
if command -v bash >/dev/null; then
    check 'bash completes commands' completes bench muster be
    check 'bash completes options' completes --variant= muster run bfs --var
    check 'bash completes values' completes multi-kernel muster run bfs --variant = mu
    check 'bash completes apps' completes lonestar/bfs muster run lo
    check 'bash completes tables' completes speedup muster table sp
    touch results.jsonl
    check 'bash completes files' completes results.jsonl muster compare res
else
    skip 'bash completes' 'there is no bash'
fi
if command -v zsh >/dev/null; then
    check 'zsh reads its completion' zsh -n "$share/zsh/site-functions/_muster"
else
    skip 'zsh reads its completion' 'there is no zsh'
fi
if command -v fish >/dev/null; then
    check 'fish reads its completion' fish --no-execute "$share/fish/vendor_completions.d/muster.fish"
else
    skip 'fish reads its completion' 'there is no fish'
fi
all_options() {
    "$installed" run --help=all | sed -n 's/^  *\(--[a-z][a-z-]*=\{0,1\}\).*$/\1/p' >"$folder/options"
    [ -s "$folder/options" ] && while read -r option; do
        name=${option#--}
        has "$share/bash-completion/completions/muster" "$option" && has "$share/zsh/site-functions/_muster" "${option%=}" &&
            has "$share/fish/vendor_completions.d/muster.fish" "-l ${name%=}" || return 1
    done <"$folder/options"
}
check 'each shell knows each option of muster run' all_options

# ---- What README, man page and doc/adding.md tell a user to type ----

. "$srcdir/tests/build/documented.inc"
# shellcheck disable=SC2034 # small_form uses it
portable_group=$(group_of bfs portable)
mkdir "$folder/user" "$folder/path"
ln -s "$installed" "$folder/path/muster"
example() {
    # shellcheck disable=SC2086 # the example is words
    (cd "$folder/user" && PATH=$folder/path:$PATH && unoptimised ends 0 muster $1)
}
{
    documented_commands "$srcdir/README.md" "$share/man/man1/muster.1"
    # doc/adding.md has its commands in its sentences, and names some commands without their arguments.
    tr '\n' ' ' <"$share/doc/muster/adding.md" | grep -o '`muster [^`]*`' | tr -d '`' | sed 's/^muster //' | grep ' \|^devices' | without_gaps
} >"$folder/commands"
check 'README, man page and doc/adding.md have commands' [ "$(wc -l <"$folder/commands")" -ge 23 ]
sed -n 's/^\.Dl muster //p' "$srcdir/doc/muster.1" >"$folder/examples"
find_pocl || no_device=$no_pocl
: >"$folder/typed"
while read -r line; do
    command=$(small_form "$line")
    ! grep -q -x -F -e "$command" "$folder/typed" || continue
    echo "$command" >>"$folder/typed"
    # Other tests of the sample probe, tune, measure and pack; the others here take all samples that are published.
    case $command in probe* | tune* | bench* | 'chip pack'* | results*csv* | report | "table speedup --paper" | "table history"*) in_full || continue ;; esac
    # tests/harness/commands/manpage.sh runs those of the man page.
    ! grep -q -x -F -e "$line" "$folder/examples" || in_full || continue
    if ! published && case $line in *results/experiments/*) ;; *) false ;; esac; then
        skip "muster $command" "$no_records"
    elif needs_device "$line" && [ -n "${no_device:-}" ]; then
        skip "muster $command" "$no_device"
    elif [ "${line%% *}" = report ] && ! "${PYTHON3:-python3}" -c '' 2>/dev/null; then
        skip "muster $command" 'there is no Python 3'
    else
        check "muster $command" example "$command"
    fi
done <"$folder/commands"

# ---- And away ----

cd "$folder" || exit 99
check 'make uninstall' make_to_root uninstall
nothing_left() {
    # Folders above the prefix are those of whoever builds, which may have any name.
    ! find "$root" ! -type d | grep . && { ! [ -d "$prefix" ] || ! find "$prefix" -mindepth 1 -name 'muster*' | grep .; }
}
check '… leaves nothing of muster' nothing_left
tap_done
