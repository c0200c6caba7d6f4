#!/usr/bin/env python3
"""Disturbs runs of a gate, and looks what the gate says then: kill -9 of a process, or another process on the GPU.

usage: gate-faults.py LAUNCHER HOME OUT.json [--kills N] [--shared N] [--seed S] [--device cuda:0]
                      [--model simulated:h200] [--seconds S]
       gate-faults.py --table OUT.json      (writes OUT.md, what came of each run)

LAUNCHER serves HOME, and is started again whenever it has ended, as an init system would do it. The gate has two cases:
the config that the model predicts to be the sixth best beside the best one, and the best beside the sixth. A first run
that nobody disturbs says the verdicts to expect. Then the kills follow: the runner, the worker, the service or
Postgres, in turn, at a time drawn from the length of the first run. Each run must end, with the verdicts of the first
or inconclusive, each stage must be there once, and no two blocks may have the same place in a stage or the same times
in the whole run. Then the shared runs: a program multiplies matrices on the same GPU (it needs PyTorch), from before the
run or from its beginning on, in turn; each run must end inconclusive. Exit 1 if one does not. Runs that have not begun
when the SECONDS are over are left out.
"""
import argparse
import glob
import json
import os
import random
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

SHAPE = {"m": 4096, "n": 4096, "k": 4096}
VICTIMS = ["runner", "worker", "service", "postgres"]
NAMES = {"runner": "the runner", "worker": "the worker", "service": "the service", "postgres": "Postgres"}
PROGRAMS = {"runner": "dev.tilewright.worker.gpu.runner.RunnerMain", "worker": "dev.tilewright.worker.Main worker"}
BUSY = """
import torch
a = torch.randn(4096, 4096, device="cuda", dtype=torch.bfloat16)
while True:
    for _ in range(50):
        b = a @ a
    torch.cuda.synchronize()
"""
# A program that uses PyTorch is at work on the GPU after so many seconds.
BUSY_AFTER = 6
# No answer for so long, in seconds, and the run counts as lost.
PATIENCE = 180


