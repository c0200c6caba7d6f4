package dev.tilewright.gemm.kernel;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The code of a role for each of its tiles. */
@FunctionalInterface
public interface TileBody {

    /**
     * The code for one tile.
     *
     * @param number of the tile, or of a piece of one
     * @return the tile, which the code has found
     */
    TileWalk.Found run(CodeBuilder b, Reg<B32> number);

    /** The same code, and in a traced twin the record of the tile around it. */
    default BiConsumer<CodeBuilder, Reg<B32>> traced(Optional<TileTrace> trace) {
        return (b, number) -> {
            Optional<Reg<B32>> start = trace.map(_ -> TileTrace.now(b));
            TileWalk.Found tile = run(b, number);
            trace.ifPresent(record -> record.write(b, tile, start.orElseThrow()));
        };
    }
}
