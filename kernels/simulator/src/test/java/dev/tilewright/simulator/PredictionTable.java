package dev.tilewright.simulator;

import java.util.Locale;

/**
 * Writes the table of {@code docs/simulator.md} that holds predictions against measurements: {@code main} prints it.
 */
final class PredictionTable {

    private static final long SEED = 1;

    private PredictionTable() {}

    static String markdown() {
        Simulator simulator = Simulator.of(SimulatedGpus.H200);
        StringBuilder table = new StringBuilder("""
                | M x N x K | kernel | **predicted** TFLOP/s | predicted clock, MHz | measured, same kernel | predicted / measured | measured, best peer | source of the measurement |
                | --- | --- | --- | --- | --- | --- | --- | --- |
                """);
        double product = 1;
        for (MeasuredKernel kernel : MeasuredKernel.SUITE) {
            SimulatedRun run = simulator.run(kernel.problem(), kernel.config(), SEED);
            double ratio = run.tflops() / kernel.tflops();
            product *= ratio;
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %s G%d | **%.0f** | %.0f | %.0f | %.2f | %.0f | %s |%n",
                    kernel.shape().replace("x", " x "),
                    kernel.kernel(),
                    kernel.config().whole("rasterGroup"),
                    run.tflops(),
                    run.clockMhz(),
                    kernel.tflops(),
                    ratio,
                    kernel.peerTflops(),
                    kernel.source()));
        }
        double mean = StrictMath.pow(product, 1.0 / MeasuredKernel.SUITE.size());
        return table.append(String.format(Locale.ROOT, "%nGeometric mean of predicted / measured: %.3f.%n", mean))
                .toString();
    }

    static void main() {
        IO.print(markdown());
    }
}
