package dev.tilewright.proof.compare;

import dev.tilewright.launch.element.ElementType;
import dev.tilewright.proof.compare.Mismatch.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Counts elements, the wrong ones and their errors. */
final class ErrorCount {
    private final List<Element> first = new ArrayList<>();
    private long compared;
    private long wrong;
    private double worst;

    /**
     * Compares one element.
     *
     * @param bits what is there
     * @param expected before it is rounded to the type
     * @param allowed the largest error that is right
     */
    void element(ElementType type, long bits, double expected, double allowed, Supplier<String> index) {
        compared++;
        double got = type.decode(bits);
        double rounded = type.decode(type.encode(expected));
        if (got == rounded || Double.isNaN(got) && Double.isNaN(rounded)) {
            return;
        }
        double error = Math.abs(got - expected);
        double ratio = Double.isNaN(error) ? Double.POSITIVE_INFINITY : error / allowed;
        worst = Math.max(worst, ratio);
        if (!(ratio <= 1)) {
            wrong(() -> new Element(index.get(), type.show(bits), type.show(type.encode(expected)), allowed));
        }
    }

    /** Compares one integer, of which a double may not hold every digit. */
    void integer(ElementType type, long bits, long expected, Supplier<String> index) {
        compared++;
        if (bits != expected) {
            worst = Double.POSITIVE_INFINITY;
            wrong(() -> new Element(index.get(), type.show(bits), type.show(expected), 0));
        }
    }

    /** Compares one byte that had to stay. */
    void same(byte got, byte before, Supplier<String> index) {
        compared++;
        if (got != before) {
            worst = Double.POSITIVE_INFINITY;
            wrong(() -> new Element(index.get(), hex(got), hex(before), 0));
        }
    }

    private void wrong(Supplier<Element> element) {
        wrong++;
        if (first.size() < Mismatch.SHOWN) {
            first.add(element.get());
        }
    }

    private static String hex(byte value) {
        return String.format("0x%02x", value);
    }

    Compared compared(String buffer, String expectation) {
        return new Compared(
                compared,
                worst,
                wrong == 0
                        ? Optional.empty()
                        : Optional.of(new Mismatch(buffer, expectation, wrong, compared, worst, first)));
    }
}
