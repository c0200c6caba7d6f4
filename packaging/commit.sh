#!/bin/sh
# The commit of this checkout, with `-dirty` when files differ from it: what a report says of the code behind its figures.
cd "$(dirname "$0")/.."
git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null || echo unknown
