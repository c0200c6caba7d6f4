package dev.tilewright.ptx.form;

import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BitField;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Tooling;
import dev.tilewright.ptx.instruction.WarpExchange;
import dev.tilewright.ptx.instruction.WarpMatrix;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The table of instructions that one line spells. */
public final class Forms {
    private static final Map<Class<?>, Form> TABLE = new Table()
            .add(Arithmetic.Lop3.class, "lop3.b32 d a:b32 b:b32 c:b32 table:0x0..0xff")
            .add(Arithmetic.BitFieldExtract.class, "bfe.{type} d a:type position:b32 length:b32")
            .add(BitField.Insert.class, "bfi.{type} d a:type b:type position:b32 length:b32")
            .add(BitField.FunnelShift.class, "shf.{left:l|r}.{wrap:wrap|clamp}.b32 d a:b32 b:b32 count:b32")
            .add(BitField.FindHighest.class, "bfind.{shift:shiftamt|}.{type} d a:type")
            .add(BitField.Mask.class, "bmsk.{wrap:wrap|clamp}.b32 d position:b32 length:b32")
            .add(BitField.Permute.class, "prmt.b32.{mode} d a:b32 b:b32 selector:b32")
            .add(BitField.AbsoluteDifference.class, "sad.{type} d a:type b:type c:type")
            .add(BitField.PairBinary.class, "{operation}.{relu:relu|}.{signed:s16x2|u16x2} d a:b32 b:b32")
            .add(BitField.DotProduct.class, "dp4a.{typeA}.{typeB} d a:b32 b:b32 c:b32")
            .add(FloatMath.CopySign.class, "copysign.{type} d a:type b:type")
            .add(FloatMath.Test.class, "testp.{property}.{type} d a:type")
            .add(Compare.Select.class, "selp.{type} d a:type b:type p")
            .add(Compare.SelectBySign.class, "slct.{flushToZero:ftz|}.{type}.{of} d a:type b:type c:of")
            .add(Barrier.SetMaxRegisters.class, "setmaxnreg.{increase:inc|dec}.sync.aligned.u32 count:0..256")
            .add(Barrier.GridDependency.class, "griddepcontrol.{action}")
            .add(Barrier.Nanosleep.class, "nanosleep.u32 nanoseconds:b32")
            .add(WarpExchange.ActiveMask.class, "activemask.b32 d")
            .add(WarpMatrix.Transpose.class, "movmatrix.sync.aligned.m8n8.trans.b16 d a")
            .add(Tooling.Breakpoint.class, "brkpt")
            .add(Tooling.PerformanceEvent.class, "pmevent event:0..15")
            .forms();

    private Forms() {}

    private static final class Table {
        private final Map<Class<?>, Form> forms = new HashMap<>();

        private Table add(Class<? extends Instruction> record, String line) {
            forms.put(record, new Form(record, line));
            return this;
        }

        private Map<Class<?>, Form> forms() {
            return Map.copyOf(forms);
        }
    }

    /** All of them. */
    public static Collection<Form> all() {
        return TABLE.values();
    }

    /** The line of a record. */
    public static Form of(Class<? extends Instruction> record) {
        return Objects.requireNonNull(TABLE.get(record), () -> "no line for " + record.getSimpleName());
    }
}
