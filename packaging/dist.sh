#!/bin/sh
# `tilewright dist`: three archives in dist/ that need no JDK where they run. Sizes and GLIBC versions are enforced.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
version=$(packaging/version.sh)
platform=linux-x86_64

if [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
    cat <<USAGE
usage: tilewright dist

Builds in dist/:
  tilewright-runtime-$version-$platform.txz   a Java runtime (at most 25 MB)
  tilewright-$version.txz                        the application with its Postgres (at most 40 MB); unpack both in one folder
  tilewright-worker-$version-$platform.txz    the worker alone with its own runtime (at most 30 MB)
USAGE
    exit
fi
[ $# -eq 0 ] || {
    echo "tilewright: dist takes no arguments, got '$*'" >&2
    exit 2
}

# shellcheck source=packaging/jdk.sh
. packaging/jdk.sh
JAVA_HOME=$(find_jdk)
export JAVA_HOME
packaging/build.sh
stage=target/dist
rm -rf $stage dist
mkdir -p $stage dist
epoch=$(git log -1 --format=%ct 2>/dev/null || date +%s)

# Reflection hides some needs from jdeps: java.desktop (java.beans, for Spring), jdk.security.auth (Postgres as root),
# jdk.crypto.ec and java.security.jgss (TLS and Kerberos to an external database), jdk.management (metrics of the JVM).
api_modules=java.base,java.desktop,java.instrument,java.logging,java.management,java.naming,java.net.http
api_modules=$api_modules,java.security.jgss,java.sql,java.xml,jdk.crypto.ec,jdk.management,jdk.security.auth,jdk.unsupported
worker_modules=java.base,java.logging,java.management,java.net.http,java.xml,jdk.crypto.ec,jdk.unsupported

runtime() { # folder, modules
    # Uncompressed: xz packs a plain image far better than a packed one.
    "$JAVA_HOME/bin/jlink" --add-modules "$2" --output "$1" --compress zip-0 --strip-debug --no-header-files \
        --no-man-pages --vm server
}

store() { # folder, jars...
    mkdir -p "$1"
    "$JAVA_HOME/bin/java" packaging/StoreJars.java "$@"
}

common() { # folder of the archive
    mkdir -p "$1/lib"
    cp tilewright LICENSE README.md "$1/"
    # All that messages and help name, but for figures and pictures, which are many times as large as the rest.
    tar -c --exclude=docs/results --exclude=docs/images docs | tar -x -C "$1"
    packaging/commit.sh >"$1/commit"
    packaging/version.sh >"$1/version"
}

# Classes are not aligned and hold much text: pb and lc say so to xz.
archive() { # file name, folder to pack, limit in MB (decimal)
    tar -C "$(dirname "$2")" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -c "$(basename "$2")" |
        xz -T1 --x86 --lzma2=preset=9e,pb=0,lc=4 >"dist/$1"
    size=$(wc -c <"dist/$1")
    echo "dist/$1: $((size / 1000000)).$((size / 100000 % 10)) MB (limit $3)"
    if [ "$size" -gt $(($3 * 1000000)) ]; then
        echo "tilewright: dist/$1 is over its $3 MB" >&2
        exit 1
    fi
}

libraries() { # uniq's option: -d the file names that both modules have, -u those of one alone
    for module in harness-api harness-worker/cli; do
        ls "$root/$module/target/lib"
    done | sort | uniq "$1"
}

app=$stage/app/tilewright-$version
runtime=$stage/runtime/tilewright-$version
worker=$stage/worker/tilewright-worker-$version

mkdir -p "$runtime" "$worker"
runtime "$runtime/runtime" "$api_modules"
runtime "$worker/runtime" "$worker_modules"

common "$app"
# shellcheck disable=SC2046 # one word per jar: their names hold no blanks
store "$app/lib/shared" $(libraries -d | sed 's:^:harness-worker/cli/target/lib/:')
for module in harness-api harness-worker/cli; do
    # By its whole name: a jar of tests may lie beside it.
    # shellcheck disable=SC2046
    store "$app/lib/${module%%/*}" "$module"/target/*-"$version".jar \
        $(cd "$module/target/lib" && libraries -u | while read -r jar; do [ ! -f "$jar" ] || echo "$PWD/$jar"; done)
done
common "$worker"
cp -r "$app/lib/shared" "$app/lib/harness-worker" "$worker/lib/"

"$JAVA_HOME/bin/java" packaging/GlibcCheck.java 2.28 "$runtime" "$app" "$worker"
# Side by side: xz at its best packs with one thread.
archive "tilewright-runtime-$version-$platform.txz" "$runtime" 25 &
runtime_packing=$!
archive "tilewright-worker-$version-$platform.txz" "$worker" 30 &
worker_packing=$!
archive "tilewright-$version.txz" "$app" 40
wait $runtime_packing
wait $worker_packing
packaging/dist-test.sh
