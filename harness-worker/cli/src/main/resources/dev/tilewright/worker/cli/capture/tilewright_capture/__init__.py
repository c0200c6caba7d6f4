"""Records the GEMMs of a program that uses PyTorch, without changing what it computes.

`tilewright capture --to out -- python program.py` starts a program with this package on its path. In Python:

    with tilewright_capture.recording("out"):
        step()

writes out/capture.json. docs/capture.md of Tilewright says what is in it. The package needs Python 3.9 or later, a
PyTorch whose torch.library takes with_keyset, and nothing else.
"""

import contextlib
import sys

from . import notice
from .recorder import Recorder

VERSION = 1

_running = []


def begin(folder, argv=None, devices=("cuda",)):
    """Starts to record; the recorder writes its file when it is told to finish, and whenever the process ends."""
    import torch

    recorder = Recorder(torch, folder, list(argv if argv is not None else sys.argv), devices)
    recorder.begin()
    _running.append(recorder)
    return recorder


@contextlib.contextmanager
def recording(folder, devices=("cuda",)):
    """Records what runs inside. Where the whole program is recorded already, that recording goes on and counts.

    Where a hook is missing, a line on standard error names it, nothing is recorded, and there is no recorder.
    """
    if _running:
        yield _running[0]
        return
    try:
        recorder = begin(folder, devices=devices)
    except Exception as fault:
        recorder = None
        notice.say("nothing is recorded: " + notice.named(fault))
    if recorder is None:
        yield None
        return
    end = "finished"
    try:
        yield recorder
    except BaseException as thrown:
        end = "exception: " + type(thrown).__name__
        raise
    finally:
        _running.remove(recorder)
        recorder.finish(end)
