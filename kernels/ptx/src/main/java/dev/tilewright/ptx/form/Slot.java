package dev.tilewright.ptx.form;

import dev.tilewright.ptx.type.ScalarType;
import java.util.Optional;

/** An operand of a line of {@link Forms}; components are named by their index in the record. */
public sealed interface Slot {
    /** A register; a list of them is one alone or a vector in braces, an empty Optional is left out. */
    record Register(int component) implements Slot {}

    /** A register or constant; a list of them is one alone or a vector in braces, an empty Optional is left out. */
    record Value(int component, Typed type) implements Slot {}

    /** A register, or {@code _} for an empty Optional. */
    record Sink(int component) implements Slot {}

    /** {@code first|second}; an empty Optional is {@code _} in front, and left out behind. */
    record Pair(int first, boolean sink, int second) implements Slot {}

    /** A mask of lanes. */
    record Mask(int component) implements Slot {}

    /** A number of the text. */
    record Number(int component, String name, int low, int high, boolean hexadecimal) implements Slot {}

    /** A number of bytes that never differs. */
    record Bytes(int bytes) implements Slot {}

    /** Registers in braces; with a type registers and constants. */
    record Vector(int component, Optional<Typed> type) implements Slot {}

    /**
     * An address in brackets.
     *
     * @param barrier whether an mbarrier lies there
     * @param inCluster the component with which the address is one of the cluster, and without it one of the own CTA
     */
    record At(int component, Class<?> type, boolean barrier, Optional<Integer> inCluster) implements Slot {}

    /**
     * {@code [map, {coordinates}]}; with the flag {@code fourRows} of a tensor of two dimensions, whose coordinates are
     * five.
     */
    record Box(int map, int coordinates, Optional<Integer> fourRows) implements Slot {}

    /** A predicate, with {@code !} before it if the other component is true. */
    record Predicate(int component, int negated) implements Slot {}

    /** A label. */
    record Target(int component) implements Slot {}

    /** The type of a value: always the same, or that of a component. */
    sealed interface Typed {
        record Fixed(ScalarType type) implements Typed {}

        record Component(int component) implements Typed {}
    }
}
