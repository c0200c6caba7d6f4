"""As much of PyTorch as an exported module asks for. A tensor has an address of its own, and nothing behind it."""

import types


class Type(str):
    @property
    def itemsize(self):
        return {"bfloat16": 2, "float16": 2, "float32": 4}.get(self, 1)


bfloat16, float16, float32 = Type("bfloat16"), Type("float16"), Type("float32")
float8_e4m3fn, float8_e5m2 = Type("e4m3fn"), Type("e5m2")


class Tensor:
    is_cuda = True
    device = types.SimpleNamespace(index=0)
    made = 0

    def __init__(self, shape, dtype, stride=None):
        self.shape, self.dtype = tuple(shape), dtype
        self.strides = stride or tuple(int(__import__("math").prod(shape[i + 1 :])) for i in range(len(shape)))
        Tensor.made += 1
        self.address = Tensor.made << 40

    def stride(self):
        return self.strides

    @property
    def mT(self):
        return Tensor(self.shape[::-1], self.dtype, self.strides[::-1])

    def data_ptr(self):
        return self.address

    def new_empty(self, shape, dtype):
        # As an allocator does that gets a tensor back: the same address again.
        Tensor.made = 2
        return Tensor(shape, dtype)


class Op:
    def __init__(self, name, schema, run):
        self.name, self.schema, self.run = name, schema, run

    def __call__(self, *arguments, **named):
        return self.run(*arguments, **named)

    def register_fake(self, fake):
        self.fake = fake
        return fake


def mm(a, b, out):
    print("mm", a.shape, b.shape, out.shape)


class library:
    @staticmethod
    def custom_op(name, mutates_args, schema):
        if "*" in schema:
            raise NotImplementedError("custom_op with kwarg-only Tensor args")
        if "=" in schema.split("out)")[0] and "out)" in schema:
            raise AssertionError("Non-default positional argument follows default argument")
        return lambda run: Op(name, schema, run)


class cuda:
    capturing = False
    stream = 0x77

    class device:
        def __init__(self, device):
            pass

        def __enter__(self):
            pass

        def __exit__(self, *failure):
            pass

    @staticmethod
    def current_stream(device):
        return types.SimpleNamespace(cuda_stream=cuda.stream)

    @staticmethod
    def is_current_stream_capturing():
        return cuda.capturing
