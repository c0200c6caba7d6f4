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
 * What D holds before a launch, where that is more than poison: the kernel adds to it, or reads C there. A launch
 * leaves something else, so that it is put there anew before each.
 */
sealed interface OutputContent {

    /** Nothing: D is poisoned before a verification and stays as it is between launches that are timed. */
    record Nothing() implements OutputContent {}

    record Zeros(Gpu gpu) implements OutputContent {}

    /** What the C of the same set of operands holds: it is added in place. */
    record OfC(Gpu gpu, List<Reference.Content> c) implements OutputContent {}

    /** The same in each set. */
    record Fixed(Gpu gpu, DeviceBuffer content) implements OutputContent {}

    /** Of random content that has no seed of its own. */
    long SEED = 1;

    /**
     * That of a launch.
     *
     * @param c of the reference
     * @param releases takes what is allocated
     */
    static OutputContent of(Gpu gpu, LaunchDescription launch, List<Reference.Content> c, Releases releases) {
        List<Expectation.Gemm> gemms = Ending.gemms(launch);
        if (gemms.size() != 1) {
            // Those of several groups are ours, and overwrite what they find.
            return new Nothing();
        }
        BufferDescription d = launch.buffer(gemms.getFirst().d().buffer());
        if (isC(launch, gemms.getFirst())) {
            return new OfC(gpu, c);
        }
        return switch (d.fill()) {
            case Fill.Uninitialised _, Fill.Poison _ -> new Nothing();
            case Fill.Zeros _ when isWords(d) -> new Zeros(gpu);
            case Fill.Zeros _,
                    Fill.Constant _,
                    Fill.Iota _,
                    Fill.Identity _,
                    Fill.Normal _,
                    Fill.Integers _,
                    Fill.Packed _ -> {
                byte[] bytes = Contents.of(d, SEED);
                DeviceBuffer content = gpu.allocate(bytes.length);
                releases.add(content::close);
                gpu.write(content.address(), bytes);
                yield new Fixed(gpu, content);
            }
            case Fill.Fields _ ->
                throw new IllegalArgumentException("the D of a launch that is timed holds numbers, got " + d);
        };
    }

    /** Whether the host writes to the device for it. */
    static boolean writes(LaunchDescription launch) {
        List<Expectation.Gemm> gemms = Ending.gemms(launch);
        if (gemms.size() != 1 || isC(launch, gemms.getFirst())) {
            return false;
        }
        BufferDescription d = launch.buffer(gemms.getFirst().d().buffer());
        return switch (d.fill()) {
            case Fill.Uninitialised _, Fill.Poison _ -> false;
            case Fill.Zeros _ -> !isWords(d);
            case Fill.Constant _,
                    Fill.Iota _,
                    Fill.Identity _,
                    Fill.Normal _,
                    Fill.Integers _,
                    Fill.Packed _,
                    Fill.Fields _ -> true;
        };
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
    default void renew(int index, OperandSet set) {
        long d = set.d().address();
        long bytes = set.d().bytes();
        switch (this) {
            case Nothing _ -> {}
            case Zeros(Gpu gpu) -> gpu.fill(d, 0, bytes);
            case OfC(Gpu gpu, List<Reference.Content> c) ->
                gpu.copy(c.get(index).buffer().address(), d, bytes);
            case Fixed(Gpu gpu, DeviceBuffer content) -> gpu.copy(content.address(), d, bytes);
        }
    }

    /** How many entries of the stream that takes. */
    default int entries() {
        return this instanceof Nothing ? 0 : 1;
    }
}
