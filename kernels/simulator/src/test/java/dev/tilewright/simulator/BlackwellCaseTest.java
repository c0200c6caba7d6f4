package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.simulator.BlackwellCases.Ahead;
import dev.tilewright.simulator.BlackwellCases.Freed;
import dev.tilewright.simulator.BlackwellCases.Imbalance;
import dev.tilewright.simulator.BlackwellCases.Preemption;
import dev.tilewright.simulator.BlackwellCases.Spread;
import dev.tilewright.simulator.BlackwellCases.Swept;
import dev.tilewright.simulator.BlackwellCases.Variation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The cases of {@code docs/simulator-blackwell.md}. Case (a) set the variation of tiles; the others are predicted. What
 * the literature gives as a direction is held as a direction, for both GPUs.
 */
class BlackwellCaseTest {

    private static final List<GpuConstants> PRESETS = List.of(SimulatedGpus.B200, SimulatedGpus.GB200);

    @Test
    void aVariationSetsTheLeadOfClcAtTheLargeSquare() {
        Variation seen = BlackwellCases.variation(SimulatedGpus.GB200);
        // Published: 1080.74 over 1040.13 TFLOP/s on a GB200, launches of some tens of milliseconds.
        assertThat(seen.sameClock()).isBetween(1.034, 1.044);
        assertThat(seen.withoutVariation()).isBetween(0.995, 1.005);
        // Under the power limit a lead in cycles is a smaller one in time.
        assertThat(seen.settled()).isBetween(1.0, seen.sameClock());
    }

    @ParameterizedTest
    @FieldSource("PRESETS")
    void bStaticFallsBehindAsHalfOfTheGroupsGetDeeper(GpuConstants preset) {
        List<Imbalance> seen = BlackwellCases.imbalance(preset);
        List<Double> leads =
                seen.stream().map(row -> row.clcAfterMainloop() / row.dealt()).toList();
        for (int i = 1; i < leads.size(); i++) {
            assertThat(leads.get(i)).as("K %d", seen.get(i).k()).isGreaterThan(leads.get(i - 1));
        }
        assertThat(leads.getFirst()).isLessThan(1);
        assertThat(leads.getLast()).isGreaterThan(1.5);
        // There are fewer tiles than two for each SM: who asks at the start of its first takes the second, as if dealt.
        assertThat(seen).allSatisfy(row -> assertThat(row.clc() / row.dealt()).isBetween(0.98, 1.01));
    }

    @Test
    void cTilesSpreadUnderClcAndDifferByOneIfDealt() {
        Spread seen = BlackwellCases.spread(SimulatedGpus.B200);
        // 4096 pairs of tiles on 74 clusters.
        assertThat(seen.dealt()).containsOnlyKeys(55, 56);
        for (Map<Integer, Integer> clc : seen.clc()) {
            // Published: 54 to 59.
            assertThat(Collections.min(clc.keySet())).isBetween(53, 55);
            assertThat(Collections.max(clc.keySet())).isBetween(57, 60);
        }
    }

    @ParameterizedTest
    @FieldSource("PRESETS")
    void dMoreQueriesInFlightApproachStatic(GpuConstants preset) {
        List<Ahead> seen = BlackwellCases.prefetch(preset);
        List<Ahead> clc = seen.subList(0, seen.size() - 1);
        Ahead dealt = seen.getLast();
        for (int i = 1; i < clc.size(); i++) {
            assertThat(clc.get(i).megacycles())
                    .as(clc.get(i).scheduler())
                    .isGreaterThan(clc.get(i - 1).megacycles() * 0.999);
        }
        assertThat(clc.getFirst().megacycles()).isLessThan(dealt.megacycles() * 0.99);
        assertThat(clc.getFirst().spread()).isGreaterThan(2);
        // With a query for every tile at the start, all that is left of a difference is the hand-off of each tile.
        assertThat(clc.getLast().spread()).isEqualTo(dealt.spread());
        assertThat(clc.getLast().megacycles() / dealt.megacycles()).isBetween(0.995, 1.01);
    }

