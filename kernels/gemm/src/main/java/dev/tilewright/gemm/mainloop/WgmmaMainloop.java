package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.gemm.space.Sm90Config;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The multiplying side of the K loop: one warpgroup, 64 rows an instruction, both operands from shared memory.
 *
 * <p>Of a matrix descriptor only the low word changes: +2 for the next 16 elements of K (32 bytes), + 64 rows for the
 * next instruction along M, + a stage for the next slot, all in units of 16 bytes. With wait depth 1 the wgmmas of a
 * stage are still running while the next stage is issued, and it is the stage before that is handed back. The arrival
 * at another CTA has the default scope on purpose: with {@code .release.cluster} the assembler puts a fence of the
 * whole GPU into the loop, and nothing was written that would need it.
 */
public final class WgmmaMainloop {

    private static final int MMA_K = 16;
    private static final int DESCRIPTOR_UNIT = 16;
    private static final int DESCRIPTOR_MASK = 0x3FFFF;
    /** The leading-dimension field, which swizzled K-major layouts ignore; 1 by convention. */
    private static final int LEADING_DIMENSION = 1 << 16;

    private final OperandStages stages;
    private final Sm90Config config;
    private final Reg<B32> sharedBase;
    private final List<Reg<F32>> accumulators;
    private final Reg<B32> descriptorA;
    private final Reg<B32> descriptorB;
    private final Reg<B32> emptyBase;
    private final Reg<Pred> releases;
    private final PipelineState state;

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param threadInWarpgroup 0..127
     * @param rowInTile first row of the warpgroup in the CTA's tile
     */
    public WgmmaMainloop(
            CodeBuilder b,
            Sm90Config config,
            OperandStages stages,
            Reg<B32> sharedBase,
            Reg<B32> threadInWarpgroup,
            Reg<B32> rowInTile) {
        this.stages = stages;
        this.config = config;
        this.sharedBase = sharedBase;
        accumulators = b.f32Array("acc", config.accumulators());
        int data = stages.stages().offset();
        Reg<B32> startA = b.mad(rowInTile, Immediate.b32(rowBytes()), b.add(sharedBase, data));
        descriptorA = lowWord(b, startA);
        descriptorB = lowWord(b, b.add(sharedBase, data + stages.offsetB()));
        releases = b.lt(threadInWarpgroup, config.sharers());
        emptyBase = config.sharers() == 1
                ? b.add(sharedBase, stages.pipeline().empty().offset())
                : stages.remoteEmptyBase(b, sharedBase, b.and(threadInWarpgroup, config.sharers() - 1));
        state = stages.pipeline().consumerState(b);
    }

    private static Reg<B32> lowWord(CodeBuilder b, Reg<B32> address) {
        return b.or(b.shr(b.and(address, DESCRIPTOR_MASK), 4), LEADING_DIMENSION);
    }

    /** Swizzle code and bytes between groups of 8 rows, which lie packed. */
    private int highWord() {
        int code = switch (config.swizzle()) {
            case 128 -> 1;
            case 64 -> 2;
            default ->
                throw new IllegalArgumentException(
                        "operands are swizzled over 64 or 128 bytes, got " + config.swizzle());
        };
        return code << 30 | 8 * rowBytes() / DESCRIPTOR_UNIT;
    }

    private int rowBytes() {
        return config.tileK() * Sm90Config.ELEMENT_BYTES;
    }

    /** The f32 accumulators of a thread: those of the first 64 rows from left to right, then of the next. */
    public List<Reg<F32>> accumulators() {
        return accumulators;
    }

    /** Leaves out the stages of a tile that another warpgroup multiplies. */
    public void skip(CodeBuilder b, Reg<B32> kBlocks) {
        state.skip(b, kBlocks);
    }

    /**
     * Multiplies all k blocks of a tile; afterwards the accumulators may be read.
     *
     * @param kBlocks at least 1
     * @param issued what to do once everything is issued but not yet done
     */
    public void multiply(CodeBuilder b, Reg<B32> kBlocks, Consumer<CodeBuilder> issued) {
        Reg<B32> block = b.b32();
        b.mov(block, 0);
        Reg<B32> previous = b.b32();
        b.mov(previous, state.slot());
        b.doWhile("multiply k", w -> {
            stages.pipeline().consumerWait(w, Ordering.DEFAULT, sharedBase, state);
            Reg<Pred> notFirst = w.ne(block, 0);
            issueStage(w, notFirst);
            w.wgmmaWaitGroup(config.waitDepth());
            if (config.waitDepth() == 0) {
                release(w, state.slot(), releases);
            } else {
                release(w, previous, w.andPred(releases, notFirst));
                w.mov(previous, state.slot());
            }
            state.advance(w);
            w.add(block, block, 1);
            return w.lt(block, kBlocks);
        });
        issued.accept(b);
        if (config.waitDepth() > 0) {
            b.wgmmaWaitGroup(0);
            release(b, previous, releases);
        }
    }

    private void issueStage(CodeBuilder b, Reg<Pred> notFirst) {
        int unitsPerStage = config.stageBytes() / DESCRIPTOR_UNIT;
        Immediate<B32> high = Immediate.b32(highWord());
        Reg<B64> a = b.pack(b.mad(state.slot(), Immediate.b32(unitsPerStage), descriptorA), high);
        Reg<B64> bTile = b.pack(b.mad(state.slot(), Immediate.b32(unitsPerStage), descriptorB), high);
        int perMma = config.mmaColumns() / 2;
        int unitsDown = Sm90Config.MMA_ROWS * rowBytes() / DESCRIPTOR_UNIT;
        int unitsAcross = config.mmaColumns() * rowBytes() / DESCRIPTOR_UNIT;
        b.wgmmaFence();
        for (int k = 0; k < config.tileK() / MMA_K; k++) {
            int first = 0;
            int along = k * MMA_K * Sm90Config.ELEMENT_BYTES / DESCRIPTOR_UNIT;
            List<Reg<B64>> bSteps = IntStream.range(0, config.mmaAcross())
                    .mapToObj(across -> plus(b, bTile, along + across * unitsAcross))
                    .toList();
            for (int down = 0; down < config.mmaPerWarpgroup(); down++) {
                Reg<B64> aStep = plus(b, a, along + down * unitsDown);
                for (Reg<B64> bStep : bSteps) {
                    List<Reg<F32>> d = accumulators.subList(first, first + perMma);
                    if (k == 0) {
                        b.wgmma(ScalarType.BF16, d, aStep, bStep, notFirst);
                    } else {
                        b.wgmma(ScalarType.BF16, d, aStep, bStep, true);
                    }
                    first += perMma;
                }
            }
        }
        b.wgmmaCommitGroup();
    }

    private static Reg<B64> plus(CodeBuilder b, Reg<B64> descriptor, int units) {
        return units == 0 ? descriptor : b.add(descriptor, units);
    }

    /** One lane for each CTA that loaded a part of the stage. */
    private void release(CodeBuilder b, Reg<B32> slot, Reg<Pred> when) {
        Reg<B32> address = b.add(b.shl(slot, 3), emptyBase);
        Address barrier = config.sharers() == 1 ? SharedAddress.of(address) : ClusterAddress.of(address);
        b.guarded(when, g -> g.mbarrierArrive(barrier));
    }
}
