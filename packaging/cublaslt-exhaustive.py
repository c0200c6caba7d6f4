#!/usr/bin/env python3
"""Searches the algorithms of cublasLt for the fastest, shape by shape, on the GPU of this machine.

usage: cublaslt-exhaustive.py OUT.json [--seconds S] [--seed N] SHAPE ...    (a shape is MxNxK)
       cublaslt-exhaustive.py --table OUT.md IN.json ...                      (writes the table of what was found)
       cublaslt-exhaustive.py --knowledge OUT.csv IN.json ...                 (writes which configs were the fastest)
       cublaslt-exhaustive.py --capabilities OUT.csv [IN.json ...]            (writes what algorithms can be set to)

The capabilities are those of the bf16 that IN.json measured, or, without IN.json, what the library of this machine says
for all types; then ctypes is all that it needs beside a GPU.

D[M,N] = A[M,K] B[N,K]^T of bf16, all row-major, sums in f32, as a plain `tilewright tune` asks for. For each shape the
library names its algorithms (cublasLtMatmulAlgoGetIds). Its heuristic is asked for the best of all and of each
algorithm alone. Then every combination of tile, stages, custom option, swizzling and cluster shape is put to
cublasLtMatmulAlgoCheck, and of what is valid every split of K, reduction and inner shape, for at most half of S
seconds. What is valid is captured into a graph, in an order drawn by the seed, and one of each launch is timed: two
algorithms are one kernel if function, grid, block, shared memory and cluster are equal, and one launch if the bytes of
their parameters are too. An algorithm id whose first 40 launches are all 1.5 times slower than the fastest
of all is given up. Launches of less than 25 us are timed in graphs, so that the GPU need not wait for the host.
The fastest are timed again until S seconds are over. They and what the heuristic returned
then run beside each other in settled turns of random order, and are compared with a product in f32. Needs python3 with
torch; no other process may use the GPU.
"""
import argparse
import ctypes
import hashlib
import itertools
import json
import math
import random
import statistics
import sys
import textwrap
import time

BF16, F32, COMPUTE_F32 = 14, 0, 68
WORKSPACE = 64 << 20
SPLITS = [1, 2, 3, 4, 5, 6, 8, 12, 16, 32]
FIELDS = ["tile", "splitK", "reduction", "swizzle", "custom", "stages", "innerShape", "clusterShape"]
# cublasLtMatmulAlgoConfigAttributes_t, and the bytes of each
CONFIG = dict(zip(["algorithm"] + FIELDS, range(9)))
SHORT = {"innerShape", "clusterShape"}
CLUSTERS = [0] + list(range(2, 52))
INNER = list(range(5))
FINALISTS = 12
# How many of the fastest are timed again and again while there is time
AGAIN = 128
# An algorithm of the library is given up when so many of its launches were all so much slower than the fastest
LOOKS, HOPELESS = 40, 1.5
# A launch of fewer microseconds is timed in a graph: the host takes about 15 to queue one
SHORT_US = 25


def check(status, call):
    if status:
        raise RuntimeError("%s: status %d" % (call, status))


