#!/bin/sh
# The page of `muster report` in a browser without a screen: no errors, nothing wider than the window from a telephone's to a
# desk's, contrast on light and on dark, tables that sort. `make check` looks at the narrowest in light and at the widest in
# dark, on a page of three chips' campaigns; `make check-long` at all, on the page of all published results. Needs Chromium,
# and Python 3 with matplotlib for the plots.
. "$srcdir/tests/tap.inc"
browser=
for name in chromium chromium-browser google-chrome; do
    if command -v $name >/dev/null; then
        browser=$name
        break
    fi
done
[ -n "$browser" ] || skip_all 'there is no Chromium (Debian package chromium)'
python=${PYTHON3:-python3}
"$python" -c '' 2>/dev/null || skip_all 'there is no Python 3'
published || skip_all "$no_records"
unset MUSTER_RESULTS
export MUSTER_DATA="$srcdir"
HOME=$folder
export HOME
published=$srcdir/results/chips
if ! in_full 0; then
    for file in nvidia-h200-132/chip.ini nvidia-h200-132/paper.session- nvidia-h200-132/smoke.jsonl \
        nvidia-h200-132/probe.jsonl nvidia-h200-132/litmus.jsonl pocl-3.1-skylake-avx512-amd-epyc-2/smoke.jsonl \
        pocl-3.1-skylake-avx512-amd-epyc-2/probe.jsonl pocl-3.1-skylake-avx512-intel-xeon-2/smoke.jsonl; do
        # Packed or not, as it is kept.
        mkdir -p "$folder/published/${file%/*}" && cp "$published/$file"* "$folder/published/${file%/*}"
    done
    published=$folder/published
fi
check 'the page' "$MUSTER" report --results="$published" --output="$folder/page.html"

# Each chip has a part of its own in what may be relied on: its self-test, its atomics paths, its scheduler.
tells_trust() {
    sed -n '/<section id="trust">/,/<\/section>/p' "$folder/page.html" >"$folder/trust"
    sed -n '/<summary>nvidia-h200-132 /,/<\/details>/p' "$folder/trust" >"$folder/of-h200"
    has "$folder/trust" '<summary>pocl-3.1-skylake-avx512-amd-epyc-2 ' '<summary>nvidia-h200-132 ' &&
        has "$folder/of-h200" 'shapes through atomics path fences<td>NOT KEPT<' 'scheduler model OBE<td>not refuted<' \
            'self-test<td>' 'shapes through atomics path ptx<td>kept<'
}
check 'what may be relied on, chip by chip' tells_trust

# What runs in the page: everything is unfolded, then each element is looked at; what is wrong goes into the title.
cat >"$folder/probe" <<'EOF'
<script>
const wrong = [];
window.addEventListener("error", event => wrong.push("error: " + event.message));
function light(colour) {
  const [r, g, b] = colour.match(/[0-9.]+/g).map(Number).map(c => c / 255)
    .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a, b) {
  const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}
