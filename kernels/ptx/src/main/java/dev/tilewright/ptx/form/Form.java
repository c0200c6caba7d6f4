package dev.tilewright.ptx.form;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Spelled;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How PTX writes a record, from a line such as {@code "bfind.{shift:shiftamt|}.{type} d a:type"}. Behind the opcode
 * stand the modifiers: a word that is always there; {@code {flag:yes|no}}, of which one may be empty;
 * {@code {constant}} of an enum, left out where an Optional is empty. An opcode may be a constant itself. Then come the
 * operands: a register; {@code a:type}, a value of the type that a component or a name says; {@code mask:hex}, 32 bits
 * in hexadecimal; {@code count:24..256}, a number, in hexadecimal if its bounds are.
 */
public final class Form {
    /** A modifier. */
    public sealed interface Modifier {
        record Word(String text) implements Modifier {}

        record Flag(int component, String yes, String no) implements Modifier {}

        record Constant(int component, String name, Map<String, Spelled> constants, boolean optional)
                implements Modifier {}

        record OfType(int component) implements Modifier {}
    }

    /** An operand. */
    public sealed interface Slot {
        record Register(int component) implements Slot {}

        /** A register or constant. */
        record Value(int component, Typed type) implements Slot {}

        record Mask(int component) implements Slot {}

        record Number(int component, String name, int low, int high, boolean hexadecimal) implements Slot {}
    }

    /** The type of a value. */
    public sealed interface Typed {
        record Fixed(ScalarType type) implements Typed {}

        record Component(int component) implements Typed {}
    }

    private final Class<? extends Instruction> record;
    private final List<RecordComponent> components;
    private final Modifier opcode;
    private final List<Modifier> modifiers = new ArrayList<>();
    private final List<Slot> slots = new ArrayList<>();

    Form(Class<? extends Instruction> record, String line) {
        this.record = record;
        this.components = List.of(record.getRecordComponents());
        String[] parts = line.split(" ");
        String[] mnemonic = parts[0].split("\\.");
        this.opcode = modifier(mnemonic[0]);
        Arrays.stream(mnemonic).skip(1).map(this::modifier).forEach(modifiers::add);
        Arrays.stream(parts).skip(1).map(this::slot).forEach(slots::add);
    }

    private Modifier modifier(String text) {
        if (!text.startsWith("{")) {
            return new Modifier.Word(text);
        }
        String name = text.substring(1, text.length() - 1);
        int colon = name.indexOf(':');
        if (colon >= 0) {
            int bar = name.indexOf('|');
            return new Modifier.Flag(
                    index(name.substring(0, colon)), name.substring(colon + 1, bar), name.substring(bar + 1));
        }
        int component = index(name);
        Type type = components.get(component).getGenericType();
        boolean optional = type instanceof ParameterizedType;
        if (type == ScalarType.class) {
            return new Modifier.OfType(component);
        }
        Class<?> constants = (Class<?>) (type instanceof ParameterizedType p ? p.getActualTypeArguments()[0] : type);
        return new Modifier.Constant(component, name, spellings(constants), optional);
    }

    private static Map<String, Spelled> spellings(Class<?> constants) {
        return Arrays.stream(constants.getEnumConstants())
                .map(Spelled.class::cast)
                .collect(Collectors.toMap(Spelled::ptx, c -> c, (a, _) -> a, LinkedHashMap::new));
    }

    private Slot slot(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            return new Slot.Register(index(text));
        }
        String name = text.substring(0, colon);
        String kind = text.substring(colon + 1);
        int dots = kind.indexOf("..");
        if (dots >= 0) {
            return new Slot.Number(
                    index(name),
                    name,
                    Integer.decode(kind.substring(0, dots)),
                    Integer.decode(kind.substring(dots + 2)),
                    kind.startsWith("0x"));
        }
        return kind.equals("hex") ? new Slot.Mask(index(name)) : new Slot.Value(index(name), typed(kind));
    }

    private Typed typed(String kind) {
        return components.stream().anyMatch(c -> c.getName().equals(kind))
                ? new Typed.Component(index(kind))
                : new Typed.Fixed(ScalarType.valueOf(kind.toUpperCase(Locale.ROOT)));
    }

    private int index(String name) {
        for (int i = 0; i < components.size(); i++) {
            if (components.get(i).getName().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("form: " + record.getSimpleName() + " has no component " + name);
    }

    public Modifier opcode() {
        return opcode;
    }

    /** The opcodes that it may have. */
    Set<String> opcodes() {
        return switch (opcode) {
            case Modifier.Word word -> Set.of(word.text());
            case Modifier.Constant constant -> constant.constants().keySet();
            case Modifier.Flag _, Modifier.OfType _ -> throw new IllegalStateException("form: no opcode of " + record);
        };
    }

    /** The modifiers that are always there. */
    List<String> words() {
        return modifiers.stream()
                .filter(Modifier.Word.class::isInstance)
                .map(word -> ((Modifier.Word) word).text())
                .toList();
    }

    public List<Modifier> modifiers() {
        return modifiers;
    }

    public List<Slot> slots() {
        return slots;
    }

    /** The value of a component of the instruction; for an Optional, the value that it holds, or nothing. */
    public Optional<?> component(Instruction instruction, int index) {
        try {
            Object value = components.get(index).getAccessor().invoke(instruction);
            return value instanceof Optional<?> maybe ? maybe : Optional.of(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("form: no access to " + components.get(index), e);
        }
    }

    /** An instruction of these components; absent ones are empty. */
    public Instruction make(Optional<?>[] values) {
        Object[] arguments = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            boolean optional = components.get(i).getType() == Optional.class;
            arguments[i] = optional ? values[i] : values[i].orElseThrow();
        }
        Class<?>[] types = components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return record.getConstructor(types).newInstance(arguments);
        } catch (InvocationTargetException refused) {
            throw refused.getCause() instanceof IllegalArgumentException cause
                    ? cause
                    : new IllegalStateException(refused.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("form: no constructor of " + record, e);
        }
    }

    public int size() {
        return components.size();
    }
}
