package dev.tilewright.ptx.type;

import java.util.Locale;

/** A modifier that PTX writes as its constant is called, in small letters. */
public interface Spelled {
    String name();

    /**
     * The modifier, without its dot. Kinds of modifiers of which one is written as nothing have the dot, so that they
     * can be appended.
     */
    default String ptx() {
        return name().toLowerCase(Locale.ROOT);
    }
}
