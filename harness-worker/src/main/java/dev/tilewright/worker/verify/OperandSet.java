package dev.tilewright.worker.verify;

import dev.tilewright.worker.device.cuda.DeviceBuffer;

/** One set of operands on the device. All sets of a problem hold the same A and B. */
public record OperandSet(DeviceBuffer a, DeviceBuffer b, GuardedBuffer d) {}
