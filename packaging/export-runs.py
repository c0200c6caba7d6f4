#!/usr/bin/env python3
"""Exports kernels and looks whether they do outside what they did inside: results, times, a graph.

usage: export-runs.py LAUNCHER URL OUT.json FOLDER [--commit C] [--case "OPTIONS OF export"] ... [--again OLD.json]
                      [SHAPE ...]
       export-runs.py --table OUT.json TOOL.json      (writes OUT.md)

Of each SHAPE the best config that the service at URL knows is exported; a case says by itself what is exported, such as
"--shape 512x768x320 --batch 4 --config ...". OLD.json is of an earlier run, whose configs are exported again. Each
export's C program is compiled with gcc and run, and its module is compared with torch.matmul as its selftest.py does
it, from a captured graph too. Then its launches are timed, from C and from Python in mirrored blocks of one process,
launch behind launch on as many sets of operands as the tool has, all queued before the first begins. How the library in
C does beside the tool itself is asked by ExportedOnGpuTest, whose findings are TOOL.json. OUT.json has an object an
export.
"""
import argparse
import ctypes
import importlib.util
import json
import math
import os
import re
import shlex
import statistics
import subprocess
import sys
import time
import urllib.parse
import urllib.request

# As `tilewright compare` does it.
RUN_MS = 2
MOST_SETS = 64
# A stream takes about a thousand entries before the host must wait.
MOST_QUEUED = 448
SETTLE_SECONDS = 0.5
BLOCKS = 40
# A spin of so many cycles behind a run says at which clock the GPU is.
CLOCK_CYCLES = 200_000


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


