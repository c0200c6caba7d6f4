"""Launches: arguments by name, a specialisation for each 1 and None, and the launch hook of `run`."""

import collections
import hashlib
import inspect
import json
import os
import pathlib
import types

from .. import language

TYPES = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64", "float8_e4m3fn": "fp8e4nv"}
Metadata = collections.namedtuple("KernelMetadata", "name num_warps num_stages num_ctas shared")


class ASTSource:
    """As Triton 3.3 and later have it: a constant is a path of indices, and its type is constexpr."""

    def __init__(self, signature, constants):
        self.signature = {name: "constexpr" if name in constants else kind for name, kind in signature.items()}
        names = list(signature)
        self.constants = {(names.index(name),): value for name, value in constants.items()}


class JITFunction:
    def __init__(self, fn):
        self.fn, self.__name__ = fn, fn.__name__
        self.signature = inspect.signature(fn)
        self.params = [
            types.SimpleNamespace(name=name, is_constexpr=each.annotation is language.constexpr)
            for name, each in self.signature.parameters.items()
        ]
        self.compiled = {}

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(grid=grid, warmup=False, *args, **kwargs)

    def run(self, *args, grid, warmup, num_warps=4, num_stages=3, num_ctas=1, **kwargs):
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        bound = dict(bound.arguments)
        declared = {each.name: bound[each.name] for each in self.params if each.is_constexpr}
        constants = dict(declared)
        for name, each in bound.items():
            if each is None or type(each) is int and each == 1:
                constants[name] = each
        signature = {name: _type(each) for name, each in bound.items()}
        key = repr((signature, constants, num_warps, num_stages, num_ctas))
        kernel = self.compiled.get(key)
        if kernel is None:
            digest, shared = _cached(self.__name__, num_warps, declared, key)
            kernel = self.compiled[key] = types.SimpleNamespace(
                hash=digest,
                src=ASTSource(signature, constants),
                metadata=Metadata(self.__name__, num_warps, num_stages, num_ctas, shared),
                launched=[],
            )
        if not warmup:
            assert grid is not None
            if callable(grid):
                grid = grid(bound)
            kernel.launched.append((len(grid), grid[0]))
        return kernel


def _type(value):
    if hasattr(value, "data_ptr"):
        return "*" + TYPES[value.dtype]
    return "fp32" if isinstance(value, float) else "i32"


def _cached(name, warps, constexprs, key):
    folder = pathlib.Path(os.environ.get("TRITON_CACHE_DIR", "none"))
    written = folder / "constexprs.json"
    known = json.loads(written.read_text()) if written.exists() else {}
    for file in sorted(folder.rglob(name + ".json")):
        entry = json.loads(file.read_text())
        if entry["num_warps"] == warps and known.get(entry["hash"], constexprs) == constexprs:
            return entry["hash"], entry["shared"]
    return hashlib.sha256((name + key).encode()).hexdigest(), 0
