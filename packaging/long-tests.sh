#!/bin/sh
# Writes packaging/long-tests.txt from the reports of the last run: the methods that took a second or more in all, the
# longest first, without those of packaging/kept-tests.txt, which every run has. Run it after `tilewright test --full` on
# an idle machine.
set -eu
cd "$(dirname "$0")/.."
kept=packaging/kept-tests.txt
kept_seconds=150 # of all that is kept: what a run has to spare of its 10 minutes
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find kernels harness-* -path '*/target/*-reports/TEST-*.xml' -exec grep -h '<testcase ' {} + | awk '
    function value(name) {
        match($0, " " name "=\"[^\"]*\"")
        return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
    }
    {
        method = value("name")
        sub(/[^A-Za-z0-9_].*/, "", method)
        time = value("time")
        gsub(/,/, "", time)
        seconds[value("classname") "#" method] += time
    }
    END { for (test in seconds) print seconds[test], test }' >"$work/seconds"
grep -wFf $kept "$work/seconds" >"$work/kept" || true
[ "$(wc -l <"$work/kept")" -eq "$(wc -l <$kept)" ] || {
    echo "long-tests.sh: there are no reports of all tests: run ./tilewright test --full first" >&2
    exit 2
}
awk -v most=$kept_seconds '{ sum += $1 } END { printf "kept in every run: %.0f s, at most %d\n", sum, most; exit sum > most }' \
    "$work/kept" || {
    echo "long-tests.sh: take a test out of $kept, or make one shorter" >&2
    exit 1
}
awk '$1 >= 1' "$work/seconds" | grep -vwFf $kept |
    sort -rn | cut -d' ' -f2 >"$work/long"
mv "$work/long" packaging/long-tests.txt
