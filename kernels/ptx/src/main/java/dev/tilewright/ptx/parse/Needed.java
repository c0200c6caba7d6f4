package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.parse.Token.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the kernels and functions that one kernel needs: the ones that it names, and the ones that these name. */
final class Needed {
    private final Map<String, Set<String>> named = new HashMap<>();

    /** Notes the names in a kernel or function, of which there may be a declaration and a definition. */
    void definition(String name, List<Token> text) {
        Set<String> names = named.computeIfAbsent(name, _ -> new HashSet<>());
        text.stream()
                .filter(token -> token.kind() == Kind.WORD)
                .map(Token::text)
                .forEach(names::add);
    }

    boolean knows(String name) {
        return named.containsKey(name);
    }

    /** The kernel and all that it needs; the names of other things are among them. */
    Set<String> by(String kernel) {
        Set<String> all = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(kernel));
        while (!open.isEmpty()) {
            String name = open.pop();
            if (all.add(name)) {
                open.addAll(named.getOrDefault(name, Set.of()));
            }
        }
        return all;
    }
}
