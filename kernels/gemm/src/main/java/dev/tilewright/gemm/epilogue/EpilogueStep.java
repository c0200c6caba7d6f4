package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import java.util.List;

/** One step of an epilogue in a kernel: it owns its parameters and its code. */
interface EpilogueStep {

    /** Reads what does not change from tile to tile and is worth a register. */
    default EpilogueStep prepared(CodeBuilder b) {
        return this;
    }

    /**
     * The values of a fragment behind the step, computed in f32.
     *
     * @param output that the fragment is of
     */
    List<Reg<F32>> apply(CodeBuilder b, Fragment fragment, Output output);
}
