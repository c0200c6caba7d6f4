package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.epilogue.Output.Beside;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Adds elements of a buffer.
 *
 * @param factor of the elements
 */
record AddStep(Beside operand, ElementReader reader, double factor) implements EpilogueStep {

    static AddStep bias(DataType type, Major along) {
        return new AddStep(Beside.BIAS, new ElementReader(type, Set.of(along)), 1);
    }

    static AddStep c(DataType type, double factor) {
        return new AddStep(Beside.C, new ElementReader(type, Set.of(Major.M, Major.N)), factor);
    }

    @Override
    public List<Reg<F32>> apply(CodeBuilder b, Fragment fragment, Output output) {
        ElementReader.Elements elements = reader.beside(b, fragment, output, output.start(b, operand));
        List<Reg<F32>> sums = new ArrayList<>();
        for (int value = 0; value < fragment.values().size(); value++) {
            Reg<F32> element = elements.of(b, value);
            Reg<F32> sum = fragment.values().get(value);
            sums.add(factor == 1 ? b.fadd(sum, element) : b.fma(element, b.mov(Immediate.f32((float) factor)), sum));
        }
        return sums;
    }
}
