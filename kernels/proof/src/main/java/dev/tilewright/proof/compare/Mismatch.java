package dev.tilewright.proof.compare;

import java.util.List;

/**
 * A buffer that does not hold what it should.
 *
 * @param expectation what it should hold, for people
 * @param wrong elements, or bytes where it had to stay as it was
 * @param compared all of them
 * @param worstRatio the largest error over what is allowed; infinite where no error is allowed or a value is NaN
 * @param first the first wrong ones
 */
public record Mismatch(
        String buffer, String expectation, long wrong, long compared, double worstRatio, List<Element> first) {
    /** How many wrong elements are shown. */
    public static final int SHOWN = 8;

    /**
     * A wrong element.
     *
     * @param index in the buffer, such as {@code [3, 17]}, or {@code byte 40}
     * @param allowed the largest error that would be right
     */
    public record Element(String index, String got, String expected, double allowed) {}

    public Mismatch {
        first = List.copyOf(first);
    }
}
