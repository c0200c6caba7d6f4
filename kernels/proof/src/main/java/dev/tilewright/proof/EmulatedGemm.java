package dev.tilewright.proof;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferDemand.Zero;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.ptx.parse.PtxParser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A kernel of a family on the emulator, for one problem. What runs is its text, read back: the text is what a GPU would
 * get, and the lines that a finding names are lines of it.
 */
final class EmulatedGemm {

    /** By which a kernel multiplies that takes a scale: not 1, which it could forget, and exact. */
    private static final float SCALE = -0.75f;

    private final PtxEmulator emulator;
    private final KernelLaunch launch;
    private final SumError sumError;

    /**
     * Reads the text.
     *
     * @throws dev.tilewright.ptx.parse.PtxParseException if that fails
     * @throws dev.tilewright.emulator.run.UnsupportedKernelException naming every instruction that is not emulated
     */
    EmulatedGemm(GemmKernel kernel, KernelLaunch launch) {
        sumError = kernel.sumError();
        this.launch = launch.takesScale() ? launch.withScale(SCALE) : launch;
        emulator = new PtxEmulator(PtxParser.parse(kernel.text()), launch.entry());
    }

    /** How far the sums of the kernel may be off, as {@link GemmKernel#sumError}. */
    SumError sumError() {
        return sumError;
    }

    /** One launch on these data. The buffers lie far apart: an access beside one of them is a hazard. */
    RunEnd run(GemmData data, Options options) {
        List<Buffer> buffers = new ArrayList<>();
        buffers.add(Buffer.of(BufferRole.A.name(), data.a()));
        buffers.add(Buffer.of(BufferRole.B.name(), data.b()));
        buffers.add(Buffer.of(BufferRole.D.name(), data.poison()));
        data.added().forEach((role, bytes) -> buffers.add(Buffer.of(role.name(), bytes)));
        for (BufferDemand demand : launch.buffers()) {
            buffers.add(buffer(demand));
        }
        launch.filled().forEach(filled -> buffers.add(FilledBuffers.buffer(filled)));
        return emulator.run(
                new Launch(
                        launch.entry(),
                        Dim3.of(launch.gridX()),
                        Dim3.of(launch.threads()),
                        Dim3.of(launch.clusterSize()),
                        launch.dynamicSharedBytes(),
                        launch.arguments().stream().map(EmulatedGemm::argument).toList(),
                        buffers,
                        launch.overlaps()),
                options);
    }

    /** A buffer of a launch. Bytes that need not be zero count as never written: a read of them is a hazard. */
    private static Buffer buffer(BufferDemand demand) {
        byte[] content = new byte[Math.toIntExact(demand.bytes())];
        return demand.zero() == Zero.NEVER
                ? Buffer.uninitialised(demand.role().name(), content)
                : Buffer.of(demand.role().name(), content);
    }

    private static Argument argument(dev.tilewright.gemm.launch.Argument argument) {
        return switch (argument) {
            case dev.tilewright.gemm.launch.Argument.U32(int value) -> new Argument.Scalar32(value);
            case dev.tilewright.gemm.launch.Argument.F32(var _, float value) ->
                new Argument.Scalar32(Float.floatToRawIntBits(value));
            case dev.tilewright.gemm.launch.Argument.U64(long value) -> new Argument.Scalar64(value);
            case dev.tilewright.gemm.launch.Argument.Pointer(BufferRole buffer, long offset) ->
                new Argument.Pointer(buffer.name(), offset);
            case dev.tilewright.gemm.launch.Argument.TensorMap map -> FilledBuffers.map(map);
        };
    }

    /** The first flaw of the memory that a run has left. */
    Optional<Flaw> flaw(GemmData data, RunEnd.Completed run, Witness witness) {
        return unchanged(BufferRole.A, data.a(), run)
                .or(() -> unchanged(BufferRole.B, data.b(), run))
                .or(() -> data.added().entrySet().stream()
                        .flatMap(added -> unchanged(added.getKey(), added.getValue(), run).stream())
                        .findFirst())
                .or(() -> data.flaw(run.buffer(BufferRole.D.name()), launch.takesScale() ? SCALE : 1, witness))
                .or(() -> leftZero(run));
    }

    private static Optional<Flaw> unchanged(BufferRole input, byte[] before, RunEnd.Completed run) {
        int at = Arrays.mismatch(before, run.buffer(input.name()));
        return at < 0
                ? Optional.empty()
                : Optional.of(new Flaw.Disturbed(input.name(), at, "must be as it was before the run"));
    }

    /** The next launch finds these buffers as this one leaves them. */
    private Optional<Flaw> leftZero(RunEnd.Completed run) {
        return launch.buffers().stream()
                .filter(demand -> demand.zero() == Zero.ONCE)
                .flatMap(demand -> {
                    byte[] left = run.buffer(demand.role().name());
                    int at = Arrays.mismatch(new byte[left.length], left);
                    return at < 0
                            ? Optional.<Flaw>empty().stream()
                            : Optional.<Flaw>of(new Flaw.Disturbed(
                                            demand.role().name(), at, "must be left at zero for the next launch"))
                                    .stream();
                })
                .findFirst();
    }
}
