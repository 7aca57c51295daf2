#!/bin/sh
# build-aux/check-rooms on this source tree, and on small ones in which an include goes up.
. "$srcdir/tests/tap.inc"

check_rooms() {
    sh "$srcdir/build-aux/check-rooms" "$@"
}

# tree: an empty house in $folder/house.
tree() {
    rm -rf "$folder/house"
    for room in base statistics records inputs/mesh apps variants/teams harness/device harness/run harness/campaign \
        harness/probe harness/persistent harness/cooperative harness/commands analysis/tables; do
        mkdir -p "$folder/house/$room"
    done
}

# includes FILE HEADER: a file that includes a header, in a house of its own.
includes() {
    tree
    echo "#include \"$2\"" >"$folder/house/$1"
}

# refuses FILE HEADER: that is refused, and named.
refuses() {
    includes "$1" "$2"
    check "$1 must not include $2" refused "$1:1:#include \"$2\""
}
refused() {
    ends 1 check_rooms "$folder/house" && has "$folder/out" "$1"
}

# accepts FILE HEADER
accepts() {
    includes "$1" "$2"
    check "$1 may include $2" check_rooms "$folder/house"
}

check 'no include of the sources goes up' check_rooms "$srcdir"
check_rooms "$srcdir" | sed 's/^/# /'

accepts harness/commands/run.c harness/run/run.h
accepts harness/commands/table.c analysis/tables/tables.h
accepts harness/probe/app.c harness/run/run.h
accepts harness/persistent/forest.c harness/engine/survey.h
accepts apps/app.h inputs/mesh/mesh.h
accepts inputs/mesh/mesh.c inputs/mesh/mesh.h
accepts analysis/tables/costs.c records/sets.h

refuses base/error.c inputs/rng.h
refuses inputs/mesh/predicates.h apps/app.h
refuses apps/host.h variants/variant.h
refuses variants/variant.c harness/device/device.h
refuses harness/device/device.c harness/run/run.h
refuses harness/probe/probe.c harness/campaign/meter.h
refuses harness/campaign/campaign.c harness/probe/probe.h
refuses harness/persistent/sync.c harness/probe/probe.h
refuses harness/cooperative/game.c harness/persistent/persistent.h
refuses harness/campaign/tune.c analysis/show.h
refuses analysis/study.c harness/probe/probe.h
refuses analysis/tables/costs.c variants/variant.h
refuses variants/teams/team.clh harness/run/run.h
refuses harness/stray.c base/error.h
refuses base/error.c tests/tap.h

includes base/error.c base/error.h
echo '    #   include   "analysis/show.h" /* why */' >>"$folder/house/base/error.c"
check 'however it is spelt' refused 'base/error.c:2:'

tree
i=0
while [ $i -le 30 ]; do
    : >"$folder/house/inputs/mesh/part$i.c"
    i=$((i + 1))
done
check 'a folder of 31 files is refused' refused 'inputs/mesh holds 31 files'

tap_done