function look() {
  // Folded as the reader finds it, on a desk, the page is a few windows long.
  const folded = document.documentElement.scrollHeight;
  if (document.documentElement.clientWidth >= 1440 && folded >= 6000) wrong.push("it is " + folded + " pixels long");
  // The first picture is one, whole, in letters that can be read.
  const pictures = [...document.querySelectorAll("body > figure")].filter(figure => figure.clientWidth > 0);
  if (pictures.length > 1) wrong.push(pictures.length + " pictures come first");
  for (const figure of pictures) {
    if (figure.scrollWidth > figure.clientWidth) wrong.push("the first picture is wider than the window");
    const svg = figure.querySelector("svg"), scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    for (const text of svg.querySelectorAll("text"))
      if (scale * parseFloat(getComputedStyle(text).fontSize) < 10) { wrong.push("small letters: " + text.textContent); break; }
  }
  // Nothing of what is open has to be scrolled to the side, nor has small letters.
  const open = [...document.body.querySelectorAll("div.scroll, figure, p, li, td, th, summary")]
    .filter(element => element.clientWidth > 0 && !element.closest("details:not([open]) > :not(summary)"));
  if (!open.some(element => element.matches("div.scroll"))) wrong.push("no table is open");
  for (const element of open) {
    if (element.matches("div.scroll, figure") && element.scrollWidth > element.clientWidth)
      wrong.push("to be scrolled: " + element.textContent.trim().slice(0, 20));
    if (parseFloat(getComputedStyle(element).fontSize) < 10) wrong.push("small letters: " + element.textContent.slice(0, 20));
  }
  document.querySelectorAll("details").forEach(details => details.open = true);
  const width = document.documentElement.clientWidth, paper = getComputedStyle(document.body).backgroundColor;
  if (document.documentElement.scrollWidth > width) wrong.push("the page is wider than the window");
  for (const element of document.body.querySelectorAll("*")) {
    if (element.closest("div.scroll, figure, script") && !element.matches("div.scroll, figure")) continue;
    if (element.getBoundingClientRect().right > width + 1) wrong.push("too wide: " + element.tagName);
  }
  for (const figure of document.querySelectorAll("figure.narrow"))
    if (figure.scrollWidth > figure.clientWidth) wrong.push("a narrow form is too wide");
  for (const element of document.querySelectorAll("p, h1, h2, h3, td, th, summary, svg")) {
    const found = contrast(getComputedStyle(element).color, paper);
    if (found < 4.5) { wrong.push("contrast " + found.toFixed(1) + ": " + element.tagName); break; }
  }
  const table = [...document.querySelectorAll("table")].find(table => table.tBodies[0].rows.length > 5 && table.className);
  const column = parseInt(table.className.split(" ").pop().slice(1)) - 1, button = table.tHead.rows[0].cells[column].firstChild;
  const numbers = () => [...table.tBodies[0].rows].map(row => parseFloat(row.cells[column].textContent)).filter(n => n === n);
  const sorted = sign => numbers().every((n, i, all) => i === 0 || sign * (n - all[i - 1]) >= 0);
  button.click();
  if (!sorted(1)) wrong.push("not sorted");
  button.click();
  if (!sorted(-1)) wrong.push("not sorted downwards");
  const found = "looked " + width + ": " + (wrong.length ? wrong.slice(0, 5).join("; ") : "all is well");
  parent.postMessage(found, "*");
}
window.addEventListener("load", look);
</script>
EOF
sed -e "/<title>/r $folder/probe" "$folder/page.html" >"$folder/probed.html"

# looks WIDTH SETTING: what the probe finds at that width, with that setting of the browser. The page is in a frame, since a
# window has a least width.
looks() {
    printf '<!DOCTYPE html><title>empty</title><script>onmessage = event => document.title = event.data;</script>%s\n' \
        "<iframe src=probed.html width=$1 height=1000 style=border:0></iframe>" >"$folder/frame.html"
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" --hide-scrollbars \
        --enable-logging=stderr --window-size=1600,1200 ${2:+"$2"} --virtual-time-budget=20000 \
        --dump-dom "file://$folder/frame.html" >"$folder/dom" 2>"$folder/err"
    sed -n 's/.*<title>\(looked[^<]*\)<.*/\1/p' "$folder/dom"
    grep 'CONSOLE' "$folder/err" && return 1
    grep -q "<title>looked $1: all is well</title>" "$folder/dom"
}
looks 390 >"$folder/first" 2>&1
as_first=$?
grep -q '<title>looked ' "$folder/dom" || {
    skip 'in the browser' "$browser does not run here: $(grep -m 1 -i error "$folder/err")"
    tap_done
}
first() {
    cat "$folder/first"
    return "$as_first"
}
check '390 pixels wide: no errors, nothing sticks out, contrast, sorting' first
for width in 830 1440; do
    if in_full; then check "$width pixels wide, the same" looks $width; fi
done
for width in 390 830 1440; do
    [ $width = 1440 ] || in_full || continue
    check "$width pixels wide, dark" looks $width --blink-settings=preferredColorScheme=0
