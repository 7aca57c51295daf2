#!/bin/sh
# build-aux/commit: the commit that records name, and what makes it dirty: sources, and nothing else. Needs no device.
. "$srcdir/tests/tap.inc"
command -v git >/dev/null 2>&1 || skip_all 'there is no git'

tree=$folder/tree
in_tree() {
    git -C "$tree" -c user.name=tests -c user.email=tests@example.org "$@"
}
mkdir -p "$tree/apps" "$tree/doc" "$tree/results/gpu" "$tree/tests" "$tree/build-aux"
for file in apps/a.c apps/a.cl apps/a.plan.h Makefile.am doc/a.md README.md results/gpu/a.jsonl tests/test_a.c; do
    echo first >"$tree/$file"
done
echo '*.o' >"$tree/.gitignore"
in_tree init -q && in_tree add -A && in_tree commit -q -m first || skip_all 'git makes no repository here'
hash=$(in_tree rev-parse --short=12 HEAD)

# says COMMIT: what a build would be told.
says() {
    "$SHELL_OF_TESTS" "$srcdir/build-aux/commit" "$tree" >"$folder/commit.c" &&
        has "$folder/commit.c" "const char mu_commit[] = \"$1\";"
}
SHELL_OF_TESTS=${CONFIG_SHELL:-/bin/sh}

# after FILE COMMIT: what it is told once the file has changed, or is there; the file is then as it was.
after() {
    existed=
    [ -e "$tree/$1" ] && existed=1
    echo second >>"$tree/$1"
    says "$2"
    told=$?
    if [ -n "$existed" ]; then in_tree checkout -q -- "$1"; else rm "$tree/$1"; fi
    return "$told"
}
check 'a commit that nothing was changed in' says "$hash"
for file in apps/a.c apps/a.cl apps/a.plan.h Makefile.am apps/new.cl; do
    check "a change of $file makes it dirty" after $file "$hash-dirty"
done
for file in doc/a.md README.md results/gpu/a.jsonl results/gpu/new.jsonl tests/test_a.c tests/new.c apps/a.o notes.txt; do
    check "a change of $file does not" after $file "$hash"
done
# The host's program: what it is made of changes its hash, and nothing else does.
program() {
    "$SHELL_OF_TESTS" "$srcdir/build-aux/commit" "$tree" | sed -n 's/.*mu_program\[\] = "\([0-9a-f]\{16\}\)";/\1/p'
}
first=$(program)
check 'the host program has a hash' [ -n "$first" ]
# hash_after FILE COMPARISON: once the file has changed, the hash compares so with the first one.
hash_after() {
    existed=
    [ -e "$tree/$1" ] && existed=1
    echo third >>"$tree/$1"
    now=$(program)
    if [ -n "$existed" ]; then in_tree checkout -q -- "$1"; else rm "$tree/$1"; fi
    case $2 in
        =) [ "$now" = "$first" ] ;;
        *) [ -n "$now" ] && [ "$now" != "$first" ] ;;
    esac
}
for file in apps/a.c apps/a.plan.h apps/new.h; do
    check "a change of $file makes it another" hash_after $file !=
done
for file in apps/a.cl apps/registry.c doc/a.md tests/test_a.c Makefile.am; do
    check "a change of $file does not" hash_after $file =
done

echo 0123456789ab >"$tree/.commit"
check 'a tarball says what it was made of' says 0123456789ab
rm -rf "$tree/.commit" "$tree/.git"
check 'a folder that is neither is unknown' says unknown

# ---- build-aux/update, which writes that and other files that are made ----

update() {
    sh "$srcdir/build-aux/update" "$folder/made" "$@" >"$folder/said"
}
untouched() {
    update echo one && grep -q GEN "$folder/said" && update echo one && ! grep GEN "$folder/said" && update echo two &&
        [ "$(cat "$folder/made")" = two ]
}
check 'a file that is made anew is written where it changed, and untouched otherwise' untouched
# many_at_a_time: as by the make that runs the tests, and those that tests call in the same folder.
many_at_a_time() {
    makers=
    for maker in 1 2 3 4 5 6 7 8; do
        (for turn in 1 2 3 4 5 6; do sh "$srcdir/build-aux/update" "$folder/many" echo "$maker$turn" || exit; done) \
            >"$folder/said-$maker" 2>&1 &
        makers="$makers $!"
    done
    for maker in $makers; do wait "$maker" || return 1; done
    [ "$(find "$folder" -name 'many*')" = "$folder/many" ]
}
check 'many may make it at a time' many_at_a_time
tap_done
