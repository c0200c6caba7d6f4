package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.line;
import static dev.tilewright.ptx.text.OperandText.negated;
import static dev.tilewright.ptx.text.OperandText.operand;
import static dev.tilewright.ptx.text.OperandText.vector;

import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Compare.Combine;
import dev.tilewright.ptx.instruction.Move;
import java.util.Optional;
import java.util.stream.Collectors;

/** Comparisons and moves as text. */
final class ComputationText {
    private ComputationText() {}

    static String setPredicate(Compare.SetPredicate i) {
        return line(
                "setp." + i.relation().ptx() + operation(i.combine()) + (i.flushToZero() ? ".ftz." : ".")
                        + i.type().ptx(),
                operand(i.d()) + i.second().map(q -> "|" + q.name()).orElse(""),
                i.a(),
                i.b(),
                third(i.combine()));
    }

    static String setValue(Compare.SetValue i) {
        return line(
                "set." + i.relation().ptx() + operation(i.combine()) + (i.flushToZero() ? ".ftz." : ".") + i.to().ptx()
                        + "." + i.type().ptx(),
                i.d(),
                i.a(),
                i.b(),
                third(i.combine()));
    }

    private static String operation(Optional<Combine> combine) {
        return combine.map(c -> "." + c.operation().ptx()).orElse("");
    }

    private static Optional<String> third(Optional<Combine> combine) {
        return combine.map(c -> negated(c.negated(), c.predicate()));
    }

    static String move(Move instruction) {
        return switch (instruction) {
            case Move.Copy i -> line("mov." + i.type().ptx(), i.d(), i.a());
            case Move.ReadSpecial i ->
                line("mov." + i.special().type().ptx(), i.d(), i.special().ptx());
            case Move.AddressOf i -> line("mov." + i.type().ptx(), i.d(), OperandText.within(i.symbol(), i.offset()));
            case Move.ConstantPredicate i -> line("mov.pred", i.d(), i.value() ? "1" : "0");
            case Move.Pack i -> line("mov." + i.type().ptx(), i.d(), vector(i.parts()));
            case Move.Unpack i ->
                line(
                        "mov." + i.type().ptx(),
                        i.parts().stream()
                                .map(part -> part.map(OperandText::operand).orElse("_"))
                                .collect(Collectors.joining(", ", "{", "}")),
                        i.a());
        };
    }
}
