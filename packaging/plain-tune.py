#!/usr/bin/env python3
"""Runs the plain `tilewright tune --shape MxNxK` for shapes, each from a fresh service, and collects what it said.

usage: plain-tune.py LAUNCHER OUT.json [--seed HEX] [--draw N] [--part I/N] [--seconds S] [--device D] [--keep FOLDER]
                     [--epilogue STEPS] [--types A,B,D] [--scales KIND] [--peers FOLDER] [SHAPE ...]
       plain-tune.py --join OUT.json PART.json ...    (joins parts, in the order of the shapes drawn)
       plain-tune.py --table OUT.json                 (writes OUT.md, the table of what was collected)

Shapes are those named and N drawn ones: m, n, k log-uniform from 256 to 16384, multiples of 8, by the seed; with scales
m log-uniform from 1 to 8192, n and k from 128 to 16384, multiples of 128. Part I of N has every Nth of them, from the
Ith on: each GPU of a node takes a part. OUT.json is an array with one object a shape,
taken from the documents that the tool wrote; `seconds` is from the command's start to its exit. Stops before a shape
that would begin after S seconds, and the same command goes on: a shape whose result stands in OUT.json, of the same
commit and options, is left out. FOLDER of --keep gets the documents themselves. A bundle in MxNxK of --peers, as
deepgemm.py writes it, is a further peer of that shape (a cubin in it needs TILEWRIGHT_BUNDLE_CUBINS=true).

Each service is fresh: no database, no cubins. The first tune of a part leaves what any first tune leaves in a home, the
unpacked Postgres and the start archive, and the later ones start from these.
"""
import argparse
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time


def drawn(seed, count, scaled):
    generator = random.Random(seed)

    def within(low, high, step):
        return max(low, int(math.exp(generator.uniform(math.log(low), math.log(high))) / step) * step)

    if scaled:
        return ["%dx%dx%d" % (within(1, 8192, 1), within(128, 16384, 128), within(128, 16384, 128)) for _ in range(count)]

    def extent():
        return max(256, int(math.exp(generator.uniform(math.log(256), math.log(16384))) / 8) * 8)

    return ["%dx%dx%d" % (extent(), extent(), extent()) for _ in range(count)]


# What the first tune of a home leaves for later starts: no result, no database, no cubin.
LEFT = [os.path.join("cache", "start"), "postgres-programs"]


def is_recorded(home):
    start = os.path.join(home, "cache", "start")
    return os.path.isdir(start) and any(not name.endswith(".new") for name in os.listdir(start))


def keep_left(home, kept):
    """Waits for the archive that the first tune records behind its exit: not beside the next shape."""
    limit = time.monotonic() + 120
    while not is_recorded(home) and time.monotonic() < limit:
        time.sleep(0.5)
    for name in LEFT:
        if os.path.isdir(os.path.join(home, name)):
            os.makedirs(os.path.dirname(os.path.join(kept, name)), exist_ok=True)
            shutil.move(os.path.join(home, name), os.path.join(kept, name))


def take_left(home, kept):
    for name in LEFT:
        os.makedirs(os.path.dirname(os.path.join(home, name)), exist_ok=True)
        if os.path.isdir(os.path.join(kept, name)):
            os.symlink(os.path.join(kept, name), os.path.join(home, name))


OPTIONS = ("epilogue", "types", "scales")


def beside(document, bundle):
    """The fastest kernel of the bundle in the final, with how much faster the best is; or why there is none."""
    peers = [peer for peer in document["peers"] or [] if peer["family"].split("@")[0] == bundle]
    timed = [peer for peer in peers if peer.get("ratio") is not None]
    if not timed:
        return {"name": bundle, "outcome": ", ".join(sorted({peer["outcome"] for peer in peers})) or "absent"}
    least = min(timed, key=lambda peer: peer["ratio"])
    return {"name": bundle, "config": least["config"], "ratio": least["ratio"], "ratioCi": least["ratioCi"], "outcome": least["outcome"]}


def timed_peers(document):
    """The families of the peers that were in the final."""
    return sorted({peer["family"].split("@")[0] for peer in document["peers"] or [] if peer.get("ratio") is not None})


def name_of_bundle(folder):
    with open(os.path.join(folder, "kernel.yaml")) as file:
        return "bundle:" + next(line.split(":")[1].strip() for line in file if line.startswith("name:"))


