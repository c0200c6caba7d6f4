package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.KBlocks;
import dev.tilewright.gemm.kernel.TileWalk;
import dev.tilewright.gemm.kernel.TileWalk.Found;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Wgmma.ScaleD;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.space.sm90.Sm90Config;
import java.util.List;
import java.util.function.Function;

/**
 * The multiplying side of the K loop: one warpgroup, 64 rows an instruction, both operands from shared memory. Rows are
 * those of A, and with {@code swapAB} those of B: then it multiplies a part of the transposed output.
 *
 * <p>With wait depth 1 the wgmmas of a stage are still running while the next stage is issued, and it is the stage
 * before that is handed back.
 */
public final class WgmmaMainloop implements WarpgroupMainloop {

    /** How far its sums may be off: the tensor core adds every product to one sum. */
    public static SumError sumError(DataType input) {
        return input.bytes() == 1 ? SumError.Cut.WHOLE : SumError.Rounded.PLAIN;
    }

    private final OperandStages stages;
    private final Sm90Config config;
    private final List<Reg<F32>> accumulators;
    private final StageProducts products;
    private final StageRelease release;
    private final PipelineState state;
    /** The slot whose products were issued last. */
    private final Reg<B32> previous;

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param sharing to whom stages are handed back
     */
    public WgmmaMainloop(
            CodeBuilder b,
            Sm90Config config,
            OperandStages stages,
            ClusterSharing sharing,
            ClusterPlace cluster,
            Warpgroup own) {
        this.stages = stages;
        this.config = config;
        accumulators = b.f32Array("acc", config.multiply().accumulators());
        products = new StageProducts(b, config, stages, own);
        release = StageRelease.of(b, stages, sharing, cluster, own.thread());
        state = stages.pipeline().consumerState(b);
        previous = b.b32("previousSlot");
    }

    @Override
    public List<Reg<F32>> sums() {
        return accumulators;
    }

    @Override
    public void skip(CodeBuilder b, KBlocks blocks) {
        state.skip(b, blocks.count());
    }

    @Override
    public TileProducts begin(CodeBuilder b, TileWalk walk, Reg<B32> number) {
        KBlocks blocks = walk.kBlocks(b, number);
        b.comment("mainloop: the products of the k blocks");
        KBlocks.Counter counter = blocks.counter(b);
        b.mov(previous, state.slot());
        return new OfTile(counter, b.pred("adds"), w -> walk.find(w, number));
    }

    /** Code that does not touch the accumulators can stand before {@link #finish}, beside the last products. */
    private final class OfTile implements TileProducts {

        private final KBlocks.Counter counter;
        /** Whether products are added to those of a block before. */
        private final Reg<Pred> adds;

        private final Function<CodeBuilder, Found> tile;

        OfTile(KBlocks.Counter counter, Reg<Pred> adds, Function<CodeBuilder, Found> tile) {
            this.counter = counter;
            this.adds = adds;
            this.tile = tile;
        }

        @Override
        public Found tile(CodeBuilder b) {
            return tile.apply(b);
        }

        @Override
        public void await(CodeBuilder b) {
            state.alike(b);
            stages.pipeline().consumerWait(b, Ordering.DEFAULT, state);
        }

        @Override
        public void multiply(CodeBuilder b) {
            b.ne(adds, counter.block(), 0);
            products.issue(b, state.slot(), accumulators, new ScaleD.When(adds));
        }

        @Override
        public Reg<Pred> release(CodeBuilder b) {
            b.comment("wait until all but " + config.multiply().waitDepth() + " of the issued stages are multiplied");
            b.wgmmaWaitGroup(config.multiply().waitDepth());
            if (config.multiply().waitDepth() == 0) {
                release.handBack(b, state.slot());
            } else {
                release.handBack(b, previous, adds);
                b.mov(previous, state.slot());
            }
            state.advance(b);
            return counter.next(b);
        }

        @Override
        public void finish(CodeBuilder b) {
            if (config.multiply().waitDepth() > 0) {
                b.comment("wait until all of the tile is multiplied");
                b.wgmmaWaitGroup(0);
                release.handBack(b, previous);
            }
        }
    }
}
