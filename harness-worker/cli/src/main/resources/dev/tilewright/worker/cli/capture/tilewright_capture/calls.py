"""Counts the calls of GEMMs below autograd.

PyTorch passes every call of an operator through the dispatch key BackendSelect, below autograd, autocast and the tracing
of compilers, and above the kernels of a device. So eager calls, backward passes of any thread and what compiled code
calls (`mm.out`) come by, and only the operators that are named here pay for it: a mode of `torch.utils` would see every
operator, and torch.compile does not compile under one.
"""

# The operator, and the index of its first matrix.
GEMMS = {
    "mm": 0,
    "addmm": 1,
    "bmm": 0,
    "baddbmm": 1,
    "_scaled_mm": 0,
    "_scaled_mm_v2": 0,
    "_grouped_mm": 0,
    "_scaled_grouped_mm": 0,
    "_scaled_grouped_mm_v2": 0,
}

ACTIVATIONS = ("relu", "relu_", "gelu", "gelu_", "silu", "silu_")


def _shape(tensor):
    return None if tensor is None else (tensor.shape, tensor.stride(), tensor.dtype)


def _at(args, index):
    return args[index] if len(args) > index else None


def _plain(args, kwargs):
    if not kwargs and len(args) == 2:
        return None
    return {"out": _shape(kwargs.get("out")), "out_dtype": kwargs.get("out_dtype", _at(args, 2))}


def _added(args, kwargs):
    return {
        "c": _shape(args[0]),
        "beta": kwargs.get("beta", 1),
        "alpha": kwargs.get("alpha", 1),
        "out": _shape(kwargs.get("out")),
        "out_dtype": kwargs.get("out_dtype", _at(args, 3)),
    }


def _scaled(args, kwargs):
    return {
        "scale_a": _shape(args[2]),
        "scale_b": _shape(args[3]),
        "c": _shape(kwargs.get("bias", _at(args, 4))),
        "scale_result": _shape(_at(args, 5)),
        "out": _shape(kwargs.get("out")),
        "out_dtype": kwargs.get("out_dtype", _at(args, 6)),
        "fast": bool(kwargs.get("use_fast_accum", _at(args, 7))),
    }


def _scaled_v2(args, kwargs):
    several = len(args[2]) != 1 or len(args[5]) != 1
    return {
        "scale_a": None if several else _shape(args[2][0]),
        "scale_b": None if several else _shape(args[5][0]),
        "scales": (len(args[2]), len(args[5])),
        "swizzles": tuple(args[4]) + tuple(args[7]),
        "c": _shape(_at(args, 8)),
        "out": _shape(kwargs.get("out")),
        "out_dtype": kwargs.get("out_dtype", _at(args, 9)),
    }


def _nothing(args, kwargs):
    return None


_REST = {
    "mm": _plain,
    "bmm": _plain,
    "addmm": _added,
    "baddbmm": _added,
    "_scaled_mm": _scaled,
    "_scaled_mm_v2": _scaled_v2,
}


class Calls:
    """Counts by what identifies a problem: the operator, its matrices and what else it is given.

    counts: calls that ran; behind: how often an activation was the next reader of a result; into and
    behind_into: the counts that a call goes to now, those of a graph while one is captured.
    """

    def __init__(self, torch, devices):
        self.torch = torch
        self.devices = frozenset(devices)
        self.counts = {}
        self.behind = {}
        self.into = self.counts
        self.behind_into = self.behind
        self.order = None
        self.faults = {}
        # Hooks that ran.
        self.hooked = 0
        # One entry for each call that is under way: threads append and pop in one step, a sum would lose some.
        self.inside = []
        self.marked = None
        self._last = (0, None)
        self._library = None
        key = torch._C.DispatchKey.BackendSelect
        self._below = torch._C._dispatch_keyset_full_after(key)
        try:
            from torch._subclasses.fake_tensor import FakeTensor

            self._fakes = frozenset([FakeTensor])
        except ImportError:
            self._fakes = frozenset()

    @property
    def installed(self):
        return self._library is not None

    def install(self):
        """Puts the counting in front of each operator that this PyTorch has, unless it is there."""
        if self.installed:
            return
        library = self.torch.library.Library("aten", "IMPL")
        try:
            for name, first in GEMMS.items():
                self._implement(library, name, lambda op, name=name, first=first: self._counting(op, name, first))
            for name in ACTIVATIONS:
                self._implement(library, name, lambda op, name=name: self._following(op, name.rstrip("_")))
        except BaseException:
            library._destroy()
            raise
        self._library = library

    def remove(self):
        library, self._library = self._library, None
        library._destroy()

    def _implement(self, library, name, hook):
        packet = getattr(self.torch.ops.aten, name, None)
        for overload in packet.overloads() if packet is not None else ():
            full = name if overload == "default" else name + "." + overload
            library.impl(full, hook(getattr(packet, overload)), "BackendSelect", with_keyset=True)

    def _counting(self, op, name, first):
        redispatch, below, rest = op.redispatch, self._below, _REST.get(name, _nothing)
        fakes, devices, faults = self._fakes, self.devices, self.faults
        plain = rest is _plain

        def counting(keyset, *args, **kwargs):
            self.inside.append(None)
            try:
                key = None
                try:
                    a, b = args[first], args[first + 1]
                    if a.device.type in devices and type(a) not in fakes and type(b) not in fakes:
                        more = None
                        if not plain or kwargs or len(args) > 2:
                            more = rest(args, kwargs)
                            more = more and tuple(more.items())
                        key = (
                            name,
                            a.shape,
                            b.shape,
                            a.stride(),
                            b.stride(),
                            a.dtype,
                            b.dtype,
                            (a.data_ptr() | b.data_ptr()) & 15,
                            more,
                        )
                        into = self.into
                        into[key] = into.get(key, 0) + 1
                        self.hooked += 1
                        if self.order is not None:
                            self.order.append(key)
                except Exception as fault:  # What cannot be described must not end the program.
                    faults[name] = type(fault).__name__ + ": " + str(fault)
                # Once: the trace may end meanwhile.
                marked = self.marked
                if key is None or marked is None:
                    result = redispatch(keyset & below, *args, **kwargs)
                else:
                    with marked(key):
                        result = redispatch(keyset & below, *args, **kwargs)
                if key is not None:
                    try:
                        self._last = (result.data_ptr(), key)
                    except Exception:  # A sparse result begins nowhere: nothing can be its next reader.
                        self._last = (0, None)
                return result
            finally:
                self.inside.pop()

        return counting

    def _following(self, op, name):
        redispatch, below, fakes, faults = op.redispatch, self._below, self._fakes, self.faults

        def following(keyset, *args, **kwargs):
            self.inside.append(None)
            self.hooked += 1
            try:
                where, key = self._last
                try:
                    if key is not None and type(args[0]) not in fakes and args[0].data_ptr() == where:
                        function = "gelu-tanh" if kwargs.get("approximate") == "tanh" else name
                        behind = self.behind_into
                        behind[key, function] = behind.get((key, function), 0) + 1
                except Exception as fault:
                    faults[name] = type(fault).__name__ + ": " + str(fault)
                self._last = (0, None)
                return redispatch(keyset & below, *args, **kwargs)
            finally:
                self.inside.pop()

        return following
