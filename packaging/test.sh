#!/bin/sh
# `tilewright test`: format, shell, Java and dashboard checks; the last line is the sum of all Java tests.
set -eu
cd "$(dirname "$0")/.."

if [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
    cat <<'USAGE'
usage: tilewright test [--long N | --full [PART] | --figures [PART]] [Maven arguments]

  without an option   the same tests each time, none of which measures speed. Long tests are left out
                      (packaging/long-tests.txt), but for those that every run must have (packaging/kept-tests.txt)
  --long N            the Nth twelfth of the long tests alone, with N from 1 to 12, or `commit`: the twelfth that the
                      hash of the commit chooses, as CI does
  --full [PART]       all tests, also those tagged `full` (whole spaces, ten times the drawn rows) and those tagged
                      `alone` (speed, load, waits). PART is kernels (those but the emulator's), emulator,
                      worker or service (two cores: worker 12 minutes, emulator 51, service over 85), on an idle machine
  --figures [PART]    as --full, and tests write their figures to docs/results/ on an idle machine

Further arguments go to Maven: tilewright test -Dmaven.repo.local=/tmp/repo
                               tilewright test -pl kernels/ptx -Dtest=WriterTest
USAGE
    exit
fi
long=packaging/long-tests.txt
selection=all-but-long
options=
case "$*" in
*-Dtest=* | *-Dit.test=*) selection=named ;; # A run of named tests leaves none of them out.
esac
case "${1:-}" in
--full | --figures)
    selection=full
    options="-Dexcluded.test.groups=gpu -Dtest.skip.alone=false -Dtest.arguments= -Dtest.serve.arguments="
    options="$options -Dpages.every-look=true"
    # A module whose test fails does not keep those behind it from being tested. The sum below tells of the failure, and
    # the death of a JVM with tests in it still ends the build.
    options="$options -Dmaven.test.failure.ignore=true"
    [ "$1" = --full ] || options="$options -Dtilewright.figures=true"
    shift
    case "${1:-}" in
    kernels | emulator | worker | service)
        for other in kernels emulator worker service; do
            [ "$other" = "$1" ] || options="$options -Dtest.skip.$other=true"
        done
        shift
        ;;
    '' | -*) ;;
    *)
        echo "tilewright test: a part of all tests is kernels, emulator, worker or service, got '$1'" >&2
        exit 2
        ;;
    esac
    ;;
--long)
    selection=long
    twelfth=${2:-}
    [ "$twelfth" != commit ] || twelfth=$((0x$(git rev-parse HEAD | cut -c1-7) % 12 + 1))
    case "$twelfth" in
    [1-9] | 1[0-2]) shift 2 ;;
    *)
        echo "tilewright test: --long takes a number from 1 to 12, or 'commit', got '$twelfth'" >&2
        exit 2
        ;;
    esac
    ;;
esac

status=0
listed() { # awk condition, text before each test
    awk -v twelfth="${twelfth:-0}" "$1 { printf \"%s$2%s\", separator, \$0; separator = \",\" }" $long
}
case $selection in
all-but-long)
    # A module's compiler and its last test leave a core idle, which the next module takes.
    options="-T 2 -Dtest=*Test,$(listed 1 '!') -Dsurefire.failIfNoSpecifiedTests=false"
    options="$options -Dit.test=*IT,$(listed 1 '!') -Dfailsafe.failIfNoSpecifiedTests=false"
    ;;
long)
    # Integration tests run behind the jars; a twelfth may have none of them.
    options="-Dtest=$(listed 'NR % 12 == twelfth % 12 && !/IT#/' '') -Dsurefire.failIfNoSpecifiedTests=false"
    integration=$(listed 'NR % 12 == twelfth % 12 && /IT#/' '')
    options="$options -Dit.test=${integration:-NoneIT} -Dfailsafe.failIfNoSpecifiedTests=false"
    echo "the long tests, twelfth $twelfth; tilewright test --long $twelfth runs the same again"
    ;;
named) options="-Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false" ;;
full) ;;
esac
case " $* " in
*' -pl '* | *' --projects '*) options="$options -am" ;; # A fresh checkout has not built the modules that it needs.
esac

[ $selection = long ] || packaging/launcher-test.sh || status=1
# What an earlier run left, also of modules that are gone, would be counted.
find kernels harness-* -type d -name '*-reports' -path '*/target/*' -prune -exec rm -rf {} +
# --fail-at-end: one broken module does not hide what the others say.
# No pattern of an option is one of files.
set -f
# shellcheck disable=SC2086 # one word per option
./mvnw -B --no-transfer-progress --fail-at-end spotless:check verify $options "$@" || status=$?
set +f
[ $selection = long ] || packaging/dashboards-test.sh || status=1

# Each module's and then the project's sums, in Surefire's words.
for module in kernels/*/ harness-worker/*/ harness-api/ harness-system/; do
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
        exit r == 0 || f + e > 0
    }' || status=1
exit $status
