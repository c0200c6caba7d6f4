#!/bin/sh
# `tilewright test`: format, shell, Java and dashboard checks; the last line is the sum of all Java tests.
set -eu
cd "$(dirname "$0")/.."

if [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
    cat <<'USAGE'
usage: tilewright test [--full | --twelfth N] [Maven arguments]

  --full        all tests, also those tagged `full`: whole spaces, long property runs. Figures go to docs/results/
  --twelfth N   of the long tests, which packaging/long-tests.txt lists, the Nth twelfth, with N from 1 to 12; one is
                drawn where none is given. Those of packaging/kept-tests.txt are long too, and run always

Further arguments go to Maven: tilewright test -Dmaven.repo.local=/tmp/repo
                               tilewright test -pl kernels/ptx -Dtest=WriterTest
USAGE
    exit
fi
long=packaging/long-tests.txt
options=
twelfth=$(($(date +%s) % 12 + 1))
case "$*" in
*-Dtest=* | *-Dit.test=*) twelfth= ;; # Whoever names a test wants it.
esac
case "${1:-}" in
--full)
    # Figures are written: nothing runs beside what is timed, and it is compiled as users have it.
    options="-Dexcluded.test.groups=gpu -Dtest.forks=1 -Dtest.arguments= -Dtest.serve.arguments="
    shift
    twelfth=
    ;;
--twelfth)
    twelfth=${2:-}
    case "$twelfth" in
    [1-9] | 1[0-2]) shift 2 ;;
    *)
        echo "tilewright test: --twelfth takes a number from 1 to 12, got '$twelfth'" >&2
        exit 2
        ;;
    esac
    ;;
esac

status=0
if [ -n "$twelfth" ]; then
    others=$(awk -v twelfth="$twelfth" 'NR % 12 != twelfth % 12 { printf ",!%s", $0 }' $long)
    options="-Dtest=*Test$others -Dsurefire.failIfNoSpecifiedTests=false"
    options="$options -Dit.test=*IT$others -Dfailsafe.failIfNoSpecifiedTests=false"
    echo "of the long tests this run takes twelfth $twelfth; --twelfth $twelfth takes the same again"
fi

packaging/launcher-test.sh || status=1
# What an earlier run left, also of modules that are gone, would be counted.
find kernels harness-api harness-worker -type d -name '*-reports' -path '*/target/*' -prune -exec rm -rf {} +
# --fail-at-end: one broken module does not hide what the others say.
# No pattern of an option is one of files.
set -f
# shellcheck disable=SC2086 # one word per option
./mvnw -B --no-transfer-progress --fail-at-end spotless:check verify $options "$@" || status=$?
set +f
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
