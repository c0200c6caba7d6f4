package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import java.util.List;
import java.util.function.Consumer;

/** Adds up the panels of a tile whose pieces along K were multiplied by several CTAs, each panel in one of these. */
@FunctionalInterface
public interface PanelSums {

    /**
     * Where the panel is to be added up here, receives its sums and stores it.
     *
     * @param accumulators of the panel
     * @param store for all threads of the warpgroup
     */
    void ofPanel(CodeBuilder b, TilePanel panel, List<Reg<F32>> accumulators, Consumer<CodeBuilder> store);
}
