package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.KBlocks;
import dev.tilewright.gemm.kernel.TileWalk;
import dev.tilewright.gemm.kernel.TileWalk.Found;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Wgmma.ScaleD;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.space.sm90.Sm90Config;
import java.util.List;

/**
 * The multiplying side of the K loop where blocks of 128 along K have scales of their own: the tensor core adds up the
 * products of one block, and the warpgroup multiplies them with the scales and adds them to its sums in f32 (the
 * promotion). Meanwhile the tensor core has the products of another warpgroup. The scales of A come with the stage; its
 * products hide the time in which factors are made of them.
 */
public final class BlockScaledMainloop implements WarpgroupMainloop {

    /** How far its sums may be off: the tensor core adds up the products of one block alone. */
    public static final SumError SUM_ERROR = new SumError.Cut(Scales.BLOCK_K);

    private static final int WARP_THREADS = 32;

    private final OperandStages stages;
    private final List<Reg<F32>> products;
    private final List<Reg<F32>> sums;
    private final StageProducts issue;
    private final StageRelease release;
    private final ScaleReader scales;
    private final PipelineState state;
    /** Whether the next stage had come when the tensor core was through with the last, or when the tile began. */
    private final Reg<Pred> came;

    /** How often it goes over a stage, and how many times 64 rows it multiplies each time. */
    private final int passes;

    private final int rowsOfPass;

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param sharing to whom stages are handed back
     */
    public BlockScaledMainloop(
            CodeBuilder b,
            Sm90Config config,
            StageScales scales,
            OperandStages stages,
            ClusterSharing sharing,
            ClusterPlace cluster,
            Warpgroup own) {
        this.stages = stages;
        products = b.f32Array("product", config.scales().products());
        sums = b.f32Array("sum", config.multiply().accumulators());
        issue = new StageProducts(b, config, stages, own);
        release = StageRelease.of(b, stages, sharing, cluster, b.and(own.thread(), WARP_THREADS - 1L));
        this.scales = new ScaleReader(b, config, scales, own);
        state = stages.pipeline().consumerState(b);
        came = b.pred("stageCame");
        passes = config.scales().passes();
        rowsOfPass = config.multiply().warpgroupTile().mmaDown() / passes;
    }

    @Override
    public List<Reg<F32>> sums() {
        return sums;
    }

    @Override
    public void skip(CodeBuilder b, KBlocks blocks) {
        state.skip(b, blocks.count());
    }

    @Override
    public TileProducts begin(CodeBuilder b, TileWalk walk, Reg<B32> number) {
        stages.pipeline().consumerLook(b, state, came);
        Found tile = walk.find(b, number);
        KBlocks blocks = walk.kBlocks(b, tile);
        b.comment("mainloop: the products of the k blocks, each with its scales");
        sums.forEach(sum -> b.mov(sum, Immediate.f32(0)));
        return new OfTile(tile, blocks.counter(b), scales.begin(b, tile.place(), blocks));
    }

    /** The products of one tile. */
    private final class OfTile implements TileProducts {

        private final Found tile;
        private final KBlocks.Counter counter;
        private final ScaleReader.OfTile factors;

        OfTile(Found tile, KBlocks.Counter counter, ScaleReader.OfTile factors) {
            this.tile = tile;
            this.counter = counter;
            this.factors = factors;
        }

        @Override
        public Found tile(CodeBuilder b) {
            return tile;
        }

        @Override
        public void await(CodeBuilder b) {
            state.alike(b);
            stages.pipeline().consumerWait(b, Ordering.DEFAULT, state, came);
        }

        @Override
        public void multiply(CodeBuilder b) {
            issue(b, 0);
            b.comment("the factors of the block, from its scales");
            factors.take(b, state.slot(), counter.block());
            b.comment("the scales have been read before others are copied over them, which the products hide");
            b.fenceProxyAsyncShared();
        }

        private void issue(CodeBuilder b, int pass) {
            int from = pass * rowsOfPass;
            issue.issue(b, state.slot(), products, new ScaleD.Fixed(false), from, from + rowsOfPass);
        }

        private void promote(CodeBuilder b, int pass) {
            b.comment("promotion: products of the block with their scales are added to the sums");
            scales.promote(b, products, sums, pass * rowsOfPass);
        }

        @Override
        public Reg<Pred> release(CodeBuilder b) {
            for (int pass = 1; pass < passes; pass++) {
                b.comment("wait for the products of these rows, and issue those of the rows below");
                b.wgmmaWaitGroup(0);
                promote(b, pass - 1);
                issue(b, pass);
            }
            b.comment("wait until the block is multiplied");
            b.wgmmaWaitGroup(0);
            b.syncWarp();
            release.handBack(b, state.slot());
            state.advance(b);
            stages.pipeline().consumerLook(b, state, came);
            promote(b, passes - 1);
            return counter.next(b);
        }

        @Override
        public void finish(CodeBuilder b) {
            // Each block has been waited for.
        }
    }
}
