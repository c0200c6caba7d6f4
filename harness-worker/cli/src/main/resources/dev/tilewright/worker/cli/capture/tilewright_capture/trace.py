"""Shares of GPU time: a trace of PyTorch's profiler over a short while, whose kernels are attributed to calls."""

import bisect
import contextlib
import os
import re

PREFIX = "tilewright:"

# Words in the names of kernels that multiply matrices. Those in the arguments of a template say nothing: attention has
# numbers of cutlass. A kernel that adds up the pieces of one split along K runs right behind it.
GEMM_WORDS = ("gemm", "nvjet", "cutlass", "xmma", "gemv")
ADDS_PIECES = "splitkreduce"
NOT_GEMM = (ADDS_PIECES, "fmha")

# With this variable the profiler detaches CUPTI from the process when it stops. Without it each launch of the program
# costs more until the program ends (pytorch#144455). Before CUDA 12.6 a second trace of a graph crashes behind it.
DETACHES = "TEARDOWN_CUPTI"
DETACHES_FROM = (12, 6)


def may_detach(cuda):
    """Whether CUPTI of a version of CUDA, such as `13.0`, may be detached."""
    numbers = re.match(r"(\d+)\.(\d+)", cuda or "")
    return numbers is not None and tuple(map(int, numbers.groups())) >= DETACHES_FROM


def _word(kernel):
    """The name of a kernel in lower case, without the arguments of its templates."""
    name, before = kernel.lower(), None
    while name != before:
        name, before = re.sub("<[^<>]*>", "", name), name
    return name


def is_gemm(kernel):
    """Whether the name of a kernel is that of a GEMM."""
    name = _word(kernel)
    return any(word in name for word in GEMM_WORDS) and not any(word in name for word in NOT_GEMM)


def _gemms(kernels):
    """Nanoseconds of each GEMM among kernels in their order, with what adds up its pieces."""
    times = []
    for _, name, duration, _ in sorted(kernels):
        if is_gemm(name):
            times.append(duration)
        elif times and ADDS_PIECES in _word(name):
            times[-1] += duration
    return times


def shares(events, replayed):
    """Nanoseconds of GPU time and the number of calls for each key of a call, and the nanoseconds of all kernels.

    events: (name, kind, start, duration, correlation, stream), kind one of kernel, annotation and launch, the last a
    cudaGraphLaunch. A kernel belongs to the annotation of its stream that began last, if that has not ended: the time of
    an annotation has gaps between kernels too. replayed: for each launch the keys of its graph. The kernels of a graph
    have no names of calls: they are attributed in their order, if the graph has as many GEMMs as were captured; time that
    could not be is returned last.
    """
    times, kernels, launches, annotations = {}, {}, [], {}
    busy = 0

    def add(key, duration):
        ns, calls = times.get(key, (0, 0))
        times[key] = (ns + duration, calls + 1)

    for name, kind, start, duration, correlation, stream in events:
        if kind == "kernel":
            busy += duration
            kernels.setdefault(correlation, []).append((start, name, duration, stream))
        elif kind == "annotation":
            # Of two that begin together the shorter one is inside, and comes last.
            annotations.setdefault(stream, []).append((start, -duration, int(name[len(PREFIX) :])))
        else:
            launches.append((start, correlation))
    for stream in annotations:
        annotations[stream].sort()
    of_graphs = {correlation for _, correlation in launches}
    inside = {}
    for correlation, each in kernels.items():
        for start, _, duration, stream in each if correlation not in of_graphs else ():
            of_stream = annotations.get(stream, [])
            index = bisect.bisect_right(of_stream, (start, 1)) - 1
            if index >= 0 and start < of_stream[index][0] - of_stream[index][1]:
                inside[stream, index] = inside.get((stream, index), 0) + duration
    for (stream, index), duration in inside.items():
        add(annotations[stream][index][2], duration)
    unmatched = 0
    for index, (_, correlation) in enumerate(sorted(launches)):
        gemms = _gemms(kernels.get(correlation, ()))
        order = replayed[index] if len(replayed) == len(launches) else None
        if order is None or len(order) != len(gemms):
            unmatched += sum(gemms)
            continue
        for key, duration in zip(order, gemms):
            add(key, duration)
    return times, busy, unmatched


class Trace:
    """One trace of a program that runs."""

    def __init__(self, torch, calls, graphs):
        self._torch, self._calls, self._graphs = torch, calls, graphs
        self._ids = {}
        self._profile = None
        self.seconds = 0.0

    def _id(self, key):
        return self._ids.setdefault(key, len(self._ids))

    def start(self):
        """Called in the main thread, outside of any call."""
        profiler = self._torch.autograd.profiler
        if may_detach(getattr(getattr(self._torch, "version", None), "cuda", None)):
            os.environ.setdefault(DETACHES, "1")
        self._torch.cuda.synchronize()
        # What torch.profiler stands on: that works through all events when it ends, which may take ten seconds.
        self._profile = profiler.profile(use_device="cuda", use_kineto=True)
        self._profile.__enter__()
        self._graphs.replayed = []
        ranged = profiler.record_function

        @contextlib.contextmanager
        def marked(key):
            with ranged(PREFIX + str(self._id(key))):
                yield

        self._calls.marked = marked

    def stop(self):
        """Called in the main thread, outside of any call; reads the trace too."""
        self._calls.marked = None
        replayed, self._graphs.replayed = self._graphs.replayed, None
        self._torch.cuda.synchronize()
        self._profile.__exit__(None, None, None)
        orders = [[self._id(key) for key in graph.order] for graph in replayed]
        times, busy, unmatched = shares(list(self._events()), orders)
        keys = {number: key for key, number in self._ids.items()}
        return {keys[number]: time for number, time in times.items()}, busy, unmatched

    def _events(self):
        for event in self._profile.kineto_results.events():
            name, on_gpu = event.name(), "CUDA" in str(event.device_type())
            if on_gpu and name.startswith(PREFIX):
                kind = "annotation"
            elif on_gpu and not event.is_user_annotation():
                kind = "kernel"
            elif not on_gpu and name.startswith("cudaGraphLaunch"):
                kind = "launch"
            else:
                continue
            stream = event.device_resource_id()
            yield name, kind, event.start_ns(), event.duration_ns(), event.correlation_id(), stream
