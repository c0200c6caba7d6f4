package dev.tilewright.emulator.speed;

import com.sun.management.OperatingSystemMXBean;
import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.gemm.GemmCase;
import dev.tilewright.emulator.run.Options;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A GEMM whose time and memory are taken in a JVM of its own. */
public enum SpeedCase {
    /** 256x256x128, tile 128x128, cluster 2x1. */
    SMALL("scheduler=static tileM=128 tileN=128 clusterM=2 multicast=both loadStages=3", 256, 256, 128),
    /** 1024x1024x1024, the same tile and cluster. */
    LARGE("scheduler=static tileM=128 tileN=128 clusterM=2 multicast=both loadStages=3", 1024, 1024, 1024);

    private static final long SEED = 1;

    private final String parameters;
    private final int m;
    private final int n;
    private final int k;

    SpeedCase(String parameters, int m, int n, int k) {
        this.parameters = parameters;
        this.m = m;
        this.n = n;
        this.k = k;
    }

    /** A line for people. */
    String text() {
        return m + "x" + n + "x" + k + " bf16, " + parameters;
    }

    GemmCase gemm() {
        return new GemmCase(parameters, m, n, k, GemmCase.Data.INTEGERS, false);
    }

    /**
     * What a JVM of its own prints.
     *
     * @param coreSeconds that the process kept a core busy from the begin of the decoding to the verdict, with the
     *     JVM's compiler and garbage collector, in a JVM that has emulated nothing before
     * @param wallSeconds of the same; more than that where other processes want the core
     * @param peakBytes the most memory that the process ever held
     */
    record Measured(double coreSeconds, double wallSeconds, long steps, long multiplyAdds, long peakBytes) {
        static Measured parse(String line) {
            String[] parts = line.strip().split(" ");
            return new Measured(
                    Double.parseDouble(parts[0]),
                    Double.parseDouble(parts[1]),
                    Long.parseLong(parts[2]),
                    Long.parseLong(parts[3]),
                    Long.parseLong(parts[4]));
        }

        String line() {
            return coreSeconds + " " + wallSeconds + " " + steps + " " + multiplyAdds + " " + peakBytes;
        }
    }

    /** Runs the case that is named, and fails if its result is wrong. */
    public static void main(String[] arguments) throws IOException {
        GemmCase gemm = valueOf(arguments[0]).gemm();
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long begin = System.nanoTime();
        long busy = process.getProcessCpuTime();
        PtxEmulator emulator =
                new PtxEmulator(gemm.kernel().module(), gemm.kernelLaunch().entry());
        RunEnd verdict = emulator.run(gemm.launch(), Options.seed(SEED));
        double coreSeconds = (process.getProcessCpuTime() - busy) / 1e9;
        double wallSeconds = (System.nanoTime() - begin) / 1e9;
        if (!(verdict instanceof RunEnd.Completed completed)) {
            throw new IllegalStateException(verdict.toString());
        }
        Optional<String> wrong = gemm.firstWrong(completed.buffer("D"));
        if (wrong.isPresent()) {
            throw new IllegalStateException(wrong.get());
        }
        System.out.println(new Measured(
                        coreSeconds,
                        wallSeconds,
                        verdict.statistics().steps(),
                        verdict.statistics().multiplyAdds(),
                        peakBytes())
                .line());
    }

    private static long peakBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/self/status has no VmHWM"));
    }
}
