"""The style sheet and the script of the page that report.py makes."""

# A table in a window that is too narrow for its columns: a row is a few lines of text. The script gives cells their titles.
CARDS = """
  table, tbody, tr { display: block; }
  tr { border-bottom: 1px solid var(--line); padding: .3rem 0; }
  thead tr { border-bottom: 2px solid var(--soft); }
  table th, table td { display: inline-block; border: 0; padding: 0 .9rem 0 0; text-align: left !important; white-space: normal; min-width: 0 !important; }
  td[data-title]::before { content: attr(data-title) " "; color: var(--soft); }
  td.none { display: none; }
  th button { text-decoration: underline; }
"""
# Columns of numbers are set to the right; a table says which of its columns are.
NUMBERS = ",".join(f".n{i} tr>:nth-child({i})" for i in range(1, 40)) + " { text-align: right; font-variant-numeric: tabular-nums; }\n"

STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1b; --soft: #565656; --paper: #ffffff; --line: #d4d4d4; --raised: #f3f4f6;
  --link: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --soft: #b4b4b4; --paper: #17191c; --line: #3b3f45;
  --raised: #23262b; --link: #8cc0ff; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 sans-serif; max-width: 88rem; margin: 0 auto; padding: 1rem; color: var(--ink);
  background: var(--paper); overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.2rem; display: inline; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
a { color: var(--link); }
p { max-width: 50rem; }
p.answer { font-size: 1.1rem; }
p.origin { border-left: .3rem solid var(--link); padding-left: .7rem; }
p.note { color: var(--soft); font-size: .85rem; }
details { border-top: 1px solid var(--line); padding: .5rem 0; }
details details { margin-left: 1rem; }
summary { cursor: pointer; padding: .2rem 0; }
div.scroll, figure { overflow-x: auto; max-width: 100%; margin: .5rem 0; }
table { border-collapse: collapse; font-size: .85rem; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; text-align: left;
  vertical-align: top; }
td.long { white-space: normal; min-width: 18rem; }
tr > :first-child { overflow-wrap: anywhere; }
form { position: sticky; top: 0; background: var(--paper); padding: .4rem 0; z-index: 1; }
select { font: inherit; max-width: 100%; color: var(--ink); background: var(--raised); border: 1px solid var(--line); }
.chosen-away { display: none !important; }
th { border-bottom: 2px solid var(--soft); position: relative; }
th button { all: unset; cursor: pointer; }
th button:focus-visible { outline: 2px solid var(--link); }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
tbody tr:hover { background: var(--raised); }
figure svg { color: var(--ink); height: auto; }
figure.narrow { display: none; }
figure.narrow svg { max-width: 100%; }
@media (max-width: 47rem) {
  figure.wide { display: none; }
  figure.narrow { display: block; }
}
@media print { :root { --ink: #000; --soft: #444; --paper: #fff; --line: #bbb; --raised: #fff; --link: #000; }
  form { display: none; } details:not([open]) { display: none; } div.scroll { overflow: visible; } table { font-size: .7rem; }
  td, th { white-space: normal; padding: .1rem .3rem; } }
"""
STYLE += NUMBERS
STYLE += f"@media screen and (max-width: 62rem) {{{CARDS}}}\n"

# Sorts a table by the column whose title is pressed: by what the cells begin with as a number, with its unit of time, or as
# text. Cells without a value come last.
SCRIPT = """
const units = { ns: 1, us: 1e3, "\\u00b5s": 1e3, ms: 1e6, s: 1e9 };
function value(cell) {
  const text = cell.textContent, found = /^(-?[0-9.]+)( (ns|us|\\u00b5s|ms|s)\\b)?/.exec(text);
  if (text === "-" || text === "") return null;
  return cell.closest("table").classList.contains("n" + (cell.cellIndex + 1)) && found ? found[1] * (units[found[3]] || 1) : text;
}
document.addEventListener("click", event => {
  const button = event.target.closest("th button");
  if (!button) return;
  const head = button.parentNode, table = head.closest("table"), body = table.tBodies[0];
  const column = head.cellIndex, down = head.getAttribute("aria-sort") === "ascending";
  for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = [...body.rows].map(row => [value(row.cells[column]), row]);
  rows.sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    const order = typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1;
    return down ? -order : order;
  });
  body.append(...rows.map(([, row]) => row));
});
// In a narrow window a cell has its column's title with it.
for (const table of document.querySelectorAll("table")) {
  const titles = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
  for (const row of table.tBodies[0].rows)
    [...row.cells].forEach((cell, i) => { if (i > 0) cell.dataset.title = titles[i]; });
}
// Shows one chip and one set only.
const form = document.querySelector("form");
function choose() {
  const wanted = { chip: form.elements.chip.value, set: form.elements.set.value };
  const name = text => text.replace(/ \\((dirty|no session)\\)/g, "").trim();
  for (const part of document.querySelectorAll("details[data-chip]")) {
    part.classList.toggle("chosen-away", wanted.chip !== "" && part.dataset.chip.split("@")[0] !== wanted.chip);
    if (part.dataset.chip.split("@")[0] === wanted.chip) part.open = true;
  }
  for (const table of document.querySelectorAll("table")) {
    const titles = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
    for (const row of table.tBodies[0].rows)
      row.classList.toggle("chosen-away", ["chip", "set"].some(what => wanted[what] !== "" && titles.includes(what) &&
        name(row.cells[titles.indexOf(what)].textContent).split("@")[0] !== wanted[what]));
  }
}
if (form) form.addEventListener("change", choose);
"""
