package dev.tilewright.ptx.text;

import dev.tilewright.ptx.form.Form;
import dev.tilewright.ptx.form.Forms;
import dev.tilewright.ptx.form.Modifier;
import dev.tilewright.ptx.form.Slot;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.ScalarType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** An instruction of the table of {@link Forms} as text. */
final class FormText {
    private final Form form;
    private final Instruction instruction;

    private FormText(Instruction instruction) {
        this.form = Forms.of(instruction.getClass());
        this.instruction = instruction;
    }

    static String of(Instruction instruction) {
        FormText text = new FormText(instruction);
        StringBuilder mnemonic = new StringBuilder(text.modifier(text.form.opcode()));
        for (Modifier modifier : text.form.modifiers()) {
            String word = text.modifier(modifier);
            mnemonic.append(word.isEmpty() || word.startsWith(".") ? "" : ".").append(word);
        }
        String operands = text.form.slots().stream()
                .map(text::slot)
                .filter(operand -> !operand.isEmpty())
                .collect(Collectors.joining(", "));
        return mnemonic + (operands.isEmpty() ? "" : " " + operands);
    }

    private Optional<?> maybe(int component) {
        return form.component(instruction, component);
    }

    private Object value(int component) {
        return maybe(component).orElseThrow();
    }

    private boolean flag(int component) {
        return (Boolean) value(component);
    }

    private List<?> list(int component) {
        return (List<?>) value(component);
    }

    private String modifier(Modifier modifier) {
        return switch (modifier) {
            case Modifier.Word word -> word.alternatives().getFirst();
            case Modifier.Never _ -> "";
            case Modifier.Flag flag -> flag(flag.component()) ? flag.yes() : flag.no();
            case Modifier.Constant constant ->
                maybe(constant.component()).map(constant.written()::get).orElse("");
            case Modifier.OfType type -> ((ScalarType) value(type.component())).ptx();
            case Modifier.OfShape(int component) -> ((WarpMatrix.Shape) value(component)).ptx();
            case Modifier.OfOrdering ordering -> ((Ordering) value(ordering.component())).ptx();
            case Modifier.OfSpace(int address) ->
                ((Address) value(address)).space().ptx();
            case Modifier.Present present -> maybe(present.component()).isPresent() ? present.word() : "";
            case Modifier.Count count -> {
                int size = list(count.components().getFirst()).size();
                yield count.always() || size > 1 ? count.letter() + size : "";
            }
            case Modifier.Dimensions dimensions -> {
                boolean fourRows = dimensions.fourRows().filter(this::flag).isPresent();
                yield (fourRows ? 2 : list(dimensions.coordinates()).size()) + "d";
            }
            case Modifier.Flags flags ->
                String.join(".", flags.set(value(flags.component()))).replace('+', '.');
        };
    }

    private String slot(Slot slot) {
        return switch (slot) {
            case Slot.Single single -> operand(single.component());
            case Slot.Sink(Slot.Register register) -> sink(register.component());
            case Slot.Pair pair -> {
                String second = operand(pair.second().component());
                yield pair.sink()
                        ? sink(pair.first().component()) + "|" + second
                        : operand(pair.first().component()) + (second.isEmpty() ? "" : "|" + second);
            }
            case Slot.Mask(int component) -> OperandText.hexadecimal((Operand<?>) value(component));
            case Slot.Number number -> {
                int n = (Integer) value(number.component());
                yield number.hexadecimal() ? "0x" + Integer.toHexString(n) : Integer.toString(n);
            }
            case Slot.Bytes(int bytes) -> Integer.toString(bytes);
            case Slot.Vector(Slot.Single elements) -> OperandText.vector(operands(elements.component()));
            case Slot.At at -> OperandText.written(value(at.component()));
            case Slot.Box box ->
                "[" + ((GenericAddress) value(box.map())).base().name() + ", "
                        + OperandText.vector(operands(box.coordinates())) + "]";
            case Slot.Predicate predicate -> (flag(predicate.negated()) ? "!" : "") + operand(predicate.component());
            case Slot.Target(int component) -> ((Label) value(component)).name();
        };
    }

    /** The operand, or a list of them; nothing for an empty Optional. */
    private String operand(int component) {
        return maybe(component)
                .map(value -> value instanceof List<?>
                        ? OperandText.scalarOrVector(operands(component))
                        : OperandText.operand((Operand<?>) value))
                .orElse("");
    }

    private String sink(int component) {
        return maybe(component).isPresent() ? operand(component) : "_";
    }

    private List<? extends Operand<?>> operands(int component) {
        return list(component).stream().map(operand -> (Operand<?>) operand).toList();
    }
}
