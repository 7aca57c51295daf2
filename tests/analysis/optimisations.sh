#!/bin/sh
# The tables of the optimisation study on records with known answers: every table in every format as in tests/expected
# (`BLESS=1` writes those files anew); the heat map and the ranking that the thesis prints; what is not of the study.
# Needs no device.
. "$srcdir/tests/tap.inc"

# points: from lines "CHIP APP INPUT NS OPTIMISATION…", two processes each as records.
points() {
    awk '{
        workgroup = 128; variant = "multi-kernel"; fg = 0; coop_cv = sg = wg = "off"
        for (i = 5; i <= NF; i++) {
            if ($i == "sz256") workgroup = 256
            if ($i == "oitergb") variant = "portable"
            if ($i == "fg1") fg = 1
            if ($i == "fg8") fg = 8
            if ($i == "coop-cv") coop_cv = "on"
            if ($i == "sg") sg = "on"
            if ($i == "wg") wg = "on"
        }
        for (process = 0; process < 2; process++) {
            printf "{\"schema\":4,\"kind\":\"measure\",\"chip\":\"%s\",\"app\":\"irgl/%s\",\"input\":\"%s\",", $1, $2, $3
            printf "\"variant\":\"%s\",\"workgroup\":%d,\"outcome\":\"ok\",\"repeat\":%d,", variant, workgroup, process
            printf "\"comparison\":\"irgl/%s %s coop_cv=%s fg=%d sg=%s wg=%s\",", $2, $3, coop_cv, fg, sg, wg
            printf "\"configuration\":{\"coop_cv\":\"%s\",\"fg\":%d,\"sg\":\"%s\",\"wg\":\"%s\"},", coop_cv, fg, sg, wg
            printf "\"configuration_from\":{\"coop_cv\":\"option\",\"fg\":\"option\",\"sg\":\"option\",\"wg\":\"option\"},"
            printf "\"configuration_hash\":\"%s%d%s%s%d%s\",", coop_cv, fg, sg, wg, workgroup, variant
            if (variant == "multi-kernel")
                printf "\"launches\":%d,\"worklist_mean\":%d,", length($3) * 10, 2 * length($2)
            printf "\"samples_ns\":["
            for (i = 0; i < 8; i++)
                printf "%s%d", i ? "," : "", $4 * (1 + (process - 0.5) * 4e-4) * (1 + (i - 3.5) * 1e-4)
            print "]}"
        }
    }'
}

# ---- Every table in every format: two chips, three apps, two inputs; one of the chips is faster with oitergb ----

world() {
    awk 'BEGIN {
        split("bfs-wl mis-wl tri", apps); split("road:9 rmat:9", inputs); split("oitergb fg8 sg", names)
        split("0.5 0.8 1.1", one); split("1.2 0.8 0.95", two)
        for (chip = 1; chip <= 2; chip++) for (app = 1; app <= 3; app++) for (input = 1; input <= 2; input++)
            for (set = 0; set < 8; set++) {
                ns = 1e7 * app * (input + 1); words = ""
                if (app == 2 && set > 1) continue
                for (i = 1; i <= 3; i++) if (int(set / 2 ^ (i - 1)) % 2) {
                    ns *= chip == 1 ? one[i] : two[i]; words = words " " names[i]
                }
                print chip == 1 ? "one" : "two", apps[app], inputs[input], ns words
            }
    }'
}
mkdir "$folder/study"
world | points >"$folder/study/study.jsonl"
study() {
    "$MUSTER" table "$@" "$folder/study"
}
for table in strategies ranking top necessary heatmap outlining; do
    check "table $table" golden table-$table.txt study $table
    check "table $table as CSV" golden table-$table.csv study $table --format=csv
    check "table $table as Markdown" golden table-$table.markdown study $table --format=markdown
    check "table $table as JSON" golden table-$table.json study $table --format=json
