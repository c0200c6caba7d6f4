package dev.tilewright.gemm.sm100;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.AssembledCover;
import dev.tilewright.gemm.Cover;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.validate.Validator;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.sm100.Sm100Config;
import dev.tilewright.testing.ResultFile;
import dev.tilewright.testing.Selection;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Configs of the declared cover build, and their modules are valid and assemble for sm_100a: some that each run draws,
 * or with {@code --full} all of it. The cover: all corners with all schedulers, the points of the literature for each
 * scheduler, a pairwise cover of the rest, and one for each other combination of types.
 */
class CoverTest {

    /** Where {@code test --figures} writes what it saw; tests run in the folder of their module. */
    private static final Path FIGURES = Path.of("../../docs/results/cover/sm100-gemm.columns");

    private static final long SEED = 20261121;
    private static final int BUILT = 150;
    private static final int ASSEMBLED_OF_ALL = 8;
    private static final int MOST_TEXTS = 5_000;

    private static final SearchSpace SPACE = space(DataType.BF16, DataType.BF16);
    private static final Cover COVER = new Cover(SPACE);
    private static final AssembledCover ASSEMBLED = new AssembledCover(new Sm100Gemm(), Target.SM_100A);

    private static SearchSpace space(DataType input, DataType output) {
        Problem problem = new Problem(
                List.of(ProblemShape.parse("4096x14336x4096")),
                1,
                new OperandTypes(input, input, output),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
        return new Sm100Gemm().space().space(problem, DeviceLimits.of(148));
    }

    private static final Set<Config> PAIRWISE = COVER.pairwise(SEED);

    /** Of all combinations of types. */
    private static final Set<Config> OF_ALL_TYPES = ofAllTypes();

    private static Set<Config> ofAllTypes() {
        Set<Config> all = new LinkedHashSet<>(PAIRWISE);
        for (DataType input : List.of(DataType.BF16, DataType.F16, DataType.E4M3)) {
            for (DataType output : List.of(DataType.BF16, DataType.F16, DataType.F32)) {
                if (input != DataType.BF16 || output != DataType.BF16) {
                    all.addAll(new Cover(space(input, output)).pairwise(SEED));
                }
            }
        }
        return all;
    }

    /** The points of the literature that fit. */
    private static Set<Config> literature() {
        Set<Config> points = new LinkedHashSet<>();
        for (String scheduler : List.of("single", "static", "atomic", "clc")) {
            for (int tileN : List.of(128, 256)) {
                for (int tileK : List.of(32, 64)) {
                    for (int loadStages : List.of(3, 4, 5)) {
                        for (int accumulatorStages : List.of(1, 2)) {
                            points.add(Configs100.with("scheduler=" + scheduler + " tileN=" + tileN + " tileK=" + tileK
                                    + " loadStages=" + loadStages + " accumulatorStages=" + accumulatorStages
                                    + " epilogueN=16"));
                        }
                    }
                }
            }
        }
        points.removeIf(config -> SPACE.violation(config).isPresent());
        return points;
    }

    private static List<Config> all() {
        Set<Config> all = new LinkedHashSet<>(OF_ALL_TYPES);
        all.addAll(literature());
        all.addAll(COVER.corners("scheduler"));
        return List.copyOf(all);
    }

    @Test
    void everyPairThatGoesTogetherIsCovered() {
        Set<Cover.Pair> covered = new HashSet<>();
        PAIRWISE.forEach(config -> covered.addAll(COVER.pairs(config)));
        assertThat(covered).isEqualTo(COVER.possiblePairs());
        assertThat(PAIRWISE)
                .allSatisfy(config -> assertThat(SPACE.violation(config)).isEmpty());
        assertThat(literature()).hasSize(4 * (24 - 2));
        assertThat(all()).hasSizeBetween(1_000, MOST_TEXTS);
    }

    @Test
    void configsBuildAndValidate() {
        Set<Config> configs = new LinkedHashSet<>(OF_ALL_TYPES);
        configs.addAll(literature());
        validate(Selection.of(configs, BUILT));
    }

    @Test
    @Tag("full")
    void everyCornerBuildsAndValidates() {
        validate(COVER.corners("scheduler"));
    }

    private static void validate(Collection<Config> configs) {
        Sm100Gemm family = new Sm100Gemm();
        for (Config config : configs) {
            for (boolean traced : List.of(false, true)) {
                GemmKernel kernel = family.build(config, traced);
                assertThat(Validator.validate(kernel.module()))
                        .as(config.canonical())
                        .isEmpty();
                assertThat(kernel.text()).as(config.canonical()).startsWith(".version 8.6\n.target sm_100a\n");
                assertThat(kernel.module()
                                .entry(Sm100Gemm.ENTRY)
                                .dynamicShared()
                                .bytes())
                        .as(config.canonical())
                        .isEqualTo(Sm100Config.of(config).sharedBytes());
            }
        }
    }

    @Test
    void aSampleAssemblesWithoutSpills() throws Exception {
        ASSEMBLED.assemble(Selection.of(all(), ASSEMBLED_OF_ALL));
    }

    @Test
    @Tag("full")
    void allOfItAssemblesWithoutSpills() throws Exception {
        ASSEMBLED.write(all(), ResultFile.of(FIGURES));
    }
}
