package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import dev.tilewright.ptx.instruction.TensorMapUpdate.Field;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import java.util.Map;
import java.util.Optional;

/** {@link TensorMapUpdate}. */
final class TensorMapParser {
    private static final Map<String, Field> FIELDS = Spellings.of(Field.values(), Field::ptx);
    private static final String PROXIES = "tensormap::generic";
    private static final int MAP_BYTES = 128;

    private TensorMapParser() {}

    static Instruction tensorMap(Line in) {
        if (in.has("cp_fenceproxy")) {
            in.require(PROXIES, "release", "sync", "aligned", "global", "shared::cta");
            Scope scope = in.one(Spellings.SCOPES, "a scope");
            GlobalAddress destination = Addresses.global(in);
            SharedAddress source = Addresses.shared(in);
            size(in);
            return new TensorMapUpdate.CopyRelease(scope, destination, source);
        }
        in.require("replace", "tile", "b1024");
        Field field = in.one(FIELDS, "a field");
        in.require(field.type().ptx());
        StateSpace space = in.space();
        Address map = Addresses.of(in, space);
        Optional<Integer> dimension =
                field.ofDimension() ? Optional.of(in.constant("the dimension", 0, 4)) : Optional.empty();
        return new TensorMapUpdate.Replace(field, map, dimension, in.value(field.type()));
    }

    /** fence.proxy of the tensormap proxy; the first two are taken. */
    static Instruction fence(Line in) {
        in.require(PROXIES);
        boolean acquire = in.has("acquire");
        if (!acquire) {
            in.require("release");
        }
        Scope scope = in.one(Spellings.SCOPES, "a scope");
        if (!acquire) {
            in.requireNoModifier();
            return new TensorMapUpdate.Release(scope);
        }
        GenericAddress map = Addresses.generic(in);
        size(in);
        return new TensorMapUpdate.Acquire(scope, map);
    }

    private static void size(Line in) {
        in.constant("the bytes of a map", MAP_BYTES, MAP_BYTES);
    }
}