done
# What is too long is found.
long() {
    sed 's/folded >= 6000/folded >= 60/' "$folder/probed.html" >"$folder/probed" && mv "$folder/probed" "$folder/probed.html"
    ! looks 1440 && has "$folder/dom" ' pixels long'
}
if in_full; then check 'a page that is longer than it may be is found' long; fi
# Where a column says whose a row is, the table has its narrow form in wider windows, too.
wider() {
    mkdir -p "$folder/mixed/h200" && cp "$srcdir"/results/chips/nvidia-h200-132/paper.session-7.jsonl* "$folder/mixed/h200" &&
        cp -R "$srcdir/tests/data/results/gpu-a" "$folder/mixed/gpu-a" &&
        "$MUSTER" report --results="$folder/mixed" --output="$folder/mixed.html" && has "$folder/mixed.html" '>comes with muster<' &&
        sed "/<title>/r $folder/probe" "$folder/mixed.html" >"$folder/probed.html" && looks 830 && rm -r "$folder/mixed"
}
if in_full; then check 'whose a row is, at 830 pixels' wider; fi
# So is a table that has to be scrolled to the side on a telephone.
scrolled() {
    sed -e '/^  table, tbody, tr { display: block; }$/d' -e '/^  table th, table td { display: inline-block; /d' "$folder/page.html" |
        sed "/<title>/r $folder/probe" >"$folder/probed.html"
    ! looks 390 && has "$folder/dom" 'to be scrolled: '
}
if in_full; then check 'a table that is open and too wide is found' scrolled; fi
# Before anything is unfolded a reader sees one sentence and one picture, in that order, and then a table of the others.
begins_with_answer() {
    sed -e 's/<svg.*//' -e '/^<details\|^<section/,$d' "$folder/page.html" | grep -o -e '<p class=answer><b>[^<]*</b>' -e '<h1' \
        -e '<figure[^>]*headline[^>]*>' -e '<figure' -e '<tr><td>pocl-[a-z0-9.-]*-2<' >"$folder/beginning"
    printf '%s\n' '<h1' '<p class=answer><b>nvidia-h200-132 (paper)</b>' \
        "<figure class=narrow tabindex=0 aria-label='headline-speedup-narrow'>" \
        "<figure class=wide tabindex=0 aria-label='headline-speedup'>" \
        '<tr><td>pocl-3.1-skylake-avx512-amd-epyc-2<' '<tr><td>pocl-3.1-skylake-avx512-intel-xeon-2<' | diff - "$folder/beginning" &&
        grep -q '</b>: one kernel with a global barrier is [0-9.]* \[[0-9.]*, [0-9.]*\]\** times as fast' "$folder/page.html"
}
if "$python" -c 'import matplotlib' 2>/dev/null; then
    check 'one sentence and one picture come first' begins_with_answer
else
    skip 'one sentence and one picture come first' 'Python has no matplotlib (Debian package python3-matplotlib)'
