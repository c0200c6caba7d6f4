package dev.tilewright.emulator.program;

import dev.tilewright.emulator.warp.RegisterMap;
import dev.tilewright.ptx.form.Operands;
import dev.tilewright.ptx.instruction.OperandVisitor;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.instruction.Wgmma.MatrixA;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import java.util.BitSet;
import java.util.List;

/** The registers that an instruction reads and writes, and which of them belong to a wgmma or a tcgen05.ld. */
final class RegisterUse {
    private final BitSet asynchronous = new BitSet();

    RegisterUse(List<Unfolding.Line> code) {
        for (Unfolding.Line line : code) {
            RegisterMap.Scope registers = line.frame().registers;
            if (line.instruction() instanceof Wgmma.MmaAsync mma) {
                mark(registers, mma.d());
                if (mma.a() instanceof MatrixA.Fragment fragment) {
                    mark(registers, fragment.registers());
                }
            } else if (line.instruction() instanceof Tcgen05.Load load) {
                mark(registers, load.d());
            }
        }
    }

    private void mark(RegisterMap.Scope registers, List<? extends Reg<?>> all) {
        all.forEach(register -> asynchronous.set(registers.id(register)));
    }

    /** Ids of the registers read; accumulators are the wgmma's own business. */
    int[] reads(Unfolding.Line line) {
        RegisterMap.Scope registers = line.frame().registers;
        BitSet ids = new BitSet();
        Operands.visit(line.instruction(), new OperandVisitor() {
            @Override
            public void read(Operand<?> operand, ScalarType type) {
                if (operand instanceof Reg<?> register) {
                    ids.set(registers.id(register));
                }
            }

            @Override
            public void address(Address address) {
                base(registers, address, ids);
            }
        });
        return ids.stream().toArray();
    }

    /** Ids of the registers that make its address. */
    int[] addresses(Unfolding.Line line) {
        RegisterMap.Scope registers = line.frame().registers;
        BitSet ids = new BitSet();
        Operands.visit(line.instruction(), new OperandVisitor() {
            @Override
            public void address(Address address) {
                base(registers, address, ids);
            }
        });
        return ids.stream().toArray();
    }

    private static void base(RegisterMap.Scope registers, Address address, BitSet ids) {
        if (address instanceof Address.InRegister a) {
            ids.set(registers.id(a.base()));
        }
    }

    int[] writes(Unfolding.Line line) {
        RegisterMap.Scope registers = line.frame().registers;
        BitSet ids = new BitSet();
        boolean later = line.instruction() instanceof Wgmma.MmaAsync || line.instruction() instanceof Tcgen05.Load;
        if (!later) {
            Operands.visit(line.instruction(), new OperandVisitor() {
                @Override
                public void write(Reg<?> register, ScalarType type) {
                    ids.set(registers.id(register));
                }
            });
        }
        return ids.stream().toArray();
    }

    int[] touches(Unfolding.Line line) {
        if (line.instruction() instanceof Wgmma.MmaAsync) {
            return new int[0];
        }
        BitSet ids = new BitSet();
        for (int id : reads(line)) {
            ids.set(id);
        }
        for (int id : writes(line)) {
            ids.set(id);
        }
        ids.and(asynchronous);
        return ids.stream().toArray();
    }
}
