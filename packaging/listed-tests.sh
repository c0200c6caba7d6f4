#!/bin/sh
# listed-tests.sh LONG KEPT: each line of both lists names a test, and what is kept in every run is not among the long ones.
set -eu
cd "$(dirname "$0")/.."
tests=$(mktemp -d)
trap 'rm -rf "$tests"' EXIT
find kernels harness-* -path '*/src/test/java/*.java' >"$tests/files"
xargs cat <"$tests/files" | grep -oE '[a-z][A-Za-z0-9]*\(' | sort -u | tr -d '(' >"$tests/methods"

sed 's|.*/src/test/java/||; s|\.java$||; s|/|.|g' "$tests/files" >"$tests/classes"

status=0
# Some inherit their methods.
awk -F'#' -v classes="$tests/classes" -v methods="$tests/methods" '
    FILENAME == classes { class[$0]; next }
    FILENAME == methods { method[$0]; next }
    !($1 in class) || !($2 in method) { print FILENAME ": there is no test " $0; missing = 1 }
    END { exit missing }' "$tests/classes" "$tests/methods" "$1" "$2" >&2 || status=1
for both in $(grep -xFf "$2" "$1"); do
    echo "$2: $both is kept in every run, and stands in $1 too" >&2
    status=1
done
exit $status
