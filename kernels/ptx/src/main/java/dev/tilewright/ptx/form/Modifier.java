package dev.tilewright.ptx.form;

import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A modifier of a line of {@link Forms}; components are named by their index in the record. */
public sealed interface Modifier {
    /** The words of which every text of the form has one; none if the modifier may be missing. */
    default Collection<String> needed() {
        return List.of();
    }

    /** Written as the first alternative and read as any; with an empty alternative it may be missing. */
    record Word(List<String> alternatives) implements Modifier {
        @Override
        public Collection<String> needed() {
            return alternatives.contains("") ? List.of() : alternatives;
        }
    }

    /** Never written; a text with it is no PTX, because only another form has it. */
    record Never(String word) implements Modifier {}

    /** A boolean; {@code mayMiss}: neither word need be there. */
    record Flag(int component, String yes, String no, boolean mayMiss) implements Modifier {
        @Override
        public Collection<String> needed() {
            return mayMiss || yes.isEmpty() || no.isEmpty() ? List.of() : List.of(yes, no);
        }
    }

    /**
     * A constant of an enum.
     *
     * @param absent the constant that no modifier means
     * @param optional true if the component is an Optional
     */
    record Constant(
            int component,
            Map<Object, String> written,
            Map<String, Object> read,
            Optional<Object> absent,
            boolean optional)
            implements Modifier {
        @Override
        public Collection<String> needed() {
            return absent.isPresent() || optional ? List.of() : read.keySet();
        }
    }

    /** A scalar type; {@code pairs}: f32x2 too, which arithmetic alone has. */
    record OfType(int component, boolean pairs) implements Modifier {}

    /** The M, N and K of a matrix multiply. */
    record OfShape(int component) implements Modifier {}

    /** An ordering; the instruction's own one is written if {@code always}. */
    record OfOrdering(int component, Sem sem, Scope scope, boolean always) implements Modifier {}

    /** The state space of an address. */
    record OfSpace(int address) implements Modifier {}

    /** A word that is there if and only if the component is. */
    record Present(int component, String word) implements Modifier {}

    /** The size of each of these lists of operands, behind a letter: {@code v}, left out for one, or {@code x}. */
    record Count(List<Integer> components, String letter) implements Modifier {
        public boolean always() {
            return letter.equals("x");
        }
    }

    /** The dimensions of a tensor; with the flag {@code fourRows} two, whose coordinates are five. */
    record Dimensions(int coordinates, Optional<Integer> fourRows) implements Modifier {}

    /** A record of flags, a word for each of its components. */
    record Flags(int component, Constructor<?> options, List<RecordComponent> flags, List<String> words)
            implements Modifier {
        public Object of(List<Boolean> set) {
            return Form.create(options, set.toArray());
        }

        /** The words of the flags that are set. */
        public List<String> set(Object options) {
            return IntStream.range(0, flags.size())
                    .filter(i -> (Boolean) Form.read(flags.get(i), options))
                    .mapToObj(words::get)
                    .toList();
        }
    }
}
