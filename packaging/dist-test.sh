#!/bin/sh
# The archives of dist/, unpacked in an empty folder, answer every verb with no Java on the PATH.
set -eu
cd "$(dirname "$0")/.."
version=$(packaging/version.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/both" "$work/worker" "$work/bin" "$work/home"
for tool in sh cat sed dirname readlink; do
    ln -s "$(command -v $tool)" "$work/bin/$tool"
done
tar -xJf "dist/tilewright-runtime-$version-linux-x86_64.txz" -C "$work/both"
tar -xJf "dist/tilewright-$version.txz" -C "$work/both"
tar -xJf "dist/tilewright-worker-$version-linux-x86_64.txz" -C "$work/worker"

answers() { # launcher, verb
    if ! env -i PATH="$work/bin" HOME="$work/home" TILEWRIGHT_HOME="$work/home" "$1" "$2" --help >"$work/out" 2>&1 ||
        ! grep -q -i usage "$work/out"; then
        echo "tilewright: the unpacked $1 $2 --help failed:" >&2
        cat "$work/out" >&2
        exit 1
    fi
}
wrong() { # what
    echo "tilewright: $1" >&2
    exit 1
}
# Every verb that the launcher lists, but for those without options.
verbs=$("$work/both/tilewright-$version/tilewright" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -vx version)
case " $(echo $verbs) " in
    *' test '* | *' dist '*) wrong "help of the unpacked archive lists what needs a checkout" ;;
esac
[ -n "$verbs" ]
for verb in $verbs; do
    answers "$work/both/tilewright-$version/tilewright" $verb
done
answers "$work/worker/tilewright-worker-$version/tilewright" worker
# Files that help names lie in both archives.
for folder in "$work/both/tilewright-$version" "$work/worker/tilewright-worker-$version"; do
    for verb in check bundle gate; do
        "$folder/tilewright" $verb --help
    done | grep -oE 'docs/[a-z/-]+\.md' | sort -u | while read -r page; do
        [ -f "$folder/$page" ] || wrong "help names $page, which $folder has not"
    done
    [ -f "$folder/docs/ci/github-actions.yml" ] && [ -f "$folder/docs/examples/ci/triton/tilewright.yaml" ] ||
        wrong "$folder has no files for CI"
done
# A command of the README, as somebody types it who has the archive alone.
(cd "$work/both/tilewright-$version" && TILEWRIGHT_HOME="$work/home" ./tilewright check docs/examples/check/simt-gemm.ptx) ||
    wrong "the unpacked archive does not check its example"
echo "dist: the unpacked archives answer every verb without a JDK"
