"""Writes what was recorded: docs/capture.schema.json of Tilewright describes the document."""

import json
import os
import platform
import sys

from . import problems

SCHEMA_VERSION = 1
SAME = ("n", "k", "batch", "types", "major", "epilogue", "scales", "aligned", "why")


def versions(torch):
    """Versions of what ran, by name; what cannot be told is absent."""
    found = {"python": platform.python_version(), "torch": str(torch.__version__)}
    cuda = getattr(getattr(torch, "version", None), "cuda", None)
    if cuda:
        found["cuda"] = str(cuda)
    triton = getattr(sys.modules.get("triton"), "__version__", None)
    if triton:
        found["triton"] = str(triton)
    try:
        with open("/proc/driver/nvidia/version", encoding="utf-8") as file:
            words = file.readline().split()
        found["driver"] = next(word for word in words if word[0].isdigit() and "." in word)
    except (OSError, StopIteration):
        pass
    return found


def device(torch):
    """The GPU; None if there is none."""
    try:
        if not torch.cuda.is_available():
            return None
        found = torch.cuda.get_device_properties(torch.cuda.current_device())
        return {
            "name": found.name,
            "capability": "%d.%d" % (found.major, found.minor),
            "sms": found.multi_processor_count,
            "count": torch.cuda.device_count(),
        }
    except Exception:  # A broken driver is no reason to lose what was seen.
        return None


def listed(counts, graphs, behind, times, busy):
    """The problems of all calls, those with most time or most operations first."""
    found = {}

    def add(key, field, number):
        problem = problems.of(key)
        if problem is None:
            return
        said, m = problem
        same = tuple(said.get(name) for name in SAME)
        entry = found.setdefault(same, {"ops": set(), "behind": {}, "rows": {}})
        entry["ops"].add(said["op"])
        row = entry["rows"].setdefault(m, {"calls": 0, "replays": 0, "ns": 0, "timed": 0})
        row[field] += number

    for key, calls in counts.items():
        add(key, "calls", calls)
    for graph in graphs:
        if graph.replays:
            for key, calls in dict(graph.counts).items():
                add(key, "replays", calls * graph.replays)
    for key, (ns, timed) in times.items():
        add(key, "ns", ns)
        add(key, "timed", timed)
    for behind, times in [(behind, 1)] + [(graph.behind, graph.replays) for graph in graphs]:
        # A copy: the program may capture this graph at this moment.
        for (key, function), calls in dict(behind).items():
            problem = problems.of(key)
            entry = problem and found.get(tuple(problem[0].get(name) for name in SAME))
            if entry and calls * times:
                entry["behind"][function] = entry["behind"].get(function, 0) + calls * times

    def weight(entry):
        same, more = entry
        ns = sum(row["ns"] for row in more["rows"].values())
        n, k, batch = same[:3]
        return (-ns, -sum(m * n * k * batch * (row["calls"] + row["replays"]) for m, row in more["rows"].items()))

    return [_problem(same, more, busy) for same, more in sorted(found.items(), key=weight)]


def _problem(same, more, busy):
    said = {name: value for name, value in zip(SAME, same) if value is not None}
    said["ops"] = sorted(more["ops"])
    if more["behind"]:
        said["behind"] = dict(sorted(more["behind"].items()))
    said["rows"] = []
    for m, row in sorted(more["rows"].items()):
        line = {"m": m, "calls": row["calls"], "replays": row["replays"]}
        if row["timed"]:
            line["timeShare"] = round(row["ns"] / busy, 6)
            line["us"] = round(row["ns"] / row["timed"] / 1e3, 3)
        said["rows"].append(line)
    return said


def write(path, document):
    """Whole or not at all: a reader never sees half of it."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    new = "%s.%d.new" % (path, os.getpid())
    with open(new, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=2)
        file.write("\n")
    os.replace(new, path)
