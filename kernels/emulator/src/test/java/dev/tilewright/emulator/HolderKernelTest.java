package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.gemm.oracle.HolderKernel;
import dev.tilewright.gemm.oracle.OracleLaunch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Holders of SMs, whose host has died before they start: nothing changes its word any more. */
class HolderKernelTest {

    private static final int HOLDERS = 3;
    private static final int SHARED_BYTES = 232_448;

    /** An emulated nanosecond is a step. */
    private static final long PATIENCE_NS = 4_000;

    private static ByteBuffer report(int beat, int sharedBytes, long seed) {
        OracleLaunch holders = HolderKernel.launch(HOLDERS, sharedBytes, 0, PATIENCE_NS, 0);
        byte[] word = ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(beat)
                .array();
        Launch launch = new Launch(
                holders.entry(),
                Dim3.of(holders.gridX()),
                Dim3.of(holders.threads()),
                Dim3.of(1),
                holders.sharedBytes(),
                List.of(
                        new Argument.Pointer("beat", 0),
                        new Argument.Scalar64(PATIENCE_NS),
                        new Argument.Pointer("report", 0)),
                List.of(
                        Buffer.of("beat", word),
                        Buffer.of("report", new byte[HOLDERS * HolderKernel.REPORT_WORDS * Integer.BYTES])));
        RunEnd verdict = new PtxEmulator(HolderKernel.build(), HolderKernel.ENTRY).run(launch, Options.seed(seed));
        assertThat(verdict).isInstanceOf(RunEnd.Completed.class);
        return ByteBuffer.wrap(((RunEnd.Completed) verdict).buffer("report")).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static List<Integer> words(ByteBuffer report, int word) {
        return IntStream.range(0, HOLDERS)
                .mapToObj(holder -> report.getInt((holder * HolderKernel.REPORT_WORDS + word) * Integer.BYTES))
                .toList();
    }

    @Test
    void eachHoldsAnSmOfItsOwnUntilItsPatienceIsAtAnEnd() {
        for (long seed = 0; seed < 6; seed++) {
            ByteBuffer report = report(7, SHARED_BYTES, seed);
            assertThat(words(report, HolderKernel.PLACE))
                    .doesNotHaveDuplicates()
                    .allMatch(sm -> sm >= 1 && sm <= 4);
            assertThat(words(report, HolderKernel.OUTCOME)).containsOnly(HolderKernel.EXPIRED);
        }
    }

    @Test
    void lettingGoEndsThemAtOnce() {
        ByteBuffer report = report(0, SHARED_BYTES, 1);
        assertThat(words(report, HolderKernel.PLACE)).allMatch(sm -> sm >= 1 && sm <= 4);
        assertThat(words(report, HolderKernel.OUTCOME)).containsOnly(HolderKernel.RELEASED);
    }
}
