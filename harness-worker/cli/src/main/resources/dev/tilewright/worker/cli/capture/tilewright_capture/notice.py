"""Says on standard error what the recording could not do; the program runs on."""

import sys


def say(text):
    """Prints a line. A program may have closed standard error: then nobody reads it."""
    try:
        print("tilewright capture: " + text, file=sys.stderr or sys.__stderr__, flush=True)
    except (OSError, ValueError):
        pass


def named(fault):
    """The kind of an exception and its message, in one line."""
    return " ".join((type(fault).__name__ + ": " + str(fault)).split())
