package dev.tilewright.proof;

import dev.tilewright.gemm.TileRecord;
import java.util.List;

/** Hears what happens during a proof and is not part of its verdict. */
public interface Witness {

    /** Does not listen. */
    Witness NONE = new Witness() {};

    /**
     * A run begins.
     *
     * @param traced whether it is one of the traced twin
     */
    default void begins(long seed, boolean traced) {}

    /**
     * A result on random normal data was compared.
     *
     * @param errorRatio largest error over its bound; a NaN in the result shows in the flaw alone
     */
    default void compared(double errorRatio) {}

    /** A run of the traced twin computed these tiles. */
    default void walked(List<TileRecord> tiles) {}
}
