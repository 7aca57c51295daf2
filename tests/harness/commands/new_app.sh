#!/bin/sh
# muster new-app: what it writes is the example labels under another name, which the tests build, so it builds as it stands; and
# its test passes.
. "$srcdir/tests/tap.inc"
need_pocl
compile_unoptimised
cd "$folder" || exit 99
example=$srcdir/examples/apps/labels
case $srcdir in
    /*) ;;
    *) example=$OLDPWD/$example sources=$OLDPWD/$srcdir ;;
esac
MUSTER=$(cd "$OLDPWD" && realpath "$MUSTER") MUSTER_OWN=$(cd "$OLDPWD" && realpath "$MUSTER_OWN")
export MUSTER

check 'an app is written' ends 0 "$MUSTER" new-app labels
check '… which is the example' diff -r "$example" my-apps/labels
check '… and what to do next is told' has "$folder/out" "./configure --with-apps=$(pwd -P)/my-apps && make" \
    "sh $(pwd -P)/my-apps/labels/test.sh"
tree() {
    mkdir -p tree/apps && : >tree/apps/app.h && (cd tree && ends 0 "$MUSTER" new-app labels) &&
        has "$folder/out" './configure --with-apps=my-apps && make' && rm -r tree
}
check '… in the source tree with a short path' tree
check 'one of another name' ends 0 "$MUSTER" new-app second_2 --folder=apps
renamed() {
    mkdir back && for file in apps/second_2/*; do
        name=${file##*/}
        sed 's/second_2/labels/g' "$file" >"back/labels${name#second_2}" || return 1
    done
    mv back/labelstest.sh back/test.sh && diff -r "$example" back
}
check '… differs by its name alone' renamed
# shellcheck disable=SC2086 # a compiler may have options
check '… whose host file compiles' ${CC:-cc} -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only \
    -I"${sources:-$srcdir}" apps/second_2/second_2.c
check 'what is there is not overwritten' ends 2 "$MUSTER" new-app labels
for name in Labels 2nd la-bels '' ../x; do
    check "the name '$name' is refused" ends 2 "$MUSTER" new-app "$name" --folder=apps
done
# A limit on the size of files stands for a full disk.
cut_short() {
    (ulimit -f 1 && ends 2 "$MUSTER" new-app third --folder=none) && has "$folder/err" 'cannot be written' && [ ! -e none ]
}
check 'an app that cannot be written as a whole leaves nothing' cut_short
MUSTER=$MUSTER_OWN
check 'the test of the app passes' ends 0 sh my-apps/labels/test.sh --device="$pocl" --option=variant=multi-kernel --input=road:4
check '… with check-app' has "$folder/out" 'nothing differed'
sed -i 's/0 0 0 3 3/0 0 0 3 4/' my-apps/labels/test.sh
check '… and fails where the answer is another' ends 1 sh my-apps/labels/test.sh
tap_done
