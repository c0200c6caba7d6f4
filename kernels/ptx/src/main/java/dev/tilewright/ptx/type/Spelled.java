package dev.tilewright.ptx.type;

import java.util.Locale;

/** A modifier that PTX writes as its constant is called, in small letters. */
public interface Spelled {
    String name();

    /** The modifier, without its dot unless it is a {@link Suffix}. */
    default String ptx() {
        return name().toLowerCase(Locale.ROOT);
    }
}
