"""One recording: begins it, keeps its cost low, and writes the file whichever way the program ends."""

import atexit
import ctypes
import os
import signal
import sys
import threading
import time

from . import document, notice
from .calls import Calls
from .graphs import Graphs
from .launches import Launches
from .pace import Pace
from .trace import Trace

TICK_S = 0.25
SAVE_S = 10.0
# The trace begins when the program has shown no new call for so long, and lasts so long.
SETTLED_S = 1.0
TRACE_S = 0.5
# A hook costs so many times more in a program than in a loop of its own, which has all caches for itself: on an H200 a
# step with 33 of them took 1.8 ms longer, while five times the loop's cost was less than 40 us.
IN_A_PROGRAM = 8


class Recorder:
    """Counts, traces once, writes capture.json, and triton.json if kernels of Triton were launched."""

    def __init__(self, torch, folder, argv, devices):
        self.torch, self.argv, self.devices = torch, argv, devices
        self.folder = os.path.abspath(folder)
        self.calls = Calls(torch, devices)
        self.graphs = Graphs(torch, self.calls)
        self.launches = Launches()
        self.pace = None
        self._began = time.monotonic()
        self._end = None
        self._unsaved = None
        self._traced = None
        self._traced_s = 0.0
        self._trace = None
        self._no_trace = "the program ended before it had run alike for %g s" % SETTLED_S
        self._due = None
        self._forked = False
        self._stopped = threading.Event()
        self._lock = threading.RLock()
        # Python keeps no reference to what is called later.
        self._pending = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(self._in_main_thread)

    def begin(self):
        """Installs all hooks."""
        self.pace = Pace(IN_A_PROGRAM * self._cost())
        self.calls.install()
        self.graphs.install()
        self.launches.install()
        if self._has_gpu() and not hasattr(getattr(self.torch, "autograd", None), "profiler"):
            self._traced, self._no_trace = ({}, 0, 0), "torch.autograd.profiler is missing"
            notice.say(self._no_trace + ": GPU time is not recorded")
        self._began = time.monotonic()
        atexit.register(self._at_exit)
        self._chain_excepthook()
        self._chain_sigterm()
        os.register_at_fork(after_in_child=self._after_fork)
        threading.Thread(target=self._watch, name="tilewright-capture", daemon=True).start()

    def _cost(self):
        """Seconds that counting adds to a call, by a multiplication on the CPU with and without it."""
        torch = self.torch
        small = torch.zeros((4, 4))
        # Inference, or else an autograd graph grows.
        with torch.no_grad():
            torch.mm(small, small)
            plain = self._a_call(small)
            devices, self.calls.devices = self.calls.devices, frozenset(["cpu"])
            self.calls.install()
            try:
                torch.mm(small, small)
                counted = self._a_call(small)
            finally:
                self.calls.remove()
                self.calls.devices = devices
        self.calls.counts.clear()
        self.calls.hooked = 0
        return max(counted - plain, 0.0)

    def _a_call(self, small, rounds=7, calls=20):
        best = float("inf")
        for _ in range(rounds):
            began = time.perf_counter()
            for _ in range(calls):
                self.torch.mm(small, small)
            best = min(best, (time.perf_counter() - began) / calls)
        return best

    # A thread watches; what changes hooks or traces happens in the main thread, between two of its instructions.

    def _watch(self):
        saved = seen = 0.0
        known = -1
        while not self._stopped.wait(TICK_S):
            now = time.monotonic() - self._began
            if len(self.calls.counts) + len(self.graphs.graphs) != known:
                known, seen = len(self.calls.counts) + len(self.graphs.graphs), now
            counts = self.pace.now(now, self._hooked(), self._trace is not None)
            self.launches.counting = counts
            due = None
            if self._trace is not None:
                due = "stop" if now - self._trace.seconds >= TRACE_S else None
            elif self._traced is None and known > 0 and now - seen >= SETTLED_S and self._has_gpu():
                due = "start"
            elif counts != self.calls.installed:
                due = "install" if counts else "remove"
            if due is not None:
                self._due = due
                ctypes.pythonapi.Py_AddPendingCall(self._pending, None)
            if now - saved >= SAVE_S:
                saved = now
                self.save("running")

    def _hooked(self):
        """Calls and launches: a launch is taken to cost what a call does."""
        return self.calls.hooked + self.launches.hooked

    def _has_gpu(self):
        return "cuda" in self.devices and self.torch.cuda.is_available()

    def _in_main_thread(self, _):
        due, self._due = self._due, None
        if due is None or self.calls.inside or self.calls.order is not None or self._end is not None:
            return 0
        try:
            if due == "install":
                self.calls.install()
            elif due == "remove" and self._trace is None and self.calls.installed:
                self.calls.remove()
            elif due == "start" and self._may_trace():
                # Also in a pause: what the trace sees belongs to a call only where a hook has named it.
                self.calls.install()
                trace = Trace(self.torch, self.calls, self.graphs)
                trace.start()
                trace.seconds = time.monotonic() - self._began
                self.pace.now(trace.seconds, self._hooked(), True)
                self._trace = trace
            elif due == "stop" and self._trace is not None:
                self._stop_trace()
        except Exception as fault:  # Such as a profiler that the program itself uses.
            self._trace, self._traced = None, ({}, 0, 0)
            self._no_trace = "%s: %s" % (type(fault).__name__, fault)
            self.calls.marked = self.graphs.replayed = None
        return 0

    def _may_trace(self):
        """The watching thread may ask for a trace, or to remove the hooks, while the main thread begins or ends one."""
        return self._trace is None and self._traced is None and not self.torch.cuda.is_current_stream_capturing()

    def _stop_trace(self):
        trace, self._trace = self._trace, None
        self._traced_s = time.monotonic() - self._began - trace.seconds
        self._traced = trace.stop()

    # Ends.

    def _at_exit(self):
        self.finish("finished")

    def _chain_excepthook(self):
        before = sys.excepthook

        def said(kind, value, traceback):
            if self._end is None:
                self.finish("exception: " + kind.__name__)
            before(kind, value, traceback)

        sys.excepthook = said

    def _chain_sigterm(self):
        if threading.current_thread() is not threading.main_thread():
            return
        before = signal.getsignal(signal.SIGTERM)
        if before is signal.SIG_IGN or before is None:
            return

        def ended(number, frame):
            if callable(before):
                # The program's own handler says whether this is the end.
                self.save("SIGTERM")
                before(number, frame)
                return
            self.finish("SIGTERM")
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

        signal.signal(signal.SIGTERM, ended)

    def _after_fork(self):
        """A forked process begins anew, with a file of its own."""
        self._forked = True
        self._lock = threading.RLock()
        self._stopped = threading.Event()
        self.calls.counts.clear()
        self.calls.behind.clear()
        self.calls.hooked = 0
        self.calls.inside.clear()
        self.graphs.graphs.clear()
        self.launches.clear()
        self._began = time.monotonic()
        self.pace = Pace(self.pace.cost)
        try:
            from multiprocessing.util import Finalize

            Finalize(None, self._at_exit, exitpriority=10)
        except ImportError:
            pass

    def finish(self, end):
        """Removes the hooks and writes the file; once."""
        with self._lock:
            if self._end is not None:
                return
            self._stopped.set()
            self._end = end
            if self._trace is not None:
                try:
                    self._stop_trace()
                except Exception as fault:
                    self._no_trace = "%s: %s" % (type(fault).__name__, fault)
            seconds = time.monotonic() - self._began
            self.pace.now(seconds, self._hooked())
            self._save(end, seconds)
            self.graphs.remove()
            self.launches.remove()
            if self.calls.installed and not self.calls.inside:
                self.calls.remove()

    def save(self, end):
        """Writes what was seen until now."""
        with self._lock:
            if self._end is None:
                self._save(end, time.monotonic() - self._began)

    def _save(self, end, seconds):
        """Whatever fails here, such as a full disk, must not change what the program does."""
        for write in (lambda: self._write(end, seconds), lambda: self._write_launches(end)):
            try:
                write()
            except Exception as fault:
                text = "the recording is not written: " + notice.named(fault)
                if text != self._unsaved:
                    self._unsaved = text
                    notice.say(text)

    def _write_launches(self, end):
        said = self.launches.document()
        if said is not None:
            versions = document.versions(self.torch)
            head = {"schemaVersion": document.SCHEMA_VERSION, "program": self.argv, "end": end, "versions": versions}
            document.write(self._path("triton"), dict(head, **said))

    def _write(self, end, seconds):
        path = self._path("capture")
        nothing = not self.calls.counts and not self.graphs.graphs
        main = os.environ.get("TILEWRIGHT_CAPTURE_MAIN", str(os.getpid())) == str(os.getpid()) and not self._forked
        if nothing and (not main or end == "running" or os.path.exists(path)):
            return
        document.write(path, self.document(end, seconds))

    def _path(self, kind):
        rank = os.environ.get("RANK", "")
        main = os.environ.get("TILEWRIGHT_CAPTURE_MAIN", str(os.getpid())) == str(os.getpid())
        if rank.isdigit() and not self._forked:
            name = kind if int(rank) == 0 else kind + "-rank" + rank
        else:
            name = kind if main and not self._forked else "%s-%d" % (kind, os.getpid())
        return os.path.join(self.folder, name + ".json")

    def document(self, end, seconds):
        """The document; docs/capture.schema.json describes it."""
        times, busy, unmatched = self._traced or ({}, 0, 0)
        said = {
            "schemaVersion": document.SCHEMA_VERSION,
            "program": self.argv,
            "end": end,
            "seconds": round(seconds, 3),
            "observedSeconds": round(min(seconds, self.pace.observed), 3),
            "versions": document.versions(self.torch),
            "device": document.device(self.torch),
        }
        if busy:
            said["gpu"] = {
                "profiledSeconds": round(self._traced_s, 3),
                "busySeconds": round(busy / 1e9, 6),
                "gemmShare": round((sum(ns for ns, _ in times.values()) + unmatched) / busy, 6),
                "unattributedShare": round(unmatched / busy, 6),
            }
        else:
            said["notProfiled"] = self._no_trace if self._has_gpu() else "there is no GPU to profile"
        said["problems"] = document.listed(
            dict(self.calls.counts), list(self.graphs.graphs), dict(self.calls.behind), times, busy
        )
        if self.calls.faults:
            said["faults"] = dict(self.calls.faults)
        return said