fi
# What the first lines say of whose results these are. Nothing here is the reader's own; …
come_with_muster() {
    grep -q '<p class=origin><b>These are the results that come with muster</b>, measured by its authors from ' \
        "$folder/page.html" && grep -q 'None of them is yours. To see .*<code>muster bench</code>' "$folder/page.html"
}
check 'published results are said to be published' come_with_muster
# No commit stands before anything is explained; the page is small, and has lists to choose a chip and a set from.
small_page() {
    [ "$(wc -c <"$folder/page.html")" -le 1048576 ] && has "$folder/page.html" '<select name=chip>' '<option>nvidia-h200-132' &&
        sed '/<form>/q' "$folder/page.html" | sed '/<style>/,/<\/style>/d' >"$folder/begins" && ! grep -E '[0-9a-f]{12}' "$folder/begins"
}
check 'the page is at most 1 MiB, and begins without hashes' small_page
# … here one chip is, and goes first, though another has more tests; …
mkdir -p "$folder/mixed/pocl-3.1-skylake-avx512-intel-xeon-2" "$folder/own"
cp -R "$srcdir/tests/data/results/gpu-b" "$folder/mixed/gpu-b"
cp -R "$srcdir/tests/data/results/gpu-b" "$folder/own/gpu-b"
cp "$srcdir/results/chips/pocl-3.1-skylake-avx512-intel-xeon-2/smoke.jsonl.xz" "$folder/mixed/pocl-3.1-skylake-avx512-intel-xeon-2/"
begins_with_own() {
    "$MUSTER" report --results="$folder/mixed" --output="$folder/mixed.html" &&
        grep -q '<p class=origin><b>Your results come first.</b> The others .* come with muster, .* on pocl-3\.1-skylake-avx512-intel-xeon-2\.<' \
            "$folder/mixed.html" &&
        grep -q '<p class=answer><b>gpu-b</b>, measured by you: .* over 1 test; ' "$folder/mixed.html" &&
        grep -o '<tr><td>[a-z0-9.-]*<' "$folder/mixed.html" | head -n 2 >"$folder/order" &&
        printf '<tr><td>%s<\n' gpu-b pocl-3.1-skylake-avx512-intel-xeon-2 | diff - "$folder/order"
}
check 'a page with results of the reader'"'"'s own begins with them' begins_with_own
# … here all is; …
all_own() {
    "$MUSTER" report --results="$folder/own" --output="$folder/own.html" &&
        grep -q '<p class=origin>These are the results of the folder .*/own</code>. None of them comes with muster.<' "$folder/own.html" &&
        grep -q '<p class=answer><b>gpu-b</b>: ' "$folder/own.html"
}
check 'a folder of the reader'"'"'s own is said to be' all_own
# … here it was only probed; …
only_probed() {
    mkdir -p "$folder/probed/gpu-a" && cp "$srcdir/tests/data/results/gpu-a/probe.jsonl" "$folder/probed/gpu-a/" &&
        "$MUSTER" report --results="$folder/probed" --output="$folder/own.html" &&
        grep -q '<p class=origin>.* There are no times of apps among them: <code>muster bench</code> measures those.<' "$folder/own.html"
}
check 'a folder without times is said to have none' only_probed
# … and here the chip has both: a record of one more test in a file of its own.
mixed_set() {
    xz -dc "$srcdir/results/chips/pocl-3.1-skylake-avx512-intel-xeon-2/smoke.jsonl.xz" | tail -n 1 | sed 's/"input":"/&own-/; s/"key":"/&own-/' >"$folder/mixed/pocl-3.1-skylake-avx512-intel-xeon-2/smoke.jsonl" &&
        rm -r "$folder/mixed/gpu-b" && "$MUSTER" report --results="$folder/mixed" --output="$folder/mixed.html" &&
        grep -q '<p class=answer><b>pocl-3.1-skylake-avx512-intel-xeon-2 (smoke)</b>, yours together with what comes with muster: ' "$folder/mixed.html"
}
check 'records of both in one set are said to be' mixed_set
# A campaign that was stopped is said to be, and that most measurements have warnings; which is not said where it is not so.
tells_trouble() {
    printf '{"chip":"pocl-3.1-skylake-avx512-intel-xeon-2","set":"smoke","done":31,"planned":285}\n' >"$folder/mixed/pocl-3.1-skylake-avx512-intel-xeon-2/smoke.jsonl.unfinished" &&
        printf '{"chip":"pocl-3.1-skylake-avx512-intel-xeon-2","set":"other","done":1,"planned":2}\n' >"$folder/mixed/pocl-3.1-skylake-avx512-intel-xeon-2/other.jsonl.unfinished" &&
        echo nonsense >"$folder/mixed/pocl-3.1-skylake-avx512-intel-xeon-2/bad.jsonl.unfinished" && ! grep -q 'not finished' "$folder/mixed.html" &&
        "$MUSTER" report --results="$folder/mixed" --output="$folder/mixed.html" &&
        grep -q '<p class=answer>.* This campaign is not finished: 31 of 285 steps were done\.' "$folder/mixed.html" || return 1
    PYTHONDONTWRITEBYTECODE=1 "$python" -c '
import sys
sys.path.insert(0, sys.argv[1])
import answer
def table(titles, *rows):
    return {"columns": [{"title": title} for title in titles], "rows": [list(row) for row in rows]}
place, keys = ("c", "s"), ("chip", "set", "app", "input", "variant")
times = table(keys, *(("c", "s", "mis", "road:6", variant) for variant in "abc"), ("c", "other", "mis", "road:6", "a"))
def told(*variants):
    rows = [("c", "s", "mis", "road:6", variant, "few-samples", "…") for variant in variants]
    rows.append(("c", "other", "mis", "road:6", "a", "drift", "…"))
    return answer.warnings(place, {"times": [times], "advice": [table((*keys, "sign", "advice"), *rows)]})
assert told("a", "b", "c") == " All 3 measurements have <a href=\"#advice\">warnings</a>, most often: few samples.", told("a", "b", "c")
assert told("a", "b").startswith(" 2 of 3 measurements have <a "), told("a", "b")
assert told("a") == told() == "", told("a")
assert answer.warnings(place, {}) == "" and answer.unfinished(place, None) == ""' "$srcdir/analysis/plots"
}
check 'the first sentences tell of a stopped campaign, and of warnings' tells_trouble
# Sections have the titles of `muster table --help`; tables without data have none, and are named behind one line.
titled() {
    sed "s/&#x27;/'/g; s/, beside figures of 2016\$//"
}
has_titles() {
    "$MUSTER" table --help | sed -n '/^Tables:$/,/^$/s/^  \([a-z][a-z-]*\)  *\(.*\)/\1 \2/p' |
        awk '{ name = $1; sub(/^[^ ]* /, ""); print name, toupper(substr($0, 1, 1)) substr($0, 2) }' >"$folder/known"
    sed -n 's,.*<section id="\([a-z-]*\)"><details><summary><h2>\([^<]*\)</h2>.*,\1 \2,p' "$folder/own.html" |
        sed 's/^\([a-z-]*\)-2016 /\1 /' | titled >"$folder/sections"
    sed -n 's,^<li>\(.*\)</li>$,\1,p' "$folder/own.html" | titled >"$folder/absent"
    sed 's/^[^ ]* //' "$folder/known" >"$folder/titles"
    [ "$(wc -l <"$folder/sections")" -gt 1 ] && [ -s "$folder/titles" ] &&
        grep -q "^missing Not measured here: $(wc -l <"$folder/absent") tables\$" "$folder/sections" &&
        ! grep -v '^missing ' "$folder/sections" | grep -v -x -F -f "$folder/known" &&
        ! grep -v -x -F -f "$folder/titles" "$folder/absent" &&
        has "$folder/sections" 'occupancy ' && ! grep -q '^failures ' "$folder/sections" && has "$folder/absent" 'Times of the three variants' && ! grep -q 'summary ' "$folder/sections"
}
check 'sections have the titles of the help, and those without data none' has_titles