def tuned(launcher, shape, device, options, keep, kept, peers):
    with tempfile.TemporaryDirectory() as folder:
        document = os.path.join(folder, "result.json")
        home = os.path.join(folder, "home")
        is_first = not os.listdir(kept)
        if not is_first:
            take_left(home, kept)
        command = [launcher, "tune", "--shape", shape, "--json", document]
        if device:
            command += ["--device", device]
        for name, value in options.items():
            command += ["--" + name, value]
        bundle = peers and os.path.join(peers, shape)
        if bundle and not os.path.isdir(bundle):
            print("there is no bundle " + bundle, file=sys.stderr)
            return {"shape": shape, "seconds": 0, "exit": 2, **options}
        if bundle:
            command += ["--peer", bundle]
        environment = dict(os.environ, TILEWRIGHT_HOME=home)
        start = time.monotonic()
        ended = subprocess.run(command, env=environment, capture_output=True, text=True)
        seconds = time.monotonic() - start
        if is_first:
            keep_left(home, kept)
        print(ended.stdout, ended.stderr, file=sys.stderr, sep="\n", flush=True)
        for name in ("serve.log", "worker.log"):
            try:
                with open(os.path.join(home, "logs", name)) as log:
                    lines = [line for line in log if "final" in line or "ERROR" in line or "WARN" in line]
                print("%s: %s" % (name, "".join(lines[-12:])), file=sys.stderr, flush=True)
            except OSError:
                pass
        if not os.path.exists(document):
            return {"shape": shape, "seconds": round(seconds, 2), "exit": ended.returncode, **options}
        if keep:
            shutil.copy(document, os.path.join(keep, shape + ".json"))
        with open(document) as file:
            study = json.load(file)["studies"][0]
    best = study["best"]
    sweep = study["sweep"] or {}
    return {
        "shape": shape,
        "seconds": round(seconds, 2),
        "exit": ended.returncode,
        "first": is_first,
        "trials": study["counts"]["completed"],
        "sweepSeconds": sweep.get("seconds"),
        "configsPerSecond": sweep.get("configsPerSecond"),
        "gpuBusyShare": sweep.get("gpuBusyShare"),
        "waitShares": sweep.get("gpuWaitShares"),
        "ratioToBestPeer": study["ratioToBestPeer"],
        "ratioToBestPeerCi": study["ratioToBestPeerCi"],
        "bestPeer": study["bestPeer"],
        "peers": timed_peers(study),
        "peerSearches": study["peerSearches"],
        "tflops": best and best["tflops"],
        "us": best and best["medianNs"] / 1e3,
        "config": best and best["config"],
        "testbed": study["testbed"],
        **({"beside": beside(study, name_of_bundle(bundle))} if bundle else {}),
        **options,
    }


def join(out, parts):
    rows = []
    for part in parts:
        with open(part) as file:
            rows += json.load(file)
    rows.sort(key=lambda row: row["number"])
    with open(out, "w") as file:
        json.dump(rows, file, separators=(",", ":"))
        file.write("\n")


# Another interval than this says that the vendor's kernel is faster, by more than the margin.
MARGIN = 0.985


def quantile(sorted_values, share):
    at = share * (len(sorted_values) - 1)
    low = int(at)
    high = min(low + 1, len(sorted_values) - 1)
    return sorted_values[low] + (at - low) * (sorted_values[high] - sorted_values[low])


def mean_of(rows):
    return math.exp(sum(math.log(row["ratioToBestPeer"]) for row in rows) / len(rows))


def has_one_peer(row):
    """Whether the final had one of two kinds of peer: cublasLt with block scales wants M a multiple of 4."""
    return "beside" in row and len(row.get("peers", [0, 0])) == 1


def groups(ratios):
    """Named groups of the rows, by their number of rows of A."""
    rows_of_a = lambda row: int(row["shape"].split("x")[0])
    named = [("all", ratios), ("m at most 128", [row for row in ratios if rows_of_a(row) <= 128]), ("m = 4096", [row for row in ratios if rows_of_a(row) == 4096])]
    both = [row for row in ratios if not has_one_peer(row)]
    if len(both) < len(ratios):
        named.append(("two kinds of peers", both))
    return [(name, rows) for name, rows in named if rows]


def bundle_cells(row):
    found = row.get("beside") or {"outcome": ""}
    if "ratio" not in found:
        return " %s | %s | | |" % (row["bestPeer"] or "", found["outcome"])
    interval = "[%.3f, %.3f]" % tuple(found["ratioCi"]) if found["ratioCi"] else ""
    config = " ".join("%s=%s" % each for each in sorted(found["config"].items()))
    return " %s | %.3f | %s | %s |" % (row["bestPeer"], found["ratio"], interval, config)


