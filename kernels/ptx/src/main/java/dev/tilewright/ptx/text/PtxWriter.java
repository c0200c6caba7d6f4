package dev.tilewright.ptx.text;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.Function;
import dev.tilewright.ptx.LaunchBounds;
import dev.tilewright.ptx.Linkage;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.RegisterDecl;
import dev.tilewright.ptx.SharedDecl;
import dev.tilewright.ptx.Variable;
import dev.tilewright.ptx.WarpRole;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a module as text: one statement per line, labels at the margin of the body. {@code .version} is the lowest
 * that the module needs.
 */
public final class PtxWriter {
    private static final int LINE = 120;
    /** The tokens that may follow the register of an address. */
    private static final List<String> AFTER_BASE = List.of("]", "+", ",");

    private final StringBuilder out = new StringBuilder();
    /** Variables that stand in the text where the body has registers with their addresses. */
    private Map<String, String> variables = Map.of();

    private PtxWriter() {}

    /** The text of the module, ending with a line feed. */
    public static String write(PtxModule module) {
        PtxWriter writer = new PtxWriter();
        writer.module(module);
        return writer.out.toString();
    }

    private void module(PtxModule module) {
        line(".version " + module.isa());
        line(".target " + module.target().ptx());
        line(".address_size 64");
        if (!module.shared().isEmpty()) {
            line("");
        }
        module.shared().forEach(decl -> line((decl.isDynamic() ? ".extern " : "") + shared(decl)));
        if (!module.variables().isEmpty()) {
            line("");
        }
        module.variables().forEach(variable -> line(VariableText.of(variable)));
        functions(module.functions());
        for (Entry entry : module.entries()) {
            line("");
            entry(entry);
        }
    }

    private void entry(Entry entry) {
        out.append(linked(entry.linkage()))
                .append(".entry ")
                .append(entry.name())
                .append('(');
        List<String> params = entry.params().stream().map(PtxWriter::param).toList();
        out.append(params.isEmpty() ? ")\n" : "\n    " + String.join(",\n    ", params) + "\n)\n");
        launch(entry.launch());
        line("{");
        entry.dynamicShared().regions().forEach(region -> line(MarkText.of(region)));
        declarations(entry.registers(), entry.staticShared(), entry.locals());
        body(entry);
        line("}");
    }

    /** The statements, with the roles told before their first and behind their last. */
    private void body(Entry entry) {
        Deque<WarpRole> open = new ArrayDeque<>();
        Iterator<WarpRole> roles = entry.roles().iterator();
        @Nullable WarpRole next = roles.hasNext() ? roles.next() : null;
        for (int i = 0; i <= entry.body().size(); i++) {
            while (true) {
                WarpRole inner = open.peek();
                boolean inside = next != null
                        && next.firstStatement() == i
                        && next.parent().equals(Optional.ofNullable(inner).map(WarpRole::name));
                if (inside) {
                    line(MarkText.begin(next));
                    open.push(next);
                    next = roles.hasNext() ? roles.next() : null;
                } else if (inner != null && inner.endStatement() == i) {
                    line(MarkText.end(open.pop()));
                } else {
                    break;
                }
            }
            if (i < entry.body().size()) {
                statement(entry.body().get(i));
            }
        }
    }

    /** All heads before all bodies, so that any may call any. */
    private void functions(List<Function> functions) {
        if (!functions.isEmpty()) {
            line("");
        }
        functions.forEach(function -> line(head(function) + ";"));
        for (Function function : functions) {
            if (!function.external()) {
                line("");
                line(head(function));
                line("{");
                declarations(function.registers(), function.staticShared(), function.locals());
                function.body().forEach(this::statement);
                line("}");
            }
        }
    }

    private static String head(Function function) {
        return linked(function.linkage()) + ".func "
                + (function.results().isEmpty() ? "" : VariableText.declarations(function.results()) + " ")
                + function.name() + VariableText.declarations(function.params())
                + (function.noReturn() ? " .noreturn" : "");
    }

    private void declarations(List<RegisterDecl> registers, List<SharedDecl> shared, List<Variable> locals) {
        registers(registers);
        variables = registers.stream()
                .filter(decl -> decl.variable().isPresent())
                .collect(Collectors.toMap(
                        RegisterDecl::name, decl -> decl.variable().get()));
        shared.forEach(decl -> line("    " + shared(decl)));
        locals.forEach(variable -> line("    " + VariableText.of(variable)));
        if (!registers.isEmpty() || !shared.isEmpty() || !locals.isEmpty()) {
            line("");
        }
    }

