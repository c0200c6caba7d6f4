package dev.tilewright.proof.compare;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.Tolerance;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import java.util.Map;

/** Compares what a launch left with what is expected of it. */
public final class Comparer {
    private final LaunchDescription launch;
    private final Map<String, byte[]> before;
    private final Map<String, byte[]> after;

    /**
     * @param before bytes of each buffer before the launch
     * @param after and behind it
     */
    public Comparer(LaunchDescription launch, Map<String, byte[]> before, Map<String, byte[]> after) {
        this.launch = launch;
        this.before = Map.copyOf(before);
        this.after = Map.copyOf(after);
    }

    /** Compares everything that is expected, up to the first buffer that is wrong. */
    public Compared run() {
        Compared all = Compared.NOTHING;
        for (Expectation expectation : launch.expected()) {
            all = all.and(
                    switch (expectation) {
                        case Expectation.Gemm gemm -> new GemmComparison(gemm, launch, before, after).run();
                        case Expectation.Content content -> content(content);
                        case Expectation.Unchanged(String buffer) -> unchanged(buffer);
                    });
            if (all.mismatch().isPresent()) {
                return all;
            }
        }
        return all;
    }

    private Compared content(Expectation.Content content) {
        BufferDescription buffer = launch.buffer(content.buffer());
        byte[] bytes = bytes(after, buffer.name());
        ElementType type = buffer.type();
        int size = type.bytes();
        ErrorCount tally = new ErrorCount();
        for (int row = 0; row < buffer.rows(); row++) {
            for (int column = 0; column < buffer.columns(); column++) {
                int element = row * buffer.columns() + column;
                long wanted = Elements.get(content.content().content(), element * size, type);
                long bits = Elements.get(bytes, buffer.offset(row, column), type);
                if (!type.isFloat() && content.tolerance() instanceof Tolerance.Exact) {
                    tally.integer(type, bits, wanted, () -> buffer.index(element));
                } else {
                    double expected = type.decode(wanted);
                    double allowed = allowed(content.tolerance(), expected);
                    tally.element(type, bits, expected, allowed, () -> buffer.index(element));
                }
            }
        }
        return tally.compared(buffer.name(), content.content() + ", " + content.tolerance());
    }

    private static double allowed(Tolerance tolerance, double expected) {
        return switch (tolerance) {
            case Tolerance.Exact _ -> 0;
            case Tolerance.Within(double absolute, double relative) -> absolute + relative * Math.abs(expected);
            case Tolerance.Bound bound -> throw new IllegalArgumentException("only a gemm has a bound, got " + bound);
        };
    }

    private Compared unchanged(String buffer) {
        byte[] was = bytes(before, buffer);
        byte[] is = bytes(after, buffer);
        ErrorCount tally = new ErrorCount();
        for (int i = 0; i < was.length; i++) {
            int at = i;
            tally.same(is[i], was[i], () -> "byte " + at);
        }
        return tally.compared(buffer, "unchanged");
    }

    private static byte[] bytes(Map<String, byte[]> contents, String buffer) {
        byte[] bytes = contents.get(buffer);
        if (bytes == null) {
            throw new IllegalArgumentException("no content of buffer " + buffer);
        }
        return bytes;
    }
}
