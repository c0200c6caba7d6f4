package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import java.util.List;
import java.util.Optional;

/**
 * Multiplies by a number that a launch passes.
 *
 * @param factor in a register, once it is prepared
 */
record ScaleStep(Param scale, Optional<Reg<F32>> factor) implements EpilogueStep {

    @Override
    public EpilogueStep prepared(CodeBuilder b) {
        return new ScaleStep(scale, Optional.of(b.paramF32(scale)));
    }

    @Override
    public List<Reg<F32>> apply(CodeBuilder b, Fragment fragment, Output output) {
        Reg<F32> by = factor.orElseGet(() -> b.paramF32(scale));
        return fragment.values().stream().map(value -> b.fmul(value, by)).toList();
    }
}
