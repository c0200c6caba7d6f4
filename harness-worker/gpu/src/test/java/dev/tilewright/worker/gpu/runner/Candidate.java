package dev.tilewright.worker.gpu.runner;

import dev.tilewright.gemm.TileGrid;
import dev.tilewright.gemm.TileNumbering;
import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.proof.export.DescribedLaunch;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.cuda.FakeOracle;
import dev.tilewright.worker.gpu.verify.Ending;
import dev.tilewright.worker.link.Cubin;
import dev.tilewright.worker.link.runner.Kernel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Kernels under test of the fake GPU: right ones, and ones with one thing wrong. */
final class Candidate {

    static final ProblemShape SHAPE = new ProblemShape(48, 40, 32);
    static final Problem PROBLEM = Problem.of(SHAPE, DataType.BF16);

    /** Tiles of 16 x 24: 3 x 2 of them, the last column ragged. */
    static final Config CONFIG = Config.of(Map.of(
            "scheduler", ParameterValue.of("atomic"),
            "tileM", ParameterValue.of(16),
            "tileN", ParameterValue.of(24),
            "clusterM", ParameterValue.of(1),
            "clusterN", ParameterValue.of(1)));

    private Candidate() {}

    private static LaunchDescription launch(String entry, BufferDemand... demands) {
        List<Argument> arguments = new ArrayList<>(List.of(
                new Argument.Pointer(BufferRole.A, 0),
                new Argument.Pointer(BufferRole.B, 0),
                new Argument.Pointer(BufferRole.D, 0)));
        for (BufferDemand demand : demands) {
            arguments.add(new Argument.Pointer(demand.role(), 0));
        }
        return DescribedLaunch.of(
                PROBLEM, new KernelLaunch(entry, 4, 128, 1, 1024, arguments, List.of(demands), List.of()));
    }

    static Kernel.Assembled kernel(String entry, BufferDemand... demands) {
        return new Kernel.Assembled(new Cubin(entry.getBytes(StandardCharsets.US_ASCII)), launch(entry, demands), 32);
    }

    /** The same, launched before the launch ahead of it has ended. */
    static Kernel.Assembled overlapping(Kernel.Assembled kernel) {
        LaunchDescription launch = kernel.described();
        LaunchDescription overlapping = new LaunchDescription(
                launch.entry(),
                launch.grid(),
                launch.block(),
                launch.cluster(),
                launch.dynamicShared(),
                true,
                launch.buffers(),
                launch.parameters(),
                launch.expected());
        return new Kernel.Assembled(kernel.cubin(), overlapping, kernel.registers());
    }

    /** The same with a relu behind its sums. */
    static Kernel.Assembled rectified(Kernel.Assembled kernel) {
        LaunchDescription launch = kernel.described();
        Expectation.Gemm plain = Ending.gemms(launch).getFirst();
        Expectation.Gemm relu = new Expectation.Gemm(
                plain.a(),
                plain.b(),
                plain.d(),
                plain.c(),
                plain.bias(),
                Epilogue.parse("relu"),
                plain.batch(),
                plain.m(),
                plain.n(),
                plain.k(),
                plain.tolerance());
        return new Kernel.Assembled(
                kernel.cubin(),
                new LaunchDescription(
                        launch.entry(),
                        launch.grid(),
                        launch.block(),
                        launch.cluster(),
                        launch.dynamicShared(),
                        launch.launchOverlap(),
                        launch.buffers(),
                        launch.parameters(),
                        List.of(relu)),
                kernel.registers());
    }

    /** The traced twin, whose trace is zeroed by whoever reads it. */
    static Kernel.Assembled twin(String entry) {
        long bytes = new TraceLayout(TileNumbering.of(PROBLEM, CONFIG)).bytes();
        return kernel(entry, new BufferDemand(BufferRole.TRACE, bytes, BufferDemand.Zero.EACH_LAUNCH));
    }

    /** D = A B^T, rounded to bf16. */
    static void multiply(FakeGpu gpu, List<Long> p) {
        for (int row = 0; row < SHAPE.m(); row++) {
            for (int column = 0; column < SHAPE.n(); column++) {
                float sum = FakeOracle.dot(gpu, p.get(0), p.get(1), SHAPE.k(), row, column)[0];
                gpu.at(p.get(2)).putShort(2 * (row * SHAPE.n() + column), Bf16.ofFloat(sum));
            }
        }
    }

    /** The same, and a record for each tile on SM {@code index % 4}. */
    static void multiplyTraced(FakeGpu gpu, List<Long> p) {
        multiply(gpu, p);
        TileGrid grid = TileGrid.of(SHAPE, CONFIG);
        ByteBuffer trace = gpu.at(p.get(3));
        for (int tile = 0; tile < grid.allTiles(); tile++) {
            int at = tile * TraceLayout.RECORD_BYTES;
            trace.putInt(at + TraceLayout.VISITS, trace.getInt(at + TraceLayout.VISITS) + 1);
            trace.putInt(at + TraceLayout.SM_ID, tile % 4);
            trace.putInt(at + TraceLayout.CTA, tile % 4);
            trace.putInt(at + TraceLayout.TILE_M, tile % 3);
            trace.putInt(at + TraceLayout.TILE_N, tile / 3);
            trace.putLong(at + TraceLayout.START_NS, 1000 + 100L * (tile / 4));
            trace.putLong(at + TraceLayout.END_NS, 1100 + 100L * (tile / 4));
        }
    }
}
