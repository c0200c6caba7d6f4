package dev.tilewright.ptx.form;

import dev.tilewright.ptx.type.ScalarType;
import java.util.Optional;

/** An operand of a line of {@link Forms}; components are named by their index in the record. */
public sealed interface Slot {
    /** An operand of which a list is one alone or a vector in braces; an empty Optional is left out. */
    sealed interface Single extends Slot {
        int component();
    }

    /**
     * A register.
     *
     * @param type absent if the record tells its operands itself
     */
    record Register(int component, Optional<Typed> type, boolean written) implements Single {}

    /**
     * A register or constant.
     *
     * @param limits of the machine for a constant
     */
    record Value(int component, Typed type, Optional<Limits> limits) implements Single {}

    /** A register, or {@code _} for an empty Optional. */
    record Sink(Register register) implements Slot {}

    /** {@code first|second}; an empty Optional is {@code _} in front, and left out behind. */
    record Pair(Register first, boolean sink, Register second) implements Slot {}

    /** A mask of lanes. */
    record Mask(int component) implements Slot {}

    /** A number of the text. */
    record Number(int component, Limits limits, boolean hexadecimal) implements Slot {}

    /** A number of bytes that never differs. */
    record Bytes(int bytes) implements Slot {}

    /** Operands in braces. */
    record Vector(Single elements) implements Slot {}

    /**
     * An address in brackets.
     *
     * @param barrier whether an mbarrier lies there
     * @param alignment that the machine needs, in bytes
     * @param inCluster the component with which the address is one of the cluster, and without it one of the own CTA
     */
    record At(int component, Class<?> type, boolean barrier, int alignment, Optional<Integer> inCluster)
            implements Slot {}

    /**
     * {@code [map, {coordinates}]}; with the flag {@code fourRows} of a tensor of two dimensions, whose coordinates are
     * five.
     */
    record Box(int map, int coordinates, Optional<Integer> fourRows) implements Slot {}

    /** A predicate, with {@code !} before it if the other component is true. */
    record Predicate(int component, int negated) implements Slot {}

    /** A label. */
    record Target(int component) implements Slot {}

    /** The smallest and the largest value. */
    record Limits(int low, int high) {}

    /** The type of a value: always the same, or that of a component. */
    sealed interface Typed {
        record Fixed(ScalarType type) implements Typed {}

        record Component(int component) implements Typed {}
    }
}
