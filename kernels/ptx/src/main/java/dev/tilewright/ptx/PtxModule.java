package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Target;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One unit of assembly: kernels for one target.
 *
 * @param shared shared memory that several kernels may name
 * @param variables data in global and constant memory
 * @param functions what kernels call
 */
public record PtxModule(
        Target target,
        List<SharedDecl> shared,
        List<Variable> variables,
        List<Function> functions,
        List<Entry> entries) {
    public PtxModule {
        shared = List.copyOf(shared);
        variables = List.copyOf(variables);
        functions = List.copyOf(functions);
        entries = List.copyOf(entries);
        Set<String> names = new HashSet<>();
        for (Entry entry : entries) {
            if (!names.add(entry.name())) {
                throw new IllegalArgumentException("module: two entries named " + entry.name());
            }
        }
    }

    /** A module of kernels alone. */
    public PtxModule(Target target, List<SharedDecl> shared, List<Entry> entries) {
        this(target, shared, List.of(), List.of(), entries);
    }

    /** Builds a module; {@code body} adds its kernels. */
    public static PtxModule build(Target target, Consumer<ModuleBuilder> body) {
        ModuleBuilder builder = new ModuleBuilder(target);
        body.accept(builder);
        return builder.build();
    }

    /** The kernel of that name. */
    public Entry entry(String name) {
        return entries.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("module: no entry named " + name));
    }

    /** The lowest ISA version that knows the target and every instruction, and not below 8.0. */
    public IsaVersion isa() {
        IsaVersion version = IsaVersion.V8_0.max(target.since());
        for (Entry entry : entries) {
            version = version.max(isa(entry.body()));
        }
        for (Function function : functions) {
            version = version.max(isa(function.body()));
        }
        return version;
    }

    private static IsaVersion isa(List<Statement> body) {
        IsaVersion version = IsaVersion.V8_0;
        for (Statement statement : body) {
            version = switch (statement) {
                case Instruction i -> version.max(i.requires().since());
                case Statement.Guarded g ->
                    version.max(g.instruction().requires().since());
                case Statement.LabelTarget _, Statement.Comment _ -> version;
            };
        }
        return version;
    }
}
