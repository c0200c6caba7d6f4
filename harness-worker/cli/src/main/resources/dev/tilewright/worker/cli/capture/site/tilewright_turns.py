"""Lets a program run a few steps at a time, when `tilewright gate program` says so.

A step ends when the GPU has done its work: with the outermost call of a torch.nn.Module, with the replay of a CUDA
graph outside of one, or with the function that --step names. Behind the last step of a turn the program waits: another
program, with or without a pack, has the GPU then. During a turn the thread that takes the steps stays on the core that
was drawn for it, if one was: cores of a shared machine differ by more than a pack does.
"""

import functools
import os
import socket
import sys
import threading
import time

import tilewright_imports

# Four products of 1024 x 1024 x 1024 integers take a small part of it.
LONG_WAIT_NS = 1_000_000


class Turns:
    """The end of the line to `tilewright gate program`."""

    def __init__(self, torch, path):
        self._torch = torch
        line = socket.socket(socket.AF_UNIX)
        line.connect(path)
        self._line = line.makefile("rw", encoding="ascii", newline="\n")
        self._steps = self._left = 0
        # Nanoseconds of the wait behind a step for each that it took, and when the step began.
        self._slowed, self._step_began = 0.0, 0
        # Of the products that fill a longer wait.
        self._factor = None
        self._began = self._has_gpu = None
        self._process = os.getpid()
        # A step of another thread than the first would end in the middle of one.
        self._thread = None
        # The cores of that thread, and the one on which it stays.
        self._cores = self._core = None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._leave_core)

    def ended(self):
        """A step is over, if it is one of this process: a forked one has what it inherits."""
        if self._process != os.getpid():
            return
        if self._thread is None:
            self._thread = threading.get_ident()
        if self._thread != threading.get_ident():
            return
        if self._has_gpu is None:
            self._has_gpu = self._torch.cuda.is_available()
        if self._has_gpu:
            # What is captured does not run yet.
            if self._torch.cuda.is_current_stream_capturing():
                return
            self._torch.cuda.synchronize()
        if self._slowed:
            now = time.perf_counter_ns()
            self._wait(now, int((now - self._step_began) * self._slowed))
            self._step_began = time.perf_counter_ns()
        self._left -= 1
        if self._left > 0:
            return
        took = 0 if self._began is None else time.perf_counter_ns() - self._began
        self._leave_core()
        self._line.write("ended %d %d %s %s\n" % (self._steps, took, _serving(), self._gpu()))
        self._line.flush()
        words = self._line.readline().split()
        if len(words) != 4 or words[0] != "run":
            # Enough was seen. Neither handlers nor what the program does at its end has anything to say now.
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)
        self._steps = self._left = int(words[1])
        self._slowed = float(words[2]) / 100
        if words[3] != "any":
            self._stay_on(int(words[3]))
        self._began = self._step_began = time.perf_counter_ns()

    def _wait(self, now, duration):
        """A GPU that waits saves power, and at its power limit the steps behind it then run at a higher clock: of 2 %
        more, a training step showed 1.15 %. So it multiplies meanwhile, where that takes much less than the wait."""
        until = now + duration
        if self._has_gpu and duration >= LONG_WAIT_NS and hasattr(self._torch, "_int_mm"):
            try:
                took = 0
                while now + took < until:
                    self._multiply()
                    took, now = time.perf_counter_ns() - now, time.perf_counter_ns()
            except RuntimeError:
                # Memory is short, or this GPU does not multiply integers: the wait is an idle one.
                pass
        while time.perf_counter_ns() < until:
            pass

    def _multiply(self):
        """No pack serves this product and no recording counts it. The program's own random numbers stay as they are."""
        torch = self._torch
        if self._factor is None:
            drawn = torch.Generator("cuda").manual_seed(1)
            self._factor = torch.randint(-128, 128, (1024, 1024), generator=drawn, device="cuda", dtype=torch.int8)
        for _ in range(4):
            torch._int_mm(self._factor, self._factor)
        torch.cuda.synchronize()

    def _gpu(self):
        """The UUID and the name of the GPU, each "none" where there is none."""
        if not self._has_gpu:
            return "none none"
        cuda = self._torch.cuda
        uuid = getattr(cuda.get_device_properties(cuda.current_device()), "uuid", None)
        name = cuda.get_device_name().encode("ascii", "replace").decode().replace("\n", " ")
        return "%s %s" % ("none" if uuid is None else "GPU-%s" % uuid, name)

    def _stay_on(self, drawn):
        """Has effect where the system lets a thread choose its core, as Linux does."""
        if hasattr(os, "sched_setaffinity"):
            self._cores = sorted(os.sched_getaffinity(0))
            self._core = {self._cores[drawn % len(self._cores)]}
            os.sched_setaffinity(0, self._core)

    def _leave_core(self):
        """Another core that the program chose meanwhile stays."""
        if self._core is not None and os.sched_getaffinity(0) == self._core:
            os.sched_setaffinity(0, self._cores)
        self._core = None


def _serving():
    """The hash of the pack that serves, also where the program enabled it."""
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", {})
        if "PACK" in names and "HASH" in names and "serves" in names and names["serves"]():
            return names["HASH"]
    return "none"


def _counted(turns, outermost, call):
    @functools.wraps(call)
    def counted(*args, **kwargs):
        if outermost.inside:
            return call(*args, **kwargs)
        outermost.inside = True
        try:
            result = call(*args, **kwargs)
        finally:
            outermost.inside = False
        turns.ended()
        return result

    return counted


class _Outermost(threading.local):
    inside = False


def begin(torch, path, step):
    """Takes part from now on; step is MODULE:FUNCTION, or empty for calls of modules and replays of graphs."""
    turns, outermost = Turns(torch, path), _Outermost()
    if step:
        name, _, function = step.partition(":")
        tilewright_imports.after_import(name, lambda module: _replace(turns, outermost, module, function))
        return turns
    module = torch.nn.Module
    module.__call__ = _counted(turns, outermost, module.__call__)
    graph = getattr(torch.cuda, "CUDAGraph", None)
    if graph is not None:
        graph.replay = _counted(turns, outermost, graph.replay)
    return turns


def _replace(turns, outermost, module, function):
    holder, *rest = [module] + function.split(".")
    for name in rest[:-1]:
        holder = getattr(holder, name)
    setattr(holder, rest[-1], _counted(turns, outermost, getattr(holder, rest[-1])))
