package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.worker.gpu.measure.Run;
import dev.tilewright.worker.gpu.measure.Screen;
import dev.tilewright.worker.gpu.measure.TimingPlan;
import dev.tilewright.worker.gpu.peer.PeerArm;
import dev.tilewright.worker.gpu.peer.PeerArms;
import dev.tilewright.worker.gpu.verify.HealthProbe;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.Verifier.Verdict;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is right is known on a real GPU: the reference, the comparison with it, the vendor's kernels. */
class OracleOnGpuTest extends OnGpu {

    @Test
    void theKnownGoodKernelIsRight() {
        new HealthProbe(gpu).run(42);
    }

    @ParameterizedTest
    @ValueSource(strings = {"256x512x192", "1024x1408x512", "1000x1512x704", "3000x360x4096", "129x136x8"})
    void theReferenceIsProved(String shape) {
        TestData data = bench.store().get(problem(shape), SEED);
        assertThat(data.sets()).isNotEmpty();
    }

    @Test
    void theComparisonSeesOneWrongElement() {
        Problem problem = problem("1000x1512x704");
        TestData data = bench.store().get(problem, SEED);
        List<OperandSet> first = List.of(data.sets().getFirst());
        bench.verifier().poison(first);
        Verdict poisoned = bench.verifier().judge(data, first);
        assertThat(poisoned.complaints()).anySatisfy(line -> assertThat(line).contains("1512000 still poisoned"));
        try (PeerArms peers = bench.peers().arms("cublaslt", data)) {
            assumeThat(peers).isInstanceOf(PeerArms.Found.class);
            ((PeerArms.Found) peers).arms().getFirst().arm().enqueue(0);
            assertThat(bench.verifier().judge(data, first).complaints()).isEmpty();
            long address = first.getFirst().d().address() + 2L * (999 * 1512 + 1511);
            byte[] last = new byte[2];
            gpu.read(address, last);
            last[1] ^= 1;
            gpu.write(address, last);
            Verdict wrong = bench.verifier().judge(data, first);
            assertThat(wrong.complaints().getFirst())
                    .contains("1 of 1512000 elements wrong")
                    .contains("row 999, column 1511");
            gpu.write(first.getFirst().d().address() + first.getFirst().d().bytes(), new byte[] {0});
            assertThat(bench.verifier().judge(data, first).complaints())
                    .anySatisfy(line -> assertThat(line).contains("red zone written 0 bytes after"));
        }
    }

    @Test
    void theComparisonSeesOneWrongElementOfTheLastGemm() {
        Problem problem = several(2, "1000x520x136 72x2056x1032");
        TestData data = bench.store().get(problem, SEED);
        OperandSet first = data.sets().getFirst();
        OperandLayout.Gemm last = data.layout().gemms().getLast();
        bench.verifier().poison(List.of(first));
        assertThat(bench.verifier().judge(data, List.of(first)).complaints())
                .anySatisfy(line ->
                        assertThat(line).contains(data.layout().elementsD() + " still poisoned", "column 0 of GEMM 0"));
        // The reference as bf16, but for one element.
        byte[] reference = new byte[Math.toIntExact(4 * data.layout().elementsD())];
        gpu.read(data.plain().values().address(), reference);
        ByteBuffer wide = ByteBuffer.wrap(reference).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer narrow = ByteBuffer.allocate(reference.length / 2).order(ByteOrder.LITTLE_ENDIAN);
        while (wide.hasRemaining()) {
            narrow.putShort(Bf16.ofFloat(wide.getFloat()));
        }
        gpu.write(first.d().address(), narrow.array());
        assertThat(bench.verifier().judge(data, List.of(first)).complaints()).isEmpty();
        int at = Math.toIntExact(2 * (last.d() + 71 * 2056 + 2055));
        narrow.put(at + 1, (byte) (narrow.get(at + 1) ^ 1));
        gpu.write(first.d().address(), narrow.array());
        assertThat(bench.verifier().judge(data, List.of(first)).complaints().getFirst())
                .contains("1 of " + data.layout().elementsD() + " elements wrong", "row 71, column 2055 of GEMM 3");
    }

    @Test
    void everyVendorAlgorithmIsRightAndTheFirstIsWhatGemmExPicks() {
        Problem problem = problem("4096x4096x4096");
        TestData data = bench.store().get(problem, SEED);
        Screen screen = new Screen(bench.stopwatch(), TimingPlan.STANDARD);
        try (PeerArms peers = bench.peers().arms("cublaslt", data)) {
            assumeThat(peers).isInstanceOf(PeerArms.Found.class);
            PeerArms.Found found = (PeerArms.Found) peers;
            System.out.println(found.library());
            for (PeerArm peer : found.arms()) {
                List<OperandSet> first = List.of(data.sets().getFirst());
                bench.verifier().poison(first);
                peer.arm().enqueue(0);
                Verdict verdict = bench.verifier().judge(data, first);
                Measurement sustained =
                        screen.sustained(peer.arm(), null, 1).measurement().orElseThrow();
                Measurement cold = screen.cold(peer.arm());
                System.out.printf(
                        "%-28s errorRatio %.3f sustained %.1f cold %.1f TFLOP/s at %s MHz%n",
                        peer.arm().name(),
                        verdict.errorRatio(),
                        problem.tflops(sustained.medianNs()),
                        problem.tflops(cold.medianNs()),
                        sustained.smClockMhz());
                assertThat(verdict.complaints()).isEmpty();
                assertThat(problem.tflops(sustained.medianNs())).isBetween(50.0, 1100.0);
            }
        }
    }

    @Test
    void theVendorComputesABatchAndNoGroups() {
        TestData batch = bench.store().get(several(5, "1000x1512x704"), SEED);
        try (PeerArms peers = bench.peers().arms("cublaslt", batch)) {
            assumeThat(peers).isInstanceOf(PeerArms.Found.class);
            List<PeerArm> found = ((PeerArms.Found) peers).arms();
            assertThat(found).isNotEmpty();
            List<OperandSet> first = List.of(batch.sets().getFirst());
            for (PeerArm peer : found) {
                bench.verifier().poison(first);
                peer.arm().enqueue(0);
                assertThat(bench.verifier().judge(batch, first).complaints())
                        .as(peer.config().canonical())
                        .isEmpty();
            }
        }
        TestData groups = bench.store().get(several(1, "1000x1512x704 1000x1512x72"), SEED);
        try (PeerArms peers = bench.peers().arms("cublaslt", groups)) {
            assertThat(peers).isInstanceOf(PeerArms.Absent.class);
        }
    }

    @Test
    void timesOfALaunchDoNotDependOnTheNumberOfLaunches() {
        TestData data = bench.store().get(problem("2048x2048x2048"), SEED);
        try (PeerArms peers = bench.peers().arms("cublaslt", data)) {
            assumeThat(peers).isInstanceOf(PeerArms.Found.class);
            PeerArm peer = ((PeerArms.Found) peers).arms().getFirst();
            peer.arm().enqueue(0);
            bench.stopwatch().sustained(peer.arm(), 50);
            Run few = bench.stopwatch().sustained(peer.arm(), 100);
            Run many = bench.stopwatch().sustained(peer.arm(), 400);
            System.out.println("100 launches " + few + ", 400 launches " + many);
            assertThat(many.launchNs() / few.launchNs()).isBetween(0.85, 1.15);
        }
    }
}
