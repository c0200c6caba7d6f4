package dev.tilewright.ptx.parse;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects problems. */
final class Problems {
    /** Only a text that is no PTX at all has more; they are left out. */
    private static final int MAX_PROBLEMS = 10_000;

    private final List<ParseError> all = new ArrayList<>();

    /** Something that is no PTX. */
    void add(Position at, String subject, String reason) {
        add(new ParseError(at, subject, reason, false));
    }

    void add(String subject, Refusal refusal) {
        add(new ParseError(refusal.at(), subject, refusal.reason(), refusal.unsupported()));
    }

    void add(ParseError problem) {
        if (all.size() < MAX_PROBLEMS) {
            all.add(problem);
        }
    }

    /** Whether what was added last is unsupported PTX. */
    boolean lastUnsupported() {
        return !all.isEmpty() && all.getLast().unsupported();
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    void addAll(Problems others) {
        others.all.stream().limit(MAX_PROBLEMS - all.size()).forEach(all::add);
    }

    void throwIfAny() {
        if (!all.isEmpty()) {
            all.sort(Comparator.comparingInt((ParseError p) -> p.at().line()).thenComparingInt(p -> p.at().column()));
            throw new PtxParseException(all);
        }
    }
}