class Outside:
    """An export's launches, by its module and by its library in C, on as many sets of operands as the tool has."""

    def __init__(self, torch, folder, name):
        self.torch, self.at, self.stream = torch, 0, torch.cuda.Stream()
        code, said = ran("gcc", "-std=c11", "-O2", "-shared", "-fPIC", name + ".c", name + "_image.c", "-o", name + ".so",
                         "-ldl", cwd=folder)
        if code:
            raise RuntimeError(said)
        exported = module(os.path.join(folder, name + ".py"))
        operator = exported.Operator(torch)
        first = self.operands(exported, operator, lambda shape: torch.randn(shape, device="cuda"))
        inputs = sum(each.untyped_storage().nbytes() for product in first for each in product[:2])
        l2 = torch.cuda.get_device_properties(0).L2_cache_size
        count = min(max(-(-2 * l2 // inputs), 1), MOST_SETS)
        sets = [first]
        for _ in range(count - 1):
            sets.append(self.operands(exported, operator, lambda shape: torch.empty(shape, device="cuda")))
            for product, same in zip(sets[-1], first):
                for mine, its in zip(product[:2], same[:2]):
                    mine.copy_(its)
        self.sets = sets
        kernel = exported.Kernel()
        named = [self.addresses(exported, operands) for operands in sets]
        bindings = [exported.Binding(kernel, addresses) for addresses in named]
        self.library = ctypes.CDLL(os.path.join(folder, name + ".so"))
        self.arms = {
            "python": [binding.run for binding in bindings],
            "c": self.in_c(os.path.join(folder, name + ".h"), name, named),
        }
        with torch.cuda.stream(self.stream):
            start, end = self.event(), self.event()
            start.record()
            torch.cuda._sleep(10_000_000)
            end.record()
            end.synchronize()
            self.cycles_a_ms = 10_000_000 / start.elapsed_time(end)
            self.held_ms = {arm: 1.0 for arm in self.arms}
            self.launches = {arm: self.fitting(arm) for arm in self.arms}

    def event(self):
        return self.torch.cuda.Event(enable_timing=True)

    def operands(self, exported, operator, fill):
        made = []
        for product in exported.PRODUCTS:
            one = []
            for operand in product[:3]:
                kind, shape, strides = operator.expected(operand)
                tensor = self.torch.empty_strided(shape, strides, dtype=kind, device="cuda")
                one.append(tensor.copy_(fill(shape)))
            made.append(one)
        return made

    @staticmethod
    def addresses(exported, operands):
        return {
            operand[0]: tensor.data_ptr()
            for product, tensors in zip(exported.PRODUCTS, operands)
            for operand, tensor in zip(product[:3], tensors)
        }

    def in_c(self, header, name, named):
        with open(header) as file:
            members = re.search(r"typedef struct \{(.*?)\} \w+_operands;", file.read(), re.S).group(1)
        fields = re.findall(r"(uint64_t|float) (\w+)", members)
        types = {"uint64_t": ctypes.c_uint64, "float": ctypes.c_float}
        operands = type("Operands", (ctypes.Structure,), {"_fields_": [(field, types[kind]) for kind, field in fields]})
        function = lambda what: getattr(self.library, name + "_" + what)

        def must(code):
            if code:
                function("error").restype = ctypes.c_char_p
                raise RuntimeError(function("error")().decode())

        kernel = ctypes.c_void_p()
        must(function("open")(ctypes.byref(kernel)))
        launch, runs = function("run"), []
        for addresses in named:
            binding = ctypes.c_void_p()
            given = operands(*[addresses.get(field, 1) for _, field in fields])
            must(function("bind")(kernel, ctypes.byref(given), ctypes.byref(binding)))
            must(launch(binding, ctypes.c_void_p(self.stream.cuda_stream)))
            runs.append(lambda stream, binding=binding: launch(binding, ctypes.c_void_p(stream)))
        return runs

    def fitting(self, arm):
        """Launches of a run as the tool counts them: 2 ms, and a multiple of the sets."""
        self.run(arm, 5)
        _, took = self.run(arm, 5)
        count, sets = min(max(2, math.ceil(RUN_MS * 1000 / took)), MOST_QUEUED), len(self.sets)
        return count if count <= sets else -(-count // sets) * sets

    def run(self, arm, launches):
        """The clock in MHz behind them and the time of a launch in us. A plug holds them until all are queued."""
        torch, todo, stream = self.torch, self.arms[arm], self.stream.cuda_stream
        start, end, counted = self.event(), self.event(), self.event()
        for _ in range(10):
            torch.cuda._sleep(int(self.held_ms[arm] * self.cycles_a_ms))
            start.record()
            since = time.perf_counter()
            for _ in range(launches):
                todo[self.at % len(todo)](stream)
                self.at += 1
            plugged = not start.query()
            queued_ms = 1000 * (time.perf_counter() - since)
            end.record()
            torch.cuda._sleep(CLOCK_CYCLES)
            counted.record()
            counted.synchronize()
            self.held_ms[arm] = max(1.3 * queued_ms + 0.05, 0 if plugged else 2 * self.held_ms[arm])
            if plugged:
                return CLOCK_CYCLES / end.elapsed_time(counted) / 1e3, 1000 * start.elapsed_time(end) / launches
        raise RuntimeError("%s: %d launches were never queued before the first began" % (arm, launches))

    def blocks(self, count):
        """Mirrored blocks, once the clock has settled: of each arm the times in us, and all clocks."""
        seen, clocks = {arm: [] for arm in self.arms}, []
        order, since = list(self.arms), time.monotonic()
        with self.torch.cuda.stream(self.stream):
            while time.monotonic() - since < SETTLE_SECONDS or len(seen[order[0]]) < count:
                settled = time.monotonic() - since >= SETTLE_SECONDS
                for arm in order:
                    clock, took = self.run(arm, self.launches[arm])
                    if settled:
                        seen[arm].append(took)
                        clocks.append(clock)
                order.reverse()
        return seen, clocks


def timed(torch, folder, name):
    outside = Outside(torch, folder, name)
    seen, clocks = outside.blocks(BLOCKS)
    ratios = [math.log(python / c) for python, c in zip(seen["python"], seen["c"])]
    return {
        "sets": len(outside.sets), "launches": outside.launches, "cUs": statistics.median(seen["c"]),
        "pythonUs": statistics.median(seen["python"]), "slower": statistics.mean(ratios),
        "error": statistics.stdev(ratios) / len(ratios) ** 0.5, "MHz": statistics.median(clocks),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--again", metavar="OLD.json")
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_intermixed_args()
    if options.table:
        table(*options.arguments)
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
            row.update(timed(torch, own, name))
            torch.cuda.empty_cache()
        else:
            row["said"] = said[-500:]
        print(json.dumps(row), flush=True)
        with open(out, "w") as file:
            json.dump(rows, file, separators=(",", ":"))


def table(out, tool):
    with open(out) as file:
        rows = json.load(file)
    with open(tool) as file:
        inside = json.load(file)
    lines = [
        "# Exports on a GPU",
        "",
        "Written by `packaging/export-runs.py --table` from `%s` and `%s`, on %s, commit %s." % (
            os.path.basename(out), os.path.basename(tool), rows[0]["device"], rows[0]["commit"]),
        "",
        "## Beside the tool",
        "",
        "The library in C, loaded into the process of the tool (`ExportedOnGpuTest`): the same operands, %d mirrored blocks"
        % BLOCKS,
        "at one clock, bounds at 1 % each. *Bits*: of D, after a launch of each.",
        "",
        "| problem | sets | bits | us, tool | us, C | C is slower by | MHz |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    percent = lambda value: "%+.2f" % (100 * value)
    for row in inside:
        lines.append("| %s | %d | %s | %.2f | %.2f | %s %% [%s, %s] | %.0f |" % (
            row["problem"], row["sets"], "the same" if row["sameBits"] else "OTHERS", row["toolUs"], row["exportUs"],
            percent(row["slower"]), percent(row["low"]), percent(row["high"]), row["clockMhz"]))
    lines += [
        "",
        "## From C and from Python",
        "",
        "Each export's C program and its Python module are compared with sums that are exact, and with `torch.matmul`:",
        "the same bits for whole numbers, from a captured graph too. Times are of a launch, launch behind launch, by the",
        "library in C and by the module in %d mirrored blocks of one process. The clock is what a spin behind each run" % BLOCKS,
        "counted: the GPU waits there while a run is queued, and is faster than under the tool.",
        "",
        "| export | C | Python | us, C | us, Python | Python is slower by | MHz |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        told = lambda key: {None: "-", 0: "right"}.get(row.get(key), "WRONG")
        figures = (
            "%.2f | %.2f | %s %% +- %.2f | %.0f" % (
                row["cUs"], row["pythonUs"], percent(row["slower"]), 100 * row["error"], row["MHz"])
            if "cUs" in row else " | ".join("-" * 4)
        )
        lines.append("| %s | %s | %s | %s |" % (
            row["export"].split(" --gpu")[0].replace("--", ""), told("c"), told("python"), figures))
    with open(out.replace(".json", ".md"), "w") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
