#!/bin/sh
# Prints two lines: where chromium and where chromedriver are. Both from the PATH, or else Debian's packages of both with
# the libraries that this machine lacks, unpacked into a cache of the tests. Needs no root. Fails where neither is to be had.
set -eu

if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then
    command -v chromium
    command -v chromedriver
    exit
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
    echo "chromium.sh: neither chromium and chromedriver on the PATH, nor apt-get and dpkg to fetch them: install both" >&2
    exit 1
fi

cache=${TILEWRIGHT_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tilewright-tests}/chromium
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
    apt-get "$@" -y --no-install-recommends --download-only install chromium chromium-driver fonts-dejavu-core
    for package in "$cache"/apt/archives/*.deb; do
        dpkg -x "$package" "$cache/root"
    done
    rm -rf "$cache/apt"
    wrapper chromium usr/lib/chromium/chromium
    wrapper chromedriver usr/bin/chromedriver
    touch "$cache/ready"
}

wrapper() {
    libraries=$(find "$cache/root/usr/lib" -name '*.so*' ! -path '*/usr/lib/chromium/*' -printf '%h\n' | sort -u | paste -sd:)
    cat >"$cache/$1" <<WRAPPER
#!/bin/sh
LD_LIBRARY_PATH=$libraries FONTCONFIG_FILE=$cache/fonts.conf exec $cache/root/$2 "\$@"
WRAPPER
    chmod +x "$cache/$1"
}

if [ ! -e "$cache/ready" ]; then
    if ! fetch >"$cache/log" 2>&1; then
        echo "chromium.sh: cannot fetch Debian's packages chromium and chromium-driver; end of $cache/log:" >&2
        tail -5 "$cache/log" >&2
        exit 1
    fi
fi
# Written each time: it says where fonts are, and costs nothing.
cat >"$cache/fonts.conf" <<FONTS
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>$cache/root/usr/share/fonts</dir>
  <alias><family>system-ui</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <cachedir>$cache/fonts</cachedir>
</fontconfig>
FONTS
echo "$cache/chromium"
echo "$cache/chromedriver"
