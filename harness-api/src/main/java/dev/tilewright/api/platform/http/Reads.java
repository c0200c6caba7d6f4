package dev.tilewright.api.platform.http;

import java.util.Locale;
import java.util.Set;

/** Requests that change nothing. */
public final class Reads {

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "OPTIONS");

    private Reads() {}

    /** Whether a method is that of one. */
    public static boolean include(String method) {
        return METHODS.contains(method.toUpperCase(Locale.ROOT));
    }
}
