#!/bin/sh
# The source of the manual has every command and option that --help has, with the same argument, and no other; its examples run. What
# bench and tune share with run, the page says of run.
. "$srcdir/tests/tap.inc"
mkdir -p "$MUSTER_RESULTS" # tables read no folder that is not there
page=$srcdir/doc/muster.1

# The options of a command, one a line, as "--name" or "--name=ARGUMENT": from its help, and from its part of the page.
help_options() {
    "$MUSTER" "$1" --help=all | sed -n 's/^ \{2,6\}\(-[a-zA-Z?], \)\{0,1\}\(--[a-z][a-z-]*\(=[A-Z]*\)\{0,1\}\).*$/\2/p' |
        grep -v -x -e --help -e --usage | sort
}

page_options() {
    sed -n -e "/^\\.Ss $1\$/,/^\\.S[hs] /p" "$page" |
        sed -n -e 's/^\.It Fl \([a-z] , \)\{0,1\}-\([a-z][a-z-]*\)$/--\2/p' \
            -e 's/^\.It Fl \([a-z] , \)\{0,1\}-\([a-z][a-z-]*\) Ns = Ns Ar \([A-Z]*\)$/--\2=\3/p' | sort
}

same_options() {
    help_options "$1" >"$folder/help"
    page_options "$1" >"$folder/page"
    [ -s "$folder/help" ] || return 1
    case $1 in
        bench | tune)
            help_options run >"$folder/run"
            for side in help page; do
                grep -v -x -F -f "$folder/run" "$folder/$side" >"$folder/own"
                mv "$folder/own" "$folder/$side"
            done
            ;;
    esac
    diff -u "$folder/help" "$folder/page"
}

"$MUSTER" --help | sed -n '/^Commands:$/,/^$/s/^  \([a-z-]*\) .*$/\1/p' >"$folder/commands"
sed -n 's/^\.Ss \([a-z-]*\)$/\1/p' "$page" >"$folder/sections"
check 'the page has all commands, in order' cmp "$folder/commands" "$folder/sections"
synopsis() {
    sed -n '/^\.Sh SYNOPSIS$/,/^\.Sh DESCRIPTION$/s/^\.Cm \([a-z-]*\)$/\1/p' "$page" | grep -v -x help | diff "$folder/commands" -
}
check '… and its synopsis, too' synopsis
variants() {
    "$MUSTER" list --json | pick 'variants/*/name' >"$folder/known"
    sed -n '/^\.It Fl -variant Ns = Ns Ar NAME$/,/^\.It /p' "$page" >"$folder/variants"
    [ -s "$folder/known" ] && while read -r name; do has "$folder/variants" ".Cm $name" || return 1; done <"$folder/known"
}
check 'the page has all variants' variants
while read -r command; do
    check "the page has the options of muster $command" same_options "$command"
done <"$folder/commands"

# The options of single apps come last, in the helps and on the page.
same_groups() {
    "$MUSTER" run --help=all | sed -n 's/^ \([A-Z][^-]*:\)$/\1/p' >"$folder/help"
    sed -n '/^\.Ss run$/,/^\.Ss bench$/p' "$page" |
        awk '$0 == ".Bl -tag -width Ds" { print before } { before = $0 }' >"$folder/page"
    [ "$(tail -n 1 "$folder/help")" = 'Options of single apps:' ] && diff "$folder/help" "$folder/page" &&
        for command in bench tune; do
            [ "$("$MUSTER" "$command" --help=all | sed -n 's/^ \([A-Z].*\)$/\1/p' | tail -n 1)" = 'Options of single apps:' ] || return 1
        done
}
check 'groups of options come in one order, those of single apps last' same_groups

list_is_known() {
    "$MUSTER" list --json | pick 'generators/*/name' >"$folder/known"
    [ -s "$folder/known" ] && while read -r name; do has "$page" ".It Li $name" || return 1; done <"$folder/known"
}
check 'the page has all generators' list_is_known

for code in 0 1 2 3 4 130; do
    check "the page has exit code $code" grep -q -x "\\.It $code" "$page"
done

mkdir "$folder/pages"
check 'pages are made' sh "$srcdir/build-aux/manpages" "$MUSTER" "$page" "$folder/pages"
# Each has the examples and options that the source has of its command; the short one has no options of commands.
pages_are_whole() {
    while read -r command; do
        made=$folder/pages/muster-$command.1
        page_options "$command" >"$folder/page"
        sed -n -e 's/^\.It Fl \([a-z] , \)\{0,1\}-\([a-z][a-z-]*\)$/--\2/p' \
            -e 's/^\.It Fl \([a-z] , \)\{0,1\}-\([a-z][a-z-]*\) Ns = Ns Ar \([A-Z]*\)$/--\2=\3/p' "$made" | sort | diff "$folder/page" - || return 1
        has "$made" ".Nm muster-$command" ".Cm $command" && has "$folder/pages/muster.1" ".It Xr muster-$command 1" || return 1
        [ "$(grep -c "^\.Dl muster $command " "$page")" -le "$(grep -c "^\.Dl muster $command " "$made")" ] || return 1
    done <"$folder/commands"
    ! grep -q '^\.It Fl -device' "$folder/pages/muster.1"
}
check '… with all that the source has of a command' pages_are_whole
if command -v mandoc >/dev/null; then
    no_complaints() {
        # Which pages this machine has says nothing of this one.
        # Examples come first, which is not the usual order.
        ! mandoc -Tlint "$@" 2>&1 | grep -v 'mandoc\.db\|referenced manual not found\|conventional order: Sh DESCRIPTION'
    }
    check 'mandoc has no complaints' no_complaints "$page" "$folder"/pages/*.1
else
    skip 'mandoc has no complaints' 'there is no mandoc'
fi

# The examples run as printed, but for the campaign, which takes a minute, and the probe, which tests/harness/probe/probe.sh runs. PoCL
# optimises bfs for twelve seconds, which the sample goes without: other tests run it optimised.
find_pocl || {
    skip 'the examples run' "$no_pocl"
    tap_done
}
knows_options() {
    # shellcheck disable=SC2086 # the example is words
    set -- $1
    command=$2
    shift 2
    "$MUSTER" "$command" --help=all >"$folder/help" || return 1
    for word; do
        case $word in --*) has "$folder/help" "${word%%=*}" || return 1 ;; esac
    done
}
mkdir "$folder/bin" "$folder/work"
ln -s "$MUSTER" "$folder/bin/muster"
sed -n 's/^\.Dl //p' "$page" >"$folder/examples"
while read -r example; do
    case $example in
        'muster bench '* | 'muster probe '*) check "known options: $example" knows_options "$example" ;;
        'muster '*) check "$example" unoptimised env PATH="$folder/bin:$PATH" sh -c "cd '$folder/work' && $example" ;;
        *) fail "an example that is no command: $example" ;;
    esac
done <"$folder/examples"
check 'there are examples' [ -s "$folder/examples" ]
tap_done
