package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.RegisterDecl;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The names of one block, and through its outer block those around it. PTX lets an inner block use an outer name anew;
 * a body has no blocks, so such names get a number behind a dollar sign.
 */
final class Names {
    private final @Nullable Names outer;
    private final UniqueNames unique;
    private final Map<String, Reg<?>> registers = new HashMap<>();
    private final Map<String, RegisterDecl> ranges = new HashMap<>();
    private final Map<String, Symbol> symbols = new HashMap<>();
    private final Map<String, Label> labels = new HashMap<>();
    private final Map<Label, List<Label>> tables = new HashMap<>();
    private final Set<Label> callees = new HashSet<>();
    private final Set<String> functions = new HashSet<>();
    /** Of the whole text: names in declarations that are PTX and were not read. */
    private final Set<String> unread;

    private Names(@Nullable Names outer, UniqueNames unique) {
        this.outer = outer;
        this.unique = unique;
        unread = outer == null ? new HashSet<>() : outer.unread;
    }

    /** The names of a module. */
    static Names module() {
        return new Names(null, new UniqueNames(Set.of()));
    }

    /** The names of a function or kernel. */
    Names function() {
        return new Names(this, new UniqueNames(symbols.keySet()));
    }

    /** The names of a block inside. */
    Names block() {
        return new Names(this, unique);
    }

    /** Notes the names in an unsupported declaration, up to its body. */
    void unread(List<Token> declaration) {
        declaration.stream()
                .takeWhile(token -> !token.isMark("{"))
                .filter(token -> token.kind() == Token.Kind.WORD)
                .forEach(token -> unread.add(token.text()));
    }

    /** The refusal of an unknown name: never declared, or declared in a way that is not supported. */
    Refusal missing(Token name, String reason) {
        return unread.contains(name.text())
                ? Refusal.unsupported(name.at(), reason + " that could be read")
                : new Refusal(name.at(), reason);
    }

    /** Declares one register; returns its declaration under its unique name. */
    RegisterDecl declare(Token token, ScalarType type) {
        if (registers.containsKey(token.text()) || range(token.text()) != null) {
            throw new Refusal(token.at(), "register " + token.text() + " is declared twice");
        }
        String name = unique.register(token.text());
        registers.put(token.text(), new Reg<>(type, name));
        return new RegisterDecl(type, name, 0);
    }

    /** Declares {@code name0..name(count-1)}. */
    RegisterDecl declareRange(Token token, ScalarType type, int count) {
        if (ranges.containsKey(token.text())) {
            throw new Refusal(token.at(), "registers " + token.text() + "<> are declared twice");
        }
        RegisterDecl decl = new RegisterDecl(type, unique.range(token.text(), count), count);
        // Makes sure that the name is one before it is used.
        new Reg<>(type, decl.name() + 0);
        ranges.put(token.text(), decl);
        return decl;
    }

    /** Declares a register that the text cannot name. */
    RegisterDecl hidden(String name, ScalarType type, Optional<String> variable) {
        return new RegisterDecl(type, unique.register(name), 0, variable);
    }

    void declare(Token name, Symbol symbol) {
        if (symbols.putIfAbsent(name.text(), symbol) != null) {
            throw new Refusal(name.at(), name.text() + " is declared twice");
        }
    }

    void declareLabel(Token token) {
        if (labels.containsKey(token.text())) {
            throw new Refusal(token.at(), "label " + token.text() + " is defined twice");
        }
        labels.put(token.text(), new Label(unique.label(token.text())));
    }

    @Nullable
    Reg<?> register(String name) {
        for (Names block = this; block != null; block = block.outer) {
            Reg<?> register = block.registers.get(name);
            if (register == null) {
                register = block.range(name);
            }
            if (register != null) {
                block.registers.put(name, register);
                return register;
            }
        }
        return null;
    }

    @Nullable
    Symbol symbol(String name) {
        return innermost(block -> block.symbols.get(name)).orElse(null);
    }

    Label label(Token token) {
        return innermost(block -> block.labels.get(token.text()))
                .orElseThrow(() -> missing(token, "no label named " + token.text()));
    }

    /** Declares a table of jumps. */
    void declareTable(Label name, List<Label> targets) {
        tables.put(name, targets);
    }

    /** The targets of a table that was declared before. */
    List<Label> table(Token token) {
        Label name = label(token);
        return innermost(block -> block.tables.get(name))
                .orElseThrow(() -> missing(token, token.text() + " is no table of labels before this line"));
    }

    /** Declares a prototype or list of functions for calls through registers. */
    void declareCallees(Label name) {
        callees.add(name);
    }

    /** A prototype or list of functions that was declared before. */
    Label callees(Token token) {
        Label name = label(token);
        return innermost(block -> block.callees.contains(name) ? name : null)
                .orElseThrow(
                        () -> missing(token, token.text() + " is no prototype or list of functions before this line"));
    }

    void declareFunction(String name) {
        functions.add(name);
    }

    boolean isFunction(String name) {
        return innermost(block -> block.functions.contains(name) ? name : null).isPresent();
    }

    String uniqueSymbol(String name) {
        return unique.label(name);
    }

    /** The value of the innermost block that has one. */
    private <E> Optional<E> innermost(Function<Names, @Nullable E> of) {
        for (Names block = this; block != null; block = block.outer) {
            E found = of.apply(block);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    private @Nullable Reg<?> range(String name) {
        if (ranges.isEmpty()) {
            return null;
        }
        for (int split = UniqueNames.firstSplit(name); split < name.length(); split++) {
            RegisterDecl decl = ranges.get(name.substring(0, split));
            if (decl != null && UniqueNames.covers(decl.count(), name.substring(split))) {
                return new Reg<>(decl.type(), decl.name() + name.substring(split));
            }
        }
        return null;
    }
}
