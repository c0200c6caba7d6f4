"""Compiles a Triton kernel of someone's file for a target, without a GPU and without running that file."""
import ast
import importlib.util
import os

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


def kernels(prelude=""):
    """The @triton.jit functions of the file SOURCE as a module, without their decorators for tuning."""
    with open(os.environ["SOURCE"]) as file:
        text = file.read()
    lines = text.splitlines()
    parts = ["import triton", "import triton.language as tl", prelude]
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and any("jit" in ast.dump(each) for each in node.decorator_list):
            parts += ["@triton.jit", "\n".join(lines[node.lineno - 1 : node.end_lineno])]
    with open("jitted.py", "w") as file:
        file.write("\n".join(parts) + "\n")
    spec = importlib.util.spec_from_file_location("jitted", "jitted.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compiled(function, signature, constants, capability=90, aligned=(), **options):
    """Writes kernel.ptx; `aligned` names arguments that are multiples of 16. The lines of a launch description that
    Triton alone knows."""
    names = function.arg_names
    attributes = {(names.index(name),): [["tt.divisibility", 16]] for name in aligned}
    signature = {name: signature.get(name, "constexpr") for name in names}
    source = ASTSource(fn=function, signature=signature, constexprs=constants, attrs=attributes)
    made = triton.compile(source, target=GPUTarget("cuda", capability, 32), options=options)
    with open("kernel.ptx", "w") as file:
        file.write(made.asm["ptx"])
    meta = made.metadata
    return "entry: %s\nblock: %d\ndynamicShared: %d" % (meta.name, 32 * meta.num_warps, meta.shared)
