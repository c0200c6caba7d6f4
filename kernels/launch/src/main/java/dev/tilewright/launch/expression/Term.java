package dev.tilewright.launch.expression;

import java.util.List;
import java.util.function.Consumer;

/** A part of an expression; {@code at} is where it stands in the text, counted from 0. */
sealed interface Term {
    int at();

    record Literal(int at, Value value) implements Term {}

    record Name(int at, String name) implements Term {}

    record Negative(int at, Term of) implements Term {}

    record Not(int at, Term of) implements Term {}

    record Binary(int at, String operator, Term left, Term right) implements Term {}

    record Choice(int at, Term condition, Term then, Term otherwise) implements Term {}

    record Call(int at, Builtin function, List<Term> arguments) implements Term {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /** Shows this term and all of its parts. */
    default void each(Consumer<Term> reader) {
        reader.accept(this);
        switch (this) {
            case Literal _, Name _ -> {}
            case Negative(int _, Term of) -> of.each(reader);
            case Not(int _, Term of) -> of.each(reader);
            case Binary(int _, String _, Term left, Term right) -> {
                left.each(reader);
                right.each(reader);
            }
            case Choice(int _, Term condition, Term then, Term otherwise) -> {
                condition.each(reader);
                then.each(reader);
                otherwise.each(reader);
            }
            case Call(int _, Builtin _, List<Term> arguments) -> arguments.forEach(argument -> argument.each(reader));
        }
    }
}
