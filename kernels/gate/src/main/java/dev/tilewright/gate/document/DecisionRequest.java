package dev.tilewright.gate.document;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks for another decision on stored blocks; what is {@code null} stays as it was.
 *
 * @param margins of all cases
 * @param error of a whole run, such as 0.01
 * @param looks numbers of blocks at which it may stop, such as 10, 20, 40
 */
public record DecisionRequest(
        @Nullable Margins margins,
        @Nullable Double error,
        @Nullable List<Integer> looks) {}
