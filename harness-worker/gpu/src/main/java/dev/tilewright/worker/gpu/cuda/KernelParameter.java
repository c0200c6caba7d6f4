package dev.tilewright.worker.gpu.cuda;

import dev.tilewright.gemm.launch.Argument;

/** A parameter of a kernel with its value, addresses resolved. */
public sealed interface KernelParameter {

    /** 32 bits: an integer, or a float by {@link Float#floatToRawIntBits}. */
    record Bits32(int value) implements KernelParameter {}

    /** 64 bits: an integer or an address on the device. */
    record Bits64(long value) implements KernelParameter {}

    /** A tensor map, passed by value. */
    record Map(Argument.TensorMap map, long address) implements KernelParameter {}
}
