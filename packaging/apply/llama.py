#!/usr/bin/env python3
"""A program to be made faster: layers of Llama 3 8B, or a block of experts, with random weights, on GPU 0.

usage: llama.py WORK ROWS MODE [--types bf16|fp8] [--layers L] [--seconds S]

WORK is `decode` (ROWS sequences, one token each, 512 tokens in their caches), `prefill` (one prompt of ROWS tokens, and
the head for its last), `train` (forward, backward and AdamW over ROWS tokens) or `experts` (ROWS tokens through 64
experts of which each takes 8, in a loop over the experts). MODE is `eager`, `graph` or `compile`. With fp8 the linear
layers have one scale a row of their operands. Steps are repeated for S seconds; the last line has their median.
"""
import argparse
import math
import statistics
import time

import torch
from torch import nn

HIDDEN, HEADS, GROUPS, WIDTH, INNER, VOCABULARY, CACHED = 4096, 32, 8, 128, 14336, 128256, 512
EXPERTS, TAKEN, EXPERT_HIDDEN, EXPERT_INNER = 64, 8, 2048, 1408
E4M3_MOST = 448.0


def drawn(*shape):
    return torch.randn(shape, device="cuda", dtype=torch.bfloat16) / math.sqrt(shape[-1])


def in_rows(x):
    """Values in e4m3 and the scale of each row."""
    scale = x.float().abs().amax(dim=1, keepdim=True).clamp(min=1e-12) / E4M3_MOST
    return (x.float() / scale).to(torch.float8_e4m3fn), scale


class Linear(nn.Module):
    def __init__(self, outputs, inputs, types):
        super().__init__()
        weight = drawn(outputs, inputs)
        self.fp8 = types == "fp8"
        if self.fp8:
            values, scale = in_rows(weight)
            self.register_buffer("weight", values)
            self.register_buffer("scale", scale.t().contiguous())
        else:
            self.weight = nn.Parameter(weight)

    def forward(self, x):
        if not self.fp8:
            return nn.functional.linear(x, self.weight)
        values, scale = in_rows(x)
        return torch._scaled_mm(
            values, self.weight.t(), scale_a=scale, scale_b=self.scale, out_dtype=torch.bfloat16, use_fast_accum=True)


class Layer(nn.Module):
    def __init__(self, work, rows, types):
        super().__init__()
        self.work = work
        self.norm1, self.norm2 = (nn.Parameter(torch.ones(HIDDEN, device="cuda", dtype=torch.bfloat16)) for _ in "12")
        self.qkv = Linear((HEADS + 2 * GROUPS) * WIDTH, HIDDEN, types)
        self.o = Linear(HIDDEN, HIDDEN, types)
        self.gate, self.up = (Linear(INNER, HIDDEN, types) for _ in "12")
        self.down = Linear(HIDDEN, INNER, types)
        if work == "decode":
            self.register_buffer("keys", drawn(rows, GROUPS, CACHED, WIDTH))
            self.register_buffer("values", drawn(rows, GROUPS, CACHED, WIDTH))

    def forward(self, x):
        rows = x.shape[0]
        q, k, v = self.qkv(nn.functional.rms_norm(x, (HIDDEN,), self.norm1)).split(
            [HEADS * WIDTH, GROUPS * WIDTH, GROUPS * WIDTH], dim=1)
        if self.work == "decode":
            attended = nn.functional.scaled_dot_product_attention(
                q.view(rows, HEADS, 1, WIDTH), self.keys, self.values, enable_gqa=True)
            attended = attended.reshape(rows, HIDDEN)
        else:
            heads = [each.view(rows, -1, WIDTH).transpose(0, 1)[None] for each in (q, k, v)]
            attended = nn.functional.scaled_dot_product_attention(*heads, is_causal=True, enable_gqa=True)
            attended = attended[0].transpose(0, 1).reshape(rows, HIDDEN)
        x = x + self.o(attended)
        y = nn.functional.rms_norm(x, (HIDDEN,), self.norm2)
        return x + self.down(nn.functional.silu(self.gate(y)) * self.up(y))


class Llama(nn.Module):
    def __init__(self, work, rows, types, layers):
        super().__init__()
        self.work = work
        self.layers = nn.ModuleList(Layer(work, rows, types) for _ in range(layers))
        self.norm = nn.Parameter(torch.ones(HIDDEN, device="cuda", dtype=torch.bfloat16))
        self.head = Linear(VOCABULARY, HIDDEN, "bf16")

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        x = nn.functional.rms_norm(x, (HIDDEN,), self.norm)
        return self.head(x[-1:] if self.work == "prefill" else x)


class Experts(nn.Module):
    """Each token goes to the experts that its router likes best; an expert sees another number of tokens each time."""

    def __init__(self, types):
        super().__init__()
        self.router = Linear(EXPERTS, EXPERT_HIDDEN, "bf16")
        self.gate, self.up = (
            nn.ModuleList(Linear(EXPERT_INNER, EXPERT_HIDDEN, types) for _ in range(EXPERTS)) for _ in "12")
        self.down = nn.ModuleList(Linear(EXPERT_HIDDEN, EXPERT_INNER, types) for _ in range(EXPERTS))

    def forward(self, x):
        weights, chosen = torch.topk(self.router(x).float().softmax(dim=1), TAKEN, dim=1)
        out = torch.zeros_like(x)
        for expert in range(EXPERTS):
            tokens, place = torch.where(chosen == expert)
            y = x[tokens]
            y = self.down[expert](nn.functional.silu(self.gate[expert](y)) * self.up[expert](y))
            out.index_add_(0, tokens, y * weights[tokens, place, None].to(y.dtype))
        return out


def training(model, rows):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    wanted = torch.randint(VOCABULARY, (rows,), device="cuda")

    def step(x):
        loss = nn.functional.cross_entropy(model(x).float(), wanted)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


def captured(model, x):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            model(x)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        model(x)
    return lambda x: graph.replay()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("work", choices=["decode", "prefill", "train", "experts"])
    options.add_argument("rows", type=int)
    options.add_argument("mode", choices=["eager", "graph", "compile"])
    options.add_argument("--types", choices=["bf16", "fp8"], default="bf16")
    options.add_argument("--layers", type=int, default=8)
    options.add_argument("--seconds", type=float, default=10)
    given = options.parse_args()
    torch.manual_seed(1)
    if given.work == "experts":
        model, hidden = Experts(given.types), EXPERT_HIDDEN
    else:
        model, hidden = Llama(given.work, given.rows, given.types, given.layers), HIDDEN
    x = drawn(given.rows, hidden)
    torch.set_grad_enabled(given.work == "train")
    if given.mode == "compile":
        model = torch.compile(model)
    step = training(model, given.rows) if given.work == "train" else model
    if given.mode == "graph":
        step = captured(model, x)
    for _ in range(5):
        step(x)
    torch.cuda.synchronize()
    times, end = [], time.monotonic() + given.seconds
    while time.monotonic() < end:
        begun = time.perf_counter()
        step(x)
        torch.cuda.synchronize()
        times.append(time.perf_counter() - begun)
    print("%s %d %s %s: median %.3f ms of %d steps"
          % (given.work, given.rows, given.mode, given.types, 1e3 * statistics.median(times), len(times)), flush=True)


main()
