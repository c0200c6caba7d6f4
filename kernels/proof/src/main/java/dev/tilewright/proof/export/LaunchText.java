package dev.tilewright.proof.export;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.launch.Swizzle;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import java.util.ArrayList;
import java.util.List;

/** A launch of a GEMM kernel as its description, in YAML. */
public final class LaunchText {
    private final List<String> lines = new ArrayList<>();

    private LaunchText() {}

    /**
     * The description of a launch.
     *
     * @param title what it is, on one line
     * @throws IllegalArgumentException if the problem is not a single GEMM, or the kernel looks its tiles up in a table
     */
    public static String of(String title, Problem problem, KernelLaunch launch) {
        if (!problem.isSingle()) {
            throw new IllegalArgumentException("only a single GEMM can be written out, got " + problem);
        }
        if (!launch.filled().isEmpty()) {
            throw new IllegalArgumentException("a kernel that looks its tiles up cannot be written out: " + title);
        }
        LaunchText text = new LaunchText();
        text.write(title, problem, launch);
        return String.join("\n", text.lines) + "\n";
    }

    private void write(String title, Problem problem, KernelLaunch launch) {
        ProblemShape shape = problem.shape();
        OperandTypes types = problem.types();
        boolean rowsOfA = problem.major().a() == Major.K;
        boolean rowsOfB = problem.major().b() == Major.K;
        lines.add("# " + title);
        lines.add("entry: " + launch.entry());
        lines.add("grid: " + launch.gridX());
        lines.add("block: " + launch.threads());
        lines.add("cluster: " + launch.clusterSize());
        lines.add("dynamicShared: " + launch.dynamicSharedBytes());
        if (launch.overlaps()) {
            lines.add("launchOverlap: true");
        }
        lines.add("buffers:");
        lines.add(
                rowsOfA
                        ? buffer("A", types.a(), shape.m(), shape.k(), "normal")
                        : buffer("A", types.a(), shape.k(), shape.m(), "normal"));
        lines.add(
                rowsOfB
                        ? buffer("B", types.b(), shape.n(), shape.k(), "normal")
                        : buffer("B", types.b(), shape.k(), shape.n(), "normal"));
        lines.add(buffer("D", types.d(), shape.m(), shape.n(), "uninitialised"));
        for (BufferDemand demand : launch.buffers()) {
            lines.add("  " + demand.role() + ": {dtype: u8, shape: [" + demand.bytes() + "], init: "
                    + (demand.zero() == BufferDemand.Zero.NEVER ? "uninitialised" : "zeros") + "}");
        }
        lines.add("parameters:");
        launch.arguments().forEach(argument -> lines.add("  - " + parameter(argument)));
        lines.add("expect:");
        lines.add("  - gemm: {a: {buffer: A, layout: " + (rowsOfA ? "MK" : "KM") + "}, b: {buffer: B, layout: "
                + (rowsOfB ? "NK" : "KN") + "}, d: {buffer: D, layout: MN}}");
        lines.add("  - unchanged: A");
        lines.add("  - unchanged: B");
        launch.buffers().stream()
                .filter(demand -> demand.zero() == BufferDemand.Zero.ONCE)
                .forEach(demand -> lines.add("  - unchanged: " + demand.role()));
    }

    private static String buffer(String name, DataType type, int rows, int columns, String init) {
        return "  " + name + ": {dtype: " + type + ", shape: [" + rows + ", " + columns + "], init: " + init + "}";
    }

    private static String parameter(Argument argument) {
        return switch (argument) {
            case Argument.U32(int value) -> "u32: " + Integer.toUnsignedString(value);
            case Argument.F32(float value) -> "f32: " + value;
            case Argument.U64(long value) -> "u64: " + Long.toUnsignedString(value);
            case Argument.Pointer(BufferRole buffer, long offset) ->
                "pointer: " + (offset == 0 ? buffer.toString() : "{buffer: " + buffer + ", offset: " + offset + "}");
            case Argument.TensorMap map ->
                "tensorMap: {buffer: " + map.buffer() + (map.offsetBytes() == 0 ? "" : ", offset: " + map.offsetBytes())
                        + ", dtype: " + map.type() + ", dims: " + map.dims() + ", strides: " + map.strides()
                        + ", box: " + map.box() + ", swizzle: " + word(map.swizzle()) + "}";
        };
    }

    private static String word(Swizzle swizzle) {
        return swizzle == Swizzle.NONE ? "none" : String.valueOf(swizzle.bytes());
    }
}
