# Many records of the real schema: of published records, one for each variant, it makes `count` others, six of each input:
# two processes of three variants.
#
#   awk -v count=1000 -f tests/analysis/many-records.awk RECORDS >many.jsonl
#
# What differs between the runs of a campaign differs here, too: input, what is compared, hashes, date, key, repeat,
# order and samples.

# swap MEMBER VALUE MARK: puts a mark, which is one byte, into the value of a text or number of the template; MARK "" leaves
# the value.
function swap(member, value, mark,    start) {
    if (!match(template, "\"" member "\":" value)) { print "no " member >"/dev/stderr"; exit 1 }
    start = RSTART + length(member) + 3
    template = substr(template, 1, start - 1) mark substr(template, RSTART + RLENGTH)
}

# Only measured runs that ended well, and the first of each variant.
/"kind":"measure"/ && /"outcome":"ok"/ && match($0, /"variant":"[a-z-]*"/) {
    variant = substr($0, RSTART + 11, RLENGTH - 12)
    if (variant in seen) next
    seen[variant] = 1
    template = $0
    text = "\"[^\"]*\""; number = "[0-9.]+"; list = "\\[[^]]*\\]"
    swap("input", text, "\001"); swap("comparison", text, "\002"); swap("configuration_hash", text, "\003")
    swap("date", text, "\004"); swap("key", text, "\005"); swap("repeat", number, "\006"); swap("order", number, "\007")
    swap("samples_ns", list, "\010")
    templates[kinds++] = template
}

# put MEMBER: what stands in the place of a mark.
function put(mark,    j, samples) {
    if (mark == "\001") return sprintf("\"road:%d\"", 100 + input)
    if (mark == "\002") return sprintf("\"lonestar/sssp road:%d seed=1 source=auto\"", 100 + input)
    if (mark == "\003") return sprintf("\"%08x%08x\"", input, i % kinds)
    if (mark == "\004") return sprintf("\"2026-01-%02dT%02d:%02d:%02dZ\"", 1 + i / 86400 % 28, i / 3600 % 24, i / 60 % 60, i % 60)
    if (mark == "\005") return sprintf("\"%016x\"", i)
    if (mark == "\006") return repeat
    if (mark == "\007") return i
    for (j = 0; j < 20; j++) samples = samples (j > 0 ? "," : "") (40000000 + (i * 7919 + j * 104729) % 100003)
    return "[" samples "]"
}

END {
    if (kinds == 0) exit 1
    for (kind = 0; kind < kinds; kind++) {
        pieces[kind] = 0
        for (rest = templates[kind]; match(rest, /[\001-\010]/); rest = substr(rest, RSTART + 1)) {
            before[kind, pieces[kind]] = substr(rest, 1, RSTART - 1)
            marks[kind, pieces[kind]++] = substr(rest, RSTART, 1)
        }
        before[kind, pieces[kind]] = rest
    }
    for (i = 0; i < count; i++) {
        kind = i % kinds; input = int(i / (2 * kinds)); repeat = int(i / kinds) % 2
        line = ""
        for (piece = 0; piece < pieces[kind]; piece++) line = line before[kind, piece] put(marks[kind, piece])
        print line before[kind, piece]
    }
}
