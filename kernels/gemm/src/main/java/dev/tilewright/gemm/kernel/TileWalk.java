package dev.tilewright.gemm.kernel;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import java.util.List;
import java.util.Optional;

/** One role's way through its tiles: what it asks of each, by registers of its own. */
public interface TileWalk {

    /**
     * A cluster tile that a role works on.
     *
     * @param number that the scheduler handed out: of the cluster tile, or of a piece of one
     * @param place of the tile of this CTA
     * @param row its row of a table, if there is one
     */
    record Found(Reg<B32> number, TilePlace place, Optional<Row> row) {

        /**
         * A row of a table.
         *
         * @param address in global memory
         * @param gemm index of the GEMM that the tile is of
         * @param kBlocks how many blocks along K the tile has
         */
        record Row(Reg<B64> address, Reg<B32> gemm, Reg<B32> kBlocks) {}

        /** Index of the GEMM that the tile is of, where a launch has several. */
        public Optional<Reg<B32>> gemm() {
            return row.map(Row::gemm);
        }
    }

    /** Finds a cluster tile. */
    Found find(CodeBuilder b, Reg<B32> number);

    /** The blocks along K of a tile that was found, or of a piece of one. */
    KBlocks kBlocks(CodeBuilder b, Found tile);

    /** How many blocks along K a cluster tile has, for a role that has not found it. */
    KBlocks kBlocks(CodeBuilder b, Reg<B32> number);

    /**
     * The tensor maps by which the role moves a tile, of its matrices in their order. The thread that copies by them
     * sees what the host wrote there.
     *
     * @param copies whether this thread copies; absent if all do that come here
     */
    List<GenericAddress> maps(CodeBuilder b, Found tile, Optional<Reg<Pred>> copies);

    /** Whether the tile of this CTA holds output; of a role that moves D. */
    Reg<Pred> holdsOutput(CodeBuilder b, Found tile);
}
