"""Starts to record, enables a pack, or takes turns, when the program imports torch.

Then it runs the sitecustomize that it stands in front of.
"""

import atexit
import importlib.machinery
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _begin_all(torch):
    if os.environ.get("TILEWRIGHT_CAPTURE_TO"):
        _begin()
    if os.environ.get("TILEWRIGHT_TURNS"):
        _take_turns(torch)
    if os.environ.get("TILEWRIGHT_PACK"):
        _enable(torch)


def _begin():
    try:
        import tilewright_capture

        devices = os.environ.get("TILEWRIGHT_CAPTURE_DEVICES", "cuda").split(",")
        # Where the interpreter lies says nothing about the program.
        argv = list(getattr(sys, "orig_argv", sys.argv))
        argv[:1] = [os.path.basename(word) for word in argv[:1]]
        tilewright_capture.begin(os.environ["TILEWRIGHT_CAPTURE_TO"], argv, devices)
    except Exception as fault:  # The program runs on without a recording.
        print("tilewright capture: nothing is recorded: %s: %s" % (type(fault).__name__, fault), file=sys.stderr)


def _take_turns(torch):
    """Not behind a fault: a program that does not take turns would run beside the other one."""
    import tilewright_turns

    # What the program starts itself has no turn of its own.
    path = os.environ.pop("TILEWRIGHT_TURNS")
    tilewright_turns.begin(torch, path, os.environ.get("TILEWRIGHT_STEP", ""))


def _enable(torch):
    """When the program first uses a GPU: a process that never does, such as one that loads data, pays nothing."""
    lazily = getattr(torch.cuda, "_lazy_call", None)
    if lazily is None:
        _enable_now()
    else:
        lazily(_enable_now)


def _enable_now():
    """The pack is the module tilewright_pack, so that the program can ask it for a report."""
    folder = os.environ["TILEWRIGHT_PACK"]
    try:
        spec = importlib.util.spec_from_file_location("tilewright_pack", os.path.join(folder, "__init__.py"))
        sys.modules["tilewright_pack"] = pack = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(pack)
        # Ranks come here when each of them first uses its GPU, and so cannot wait for each other.
        if pack.enable(ranks=False):
            atexit.register(lambda: print(pack.summary(), file=sys.stderr))
    except Exception as fault:  # The program runs on with the kernels of PyTorch.
        print("tilewright run: the pack is off: %s: %s" % (type(fault).__name__, fault), file=sys.stderr)


def _next_sitecustomize():
    others = [folder for folder in sys.path if os.path.abspath(folder or ".") != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if os.environ.get("TILEWRIGHT_CAPTURE_TO"):
    os.environ["TILEWRIGHT_CAPTURE_MAIN"] = os.environ.get("TILEWRIGHT_CAPTURE_MAIN") or str(os.getpid())
if any(os.environ.get("TILEWRIGHT_" + name) for name in ("CAPTURE_TO", "PACK", "TURNS")):
    import tilewright_imports

    tilewright_imports.after_import("torch", _begin_all)
_next_sitecustomize()
