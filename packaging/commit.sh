#!/bin/sh
# The commit of this checkout, with `-dirty` when files differ from it: what a report says of the code behind its figures.
# Reports themselves do not count: one run writes several.
# Where there is no checkout, such as in the build of an image, TILEWRIGHT_COMMIT says it.
[ -z "${TILEWRIGHT_COMMIT:-}" ] || { echo "$TILEWRIGHT_COMMIT"; exit 0; }
cd "$(dirname "$0")/.." || exit 1
commit=$(git rev-parse --short=12 HEAD 2>/dev/null) || { echo unknown; exit 0; }
git diff --quiet HEAD -- . ':(exclude)docs/results' || commit=$commit-dirty
echo "$commit"
