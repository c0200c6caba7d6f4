#!/bin/sh
# Prints where promtool is: on the PATH, or else from Debian's package prometheus, unpacked into a cache of the tests. Needs
# no root. Fails where neither is to be had.
set -eu

if command -v promtool; then
    exit
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
    echo "promtool.sh: neither promtool on the PATH, nor apt-get and dpkg to fetch it: install prometheus" >&2
    exit 1
fi

cache=${TILEWRIGHT_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tilewright-tests}/promtool
mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9 # Two JVMs of tests may ask at once.

fetch() {
    rm -rf "$cache/apt" "$cache/root"
    mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial" "$cache/root"
    # Lists and archives of its own: those of the system belong to root.
    set -- -q -o Debug::NoLocking=1 -o APT::Sandbox::User= -o Dir::State::lists="$cache/apt/lists" \
        -o Dir::Cache="$cache/apt" -o Dir::Log="$cache/apt" -o Dir::State::extended_states="$cache/apt/extended_states"
    apt-get "$@" update
    (cd "$cache/apt/archives" && apt-get "$@" download prometheus)
    dpkg -x "$cache"/apt/archives/prometheus_*.deb "$cache/root"
    rm -rf "$cache/apt"
    touch "$cache/ready"
}

if [ ! -e "$cache/ready" ] && ! fetch >"$cache/log" 2>&1; then
    echo "promtool.sh: cannot fetch Debian's package prometheus; end of $cache/log:" >&2
    tail -5 "$cache/log" >&2
    exit 1
fi
echo "$cache/root/usr/bin/promtool"
