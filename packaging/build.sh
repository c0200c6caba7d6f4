#!/bin/sh
# Builds the jars when there are none or when a source is newer than they are. Quiet but for one progress line.
set -eu
cd "$(dirname "$0")/.."
stamp=target/built
log=target/build.log

is_current() {
    [ -f $stamp ] && [ -z "$(find pom.xml kernels/pom.xml kernels/*/pom.xml harness-*/pom.xml \
        harness-worker/*/pom.xml kernels/*/src/main harness-api/src/main harness-worker/*/src/main -newer $stamp -print -quit)" ]
}

build() {
    touch $stamp.started # what is edited while we build is newer than the build
    # A service that runs from the old jars keeps them: an unlinked file lives as long as it is open.
    rm -rf kernels/*/target/*.jar harness-api/target/*.jar harness-worker/*/target/*.jar harness-api/target/lib \
        harness-worker/*/target/lib
    ./mvnw -q -B package -Dmaven.test.skip=true -pl '!harness-system' >$log 2>&1 &
    maven=$!
    trap 'kill $maven; exit 130' INT TERM
    started=$(date +%s)
    line="building Tilewright (first use; about 2 minutes cold) ..."
    [ -f $stamp ] && line="building Tilewright (sources changed) ..."
    [ -t 2 ] || echo "$line" >&2
    while kill -0 $maven 2>/dev/null; do
        [ ! -t 2 ] || printf '\r%s %d s' "$line" $(($(date +%s) - started)) >&2
        sleep 1
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
    if ! wait $maven; then
        tail -n 40 $log >&2
        echo "tilewright: the build failed; the whole log is $PWD/$log" >&2
        exit 4
    fi
    mv $stamp.started $stamp
    echo "built in $(($(date +%s) - started)) s" >&2
}

# Maven's own integration tests start the jars that this very build has just made.
[ "${TILEWRIGHT_NO_BUILD:-}" != 1 ] || exit 0
is_current && exit
mkdir -p target
(
    if ! flock -n 9; then
        echo "waiting for another build of $PWD ..." >&2
        flock 9
    fi
    is_current || build
) 9>target/build.lock
