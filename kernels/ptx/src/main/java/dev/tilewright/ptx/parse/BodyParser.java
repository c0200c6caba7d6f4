package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.Linkage;
import dev.tilewright.ptx.RegisterDecl;
import dev.tilewright.ptx.SharedDecl;
import dev.tilewright.ptx.Variable;
import dev.tilewright.ptx.form.Operands;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.instruction.Tooling;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The statements and declarations between the braces of a kernel or function. */
final class BodyParser {
    /** Blocks nest no deeper. */
    private static final int MAX_BLOCK_DEPTH = 64;
    /** A declaration makes no more registers than this. */
    private static final int MAX_REGISTERS = 1 << 20;

    private final Cursor cursor;
    private final Problems problems;
    private final Map<Integer, List<Token>> labels = new HashMap<>();
    private final Marks marks = new Marks();
    private final List<Statement> statements = new ArrayList<>();
    private final List<Position> positions = new ArrayList<>();
    private final List<RegisterDecl> registers = new ArrayList<>();
    private final List<SharedDecl> shared = new ArrayList<>();
    private final List<Variable> locals = new ArrayList<>();
    private final Names function;
    private final Temporaries temporaries;
    private String subject = "";

    BodyParser(Cursor cursor, Problems problems, Names function) {
        this.cursor = cursor;
        this.problems = problems;
        this.function = function;
        this.temporaries = new Temporaries(function);
    }

    /** Reads from the opening brace up to its closing one. */
    void read() {
        int start = cursor.index();
        cursor.expect("{");
        findLabels(start);
        block(function, start, 0);
    }

    Marks marks() {
        return marks;
    }

    List<Statement> statements() {
        return statements;
    }

    List<Position> positions() {
        return positions;
    }

    List<RegisterDecl> registers() {
        List<RegisterDecl> all = new ArrayList<>(registers);
        all.addAll(temporaries.registers());
        return all;
    }

    List<SharedDecl> shared() {
        return shared;
    }

    List<Variable> locals() {
        return locals;
    }

    /** Labels may be used before they are defined: finds those of every block, by the index of its brace. */
    private void findLabels(int start) {
        Deque<Integer> blocks = new ArrayDeque<>();
        for (int i = start; cursor.at(i).kind() != Kind.END; i++) {
            Token token = cursor.at(i);
            if (token.isMark("{")) {
                blocks.push(i);
            } else if (token.isMark("}")) {
                blocks.pop();
                if (blocks.isEmpty()) {
                    return;
                }
            } else if (token.kind() == Kind.WORD && cursor.at(i + 1).isMark(":")) {
                labels.computeIfAbsent(blocks.getFirst(), _ -> new ArrayList<>())
                        .add(token);
            }
        }
    }

    private void block(Names names, int start, int depth) {
        for (Token label : labels.getOrDefault(start, List.of())) {
            attempt(label, () -> names.declareLabel(label));
        }
        while (true) {
            remarks();
            if (cursor.accept("}")) {
                return;
            }
            if (cursor.atEnd()) {
                problems.add(cursor.peek().at(), "text", "a block is not closed");
                return;
            }
            int begin = cursor.index();
            boolean declaration = cursor.peek().kind() == Kind.MODIFIER;
            if (!attempt(cursor.peek(), () -> statement(names, depth))) {
                cursor.skipStatement(begin);
                if (declaration && problems.lastUnsupported()) {
                    names.unread(cursor.between(begin));
                }
            }
        }
    }

    private void remarks() {
        for (Remark remark : cursor.remarks()) {
            attempt(new Token(Kind.MARK, "//", false, remark.at()), () -> {
                if (!marks.read(remark, statements.size())) {
                    String text = remark.text();
                    add(new Statement.Comment(text.startsWith(" ") ? text.substring(1) : text), remark.at());
                }
            });
        }
    }

    /** Runs one step; what it refuses becomes a problem. */
    private boolean attempt(Token first, Runnable step) {
        subject = first.text();
        try {
            step.run();
            return true;
        } catch (Refusal refusal) {
            problems.add(subject, refusal);
        } catch (IllegalArgumentException | ArithmeticException e) {
            problems.add(first.at(), subject, String.valueOf(e.getMessage()));
        }
        return false;
    }