done
check 'strategies beside those of the thesis' golden table-strategies-paper.txt study strategies --paper
classes() {
    MUSTER_RESULTS=$folder "$MUSTER" table features --format=csv >"$folder/classes" && has "$folder/classes" \
        'feature_class,tests,none' '1.x,12,4,0,0,8,0,0,0,' '2.0,12,4,0,0,8,0,0,0,' '2.1,12,4,0,0,8,0,0,0,' \
        'FP,12,2,0,0,4,0,6,0,' &&
        "$MUSTER" table features "$folder/study/study.jsonl" --format=csv >"$folder/of-file" &&
        grep -A 99 '^feature_class' "$folder/classes" >"$folder/rows" && grep -A 99 '^feature_class' "$folder/of-file" |
        cmp - "$folder/rows" && ends 2 "$MUSTER" table barrier-cost "$folder/study/study.jsonl" &&
        has "$folder/err" 'study.jsonl:1: not a measurement'
}
check 'table features tells what each class of features brings' classes

# The program beside an app that was tuned for the same problem: with oitergb and fg8, 8 ms on road:9, against 4 ms.
mkdir "$folder/plain"
cp "$folder/study/study.jsonl" "$folder/plain"
for ms in 5 4; do
    for process in 0 1; do
        printf '{"schema":4,"kind":"measure","chip":"one","app":"lonestar/bfs","input":"road:9","variant":"%s","workgroup":256,' \
            "$([ $ms = 4 ] && echo portable || echo multi-kernel)"
        printf '"outcome":"ok","repeat":%d,"comparison":"lonestar/bfs road:9","configuration_hash":"%d","set":"tuned",' $process $ms
        echo "\"samples_ns\":[${ms}000000,${ms}000$((process + 1))00,${ms}000300,${ms}000400,${ms}000500,${ms}000600]}"
    done
done >"$folder/plain/tuned.jsonl"
check 'table plain' golden table-plain.txt "$MUSTER" table plain "$folder/plain"
check 'table plain as CSV' golden table-plain.csv "$MUSTER" table plain "$folder/plain" --format=csv
without_tuned() {
    study plain >"$folder/out" && has "$folder/out" 'No graph on which both were measured.'
}
check '… which needs both' without_tuned
one_chip() {
    study strategies --chip=one --format=csv >"$folder/chip" && has "$folder/chip" 'global,all,all,all,6,oitergb,1,' &&
        ! grep -q two "$folder/chip"
}
check '--chip is the study of that chip alone' one_chip

# ---- Advice ----

mkdir -p "$folder/results/one" "$folder/results/two"
for chip in one two; do grep "\"chip\":\"$chip\"" "$folder/study/study.jsonl" >"$folder/results/$chip/study.jsonl"; done
check 'muster advise' golden advise.txt "$MUSTER" advise --chip=one
check 'muster advise as CSV has the verdicts of all partitions' golden advise.csv "$MUSTER" advise --chip=two --format=csv
keeps() {
    "$MUSTER" advise --chip=one --write >"$folder/out" 2>&1 && has "$folder/out" 'kept in' &&
        pick global/enabled chip_wide/enabled <"$folder/results/one/strategies.json" >"$folder/kept" &&
        printf 'fg8\noitergb, fg8\n' | diff -u - "$folder/kept"
}
check '--write keeps what runs take' keeps
check 'a chip without records is refused' ends 2 "$MUSTER" advise --chip=three
check '… and named' has "$folder/err" "no records of suite irgl on chip 'three'"
check 'the chip is named once' ends 2 "$MUSTER" advise --chip=one --device=0

# ---- Nothing to show ----

nothing() {
    for table in strategies ranking top necessary heatmap outlining plain; do
        "$MUSTER" table "$table" "$srcdir/tests/data/results/gpu-a" >"$folder/nothing" 2>&1 &&
            has "$folder/nothing" 'No records of the suite irgl' || return 1
    done
    "$MUSTER" table features "$srcdir/tests/data/results/gpu-a" >"$folder/nothing" 2>&1 &&
        ! grep -q 'feature class' "$folder/nothing"
}
check 'without records of the study each table says so' nothing

# ---- Figure 4.8 of the thesis: one benchmark, in which each chip's own configuration is the fastest ----

