#!/usr/bin/env python3
"""Exports kernels and looks whether they do outside what they did inside: results, times, a graph.

usage: export-runs.py LAUNCHER URL OUT.json FOLDER [--commit C] [--case "OPTIONS OF export"] ... [--again OLD.json]
                      [SHAPE ...]
       export-runs.py --table OUT.json      (writes OUT.md)

Of each SHAPE the best config that the service at URL knows is exported; a case says by itself what is exported, such as
"--shape 512x768x320 --batch 4 --config ...". OLD.json is of an earlier run, whose configs are exported again. Each
export's C program is compiled with gcc and run, and its module is compared with torch.matmul as its selftest.py does
it, from a captured graph too. Of single bf16 problems the times of the module and of torch.matmul are taken before and
behind a comparison of the config with cuBLAS by `tilewright compare`. OUT.json has an object an export.
"""
import argparse
import importlib.util
import json
import os
import shlex
import statistics
import subprocess
import sys
import time
import urllib.parse
import urllib.request

BURST_SECONDS = 0.02
PAUSE_SECONDS = 0.02
BURSTS = 12
# Options that make a problem another than one GEMM of bf16.
OTHER_PROBLEMS = {"--batch", "--group", "--types", "--dtype", "--major"}


def ran(*command, cwd=None):
    ended = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    return ended.returncode, (ended.stdout + ended.stderr).strip()


def best(url, shape):
    with urllib.request.urlopen(url + "/api/v1/best?" + urllib.parse.urlencode({"shape": shape}), timeout=60) as answer:
        return json.load(answer)["items"][0]


def in_c(folder, name):
    sources = ["%s_test.c" % name, "%s.c" % name, "%s_image.c" % name]
    code, said = ran("gcc", "-std=c11", *sources, "-o", name + "_test", "-ldl", cwd=folder)
    return (code, said) if code else ran("./%s_test" % name, cwd=folder)


def module(path):
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    loaded = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def microseconds(torch, run):
    """Median over bursts of the time of a launch; no burst is long enough to heat the GPU up."""
    run()
    torch.cuda.synchronize()
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    run()
    end.record()
    torch.cuda.synchronize()
    launches = max(4, int(1000 * BURST_SECONDS / max(start.elapsed_time(end), 1e-3)))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(launches):
            run()
    times = []
    for _ in range(BURSTS):
        time.sleep(PAUSE_SECONDS)
        start.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        times.append(1000 * start.elapsed_time(end) / launches)
    return statistics.median(times)


def timed(torch, launcher, url, shape, config, gemm):
    m, n, k = map(int, shape.split("x"))
    a = torch.randn(m, k, device="cuda").bfloat16()
    b = torch.randn(n, k, device="cuda").bfloat16()
    d = torch.empty(m, n, device="cuda", dtype=torch.bfloat16)
    ours, theirs = [], []
    document = "comparison.json"
    for turn in range(2):
        ours.append(microseconds(torch, lambda: gemm(a, b)))
        theirs.append(microseconds(torch, lambda: torch.matmul(a, b.mT, out=d)))
        if turn == 0:
            code, said = ran(
                launcher, "compare", config, "cublaslt", "--shape", shape, "--api", url, "--json", document)
            if code not in (0, 3):
                return {"compare": said[-300:]}
    with open(document) as file:
        result = json.load(file)["result"]
    blocks = {side: statistics.median(b["launchNs"] / 1000 for b in result["blocks"] if b["arm"] == result[side]["name"])
              for side in ("first", "second")}
    inside = blocks["second"] / blocks["first"]
    return {
        "exportedUs": ours, "torchUs": theirs, "toolUs": blocks["first"], "toolPeerUs": blocks["second"],
        "verdict": result["verdict"], "ratio": result["ratio"],
        "exportedOverTool": statistics.mean(ours) / blocks["first"],
        "speedupOutsideOverInside": statistics.mean(theirs) / statistics.mean(ours) / inside,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", metavar="OUT.json")
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--again", metavar="OLD.json")
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_intermixed_args()
    if options.table:
        table(options.table)
        return
    launcher, url, out, folder, *shapes = options.arguments
    import torch

    torch.manual_seed(int(time.time()))
    cases = []
    for shape in shapes:
        config = " ".join("%s=%s" % each for each in best(url, shape)["config"].items())
        cases.append("--shape %s --config '%s'" % (shape, config))
    cases += options.case
    if options.again:
        with open(options.again) as file:
            cases += [row["export"] for row in json.load(file)]
    rows = []
    for at, case in enumerate(cases):
        name = "exported%d" % at
        own = os.path.join(folder, name)
        words = shlex.split(case)
        code, said = ran(launcher, "export", *words, "--name", name, "--to", own)
        row = {"export": case, "commit": options.commit, "device": torch.cuda.get_device_name(), "exit": code}
        rows.append(row)
        if code == 0:
            row["c"], row["cSaid"] = in_c(own, name)
            row["python"], row["pythonSaid"] = ran(sys.executable, "selftest.py", cwd=own)
            if not set(words) & OTHER_PROBLEMS:
                asked = dict(zip(words[::2], words[1::2]))
                gemm = module(os.path.join(own, name + ".py")).gemm
                row.update(timed(torch, launcher, url, asked["--shape"], asked["--config"], gemm))
        else:
            row["said"] = said[-500:]
        print(json.dumps(row), flush=True)
        with open(out, "w") as file:
            json.dump(rows, file, separators=(",", ":"))


def table(out):
    with open(out) as file:
        rows = json.load(file)
    lines = [
        "# Exports on a GPU",
        "",
        "Written by `packaging/export-runs.py --table` from `%s`, on %s, commit %s." % (
            os.path.basename(out), rows[0]["device"], rows[0]["commit"]),
        "Each export's C program and its Python module are compared with sums that are exact, and with `torch.matmul`:",
        "the same bits for whole numbers, from a captured graph too. Speedup: over cuBLAS, outside by PyTorch in bursts,",
        "inside by `tilewright compare`, in turn.",
        "",
        "| export | C | Python | us, exported | us, tool | exported / tool | speedup outside / inside |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        told = lambda key: {None: "-", 0: "right"}.get(row.get(key), "WRONG")
        figures = (
            "%.2f | %.2f | %.4f | %.4f" % (
                statistics.mean(row["exportedUs"]), row["toolUs"], row["exportedOverTool"],
                row["speedupOutsideOverInside"])
            if "exportedUs" in row else "- | - | - | -"
        )
        lines.append("| %s | %s | %s | %s |" % (row["export"].split(" --config")[0].replace("--", ""), told("c"), told("python"), figures))
    with open(out.replace(".json", ".md"), "w") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
