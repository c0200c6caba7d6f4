package dev.tilewright.model.text;

/** A number with its noun, in the singular only for 1. */
public final class Count {
    private Count() {}

    /** {@code 1 kernel}, {@code 2 kernels}: the plural of the noun ends in s. */
    public static String of(long number, String noun) {
        return of(number, noun, noun + "s");
    }

    /** {@code 1 study}, {@code 2 studies}: for a noun with a plural of its own. */
    public static String of(long number, String one, String more) {
        return number + " " + (number == 1 ? one : more);
    }
}
