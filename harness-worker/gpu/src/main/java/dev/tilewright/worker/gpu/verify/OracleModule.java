package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.oracle.OracleLaunch;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.GpuModule;
import dev.tilewright.worker.gpu.cuda.KernelArgument;
import dev.tilewright.worker.gpu.cuda.LaunchGrid;
import dev.tilewright.worker.gpu.cuda.PreparedLaunch;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A module of the oracle, assembled by the driver, whose kernels are launched by their {@link OracleLaunch}. */
public record OracleModule(Gpu gpu, GpuModule module) implements AutoCloseable {

    /** Has the driver assemble and load the module. */
    public static OracleModule load(Gpu gpu, PtxModule module) {
        return new OracleModule(gpu, gpu.load(PtxWriter.write(module).getBytes(StandardCharsets.US_ASCII)));
    }

    /** A launch that can be put into the stream many times. */
    public PreparedLaunch prepare(OracleLaunch launch) {
        return gpu.prepare(module.function(launch.entry(), launch.sharedBytes()), grid(launch), parameters(launch));
    }

    /** The same for the other stream, see {@link Gpu#prepareBeside}. */
    public PreparedLaunch prepareBeside(OracleLaunch launch) {
        return gpu.prepareBeside(
                module.function(launch.entry(), launch.sharedBytes()), grid(launch), parameters(launch));
    }

    private static LaunchGrid grid(OracleLaunch launch) {
        return LaunchGrid.linear(launch.gridX(), launch.threads(), launch.sharedBytes());
    }

    private static List<KernelArgument> parameters(OracleLaunch launch) {
        return launch.arguments().stream().map(OracleModule::parameter).toList();
    }

    /** Puts one launch into the stream. */
    public void enqueue(OracleLaunch launch) {
        try (PreparedLaunch prepared = prepare(launch)) {
            prepared.enqueue();
        }
    }

    private static KernelArgument parameter(Number argument) {
        return switch (argument) {
            case Long value -> new KernelArgument.Bits64(value);
            case Double value -> new KernelArgument.Bits64(Double.doubleToRawLongBits(value));
            case Integer value -> new KernelArgument.Bits32(value);
            case Float value -> new KernelArgument.Bits32(Float.floatToRawIntBits(value));
            default ->
                throw new IllegalArgumentException(
                        "an argument is a Long, a Double, an Integer or a Float, got " + argument.getClass());
        };
    }

    @Override
    public void close() {
        module.close();
    }
}
