"""As much of PyTorch as a recording asks for: operators with a dispatcher, CUDA graphs, tensors with nothing behind them.

It computes nothing and takes no time. Its version says that it is a stand-in, and so does every recording.
"""

import contextlib
import types

__version__ = "stand-in of Tilewright's tests, not PyTorch"
bfloat16, float16, float32, float8_e4m3fn = "bfloat16", "float16", "float32", "float8_e4m3fn"


class Tensor:
    made = 0

    def __init__(self, shape, dtype=float32, stride=None, device="cpu", address=None):
        self.shape, self.dtype, self.device = tuple(shape), dtype, types.SimpleNamespace(type=device)
        self._stride = stride or tuple(int(_product(self.shape[i + 1 :])) for i in range(len(self.shape)))
        Tensor.made += 1
        self._address = address or Tensor.made << 40

    def stride(self):
        return self._stride

    def data_ptr(self):
        return self._address

    def t(self):
        return Tensor(self.shape[::-1], self.dtype, self._stride[::-1], self.device.type, self._address)


def _product(extents):
    result = 1
    for extent in extents:
        result *= extent
    return result


def empty(shape, dtype=float32, device="cpu"):
    return Tensor(shape, dtype, device=device)


zeros = empty


@contextlib.contextmanager
def no_grad():
    yield


class _Overload:
    """Calls the kernel that was put in front, if there is one."""

    def __init__(self, name, run):
        self.name, self.run, self.front = name, run, None

    def __call__(self, *args, **kwargs):
        return self.front(-1, *args, **kwargs) if self.front else self.run(*args, **kwargs)

    def redispatch(self, keyset, *args, **kwargs):
        assert keyset == 7, "the keys below BackendSelect"
        return self.run(*args, **kwargs)


class _Packet:
    def __init__(self, name, run, overloads=("default",)):
        for overload in overloads:
            setattr(self, overload, _Overload(name if overload == "default" else name + "." + overload, run))
        self._overloads = overloads

    def overloads(self):
        return list(self._overloads)


def _multiplied(first):
    def run(*args, out=None, **kwargs):
        a, b = args[first], args[first + 1]
        assert a.shape[-1] == b.shape[-2], (a.shape, b.shape)
        return out or Tensor(a.shape[:-1] + b.shape[-1:], a.dtype, device=a.device.type)

    return run


def _scaled(a, b, scale_a, scale_b, bias=None, scale_result=None, out_dtype=None, use_fast_accum=False):
    return Tensor((a.shape[0], b.shape[1]), out_dtype or a.dtype, device=a.device.type)


def _grouped(a, b, offs=None, bias=None, out_dtype=None):
    return Tensor((a.shape[0], b.shape[-1]), a.dtype, device=a.device.type)


def _alike(x, **kwargs):
    return Tensor(x.shape, x.dtype, device=x.device.type)


aten = types.SimpleNamespace(
    mm=_Packet("mm", _multiplied(0), ("default", "out")),
    bmm=_Packet("bmm", _multiplied(0)),
    addmm=_Packet("addmm", _multiplied(1)),
    baddbmm=_Packet("baddbmm", _multiplied(1)),
    _scaled_mm=_Packet("_scaled_mm", _scaled),
    _grouped_mm=_Packet("_grouped_mm", _grouped),
    relu=_Packet("relu", _alike),
    gelu=_Packet("gelu", _alike),
    silu=_Packet("silu", _alike),
)
ops = types.SimpleNamespace(aten=aten)


def mm(a, b, out=None):
    return aten.mm.default(a, b) if out is None else aten.mm.out(a, b, out=out)


bmm, addmm, baddbmm = aten.bmm.default, aten.addmm.default, aten.baddbmm.default
_scaled_mm, _grouped_mm = aten._scaled_mm.default, aten._grouped_mm.default
nn = types.SimpleNamespace(functional=types.SimpleNamespace(
    silu=aten.silu.default, gelu=aten.gelu.default, relu=aten.relu.default
))


class _C:
    DispatchKey = types.SimpleNamespace(BackendSelect="BackendSelect")

    @staticmethod
    def _dispatch_keyset_full_after(key):
        assert key == "BackendSelect"
        return 7


class library:
    class Library:
        def __init__(self, namespace, kind):
            assert (namespace, kind) == ("aten", "IMPL")
            self.put = []

        def impl(self, name, function, key, *, with_keyset):
            assert with_keyset and key == "BackendSelect"
            packet, _, overload = name.partition(".")
            operator = getattr(getattr(aten, packet), overload or "default")
            assert operator.front is None, name + " is taken"
            operator.front = function
            self.put.append(operator)

        def _destroy(self):
            for operator in self.put:
                operator.front = None


class cuda:
    class CUDAGraph:
        """Replays nothing: a graph of the stand-in has no kernels."""

        def capture_begin(self):
            pass

        def capture_end(self):
            pass

        def replay(self):
            pass

    @staticmethod
    @contextlib.contextmanager
    def graph(graph):
        graph.capture_begin()
        yield
        graph.capture_end()

    @staticmethod
    def is_available():
        return False
