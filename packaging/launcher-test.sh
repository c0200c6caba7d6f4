#!/bin/sh
# Tests of ./tilewright and packaging/jdk.sh with pretended JDKs; no build, no network.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# expect NAME STATUS PATTERN COMMAND...: the command ends with STATUS and its output matches PATTERN.
expect() {
    name=$1 wanted=$2 pattern=$3
    shift 3
    status=0
    "$@" >"$work/out" 2>&1 || status=$?
    if [ $status -eq "$wanted" ] && grep -qE -- "$pattern" "$work/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name: exit $status (wanted $wanted), output (wanted /$pattern/):" >&2
        sed 's/^/    /' "$work/out" >&2
    fi
}

pretend_jdk() { # folder, version, "jdk" or "jre"
    mkdir -p "$1/bin"
    echo "JAVA_VERSION=\"$2\"" >"$1/release"
    printf '#!/bin/sh\necho "ran %s: $*"\n' "$1" >"$1/bin/java"
    chmod +x "$1/bin/java"
    [ "$3" = jre ] || cp "$1/bin/java" "$1/bin/javac"
}

# A machine with just these JDKs: PATH's java, JAVA_HOME, further folders.
on_machine() { # PATH's JDK or "", JAVA_HOME or "", folders or "", command...
    path=$1 java_home=$2 folders=$3
    shift 3
    env -u TILEWRIGHT_JAVA_HOME PATH="$work/tools${path:+:$path/bin}" JAVA_HOME="$java_home" \
        TILEWRIGHT_JDK_FOLDERS="$folders" "$@"
}
mkdir "$work/tools"
for tool in sh sed grep dirname readlink cat; do
    ln -s "$(command -v $tool)" "$work/tools/$tool"
done
pretend_jdk "$work/jdk-17" 17.0.15 jdk
pretend_jdk "$work/jdk-25" 25.0.3 jdk
pretend_jdk "$work/jdk-25-ga" 25 jdk
pretend_jdk "$work/jre-25" 25.0.3 jre
pretend_jdk "$work/jdk-250" 250.0.1 jdk
find='. packaging/jdk.sh; find_jdk'

expect 'a JDK 17 first on the PATH, a JDK 25 beside it' 0 "^$work/jdk-25\$" \
    on_machine "$work/jdk-17" '' "$work/jdk-17 $work/jdk-25" sh -c "$find"
expect 'the JDK 25 of the PATH' 0 "^$work/jdk-25\$" on_machine "$work/jdk-25" '' '' sh -c "$find"
expect 'JAVA_HOME goes before the PATH' 0 "^$work/jdk-25-ga\$" \
    on_machine "$work/jdk-25" "$work/jdk-25-ga" '' sh -c "$find"
expect 'a JAVA_HOME of 17 is passed over' 0 "^$work/jdk-25\$" \
    on_machine '' "$work/jdk-17" "$work/jdk-25" sh -c "$find"
expect 'a runtime without a compiler is not enough' 2 'no JDK 25 found' \
    on_machine '' "$work/jre-25" "$work/jre-25" sh -c "$find"
expect '250 is not 25' 2 'no JDK 25 found' on_machine '' "$work/jdk-250" '' sh -c "$find"
expect 'TILEWRIGHT_JAVA_HOME decides' 0 "^$work/jdk-25-ga\$" \
    env TILEWRIGHT_JAVA_HOME="$work/jdk-25-ga" JAVA_HOME="$work/jdk-25" sh -c "$find"
expect 'a wrong TILEWRIGHT_JAVA_HOME is named, not passed over' 2 "TILEWRIGHT_JAVA_HOME=$work/jdk-17 is not a JDK 25" \
    env TILEWRIGHT_JAVA_HOME="$work/jdk-17" JAVA_HOME="$work/jdk-25" sh -c "$find"
# What the launcher itself lists, but for what runs without Java.
verbs=$(./tilewright help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -vxE 'test|dist|version')
expect 'the verbs that run Java' 0 '^[1-9][0-9]$' sh -c "echo '$verbs' | wc -l"
for verb in $verbs; do
    expect "$verb without a JDK 25" 2 '^tilewright: no JDK 25 found: install one' \
        on_machine "$work/jdk-17" '' '' ./tilewright $verb --help
    cp "$work/out" "$work/said"
    expect "$verb without a JDK 25 says one line" 0 '^1$' sh -c "wc -l <'$work/said'"
done
expect 'Maven is asked for by name' 2 'no Maven on the PATH' on_machine "$work/jdk-25" '' '' ./mvnw -v

