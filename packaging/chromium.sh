#!/bin/sh
# Prints two lines: where chromium and where chromedriver are. Both on the PATH, or else from Debian's packages of both, which
# are fetched with the libraries that this machine lacks. Fails where neither is to be had.
set -eu

if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then
    command -v chromium
    command -v chromedriver
    exit
fi
root=$("$(dirname "$0")/unpacked.sh" chromium install chromium chromium-driver fonts-dejavu-core)
cache=$(dirname "$root")

# What is written here is so each time, costs little, and is never seen half written: two JVMs of tests may ask at once.
keep() {
    cat >"$1.$$"
    chmod +x "$1.$$"
    mv "$1.$$" "$1"
}

libraries=$(find "$root/usr/lib" -name '*.so*' ! -path '*/usr/lib/chromium/*' -printf '%h\n' | sort -u | paste -sd:)
for program in usr/lib/chromium/chromium usr/bin/chromedriver; do
    keep "$cache/${program##*/}" <<WRAPPER
#!/bin/sh
LD_LIBRARY_PATH=$libraries FONTCONFIG_FILE=$cache/fonts.conf exec $root/$program "\$@"
WRAPPER
done
keep "$cache/fonts.conf" <<FONTS
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>$root/usr/share/fonts</dir>
  <alias><family>system-ui</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <cachedir>$cache/fonts</cachedir>
</fontconfig>
FONTS
echo "$cache/chromium"
echo "$cache/chromedriver"
