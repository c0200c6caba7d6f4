package dev.tilewright.gate.document;

import java.util.Optional;
import java.util.regex.Pattern;

/** The rule for names of gates, which are part of addresses and file names. */
public final class GateName {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private GateName() {}

    /** The rule that a text breaks, with the text; empty if it is a name. */
    public static Optional<String> violation(String text) {
        return NAME.matcher(text).matches()
                ? Optional.empty()
                : Optional.of(
                        "must be 1 to 64 letters, digits and ._- and begin with a letter or digit, got '" + text + "'");
    }
}