def table(file):
    with open(file) as source:
        rows = json.load(source)
    done = [row for row in rows if row.get("trials")]
    ratios = [row for row in done if row["ratioToBestPeerCi"]]
    bundles = any("beside" in row for row in rows)
    seconds = sorted(row["seconds"] for row in done)
    testbeds = sorted({"%(device)s, driver %(driver)s, %(assembler)s" % row["testbed"] for row in done})
    lines = [
        "# Plain `tune`",
        "",
        "Written by `packaging/plain-tune.py --table` from `%s`: each shape by `tilewright tune --shape MxNxK%s` alone," % (os.path.basename(file), "".join(" --%s %s" % (name, value) for name in OPTIONS for value in sorted({row.get(name, "") for row in rows}) if value)),
        "from a fresh service; * marks the first tune of a home, which has no start archive yet.%s Commit %s on %s." % (" \u2020 marks a final with one kind of peer." if any(map(has_one_peer, done)) else "", ", ".join(sorted({row["commit"] for row in rows})), "; ".join(testbeds)),
        "",
        "| shape | seconds, start to exit | trials | configs/s | GPU busy | waited for the search | us | TFLOP/s | to the best peer | 95 % interval |" + (" best peer | to the bundle | 95 % interval | its kernel |" if bundles else ""),
        "|" + " --- |" * (14 if bundles else 10),
    ]
    for row in rows:
        if not row.get("trials"):
            lines.append("| %s | %.1f | exit code %d | | | | | | | |%s" % (row["shape"], row["seconds"], row["exit"], " | | | |" if bundles else ""))
            continue
        share = lambda value: "" if value is None else "%.0f %%" % (100 * value)
        interval = row["ratioToBestPeerCi"]
        lines.append("| %s%s | %.1f%s | %d | %.1f | %s | %s | %.1f | %.1f | %s | %s |" % (
            row["shape"], " \u2020" if has_one_peer(row) else "", row["seconds"], " *" if row["first"] else "", row["trials"], row["configsPerSecond"], share(row["gpuBusyShare"]),
            share((row["waitShares"] or {}).get("request")), row["us"], row["tflops"],
            "" if interval is None else "%.3f" % row["ratioToBestPeer"],
            "" if interval is None else "[%.3f, %.3f]" % tuple(interval)) + (bundle_cells(row) if bundles else ""))
    lines += ["", "Median time to answer %.1f s, longest %.1f s." % (quantile(seconds, 0.5), seconds[-1])]
    if ratios:
        lines[-1] += " Geometric mean of the ratios %.3f, least upper bound %.3f, widest half-width %.2f %%." % (
            mean_of(ratios),
            min(row["ratioToBestPeerCi"][1] for row in ratios),
            max(50 * math.log(row["ratioToBestPeerCi"][1] / row["ratioToBestPeerCi"][0]) for row in ratios))
        if any("scales" in row for row in ratios):
            lines += ["", "| shapes | number | geometric mean | least |", "| --- | --- | --- | --- |"]
            lines += ["| %s | %d | %.3f | %.3f |" % (name, len(rows), mean_of(rows), min(row["ratioToBestPeer"] for row in rows)) for name, rows in groups(ratios)]
        slower = [row for row in ratios if row["ratioToBestPeerCi"][1] < MARGIN]
        lines += ["", "Shapes whose interval lies wholly below %.3f, with the peer's kernel:%s" % (MARGIN, "" if slower else " none.")]
        if slower:
            lines += [""] + ["* %s: %.3f, `%s`" % (row["shape"], row["ratioToBestPeer"], row["bestPeer"]) for row in slower]
    with open(os.path.splitext(file)[0] + ".md", "w") as out:
        out.write("\n".join(lines) + "\n")


def main():
    if sys.argv[1:2] == ["--table"]:
        table(sys.argv[2])
        return
    if sys.argv[1:2] == ["--join"]:
        join(sys.argv[2], sys.argv[3:])
        return
    options = argparse.ArgumentParser()
    options.add_argument("launcher")
    options.add_argument("out")
    options.add_argument("--commit", default="unknown")
    options.add_argument("--seed", default="0")
    options.add_argument("--draw", type=int, default=0)
    options.add_argument("--part", default="1/1")
    options.add_argument("--seconds", type=float, default=math.inf)
    options.add_argument("--device")
    for name in OPTIONS:
        options.add_argument("--" + name)
    options.add_argument("--keep")
    options.add_argument("--peers")
    options.add_argument("shapes", nargs="*")
    given = options.parse_intermixed_args()
    part, parts = map(int, given.part.split("/"))
    shapes = list(enumerate(given.shapes + drawn(int(given.seed, 16), given.draw, given.scales)))[part - 1 :: parts]
    with tempfile.TemporaryDirectory() as kept:
        tune_all(given, shapes, kept)


def so_far(given):
    """The results that stand in the file; what failed is tried again."""
    if not os.path.exists(given.out):
        return []
    with open(given.out) as file:
        rows = [row for row in json.load(file) if row.get("trials")]
    wanted = {"commit": given.commit, **{name: getattr(given, name) for name in OPTIONS}}
    for row in rows:
        for name, value in wanted.items():
            if row.get(name) != value:
                sys.exit("%s: %s has %s %s, and this call %s" % (given.out, row["shape"], name, row.get(name), value))
    return rows


def keep(rows, out):
    with open(out + ".new", "w") as file:
        json.dump(rows, file, separators=(",", ":"))
        file.write("\n")
    os.replace(out + ".new", out)


def tune_all(given, shapes, kept):
    rows = so_far(given)
    there = {row["shape"] for row in rows}
    begun = time.monotonic()
    for number, shape in shapes:
        if shape in there:
            continue
        if time.monotonic() - begun > given.seconds:
            print("no time for " + shape, file=sys.stderr)
            continue
        row = tuned(given.launcher, shape, given.device, {name: getattr(given, name) for name in OPTIONS if getattr(given, name)}, given.keep, kept, given.peers)
        row["commit"] = given.commit
        row["number"] = number
        row["seed"] = given.seed
        rows.append(row)
        keep(rows, given.out)
        print({key: row.get(key) for key in ("shape", "seconds", "trials", "ratioToBestPeer", "ratioToBestPeerCi")}, flush=True)


main()
