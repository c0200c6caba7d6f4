package dev.tilewright.ptx;

import dev.tilewright.ptx.type.ScalarType;
import java.util.Optional;

/**
 * Registers of one type: one of that name ({@code count} 0), or {@code name0} to {@code name(count-1)}.
 *
 * @param variable the text has no such register but the name of this variable in brackets: the register holds its
 *     address, put there anew just before each use; absent for registers of the text
 */
public record RegisterDecl(ScalarType type, String name, int count, Optional<String> variable) {
    /** Registers of the text. */
    public RegisterDecl(ScalarType type, String name, int count) {
        this(type, name, count, Optional.empty());
    }
}
