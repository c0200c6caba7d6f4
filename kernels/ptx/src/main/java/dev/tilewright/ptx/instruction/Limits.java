package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Operand;

/**
 * Refuses what an assembler takes and a machine does not. A text of others may hold it: their base register may be
 * aligned to less than its offset undoes. Our builders keep every base aligned, so that they are refused at once.
 */
public final class Limits implements OperandVisitor {
    @Override
    public void aligned(String what, Address address, int bytes) {
        Check.aligned(what, address.offset(), bytes);
    }

    @Override
    public void within(String what, Operand<?> value, long low, long high) {
        Check.range(what, value, low, high);
    }
}
