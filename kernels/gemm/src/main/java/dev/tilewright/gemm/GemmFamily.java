package dev.tilewright.gemm;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.family.FamilySpace;

/** A kernel family: a search space and the kernel at each of its points. */
public interface GemmFamily {

    /** Name of the family, such as {@code sm90-gemm}. */
    default String name() {
        return space().family();
    }

    /** Configs that may be tried. */
    FamilySpace space();

    /**
     * The kernel of a config. Only text parameters decide its text, which is the same, byte for byte, each time.
     *
     * @param traced whether to build the twin that records when and where each tile was computed
     * @throws IllegalArgumentException if a parameter is missing, or a value cannot be built
     */
    GemmKernel build(Config config, boolean traced);
}
