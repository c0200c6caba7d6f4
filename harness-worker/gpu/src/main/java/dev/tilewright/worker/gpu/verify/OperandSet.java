package dev.tilewright.worker.gpu.verify;

import dev.tilewright.worker.gpu.cuda.DeviceBuffer;

/** One set of operands on the device. All sets of a problem hold the same A and B. */
public record OperandSet(DeviceBuffer a, DeviceBuffer b, GuardedBuffer d) {}
