package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.form.Form;
import dev.tilewright.ptx.form.Forms;
import dev.tilewright.ptx.form.Modifier;
import dev.tilewright.ptx.form.Slot;
import dev.tilewright.ptx.form.Slot.Typed;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.parse.Addresses.Box;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.TensorAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An instruction of the table of {@link Forms}. */
final class FormParser {
    private final Line in;
    private final Form form;
    private final Optional<?>[] values;
    /** The state space of each address that the mnemonic names. */
    private final Map<Integer, StateSpace> spaces = new HashMap<>();
    /** The number of elements of each list, and of dimensions of each box, that the mnemonic announces. */
    private final Map<Integer, Integer> counts = new HashMap<>();
    /** True for each optional operand that the mnemonic announces, false for one that it does not. */
    private final Map<Integer, Boolean> announced = new HashMap<>();

    private FormParser(Line in, Form form) {
        this.in = in;
        this.form = form;
        this.values = new Optional<?>[form.size()];
        Arrays.fill(values, Optional.empty());
    }

    static Instruction read(Line in, Class<? extends Instruction> record) {
        return read(in, Forms.of(record));
    }

    /** Says why no line of the table reads the instruction. */
    static Instruction nearest(Line in) {
        return read(
                in,
                Forms.nearest(in.opcode(), in::sees)
                        .orElseThrow(() -> in.unsupported("the instruction is not supported")));
    }

    static Instruction read(Line in, Form form) {
        FormParser parser = new FormParser(in, form);
        if (form.opcode() instanceof Modifier.Constant constant) {
            Object opcode = constant.read().get(in.opcode());
            if (opcode == null) {
                throw in.refuse("has no such type");
            }
            parser.set(constant.component(), opcode);
        } else if (form.opcode() instanceof Modifier.Flag flag) {
            parser.set(flag.component(), in.opcode().equals(flag.yes()));
        }
        form.modifiers().forEach(parser::modifier);
        in.requireNoModifier();
        return parser.operands();
    }

    /** Reads the operands of a record whose mnemonic has been read, and has said its first components. */
    static Instruction operands(Line in, Class<? extends Instruction> record, Object... said) {
        FormParser parser = new FormParser(in, Forms.of(record));
        for (int i = 0; i < said.length; i++) {
            parser.set(i, said[i]);
        }
        return parser.operands();
    }

    private Instruction operands() {
        for (int i = 0; i < form.slots().size(); i++) {
            slot(i);
        }
        return form.make(values);
    }

    private void set(int component, Object value) {
        values[component] = Optional.of(value);
    }

    private void modifier(Modifier modifier) {
        switch (modifier) {
            case Modifier.Word word -> word(word);
            case Modifier.Never(String word) -> {
                if (in.has(word)) {
                    throw in.refuse("." + word + " is a modifier of another form");
                }
            }
            case Modifier.Flag flag -> set(flag.component(), flag(flag));
            case Modifier.Constant c -> constant(c);
            case Modifier.OfType type ->
                set(type.component(), type.pairs() && in.has("f32x2") ? ScalarType.F32X2 : in.type());
            case Modifier.OfShape(int component) -> set(component, WarpMatrixParser.shape(in));
            case Modifier.OfOrdering own -> {
                Ordering ordering = in.ordering(own.sem(), own.scope());
                boolean none = own.always() && ordering.equals(Ordering.DEFAULT);
                set(own.component(), none ? new Ordering(own.sem(), own.scope()) : ordering);
            }
            case Modifier.OfSpace(int address) -> spaces.put(address, in.space());
            case Modifier.Present present -> announced.put(present.component(), in.has(present.word()));
            case Modifier.Count count -> {
                Optional<Integer> counted = in.counted(count.letter(), "");
                int size = count.always()
                        ? counted.orElseThrow(() -> in.refuse("needs .x1, .x2 or .x4"))
                        : counted.orElse(1);
                count.components().forEach(list -> counts.put(list, size));
            }
            case Modifier.Dimensions dimensions ->
                counts.put(
                        dimensions.coordinates(),
                        in.counted("", "d").orElseThrow(() -> in.refuse("needs the number of dimensions")));
            case Modifier.Flags flags -> {
                List<Boolean> set = flags.words().stream().map(this::flag).toList();
                set(flags.component(), flags.of(set));
            }
        }
    }

    /** Takes a word, or several joined by +, if the first is there. */
    private boolean flag(String joined) {
        String[] words = joined.split("\\+");
        boolean set = in.has(words[0]);
        if (set) {
            in.require(Arrays.copyOfRange(words, 1, words.length));
        }
        return set;
    }

    private void word(Modifier.Word word) {
        boolean there = word.alternatives().stream().anyMatch(in::has);
        if (!there && !word.needed().isEmpty()) {
            String first = word.alternatives().getFirst();
            // Without their space these forms take generic addresses.
            throw first.startsWith("shared")
                    ? in.unsupported("an address outside of ." + first + " is not supported")
                    : in.lacks("." + first);
        }
    }

