package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import java.util.List;

/** The steps of an epilogue for the tiles of one output. */
public final class TileSteps {

    private final List<EpilogueStep> steps;
    private final Output output;

    TileSteps(List<EpilogueStep> steps, Output output) {
        this.steps = steps;
        this.output = output;
    }

    /** Whether sums are stored as they are. */
    boolean isNone() {
        return steps.isEmpty();
    }

    /** The values that are stored. */
    List<Reg<F32>> apply(CodeBuilder b, Fragment fragment) {
        Fragment now = fragment;
        for (EpilogueStep step : steps) {
            now = now.with(step.apply(b, now, output));
        }
        return now.values();
    }
}
