#!/bin/sh
# Qualifies the gate on the GPU of this machine, in pieces of at most nine minutes: how often it is wrong on equal
# kernels, and how often it finds twins that are slowed by a known part. The most valuable figures come first.
#
# usage: packaging/gate-qualification.sh DIR PIECE [SECONDS]
#
#   equal    70 cases with equal kernels in each of three classes          about 210 cases
#   slowed   twins slowed by 2 % and 1 %, 40 cases each a class, truths    about 240 cases and 6 truths
#   more     twins slowed by 0.5 % and 5 %, 20 cases each a class          about 120 cases
#   page     the page from all blocks below DIR, of all pieces and days
#
# SECONDS bounds a piece (default 520): each of the three classes gets a third, and what is missing then is left out. A
# case takes a second of GPU or less. More cases: RUNS=100 EQUAL=200; several GPUs of one machine share the work.
# FIRST_SEED (default 1) is that of the first case: give another one to add to what is there.
# TILEWRIGHT names the launcher (default ./tilewright), API the service (default: the one of this machine).
set -eu

folder=${1:?DIR: where blocks and pages go}
piece=${2:?PIECE: equal, slowed, more or page}
seconds=${3:-520}
launcher=${TILEWRIGHT:-./tilewright}
device=${MODEL:-simulated:h200}
third=$((seconds / 3))

# Latency-bound, power-bound, grouped.
classes="latency=512x512x512
power=4096x4096x4096
grouped=2048x2048x1024+1024x2048x1024+512x2048x1024+256x2048x1024"

# The config that the model predicts to be the fastest: a real kernel, chosen without a GPU.
config() {
    if [ ! -s "$folder/$1.config" ]; then
        "$launcher" predict --shape "$2" --device "$device" --top 1 --json "$folder/$1.predicted.json" > /dev/null
        python3 -c '
import json, sys
config = json.load(open(sys.argv[1]))["configs"][0]["config"]
print(" ".join("%s=%s" % (name, json.dumps(value).strip("\"")) for name, value in config.items()))' "$folder/$1.predicted.json" > "$folder/$1.config"
    fi
    cat "$folder/$1.config"
}

qualify() {
    name=$1
    shape=$2
    shift 2
    "$launcher" gate qualify "$(config "$name" "$shape")" --shape "$shape" --to "$folder/$name" --budget "$third" \
        --first-seed "${FIRST_SEED:-1}" ${API:+--api "$API"} "$@"
}

each() {
    for class in $classes; do
        qualify "${class%%=*}" "${class#*=}" "$@"
    done
}

mkdir -p "$folder"
case $piece in
    equal) each --equal "${EQUAL:-70}" ;;
    slowed) each --slowed 2,1 --runs "${RUNS:-40}" --truth "${TRUTH:-2000}" ;;
    more) each --slowed 5,0.5 --runs "${RUNS:-20}" ;;
    page) # shellcheck disable=SC2046
        "$launcher" gate qualify --to "$folder" --from $(find "$folder" -name blocks.jsonl | sort) ;;
    *)
        echo "gate-qualification: PIECE is equal, slowed, more or page, got '$piece'" >&2
        exit 2
        ;;
esac
