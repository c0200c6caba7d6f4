package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.form.Operands;
import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerOperation;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.OperandVisitor;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** What a body's registers are for, as far as the rules ask: found from the statements alone. */
final class Definitions {
    private final List<Statement> body;
    private final Map<Reg<?>, List<Integer>> writers = new HashMap<>();
    private final Set<Reg<?>> parities = new HashSet<>();
    private final Set<Reg<?>> slots = new HashSet<>();
    private final Set<Reg<?>> descriptors = new HashSet<>();
    private final Set<Reg<?>> multiplied = new HashSet<>();
    private final Set<Reg<?>> tensorAddresses = new HashSet<>();
    private final Set<Reg<?>> answers = new HashSet<>();

    Definitions(List<Statement> body) {
        this.body = body;
        for (int i = 0; i < body.size(); i++) {
            int index = i;
            instruction(index)
                    .ifPresent(instruction -> Operands.visit(instruction, new OperandVisitor() {
                        @Override
                        public void write(Reg<?> register, ScalarType type) {
                            writers.computeIfAbsent(register, _ -> new ArrayList<>())
                                    .add(index);
                        }
                    }));
        }
        for (int i = 0; i < body.size(); i++) {
            instruction(i).ifPresent(this::classify);
        }
    }

    private void classify(Instruction instruction) {
        switch (instruction) {
            case Mbarrier.Wait wait
            when wait.phase() instanceof Mbarrier.Phase.Parity(Reg<?> register) -> parities.add(register);
            case Compare.Select select
            when select.a() instanceof Immediate<?> zero
                    && zero.bits() == 0
                    && select.d().equals(select.b()) -> {
                if (comparedWithSize(select.p(), select.d())) {
                    slots.add(select.d());
                }
            }
            case Wgmma.MmaAsync mma -> {
                addDescriptor(mma.b());
                if (mma.a() instanceof Wgmma.MatrixA.Descriptor a) {
                    addDescriptor(a.descriptor());
                }
            }
            case Tcgen05.Multiply mma -> {
                tensorAddresses.add(mma.d().base());
                addDescriptor(mma.b());
                if (mma.a() instanceof Tcgen05.MatrixA.Descriptor a) {
                    addDescriptor(a.descriptor());
                }
                multiplied.addAll(descriptors);
            }
            case Tcgen05.Load load -> tensorAddresses.add(load.address().base());
            case ClusterLaunchControl.IsCanceled answer -> answers.add(answer.d());
            case Compare.PredicateBinary or
            when or.operation() == Compare.BooleanOperation.OR && or.d().equals(or.a()) -> answers.add(or.d());
            default -> {}
        }
    }

    private boolean comparedWithSize(Reg<?> predicate, Reg<?> slot) {
        return writers.getOrDefault(predicate, List.of()).stream()
                .anyMatch(index -> instruction(index).orElseThrow() instanceof Compare.SetPredicate compare
                        && compare.relation() == Relation.EQ
                        && compare.a().equals(slot)
                        && compare.b() instanceof Immediate<?>);
    }

    /** The register, and that to which it adds a constant. */
    private void addDescriptor(Reg<?> register) {
        if (descriptors.add(register)) {
            for (int index : writers.getOrDefault(register, List.of())) {
                if (instruction(index).orElseThrow() instanceof Arithmetic.Binary add
                        && add.operation() == IntegerOperation.ADD
                        && add.a() instanceof Reg<?> source) {
                    addDescriptor(source);
                }
            }
        }
    }

    /** The instruction of a statement, guarded or not. */
    Optional<Instruction> instruction(int index) {
        return switch (body.get(index)) {
            case Instruction i -> Optional.of(i);
            case Statement.Guarded g -> Optional.of(g.instruction());
            case Statement.LabelTarget _, Statement.Comment _ -> Optional.empty();
        };
    }

    /** Whether a wait takes the register as its parity. */
    boolean isParity(Operand<?> operand) {
        return operand instanceof Reg<?> register && parities.contains(register);
    }

    /** Whether the register counts the slots of a ring, up to a size at which it is set to 0. */
    boolean isSlot(Operand<?> operand) {
        return operand instanceof Reg<?> register && slots.contains(register);
    }

    /** Whether wgmma or tcgen05.mma takes the register, or one made from it by addition, as a matrix descriptor. */
    boolean isDescriptor(Reg<?> register) {
        return descriptors.contains(register);
    }

    /** Whether the descriptor is one of tcgen05. */
    boolean isTensorDescriptor(Reg<?> register) {
        return multiplied.contains(register);
    }

    /** Whether tcgen05 takes the register as an address in tensor memory. */
    boolean isTensorAddress(Reg<?> register) {
        return tensorAddresses.contains(register);
    }

    /** Whether the predicate says what an answer of launch control was, or remembers that one has failed. */
    boolean isAnswer(Reg<?> predicate) {
        return answers.contains(predicate);
    }

    /** Where the label stands. */
    int target(Label label) {
        for (int i = 0; i < body.size(); i++) {
            if (body.get(i) instanceof Statement.LabelTarget target
                    && target.label().equals(label)) {
                return i;
            }
        }
        throw new IllegalStateException("no label " + label);
    }

    /** The only statement that writes the register. */
    OptionalInt writer(Reg<?> register) {
        List<Integer> all = writers.getOrDefault(register, List.of());
        return all.size() == 1 ? OptionalInt.of(all.getFirst()) : OptionalInt.empty();
    }

    /** Whether the register becomes, as its only value, the low word of a descriptor. */
    boolean isDescriptorWord(Reg<?> register) {
        return body.stream()
                .anyMatch(s -> s instanceof Move.Pack pack
                        && isDescriptor(pack.d())
                        && pack.parts().getFirst().equals(register));
    }

    /** Constants that are added on the way to the register, through additions and {@code mapa}. */
    List<Long> addends(Reg<?> register) {
        List<Long> found = new ArrayList<>();
        OptionalInt index = writer(register);
        if (index.isPresent()) {
            switch (instruction(index.getAsInt()).orElseThrow()) {
                case Arithmetic.Binary add
                when add.operation() == IntegerOperation.ADD -> {
                    collect(add.a(), found);
                    collect(add.b(), found);
                }
                case Mbarrier.MapToRank map -> collect(map.address(), found);
                default -> {}
            }
        }
        return found;
    }

    private void collect(Operand<?> operand, List<Long> found) {
        switch (operand) {
            case Immediate<?> constant -> found.add(constant.bits());
            case Reg<?> register -> found.addAll(addends(register));
        }
    }

    /** Each {@code mov} of a constant from which the register comes by conversions, shifts and {@code or}. */
    List<Integer> constantsOf(Reg<?> register) {
        OptionalInt index = writer(register);
        if (index.isEmpty()) {
            return List.of();
        }
        return switch (instruction(index.getAsInt()).orElseThrow()) {
            case Move.Copy copy when copy.a() instanceof Immediate<?> -> List.of(index.getAsInt());
            case Convert.Cvt cvt -> constantsOf(List.of(cvt.a()));
            case Arithmetic.Binary shift
            when shift.operation() == IntegerOperation.SHL -> constantsOf(List.of(shift.a()));
            case Arithmetic.Binary or
            when or.operation() == IntegerOperation.OR -> constantsOf(List.of(or.a(), or.b()));
            default -> List.of();
        };
    }

    private List<Integer> constantsOf(List<Operand<?>> sources) {
        List<Integer> found = new ArrayList<>();
        for (Operand<?> source : sources) {
            if (source instanceof Reg<?> register) {
                found.addAll(constantsOf(register));
            }
        }
        return found;
    }
}
