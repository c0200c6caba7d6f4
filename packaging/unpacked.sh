#!/bin/sh
# unpacked.sh NAME install|download PACKAGE...: prints the folder in which Debian's packages lie unpacked, in a cache of the
# tests; install: with the packages that they need and this machine lacks. Needs no root. They are fetched once.
set -eu
name=$1 how=$2
shift 2

if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
    echo "unpacked.sh: $name is not on the PATH, and there is no apt-get and dpkg to fetch it: install $*" >&2
    exit 1
fi
cache=${TILEWRIGHT_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tilewright-tests}/$name
mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9 # Two JVMs of tests may ask at once.

# Lists and archives of its own: those of the system belong to root.
apt() {
    apt-get -q -o Debug::NoLocking=1 -o APT::Sandbox::User= -o Dir::State::lists="$cache/apt/lists" -o Dir::Cache="$cache/apt" \
        -o Dir::Log="$cache/apt" -o Dir::State::extended_states="$cache/apt/extended_states" "$@"
}

fetch() {
    rm -rf "$cache/apt" "$cache/root"
    mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial" "$cache/root"
    apt update &&
        case $how in
            install) apt -y --no-install-recommends --download-only install "$@" ;;
            download) (cd "$cache/apt/archives" && apt download "$@") ;;
            *) echo "install or download, got '$how'" && false ;;
        esac &&
        for package in "$cache"/apt/archives/*.deb; do
            dpkg -x "$package" "$cache/root" || return
        done &&
        rm -rf "$cache/apt" &&
        touch "$cache/ready"
}

if [ ! -e "$cache/ready" ] && ! fetch "$@" >"$cache/log" 2>&1; then
    echo "unpacked.sh: cannot fetch Debian's packages $*; end of $cache/log:" >&2
    tail -5 "$cache/log" >&2
    exit 1
fi
echo "$cache/root"
