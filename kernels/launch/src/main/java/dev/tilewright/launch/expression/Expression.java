package dev.tilewright.launch.expression;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Arithmetic over named whole numbers, as C writes it: {@code + - * / %}, comparisons, {@code && || !}, {@code ?:}, and
 * {@code ceildiv roundup min max log2 ispow2}. {@code /} rounds down. A word stands in {@code 'quotes'} and can be
 * compared by {@code ==} and {@code !=} alone. What does not fit into 64 bits is an error.
 */
public record Expression(String text, Term root) {

    /** @throws ExpressionException naming text, column and rule */
    public static Expression parse(String text) {
        return new Expression(text, ExpressionParser.parse(text));
    }

    /** Whether a name means a function, so that nothing else can be called so. */
    public static boolean isFunction(String name) {
        return Builtin.named(name).isPresent();
    }

    /** Names that it looks at. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        root.each(term -> {
            if (term instanceof Term.Name(int _, String name)) {
                names.add(name);
            }
        });
        return names;
    }

    /** Words that are written out in it. */
    public Set<String> words() {
        Set<String> words = new TreeSet<>();
        root.each(term -> {
            if (term instanceof Term.Literal(int _, Value.Word(String word))) {
                words.add(word);
            }
        });
        return words;
    }

    /** @throws ExpressionException if it has no value */
    public Value value(Bindings scope) {
        return new Evaluation(text, scope).of(root);
    }

    /** @throws ExpressionException if it has no value, or is no condition */
    public boolean truth(Bindings scope) {
        return new Evaluation(text, scope).truth(root);
    }

    @Override
    public String toString() {
        return text;
    }

    private record Evaluation(String text, Bindings scope) {

        Value of(Term term) {
            return switch (term) {
                case Term.Literal(int _, Value value) -> value;
                case Term.Name(int at, String name) ->
                    scope.find(name)
                            .orElseThrow(() -> wrong(
                                    at,
                                    "unknown name '" + name + "'; known: "
                                            + String.join(", ", scope.values().keySet())));
                case Term.Negative(int at, Term of) -> exactly(at, () -> new Value.Whole(Math.negateExact(whole(of))));
                case Term.Not(int _, Term of) -> new Value.Truth(!truth(of));
                case Term.Choice(int _, Term condition, Term then, Term otherwise) ->
                    of(truth(condition) ? then : otherwise);
                case Term.Call(int at, Builtin function, List<Term> arguments) -> {
                    List<Long> given = arguments.stream().map(this::whole).toList();
                    yield exactly(at, () -> function.of(given));
                }
                case Term.Binary binary -> binary(binary);
            };
        }

        private Value binary(Term.Binary binary) {
            Term left = binary.left();
            Term right = binary.right();
            return switch (binary.operator()) {
                case "&&" -> new Value.Truth(truth(left) && truth(right));
                case "||" -> new Value.Truth(truth(left) || truth(right));
                case "==" -> new Value.Truth(same(binary));
                case "!=" -> new Value.Truth(!same(binary));
                case "<" -> new Value.Truth(whole(left) < whole(right));
                case "<=" -> new Value.Truth(whole(left) <= whole(right));
                case ">" -> new Value.Truth(whole(left) > whole(right));
                case ">=" -> new Value.Truth(whole(left) >= whole(right));
                case String arithmetic -> {
                    long a = whole(left);
                    long b = whole(right);
                    if ((arithmetic.equals("/") || arithmetic.equals("%")) && b == 0) {
                        throw wrong(binary.at(), "divides " + a + " by 0");
                    }
                    yield exactly(
                            binary.at(),
                            () -> new Value.Whole(
                                    switch (arithmetic) {
                                        case "+" -> Math.addExact(a, b);
                                        case "-" -> Math.subtractExact(a, b);
                                        case "*" -> Math.multiplyExact(a, b);
                                        case "/" -> Math.floorDivExact(a, b);
                                        case "%" -> Math.floorMod(a, b);
                                        default -> throw new IllegalStateException("operator " + arithmetic);
                                    }));
                }
            };
        }

        private boolean same(Term.Binary binary) {
            Value left = of(binary.left());
            Value right = of(binary.right());
            if (left.getClass() != right.getClass()) {
                throw wrong(binary.at(), "compares " + kind(left) + " with " + kind(right));
            }
            return left.equals(right);
        }

        long whole(Term term) {
            return switch (of(term)) {
                case Value.Whole(long value) -> value;
                case Value.Word _, Value.Truth _ -> throw wrong(term.at(), "must be a number, got " + kind(of(term)));
            };
        }

        boolean truth(Term term) {
            return switch (of(term)) {
                case Value.Truth(boolean value) -> value;
                case Value.Word _, Value.Whole _ ->
                    throw wrong(term.at(), "must be a condition such as a < b, got " + kind(of(term)));
            };
        }

        private static String kind(Value value) {
            return switch (value) {
                case Value.Whole whole -> "the number " + whole;
                case Value.Word word -> "the word '" + word + "'";
                case Value.Truth truth -> truth.toString();
            };
        }

        private Value exactly(int at, java.util.function.Supplier<Value> made) {
            try {
                return made.get();
            } catch (ArithmeticException none) {
                String reason = String.valueOf(none.getMessage());
                throw wrong(at, reason.contains("overflow") ? "does not fit into 64 bits" : reason);
            }
        }

        private ExpressionException wrong(int at, String rule) {
            return ExpressionException.of(text, at, rule);
        }
    }
}
