#!/bin/sh
# Checks of dashboards/ beyond the Java tests of their queries and house rules: what src/ generates by node, alert rules by
# promtool. Node is not needed to build or run Tilewright: where it is not installed its checks are skipped, and that is
# said; DashboardRulesTest sees then by digests that src/ and generated/ were changed together.
set -eu
cd "$(dirname "$0")/../dashboards"

if command -v npm >/dev/null && command -v node >/dev/null; then
    [ -n "$(find node_modules/.package-lock.json -newer package-lock.json 2>/dev/null)" ] || npm ci --silent --no-audit --no-fund
    npm test --silent
    echo "dashboards: generated/ is what src/ says"
else
    echo "dashboards: skipped the drift check: no node and npm on the PATH"
fi

promtool=$(../packaging/promtool.sh)
# The file of the token is in the container alone.
"$promtool" check config --syntax-only prometheus/prometheus.yml
"$promtool" check rules prometheus/rules.yml
"$promtool" test rules prometheus/rules.test.yml
