#!/usr/bin/env python3
"""Goes from programs to faster ones as a user does: capture, tune --from, apply, run --pack, gate program, on GPU 0.

usage: apply-runs.py LAUNCHER OUT.json [--until S] [--least-share P] [--keep FOLDER] PROGRAM ...
       apply-runs.py --table OUT.json      (writes OUT.md, the table of what was collected)

A PROGRAM is the arguments of llama.py, with commas: `decode,16,graph` or `prefill,2048,eager,--types,fp8`. OUT.json is
an array with one object a program: the median step without and with a recording, the seconds of each verb, and the
lines that the tool printed. A program whose result of the same commit stands in OUT.json is left out, and none begins
S seconds after the start. FOLDER of --keep gets recordings and all output. One home serves all programs, so a service
knows what it measured before.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
GATE_SECONDS = "400"


def program(words, seconds):
    return [sys.executable, os.path.join(HERE, "llama.py"), *words, "--seconds", seconds]


def gone_through(given, name):
    """What was seen of one program, to the first verb that failed."""
    words = name.split(",")
    folder = os.path.join(given.keep, re.sub(r"\W+", "-", name))
    os.makedirs(folder, exist_ok=True)
    tool, out, pack = given.launcher, os.path.join(folder, "out"), os.path.join(folder, "pack")
    share = ["--least-share", given.least_share]
    steps = {
        "plain": program(words, "4"),
        "capture": [tool, "capture", "--to", out, "--", *program(words, "10")],
        "tune": [tool, "tune", "--from", out, *share],
        "apply": [tool, "apply", out, "--to", pack, *share],
        "run": [tool, "run", "--pack", pack, "--", *program(words, "4")],
        "gate": [tool, "gate", "program", "--pack", pack, "--", *program(words, GATE_SECONDS)],
    }
    seen = {"program": name, "codes": {}, "seconds": {}, "lines": {}}
    for step, command in steps.items():
        begun = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        seen["seconds"][step] = round(time.monotonic() - begun, 1)
        seen["lines"][step] = done.stdout.rstrip().split("\n")
        seen["codes"][step] = done.returncode
        with open(os.path.join(folder, step + ".txt"), "w") as file:
            file.write(done.stdout)
        print("%s: %d in %.1f s: %s" % (step, done.returncode, seen["seconds"][step], seen["lines"][step][-1]), flush=True)
        if done.returncode not in (0, 1, 3):
            break
    return seen


def collect(given):
    rows = []
    if os.path.exists(given.out):
        with open(given.out) as file:
            rows = json.load(file)
    home = os.path.dirname(os.path.abspath(given.launcher))
    with open(os.path.join(home, "commit")) as file:
        commit = file.read().strip()
    import torch

    facts = {"commit": commit, "device": torch.cuda.get_device_name(0), "torch": torch.__version__}
    known = {(row["program"], row["commit"]) for row in rows}
    begun = time.monotonic()
    for name in given.programs:
        if (name, commit) in known:
            continue
        if given.until is not None and time.monotonic() - begun > given.until:
            break
        print("== " + name, flush=True)
        rows.append(facts | gone_through(given, name))
        with open(given.out, "w") as file:
            json.dump(rows, file, separators=(",", ":"))
            file.write("\n")


def found(row, step, pattern):
    """Groups of the first line of a step that has the pattern; dashes where none has."""
    for line in row["lines"].get(step, []):
        match = re.search(pattern, line)
        if match:
            return match.groups()
    return ("-",) * max(1, re.compile(pattern).groups)


def table(path):
    with open(path) as file:
        rows = json.load(file)
    lines = [
        "# From a program to a faster one",
        "",
        "Written by `packaging/apply/apply-runs.py --table` from `%s`: each program of `packaging/apply/llama.py` through"
        % os.path.basename(path),
        "`capture`, `tune --from`, `apply`, `run --pack` and `gate program`. Commit %s on %s, PyTorch %s."
        % (", ".join(sorted({row["commit"] for row in rows})), rows[0]["device"], rows[0]["torch"]),
        "",
        "| program | GEMMs of GPU time | replaceable | ms without | ms with | faster, 95 % interval | verdict | equal"
        " | slowed | products served | capture to apply | cost of capture |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    # The first line of a gate that begins with "verdict:" is that of the effect at old commits, which counts where the
    # gate ended with 0 or 1; it is the last line since the gate prints "effect:".
    for row in rows:
        median = r"median ([\d.]+) ms"
        plain, recorded = found(row, "plain", median)[0], found(row, "capture", median)[0]
        cost = "-" if "-" in (plain, recorded) else "%+.1f %%" % (100 * (float(recorded) / float(plain) - 1))
        seconds = [row["seconds"].get(step, 0) for step in ("capture", "tune", "apply")]
        lines.append("| " + " | ".join([
            row["program"].replace(",", " "),
            *found(row, "capture", r"GEMMs are ([\d.]+ %) of GPU time, ([\d.]+ %) of that"),
            *found(row, "gate", r"without the pack ([\d.]+) ms a step, with pack \w+ ([\d.]+) ms"),
            found(row, "gate", r"^(.*\]) from end to end")[0],
            found(row, "gate", r"^verdict: (\w[\w ]*)")[0] if row["codes"].get("gate") in (0, 1) else "none",
            found(row, "gate", r"sentinel equal: (\w+)")[0],
            found(row, "gate", r"sentinel slowed by 2 %: (\w+)")[0],
            found(row, "run", r"served (\d+ of \d+)")[0],
            "%.0f s" % sum(seconds) if all(seconds) else "-",
            cost,
        ]) + " |")
    with open(os.path.splitext(path)[0] + ".md", "w") as file:
        file.write("\n".join(lines) + "\n")


def main():
    if sys.argv[1:2] == ["--table"]:
        table(sys.argv[2])
        return
    options = argparse.ArgumentParser()
    options.add_argument("launcher")
    options.add_argument("out")
    options.add_argument("programs", nargs="+")
    options.add_argument("--until", type=float)
    options.add_argument("--least-share", default="1")
    options.add_argument("--keep", default="apply-runs")
    collect(options.parse_args())


main()
