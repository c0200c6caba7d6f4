package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import java.util.List;

/** No less than the one number and no more than the other. */
record ClampStep(double low, double high) implements EpilogueStep {

    @Override
    public List<Reg<F32>> apply(CodeBuilder b, Fragment fragment, Output output) {
        return fragment.values().stream()
                .map(value -> b.atMost(b.atLeast(value, Immediate.f32((float) low)), Immediate.f32((float) high)))
                .toList();
    }
}
