#!/bin/sh
# analysis/plots/plots.py and analysis/plots/report.py on all tables of the fixtures in tests/data: the same bytes each
# time, notes for what is missing, a report that refers to nothing outside itself. Needs Python 3; for the plots, with
# matplotlib ($PYTHON3 names another Python).
. "$srcdir/tests/tap.inc"
python=${PYTHON3:-python3}
command -v "$python" >/dev/null || skip_all 'there is no Python 3'
results=$srcdir/tests/data/results

tables() {
    MUSTER_RESULTS=$results "$MUSTER" table --all="$1/tables" 2>"$folder/notes"
}
plots() {
    "$python" -B "$srcdir/analysis/plots/plots.py" "$1/tables" "$1/plots" 2>>"$folder/notes"
}
mkdir "$folder/a" "$folder/b"
check 'all tables' tables "$folder/a"
check '… again' tables "$folder/b"
if "$python" -c 'import matplotlib' 2>/dev/null; then
    check 'all plots' plots "$folder/a"
    check '… again' plots "$folder/b"
fi
check '… the same, byte for byte' diff -r "$folder/a" "$folder/b"

if "$python" -c 'import matplotlib' 2>/dev/null; then
    for plot in headline-speedup headline-speedup-narrow figure9-speedup figure10-slowdown figure11-overhead workgroups-gpu-a distributions-gpu-a \
        distributions-gpu-b; do
        check "$plot is XML" "$python" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' \
            "$folder/a/plots/$plot.svg"
    done
    no_date() {
        ! grep -l -e '<dc:date>' -e 'Matplotlib v' "$folder"/a/plots/*.svg
    }
    check 'no plot has a date or the version that drew it' no_date
    mkdir "$folder/nothing"
    check 'no CSV, no plot, no failure' \
        ends 0 "$python" "$srcdir/analysis/plots/plots.py" "$folder/nothing" "$folder/none"
    skips_all() {
        [ "$(grep -c 'note: .* is skipped' "$folder/err")" -eq 25 ] && ! find "$folder/none" -name '*.svg' | grep .
    }
    check '… but a note for each of the twenty-five' skips_all
    # All by one Python, since it takes longer to begin than to draw.
    values='headline headline-narrow figure7 figure8 figure9 figure9-summary figure9-sets figure9-intervals figure10 figure10-summary figure11
        workgroups distributions utilisation growth strategies top necessary heatmap gap handover forest stages sync'
    # shellcheck disable=SC2086 # names of plots are words
    "$python" "$srcdir/tests/analysis/plot_values.py" "$srcdir" $values >"$folder/values" 2>&1
    draws() {
        grep -x "ok $1" "$folder/values" || { cat "$folder/values"; return 1; }
    }
    for plot in $values; do check "$plot draws the values of its CSV" draws "$plot"; done
    # CSV as muster table recall, rollcall-cost and utilisation print it.
    mkdir "$folder/probe"
    printf 'chip,microbenchmark,rollcall,runs,recall_percent,units_percent\ng,1l,atomic,9,100,50\ng,LW,spin,9,4,\n' \
        >"$folder/probe/recall.csv"
    printf 'chip,workgroup,rollcall,team,median_ns\ng,32,atomic,8,5000\ng,64,atomic,4,4000\n' >"$folder/probe/rollcall-cost.csv"
    printf 'chip,readback,kernel_us,utilisation_percent\ng,word,1,10\ng,word,100,95\n' \
        >"$folder/probe/utilisation.csv"
    check 'plots of a probe' "$python" "$srcdir/analysis/plots/plots.py" "$folder/probe" "$folder/probe"
    for plot in figure7-recall figure8-rollcall-cost launch-utilisation; do
        check "$plot" [ -s "$folder/probe/$plot.svg" ]
    done
else
    skip 'plots' 'Python has no matplotlib (Debian package python3-matplotlib)'
fi

# ---- The report ----

check 'the report' "$python" "$srcdir/analysis/plots/report.py" "$folder/a" "$folder/report.html"
check '… has what failed' has "$folder/report.html" 'rank 3 waited at barrier 17 with 15 of 16 arrived' '>deadlock<' '>crash<'
check '… has where it comes from' has "$folder/report.html" 'id="provenance"' 'gpu-b'
check '… has what calls for care' has "$folder/report.html" 'raise --warmup'
# A name space is a name, not an address to go to.
stands_alone() {
    ! grep -o -i -e '\(src\|href\)="[^#"][^"]*' -e '@import' -e '<script [^>]*' -e '<link' -e 'url([^#)][^)]*' "$folder/report.html"
}
check '… refers to nothing outside itself' stands_alone
check '… the same, byte for byte' sh -c '"$0" "$1/analysis/plots/report.py" "$2/b" "$2/again.html" &&
    cmp "$2/report.html" "$2/again.html"' "$python" "$srcdir" "$folder"
mkdir -p "$folder/hostile/tables"
printf '{"title":"<script>","columns":[{"title":"a|b","left":true},{"title":"n","left":false}],%s}\n' \
    '"rows":[["<script>*","1"]],"notes":["</p>"]' >"$folder/hostile/tables/x.cells.json"
escapes() {
    "$python" "$srcdir/analysis/plots/report.py" "$folder/hostile" "$folder/hostile.html" &&
        has "$folder/hostile.html" '<h3>&lt;script&gt;</h3>' '<th><button>a|b</button>' '<td>&lt;script&gt;*' \
            '<td>1' '<p class=note>&lt;/p&gt;' 'There are no plots' &&
        [ "$(grep -o '<script' "$folder/hostile.html" | wc -l)" -eq 1 ]
}
check '… whatever a table says is text' escapes
mkdir -p "$folder/broken/tables"
for table in '{' '[]' '1' '{"title":"t"}' '{"title":"t","columns":[1],"rows":[["1"]],"notes":[]}'; do
    printf '%s\n' "$table" >"$folder/broken/tables/x.cells.json"
    check "a table that is none: $table" ends 2 "$python" "$srcdir/analysis/plots/report.py" "$folder/broken" "$folder/none.html"
done
check 'no tables, no report' ends 2 "$python" "$srcdir/analysis/plots/report.py" "$folder/nothing" "$folder/none.html"
check '… says what to do' has "$folder/err" "'muster table --all' makes them"
check 'usage' ends 2 "$python" "$srcdir/analysis/plots/report.py"
tap_done