    private void statement(Names names, int depth) {
        Token first = cursor.peek();
        if (first.isMark("{")) {
            if (depth >= MAX_BLOCK_DEPTH) {
                throw cursor.refuse("blocks nest deeper than " + MAX_BLOCK_DEPTH);
            }
            int start = cursor.index();
            cursor.next();
            block(names.block(), start, depth + 1);
        } else if (first.kind() == Kind.MODIFIER) {
            declaration(names);
        } else if (first.kind() == Kind.WORD && cursor.peek(1).isMark(":")) {
            cursor.next();
            cursor.next();
            add(labelled(names, first), first.at());
        } else if (!cursor.accept(";")) {
            instruction(names);
        }
    }

    /** The table, prototype or list behind {@code name:}; without one the name is a label. */
    private Statement labelled(Names names, Token name) {
        if (cursor.acceptModifier("branchtargets")) {
            return CallParser.table(cursor, names, name);
        }
        if (cursor.acceptModifier("callprototype")) {
            return IndirectCallParser.prototype(cursor, names, name);
        }
        return cursor.acceptModifier("calltargets")
                ? IndirectCallParser.targets(cursor, names, name)
                : new Statement.LabelTarget(names.label(name));
    }

    private void instruction(Names names) {
        // Drops the addresses that a refused instruction has left.
        temporaries.take();
        Position at = cursor.peek().at();
        boolean guarded = cursor.accept("@");
        boolean negated = guarded && cursor.accept("!");
        Token guard = cursor.peek();
        if (guarded) {
            cursor.word("a predicate");
        }
        Line in = new Line(cursor, names, temporaries);
        subject = in.mnemonic();
        Instruction instruction = InstructionParser.read(in);
        cursor.expect(";");
        TypeCheck check = new TypeCheck(in.at());
        Operands.visit(instruction, check);
        temporaries.take().forEach(earlier -> add(earlier, at));
        if (guarded) {
            Reg<Pred> predicate = Line.cast(in.known(guard));
            check.read(predicate, ScalarType.PRED);
            add(new Statement.Guarded(predicate, negated, instruction), at);
        } else {
            add(instruction, at);
        }
    }

    private void add(Statement statement, Position at) {
        statements.add(statement);
        positions.add(at);
    }

    private void declaration(Names names) {
        Token directive = cursor.next();
        subject = "." + directive.text();
        switch (directive.text()) {
            case "reg" -> registers(names);
            case "shared" -> Declaration.each(cursor, declared -> shared(names, declared));
            case "local" -> Declaration.each(cursor, declared -> local(names, declared));
            case "param" -> {
                add(CallParser.declare(cursor, names), directive.at());
                cursor.expect(";");
            }
            case "loc", "file" -> cursor.skipLine(directive);
            case "pragma" -> pragma(directive);
            default -> throw Directives.unread(directive, "the directive is not supported inside of a body");
        }
    }

    private void registers(Names names) {
        Token named = cursor.peek();
        ScalarType type = Spellings.TYPES.get(cursor.modifier("a type"));
        if (named.text().matches("v[24]")) {
            throw Refusal.unsupported(named.at(), "registers that are vectors are not supported");
        }
        if (type == null) {
            throw cursor.refuse("registers have a scalar type");
        }
        do {
            Token name = cursor.word("the name of a register");
            if (cursor.accept("<")) {
                int count = new Constants(cursor).integer("the number of registers", 1, MAX_REGISTERS);
                cursor.expect(">");
                registers.add(names.declareRange(name, type, count));
            } else {
                registers.add(names.declare(name, type));
            }
        } while (cursor.accept(","));
        cursor.expect(";");
    }

    private void shared(Names names, Declaration declared) {
        if (declared.elements() == 0) {
            throw new Refusal(declared.name().at(), "a shared variable inside of a body needs a size");
        }
        String unique = declare(names, declared.name(), StateSpace.SHARED);
        shared.add(new SharedDecl(unique, declared.bytes(), declared.alignment()));
    }

    private void local(Names names, Declaration declared) {
        String unique = declare(names, declared.name(), StateSpace.LOCAL);
        locals.add(declared.variable(StateSpace.LOCAL, Linkage.LOCAL, unique, names, cursor));
    }

    private static String declare(Names names, Token name, StateSpace space) {
        String unique = names.uniqueSymbol(name.text());
        names.declare(name, new Symbol(unique, space));
        return unique;
    }

    private void pragma(Token directive) {
        do {
            Token text = cursor.next();
            if (text.kind() != Kind.STRING) {
                throw new Refusal(text.at(), ".pragma needs a string, got " + text.shown());
            }
            add(new Tooling.Pragma(text.text()), directive.at());
        } while (cursor.accept(","));
        cursor.expect(";");
    }
}
