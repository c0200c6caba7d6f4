package dev.tilewright.worker.gpu.runner;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.proof.compare.Contents;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.verify.Ending;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.Reference;
import java.util.List;

/**
 * Content of D before a launch, if it is more than poison: the kernel adds to it, or reads C there. A launch leaves
 * something else, so that it is put there anew before each.
 */
sealed interface OutputContent {

    /** Nothing: D is poisoned before a verification and stays as it is between launches that are timed. */
    record Nothing() implements OutputContent {
        @Override
        public void renew(int index, OperandSet set) {}

        @Override
        public int entries() {
            return 0;
        }
    }

    record Zeros(Gpu gpu) implements OutputContent {
        @Override
        public void renew(int index, OperandSet set) {
            gpu.fill(set.d().address(), 0, set.d().bytes());
        }
    }

    /** The content of C of the same set of operands: it is added in place. */
    record OfC(Gpu gpu, List<Reference.Content> c) implements OutputContent {
        @Override
        public void renew(int index, OperandSet set) {
            gpu.copy(c.get(index).buffer().address(), set.d().address(), set.d().bytes());
        }
    }

    /** The same in each set. */
    record Fixed(Gpu gpu, DeviceBuffer content) implements OutputContent {
        @Override
        public void renew(int index, OperandSet set) {
            gpu.copy(content.address(), set.d().address(), set.d().bytes());
        }
    }

    /** Kinds of content. */
    enum Kind {
        NOTHING,
        ZEROS,
        OF_C,
        FIXED;

        private static Kind of(LaunchDescription launch) {
            List<Expectation.Gemm> gemms = Ending.gemms(launch);
            if (gemms.size() != 1) {
                // Those of several groups are ours, and overwrite what they find.
                return NOTHING;
            }
            if (isC(launch, gemms.getFirst())) {
                return OF_C;
            }
            BufferDescription d = d(launch);
            return switch (d.fill()) {
                case Fill.Uninitialised _, Fill.Poison _ -> NOTHING;
                case Fill.Zeros _ -> isWords(d) ? ZEROS : FIXED;
                case Fill.Constant _,
                        Fill.Iota _,
                        Fill.Identity _,
                        Fill.Normal _,
                        Fill.Integers _,
                        Fill.LogUniform _,
                        Fill.Packed _,
                        Fill.Fields _ -> FIXED;
            };
        }
    }

    /** Of random content that has no seed of its own. */
    long SEED = 1;

    /**
     * The content for a launch.
     *
     * @param c of the reference
     * @param releases takes what is allocated
     */
    static OutputContent of(Gpu gpu, LaunchDescription launch, List<Reference.Content> c, Releases releases) {
        return switch (Kind.of(launch)) {
            case NOTHING -> new Nothing();
            case ZEROS -> new Zeros(gpu);
            case OF_C -> new OfC(gpu, c);
            case FIXED -> fixed(gpu, d(launch), releases);
        };
    }

    private static OutputContent fixed(Gpu gpu, BufferDescription d, Releases releases) {
        if (d.fill() instanceof Fill.Fields) {
            throw new IllegalArgumentException("the D of a launch that is timed holds numbers, got " + d);
        }
        byte[] bytes = Contents.of(d, SEED);
        DeviceBuffer content = gpu.allocate(bytes.length);
        releases.add(content::close);
        gpu.write(content.address(), bytes);
        return new Fixed(gpu, content);
    }

    /** Whether the host writes to the device for it. */
    static boolean writes(LaunchDescription launch) {
        return Kind.of(launch) == Kind.FIXED;
    }

    private static BufferDescription d(LaunchDescription launch) {
        return launch.buffer(Ending.gemms(launch).getFirst().d().buffer());
    }

    /** Whether the device can fill it, which it does by words. */
    private static boolean isWords(BufferDescription buffer) {
        return buffer.bytes() % Integer.BYTES == 0;
    }

    /** Whether D holds what C holds. */
    private static boolean isC(LaunchDescription launch, Expectation.Gemm gemm) {
        if (gemm.c().isEmpty()) {
            return false;
        }
        BufferDescription c = launch.buffer(gemm.c().get().buffer());
        BufferDescription d = launch.buffer(gemm.d().buffer());
        return c.name().equals(d.name())
                || !d.fill().varies()
                        && c.fill().equals(d.fill())
                        && c.type() == d.type()
                        && c.shape().equals(d.shape())
                        && c.rowStride() == d.rowStride();
    }

    /** Puts it into the stream for a set of operands. */
    void renew(int index, OperandSet set);

    /** How many entries of the stream that takes. */
    default int entries() {
        return 1;
    }
}
