"""Turns calls into problems D[M,N] = A[M,K] B[N,K]^T: what Tilewright tunes, or why it cannot."""

import math

from . import notice

TYPES = {"bfloat16": "bf16", "float16": "f16", "float32": "f32", "float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2"}
GROUPED = ("_grouped_mm", "_scaled_grouped_mm", "_scaled_grouped_mm_v2")
BLOCK = 128


class Refused(Exception):
    """No problem says what a call computes; the message says why."""


def _type(dtype):
    name = str(dtype).rpartition(".")[2]
    return TYPES.get(name, name)


def _major(name, extents, strides, letters):
    """The letter of the dimension whose neighbours are neighbours in memory, of a matrix without gaps."""
    (rows, columns), (down, across) = extents, strides
    if (across == 1 or columns == 1) and (down == columns or rows == 1):
        return letters[1]
    if (down == 1 or rows == 1) and (across == rows or columns == 1):
        return letters[0]
    raise Refused(f"{name} is not packed: {rows} x {columns} elements with strides {down} and {across}")


def _batched(name, shape, stride):
    if len(shape) == 3 and shape[0] > 1 and stride[0] != shape[1] * shape[2]:
        raise Refused(f"{name} is not packed: its matrices are {stride[0]} elements apart")


def _number(value):
    if not math.isfinite(value):
        raise Refused(f"a factor is {value}")
    return str(int(value)) if float(value) == int(value) else repr(float(value))


def _addends(more, m, n, batch):
    """The steps of the epilogue."""
    c = more.get("c")
    beta, alpha = more.get("beta", 1), more.get("alpha", 1)
    steps = [] if alpha == 1 else ["alpha=" + _number(alpha)]
    if c is None or beta == 0:
        return steps
    shape, stride, _ = c
    if shape in ((n,), (1, n)):
        if beta != 1:
            raise Refused(f"a bias is multiplied with beta={_number(beta)}")
        return steps + ["bias"]
    if shape[-2:] != (m, n) or stride[-2:] != (n, 1) or batch > 1 and (shape[0] != batch or stride[0] != m * n):
        raise Refused(f"what is added has the shape {list(shape)} and the strides {list(stride)}")
    return steps + ["beta=" + _number(beta)]


def _scales(op, more, m, n, k):
    if more.get("scale_result") is not None:
        raise Refused("the result has a scale")
    if op == "_scaled_mm_v2" and (more["scale_a"] is None or any(more["swizzles"])):
        raise Refused(f"scales in {more['scales']} tensors with the swizzles {list(more['swizzles'])}")
    (a, _, type_a), (b, _, type_b) = more["scale_a"], more["scale_b"]
    if _type(type_a) != "f32" or _type(type_b) != "f32":
        raise Refused(f"scales of the type {_type(type_a)} and {_type(type_b)}")
    if all(extent == 1 for extent in a + b):
        return "tensor"
    if a == (m, 1) and b == (1, n):
        # Kernels with scales of rows keep their sums in the tensor core, which rounds them to 14 bits.
        if more.get("fast") is False:
            raise Refused("the call asks for exact sums: use_fast_accum is False")
        return "row"
    blocks = -(-k // BLOCK)
    if a == (m, blocks) and b == (blocks, -(-n // BLOCK)):
        return "block"
    raise Refused(f"scales of the shapes {list(a)} and {list(b)}")


def of(key):
    """The problem of a call, without M, and M; None where nothing is computed.

    A problem has n, k, batch, types, major, epilogue, scales and aligned. Where Tilewright has none such, it has why,
    and what is known of the rest.
    """
    op, shape_a, shape_b, stride_a, stride_b, type_a, type_b, misaligned, more = key
    more = dict(more or ())
    shape_a, shape_b, stride_a, stride_b = (tuple(map(int, each)) for each in (shape_a, shape_b, stride_a, stride_b))
    if min(len(shape_a), len(shape_b)) < 2:  # The operator refuses them.
        return None
    m, k = shape_a[-2:]
    n = shape_b[-1]
    batch = shape_a[0] if len(shape_a) == 3 and op not in GROUPED else 1
    if 0 in shape_a + shape_b:
        return None
    out = more.get("out")
    out_type = out[2] if out else more.get("out_dtype") or type_a
    types = [_type(type_a), _type(type_b), _type(out_type)]
    found = {"op": op, "n": n, "k": k, "batch": batch, "types": ",".join(types), "aligned": misaligned == 0}
    found.update({"major": "k,k,n", "epilogue": "", "scales": "tensor"})
    try:
        if op in GROUPED:
            raise Refused("not replaceable: sizes on the device")
        unknown = [each for each in types if each not in TYPES.values()]
        if unknown:
            raise Refused("no kernel has the type " + unknown[0])
        majors = [
            _major("A", (m, k), stride_a[-2:], "mk"),
            _major("B", (k, n), stride_b[-2:], "kn"),
            "n" if out is None else _major("D", (m, n), out[1][-2:], "mn"),
        ]
        _batched("A", shape_a, stride_a)
        _batched("B", shape_b, stride_b)
        if out is not None:
            _batched("D", out[0], out[1])
        found["major"] = ",".join(majors)
        if op.startswith("_scaled_mm"):
            found["scales"] = _scales(op, more, m, n, k)
        found["epilogue"] = ",".join(_addends(more, m, n, batch))
    except Refused as refused:
        found["why"] = str(refused)
    except Exception as fault:  # Arguments that nobody thought of must not lose the other calls.
        found["why"] = "cannot be described: " + notice.named(fault)
    return found, m
