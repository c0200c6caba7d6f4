#!/bin/sh
# Prints where promtool is: on the PATH, or else in Debian's package prometheus, which is fetched. Fails where neither is to
# be had.
set -eu
if ! command -v promtool; then
    root=$("$(dirname "$0")/unpacked.sh" promtool download prometheus)
    echo "$root/usr/bin/promtool"
fi
