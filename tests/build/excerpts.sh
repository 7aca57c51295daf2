#!/bin/sh
# The examples of doc/apps.md are parts of apps that the tests build and run: each block of C stands in the file that is named
# above it, but for spaces and what "…" leaves out. And what the page tells of has an example.
. "$srcdir/tests/tap.inc"
page=$srcdir/doc/apps.md

# excerpts PAGE FOLDER: writes FOLDER/N for each block, and FOLDER/N.of, the file that it is from.
excerpts() {
    mkdir -p "$2" && awk -v to="$2" '
        /^`[^`]*`:$/ { file = $0; gsub(/[`:]/, "", file) }
        /^```c$/ && file != "" { number++; print file >(to "/" number ".of"); inside = 1; file = ""; next }
        /^```c$/ { print "line " NR ": a block of C without a file" >(to "/without"); inside = 0; next }
        /^```/ { inside = 0 }
        inside { sub(/^ */, ""); gsub(/  */, " "); print >(to "/" number) }' "$1"
}

# stands FILE EXCERPT: the lines of the excerpt follow each other in the file; those behind "…" later on.
stands() {
    sed -e 's/^[ ]*//' -e 's/[ ]*\\$//' -e 's/  */ /g' "$1" | awk -v excerpt="$2" '
        { text[NR] = $0 }
        END {
            place = 1
            while ((getline line <excerpt) > 0) {
                if (line == "…") { run = 0; continue }
                if (run && text[place] == line) { place++; continue }
                if (run) { print "behind \"" text[place - 1] "\" stands \"" text[place] "\" and not \"" line "\""; exit 1 }
                for (at = place; at <= NR && text[at] != line; at++) continue
                if (at > NR) { print "there is no line \"" line "\""; exit 1 }
                # A first line may stand there more than once: the one that is followed as the excerpt is.
                place = at + 1
                run = 1
            }
        }'
}

excerpts "$page" "$folder/all"
check 'every block of C says where it is from' [ ! -f "$folder/all/without" ]
count=0
for of in "$folder"/all/*.of; do
    read -r file <"$of"
    count=$((count + 1))
    check "an example from $file" stands "$srcdir/$file" "${of%.of}"
done
check 'there are examples' [ "$count" -ge 25 ]
echo 'FOR_EACH (nonsense)' >"$folder/wrong"
refused() {
    ! stands "$srcdir/examples/apps/labels/labels.cl" "$folder/wrong"
}
check 'one that does not stand there is refused' refused

# What apps use: the names of the reserved list that are words of the language, and the functions of the tables.
cat "$folder"/all/[0-9]* >"$folder/examples"
has_example() {
    grep -q -w -F -e "$1" "$folder/examples" || { echo "no example of $1"; return 1; }
}
named() {
    sed -n '/^## Reserved names/,/^## What/p' "$page" | grep '^|' | grep -o '`[A-Z][A-Z0-9_]*`' | tr -d '`' |
        grep -v -x -e 'MU_.*' -e 'BUFFER_' -e 'APP_' -e S -e T -e 'BUFFER_.*' -e APP_FIRST_SERVES
    sed -n '/^### What `prepare` calls/,/^### Options/p' "$page" | grep -o '`mu_[a-z_]*' | tr -d '`'
    echo INPUT STATE RESULT FLAG COUNTER SUM MAX | tr ' ' '\n'
}
named | sort -u >"$folder/named"
check 'names are found' [ "$(wc -l <"$folder/named")" -ge 40 ]
while read -r name; do
    check "$name has an example" has_example "$name"
done <"$folder/named"
tap_done
