package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.warp.Origin;
import dev.tilewright.ptx.instruction.CtaGroup;

/** Something that a thread has given to the tensor cores. */
interface TensorWork {
    Origin origin();

    CtaGroup group();

    /** Does it. */
    void execute();
}
