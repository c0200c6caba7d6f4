package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.scheduler.ShareCode;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.space.family.Sm90Config;
import java.util.List;
import java.util.Optional;

/**
 * Adds up a tile whose pieces along K were multiplied by several CTAs. Pieces leave sums in a workspace and count
 * themselves. Nobody depends on a piece that has not begun, in whatever order pieces are handed out and CTAs begin; and
 * who adds up differs from launch to launch, the sum does not: its order does not depend on that. Each warpgroup does
 * this for what it has of the tile.
 */
public sealed interface PartialSums permits EvenPieces, SharedPieces {

    /** Stores a tile. */
    @FunctionalInterface
    interface Finish {

        /** @param sums where the panels are yet to be added up, each of them somewhere; absent if all are, here */
        void store(CodeBuilder b, Optional<PanelSums> sums);
    }

    /**
     * Leaves the sums of a piece, and stores what of the tile is to be added up here. All threads of a warpgroup.
     *
     * @param piece its number among those of all tiles; those of a tile are neighbours
     * @param finish what to do with a tile that is added up, or whole, or with those panels of it that are
     */
    void combine(CodeBuilder b, Reg<B32> piece, List<Reg<F32>> accumulators, Finish finish);

    /**
     * Prepares nothing: what is needed is reckoned for each tile anew, behind the mainloop, whose accumulators leave
     * few registers.
     *
     * @param shares where clusters share tiles; absent if all tiles are cut alike
     * @param epilogue of the warpgroup
     */
    static PartialSums of(
            Sm90Config config, SumsWorkspace workspace, Optional<ShareCode> shares, TmaStoreEpilogue epilogue) {
        return shares.<PartialSums>map(code -> new SharedPieces(code, workspace))
                .orElseGet(() -> new EvenPieces(config, workspace, epilogue));
    }
}
