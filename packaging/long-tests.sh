#!/bin/sh
# Writes packaging/long-tests.txt from the reports of the last run: the methods that took a second or more in all, the
# longest first. Run it after `tilewright test --full` on an idle machine.
set -eu
cd "$(dirname "$0")/.."
find kernels harness-worker harness-api -path '*/target/*-reports/TEST-*.xml' -exec grep -h '<testcase ' {} + | awk '
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
    END { for (test in seconds) if (seconds[test] >= 1) print seconds[test], test }' |
    while read -r seconds test; do
        file=harness-api/src/test/java/$(echo "${test%%#*}" | tr . /).java
        # What runs alone leaves a core idle: it counts twice.
        if grep -qs '@Tag("alone")' "$file"; then seconds=$(echo "$seconds" | awk '{ print 2 * $1 }'); fi
        echo "$seconds $test"
    done | sort -rn | cut -d' ' -f2 >packaging/long-tests.new
[ -s packaging/long-tests.new ] || {
    rm packaging/long-tests.new
    echo "long-tests.sh: there are no reports: run ./tilewright test --full first" >&2
    exit 2
}
mv packaging/long-tests.new packaging/long-tests.txt
