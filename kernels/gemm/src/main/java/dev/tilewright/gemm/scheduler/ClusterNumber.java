package dev.tilewright.gemm.scheduler;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;

/**
 * By which number a cluster takes its tiles: its id, or what a table says of it.
 *
 * @param places parameter: the number of each cluster, one u32 for each, a permutation of their ids
 */
public record ClusterNumber(ClusterPlace cluster, Optional<Param> places) {

    /** The number of the own cluster. */
    public Reg<B32> own(CodeBuilder b) {
        Reg<B32> id = cluster.id(b);
        return places.map(table -> b.ld32(GlobalAddress.of(b.madWide(id, Integer.BYTES, b.globalPointer(table)))))
                .orElse(id);
    }

    /** How many numbers there are. */
    public Reg<B32> count(CodeBuilder b) {
        return cluster.count(b);
    }
}
