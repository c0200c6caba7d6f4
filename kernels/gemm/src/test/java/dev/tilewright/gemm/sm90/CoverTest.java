package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.Configs;
import dev.tilewright.gemm.Cover;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.Ptxas;
import dev.tilewright.gemm.space.DeviceLimits;
import dev.tilewright.gemm.space.Sm90Config;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.SearchSpace;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.verify.Verifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every config of the declared cover builds and verifies; a seeded sample of it, or with the tag {@code full} all of
 * it, assembles.
 */
class CoverTest {

    /** Where {@code test --full} writes what it saw; tests run in the folder of their module. */
    private static final Path FIGURES = Path.of("../../docs/results/cover/sm90-gemm.csv");

    private static final long SEED = 20261121;
    private static final int SAMPLE = 24;
    private static final int ASSEMBLERS = 2;

    private static final SearchSpace SPACE = new Sm90Gemm()
            .space()
            .space(Problem.of(ProblemShape.parse("4096x14336x4096"), DataType.BF16), DeviceLimits.of(132));

    private static final Cover COVER = new Cover(SPACE);

    private static Set<Config> all() {
        Set<Config> all = new LinkedHashSet<>(COVER.pairwise(SEED));
        all.addAll(COVER.corners());
        return all;
    }

    @Test
    void everyPairThatGoesTogetherIsCovered() {
        Set<Config> pairwise = COVER.pairwise(SEED);
        Set<Cover.Pair> covered = new HashSet<>();
        pairwise.forEach(config -> covered.addAll(COVER.pairs(config)));
        assertThat(covered).isEqualTo(COVER.possiblePairs());
        assertThat(pairwise).hasSizeBetween(20, 80);
        assertThat(pairwise)
                .allSatisfy(config -> assertThat(SPACE.violation(config)).isEmpty());
        assertThat(COVER.corners()).hasSizeGreaterThan(100);
    }

    @Test
    void everyConfigBuildsAndVerifies() {
        Sm90Gemm family = new Sm90Gemm();
        for (Config config : all()) {
            for (boolean traced : List.of(false, true)) {
                GemmKernel kernel = family.build(config, traced);
                assertThat(Verifier.verify(kernel.module()))
                        .as(config.canonical())
                        .isEmpty();
                assertThat(kernel.text()).as(config.canonical()).startsWith(".version 8.0\n.target sm_90a\n");
                assertThat(kernel.module().entry(Sm90Gemm.ENTRY).dynamicShared().bytes())
                        .as(config.canonical())
                        .isEqualTo(Sm90Config.of(config).sharedBytes());
            }
        }
    }

    @Test
    void aSampleAssemblesWithoutSpills() throws Exception {
        List<Config> shuffled = new ArrayList<>(all());
        Collections.shuffle(shuffled, new Random(SEED));
        assemble(shuffled.subList(0, SAMPLE));
    }

    @Test
    @Tag("full")
    void allOfItAssemblesWithoutSpills() throws Exception {
        List<Config> configs = List.copyOf(all());
        List<Integer> registers = assemble(configs);
        List<String> lines = new ArrayList<>(List.of("config,traced,registers"));
        for (int index = 0; index < configs.size(); index++) {
            lines.add(configs.get(index).canonical() + "," + isTraced(index) + "," + registers.get(index));
        }
        Files.createDirectories(FIGURES.getParent());
        Files.write(FIGURES, lines);
    }

    /** Every second one as its traced twin. */
    private static boolean isTraced(int index) {
        return index % 2 == 1;
    }

    /** Assembles all, and returns the registers of a thread for each. */
    private static List<Integer> assemble(List<Config> configs) throws Exception {
        Ptxas.assumePresent();
        Sm90Gemm family = new Sm90Gemm();
        List<Future<Integer>> registers = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(ASSEMBLERS)) {
            for (int index = 0; index < configs.size(); index++) {
                Config config = configs.get(index);
                GemmKernel kernel = family.build(config, isTraced(index));
                registers.add(pool.submit(() -> Ptxas.registers(Target.SM_90A, config.canonical(), kernel.text())));
            }
        }
        List<Integer> perThread = new ArrayList<>();
        for (int index = 0; index < configs.size(); index++) {
            Sm90Config typed = Sm90Config.of(configs.get(index));
            int used = registers.get(index).get();
            // What the CTA is given at its start must fit the SM.
            assertThat(used * typed.threads())
                    .as(configs.get(index).canonical())
                    .isLessThanOrEqualTo(65_536);
            perThread.add(used);
        }
        return perThread;
    }

    /** Accumulators and working registers are exactly what a thread may have, with and without redistribution. */
    @Test
    void theTightestBudgetsAssembleWithoutSpills() throws Exception {
        List<Config> tightest = List.of(
                Configs.with("tileN=256 registers=0 loadStages=3 scheduler=atomic clusterM=2 multicast=both"),
                Configs.with("tileM=256 tileN=192 loadStages=3 scheduler=atomic clusterM=2 multicast=both"),
                Configs.with("mode=pingpong tileN=192 scheduler=atomic clusterM=2 multicast=both"),
                Configs.with("consumers=1 tileN=192 scheduler=atomic clusterN=2 multicast=both"));
        tightest.forEach(config ->
                assertThat(SPACE.violation(config)).as(config.canonical()).isEmpty());
        assemble(tightest);
    }
}