class Driver:
    """Reads what a launch consists of out of a captured graph."""

    class Node(ctypes.Structure):
        _fields_ = [
            ("func", ctypes.c_void_p),
            ("grid", ctypes.c_uint * 3),
            ("block", ctypes.c_uint * 3),
            ("shared", ctypes.c_uint),
            ("params", ctypes.POINTER(ctypes.c_void_p)),
            ("extra", ctypes.POINTER(ctypes.c_void_p)),
            ("kern", ctypes.c_void_p),
            ("ctx", ctypes.c_void_p),
        ]

    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        self.sizes = {}

    def captured(self, stream, enqueue):
        """(kernel, launch): what tells kernels apart and what tells launches apart; None if it is refused."""
        cu = self.lib
        check(cu.cuStreamBeginCapture_v2(ctypes.c_void_p(stream), 2), "cuStreamBeginCapture")
        status = enqueue()
        graph = ctypes.c_void_p()
        ended = cu.cuStreamEndCapture(ctypes.c_void_p(stream), ctypes.byref(graph))
        try:
            if status or ended:
                return None
            count = ctypes.c_size_t()
            check(cu.cuGraphGetNodes(graph, None, ctypes.byref(count)), "cuGraphGetNodes")
            nodes = (ctypes.c_void_p * count.value)()
            check(cu.cuGraphGetNodes(graph, nodes, ctypes.byref(count)), "cuGraphGetNodes")
            kernels, launches = [], []
            for node in nodes:
                kind = ctypes.c_int()
                check(cu.cuGraphNodeGetType(ctypes.c_void_p(node), ctypes.byref(kind)), "cuGraphNodeGetType")
                if kind.value != 0:
                    kernels.append("node of type %d" % kind.value)
                    launches.append(kernels[-1])
                    continue
                kernel, launch = self.kernel(node)
                kernels.append(kernel)
                launches.append(launch)
            return tuple(kernels), tuple(launches)
        finally:
            if graph:
                cu.cuGraphDestroy(graph)

    def kernel(self, node):
        cu = self.lib
        read = self.Node()
        check(cu.cuGraphKernelNodeGetParams_v2(ctypes.c_void_p(node), ctypes.byref(read)), "cuGraphKernelNodeGetParams")
        value = (ctypes.c_uint * 16)()
        check(cu.cuGraphKernelNodeGetAttribute(ctypes.c_void_p(node), 4, value), "cuGraphKernelNodeGetAttribute")
        known = self.sizes.get((read.func, read.kern))
        if known is None:
            known = self.sizes[(read.func, read.kern)] = self.named(read)
        name, sizes = known
        kernel = (name, tuple(read.grid), tuple(read.block), read.shared, tuple(value[:3]))
        digest = hashlib.sha256()
        if read.params:
            for index, size in enumerate(sizes):
                digest.update(ctypes.string_at(read.params[index], size))
        elif read.extra:
            # CU_LAUNCH_PARAM_BUFFER_POINTER, its value, CU_LAUNCH_PARAM_BUFFER_SIZE, where the size is
            size = ctypes.cast(read.extra[3], ctypes.POINTER(ctypes.c_size_t))[0]
            digest.update(ctypes.string_at(read.extra[1], size))
        return kernel, kernel + (digest.hexdigest()[:16],)

    def named(self, read):
        cu = self.lib
        name = ctypes.c_char_p()
        offset, size = ctypes.c_size_t(), ctypes.c_size_t()
        if read.func:
            check(cu.cuFuncGetName(ctypes.byref(name), ctypes.c_void_p(read.func)), "cuFuncGetName")
        else:
            check(cu.cuKernelGetName(ctypes.byref(name), ctypes.c_void_p(read.kern)), "cuKernelGetName")
        ask = cu.cuFuncGetParamInfo if read.func else cu.cuKernelGetParamInfo
        handle = ctypes.c_void_p(read.func or read.kern)
        sizes = []
        while ask(handle, ctypes.c_size_t(len(sizes)), ctypes.byref(offset), ctypes.byref(size)) == 0:
            sizes.append(size.value)
        return name.value.decode(), sizes


class Result(ctypes.Structure):
    _fields_ = [
        ("algo", ctypes.c_uint64 * 8),
        ("workspace", ctypes.c_size_t),
        ("state", ctypes.c_int),
        ("waves", ctypes.c_float),
        ("reserved", ctypes.c_int * 4),
    ]


