package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Matrix.Packing;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Map;

/** {@link Matrix}. */
final class MatrixParser {
    private static final Map<String, Packing> PACKED =
            Map.of("b6x16_p32", Packing.SIX_BITS, "b4x16_p64", Packing.FOUR_BITS);

    private MatrixParser() {}

    static Instruction store(Line in) {
        in.require("sync", "aligned");
        if (!in.has("m8n8")) {
            return storeBytes(in);
        }
        int count = head(in, "b16");
        boolean transposed = in.has("trans");
        SharedAddress address = Addresses.shared(in);
        List<Reg<B32>> values = in.registers();
        in.requireElements(values.size(), count);
        return new Matrix.Store(transposed, address, values);
    }

    private static Instruction storeBytes(Line in) {
        in.require("m16n8");
        int count = head(in, "b8");
        in.require("trans");
        SharedAddress address = Addresses.shared(in);
        List<Reg<B32>> values = in.registers();
        in.requireElements(values.size(), count);
        return new Matrix.StoreBytes(address, values);
    }

    static Instruction load(Line in) {
        in.require("sync", "aligned");
        if (!in.has("m8n8")) {
            return loadBytes(in);
        }
        int count = head(in, "b16");
        boolean transposed = in.has("trans");
        List<Reg<B32>> d = in.registers();
        in.requireElements(d.size(), count);
        return new Matrix.Load(transposed, d, Addresses.shared(in));
    }

    private static Instruction loadBytes(Line in) {
        boolean square = in.has("m16n16");
        if (!square) {
            in.require("m8n16");
        }
        boolean unpacks = in.has("b8x16");
        Packing packing = unpacks ? in.one(PACKED, "a format of elements") : Packing.BYTES;
        int count = unpacks ? head(in) : head(in, "b8");
        if (square) {
            in.require("trans");
        }
        List<Reg<B32>> d = in.registers();
        in.requireElements(d.size(), square ? 2 * count : count);
        return new Matrix.LoadBytes(packing, square, d, Addresses.shared(in));
    }

    private static int head(Line in, String type) {
        int count = head(in);
        in.require(type);
        return count;
    }

    private static int head(Line in) {
        if (in.space() != StateSpace.SHARED) {
            throw in.unsupported("an address outside of .shared::cta is not supported");
        }
        return in.counted("x", "").orElseThrow(() -> in.refuse("needs .x1, .x2 or .x4"));
    }
}
