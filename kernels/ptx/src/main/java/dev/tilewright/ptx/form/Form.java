package dev.tilewright.ptx.form;

import dev.tilewright.ptx.form.Modifier.Constant;
import dev.tilewright.ptx.form.Modifier.Flag;
import dev.tilewright.ptx.form.Modifier.Word;
import dev.tilewright.ptx.instruction.Instruction;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How PTX writes a record, from a line of {@link Forms} in the {@link Notation}. */
public final class Form {
    private final Class<? extends Instruction> record;
    private final RecordComponent[] components;
    private final Constructor<? extends Instruction> constructor;
    private final Modifier opcode;
    private final List<Modifier> modifiers;
    private final List<Slot> slots;
    /** The words that the mnemonic begins with. */
    private final String words;
    /** Words that a text of this form needs: of each collection one. */
    private final List<Collection<String>> needed;

    Form(Class<? extends Instruction> record, String line) {
        this.record = record;
        this.components = record.getRecordComponents();
        this.constructor = constructor(record);
        Notation notation = new Notation(record);
        String[] parts = line.split(" ");
        String[] mnemonic = parts[0].split("\\.");
        this.opcode = notation.modifier(mnemonic[0]);
        this.modifiers = Arrays.stream(mnemonic).skip(1).map(notation::modifier).toList();
        this.slots = Arrays.stream(parts).skip(1).map(notation::slot).toList();
        this.words = Stream.concat(Stream.of(opcode), modifiers.stream())
                .takeWhile(modifier -> modifier instanceof Word)
                .map(modifier -> ((Word) modifier).alternatives().getFirst())
                .collect(Collectors.joining("."));
        this.needed = modifiers.stream()
                .map(Modifier::needed)
                .filter(words -> !words.isEmpty())
                .toList();
    }

    public Modifier opcode() {
        return opcode;
    }

    /** The opcodes that it may have. */
    Set<String> opcodes() {
        return switch (opcode) {
            case Word word -> Set.copyOf(word.alternatives());
            case Flag flag -> Set.of(flag.yes(), flag.no());
            case Constant constant -> constant.read().keySet();
            case Modifier.Never _,
                    Modifier.OfType _,
                    Modifier.OfShape _,
                    Modifier.OfOrdering _,
                    Modifier.OfSpace _,
                    Modifier.Present _,
                    Modifier.Count _,
                    Modifier.Dimensions _,
                    Modifier.Flags _ -> throw new IllegalStateException("form: no opcode of " + record);
        };
    }

    public List<Modifier> modifiers() {
        return modifiers;
    }

    public List<Slot> slots() {
        return slots;
    }

    /** The number of needed modifiers that a text has. */
    long found(Predicate<String> modifiers) {
        return needed.stream()
                .filter(words -> words.stream().anyMatch(modifiers))
                .count();
    }

    boolean complete(Predicate<String> modifiers) {
        return needed.stream().allMatch(words -> words.stream().anyMatch(modifiers));
    }

    /** The name of a component as words: typeA is type A. */
    public String name(int component) {
        return components[component].getName().replaceAll("([a-z])([A-Z])", "$1 $2");
    }

    /** The name of a component behind the words that the mnemonic begins with. */
    String described(int component) {
        return words + ": " + name(component);
    }

    /** The value of a component of the instruction; for an Optional, the value that it holds, or nothing. */
    public Optional<?> component(Instruction instruction, int index) {
        Object value = read(components[index], instruction);
        return value instanceof Optional<?> maybe ? maybe : Optional.of(value);
    }

    /** True if the component is an Optional. */
    public boolean optional(int index) {
        return components[index].getType() == Optional.class;
    }

    /** An instruction of these components; absent ones are empty. */
    public Instruction make(Optional<?>[] values) {
        Object[] arguments = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            arguments[i] = optional(i) ? values[i] : values[i].orElseThrow();
        }
        return create(constructor, arguments);
    }

    /** The constructor of a record with all of its components. */
    static <T> Constructor<T> constructor(Class<T> record) {
        Class<?>[] types = Arrays.stream(record.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            return record.getConstructor(types);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("form: no constructor of " + record, e);
        }
    }

    /** A record of these components. */
    static <T> T create(Constructor<T> constructor, Object[] arguments) {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException refused) {
            throw refused.getCause() instanceof IllegalArgumentException cause
                    ? cause
                    : new IllegalStateException(refused.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("form: no access to " + constructor, e);
        }
    }

    /** The value of a component. */
    static Object read(RecordComponent component, Object of) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("form: no access to " + component, e);
        }
    }

    public int size() {
        return components.length;
    }
}
