package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.StateSpace;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Maps each modifier to its constant: the inverse of the spelling that the records define. */
final class Spellings {
    /** All but f32x2, which arithmetic alone has. */
    static final Map<String, ScalarType> TYPES =
            of(EnumSet.complementOf(EnumSet.of(ScalarType.F32X2)).toArray(ScalarType[]::new), ScalarType::ptx);

    static final Map<String, Rounding> ROUNDINGS = of(Rounding.values(), Rounding::ptx);
    static final Map<String, Scope> SCOPES = of(Scope.values(), Scope::ptx);
    static final Map<String, Sem> SEMS = of(Sem.values(), Sem::ptx);
    static final Map<String, CacheOperator> CACHES = of(CacheOperator.values(), CacheOperator::ptx);
    static final Map<String, SpecialRegister> SPECIALS = of(SpecialRegister.values(), SpecialRegister::ptx);
    static final Map<String, StateSpace> SPACES = spaces();

    /** Say nothing about the form of an instruction. */
    private static final Set<String> PLAIN = Set.of("sync", "aligned", "row", "col", "trans", "bulk_group", "tile");

    private Spellings() {}

    /** Whether all of these are types, spaces, orders and the like, which many forms have. */
    static boolean ordinary(List<Token> modifiers) {
        return modifiers.stream()
                .map(Token::text)
                .allMatch(text -> PLAIN.contains(text)
                        || Stream.of(TYPES, ROUNDINGS, SCOPES, SEMS, CACHES, SPACES)
                                .anyMatch(known -> known.containsKey(text)));
    }

    /** By spelling, without a dot at the front; what is written as nothing is left out. */
    static <E> Map<String, E> of(E[] constants, Function<E, String> spelling) {
        return Arrays.stream(constants)
                .filter(constant -> !spelling.apply(constant).isEmpty())
                .collect(Collectors.toUnmodifiableMap(
                        constant -> {
                            String text = spelling.apply(constant);
                            return text.startsWith(".") ? text.substring(1) : text;
                        },
                        Function.identity()));
    }

    private static Map<String, StateSpace> spaces() {
        Map<String, StateSpace> all = new HashMap<>(of(StateSpace.values(), StateSpace::ptx));
        all.put("shared", StateSpace.SHARED);
        all.put("param::entry", StateSpace.PARAM);
        all.put("param::func", StateSpace.PARAM);
        return Map.copyOf(all);
    }
}
