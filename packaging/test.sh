#!/bin/sh
# `tilewright test`: format, shell, Java and dashboard checks; the last line is the sum of all Java tests.
set -eu
cd "$(dirname "$0")/.."

if [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
    cat <<'USAGE'
usage: tilewright test [--full | --third N] [Maven arguments]

  --full      also the tests tagged `full` (whole spaces, long property runs; their figures go to docs/results/)
  --third N   of the tests that take half a minute or more, those tagged `third-N`, with N from 1 to 3; one is drawn
              where none is given

Further arguments go to Maven: tilewright test -Dmaven.repo.local=/tmp/repo
                               tilewright test -pl kernels/ptx -Dtest=WriterTest
USAGE
    exit
fi
options=
third=$(($(date +%s) % 3 + 1))
case "$*" in
*-Dtest=* | *-Dit.test=*) third= ;; # Whoever names a test wants it.
esac
case "${1:-}" in
--full)
    # Figures are written: nothing runs beside what is timed, and it is compiled as users have it.
    options="-Dexcluded.test.groups=gpu -Dtest.forks=1 -Dtest.arguments= -Dtest.serve.arguments="
    shift
    third=
    ;;
--third)
    third=${2:-}
    case "$third" in
    [123]) shift 2 ;;
    *)
        echo "tilewright test: --third takes 1, 2 or 3, got '$third'" >&2
        exit 2
        ;;
    esac
    ;;
esac
if [ -n "$third" ]; then
    others=$(echo 'third-1,third-2,third-3' | sed "s/third-$third,*//; s/,\$//")
    options="-Dexcluded.test.groups=gpu,full,$others"
    echo "of the long tests this run takes those tagged third-$third; --third $third takes the same again"
fi

status=0
packaging/launcher-test.sh || status=1
# What an earlier run left, also of modules that are gone, would be counted.
find kernels harness-api harness-worker -type d -name '*-reports' -path '*/target/*' -prune -exec rm -rf {} +
# --fail-at-end: one broken module does not hide what the others say.
# shellcheck disable=SC2086 # one word per option
./mvnw -B --no-transfer-progress --fail-at-end spotless:check verify $options "$@" || status=$?
packaging/dashboards-test.sh || status=1

# Each module's and then the project's sums, in Surefire's words.
for module in kernels/*/ harness-worker/*/ harness-api/; do
    reports=$(find "$module" -path '*/target/*-reports/TEST-*.xml')
    # shellcheck disable=SC2086 # one word per report: Surefire's names hold no blanks
    [ -z "$reports" ] || grep -h '^<testsuite ' $reports | sed "s|^|$module |"
done | awk '
    function value(name) {
        match($0, " " name "=\"[0-9]+\"")
        return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) + 0
    }
    function line(run, failures, errors, skipped, where) {
        printf "Tests run: %d, Failures: %d, Errors: %d, Skipped: %d%s\n", run, failures, errors, skipped, where
    }
    {
        if (!($1 in run)) order[++modules] = $1
        run[$1] += value("tests"); failures[$1] += value("failures")
        errors[$1] += value("errors"); skipped[$1] += value("skipped")
    }
    END {
        print ""
        for (i = 1; i <= modules; i++) {
            m = order[i]
            line(run[m], failures[m], errors[m], skipped[m], " - " m)
            r += run[m]; f += failures[m]; e += errors[m]; s += skipped[m]
        }
        line(r, f, e, s, "")
        printf "%d passed, %d failed, %d skipped\n", r - f - e - s, f + e, s
        exit r == 0
    }' || status=1
exit $status
