package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.run.Launching;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.gemm.TileRecord;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Runs of a {@link GemmCase} on the emulator, and what tests ask of them. */
final class GemmRuns {

    private GemmRuns() {}

    static PtxEmulator emulator(GemmCase gemm) {
        return new PtxEmulator(gemm.kernel().module(), gemm.kernelLaunch().entry());
    }

    /** Every second seed: late launches, an SM that is busy at first, preemption, failures for no reason. */
    static Options roughEverySecond(long seed) {
        return Options.seed(seed).withLaunching(seed % 2 == 0 ? Launching.PROMPT : Launching.rough());
    }

    /** A run that has to come to its end. */
    static RunEnd.Completed completed(GemmCase gemm, PtxEmulator emulator, Options options) {
        RunEnd verdict = emulator.run(gemm.launch(), options);
        assertThat(verdict)
                .as(() -> "seed " + options.seed() + " of " + gemm + ": "
                        + (verdict instanceof RunEnd.Faulted faulted
                                ? faulted.finding().message()
                                : "completed"))
                .isInstanceOf(RunEnd.Completed.class);
        return (RunEnd.Completed) verdict;
    }

    /** Every element is right. */
    static void exact(GemmCase gemm, RunEnd.Completed run, long seed) {
        assertThat(gemm.firstWrong(run.buffer("D")))
                .as("seed " + seed + " of " + gemm)
                .isEmpty();
    }

    /** Every element is as near to the reference as the bound says. */
    static void withinBound(GemmCase gemm, RunEnd.Completed run) {
        assertThat(gemm.errorRatio(run.buffer("D"))).as(gemm.toString()).isLessThanOrEqualTo(1);
    }

    /** The records of a traced twin are of all tiles. */
    static void everyTile(GemmCase traced, RunEnd.Completed run) {
        List<TileRecord> records = traced.trace().decode(ByteBuffer.wrap(run.buffer("TRACE")));
        Set<String> coordinates = new HashSet<>();
        records.forEach(record -> coordinates.add(record.tileM() + "," + record.tileN()));
        assertThat(coordinates).hasSize(traced.trace().tiles().allTiles());
    }
}
