#!/usr/bin/env python3
"""Gathers the tables of ranges of M from results of `tilewright tune`, and writes them as Markdown.

    range-table.py --commit COMMIT OUT.json RESULT.json...    gathers: of each result the job, the testbed, the ranges
    range-table.py --table OUT.json                           writes OUT.md beside it

A RESULT.json is what `tilewright tune --shape 1-16384x4096x4096 --json RESULT.json` wrote. Its trials are left out.
"""

import datetime
import json
import os
import statistics
import sys


def gather(commit, out, results):
    rows = []
    for file in results:
        with open(file) as opened:
            result = json.load(opened)
        testbed = next(study["testbed"] for study in result["studies"] if study["testbed"])
        trials = sum(len(study["trials"]) for study in result["studies"])
        rows.append({"commit": commit, "job": result["job"], "testbed": testbed, "trials": trials, "ranges": result["ranges"]})
    with open(out, "w") as opened:
        json.dump(rows, opened, separators=(",", ":"))
        opened.write("\n")


def seconds(job):
    begun, ended = (datetime.datetime.fromisoformat(job[key].replace("Z", "+00:00")) for key in ("createdAt", "finishedAt"))
    return (ended - begun).total_seconds()


def percent(share):
    return "%.1f %%" % (100 * share)


def table(out):
    with open(out) as opened:
        rows = json.load(opened)
    testbeds = sorted({"%(device)s, driver %(driver)s, %(assembler)s" % row["testbed"] for row in rows})
    lines = [
        "# Ranges of M",
        "",
        "Written by `packaging/range-table.py --table` from `%s`: each by `tilewright tune --shape LEAST-MOSTxNxK` alone." % os.path.basename(out),
        "Commit %s on %s." % (", ".join(sorted({row["commit"] for row in rows})), "; ".join(testbeds)),
        "",
        "| range | seconds, of the job | trials | configs timed | kernels | rows of the table | regret: median | 95th percentile | worst | at M | mean loss | of twice as many kernels |",
        "|" + " --- |" * 12,
    ]
    lost = []
    took = []
    for row in rows:
        for found in row["ranges"]:
            problem, regret = found["problem"], found["table"]["regret"]
            kernels = found["table"]["kernels"]
            lost += [max(0, check["us"] / check["fastestUs"] - 1) for check in regret["checks"]]
            took.append(seconds(row["job"]))
            lines.append("| %d-%dx%dx%d | %.1f | %d | %d | %d | %d | %s | %s | %s | %d | %s |" % (
                problem["m"], problem["mTo"], problem["n"], problem["k"], took[-1], row["trials"], found["table"]["screened"],
                len({json.dumps(kernel["config"], sort_keys=True) for kernel in kernels}), len(kernels),
                percent(regret["median"]), percent(regret["p95"]), percent(regret["worst"]), regret["worstAt"],
                " | ".join(([percent(mean["share"]) for mean in found["table"].get("lost", [])] + ["-", "-"])[:2])))
    lines += [
        "",
        "All %d checks together: median %s, 95th percentile %s, worst %s. Seconds: median %.1f, longest %.1f." % (
            len(lost), percent(statistics.median(lost)), percent(statistics.quantiles(lost, n=20, method="inclusive")[-1]), percent(max(lost)), statistics.median(took), max(took)),
        "Times are of screens, without intervals: the kernel of the table beside the most promising others of each M.",
        "",
    ]
    with open(os.path.splitext(out)[0] + ".md", "w") as opened:
        opened.write("\n".join(lines))


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--table":
        table(arguments[1])
    elif len(arguments) > 3 and arguments[0] == "--commit":
        gather(arguments[1], arguments[2], arguments[3:])
    else:
        sys.exit(__doc__.strip())


if __name__ == "__main__":
    main(sys.argv[1:])
