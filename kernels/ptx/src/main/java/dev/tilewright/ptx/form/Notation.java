package dev.tilewright.ptx.form;

import dev.tilewright.ptx.form.Slot.Typed;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Irregular;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.Spelled;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The notation of a line such as {@code "bfind.{shift:shiftamt|}.{type} d a:type"}: opcode and modifiers, then the
 * operands. Names are components of the record.
 *
 * <pre>
 * modifier
 *   word        always written; a/b: written as a, read as either; a/: may be missing in a text; /a: never written
 *   !word       never written; a text with it is no PTX
 *   {x}         a constant of an enum, which is nothing if empty; a type; the shape of a product. Parts of a word may
 *               stand around it: kind::{kind}
 *   {x=y}       the constant y where the text has none; of an ordering sem,scope of the instruction, and {x=y!}: written
 *   {x:a|b}     a if the flag is set, else b; one of both may be empty, and b/ may be missing in a text
 *   {x[a,b]}    a record of flags, a word for each; a+b is of two words
 *   {x?a}       a if the component is there
 *   {x*v}       .v2 for two values, nothing for one; {x*x}: .x1 too; {x+y*v}: of both lists
 *   {x#}        .3d for three coordinates
 *   {type|f32x2} a type, f32x2 among them
 *   {@x}        the state space of an address
 * operand
 *   d:type      a register of the type, which is a component or a name; without it of the type that Java knows. It is
 *               written if its name is d, behind _ and beside |
 *   a:type      a register or constant; a:type&lt;1..9: the machine takes constants within these bounds alone
 *   label       a label
 *   a:hex       a mask of lanes, in hexadecimal
 *   a:0..7      a number, in hexadecimal if the bounds are
 *   =128        this number
 *   _d          a register, or _
 *   d|p         two registers of which the second may be missing; _d|p: of which the first may be _
 *   p!negated   a predicate, maybe with !
 *   {a}         registers in braces; {a:type}: constants too
 *   [a]         an address; [a%16]: which the machine needs aligned to 16 bytes, one named barrier to 8; [a:x]: of the
 *               cluster with x, and without it of the own CTA
 *   [a,b]       an address and coordinates
 * </pre>
 */
final class Notation {
    private final Class<? extends Instruction> record;
    private final List<RecordComponent> components;

    Notation(Class<? extends Instruction> record) {
        this.record = record;
        this.components = List.of(record.getRecordComponents());
    }

    Modifier modifier(String text) {
        int open = text.indexOf('{');
        if (text.startsWith("!")) {
            return new Modifier.Never(text.substring(1));
        }
        if (open < 0) {
            return new Modifier.Word(List.of(text.split("/", -1)));
        }
        int close = text.indexOf('}');
        String inner = text.substring(open + 1, close);
        if (inner.startsWith("@")) {
            return new Modifier.OfSpace(index(inner.substring(1)));
        }
        int end = 0;
        while (end < inner.length() && (Character.isLetterOrDigit(inner.charAt(end)) || inner.charAt(end) == '+')) {
            end++;
        }
        String name = inner.substring(0, end);
        String rest = inner.substring(Math.min(end + 1, inner.length()));
        List<Integer> lists = Arrays.stream(name.split("\\+")).map(this::index).toList();
        int component = lists.getFirst();
        return switch (end < inner.length() ? inner.charAt(end) : ' ') {
            case ':' -> flag(component, rest);
            case '[' -> flags(component, rest.substring(0, rest.length() - 1));
            case '?' -> new Modifier.Present(component, rest);
            case '*' -> new Modifier.Count(lists, rest);
            case '#' -> new Modifier.Dimensions(component, find("fourRows"));
            case '|' -> new Modifier.OfType(component, true);
            default -> typed(component, text.substring(0, open), text.substring(close + 1), rest);
        };
    }

    private Modifier flags(int component, String words) {
        Class<?> options = components.get(component).getType();
        return new Modifier.Flags(
                component,
                Form.constructor(options),
                List.of(options.getRecordComponents()),
                List.of(words.split(",")));
    }

    private static Modifier flag(int component, String words) {
        String[] both = words.split("\\|", -1);
        boolean mayMiss = both[1].endsWith("/");
        String no = mayMiss ? both[1].substring(0, both[1].length() - 1) : both[1];
        return new Modifier.Flag(component, both[0], no, mayMiss);
    }

    /** A modifier that the type of the component decides. */
    private Modifier typed(int component, String before, String after, String own) {
        Type generic = components.get(component).getGenericType();
        Class<?> type = (Class<?>) (generic instanceof ParameterizedType p ? p.getActualTypeArguments()[0] : generic);
        if (type == ScalarType.class) {
            return new Modifier.OfType(component, false);
        }
        if (type == WarpMatrix.Shape.class) {
            return new Modifier.OfShape(component);
        }
        if (type == Ordering.class) {
            String[] both = own.replace("!", "").toUpperCase(Locale.ROOT).split(",");
            return new Modifier.OfOrdering(component, Sem.valueOf(both[0]), Scope.valueOf(both[1]), own.endsWith("!"));
        }
        Map<Object, String> written = new LinkedHashMap<>();
        Map<String, Object> read = new LinkedHashMap<>();
        Optional<Object> absent = Optional.empty();
        for (Object constant : type.getEnumConstants()) {
            String ptx = ((Spelled) constant).ptx();
            String word = ptx.isEmpty() ? "" : before + (ptx.startsWith(".") ? ptx.substring(1) : ptx) + after;
            written.put(constant, word);
            if (word.isEmpty() ? own.isEmpty() : word.equals(own)) {
                absent = Optional.of(constant);
            }
            if (!word.isEmpty()) {
                read.putIfAbsent(word, constant);
            }
        }
        boolean optional = generic instanceof ParameterizedType;
        return new Modifier.Constant(component, written, read, absent, optional);
    }

    Slot slot(String text) {
        String inner = text.replaceAll("[\\[\\]{}]", "");
        return switch (text.charAt(0)) {
            case '=' -> new Slot.Bytes(Integer.parseInt(text.substring(1)));
            case '[' -> bracketed(inner);
            case '{' -> new Slot.Vector(single(inner));
            default -> bare(text);
        };
    }

    private Slot bare(String text) {
        if (text.contains("|")) {
            String[] both = text.replace("_", "").split("\\|");
            return new Slot.Pair(register(both[0], true), text.startsWith("_"), register(both[1], true));
        }
        if (text.startsWith("_")) {
            return new Slot.Sink(register(text.substring(1), true));
        }
        if (text.contains("!")) {
            String[] both = text.split("!");
            return new Slot.Predicate(index(both[0]), index(both[1]));
        }
        int component = index(text.split(":")[0]);
        if (text.endsWith(":hex")) {
            return new Slot.Mask(component);
        }
        if (!text.contains("<") && text.contains("..")) {
            String limits = text.substring(text.indexOf(':') + 1);
            return new Slot.Number(component, limits(limits), limits.startsWith("0x"));
        }
        return components.get(component).getType() == Label.class ? new Slot.Target(component) : single(text);
    }

    private Slot.Single single(String text) {
        String[] parts = text.split("[:<]");
        if (held(index(parts[0])) instanceof ParameterizedType p && p.getRawType() == Reg.class) {
            return register(text, parts[0].equals("d"));
        }
        Optional<Slot.Limits> limits = parts.length > 2 ? Optional.of(limits(parts[2])) : Optional.empty();
        return new Slot.Value(index(parts[0]), type(parts[1]), limits);
    }

    private Slot.Register register(String text, boolean written) {
        String[] parts = text.split(":");
        int component = index(parts[0]);
        Optional<Typed> type = parts.length > 1 ? Optional.of(type(parts[1])) : own(component);
        if (type.isEmpty() && !Irregular.class.isAssignableFrom(record)) {
            throw new IllegalArgumentException(
                    "form: " + record.getSimpleName() + " says no type of register " + parts[0]);
        }
        return new Slot.Register(component, type, written);
    }

    /** The type of the component's Java type: {@code Reg<B32>} says B32. */
    private Optional<Typed> own(int component) {
        return held(component) instanceof ParameterizedType p && p.getActualTypeArguments()[0] instanceof Class<?> named
                ? Optional.of(type(named.getSimpleName()))
                : Optional.empty();
    }

    /** The type of a component; of a list or an Optional that of its elements. */
    private Type held(int component) {
        Type type = components.get(component).getGenericType();
        return type instanceof ParameterizedType p && (p.getRawType() == List.class || p.getRawType() == Optional.class)
                ? p.getActualTypeArguments()[0]
                : type;
    }

    private static Slot.Limits limits(String text) {
        String[] both = text.split("\\.\\.");
        return new Slot.Limits(Integer.decode(both[0]), Integer.decode(both[1]));
    }

    private Slot bracketed(String inner) {
        if (inner.contains(",")) {
            String[] both = inner.split(",");
            return new Slot.Box(index(both[0]), index(both[1]), find("fourRows"));
        }
        String[] parts = inner.split("[:%]");
        int component = index(parts[0]);
        boolean barrier = parts[0].equals("barrier");
        return new Slot.At(
                component,
                components.get(component).getType(),
                barrier,
                inner.contains("%") ? Integer.parseInt(parts[1]) : barrier ? 8 : 1,
                inner.contains(":") ? Optional.of(index(parts[1])) : Optional.empty());
    }

    private Typed type(String kind) {
        return find(kind)
                .<Typed>map(Typed.Component::new)
                .orElseGet(() -> new Typed.Fixed(ScalarType.valueOf(kind.toUpperCase(Locale.ROOT))));
    }

    private Optional<Integer> find(String name) {
        List<String> names = components.stream().map(RecordComponent::getName).toList();
        return names.contains(name) ? Optional.of(names.indexOf(name)) : Optional.empty();
    }

    private int index(String name) {
        return find(name)
                .orElseThrow(() ->
                        new IllegalArgumentException("form: " + record.getSimpleName() + " has no component " + name));
    }
}
