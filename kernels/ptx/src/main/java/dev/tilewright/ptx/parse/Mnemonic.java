package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.StateSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Opcode and modifiers of an instruction while it is read. A family takes the modifiers that it knows, in any order.
 */
abstract sealed class Mnemonic permits Line {
    private final Token opcode;
    private final List<Token> modifiers = new ArrayList<>();
    private final String mnemonic;

    Mnemonic(Cursor cursor) {
        this.opcode = cursor.word("an instruction");
        while (cursor.peek().kind() == Kind.MODIFIER) {
            modifiers.add(cursor.next());
        }
        this.mnemonic =
                opcode.text() + modifiers.stream().map(m -> "." + m.text()).collect(Collectors.joining());
    }

    String opcode() {
        return opcode.text();
    }

    /** The whole mnemonic as it was written. */
    String mnemonic() {
        return mnemonic;
    }

    Position at() {
        return opcode.at();
    }

    /** Takes the modifier if it is there. */
    boolean has(String modifier) {
        return modifiers.removeIf(m -> m.text().equals(modifier));
    }

    /** True if the modifier is there, or each of several joined by dots; takes none. */
    boolean sees(String modifier) {
        for (Token token : modifiers) {
            if (token.text().equals(modifier)) {
                return true;
            }
        }
        return modifier.contains(".") && Arrays.stream(modifier.split("\\.")).allMatch(this::sees);
    }

    void require(String... wanted) {
        for (String modifier : wanted) {
            if (!has(modifier)) {
                throw lacks("." + modifier);
            }
        }
    }

    /** Takes the first modifier that is one of these, or several that one of these joins by dots. */
    <E> Optional<E> maybe(Map<String, E> spellings) {
        for (Token modifier : modifiers) {
            E constant = spellings.get(modifier.text());
            if (constant != null) {
                modifiers.remove(modifier);
                return Optional.of(constant);
            }
        }
        for (Map.Entry<String, E> spelled : spellings.entrySet()) {
            if (spelled.getKey().contains(".") && sees(spelled.getKey())) {
                require(spelled.getKey().split("\\."));
                return Optional.of(spelled.getValue());
            }
        }
        return Optional.empty();
    }

    <E> E one(Map<String, E> spellings, String what) {
        return maybe(spellings)
                .orElseThrow(() -> lacks(what
                        + ", one of "
                        + spellings.keySet().stream().sorted().collect(Collectors.joining(" .", ".", ""))
                        + (modifiers.isEmpty() ? "" : "; got " + shown(modifiers))));
    }

    /** The first type; a second call gives the second. */
    ScalarType type() {
        return maybe(Spellings.TYPES)
                .orElseThrow(
                        () -> lacks("a type that we know" + (modifiers.isEmpty() ? "" : ", got " + shown(modifiers))));
    }

    /** The first state space, generic if none; {@code .shared} alone is the CTA's own. */
    StateSpace space() {
        return maybe(Spellings.SPACES).orElse(StateSpace.GENERIC);
    }

    /** Ordering and scope; if only one of them is written, the other is the instruction's own. */
    Ordering ordering(Sem ownSem, Scope ownScope) {
        has("weak");
        Optional<Sem> sem = maybe(Spellings.SEMS);
        Optional<Scope> scope = maybe(Spellings.SCOPES);
        if (sem.isEmpty() && scope.isEmpty()) {
            return Ordering.DEFAULT;
        }
        if (sem.filter(Sem.VOLATILE::equals).isPresent()) {
            return new Ordering(Sem.VOLATILE, scope.orElse(Scope.NONE));
        }
        return new Ordering(sem.orElse(ownSem), scope.orElse(ownScope));
    }

    /** A modifier that a number is part of, {@code .x4} or {@code .2d}: the number. */
    Optional<Integer> counted(String before, String after) {
        for (Token modifier : modifiers) {
            String text = modifier.text();
            if (text.startsWith(before)
                    && text.endsWith(after)
                    && text.length() > before.length() + after.length()
                    && text.length() <= before.length() + after.length() + 4
                    && text.substring(before.length(), text.length() - after.length())
                            .chars()
                            .allMatch(c -> c >= '0' && c <= '9')) {
                modifiers.remove(modifier);
                return Optional.of(Integer.parseInt(text, before.length(), text.length() - after.length(), 10));
            }
        }
        return Optional.empty();
    }

    /** The first modifier that the pattern matches wholly. */
    Optional<Matcher> matching(Pattern pattern) {
        for (Token modifier : modifiers) {
            Matcher matcher = pattern.matcher(modifier.text());
            if (matcher.matches()) {
                modifiers.remove(modifier);
                return Optional.of(matcher);
            }
        }
        return Optional.empty();
    }

    /** All modifiers that the pattern matches wholly. */
    List<String> all(Pattern pattern) {
        List<String> all = new ArrayList<>();
        while (matching(pattern).orElse(null) instanceof Matcher matcher) {
            all.add(matcher.group());
        }
        return all;
    }

    /** Refuses the modifiers that nobody took. */
    void requireNoModifier() {
        if (!modifiers.isEmpty()) {
            throw Refusal.unsupported(
                    modifiers.getFirst().at(), "modifier " + shown(modifiers) + " is not supported here");
        }
    }

    private static String shown(List<Token> modifiers) {
        return modifiers.stream().map(m -> "." + m.text()).collect(Collectors.joining(" "));
    }

    /** For a wrong use of a form that we know. */
    Refusal refuse(String reason) {
        return new Refusal(opcode.at(), reason);
    }

    /** For a form of the manual that we do not know. */
    Refusal unsupported(String reason) {
        return Refusal.unsupported(opcode.at(), reason);
    }

    /** Something is missing: a mistake, unless a modifier is there that makes another form of it. */
    Refusal lacks(String what) {
        return Spellings.ordinary(modifiers) ? refuse("needs " + what) : unsupported("needs " + what);
    }
}