    private boolean flag(Modifier.Flag flag) {
        if (!flag.needed().isEmpty()) {
            return in.maybe(Map.of(flag.yes(), true, flag.no(), false)).orElseThrow(() -> in.lacks("." + flag.no()));
        }
        if (flag.yes().isEmpty()) {
            return !in.has(flag.no());
        }
        boolean yes = in.has(flag.yes());
        in.has(flag.no());
        return yes;
    }

    private void constant(Modifier.Constant constant) {
        values[constant.component()] = constant.needed().isEmpty()
                ? in.maybe(constant.read()).or(constant::absent)
                : Optional.of(in.one(constant.read(), "the " + form.name(constant.component())));
    }

    private void slot(int index) {
        Slot slot = form.slots().get(index);
        switch (slot) {
            case Slot.Register(int component, var _, var _) -> {
                if (counts.containsKey(component)) {
                    set(component, MemoryParser.destinations(in, counts.get(component)));
                } else if (follows(component, index)) {
                    set(component, in.register());
                }
            }
            case Slot.Value(int component, Typed type, var _) -> {
                if (counts.containsKey(component)) {
                    set(component, in.scalarOrVector(type(type), counts.get(component)));
                } else if (follows(component, index)) {
                    set(component, in.value(type(type)));
                }
            }
            case Slot.Sink(Slot.Register register) -> {
                in.operand();
                values[register.component()] = in.bareSink();
            }
            case Slot.Pair pair -> {
                in.operand();
                int first = pair.first().component();
                int second = pair.second().component();
                if (pair.sink()) {
                    values[first] = in.bareSink();
                    in.cursor().expect("|");
                    set(second, in.bareRegister());
                } else {
                    set(first, in.bareRegister());
                    values[second] = in.acceptMark("|") ? Optional.of(in.bareRegister()) : Optional.empty();
                }
            }
            case Slot.Mask(int component) -> set(component, in.word());
            case Slot.Number(int component, Slot.Limits limits, var _) ->
                set(component, in.constant("the " + form.name(component), limits.low(), limits.high()));
            case Slot.Bytes(int bytes) -> in.constant("the bytes", bytes, bytes);
            case Slot.Vector(Slot.Single elements) -> {
                List<?> all = elements instanceof Slot.Value value ? in.values(type(value.type())) : in.registers();
                in.requireElements(all.size(), counts.getOrDefault(elements.component(), all.size()));
                set(elements.component(), all);
            }
            case Slot.At at -> set(at.component(), address(at));
            case Slot.Box box -> box(box);
            case Slot.Predicate(int component, int negated) -> {
                in.operand();
                set(negated, in.acceptMark("!"));
                set(component, in.bareRegister());
            }
            case Slot.Target(int component) -> set(component, in.label());
        }
    }

    /**
     * True if the text has the operand: the mnemonic announces it, or more operands are left than the slots behind it
     * need.
     */
    private boolean follows(int component, int index) {
        if (!form.optional(component)) {
            return true;
        }
        return announced.containsKey(component)
                ? announced.get(component)
                : in.left()
                        > form.slots().stream()
                                .skip(index + 1L)
                                .filter(this::sure)
                                .count();
    }

    private boolean sure(Slot slot) {
        return !(slot instanceof Slot.Value(int component, var _, var _))
                || !form.optional(component)
                || announced.getOrDefault(component, false);
    }

    private Object address(Slot.At at) {
        StateSpace space = spaces.get(at.component());
        if (space != null && at.barrier()) {
            return at.type() == SharedAddress.class ? Addresses.own(in, space) : Addresses.barrier(in, space);
        }
        if (space != null) {
            return Addresses.of(in, space);
        }
        if (at.type() == TensorAddress.class) {
            return Addresses.tensor(in);
        }
        if (at.type() == GlobalAddress.class) {
            return Addresses.global(in);
        }
        if (at.type() == GenericAddress.class) {
            return Addresses.generic(in);
        }
        boolean cluster = at.type() == ClusterAddress.class
                || at.inCluster().filter(c -> values[c].isPresent()).isPresent();
        return cluster ? Addresses.cluster(in) : Addresses.shared(in);
    }

    private void box(Slot.Box slot) {
        Box box = Addresses.box(in);
        boolean fourRows = slot.fourRows()
                .filter(flag -> values[flag].equals(Optional.of(true)))
                .isPresent();
        int dimensions = counts.get(slot.coordinates());
        if (fourRows && dimensions != 2) {
            throw in.refuse("four rows are those of a tensor of two dimensions, .tensor.2d");
        }
        int wanted = fourRows ? BulkCopy.FOUR_ROWS : dimensions;
        if (box.coordinates().size() != wanted) {
            throw in.refuse(
                    "needs " + wanted + " coordinates, got " + box.coordinates().size());
        }
        set(slot.map(), box.map());
        set(slot.coordinates(), box.coordinates());
    }

    private ScalarType type(Typed type) {
        return switch (type) {
            case Typed.Fixed fixed -> fixed.type();
            case Typed.Component(int component) ->
                values[component].orElseThrow() instanceof Element element
                        ? element.register()
                        : (ScalarType) values[component].orElseThrow();
        };
    }
}