def capabilities_of(lt, algo):
    """What the library says an algorithm can be set to."""

    def many(attribute):
        written = ctypes.c_size_t()
        buffer = (ctypes.c_uint32 * 1024)()
        status = lt.cublasLtMatmulAlgoCapGetAttribute(
            algo, attribute, buffer, ctypes.c_size_t(ctypes.sizeof(buffer)), ctypes.byref(written)
        )
        return [] if status else list(buffer[: written.value // 4])

    def one(attribute):
        buffer, written = ctypes.c_uint32(), ctypes.c_size_t()
        status = lt.cublasLtMatmulAlgoCapGetAttribute(
            algo, attribute, ctypes.byref(buffer), ctypes.c_size_t(4), ctypes.byref(written)
        )
        return 0 if status else buffer.value

    return {
        "tile": many(6) or [0],
        "stages": many(13) or [0],
        "splitK": one(0),
        "reduction": one(1),
        "swizzle": one(2),
        "custom": one(7),
    }


class Gemm:
    """One GEMM as the library sees it: column by column, its first operand our B, its second our A."""

    def __init__(self, torch, shape):
        self.torch = torch
        self.m, self.n, self.k = shape
        self.lt = ctypes.CDLL("libcublasLt.so.13")
        self.lt.cublasLtGetVersion.restype = ctypes.c_size_t
        self.version = self.lt.cublasLtGetVersion()
        self.handle = self.made("cublasLtCreate")
        self.operation = self.made("cublasLtMatmulDescCreate", ctypes.c_int(COMPUTE_F32), ctypes.c_int(F32))
        transposed = ctypes.c_int(1)
        check(
            self.lt.cublasLtMatmulDescSetAttribute(
                self.operation, 3, ctypes.byref(transposed), ctypes.c_size_t(4)
            ),
            "cublasLtMatmulDescSetAttribute",
        )
        self.layout_b = self.layout(self.k, self.n)
        self.layout_a = self.layout(self.k, self.m)
        self.layout_d = self.layout(self.n, self.m)
        self.one, self.zero = ctypes.c_float(1), ctypes.c_float(0)
        generator = torch.Generator("cuda").manual_seed(1)
        bytes_of_one = 2 * (self.m * self.k + self.n * self.k + self.m * self.n)
        count = max(2, min(16, math.ceil((256 << 20) / bytes_of_one)))

        def drawn(rows):
            return torch.randn(rows, self.k, generator=generator, device="cuda", dtype=torch.bfloat16)

        self.sets = [
            (drawn(self.m), drawn(self.n), torch.empty(self.m, self.n, device="cuda", dtype=torch.bfloat16))
            for _ in range(count)
        ]
        self.workspace = torch.empty(WORKSPACE, device="cuda", dtype=torch.uint8)
        self.stream = torch.cuda.Stream()
        torch.backends.cuda.matmul.allow_tf32 = False
        a, b, _ = self.sets[0]
        self.reference = a.float() @ b.float().T
        self.norm = self.reference.norm().item()
        torch.cuda.synchronize()
        self.calls = [
            (
                ctypes.c_void_p(b.data_ptr()),
                ctypes.c_void_p(a.data_ptr()),
                ctypes.c_void_p(d.data_ptr()),
            )
            for a, b, d in self.sets
        ]

    def made(self, call, *more):
        handle = ctypes.c_void_p()
        check(getattr(self.lt, call)(ctypes.byref(handle), *more), call)
        return handle

    def layout(self, rows, columns):
        return self.made(
            "cublasLtMatrixLayoutCreate",
            ctypes.c_int(BF16),
            ctypes.c_uint64(rows),
            ctypes.c_uint64(columns),
            ctypes.c_int64(rows),
        )

    def types(self):
        return [ctypes.c_int(each) for each in (COMPUTE_F32, F32, BF16, BF16, BF16, BF16)]

    def ids(self):
        found, count = (ctypes.c_int * 256)(), ctypes.c_int()
        check(self.lt.cublasLtMatmulAlgoGetIds(self.handle, *self.types(), 256, found, ctypes.byref(count)), "GetIds")
        return sorted(found[: count.value])

    def init(self, algorithm):
        algo = (ctypes.c_uint64 * 8)()
        status = self.lt.cublasLtMatmulAlgoInit(self.handle, *self.types(), algorithm, algo)
        return None if status else algo

    def capabilities(self, algorithm):
        """What an algorithm can be set to; None if it cannot be made."""
        algo = self.init(algorithm)
        if algo is None:
            return None
        return capabilities_of(self.lt, algo)

    def config(self, algo):
        config = {}
        for name, attribute in CONFIG.items():
            size = 2 if name in SHORT else 4
            buffer, written = ctypes.c_uint32(), ctypes.c_size_t()
            self.lt.cublasLtMatmulAlgoConfigGetAttribute(
                algo, attribute, ctypes.byref(buffer), ctypes.c_size_t(size), ctypes.byref(written)
            )
            config[name] = buffer.value
        return config

    def put(self, algo, name, value):
        buffer = (ctypes.c_uint16 if name in SHORT else ctypes.c_uint32)(value)
        return self.lt.cublasLtMatmulAlgoConfigSetAttribute(
            algo, CONFIG[name], ctypes.byref(buffer), ctypes.c_size_t(ctypes.sizeof(buffer))
        )

    def valid(self, algo, result):
        status = self.lt.cublasLtMatmulAlgoCheck(
            self.handle,
            self.operation,
            self.layout_b,
            self.layout_a,
            self.layout_d,
            self.layout_d,
            algo,
            ctypes.byref(result),
        )
        return status == 0 and result.workspace <= WORKSPACE

    def heuristic(self, algorithm=None):
        """Algorithms that the heuristic returns, of all or of one."""
        preference = self.made("cublasLtMatmulPreferenceCreate")
        size = ctypes.c_uint64(WORKSPACE)
        self.lt.cublasLtMatmulPreferenceSetAttribute(preference, 1, ctypes.byref(size), ctypes.c_size_t(8))
        results, count = (Result * 64)(), ctypes.c_int()
        if algorithm is not None:
            mode = ctypes.c_uint32(1)
            self.lt.cublasLtMatmulPreferenceSetAttribute(preference, 0, ctypes.byref(mode), ctypes.c_size_t(4))
            algo = self.init(algorithm)
            if algo is None:
                return []
            results[0].algo = algo
        status = self.lt.cublasLtMatmulAlgoGetHeuristic(
            self.handle,
            self.operation,
            self.layout_b,
            self.layout_a,
            self.layout_d,
            self.layout_d,
            preference,
            64,
            results,
            ctypes.byref(count),
        )
        self.lt.cublasLtMatmulPreferenceDestroy(preference)
        found = []
        for index in range(0 if status else count.value):
            if results[index].state == 0 and results[index].workspace <= WORKSPACE:
                found.append((ctypes.c_uint64 * 8)(*results[index].algo))
        return found

    def enqueue(self, algo, index=0):
        b, a, d = self.calls[index % len(self.calls)]
        return self.lt.cublasLtMatmul(
            self.handle,
            self.operation,
            ctypes.byref(self.one),
            b,
            self.layout_b,
            a,
            self.layout_a,
            ctypes.byref(self.zero),
            d,
            self.layout_d,
            d,
            self.layout_d,
            algo,
            ctypes.c_void_p(self.workspace.data_ptr()),
            ctypes.c_size_t(WORKSPACE),
            ctypes.c_void_p(self.stream.cuda_stream),
        )

    def replay(self, driver, algo, launches):
        """So many launches as a graph: a function that runs it, and one that gives it back."""
        cu = driver.lib
        stream = ctypes.c_void_p(self.stream.cuda_stream)
        check(cu.cuStreamBeginCapture_v2(stream, 2), "cuStreamBeginCapture")
        refused = any(self.enqueue(algo, index) for index in range(launches))
        graph, run = ctypes.c_void_p(), ctypes.c_void_p()
        check(cu.cuStreamEndCapture(stream, ctypes.byref(graph)) or refused, "cuStreamEndCapture")
        check(cu.cuGraphInstantiateWithFlags(ctypes.byref(run), graph, ctypes.c_ulonglong(0)), "cuGraphInstantiate")
        cu.cuGraphDestroy(graph)
        return (
            lambda: check(cu.cuGraphLaunch(run, stream), "cuGraphLaunch"),
            lambda: check(cu.cuGraphExecDestroy(run), "cuGraphExecDestroy"),
        )

    def screened(self, driver, algo):
        """Least mean of two looks. Where the host may be slower than the GPU, the second is a graph's."""
        first = self.microseconds(algo, 2)
        if first > SHORT_US:
            return min(first, self.microseconds(algo, max(2, min(20, int(600 / first)))))
        run, release = self.replay(driver, algo, 20)
        run()
        us = self.timed(run) / 20
        release()
        return us

    def timed(self, work):
        torch = self.torch
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record(self.stream)
        work()
        end.record(self.stream)
        end.synchronize()
        return begin.elapsed_time(end) * 1000

    def microseconds(self, algo, launches):
        """Mean of so many launches behind each other."""
        return self.timed(lambda: launched(self, algo, launches)) / launches

    def is_right(self, algo):
        """Whether every element is written, and near what it should be."""
        d = self.sets[0][2]
        d.fill_(float("nan"))
        self.torch.cuda.synchronize()
        if self.enqueue(algo):
            return False
        self.stream.synchronize()
        error = (d.float() - self.reference).norm().item() / self.norm
        return error < 5e-3


def asked(gemm, until):
    """All that is valid: capabilities, counts of asked and valid by algorithm, algorithms, whether all were asked."""
    capabilities, counts, valid = {}, {}, []
    result = Result()

    def ask(algorithm, algo, **values):
        counts[algorithm][0] += 1
        if any(gemm.put(algo, name, value) for name, value in values.items()) or not gemm.valid(algo, result):
            return False
        counts[algorithm][1] += 1
        valid.append((ctypes.c_uint64 * 8)(*algo))
        return True

    for algorithm in gemm.ids():
        known = gemm.capabilities(algorithm)
        if known is None:
            continue
        capabilities[algorithm] = known
        counts[algorithm] = [0, 0]
        schemes = [scheme for scheme in (1, 2, 4) if known["reduction"] & scheme]
        for tile, stages in itertools.product(known["tile"], known["stages"]):
            if time.monotonic() > until:
                return capabilities, counts, valid, False
            for custom, swizzle, cluster in itertools.product(
                range(min(known["custom"], 255) + 1), range(known["swizzle"] + 1), CLUSTERS
            ):
                algo = gemm.init(algorithm)
                base = dict(tile=tile, stages=stages, custom=custom, swizzle=swizzle, clusterShape=cluster)
                if not ask(algorithm, algo, splitK=1, reduction=0, innerShape=0, **base):
                    continue
                for inner in INNER[1:]:
                    ask(algorithm, algo, splitK=1, reduction=0, innerShape=inner)
                if known["splitK"]:
                    for splits, scheme in itertools.product(SPLITS[1:], schemes):
                        ask(algorithm, algo, splitK=splits, reduction=scheme, innerShape=0)
    return capabilities, counts, valid, True


def interleaved(gemm, valid, seed):
    """In a drawn order, one of each algorithm of the library in turn: the settings of few count for most of all."""
    random.Random(seed).shuffle(valid)
    groups = {}
    for algo in valid:
        groups.setdefault(gemm.config(algo)["algorithm"], []).append(algo)
    turns = itertools.zip_longest(*groups.values())
    return [algo for turn in turns for algo in turn if algo is not None]


def searched(torch, shape, seconds, seed):
    """The document of one shape."""
    started = time.monotonic()
    gemm = Gemm(torch, shape)
    driver = Driver()
    best_fit = gemm.heuristic()
    by_id = [algo for algorithm in gemm.ids() for algo in gemm.heuristic(algorithm)]
    began = time.monotonic()
    capabilities, counts, valid, all_asked = asked(gemm, began + seconds * 0.5)
    checking = time.monotonic() - began
    valid = interleaved(gemm, valid, seed)
    kernels, launches, timed = set(), {}, []
    refused = captured = given_up = 0
    best_of = {}
    for origin, algo in itertools.chain(
        (("heuristic", each) for each in best_fit),
        (("heuristic of one algorithm", each) for each in by_id),
        (("drawn", each) for each in valid),
    ):
        if origin == "drawn" and time.monotonic() - began > seconds:
            break
        ours = best_of.setdefault(gemm.config(algo)["algorithm"], [0, math.inf])
        fastest = min(each[1] for each in best_of.values())
        if origin == "drawn" and ours[0] >= LOOKS and ours[1] > HOPELESS * fastest:
            given_up += 1
            continue
        captured += 1
        seen = driver.captured(gemm.stream.cuda_stream, lambda: gemm.enqueue(algo))
        if seen is None:
            refused += 1
            continue
        kernels.add(seen[0])
        if seen[1] in launches:
            continue
        launches[seen[1]] = algo
        try:
            us = gemm.screened(driver, algo)
            timed.append((us, origin, algo, seen[0]))
            ours[0] += 1
            ours[1] = min(ours[1], us)
        except RuntimeError:
            refused += 1
    timed.sort(key=lambda each: each[0])
    while time.monotonic() - began < seconds:
        near = [
            (min(us, gemm.screened(driver, algo)), origin, algo, kernel)
            for us, origin, algo, kernel in timed[:AGAIN]
        ]
        timed = sorted(near + timed[AGAIN:], key=lambda each: each[0])
    search = time.monotonic() - began
    arms, wrong = [], 0
    for each in timed:
        wanted = each[1] == "heuristic" or len(arms) < FINALISTS
        if not wanted:
            continue
        if gemm.is_right(each[2]):
            arms.append(each)
        else:
            wrong += 1
    document = {
        "shape": "%dx%dx%d" % shape,
        "device": torch.cuda.get_device_name(),
        "library": gemm.version,
        "seed": seed,
        "capabilities": capabilities,
        "asked": sum(each[0] for each in counts.values()),
        "valid": sum(each[1] for each in counts.values()),
        "counts": {each: counts[each] for each in counts},
        "allAsked": all_asked,
        "heuristicReturned": len(best_fit),
        "ran": captured,
        "givenUp": given_up,
        "kernels": len(kernels),
        "launches": len(launches),
        "refused": refused,
        "wrong": wrong,
        "checkingSeconds": round(checking, 1),
        "searchSeconds": round(search, 1),
        "screened": [
            {"us": round(us, 3), "origin": origin, "config": gemm.config(algo), "kernel": named(kernel)}
            for us, origin, algo, kernel in timed[:12]
        ],
        "arms": raced(gemm, driver, arms, seed),
    }
    document["seconds"] = round(time.monotonic() - started, 1)
    return document


def launched(gemm, algo, launches):
    for index in range(launches):
        check(gemm.enqueue(algo, index), "cublasLtMatmul")


def named(nodes):
    """The kernels of a launch, without what it clears before."""
    return " + ".join(each[0] for each in nodes if isinstance(each, tuple))


def raced(gemm, driver, arms, seed):
    """The arms in settled turns of random order."""
    draw = random.Random(seed)
    times = [[] for _ in arms]
    turns = 12
    work = []
    for us, _, algo, _ in arms:
        launches = max(3, int(15000 / us))
        if us > SHORT_US:
            work.append((launches, lambda algo=algo, launches=launches: launched(gemm, algo, launches)))
        else:
            run, _ = gemm.replay(driver, algo, 100)
            replays = max(1, launches // 100)
            work.append((100 * replays, lambda run=run, replays=replays: [run() for _ in range(replays)]))
    for turn in range(turns + 2):
        order = list(range(len(arms)))
        draw.shuffle(order)
        for index in order:
            launches, run = work[index]
            us = gemm.timed(run) / launches
            if turn >= 2:
                times[index].append(us)
    return [
        {
            "graph": arm[0] <= SHORT_US,
            "origin": arm[1],
            "config": gemm.config(arm[2]),
            "kernel": named(arm[3]),
            "medianUs": statistics.median(each),
            "turnsUs": [round(us, 4) for us in each],
        }
        for arm, each in zip(arms, times)
    ]


def compared(document):
    """(the heuristic's first, its best, the best of all, their ratio with its interval of 95 % over paired turns)."""
    arms = document["arms"]
    guessed = [arm for arm in arms if arm["origin"] == "heuristic"]
    best = min(arms, key=lambda arm: arm["medianUs"])
    known = min(guessed, key=lambda arm: arm["medianUs"])
    logs = [math.log(one / other) for one, other in zip(known["turnsUs"], best["turnsUs"])]
    mean = statistics.fmean(logs)
    # Student's t of 11 degrees of freedom
    half = 2.201 * statistics.stdev(logs) / math.sqrt(len(logs))
    return guessed[0], known, best, [math.exp(each) for each in (mean, mean - half, mean + half)]


def brief(config):
    """What is set of an algorithm, by the numbers of cublasLt.h."""
    return ", ".join("%s %d" % each for each in config.items() if each[1] != (1 if each[0] == "splitK" else 0))


def table(documents):
    first = documents[0]
    least = min(document["searchSeconds"] for document in documents)
    head = (
        "Written by `packaging/cublaslt-exhaustive.py --table` from `cublaslt-exhaustive.columns`, which the same script"
        " measured on %s with cublasLt %d, seed %d; its head says how. bf16 in and out, K-major operands, row-major D,"
        " f32 sums, 64 MiB of workspace. Searched for at least %.0f s a shape. us are medians of settled turns in one"
        " race of all arms of a row. The ratio is the time of the heuristic's best over that of the best of all, with"
        " its interval over paired turns; 1 where they are one. *Given up* are valid algorithms that were not run, as"
        " %d launches of the same algorithm id were all %.1f times slower than the fastest; the time was over before"
        " the others were run. *Kernels* differ in function, grid, block, shared memory or cluster, *launches* in the"
        " bytes of their parameters too; one of each launch is timed."
        % (first["device"], first["library"], first["seed"], math.floor(least), LOOKS, HOPELESS)
    )
    lines = ["# All of cublasLt, beside its heuristic", ""] + textwrap.wrap(head, 120) + [
        "",
        "| M x N x K | heuristic's first, us | heuristic's best, us | best of all, us | ratio | 95 % interval | valid |"
        " given up | ran | kernels | launches | s | best of all |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    ratios = []
    for document in documents:
        guess, known, best, (ratio, low, high) = compared(document)
        ratios.append(ratio)
        lines.append(
            "| %s | %.2f | %.2f | %.2f | %.3f | [%.3f, %.3f] | %d%s | %d | %d | %d | %d | %.0f | %s |"
            % (
                document["shape"],
                guess["medianUs"],
                known["medianUs"],
                best["medianUs"],
                ratio,
                low,
                high,
                document["valid"],
                "" if document["allAsked"] else "+",
                document["givenUp"],
                document["ran"] - document["refused"],
                document["kernels"],
                document["launches"],
                document["searchSeconds"],
                "the heuristic's" if best is known else brief(best["config"]),
            )
        )
    mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
    lines += ["", "Geometric mean of the ratios: %.3f." % mean]
    if not all(document["allAsked"] for document in documents):
        lines += ["", "`+`: half of the time was over before every combination was asked for."]
    refused, wrong = (sum(document[name] for document in documents) for name in ("refused", "wrong"))
    lines += ["", "%d valid algorithms were refused by cublasLtMatmul, %d wrote wrong results." % (refused, wrong)]
    lines.append("")
    return "\n".join(lines)


def knowledge(documents):
    """The fastest configs of each shape, whatever they came from, and how far they are behind."""
    names = ["algorithm"] + FIELDS
    lines = ["# cublasLt %d on %s" % (documents[0]["library"], documents[0]["device"]), ",".join(["m,n,k"] + names)]
    for document in sorted(documents, key=lambda each: [int(extent) for extent in each["shape"].split("x")]):
        fastest = sorted(document["arms"], key=lambda arm: arm["medianUs"])[:8]
        for arm in fastest:
            extents = document["shape"].split("x")
            lines.append(",".join(extents + [str(arm["config"][name]) for name in names]))
    return "\n".join(lines) + "\n"


# cudaDataType of A, B and D, by our names
TYPES = {"f32": 0, "f16": 2, "bf16": 14, "e4m3": 28, "e5m2": 29}
ASKED = [
    ("bf16", "bf16", "bf16"),
    ("bf16", "bf16", "f32"),
    ("f16", "f16", "f16"),
    ("f16", "f16", "f32"),
    ("e4m3", "e4m3", "bf16"),
    ("e4m3", "e4m3", "f16"),
    ("e4m3", "e4m3", "f32"),
    ("e4m3", "e5m2", "bf16"),
    ("e4m3", "e5m2", "f16"),
    ("e4m3", "e5m2", "f32"),
    ("e5m2", "e4m3", "bf16"),
    ("e5m2", "e4m3", "f16"),
    ("e5m2", "e4m3", "f32"),
]


class Library:
    """The library alone, for operands of any types: it says what it has and computes nothing."""

    def __init__(self):
        self.lt = ctypes.CDLL("libcublasLt.so.13")
        self.lt.cublasLtGetVersion.restype = ctypes.c_size_t
        self.version = self.lt.cublasLtGetVersion()
        self.handle = ctypes.c_void_p()
        check(self.lt.cublasLtCreate(ctypes.byref(self.handle)), "cublasLtCreate")

    def capabilities(self, types):
        """By the id of each algorithm for these types of A, B and D."""
        a, b, d = (TYPES[each] for each in types)
        # the first operand of the library is our B
        typed = [ctypes.c_int(each) for each in (COMPUTE_F32, F32, b, a, d, d)]
        ids, count = (ctypes.c_int * 1024)(), ctypes.c_int()
        check(
            self.lt.cublasLtMatmulAlgoGetIds(self.handle, *typed, ctypes.c_int(1024), ids, ctypes.byref(count)),
            "cublasLtMatmulAlgoGetIds",
        )
        known = {}
        for algorithm in sorted(ids[: count.value]):
            algo = (ctypes.c_uint64 * 8)()
            if self.lt.cublasLtMatmulAlgoInit(self.handle, *typed, ctypes.c_int(algorithm), algo) == 0:
                known[algorithm] = capabilities_of(self.lt, algo)
        return known

    def device(self):
        name = ctypes.create_string_buffer(256)
        driver = ctypes.CDLL("libcuda.so.1")
        check(driver.cuInit(0), "cuInit")
        check(driver.cuDeviceGetName(name, 256, 0), "cuDeviceGetName")
        return name.value.decode()


def spans(values):
    """Numbers in their order, runs of them as FIRST-LAST."""
    runs = []
    for value in values:
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return " ".join("%d" % low if low == high else "%d-%d" % (low, high) for low, high in runs)


def capability_table(version, device, by_types):
    lines = [
        "# cublasLt %d on %s, by packaging/cublaslt-exhaustive.py --capabilities" % (version, device),
        "a,b,d,algorithm,tiles,stages,splitK,reductions,swizzles,customs",
    ]
    for types, known in by_types.items():
        for algorithm, each in sorted((int(name), each) for name, each in known.items()):
            lists = [spans(sorted(each["tile"])), spans(sorted(each["stages"]))]
            numbers = [each[name] for name in ("splitK", "reduction", "swizzle", "custom")]
            lines.append(",".join(list(types) + [str(algorithm)] + lists + [str(number) for number in numbers]))
    return "\n".join(lines) + "\n"


def asked_capabilities(documents):
    if documents:
        first = documents[0]
        return capability_table(first["library"], first["device"], {ASKED[0]: first["capabilities"]})
    library = Library()
    by_types = {}
    for types in ASKED:
        by_types[types] = library.capabilities(types)
    return capability_table(library.version, library.device(), by_types)


def write(path, text):
    with open(path, "w") as out:
        out.write(text)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table")
    parser.add_argument("--knowledge")
    parser.add_argument("--capabilities")
    asked_for = parser.parse_intermixed_args()
    if asked_for.table or asked_for.knowledge or asked_for.capabilities:
        documents = [each for name in asked_for.files for each in json.load(open(name))]
        if asked_for.table:
            write(asked_for.table, table(documents))
        if asked_for.knowledge:
            write(asked_for.knowledge, knowledge(documents))
        if asked_for.capabilities:
            write(asked_for.capabilities, asked_capabilities(documents))
        return
    if len(asked_for.files) < 2:
        parser.error("OUT.json and at least one SHAPE, got %d arguments" % len(asked_for.files))
    import torch

    documents = []
    for shape in asked_for.files[1:]:
        documents.append(searched(torch, tuple(map(int, shape.split("x"))), asked_for.seconds, asked_for.seed))
        with open(asked_for.files[0], "w") as out:
            json.dump(documents, out, separators=(",", ":"))
        last = documents[-1]
        print({name: last[name] for name in last if name not in ("capabilities", "screened", "arms")}, flush=True)
        for arm in sorted(last["arms"], key=lambda each: each["medianUs"])[:4]:
            print("  %.3f us %s %s" % (arm["medianUs"], arm["origin"], arm["config"]), flush=True)


if __name__ == "__main__":
    sys.exit(main())
