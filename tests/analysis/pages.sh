#!/bin/sh
# muster reports: pages are filled in from the fixtures in tests/data/results, and those in tests/data/pages are (`BLESS=1` fills
# these in anew); what is no page; mistakes are named by page and line; whatever happens, nothing of a page is lost. Needs no
# device.
. "$srcdir/tests/tap.inc"
MUSTER_RESULTS=$srcdir/tests/data/results
export MUSTER_RESULTS
page=$folder/page.md
records='<!-- records -->
<!-- end -->
'

[ -z "${BLESS:-}" ] || "$MUSTER" reports "$srcdir"/tests/data/pages/*.md
check 'the pages of fixtures are those of their records' "$MUSTER" reports --check "$srcdir"/tests/data/pages/*.md

# filled TEXT: what a page of it, with its records named, is filled in to, but for these.
filled() {
    printf '%s\n%s' "$1" "$records" >"$page"
    "$MUSTER" reports "$page" >"$folder/out" 2>"$folder/err" && sed '/^<!-- records -->$/,$d' "$page"
}
gives() {
    filled "$1" >"$folder/filled"
    printf '%s\n' "$2" | diff -u - "$folder/filled"
}
check 'a cell' gives 'x <!-- cell headline chip=gpu-a tests -->?<!-- end --> y' 'x <!-- cell headline chip=gpu-a tests -->4<!-- end --> y'
check 'a cell of no record' gives '<!--cell headline chip=gpu-z tests--><!--end-->' '<!--cell headline chip=gpu-z tests-->–<!--end-->'
check 'a cell of several rows' gives 'x <!-- cell headline tests --><!-- end -->' 'x <!-- cell headline tests -->1–4<!-- end -->'
check 'of several texts' gives 'x <!-- cell speedup set=paper chip --><!-- end -->' 'x <!-- cell speedup set=paper chip -->gpu-a<!-- end -->'
check 'either of two values' gives 'x <!-- cell headline chip=gpu-a chip=gpu-b chip --><!-- end -->' \
    'x <!-- cell headline chip=gpu-a chip=gpu-b chip -->gpu-a, gpu-b<!-- end -->'
check 'another value than' gives 'x <!-- cell headline chip!=gpu-a chip!=gpu-c chip --><!-- end -->' \
    'x <!-- cell headline chip!=gpu-a chip!=gpu-c chip -->gpu-b<!-- end -->'
check 'an empty cell' gives 'x <!-- cell headline set=- chip --><!-- end -->' 'x <!-- cell headline set=- chip -->gpu-b<!-- end -->'
check 'a marker of several lines' gives 'x <!-- cell headline
  chip=gpu-a tests --><!-- end -->' 'x <!-- cell headline
  chip=gpu-a tests -->4<!-- end -->'
check 'options of muster table' gives 'x <!-- cell headline from=gpu-b chip --><!-- end --> <!-- cell headline only-app=mis tests --><!-- end -->' \
    'x <!-- cell headline from=gpu-b chip -->gpu-b<!-- end --> <!-- cell headline only-app=mis tests -->1<!-- end -->'
# One chip's records are counted without those of others.
own_alone() {
    filled '<!-- records chip=gpu-b --><!-- end -->' >"$folder/one"
    mkdir -p "$folder/alone/gpu-b"
    cp "$srcdir/tests/data/results/gpu-b/"* "$folder/alone/gpu-b"
    (MUSTER_RESULTS=$folder/alone && filled '<!-- records chip=gpu-b --><!-- end -->') >"$folder/same"
    has "$folder/one" "from this chip's records: " && cmp "$folder/one" "$folder/same"
}
check "one chip's records, whatever others there are" own_alone
mkdir "$folder/beside"
cp "$srcdir/tests/data/results/gpu-b/"*.jsonl "$folder/beside"
check 'a set beside the page' gives 'x <!-- cell headline from=./beside chip --><!-- end -->' \
    'x <!-- cell headline from=./beside chip -->gpu-b<!-- end -->'
check 'markers in a code block are text' gives '~~~ x
<!-- cell nonsense -->
```
<!-- end -->
~~~' '~~~ x
<!-- cell nonsense -->
```
<!-- end -->
~~~'
check 'other comments are left' gives '<!-- a comment --> <!-- tables --> <!-- cellar -->' '<!-- a comment --> <!-- tables --> <!-- cellar -->'

# Without columns and filters a table is what muster table prints.
as_table() {
    filled '<!-- table speedup -->
<!-- end -->' | sed -e 1,2d -e '$d' | sed '$d' >"$folder/shown"
    "$MUSTER" table speedup --format=markdown | diff -u - "$folder/shown"
}
check 'a whole table' as_table
again() {
    cp "$page" "$folder/before"
    "$MUSTER" reports "$page" >"$folder/out" && cmp "$page" "$folder/before" && [ ! -s "$folder/out" ]
}
check 'what is filled in is filled in to the same, and not written' again
crlf() {
    printf 'x <!-- cell headline chip=gpu-a tests --><!-- end -->\r\n<!-- table headline chip=gpu-a tests -->\r\n<!-- end -->\r\n%s' \
        "$(printf '%s' "$records" | sed 's/$/\r/')" >"$page"
    "$MUSTER" reports "$page" && ! grep -v "$(printf '\r')\$" "$page" | grep -q . && grep -q '^| 4 |' "$page"
}
check 'lines end as they did' crlf

# One reading gives every table in every format the same bytes as a reading of its own.
# Each table is compared in one of the formats, in turn.
all_tables() {
    ends 0 "$MUSTER" table --all="$folder/all" && [ "$(wc -l <"$folder/all/titles.txt")" -gt 40 ] || return 1
    number=0
    while read -r table _; do
        format=$(echo markdown:md csv:csv text:txt latex:tex json:json cells:cells.json | cut -d ' ' -f $((number % 6 + 1)))
        number=$((number + 1))
        "$MUSTER" table "$table" --format="${format%:*}" 2>/dev/null | cmp - "$folder/all/$table.${format#*:}" || return 1
    done <"$folder/all/titles.txt"
    "$MUSTER" table slowdown --paper --format=markdown | cmp - "$folder/all/slowdown-2016.md"
}
check 'all tables at once' all_tables
check 'all tables and one' ends 2 "$MUSTER" table speedup --all="$folder/all"
check 'all tables of one app' ends 2 "$MUSTER" table --app=mis --all="$folder/none"
check '… are refused' has "$folder/err" 'is of all results, and takes no --app=mis'
check 'no folder' ends 2 "$MUSTER" table --all=
check 'a folder that cannot be made' ends 2 "$MUSTER" table --all="$folder/missing/all"

# ---- Mistakes: named by page and line, and the page stays as it is ----

# refuses LINE MESSAGE TEXT: with code 2.
refuses() {
    printf '%s\n%s' "$3" "$records" >"$page"
    cp "$page" "$folder/before"
    ends 2 "$MUSTER" reports "$page" && has "$folder/err" "$page:$1: $2" && cmp "$page" "$folder/before"
}
check 'an unknown table' refuses 2 "no table 'sped'" '
x <!-- cell sped chip --><!-- end -->'
check 'an unknown column' refuses 1 "table 'headline' has no column 'speedups' (did you mean speedup?); there are: chip, " 'x <!-- cell headline speedups --><!-- end -->'
check 'an unknown filter' refuses 1 "table 'headline' has no column 'ship'" 'x <!-- cell headline ship=gpu-a speedup --><!-- end -->'
check 'an unknown part' refuses 1 "table 'schedulers' has no part 'mild' (did you mean wild?)" '<!-- table schedulers/mild --><!-- end -->'
check 'columns of different parts' refuses 1 'no part of table' '<!-- table schedulers native allowed --><!-- end -->'
check 'an unknown set' refuses 1 'nowhere: no such file or folder' '<!-- table headline from=nowhere --><!-- end -->'
check 'an option twice' refuses 1 'only-chip= stands there twice' '<!-- table headline only-chip=a only-chip=b --><!-- end -->'
check 'with what' refuses 1 'with=care: there is only with=paper' '<!-- table speedup with=care --><!-- end -->'
check 'no table' refuses 1 'the marker names no table' '<!-- table --><!-- end -->'
check 'a cell without a column' refuses 1 'a cell is of one column, and the marker names 0' 'x <!-- cell headline chip=gpu-a --><!-- end -->'
check 'a cell of two columns' refuses 1 'a cell is of one column, and the marker names 2' 'x <!-- cell headline chip tests --><!-- end -->'
check 'records with a column' refuses 1 "'chip' is no option" '<!-- records chip --><!-- end -->'
check 'records of another column' refuses 1 "'set' is no option" '<!-- records set=paper --><!-- end -->'
check 'records of two chips' refuses 1 "'chip' is no option" '<!-- records chip=gpu-a chip=gpu-b --><!-- end -->'
check 'no end' refuses 2 "the marker 'records' stands inside 'cell' of line 1" 'x <!-- cell headline chip=gpu-a tests -->'
check 'nested' refuses 2 "the marker 'cell' stands inside 'table' of line 1" '<!-- table headline -->
<!-- cell headline tests --><!-- end --><!-- end -->'
check 'an end alone' refuses 3 'an end without a marker' '

<!-- end -->'
check 'a quotation' refuses 1 'a quotation in the marker is not closed' '<!-- table headline chip="gpu-a --><!-- end -->'
mistaken() {
    printf '%s' "$2" >"$page"
    ends 2 "$MUSTER" reports "$page" && has "$folder/err" "$1"
}
check 'no end of the last marker' mistaken ":3: the marker 'table' has no '<!-- end -->'" "$records<!-- table headline -->
"
check 'a comment that is not closed' mistaken ":3: the comment of the marker 'cell' is not closed" "$records<!-- cell headline"
check 'a page that does not say its records' mistaken "it has no marker 'records'" 'x <!-- cell headline chip=gpu-a tests --><!-- end -->
'
# The first page is right, and is not written since the second is not.
all_or_none() {
    printf 'x <!-- cell headline chip=gpu-a tests --><!-- end -->\n%s' "$records" >"$page"
    printf '<!-- table -->\n' >"$folder/second.md"
    cp "$page" "$folder/before"
    ends 2 "$MUSTER" reports "$page" "$folder/second.md" && cmp "$page" "$folder/before"
}
check 'a mistake in one page leaves all' all_or_none

# ---- Files ----

checks() {
    printf 'x <!-- cell headline chip=gpu-a tests -->5<!-- end -->\n%s' "$records" >"$page"
    cp "$page" "$folder/before"
    ends 1 "$MUSTER" reports --check "$page" && has "$folder/out" "$page:1: not what the records give" \
        '- x <!-- cell headline chip=gpu-a tests -->5' '+ x <!-- cell headline chip=gpu-a tests -->4' && cmp "$page" "$folder/before"
}
check '--check tells what differs, and writes nothing' checks
no_markers() {
    printf 'A page\nwithout an end of its last line' >"$page"
    cp "$page" "$folder/before"
    ends 0 "$MUSTER" reports "$page" && has "$folder/err" 'has no markers' && cmp "$page" "$folder/before"
}
check 'a page without markers' no_markers
check 'no pages' ends 2 "$MUSTER" reports
check 'a page that is not there' ends 2 "$MUSTER" reports "$folder/missing.md"
check 'a folder' ends 2 "$MUSTER" reports "$folder"
packed() {
    printf 'x\n' | xz >"$folder/packed.md"
    ends 2 "$MUSTER" reports "$folder/packed.md" && has "$folder/err" 'a page is plain Markdown'
}
check 'a packed page' packed
read_only() {
    printf 'x <!-- cell headline chip=gpu-a tests --><!-- end -->\n%s' "$records" >"$page"
    cp "$page" "$folder/before"
    chmod a-w "$page"
    ends 2 "$MUSTER" reports "$page" && has "$folder/err" 'cannot write' && cmp "$page" "$folder/before"
}
check 'a read-only page' read_only
keeps_mode() {
    chmod 640 "$page"
    ln -s page.md "$folder/link.md"
    ends 0 "$MUSTER" reports "$folder/link.md" && [ -L "$folder/link.md" ] && [ "$(stat -c %a "$page")" = 640 ] &&
        grep -q -- '-->4<' "$page"
}
check 'permissions and links stay' keeps_mode
# The file has room for none of it.
full() {
    printf 'x <!-- cell headline chip=gpu-a tests --><!-- end -->\n%s' "$records" >"$page"
    head -c 2000 /dev/zero | tr '\0' 'x' >>"$page"
    cp "$page" "$folder/before"
    (
        ulimit -f 1
        ends 2 "$MUSTER" reports "$page"
    ) && cmp "$page" "$folder/before" && [ "$(find "$folder" -name 'page.md.*' | wc -l)" = 0 ]
}
check 'a full disk' full
# The signal comes while a pipe in the place of records is waited for.
interrupted() {
    printf 'x <!-- cell headline from=./pipe.jsonl tests --><!-- end -->\n%s' "$records" >"$page"
    cp "$page" "$folder/before"
    mkfifo "$folder/pipe.jsonl"
    "$MUSTER" reports "$page" 2>"$folder/err" &
    one=$!
    sleep 0.3
    kill -TERM "$one"
    wait "$one"
    [ $? -ge 128 ] && cmp "$page" "$folder/before" && [ "$(find "$folder" -name 'page.md.*' | wc -l)" = 0 ]
}
check 'a signal' interrupted
tap_done
