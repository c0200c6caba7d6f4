package dev.tilewright.worker.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.oracle.HolderKernel;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Kernels of the fake GPU that hold SMs: they start when they are launched, and end when the host's word says so. While
 * they are there, whatever makes the driver wait for the whole device fails.
 */
public final class FakeHolders {

    /** The SM of each holder; the second one is on SM 0. */
    public IntUnaryOperator sm = holder -> holder ^ 1;

    /** How many find an SM. */
    public int room = Integer.MAX_VALUE;

    /** Whether they end when they are let go. */
    public boolean obedient = true;

    private final FakeGpu gpu;
    private int count;
    private long beat;
    private long report;

    FakeHolders(FakeGpu gpu) {
        this.gpu = gpu;
    }

    PreparedLaunch prepare(LaunchGrid grid, List<Long> parameters) {
        return new PreparedLaunch() {
            @Override
            public void enqueue() {
                assertThat(grid.sharedBytes())
                        .as("the whole of an SM")
                        .isEqualTo(gpu.info().sharedBytesPerCta());
                assertThat((int) grid.block().count()).isEqualTo(1);
                gpu.history.add("hold " + grid.grid().x());
                count = grid.grid().x();
                beat = parameters.get(0);
                report = parameters.get(2);
                for (int holder = 0; holder < Math.min(count, room); holder++) {
                    assertThat(word(holder, HolderKernel.PLACE))
                            .as("nothing of earlier holders")
                            .isZero();
                    assertThat(word(holder, HolderKernel.OUTCOME)).isZero();
                    put(holder, HolderKernel.PLACE, sm.applyAsInt(holder) + 1);
                }
            }

            @Override
            public void close() {}
        };
    }

    /** The host wrote a word. */
    void hear(long flag, int index, int value) {
        if (count > 0 && flag == beat && index == 0) {
            gpu.history.add(value == 0 ? "let go" : "beat");
            if (value == 0 && obedient) {
                end(HolderKernel.RELEASED);
            }
        }
    }

    /** Their patience ends. */
    public void giveUp() {
        end(HolderKernel.EXPIRED);
    }

    private void end(int how) {
        for (int holder = 0; holder < count; holder++) {
            if (word(holder, HolderKernel.OUTCOME) == 0) {
                put(holder, HolderKernel.OUTCOME, how);
            }
        }
        count = 0;
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    void mustBeGone(String call) {
        assertThat(count)
                .as(call + " may wait for the whole device, holders included")
                .isZero();
    }

    private int word(int holder, int word) {
        return gpu.at(report).getInt((HolderKernel.REPORT_WORDS * holder + word) * Integer.BYTES);
    }

    private void put(int holder, int word, int value) {
        gpu.at(report).putInt((HolderKernel.REPORT_WORDS * holder + word) * Integer.BYTES, value);
    }
}
