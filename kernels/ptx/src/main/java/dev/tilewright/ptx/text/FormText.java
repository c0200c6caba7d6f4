package dev.tilewright.ptx.text;

import dev.tilewright.ptx.form.Form;
import dev.tilewright.ptx.form.Form.Modifier;
import dev.tilewright.ptx.form.Form.Slot;
import dev.tilewright.ptx.form.Forms;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Spelled;

/** An instruction of the table of {@link Forms} as text. */
final class FormText {
    private FormText() {}

    static String of(Instruction instruction) {
        Form form = Forms.of(instruction.getClass());
        StringBuilder mnemonic = new StringBuilder(modifier(form, form.opcode(), instruction));
        for (Modifier modifier : form.modifiers()) {
            String text = modifier(form, modifier, instruction);
            mnemonic.append(text.isEmpty() ? "" : ".").append(text);
        }
        Object[] operands =
                form.slots().stream().map(slot -> slot(form, slot, instruction)).toArray();
        return operands.length == 0 ? mnemonic.toString() : OperandText.line(mnemonic.toString(), operands);
    }

    private static String modifier(Form form, Modifier modifier, Instruction instruction) {
        return switch (modifier) {
            case Modifier.Word word -> word.text();
            case Modifier.Flag flag ->
                form.component(instruction, flag.component()).orElseThrow().equals(true) ? flag.yes() : flag.no();
            case Modifier.Constant constant -> spelled(form, constant.component(), instruction);
            case Modifier.OfType(int component) -> spelled(form, component, instruction);
        };
    }

    private static String spelled(Form form, int component, Instruction instruction) {
        return form.component(instruction, component)
                .map(value -> ((Spelled) value).ptx())
                .orElse("");
    }

    private static Object slot(Form form, Slot slot, Instruction instruction) {
        return switch (slot) {
            case Slot.Register(int component) -> form.component(instruction, component);
            case Slot.Value value -> form.component(instruction, value.component());
            case Slot.Mask(int component) ->
                OperandText.hexadecimal(
                        (Operand<?>) form.component(instruction, component).orElseThrow());
            case Slot.Number number -> {
                int value = (Integer)
                        form.component(instruction, number.component()).orElseThrow();
                yield number.hexadecimal() ? "0x" + Integer.toHexString(value) : Integer.toString(value);
            }
        };
    }
}
