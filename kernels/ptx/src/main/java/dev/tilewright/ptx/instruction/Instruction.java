package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Requirement;

/** A PTX instruction. Records only; one nested record per form. */
public sealed interface Instruction extends Statement
        permits Arithmetic,
                Compare,
                Convert,
                Move,
                Memory,
                Control,
                Barrier,
                Mbarrier,
                BulkCopy,
                Wgmma,
                Matrix,
                Tcgen05,
                ClusterLaunchControl,
                Ordinary,
                Synchronisation,
                TensorMapUpdate,
                CachePolicy,
                WarpMatrix,
                Packed,
                IndirectCall,
                Tooling {
    /** Tells every operand, with the type the instruction reads or writes it as, in the order of the text. */
    void operands(OperandVisitor visitor);

    /** The lowest PTX ISA and target that have this form. */
    default Requirement requires() {
        return Requirement.BASE;
    }
}