class Installation:
    """One home and the processes that work on it."""

    def __init__(self, launcher, home, device):
        self.launcher, self.home, self.device = launcher, os.path.realpath(home), device
        self.serving = None

    def keep(self):
        if self.serving is None or self.serving.poll() is not None:
            log = open(os.path.join(self.home, "serve.log"), "a")
            self.serving = subprocess.Popen(
                [self.launcher, "serve", "--port", "0", "--device", self.device],
                stdout=log,
                stderr=log,
                env={**os.environ, "TILEWRIGHT_HOME": self.home},
            )

    def service(self):
        with open(os.path.join(self.home, "service.json")) as file:
            return json.load(file)

    def send(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.service()["url"] + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def patiently(self, path, body=None, until=lambda answer: True):
        """Asks again while the service is away, until an answer is as wanted."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.keep()
            try:
                answer = self.send(path, body)
                if until(answer):
                    return answer
            except (OSError, ValueError, KeyError) as away:
                if isinstance(away, urllib.error.HTTPError) and 400 <= away.code < 500 and away.code != 404:
                    raise SystemExit("%s: %d %s" % (path, away.code, away.read().decode()))
            time.sleep(0.1)
        raise SystemExit("no answer from %s within %d s" % (path, PATIENCE))

    def pid(self, victim):
        """The process of a victim, or None while there is none."""
        try:
            if victim == "service":
                return self.service()["pid"]
            if victim == "postgres":
                with open(os.path.join(self.home, "postgres", "postmaster.pid")) as file:
                    return int(file.readline())
        except (OSError, ValueError):
            return None
        for folder in glob.glob("/proc/[0-9]*"):
            try:
                with open(folder + "/cmdline", "rb") as file:
                    command = file.read().replace(b"\0", b" ").decode("latin-1")
                with open(folder + "/environ", "rb") as file:
                    ours = ("TILEWRIGHT_HOME=" + self.home).encode() in file.read().split(b"\0")
            except OSError:
                continue
            if ours and PROGRAMS[victim] in command:
                return int(os.path.basename(folder))
        return None

    def kill(self, victim):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            pid = self.pid(victim)
            if pid is not None:
                try:
                    os.kill(pid, signal.SIGKILL)
                    return True
                except ProcessLookupError:
                    pass
            time.sleep(0.02)
        return False


def configs(launcher, model):
    command = [launcher, "predict", "--shape", "4096x4096x4096", "--device", model, "--top", "6", "--json", "-"]
    document = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    found = document["configs"]
    return [{"family": document["family"], "config": one["config"]} for one in (found[0], found[5])]


def request(best, sixth, device):
    def case(name, candidate, baseline):
        return {"name": name, "problem": SHAPE, "candidate": candidate, "baseline": {"kernel": baseline}}

    return {"seed": 7, "device": device, "cases": [case("slower", sixth, best), case("faster", best, sixth)]}


def finished(installation, asked, victim=None, after=0.0):
    run = installation.patiently("/api/v1/gates/kills/runs", asked)
    begun = time.monotonic()
    killed = None
    if victim:
        time.sleep(after)
        state = installation.patiently("/api/v1/gate-runs/" + run["id"])["state"]
        killed = {"victim": victim, "afterSeconds": round(after, 2), "state": state, "found": installation.kill(victim)}
    over = ("finished", "failed", "cancelled")
    run = installation.patiently("/api/v1/gate-runs/" + run["id"], until=lambda answer: answer["state"] in over)
    seconds = time.monotonic() - begun
    stages = installation.patiently("/api/v1/gate-runs/%s/blocks" % run["id"])["stages"]
    return {
        "killed": killed,
        "seconds": round(seconds, 1),
        "state": run["state"],
        "verdict": run.get("verdict"),
        "reason": run.get("reason") or run.get("error"),
        "cases": {case["name"]: case["verdict"] for case in run["cases"]},
        "stages": [
            {"case": stage["case"], "number": stage["number"], "blocks": len(stage["blocks"]["candidateNs"])}
            for stage in stages
        ],
        "twice": twice(stages),
        "device": (run.get("testbed") or {}).get("device"),
    }


def shared(installation, asked, before):
    """A run beside a program that uses the GPU: from before the run on, or from its beginning on."""
    busy = subprocess.Popen([sys.executable, "-c", BUSY])
    try:
        if before:
            time.sleep(BUSY_AFTER)
        row = finished(installation, asked)
        if busy.poll() is not None:
            raise SystemExit("the other program ended by itself with %d" % busy.returncode)
    finally:
        busy.kill()
        busy.wait()
    row["shared"] = "from before" if before else "from the beginning"
    row["faults"] = [] if row["verdict"] == "inconclusive" else ["%s on a shared GPU" % row["verdict"]]
    return row


def twice(stages):
    """How many blocks are there more than once."""
    places = [(stage["case"], stage["number"], at) for stage in stages for at in stage["blocks"]["index"]]
    times = [
        pair for stage in stages for pair in zip(stage["blocks"]["candidateNs"], stage["blocks"]["baselineNs"])
    ]
    return len(places) - len(set(places)) + len(times) - len(set(times))


def faults(row, expected):
    found = []
    if row["state"] != "finished":
        found.append("ended " + row["state"])
    for name, verdict in row["cases"].items():
        if verdict not in (expected["cases"][name], "inconclusive"):
            found.append("%s was %s, is %s" % (name, expected["cases"][name], verdict))
    keys = [(stage["case"], stage["number"]) for stage in row["stages"]]
    if len(keys) != len(set(keys)):
        found.append("a stage is there twice")
    if row["twice"]:
        found.append("%d blocks are there twice" % row["twice"])
    return found


def table(out):
    with open(out) as file:
        rows = json.load(file)
    lines = [
        "# Runs of a gate that are disturbed",
        "",
        "Written by `packaging/gate-faults.py --table` from `%s`, on %s, by %s."
        % (os.path.basename(out), rows[0]["device"], rows[0]["version"]),
        "",
        "| disturbed by | after s | run was | seconds | verdict | cases | stages | blocks twice |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        killed = row["killed"]
        by = "kill -9 of " + NAMES[killed["victim"]] if killed else "nobody"
        by = "another process on the GPU, " + row["shared"] if "shared" in row else by
        killed = killed or {"afterSeconds": "", "state": ""}
        cases = ", ".join("%s %s" % pair for pair in row["cases"].items())
        lines.append(
            "| %s | %s | %s | %s | %s | %s | %d | %d |"
            % (
                by,
                killed["afterSeconds"],
                killed["state"],
                row["seconds"],
                row["verdict"],
                cases,
                len(row["stages"]),
                row["twice"],
            )
        )
    with open(os.path.splitext(out)[0] + ".md", "w") as file:
        file.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", metavar="OUT.json")
    parser.add_argument("names", nargs="*", metavar="LAUNCHER HOME OUT.json")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--shared", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--model", default="simulated:h200")
    parser.add_argument("--seconds", type=float, default=1e9, help="no run begins after so many seconds")
    asked = parser.parse_args()
    if asked.table:
        table(asked.table)
        return
    if len(asked.names) != 3:
        parser.error("LAUNCHER, HOME and OUT.json are needed")
    launcher, home, out = asked.names
    os.makedirs(home, exist_ok=True)
    installation = Installation(launcher, home, asked.device)
    drawn = random.Random(asked.seed)
    begun = time.monotonic()
    best, sixth = configs(launcher, asked.model)
    body = request(best, sixth, asked.device)
    finished(installation, body)  # the first run of a service also starts its worker
    rows = [finished(installation, body)]
    version = subprocess.run([launcher, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    rows[0]["version"] = version
    print(json.dumps(rows[0]), flush=True)
    for at in range(asked.kills + asked.shared):
        if time.monotonic() - begun > asked.seconds:
            break
        if at < asked.kills:
            after = drawn.uniform(0, rows[0]["seconds"])
            rows.append(finished(installation, body, VICTIMS[at % len(VICTIMS)], after))
            rows[-1]["faults"] = faults(rows[-1], rows[0])
        else:
            rows.append(shared(installation, body, (at - asked.kills) % 2 == 0))
        print(json.dumps(rows[-1]), flush=True)
        with open(out, "w") as file:
            json.dump(rows, file, separators=(",", ":"))
    wrong = sum(bool(row["faults"]) for row in rows[1:])
    print("%d runs, %d wrong" % (len(rows) - 1, wrong))
    installation.serving.terminate()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