# Progress: on a terminal a line that changes, elsewhere what is begun and what was made.
few_lines() {
    "$MUSTER" report --results="$folder/own" --output="$folder/own.html" 2>"$folder/err" >"$folder/out" &&
        echo "$folder/own.html" | diff - "$folder/out" && [ "$(wc -l <"$folder/err")" -le 3 ] &&
        has "$folder/err" 'making tables and plots of' && grep -q 'muster: [0-9]* tables and [0-9]* plots in [0-9]* s' "$folder/err"
}
check 'few lines without a terminal' few_lines
shows_meter() {
    script -qec "'$MUSTER' report --results='$folder/own' --output='$folder/own.html'" /dev/null </dev/null >"$folder/terminal" &&
        tr '\r' '\n' <"$folder/terminal" | grep -o '\[[0-9]*/[0-9]*\] 0:[0-9]*, about 0:[0-9]* to go; [a-z ]*' >"$folder/meter" &&
        has "$folder/meter" '; times' && [ "$(sed -n 's,\[\([0-9]*\)/.*,\1,p' "$folder/meter" | tail -n 1)" -gt 40 ]
}
if command -v script >/dev/null; then
    check 'a meter on a terminal' shows_meter
else
    skip 'a meter on a terminal' 'there is no script (Debian package bsdutils)'
fi
# A page that cannot be written as a whole leaves the old one, and nothing beside it.
keeps_old() {
    mkdir -p "$folder/limited" && echo old >"$folder/limited/page.html" && PYTHONDONTWRITEBYTECODE=1 "$python" -c '
import resource, sys
sys.path.insert(0, sys.argv[1])
import report
report.page = lambda folder: 10000 * "x"
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
sys.exit(report.main(["report.py", ".", sys.argv[2]]))
' "$srcdir/analysis/plots" "$folder/limited/page.html" 2>"$folder/err"
    [ $? -eq 2 ] && has "$folder/err" 'report.py: ' && [ "$(ls "$folder/limited")" = page.html ] &&
        [ "$(cat "$folder/limited/page.html")" = old ]
}
check 'a page that cannot be written as a whole leaves the old one' keeps_old
# A cost whose interval excludes 1 is told, however small; and none is denied where none is shown.
tells_cost() {
    PYTHONDONTWRITEBYTECODE=1 "$python" -c '
import sys
sys.path.insert(0, sys.argv[1])
import answer
assert "it takes 1.01 [1.01, 1.02] times as long as without" in answer.loss("1.01 [1.01, 1.02]")
assert "the roll call costs nothing measurable: 1\u00a0% at most (factor 1.00 [0.99, 1.00])" in answer.loss("1.00 [0.99, 1.00]")
assert "the roll call costs nothing measurable (factor 1.00 [0.98, 1.03])" in answer.loss("1.00 [0.98, 1.03] ~")
assert "0.98 [0.97, 0.99] times as long as without, which is no gain" in answer.loss("0.98 [0.97, 0.99]")
assert "was not measured" in answer.loss("none of 6")
assert "(factor 9.1, whose interval goes beyond a factor of ten)" in answer.loss("9.1 [wide] ~")
assert answer.answer_html([]) == ""' "$srcdir/analysis/plots"
}
check 'a small cost is told' tells_cost
tap_done
