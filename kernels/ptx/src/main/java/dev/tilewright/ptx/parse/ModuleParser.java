package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.Function;
import dev.tilewright.ptx.Linkage;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.SharedDecl;
import dev.tilewright.ptx.Variable;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Everything outside of kernels. */
final class ModuleParser {
    private static final Map<String, Target> TARGETS = Spellings.of(Target.values(), Target::ptx);

    private final Cursor cursor;
    /** The problems outside of kernels and functions. */
    private final Problems problems;
    /** The problems of each kernel and function that has any. */
    private final Map<String, Problems> problemsOf = new LinkedHashMap<>();

    private final Needed needed = new Needed();
    private final Names names = Names.module();
    private final List<SharedDecl> shared = new ArrayList<>();
    private final List<Variable> variables = new ArrayList<>();
    private final List<Function> functions = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, List<Position>> positions = new HashMap<>();
    private Optional<Target> target = Optional.empty();
    private boolean version;
    private String subject = "text";
    /** Of the kernel or function that is read. */
    private Optional<String> name = Optional.empty();

    private ModuleParser(Cursor cursor, Problems problems) {
        this.cursor = cursor;
        this.problems = problems;
    }

    static ParsedModule read(String text, Optional<String> wanted) {
        Problems problems = new Problems();
        ModuleParser parser = new ModuleParser(Lexer.read(text, problems), problems);
        parser.definitions();
        parser.leaveOut(wanted);
        problems.throwIfAny();
        return new ParsedModule(
                new PtxModule(
                        parser.target.orElseThrow(),
                        parser.shared,
                        parser.variables,
                        parser.functions(),
                        parser.entries),
                parser.positions);
    }

    /** Takes away what is not needed; what is wrong with the rest is a problem of the text. */
    private void leaveOut(Optional<String> wanted) {
        wanted.filter(needed::knows).map(needed::by).ifPresent(kept -> {
            entries.removeIf(entry -> !kept.contains(entry.name()));
            functions.removeIf(function -> !kept.contains(function.name()));
            positions.keySet().retainAll(kept);
            problemsOf.keySet().retainAll(kept);
        });
        problemsOf.values().forEach(problems::addAll);
    }

    private void definitions() {
        while (!cursor.atEnd()) {
            int begin = cursor.index();
            Token first = cursor.peek();
            subject = first.shown();
            name = Optional.empty();
            Problems found = new Problems();
            try {
                definition(found);
            } catch (Refusal refusal) {
                found.add(subject, refusal);
                cursor.skipDefinition(begin);
                if (refusal.unsupported()) {
                    names.unread(cursor.between(begin));
                }
            } catch (IllegalArgumentException | ArithmeticException e) {
                found.add(first.at(), subject, String.valueOf(e.getMessage()));
                if (cursor.index() == begin) {
                    cursor.skipDefinition(begin);
                }
            }
            Problems others = name.map(of -> {
                        needed.definition(of, cursor.between(begin));
                        return found.isEmpty() ? found : problemsOf.computeIfAbsent(of, _ -> new Problems());
                    })
                    .orElse(problems);
            others.addAll(found);
        }
        if (!version) {
            problems.add(new Position(1, 1), "text", "has no .version");
        }
        if (target.isEmpty() && problems.isEmpty()) {
            problems.add("text", Refusal.unsupported(new Position(1, 1), "has no .target that we know"));
        }
    }

    private void definition(Problems found) {
        if (cursor.accept(";")) {
            return;
        }
        Linkage linkage = Linkage.LOCAL;
        while (true) {
            Token directive = cursor.peek();
            String name = cursor.modifier("a directive");
            subject = "." + name;
            switch (name) {
                case "extern" -> linkage = Linkage.EXTERN;
                case "visible" -> linkage = Linkage.VISIBLE;
                case "weak" -> linkage = Linkage.WEAK;
                case "common" -> linkage = Linkage.COMMON;
                default -> {
                    definition(directive, linkage, found);
                    return;
                }
            }
        }
    }

    private void definition(Token directive, Linkage linkage, Problems found) {
        switch (directive.text()) {
            case "version" -> version(directive);
            case "target" -> target();
            case "address_size" -> {
                if (new Constants(cursor).integer() != 64) {
                    throw new Refusal(directive.at(), "addresses have 64 bits");
                }
            }
            case "entry" -> entry(linkage, found);
            case "func" -> function(linkage, found);
            case "shared" -> Declaration.each(cursor, declared -> shared(linkage == Linkage.EXTERN, declared));
            case "global" -> Declaration.each(cursor, declared -> variable(StateSpace.GLOBAL, linkage, declared));
            case "const" -> Declaration.each(cursor, declared -> variable(StateSpace.CONST, linkage, declared));
            case "file", "loc" -> cursor.skipLine(directive);
            case "section", "pragma" -> cursor.skipDefinition(cursor.index());
            default -> throw Directives.unread(directive, "the directive is not supported");
        }
    }

    private void version(Token directive) {
        if (!cursor.number("a version").text().matches("[0-9]{1,3}\\.[0-9]{1,3}")) {
            throw new Refusal(directive.at(), "a version is written as 8.0");
        }
        version = true;
    }

    private void target() {
        do {
            Token token = cursor.word("a target");
            Target named = TARGETS.get(token.text());
            if (named != null) {
                target = Optional.of(named);
            } else if (!token.text().equals("debug") && !token.text().startsWith("texmode_")) {
                throw Refusal.unsupported(
                        token.at(),
                        "not a target that we know: " + token.text() + "; we know "
                                + String.join(
                                        ", ", TARGETS.keySet().stream().sorted().toList()));
            }
        } while (cursor.accept(","));
    }

    private void entry(Linkage linkage, Problems found) {
        Position at = cursor.peek().at();
        name = Optional.of(cursor.peek().text());
        EntryParser.Located read = new EntryParser(cursor, found).read(names, linkage);
        Entry entry = read.entry();
        if (positions.put(entry.name(), read.positions()) != null) {
            throw new Refusal(at, "two kernels named " + entry.name());
        }
        entries.add(entry);
    }

    private void function(Linkage linkage, Problems found) {
        Position at = cursor.peek().at();
        name = Optional.of(cursor.name());
        FunctionParser.Located read = new FunctionParser(cursor, found).read(names, linkage);
        Function function = read.function();
        boolean defined = functions.stream().anyMatch(f -> f.name().equals(function.name()) && !f.external());
        if (defined && !function.external()) {
            throw new Refusal(at, "two functions named " + function.name());
        }
        functions.add(function);
        if (!function.external()) {
            positions.put(function.name(), read.positions());
        }
    }

    /** Functions that are declared first and defined later come once. */
    private List<Function> functions() {
        Map<String, Function> all = new LinkedHashMap<>();
        for (Function function : functions) {
            all.merge(function.name(), function, (before, next) -> next.external() ? before : next);
        }
        return List.copyOf(all.values());
    }

    private void variable(StateSpace space, Linkage linkage, Declaration declared) {
        String name = declare(declared, space);
        variables.add(declared.variable(space, linkage, name, names, cursor));
    }

    private String declare(Declaration declared, StateSpace space) {
        String name = declared.name().text();
        names.declare(declared.name(), new Symbol(name, space));
        return name;
    }

    private void shared(boolean external, Declaration declared) {
        if (external != (declared.elements() == 0)) {
            throw new Refusal(
                    declared.name().at(), "dynamic shared memory is .extern and has no size, other has both not");
        }
        shared.add(new SharedDecl(declare(declared, StateSpace.SHARED), declared.bytes(), declared.alignment()));
    }
}
