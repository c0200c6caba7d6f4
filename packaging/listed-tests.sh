#!/bin/sh
# listed-tests.sh LONG KEPT: each line of both lists names a test, and what is kept in every run is not among the long ones.
set -eu
cd "$(dirname "$0")/.."
tests=$(mktemp -d)
trap 'rm -rf "$tests"' EXIT
find kernels harness-worker harness-api -path '*/src/test/java/*.java' >"$tests/files"
xargs cat <"$tests/files" | grep -oE '[a-z][A-Za-z0-9]*\(' | sort -u | tr -d '(' >"$tests/methods"

status=0
for list in "$1" "$2"; do
    # Some inherit their methods.
    while IFS='#' read -r class method; do
        grep -q "/$(echo "$class" | tr . /)\.java\$" "$tests/files" && grep -qx "$method" "$tests/methods" || {
            echo "$list: there is no test $class#$method" >&2
            status=1
        }
    done <"$list"
done
for both in $(grep -xFf "$2" "$1"); do
    echo "$2: $both is kept in every run, and stands in $1 too" >&2
    status=1
done
exit $status
