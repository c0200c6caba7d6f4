#!/usr/bin/env python3
"""Times a small Llama with exported operators beside torch.nn.functional.linear, in turns in one process, on GPU 0.

usage: llama-beside.py --tables FOLDER OUT.json [--tokens T,T,...] [--turns N] [--commit C]
       llama-beside.py --table OUT.json           (writes OUT.md, the table of what was measured)

FOLDER is what `tilewright export --shape 1-MxNxK ...` wrote for the weights of the model, with gemm.py in it. The model has
4 layers of Llama 3 8B: hidden 4096, 32 heads of 128, 8 of K and V, SwiGLU of 14336, random weights in bf16; Q, K and V are
one product, and so are gate and up. Each number of tokens is run eagerly, as a CUDA graph and compiled by Inductor. A turn
runs both, one after the other, in an order that alternates; a ratio is the time with linear over that with the operators,
with Student's interval of its logarithm over the turns. Both must give the same bits; where they do not, the largest
difference is said.
"""
import argparse
import importlib.util
import json
import math
import os
import sys
import time

HIDDEN, HEADS, GROUPS, WIDTH, INNER, LAYERS = 4096, 32, 8, 128, 14336, 4
T95 = {8: 2.365, 12: 2.201, 16: 2.131, 20: 2.093, 24: 2.069, 30: 2.045}


def model(torch, linear):
    functional = torch.nn.functional

    def forward(x, layers):
        tokens = x.shape[0]
        for norm1, qkv, o, norm2, up, down in layers:
            y = functional.rms_norm(x, (HIDDEN,), norm1)
            q, k, v = linear(y, qkv).split([HEADS * WIDTH, GROUPS * WIDTH, GROUPS * WIDTH], dim=-1)
            heads = [each.view(tokens, -1, WIDTH).transpose(0, 1)[None] for each in (q, k, v)]
            attended = functional.scaled_dot_product_attention(*heads, is_causal=True, enable_gqa=True)
            x = x + linear(attended[0].transpose(0, 1).reshape(tokens, HEADS * WIDTH), o)
            gate, value = linear(functional.rms_norm(x, (HIDDEN,), norm2), up).chunk(2, dim=-1)
            x = x + linear(functional.silu(gate) * value, down)
        return x

    return forward


def weights(torch):
    def drawn(*shape):
        return torch.randn(shape, device="cuda", dtype=torch.bfloat16) / math.sqrt(shape[-1])

    ones = torch.ones(HIDDEN, device="cuda", dtype=torch.bfloat16)
    return [
        (ones, drawn((HEADS + 2 * GROUPS) * WIDTH, HIDDEN), drawn(HIDDEN, HIDDEN), ones, drawn(2 * INNER, HIDDEN),
         drawn(HIDDEN, INNER))
        for _ in range(LAYERS)
    ]


def captured(torch, run):
    run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = run()
    return graph.replay, out


def seconds(torch, run, times):
    torch.cuda.synchronize()
    begun = time.perf_counter()
    for _ in range(times):
        run()
    torch.cuda.synchronize()
    return (time.perf_counter() - begun) / times


def beside(torch, ours, theirs, turns):
    """Seconds of each, and the logarithms of the ratios."""
    for run in (ours, theirs):
        seconds(torch, run, 3)
    times = max(2, math.ceil(0.05 / seconds(torch, theirs, 3)))
    rows = []
    for turn in range(turns):
        order = (ours, theirs) if turn % 2 else (theirs, ours)
        measured = {run: seconds(torch, run, times) for run in order}
        rows.append((measured[ours], measured[theirs]))
    logs = [math.log(their / our) for our, their in rows]
    mean = sum(logs) / len(logs)
    deviation = math.sqrt(sum((each - mean) ** 2 for each in logs) / (len(logs) - 1))
    half = T95[turns] * deviation / math.sqrt(turns)
    middle = sorted(rows)[len(rows) // 2]
    return middle, math.exp(mean), [math.exp(mean - half), math.exp(mean + half)]


def load(folder):
    spec = importlib.util.spec_from_file_location("gemm", os.path.join(folder, "gemm.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure(given):
    import torch

    tables = load(given.tables)
    torch.manual_seed(1)
    forward = {"ours": model(torch, tables.gemm), "theirs": model(torch, torch.nn.functional.linear)}
    layers = weights(torch)
    rows = []
    with torch.no_grad():
        for tokens in given.tokens:
            x = torch.randn((tokens, HIDDEN), device="cuda", dtype=torch.bfloat16)
            for mode in ("eager", "graph", "compiled"):
                runs, results = {}, {}
                for who, each in forward.items():
                    call = torch.compile(each, fullgraph=True) if mode == "compiled" else each
                    if mode == "graph":
                        runs[who], results[who] = captured(torch, lambda call=call: call(x, layers))
                        runs[who]()
                    else:
                        runs[who] = lambda call=call: call(x, layers)
                        results[who] = runs[who]()
                torch.cuda.synchronize()
                off = (results["ours"].float() - results["theirs"].float()).abs().max().item()
                (our, their), ratio, interval = beside(torch, runs["ours"], runs["theirs"], given.turns)
                rows.append({
                    "tokens": tokens, "mode": mode, "turns": given.turns, "ms": 1e3 * our, "linearMs": 1e3 * their,
                    "ratio": ratio, "ratioCi": interval, "largestDifference": off, "commit": given.commit,
                    "device": torch.cuda.get_device_name(0), "torch": torch.__version__,
                    "tables": {name: module.HASH for name, module in tables.modules().items()},
                })
                print(rows[-1], flush=True)
                with open(given.out, "w") as file:
                    json.dump(rows, file, separators=(",", ":"))
                    file.write("\n")


def table(path):
    with open(path) as file:
        rows = json.load(file)
    lines = [
        "# A small Llama beside `torch.nn.functional.linear`",
        "",
        "Written by `packaging/llama-beside.py --table` from `%s`: 4 layers of Llama 3 8B in bf16, with the operators of"
        % os.path.basename(path),
        "exported ranges of M beside PyTorch's own products, in turns in one process. Commit %s on %s, PyTorch %s."
        % (rows[0]["commit"], rows[0]["device"], rows[0]["torch"]),
        "",
        "| tokens | mode | ms | ms with linear | linear's time over ours | 95 % interval | turns | largest difference |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        lines.append("| %d | %s | %.3f | %.3f | %.3f | [%.3f, %.3f] | %d | %.3g |" % (
            row["tokens"], row["mode"], row["ms"], row["linearMs"], row["ratio"], *row["ratioCi"], row["turns"],
            row["largestDifference"]))
    with open(os.path.splitext(path)[0] + ".md", "w") as file:
        file.write("\n".join(lines) + "\n")


def main():
    if sys.argv[1:2] == ["--table"]:
        table(sys.argv[2])
        return
    options = argparse.ArgumentParser()
    options.add_argument("out")
    options.add_argument("--tables", required=True)
    options.add_argument("--tokens", type=lambda text: [int(each) for each in text.split(",")], default=[2048, 16])
    options.add_argument("--turns", type=int, choices=sorted(T95), default=20)
    options.add_argument("--commit", default="unknown")
    measure(options.parse_args())


main()
