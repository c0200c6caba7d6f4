package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import dev.tilewright.ptx.instruction.TensorMapUpdate.Field;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.StateSpace;
import java.util.Map;
import java.util.Optional;

/** {@link TensorMapUpdate}. */
final class TensorMapParser {
    private static final Map<String, Field> FIELDS = Spellings.of(Field.values(), Field::ptx);

    private TensorMapParser() {}

    static Instruction replace(Line in) {
        in.require("replace", "tile", "b1024");
        Field field = in.one(FIELDS, "a field");
        in.require(field.type().ptx());
        StateSpace space = in.space();
        Address map = Addresses.of(in, space);
        Optional<Integer> dimension =
                field.ofDimension() ? Optional.of(in.constant("the dimension", 0, 4)) : Optional.empty();
        return new TensorMapUpdate.Replace(field, map, dimension, in.value(field.type()));
    }
}