    @ParameterizedTest
    @FieldSource("PRESETS")
    void eOnlyClcAndSingleYieldToAHigherPriority(GpuConstants preset) {
        for (Preemption seen : BlackwellCases.preemption(preset)) {
            switch (seen.scheduler()) {
                // It waits for the ends of tiles that run.
                case "single" -> assertThat(seen.lastTiles()).as("%s", seen).isLessThan(1.1);
                // A cluster may have been given a tile before, which it begins and ends; it gets no other.
                case "clc" -> {
                    assertThat(seen.begun()).as("%s", seen).isLessThanOrEqualTo(1);
                    assertThat(seen.lastTiles()).as("%s", seen).isLessThan(2.1);
                }
                default -> assertThat(seen.begun()).as("%s", seen).isGreaterThanOrEqualTo(3);
            }
        }
        // Whoever does not yield gives up his SMs at the end, whenever the newcomer comes.
        for (String scheduler : List.of("static", "atomic")) {
            assertThat(BlackwellCases.preemption(preset).stream()
                            .filter(seen -> seen.scheduler().equals(scheduler))
                            .map(seen -> Math.round(seen.atUs() + seen.firstUs()))
                            .distinct())
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @FieldSource("PRESETS")
    void fClcUsesSmsThatBecomeFree(GpuConstants preset) {
        Map<String, Freed> seen =
                BlackwellCases.freed(preset).stream().collect(Collectors.toMap(Freed::scheduler, row -> row));
        Freed clc = seen.get("clc");
        Freed carved = seen.get("static, grid of the other SMs");
        Freed whole = seen.get("static, grid of all SMs");
        assertThat(clc.tilesOnFreed()).hasSize(5).allMatch(tiles -> tiles >= 9);
        assertThat(clc.freedUs()).isLessThan(clc.busyUs() * 0.99);
        assertThat(carved.tilesOnFreed()).containsOnly(0);
        assertThat(carved.freedUs()).isEqualTo(carved.busyUs()).isGreaterThan(clc.freedUs());
        // Its last five CTAs begin late and have a full share before them.
        assertThat(whole.freedUs()).isGreaterThan(clc.freedUs() * 1.05);
    }

    @Test
    void gOneClusterForEachTileLosesWhereTilesAreMany() {
        List<Swept> seen = BlackwellCases.sweep(SimulatedGpus.B200);
        assertThat(seen).hasSize(24);
        for (Swept row : seen) {
            double clcLead = row.clc() / row.dealt();
            assertThat(clcLead).as("%s", row).isBetween(0.98, 1.12);
            if (row.side() >= 4096) {
                assertThat(row.single()).as("%s", row).isLessThan(row.clc());
            }
        }
        // The model knows L2 locality, and by it the schedulers differ the other way round than published.
        Swept published = seen.stream()
                .filter(row -> row.side() == 32768 && row.k() == 2048)
                .findFirst()
                .orElseThrow();
        assertThat(published.dealtDramGb()).isGreaterThan(published.clcDramGb());
    }

    /** A case sees a preset, and presets are made in one place: none can bring a constant of its own. */
    @Test
    void noCaseHasAConstantOfItsOwn() throws IOException {
        List<Method> cases = Arrays.stream(BlackwellCases.class.getDeclaredMethods())
                .filter(method -> !Modifier.isPrivate(method.getModifiers()) && !method.isSynthetic())
                .toList();
        assertThat(cases).hasSize(7);
        assertThat(cases)
                .allSatisfy(method -> assertThat(method.getParameterTypes()).containsExactly(GpuConstants.class));
        try (Stream<Path> sources = Files.walk(Path.of("src"))) {
            List<Path> makers = sources.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !path.endsWith("BlackwellCaseTest.java"))
                    .filter(BlackwellCaseTest::makesConstants)
                    .map(Path::getFileName)
                    .sorted()
                    .toList();
            assertThat(makers.stream().map(Path::toString))
                    .containsExactly(
                            "BlackwellConstants.java",
                            "FreeConstants.java",
                            "HopperConstants.java",
                            "SimulatedGpus.java");
        }
    }

    /** GridRun makes the variation of a run without one, which is zero. */
    private static boolean makesConstants(Path source) {
        try {
            return Files.readString(source).contains("new GpuConstants");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void theTwoGpusDifferInSizeClockAndPowerAlone() {
        GpuConstants one = SimulatedGpus.B200;
        GpuConstants other = SimulatedGpus.GB200;
        assertThat(one.tensorCores()).isEqualTo(other.tensorCores());
        assertThat(one.memory()).isEqualTo(other.memory());
        assertThat(one.overheads()).isEqualTo(other.overheads());
        assertThat(one.variation()).isEqualTo(other.variation());
        assertThat(one.topology().smCount()).isEqualTo(148);
        assertThat(other.topology().smCount()).isEqualTo(152);
    }
}