cat >"$folder/figure" <<'END'
R9 1.00 1.20 1.15 1.32 1.15 1.15
HD5500 1.19 1.00 1.06 1.23 1.25 1.18
IRIS 1.08 1.05 1.00 1.19 1.18 1.15
MALI-4 1.46 1.33 1.41 1.00 1.50 1.43
GTX1080 1.23 1.32 1.29 1.36 1.00 1.14
M4000 1.10 1.16 1.15 1.23 1.05 1.00
END
awk 'BEGIN { split("sz256 coop-cv fg1 fg8 sg wg", names) }
    { for (i = 1; i <= 6; i++) print $1, "tri", "ny", 1e8 * $(i + 1), names[i]; print $1, "tri", "ny", 2e8 }' \
    "$folder/figure" | points >"$folder/heat.jsonl"
heat() {
    "$MUSTER" table heatmap "$folder/heat.jsonl" >"$folder/heat" || return 1
    awk '$1 ~ /^(GTX1080|HD5500|IRIS|M4000|MALI-4|R9)$/ && NF == 8 { print $1, $8 } $1 == "mean" && NF == 8 {
        print $2, $3, $4, $5, $6, $7 }' "$folder/heat" >"$folder/means"
    printf '%s\n' 'GTX1080 1.22' 'HD5500 1.15' 'IRIS 1.11' 'M4000 1.11' 'MALI-4 1.34' 'R9 1.16' \
        '1.18 1.17 1.17 1.17 1.22 1.17' | diff -u - "$folder/means"
}
check 'the margins of figure 4.8 follow from its cells' heat
cells() {
    "$MUSTER" table heatmap --format=csv "$folder/heat.jsonl" | awk -F, 'NR > 1 { printf "%s %s %.2f\n", $1, $2, $4 }' |
        sort >"$folder/cells"
    awk '{ name[NR] = $1; for (i = 1; i <= 6; i++) cell[NR, i] = $(i + 1) }
        END { for (i = 1; i <= 6; i++) for (j = 1; j <= 6; j++) print name[i], name[j], cell[i, j] }' "$folder/figure" |
        sort | diff -u - "$folder/cells"
}
check '… and each cell comes out as it went in' cells

# ---- Table 4.4: 294 tests; of each configuration as many slowed down and sped up as it says, to the mean that it says ----

cat >"$folder/ranks" <<'END'
36 60 1.01 fg8
37 58 0.98 fg1
38 61 1.00 fg8 wg
41 56 1.00 sg
41 55 0.96 fg1 wg
157 44 0.72 coop-cv oitergb wg
167 44 0.61 sz256 oitergb wg
173 23 0.60 sz256 wg
189 35 0.54 sz256 coop-cv oitergb wg
195 22 0.53 sz256 coop-cv wg
END
awk '{
        names = ""; for (i = 4; i <= NF; i++) names = names " " $i
        slow = exp(($2 * log(1.5) - 294 * log($3)) / $1)
        for (test = 0; test < 294; test++)
            print "chip" test % 6, "app" int(test / 6), "ny", 1e8 * (test < $1 ? slow : test < $1 + $2 ? 1 / 1.5 : 1) names
    } END { for (test = 0; test < 294; test++) print "chip" test % 6, "app" int(test / 6), "ny", 1e8 }' "$folder/ranks" |
    points >"$folder/rank.jsonl"
ranking() {
    "$MUSTER" table ranking --format=csv "$folder/rank.jsonl" >"$folder/ranking" || return 1
    awk -F '"' 'NR > 1 { if (NF == 3) { print $2 $3 } else print }' "$folder/ranking" | sed 's/^[0-9]*,//' |
        awk -F, '{ printf "%s %s %.2f", $(NF - 7), $(NF - 5), $(NF - 3)
            count = split($0, parts, ","); names = ""
            for (i = 1; i <= NF - 8; i++) { gsub(/ /, "", $i); names = names " " $i }
            print names }' >"$folder/ranked"
    diff -u "$folder/ranks" "$folder/ranked"
}
check 'table 4.4 is ranked as the thesis has it' ranking

tap_done
