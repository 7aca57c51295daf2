#!/bin/sh
# Every place that says a version says that of configure.ac, and one that does not is found.
. "$srcdir/tests/tap.inc"
release=$srcdir/build-aux/release
check 'every place says the same version' sh "$release" "$srcdir" --versions
other_version() {
    rm -rf "$folder/tree"
    mkdir -p "$folder/tree/debian" "$folder/tree/variants/library"
    for file in configure.ac NEWS debian/changelog CITATION.cff variants/library/team.h; do
        cp "$srcdir/$file" "$folder/tree/$file" || return 1
    done
    sed 's/0\.[0-9]*\.[0-9]*/0.99.0/' "$srcdir/$1" >"$folder/tree/$1"
    ! sh "$release" "$folder/tree" --versions 2>"$folder/err" && has "$folder/err" "$1 says version" 
}
if [ -f "$srcdir/debian/changelog" ]; then
    for file in NEWS debian/changelog CITATION.cff variants/library/team.h; do
        check "another version in $file is found" other_version $file
    done
else
    skip 'another version is found' 'the tarball has no debian folder'
fi
tap_done