expect 'no verb shows the usage' 0 '^usage: tilewright <verb>' ./tilewright
expect 'help shows every verb' 0 '^  dist ' ./tilewright --help
expect 'help shows check' 0 '^  check ' ./tilewright --help
expect 'version says the commit too' 0 '^tilewright [0-9.]+.* \([0-9a-f]{12}(-dirty)?\)$' ./tilewright version
expect 'an unknown verb' 2 "no verb 'tuen'; did you mean tune?" ./tilewright tuen
expect 'test --help' 0 '^usage: tilewright test \[--long N' ./tilewright test --help
expect 'there are twelve twelfths' 2 "takes a number from 1 to 12, or 'commit', got '13'" ./tilewright test --long 13
expect 'a part that there is not' 2 "is kernels, emulator, worker or service, got 'api'" ./tilewright test --full api

# The lists of tests, and lists with a fault. A line that names no test would leave one unnoticed that takes long, or that
# is to run always.
listed=packaging/listed-tests.sh long=packaging/long-tests.txt kept=packaging/kept-tests.txt
expect 'every listed test is there, and none is kept and drawn' 0 '^$' sh -c "$listed $long $kept && echo"
echo 'dev.tilewright.api.MainTest#isNot' >"$work/no-method"
expect 'a kept test that is not there' 1 'no-method: there is no test dev.tilewright.api.MainTest#isNot' $listed $long "$work/no-method"
sed 's/RestGuideTest/RestGuide/' $kept >"$work/no-class"
expect 'a long test of a class that is not there' 1 'no-class: there is no test dev.tilewright.api.RestGuide#' $listed "$work/no-class" $kept
cat $long $kept >"$work/both"
expect 'a test that is kept and drawn' 1 'RestGuideTest#[A-Za-z]* is kept in every run, and stands in .*both too' $listed "$work/both" $kept

# A fault that one run finds is found by the next one too.
expect 'no test draws what differs from run to run' 1 '^$' sh -c \
    "grep -rnE 'new SecureRandom|ThreadLocalRandom|new Random\(\)|Math[.]random' --include=*.java kernels/*/src/test \
    harness-worker/*/src/test harness-api/src/test harness-system/src/test || { echo; exit 1; }"

expect 'dist --help' 0 '^usage: tilewright dist' ./tilewright dist --help

# An unpacked archive: no pom.xml beside the launcher.
archive=$work/archive
mkdir -p "$archive/lib/harness-worker" "$archive/lib/shared"
cp tilewright "$archive/"
echo 0123456789ab >"$archive/commit"
expect 'an archive without its runtime' 2 'no runtime/ beside' "$archive/tilewright" tune
pretend_jdk "$archive/runtime" 25.0.3 jre
expect 'an archive runs its own runtime' 0 "^ran .*lib/shared/\\* .* dev.tilewright.worker.Main tune --shape 1x2x3\$" \
    "$archive/tilewright" tune --shape 1x2x3
expect 'a worker has a limit of memory by the machine, and ends where memory is short' 0 '^ran .*XX:MaxRAMPercentage=25 -XX:\+ExitOnOutOfMemoryError +dev.tilewright.worker.Main worker$' \
    "$archive/tilewright" worker
expect 'options of the user win over it' 0 'XX:MaxRAMPercentage=25 -XX:\+ExitOnOutOfMemoryError -Xmx3g dev.tilewright.worker.Main worker$' \
    env TILEWRIGHT_WORKER_OPTIONS=-Xmx3g "$archive/tilewright" worker
mkdir "$archive/lib/harness-api"
expect 'a service too' 0 'XX:MaxRAM=4g -XX:MaxRAMPercentage=12.5 -XX:\+ExitOnOutOfMemoryError -Xmx1g -Xlog:gc dev.tilewright.api.Main --port 0$' \
    env TILEWRIGHT_SERVE_OPTIONS='-Xmx1g -Xlog:gc' "$archive/tilewright" serve --port 0
expect 'one that a tune starts too' 0 'XX:TieredStopAtLevel=1 .*XX:MaxRAMPercentage=12.5 -XX:\+ExitOnOutOfMemoryError +dev.tilewright.api.Main --started-by tune' \
    "$archive/tilewright" serve --started-by tune
expect 'backups are made by programs of the service' 0 'dev.tilewright.api.platform.backup.BackupMain backup --to x$' \
    "$archive/tilewright" backup --to x
rmdir "$archive/lib/harness-api"
expect 'check may use the second compiler tier' 0 '^ran .*XX:\+UseParallelGC dev.tilewright.worker.Main check --all$' \
    "$archive/tilewright" check --all
expect 'an archive says its commit' 0 'Dtilewright.commit=0123456789ab ' "$archive/tilewright" worker
expect 'through a symbolic link too' 0 "Dtilewright.launcher=$archive/tilewright " \
    sh -c "ln -s '$archive/tilewright' '$work/link' && '$work/link' worker"
expect 'serve from the worker archive' 2 'has no harness-api' "$archive/tilewright" serve
expect 'test from an archive' 2 'source checkout only' "$archive/tilewright" test

echo "launcher: $passed passed, $failed failed"
[ $failed -eq 0 ]
