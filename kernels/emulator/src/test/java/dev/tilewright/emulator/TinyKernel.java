package dev.tilewright.emulator;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.emulator.tensor.Swizzle;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Target;
import java.util.List;
import java.util.function.Consumer;

/**
 * A kernel of a few instructions with 16 KiB of data in shared memory, four barriers, a buffer of 4096 bytes in global
 * memory, the last quarter of it zero, and a tensor map over it: rows of 64 bf16, boxes of 64 x 8 without swizzle.
 */
final class TinyKernel {
    /** What the body may use. */
    record Context(
            CodeBuilder b,
            Reg<B32> base,
            Reg<B32> thread,
            SharedRegion data,
            SharedRegion barriers,
            GlobalAddress buffer,
            GenericAddress map) {}

    static final int BYTES = 4096;
    /** Bytes of a box. */
    static final int BOX = 1024;

    /** From here on the buffer is zero. */
    static final int ZEROS = 3072;

    private static final int SEEDS = 20;

    private final int threads;
    private final int cluster;
    private final Consumer<Context> body;

    TinyKernel(int threads, int cluster, Consumer<Context> body) {
        this.threads = threads;
        this.cluster = cluster;
        this.body = body;
    }

    PtxModule module() {
        return PtxModule.build(Target.SM_90A, m -> m.entry("tiny", this::entry));
    }

    private void entry(EntryBuilder e) {
        Param buffer = e.pointer("buffer");
        Param map = e.tensorMap("map");
        e.launchBounds(threads, 1);
        if (cluster > 1) {
            e.cluster(cluster, 1, 1);
        }
        SharedRegion data = e.shared("data", 16384, 1024);
        SharedRegion barriers = e.barriers("bar", 4);
        e.code(b -> {
            Reg<B32> base = b.sharedBase();
            Reg<B32> thread = b.special(dev.tilewright.ptx.type.SpecialRegister.TID_X);
            GlobalAddress at = GlobalAddress.of(b.globalPointer(buffer));
            body.accept(new Context(b, base, thread, data, barriers, at, b.tensorMap(map)));
            b.ret();
        });
    }

    RunEnd run(long seed) {
        return run(seed, 1);
    }

    RunEnd run(long seed, int ctas) {
        byte[] content = new byte[BYTES];
        for (int i = 0; i < ZEROS; i++) {
            content[i] = (byte) (i * 7);
        }
        return new PtxEmulator(module(), "tiny")
                .run(
                        launch(ctas, Buffer.of("buffer", content)),
                        Options.seed(seed).withStepLimit(100_000));
    }

    /** A launch over a buffer of that name. */
    Launch launch(int ctas, Buffer buffer) {
        TensorMap map =
                TensorMap.tiled(ScalarType.BF16, List.of(64L, 32L), List.of(128L), List.of(64, 8), Swizzle.NONE);
        return new Launch(
                "tiny",
                Dim3.of(Math.max(ctas, cluster)),
                Dim3.of(threads),
                Dim3.of(cluster),
                module().entry("tiny").dynamicShared().bytes(),
                List.of(new Argument.Pointer("buffer", 0), new Argument.Map("buffer", 0, map)),
                List.of(buffer));
    }

    /** The finding of the first of 20 seeds that has one. */
    Finding finding() {
        return finding(1);
    }

    Finding finding(int ctas) {
        for (int seed = 0; seed < SEEDS; seed++) {
            if (run(seed, ctas) instanceof RunEnd.Faulted faulted) {
                return faulted.finding();
            }
        }
        throw new AssertionError("no hazard within 20 seeds");
    }

    /** Requires of 20 seeds that none has a finding. */
    void requireClean(int ctas) {
        for (int seed = 0; seed < SEEDS; seed++) {
            if (run(seed, ctas) instanceof RunEnd.Faulted faulted) {
                throw new AssertionError(
                        "seed " + seed + ": " + faulted.finding().message());
            }
        }
    }
}
