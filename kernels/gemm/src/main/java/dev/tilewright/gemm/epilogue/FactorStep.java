package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import java.util.List;

/** Multiplies by a number that is part of the text. */
record FactorStep(double factor) implements EpilogueStep {

    @Override
    public List<Reg<F32>> apply(CodeBuilder b, Fragment fragment, Output output) {
        return fragment.values().stream()
                .map(value -> b.fmul(value, Immediate.f32((float) factor)))
                .toList();
    }
}