    private void launch(LaunchBounds launch) {
        launch.threads()
                .ifPresent(t -> line((t.exactly() ? ".reqntid " : ".maxntid ") + t.x() + ", " + t.y() + ", " + t.z()));
        limit(".minnctapersm ", launch.minCtasPerSm());
        limit(".maxnreg ", launch.maxRegisters());
        if (launch.explicitCluster()) {
            line(".explicitcluster");
        }
        launch.cluster().ifPresent(c -> line(".reqnctapercluster " + c.x() + ", " + c.y() + ", " + c.z()));
        limit(".maxclusterrank ", launch.maxClusterCtas());
    }

    private void limit(String directive, int value) {
        if (value > 0) {
            line(directive + value);
        }
    }

    private static String linked(Linkage linkage) {
        return linkage == Linkage.LOCAL ? "" : linkage.ptx() + " ";
    }

    /** Arrays first, one a line; then single registers, as many of one type on a line as fit. */
    private void registers(List<RegisterDecl> declarations) {
        List<RegisterDecl> run = new ArrayList<>();
        for (RegisterDecl decl : declarations) {
            if (decl.variable().isPresent()) {
                continue;
            }
            if (!run.isEmpty()
                    && (decl.count() > 0 || decl.type() != run.getFirst().type())) {
                singles(run);
                run.clear();
            }
            if (decl.count() > 0) {
                line("    .reg ." + decl.type().ptx() + " " + decl.name() + "<" + decl.count() + ">;");
            } else {
                run.add(decl);
            }
        }
        if (!run.isEmpty()) {
            singles(run);
        }
    }

    private void singles(List<RegisterDecl> run) {
        String prefix = "    .reg ." + run.getFirst().type().ptx() + " ";
        StringBuilder text = new StringBuilder(prefix);
        for (RegisterDecl decl : run) {
            if (text.length() > prefix.length()) {
                if (text.length() + decl.name().length() + 3 > LINE) {
                    line(text.append(';').toString());
                    text = new StringBuilder(prefix);
                } else {
                    text.append(", ");
                }
            }
            text.append(decl.name());
        }
        line(text.append(';').toString());
    }

    private void statement(Statement statement) {
        switch (statement) {
            case Statement.LabelTarget target -> line(target.label().name() + ":");
            case Statement.Comment comment -> line("    // " + comment.text());
            case Statement.Guarded guarded ->
                line("    @" + (guarded.negated() ? "!" : "")
                        + guarded.predicate().name() + " " + text(guarded.instruction()) + ";");
            case Instruction instruction -> {
                if (!putsAddress(instruction)) {
                    line("    " + text(instruction) + ";");
                }
            }
        }
    }

    private boolean putsAddress(Instruction instruction) {
        return instruction instanceof Move.AddressOf i && variables.containsKey(i.d().name())
                || instruction instanceof Convert.GenericAddressOf g && variables.containsKey(g.d().name());
    }

    private String text(Instruction instruction) {
        String text = InstructionText.of(instruction);
        if (!variables.isEmpty()) {
            for (Map.Entry<String, String> named : variables.entrySet()) {
                for (String after : AFTER_BASE) {
                    text = text.replace("[" + named.getKey() + after, "[" + named.getValue() + after);
                }
            }
        }
        return text;
    }

    private static String param(Param param) {
        return switch (param.kind()) {
            case TENSOR_MAP, BYTES ->
                ".param .align " + param.alignment() + " .b8 " + param.name() + "[" + param.bytes() + "]";
            case U8, U16, U32, S32, F32, F64, U64, POINTER ->
                ".param ." + param.kind().type().ptx()
                        + param.pointee()
                                .map(p -> " .ptr" + spaced(OperandText.window(p.space())) + " .align " + p.alignment())
                                .orElse("")
                        + " " + param.name();
        };
    }

    private static String spaced(String word) {
        return word.isEmpty() ? "" : " " + word;
    }

    private static String shared(SharedDecl decl) {
        return ".shared .align " + decl.alignment() + " .b8 " + decl.name() + "["
                + (decl.isDynamic() ? "" : decl.bytes()) + "];";
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}
