package dev.tilewright.emulator.program;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.OperandVisitor;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.VariableAddress;
import java.util.BitSet;
import java.util.List;

/** Which registers an instruction reads and writes, and which of them belong to a wgmma. */
final class RegisterUse {
    private final RegisterMap registers;
    private final BitSet asynchronous = new BitSet();

    RegisterUse(RegisterMap registers, List<Instruction> code) {
        this.registers = registers;
        for (Instruction instruction : code) {
            if (instruction instanceof Wgmma.MmaAsync mma) {
                mma.d().forEach(d -> asynchronous.set(registers.id(d)));
                switch (mma.a()) {
                    case Wgmma.MatrixA.Descriptor _ -> {}
                    case Wgmma.MatrixA.Fragment f -> f.registers().forEach(r -> asynchronous.set(registers.id(r)));
                }
            }
        }
    }

    /** Ids of the registers read; accumulators are the wgmma's own business. */
    int[] reads(Instruction instruction) {
        BitSet ids = new BitSet();
        instruction.operands(new OperandVisitor() {
            @Override
            public void read(Operand<?> operand, ScalarType type) {
                if (operand instanceof Reg<?> register) {
                    ids.set(registers.id(register));
                }
            }

            @Override
            public void address(Address address, StateSpace space) {
                base(address, ids);
            }
        });
        return ids.stream().toArray();
    }

    private void base(Address address, BitSet ids) {
        switch (address) {
            case SharedAddress a -> ids.set(registers.id(a.base()));
            case ClusterAddress a -> ids.set(registers.id(a.base()));
            case GlobalAddress a -> ids.set(registers.id(a.base()));
            case GenericAddress a -> ids.set(registers.id(a.base()));
            case ParamAddress _, VariableAddress.Named _ -> {}
            case VariableAddress.Local a -> ids.set(registers.id(a.base()));
            case VariableAddress.Parameter a -> ids.set(registers.id(a.base()));
            case VariableAddress.Constant a -> ids.set(registers.id(a.base()));
        }
    }

    int[] writes(Instruction instruction) {
        BitSet ids = new BitSet();
        if (!(instruction instanceof Wgmma)) {
            instruction.operands(new OperandVisitor() {
                @Override
                public void write(Reg<?> register, ScalarType type) {
                    ids.set(registers.id(register));
                }
            });
        }
        return ids.stream().toArray();
    }

    int[] touches(Instruction instruction) {
        if (instruction instanceof Wgmma) {
            return new int[0];
        }
        BitSet ids = new BitSet();
        for (int id : reads(instruction)) {
            ids.set(id);
        }
        for (int id : writes(instruction)) {
            ids.set(id);
        }
        ids.and(asynchronous);
        return ids.stream().toArray();
    }
}
