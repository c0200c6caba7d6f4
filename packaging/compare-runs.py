#!/usr/bin/env python3
"""Asks a service for the same comparisons again and again, and collects what it said.

usage: compare-runs.py LAUNCHER URL OUT.json [--runs N] [--top N] [--slowed PART] [--itself] SHAPE...
       compare-runs.py --table OUT.json      (writes OUT.md, the counts of verdicts)

For each shape, LAUNCHER predicts the TOP best configs for the GPU of the service. The first is compared with itself,
all the same though both are equal, then with each of the others and with cuBLAS's own choice, N times each. With
--slowed it is also compared with itself N times while a wait makes it take that much longer, such as 0.01: each time it
should be slower. --itself leaves the others and cuBLAS out. OUT.json has an object for each comparison, taken from the
documents that the service wrote.
"""
import argparse
import json
import statistics
import subprocess
import time
import urllib.request


def send(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def predicted(launcher, shape, top, device):
    command = [launcher, "predict", "--shape", shape, "--device", device, "--top", str(top), "--json", "-"]
    document = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return [prediction["config"] for prediction in document["configs"]]


def compared(url, shape, first, second, equal):
    m, n, k = map(int, shape.split("x"))
    asked = {"problem": {"m": m, "n": n, "k": k}, "first": first, "second": second, "measureEqual": equal}
    begun = time.monotonic()
    comparison = send(url + "/api/v1/comparisons", asked)
    while comparison["state"] in ("queued", "leased"):
        time.sleep(0.05)
        comparison = send(url + "/api/v1/comparisons/" + comparison["id"])
    return comparison, time.monotonic() - begun


def row(shape, pair, comparison, seconds):
    result = comparison["result"] or {}
    return {
        "shape": shape,
        "pair": pair,
        "state": comparison["state"],
        "error": comparison["error"],
        "verdict": result.get("verdict"),
        "ratio": result.get("ratio"),
        "blocks": len(result.get("blocks", [])) // 2,
        "discards": len(result.get("discards", [])),
        "seconds": round(seconds, 2),
        "longer": ((result.get("first") or {}).get("slowed") or {}).get("longer"),
        "device": (comparison["testbed"] or {}).get("device"),
    }


def collect(launcher, url, out, shapes, runs, top, device, slowed, itself):
    rows = []
    for shape in shapes:
        first, *others = [{"config": config} for config in predicted(launcher, shape, top, device)]
        pairs = [("itself", first, first, True)]
        if slowed:
            name = "itself, while slowed by %g %%" % (100 * slowed)
            pairs.append((name, {**first, "slowedBy": slowed}, first, False))
        if not itself:
            pairs += [("config %d" % (at + 2), first, other, False) for at, other in enumerate(others)]
            pairs.append(("cublaslt", first, {"peer": "cublaslt"}, False))
        for name, one, second, equal in pairs:
            for _ in range(runs):
                rows.append(row(shape, name, *compared(url, shape, one, second, equal)))
                with open(out, "w") as file:
                    json.dump(rows, file, separators=(",", ":"))
            print(shape, name, rows[-1], flush=True)


def calibrated(rows):
    effects = [100 * (one["longer"]["value"] - 1) for one in rows if one.get("longer")]
    return "%.3f, %.3f, %.3f %%" % (min(effects), statistics.mean(effects), max(effects)) if effects else "-"


def table(out):
    with open(out) as file:
        rows = json.load(file)
    groups = {}
    for one in rows:
        groups.setdefault((one["shape"], one["pair"]), []).append(one)
    lines = [
        "# Comparisons, again and again",
        "",
        "Written by `packaging/compare-runs.py --table` from `%s`, on %s." % (out.split("/")[-1], rows[0]["device"]),
        "",
        "| shape | the first config and | runs | verdicts | ratio, mean | deviation between runs | blocks, mean"
        " | seconds, median | longer by the wait, as calibrated: least, mean, most |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for (shape, pair), many in groups.items():
        verdicts = {}
        for one in many:
            name = one["verdict"] or one["state"]
            verdicts[name] = verdicts.get(name, 0) + 1
        ratios = [one["ratio"]["value"] for one in many if one["ratio"]]
        spread = 100 * statistics.stdev(ratios) if len(ratios) > 1 else float("nan")
        lines.append(
            "| %s | %s | %d | %s | %.4f | %.3f %% | %.0f | %.2f | %s |"
            % (
                shape,
                pair,
                len(many),
                ", ".join("%s %d" % each for each in sorted(verdicts.items())),
                statistics.mean(ratios) if ratios else float("nan"),
                spread,
                statistics.mean(one["blocks"] for one in many),
                statistics.median(one["seconds"] for one in many),
                calibrated(many),
            )
        )
    with open(out.replace(".json", ".md"), "w") as file:
        file.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", metavar="OUT.json")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--top", type=int, default=3)
    parser.add_argument("--slowed", type=float, metavar="PART", help="0.01 is one percent")
    parser.add_argument("--itself", action="store_true")
    parser.add_argument("--device", default="simulated:h200", help="model that predicts the configs")
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_intermixed_args()
    if options.table:
        table(options.table)
    else:
        launcher, url, out, *shapes = options.arguments
        collect(
            launcher, url, out, shapes, options.runs, options.top, options.device, options.slowed, options.itself
        )


if __name__ == "__main__":
    main()
