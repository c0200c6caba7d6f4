package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.form.Form;
import dev.tilewright.ptx.form.Form.Modifier;
import dev.tilewright.ptx.form.Form.Slot;
import dev.tilewright.ptx.form.Form.Typed;
import dev.tilewright.ptx.form.Forms;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Spelled;
import java.util.Arrays;
import java.util.Optional;

/** An instruction of the table of {@link Forms}. */
final class FormParser {
    private FormParser() {}

    static Instruction read(Line in, Form form) {
        Optional<?>[] values = new Optional<?>[form.size()];
        Arrays.fill(values, Optional.empty());
        if (form.opcode() instanceof Modifier.Constant constant) {
            Spelled opcode = constant.constants().get(in.opcode());
            if (opcode == null) {
                throw in.refuse("has no such type");
            }
            values[constant.component()] = Optional.of(opcode);
        }
        form.modifiers().forEach(modifier -> modifier(in, modifier, values));
        form.slots().forEach(slot -> slot(in, slot, values));
        return form.make(values);
    }

    private static void modifier(Line in, Modifier modifier, Optional<?>[] values) {
        switch (modifier) {
            case Modifier.Word word -> in.require(word.text());
            case Modifier.Flag flag -> values[flag.component()] = Optional.of(flag(in, flag));
            case Modifier.Constant c ->
                values[c.component()] =
                        c.optional() ? in.maybe(c.constants()) : Optional.of(in.one(c.constants(), "the " + c.name()));
            case Modifier.OfType type -> values[type.component()] = Optional.of(in.type());
        }
    }

    private static boolean flag(Line in, Modifier.Flag flag) {
        if (flag.yes().isEmpty()) {
            return !in.has(flag.no());
        }
        boolean yes = in.has(flag.yes());
        if (!yes && !flag.no().isEmpty()) {
            in.require(flag.no());
        }
        return yes;
    }

    private static void slot(Line in, Slot slot, Optional<?>[] values) {
        switch (slot) {
            case Slot.Register(int component) -> values[component] = Optional.of(in.register());
            case Slot.Value value -> values[value.component()] = Optional.of(in.value(type(value.type(), values)));
            case Slot.Mask(int component) -> values[component] = Optional.of(in.word());
            case Slot.Number number ->
                values[number.component()] =
                        Optional.of(in.constant("the " + number.name(), number.low(), number.high()));
        }
    }

    private static ScalarType type(Typed type, Optional<?>[] values) {
        return switch (type) {
            case Typed.Fixed fixed -> fixed.type();
            case Typed.Component(int component) -> (ScalarType) values[component].orElseThrow();
        };
    }
}
