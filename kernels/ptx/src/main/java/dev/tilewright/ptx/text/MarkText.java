package dev.tilewright.ptx.text;

import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.WarpRole;
import java.util.Locale;

/**
 * Comments that carry what PTX has no words for, so that a text says all that its module does. They begin with
 * {@link #SIGN}, which no {@link dev.tilewright.ptx.instruction.Statement.Comment} does.
 */
public final class MarkText {
    /** The text of such a comment behind its two slashes. */
    public static final String SIGN = "@ ";

    private MarkText() {}

    static String of(SharedRegion region) {
        return mark("shared " + region.name() + ": " + region.kind().name().toLowerCase(Locale.ROOT) + ", "
                + region.bytes() + " bytes at " + region.offset() + ", align " + region.alignment());
    }

    static String begin(WarpRole role) {
        return mark("role " + role.name() + ": warps " + role.firstWarp() + ".." + role.lastWarp());
    }

    static String end(WarpRole role) {
        return mark("end role " + role.name());
    }

    private static String mark(String text) {
        return "    //" + SIGN + text;
    }
}
