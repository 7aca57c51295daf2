#!/bin/sh
# Tests the app labels: one answer that is known, and then whatever muster check-app does. MUSTER names the program.
set -eu
muster=${MUSTER:-./muster}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# Two components, {0, 1, 2} and {3, 4}, and what each vertex shall have.
printf '%s\n' '0 1' '1 2' '4 3' >"$folder/graph.txt"
printf '%s\n' 0 0 0 3 3 >"$folder/right"
"$muster" run own/labels --variant=multi-kernel --input="$folder/graph.txt" --output="$folder/got" --samples=1 >"$folder/said"
diff "$folder/right" "$folder/got"

"$muster" check-app own/labels "$@"
