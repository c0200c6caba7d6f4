package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProofShapeTest {

    private static final int SMS = 4;
    private static final int SAMPLE = 20;
    private static final GemmFamily GEMM = GemmFamilies.standard().named(Kernels.FAMILY);

    private static ProofShape mapping(Problem problem, Config config, int sms) {
        GemmKernel kernel = GEMM.build(config, false);
        return new ProofShape(problem, config, GEMM.space().blocking(config), kernel, DeviceLimits.of(sms));
    }

    private static SearchSpace space(Problem problem) {
        return GEMM.space().space(problem, DeviceLimits.of(SMS));
    }

    private static double multiplyAdds(ProblemShape shape) {
        return shape.flops() / 2;
    }

    /** Every mapping against all smaller problems with the same tails, one by one. */
    @ParameterizedTest
    @ValueSource(strings = {"4096x4096x4096", "5000x3016x1032", "712x6480x392", "2056x520x4104", "16384x16384x64"})
    void mapsToTheSmallestProblemWithTheSameTailsThatGoesAsDeep(String text) {
        Problem asked = Kernels.problem(text);
        ProblemShape large = asked.shape();
        for (Config config : ConfigSample.of(SpaceTree.of(space(asked)), SAMPLE, large.m())) {
            ProofShape mapping = mapping(asked, config, SMS);
            ProblemShape small = mapping.smallest().shape();
            Extent m = new Extent(large.m(), config.whole("tileM") * config.whole("clusterM"));
            Extent n = new Extent(large.n(), config.whole("tileN") * config.whole("clusterN"));
            Extent k = new Extent(large.k(), config.whole("tileK"));

            assertThat((large.m() - small.m()) % m.block())
                    .as("tail of M, %s", config)
                    .isZero();
            assertThat((large.n() - small.n()) % n.block())
                    .as("tail of N, %s", config)
                    .isZero();
            assertThat((large.k() - small.k()) % k.block())
                    .as("tail of K, %s", config)
                    .isZero();
            assertThat(small.m()).isLessThanOrEqualTo(large.m());
            assertThat(small.n()).isLessThanOrEqualTo(large.n());
            assertThat(small.k()).isLessThanOrEqualTo(large.k());
            assertThat(space(mapping.smallest()).violation(config))
                    .as("%s on %s", config, small)
                    .isEmpty();

            Depth goal = mapping.goal();
            assertThat(mapping.foretold(blocks(small.m(), m), blocks(small.n(), n), blocks(small.k(), k))
                            .reaches(goal))
                    .as("%s on %s", config, small)
                    .isTrue();
            int fewestBlocks = config.whole("splitK") * config.whole("clusterK");
            assertNoSmallerOneWouldDo(mapping, m, n, k, fewestBlocks, small, goal);
        }
    }

    private static void assertNoSmallerOneWouldDo(
            ProofShape mapping, Extent m, Extent n, Extent k, int fewestBlocks, ProblemShape small, Depth goal) {
        int work = blocks(small.m(), m) * blocks(small.n(), n) * blocks(small.k(), k);
        for (int rows = m.fewest(); rows <= m.blocks() && rows <= work; rows++) {
            for (int columns = n.fewest(); columns <= n.blocks() && rows * columns <= work; columns++) {
                // Deeper is never shallower: the most depth for less work decides for all below it.
                int depth = Math.min(k.blocks(), (work - 1) / (rows * columns));
                if (depth >= k.fewest() && depth >= fewestBlocks) {
                    assertThat(mapping.foretold(rows, columns, depth).reaches(goal))
                            .as("%dx%dx%d blocks would do in place of %s", rows, columns, depth, small)
                            .isFalse();
                }
            }
        }
    }

    private static int blocks(int elements, Extent extent) {
        return Math.ceilDiv(elements, extent.block());
    }

    /** So deep that each of eight pieces of a tile fills a ring of eight stages three times. */
    @Test
    void aLargeProblemIsMappedDeepEnough() {
        Problem asked = Kernels.problem("16384x8200x32776");
        for (Config config : ConfigSample.of(SpaceTree.of(space(asked)), SAMPLE, 3)) {
            ProofShape mapping = mapping(asked, config, SMS);
            ProblemShape run = mapping.problem().shape();
            Depth depth = mapping.foretold(
                    Math.ceilDiv(run.m(), config.whole("tileM") * config.whole("clusterM")),
                    Math.ceilDiv(run.n(), config.whole("tileN") * config.whole("clusterN")),
                    Math.ceilDiv(run.k(), config.whole("tileK")));

            assertThat(depth.lacking()).as("%s on %s", config, run).isEmpty();
            assertThat(multiplyAdds(run)).isLessThan(multiplyAdds(asked.shape()) / 100);
        }
    }

    @Test
    void aSmallProblemRunsAsItIs() {
        for (String shape : new String[] {"712x648x392", "64x64x64", "8x8x8"}) {
            Problem asked = Kernels.problem(shape);
            for (Config config : ConfigSample.of(SpaceTree.of(space(asked)), 4, 1)) {
                assertThat(mapping(asked, config, SMS).problem()).isEqualTo(asked);
            }
        }
    }

    @Test
    void aConfigIsMappedToTheShapeThatOneWouldDrawByHand() {
        // 12 tiles of 128x128 for 4 SMs, 3 or more blocks of K: 3 tiles a CTA, 3 x 4 slots.
        Config config =
                Kernels.config("consumers=2 tileM=128 tileN=128 tileK=64 swizzle=128 loadStages=4 epilogueN=64");

        assertThat(mapping(Kernels.problem("4000x4040x4008"), config, SMS)
                        .problem()
                        .shape())
                .hasToString("288x456x232");
        assertThat(mapping(Kernels.problem("4096x4096x4096"), config, SMS)
                        .problem()
                        .shape())
                .hasToString("384x512x256");
        assertThat(mapping(Kernels.problem("4096x4096x4096"), config, 8)
                        .problem()
                        .shape())
                .as("twice the SMs, twice the tiles")
                .hasToString("512x768x256");
    }

    @Test
    void theSchedulerSingleIsMappedToThreeWavesAndALongK() {
        Config config = Kernels.config(
                "scheduler=single consumers=2 tileM=128 tileN=128 tileK=64 swizzle=128 " + "loadStages=4 epilogueN=64");

        assertThat(mapping(Kernels.problem("4096x4096x4096"), config, SMS)
                        .problem()
                        .shape())
                .as("12 tiles are 3 waves over 4 SMs, 12 blocks of K are 3 wraps of 4 slots in one tile")
                .hasToString("384x512x768");
    }

    @ParameterizedTest
    @CsvSource({"712, 128, 6, 2, 200", "128, 128, 1, 1, 128", "100, 128, 1, 1, 100", "256, 128, 2, 2, 256"})
    void extentsKeepTheirTail(int asked, int block, int blocks, int fewest, int least) {
        Extent extent = new Extent(asked, block);

        assertThat(extent.blocks()).isEqualTo(blocks);
        assertThat(extent.fewest()).isEqualTo(fewest);
        assertThat(extent.of(fewest)).isEqualTo(least);
        assertThat(extent.of(blocks)).isEqualTo(asked);
    }
}
