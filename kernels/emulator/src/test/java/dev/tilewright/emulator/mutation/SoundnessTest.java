package dev.tilewright.emulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.figures.Figures;
import dev.tilewright.emulator.figures.Provenance;
import dev.tilewright.emulator.gemm.GemmCase;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Mood;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.emulator.run.Statistics;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Correct kernels are never reported, whatever the order. */
class SoundnessTest {
    private static final int SEEDS = 200;

    /** Runs of a kernel in a mood; {@code reports} says what went wrong, with the seed. */
    private record Runs(
            String kernel,
            String config,
            Mood mood,
            int tilesPerCluster,
            int runs,
            int minPhases,
            List<String> reports) {}

    private record SoundnessFigures(int firstSeed, int lastSeed, int runs, int reports, List<Runs> kernels) {}

    /** Every kernel of the mutation score in every mood; kernels, each with a memory of its own, at the same time. */
    private static List<Runs> run(int seeds) {
        return MutationKernels.sm90().entrySet().parallelStream()
                .flatMap(kernel -> run(kernel.getKey(), kernel.getValue(), seeds).stream())
                .toList();
    }

    private static List<Runs> run(String name, GemmCase gemm, int seeds) {
        PtxEmulator emulator =
                new PtxEmulator(gemm.kernel().module(), gemm.kernelLaunch().entry());
        Launch launch = gemm.launch();
        return Stream.of(Mood.values())
                .map(mood -> run(name, gemm, emulator, launch, mood, seeds))
                .toList();
    }

    private static Options moody(int seed, Mood mood) {
        Options usual = Options.seed(seed);
        return new Options(
                usual.sms(), seed, usual.stepLimit(), Optional.of(mood), usual.launching(), usual.accepted());
    }

    /** How often the ring of an mbarrier wrapped. */
    private static int mostPhases(Statistics statistics) {
        return statistics.barriers().stream()
                .mapToInt(Statistics.BarrierPhases::phases)
                .max()
                .orElse(0);
    }

    private static Runs run(String name, GemmCase gemm, PtxEmulator emulator, Launch launch, Mood mood, int seeds) {
        List<String> reports = new ArrayList<>();
        int phases = Integer.MAX_VALUE;
        for (int seed = 1; seed <= seeds; seed++) {
            RunEnd verdict = emulator.run(launch, moody(seed, mood));
            phases = Math.min(phases, mostPhases(verdict.statistics()));
            switch (MutationRun.outcome(gemm, verdict, seed)) {
                case Outcome.Hazard hazard -> reports.add("seed " + seed + ": " + hazard.message());
                case Outcome.WrongResult wrong -> reports.add("seed " + seed + ": " + wrong.message());
                case Outcome.Survived _ -> {}
            }
        }
        return new Runs(name, gemm.toString(), mood, gemm.tilesPerCluster(), seeds, phases, reports);
    }

    private static void assertNone(List<Runs> all) {
        assertThat(all).hasSize(MutationKernels.sm90().size() * Mood.values().length);
        assertThat(all)
                .allSatisfy(runs -> assertThat(runs.reports())
                        .as(runs.kernel() + " " + runs.mood())
                        .isEmpty());
    }

    @Test
    void noReportInAnyMood() {
        assertNone(run(1));
    }

    @Tag("full")
    @Test
    void noReportUnderManySeeds() throws IOException, InterruptedException {
        Provenance provenance = Provenance.read(InstantSource.system());
        List<Runs> all = run(SEEDS);
        SoundnessFigures figures = new SoundnessFigures(
                1,
                SEEDS,
                all.stream().mapToInt(Runs::runs).sum(),
                all.stream().mapToInt(runs -> runs.reports().size()).sum(),
                all);
        Figures.write("soundness", "No report on correct kernels", provenance, figures, markdown(figures));
        assertNone(all);
    }

    private static List<String> markdown(SoundnessFigures figures) {
        List<String> lines = new ArrayList<>(List.of(
                "The unmutated kernels of the mutation score under seeds %d to %d in each mood: **%d reports in %d runs**."
                        .formatted(figures.firstSeed(), figures.lastSeed(), figures.reports(), figures.runs()),
                "A report is a hazard, a wrong element, a wrong trace or a counter not left at 0.",
                ""));
        lines.addAll(Figures.head(
                "kernel", "mood", "runs", "reports", "tiles of a cluster", "phases of the busiest barrier"));
        for (Runs runs : figures.kernels()) {
            lines.add(Figures.row(
                    runs.kernel(),
                    runs.mood(),
                    runs.runs(),
                    runs.reports().size(),
                    runs.tilesPerCluster(),
                    runs.minPhases()));
        }
        return lines;
    }
}
