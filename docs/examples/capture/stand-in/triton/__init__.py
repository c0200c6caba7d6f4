"""As much of Triton as a recording asks for: launches, compiled kernels, autotuning. It compiles and runs nothing.

A kernel has the hash of its entry in TRITON_CACHE_DIR, where one fits, by name, warps and the constexprs that
constexprs.json has of it.
"""

from .runtime.autotuner import Autotuner, Config
from .runtime.jit import JITFunction

__version__ = "stand-in of Tilewright's tests, not Triton"


def jit(function):
    return JITFunction(function)


def autotune(configs, key):
    return lambda function: Autotuner(function, configs, key)


def cdiv(a, b):
    return -(-a // b)
