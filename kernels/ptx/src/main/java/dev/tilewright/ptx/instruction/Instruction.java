package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Requirement;

/** A PTX instruction. Records only; one nested record per form. */
public sealed interface Instruction extends Statement
        permits Computation,
                Flow,
                Memory,
                Barrier,
                Mbarrier,
                BulkCopy,
                Wgmma,
                Matrix,
                Tcgen05,
                ClusterLaunchControl,
                AsyncCopy,
                WarpExchange,
                TensorMapUpdate,
                CachePolicy,
                WarpMatrix,
                Tooling,
                MbarrierUse {
    /** The lowest PTX ISA and target that have this form. */
    default Requirement requires() {
        return Requirement.BASE;
    }
}
