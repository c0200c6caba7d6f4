package dev.tilewright.ptx.validate;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.RegisterDecl;
import dev.tilewright.ptx.SharedDecl;
import dev.tilewright.ptx.Variable;
import dev.tilewright.ptx.form.Operands;
import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.OperandVisitor;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.VariableAddress;
import dev.tilewright.ptx.validate.Diagnostic.Rule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Types of operands, state spaces of addresses, registers declared and written. */
final class OperandRules {
    private final PtxModule module;
    private final Entry entry;
    private final Diagnostics findings;
    private final Map<String, ScalarType> declared = new HashMap<>();
    private final Map<Reg<?>, Integer> firstRead = new LinkedHashMap<>();
    private final Set<Reg<?>> written = new HashSet<>();
    private final Set<Reg<?>> undeclared = new HashSet<>();
    private int statement;

    OperandRules(PtxModule module, Entry entry, Diagnostics findings) {
        this.module = module;
        this.entry = entry;
        this.findings = findings;
    }

    void check() {
        for (RegisterDecl decl : entry.registers()) {
            if (decl.count() == 0) {
                declared.put(decl.name(), decl.type());
            }
            for (int i = 0; i < decl.count(); i++) {
                declared.put(decl.name() + i, decl.type());
            }
        }
        for (statement = 0; statement < entry.body().size(); statement++) {
            switch (entry.body().get(statement)) {
                case Instruction instruction -> Operands.visit(instruction, new Visitor());
                case Statement.Guarded guarded -> {
                    new Visitor().read(guarded.predicate(), ScalarType.PRED);
                    Operands.visit(guarded.instruction(), new Visitor());
                }
                case Statement.LabelTarget _, Statement.Comment _ -> {}
            }
        }
        firstRead.forEach((register, at) -> {
            if (!written.contains(register)) {
                findings.add(Rule.REGISTER_UNWRITTEN, at, "register " + register.name() + " is read but never written");
            }
        });
    }

    private final class Visitor implements OperandVisitor {
        @Override
        public void read(Operand<?> operand, ScalarType type) {
            use(operand);
            requireType(operand, type, type.accepts(operand.type()));
        }

        @Override
        public void write(Reg<?> register, ScalarType type) {
            use(register);
            written.add(register);
            requireType(register, type, type.accepts(register.type()));
        }

        @Override
        public void readWide(Operand<?> operand, ScalarType type) {
            use(operand);
            requireType(operand, type, type.acceptsWide(operand.type()));
        }

        @Override
        public void writeWide(Reg<?> register, ScalarType type) {
            use(register);
            written.add(register);
            requireType(register, type, type.acceptsWide(register.type()));
        }

        @Override
        public void address(Address address) {
            switch (address) {
                case SharedAddress a -> shared(a.base());
                case ClusterAddress a -> shared(a.base());
                case Address.InRegister a -> read(a.base(), ScalarType.B64);
                case VariableAddress a -> symbol(a.symbol(), a.space());
                case ParamAddress a -> {
                    if (parameter(a.parameter()).isEmpty()) {
                        findings.add(Rule.STATE_SPACE, statement, "no parameter named " + a.parameter());
                    }
                }
            }
        }

        /** A shared address may come in 64 bits, of which the low half counts. */
        private void shared(Reg<?> base) {
            use(base);
            boolean accepted = ScalarType.B32.accepts(base.type()) || ScalarType.B64.accepts(base.type());
            requireType(base, ScalarType.B32, accepted);
        }

        @Override
        public void symbol(String name, StateSpace space) {
            boolean known = switch (space) {
                case PARAM -> parameter(name).isPresent() || isOfCall(name);
                // In the shared memory of a cluster it names the CTA's own.
                case SHARED, SHARED_CLUSTER -> isShared(name);
                case GLOBAL, CONST -> isVariable(module.variables(), name, space);
                case LOCAL -> isVariable(entry.locals(), name, space);
                case GENERIC -> false;
            };
            if (!known) {
                findings.add(Rule.STATE_SPACE, statement, "no variable named " + name + " in " + space);
            }
        }
    }

    private void use(Operand<?> operand) {
        if (!(operand instanceof Reg<?> register)) {
            return;
        }
        firstRead.putIfAbsent(register, statement);
        if (declared.get(register.name()) != register.type() && undeclared.add(register)) {
            findings.add(
                    Rule.REGISTER_UNDECLARED,
                    statement,
                    "register " + register.name() + " is not declared as ."
                            + register.type().ptx());
        }
    }

    private void requireType(Operand<?> operand, ScalarType type, boolean accepted) {
        if (!accepted) {
            String what = operand instanceof Reg<?> register ? register.name() : "a constant";
            findings.add(
                    Rule.TYPE,
                    statement,
                    what + " has type ." + operand.type().ptx() + ", the instruction takes ." + type.ptx());
        }
    }

    private Optional<Param> parameter(String name) {
        return entry.params().stream().filter(p -> p.name().equals(name)).findFirst();
    }

    /** True if the name is a parameter variable of a call. */
    private boolean isOfCall(String name) {
        return entry.body().stream()
                .anyMatch(s -> s instanceof FunctionCall.Declare variable
                        && variable.name().equals(name));
    }

    private static boolean isVariable(List<Variable> variables, String name, StateSpace space) {
        return variables.stream().anyMatch(v -> v.space() == space && v.name().equals(name));
    }

    private boolean isShared(String name) {
        return module.shared().stream().map(SharedDecl::name).anyMatch(name::equals)
                || entry.staticShared().stream().map(SharedDecl::name).anyMatch(name::equals);
    }
}
