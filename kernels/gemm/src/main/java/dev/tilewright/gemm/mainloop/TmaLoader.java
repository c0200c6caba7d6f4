package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.gemm.space.Sm90Config;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;
import java.util.Optional;

/**
 * The loading side of the K loop: ONE thread. In a cluster with multicast, CTAs of a row share A and those of a column
 * share B: each loads its slice of the rows and sends it to all of them, so that every CTA issues the same number of
 * loads. Boxes outside the operands arrive as zeros and count in full, so that tails need no code.
 */
public final class TmaLoader {

    private final OperandStages stages;
    private final Sm90Config config;
    private final ClusterPlace cluster;
    private final Reg<B32> sharedBase;
    private final GenericAddress mapA;
    private final GenericAddress mapB;
    private final Operand<B32> sliceA;
    private final Operand<B32> sliceB;
    private final Optional<Reg<B16>> maskA;
    private final Optional<Reg<B16>> maskB;
    private final PipelineState state;

    /** Prepares what does not change from tile to tile. */
    public TmaLoader(
            CodeBuilder b,
            OperandStages stages,
            ClusterPlace cluster,
            Reg<B32> sharedBase,
            GenericAddress mapA,
            GenericAddress mapB) {
        this.stages = stages;
        this.config = stages.config();
        this.cluster = cluster;
        this.sharedBase = sharedBase;
        this.mapA = mapA;
        this.mapB = mapB;
        boolean sharesA = config.multicast() && config.clusterN() > 1;
        boolean sharesB = config.multicast() && config.clusterM() > 1;
        sliceA = sharesA ? b.mulLo(cluster.n(), config.loadRowsA()) : Immediate.b32(0);
        sliceB = sharesB ? b.mulLo(cluster.m(), config.loadRowsB()) : Immediate.b32(0);
        maskA = sharesA ? Optional.of(rowMask(b)) : Optional.empty();
        maskB = sharesB ? Optional.of(columnMask(b)) : Optional.empty();
        state = stages.pipeline().producerState(b);
    }

    /** Ranks of the CTAs in the own row of the cluster; ranks run along M first. */
    private Reg<B16> rowMask(CodeBuilder b) {
        int firstRow = 0;
        for (int column = 0; column < config.clusterN(); column++) {
            firstRow |= 1 << (column * config.clusterM());
        }
        return b.narrow16(b.shl(b.mov(Immediate.b32(firstRow)), cluster.m()));
    }

    private Reg<B16> columnMask(CodeBuilder b) {
        int firstColumn = (1 << config.clusterM()) - 1;
        return b.narrow16(b.shl(b.mov(Immediate.b32(firstColumn)), b.mulLo(cluster.n(), config.clusterM())));
    }

    /**
     * Loads all k blocks of a tile.
     *
     * @param row first row of the CTA's tile in A
     * @param column first row of the CTA's tile in B
     * @param kBlocks at least 1
     */
    public void load(CodeBuilder b, Reg<B32> row, Reg<B32> column, Reg<B32> kBlocks) {
        Reg<B32> rowA = b.add(row, sliceA);
        Reg<B32> rowB = b.add(column, sliceB);
        Reg<B32> k = b.b32();
        b.mov(k, 0);
        Reg<B32> block = b.b32();
        b.mov(block, 0);
        int rowBytes = config.tileK() * Sm90Config.ELEMENT_BYTES;
        Reg<B32> baseA = b.mad(sliceA, Immediate.b32(rowBytes), sharedBase);
        Reg<B32> baseB = b.mad(sliceB, Immediate.b32(rowBytes), sharedBase);
        b.doWhile("load k", w -> {
            SharedAddress full = stages.pipeline().producerAcquire(w, Ordering.DEFAULT, sharedBase, state);
            w.mbarrierArriveExpectTx(full, config.stageBytes());
            SharedAddress a = stages.slotA(w, baseA, state.slot());
            SharedAddress bAddress = stages.slotA(w, baseB, state.slot()).plus(stages.offsetB());
            w.tmaLoad(a, mapA, List.of(k, rowA), full, maskA, Optional.empty());
            w.tmaLoad(bAddress, mapB, List.of(k, rowB), full, maskB, Optional.empty());
            state.advance(w);
            w.add(k, k, config.tileK());
            w.add(block, block, 1);
            return w.lt(block, kBlocks);
        });
    }
}
