package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Compare.BooleanOperation;
import dev.tilewright.ptx.instruction.Compare.Combine;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** {@link Compare}. */
final class CompareParser {
    private static final Map<String, Relation> RELATIONS = relations();
    private static final Map<String, BooleanOperation> BOOLEANS =
            Spellings.of(BooleanOperation.values(), BooleanOperation::ptx);

    private CompareParser() {}

    /** Lower, same, higher are less, equal, greater of unsigned integers under their old names. */
    private static Map<String, Relation> relations() {
        Map<String, Relation> all = new HashMap<>(Spellings.of(Relation.values(), Relation::ptx));
        all.put("lo", Relation.LT);
        all.put("ls", Relation.LE);
        all.put("hi", Relation.GT);
        all.put("hs", Relation.GE);
        return Map.copyOf(all);
    }

    static Instruction setPredicate(Line in) {
        Relation relation = in.one(RELATIONS, "a relation");
        Optional<BooleanOperation> combining = in.maybe(BOOLEANS);
        ScalarType type = in.type();
        boolean flush = in.has("ftz");
        Reg<Pred> d = in.predicate();
        Optional<Reg<Pred>> second = in.acceptMark("|") ? Optional.of(in.bareRegister()) : Optional.empty();
        Operand<RegisterType> a = in.value(type);
        Operand<RegisterType> b = in.value(type);
        Optional<Combine> combine = combining.map(operation -> combine(in, operation));
        return new Compare.SetPredicate(relation, combine, flush, type, d, second, a, b);
    }

    static Instruction setValue(Line in) {
        Relation relation = in.one(RELATIONS, "a relation");
        Optional<BooleanOperation> combining = in.maybe(BOOLEANS);
        ScalarType to = in.type();
        ScalarType type = in.type();
        boolean flush = in.has("ftz");
        Reg<RegisterType> d = in.register();
        Operand<RegisterType> a = in.value(type);
        Operand<RegisterType> b = in.value(type);
        Optional<Combine> combine = combining.map(operation -> combine(in, operation));
        return new Compare.SetValue(relation, combine, flush, to, type, d, a, b);
    }

    private static Combine combine(Line in, BooleanOperation operation) {
        in.operand();
        boolean negated = in.acceptMark("!");
        return new Combine(operation, in.bareRegister(), negated);
    }
}
