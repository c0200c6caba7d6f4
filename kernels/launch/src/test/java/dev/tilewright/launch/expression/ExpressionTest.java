package dev.tilewright.launch.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionTest {
    private static final Bindings SCOPE = new Bindings(Map.of(
            "m", new Value.Whole(1000),
            "tile", new Value.Whole(64),
            "huge", new Value.Whole(Long.MAX_VALUE),
            "order", new Value.Word("alongM")));

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = ';',
            value = {
                "7;7",
                "2 + 3 * 4;14",
                "(2 + 3) * 4;20",
                "10 - 3 - 2;5",
                "-m + 1;-999",
                "m / tile;15",
                "-7 / 2;-4",
                "-7 % 4;1",
                "ceildiv(m, tile);16",
                "roundup(m, tile);1024",
                "min(m, tile) + max(1, 2);66",
                "log2(tile);6",
                "ispow2(m);false",
                "m > 999 && tile <= 64;true",
                "m < 5 || !(tile == 64);false",
                "1 < 2 == true_;",
                "order == 'alongM' ? 1 : 0;1",
                "order != 'alongM' ? 1 : tile == 32 ? 2 : 3;3",
                "m > 5 ? m : m / 0;1000",
                "order;alongM"
            })
    void comesToItsValue(String text, String value) {
        if (value == null) {
            assertThatThrownBy(() -> Expression.parse(text).value(SCOPE)).isInstanceOf(ExpressionException.class);
        } else {
            assertThat(Expression.parse(text).value(SCOPE)).hasToString(value);
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "ceildiv(m|'ceildiv(m', column 10: needs ')'; in a list in brackets write \"ceildiv(m, ...)\" in quotes",
                "m +|column 4: needs a number, a name or '(', but it ends",
                "m ~ 2|column 3: ends, but '~ 2' is behind it",
                "tiel * 2|'tiel * 2', column 1: unknown name 'tiel'; known: huge, m, order, tile",
                "m / (tile - 64)|column 3: divides 1000 by 0",
                "huge + 1|column 6: does not fit into 64 bits",
                "huge * 2|does not fit into 64 bits",
                "-huge - 2|does not fit into 64 bits",
                "roundup(huge, 64)|does not fit into 64 bits",
                "9223372036854775808|must be a whole number below 2^63",
                "ceildiv(m, 0)|ceildiv takes a divisor of at least 1, got 0",
                "log2(m)|log2 takes a power of two, got 1000",
                "sqrt(m)|knows the functions [ceildiv, roundup, min, max, log2, ispow2], got 'sqrt'",
                "min(m)|min takes 2 arguments, got 1",
                "order + 1|column 1: must be a number, got the word 'alongM'",
                "order == 1|compares the word 'alongM' with the number 1",
                "m ? 1 : 2|column 1: must be a condition such as a < b, got the number 1000",
                "m ? 1|needs ':' behind '?'",
                "'alongM|needs a ' behind the word"
            })
    void saysWhereItIsWrong(String text, String message) {
        assertThatThrownBy(() -> Expression.parse(text).value(SCOPE))
                .isInstanceOf(ExpressionException.class)
                .hasMessageContaining(message);
    }

    @Test
    void doesNotNestWithoutEnd() {
        assertThatThrownBy(() -> Expression.parse("(".repeat(200) + "1")).hasMessageContaining("nests deeper than 64");
        assertThatThrownBy(() -> Expression.parse("-".repeat(200) + "1")).hasMessageContaining("nests deeper than 64");
        assertThatThrownBy(() -> Expression.parse("1+".repeat(600) + "1"))
                .hasMessageContaining("at most 1000 characters, got 1201");
    }

    @Test
    void knowsItsNamesAndWords() {
        Expression expression = Expression.parse("order == 'alongN' ? ceildiv(m, tile) : -m");
        assertThat(expression.names()).containsExactly("m", "order", "tile");
        assertThat(expression.words()).containsExactly("alongN");
    }

    @Test
    void fillsHoles() {
        assertThat(Holes.filled("gemm-${tile}-${order}-${m / tile}.ptx $L__1 {", SCOPE))
                .isEqualTo("gemm-64-alongM-15.ptx $L__1 {");
        assertThatThrownBy(() -> Holes.filled("${tiel}", SCOPE)).hasMessageContaining("unknown name 'tiel'");
    }
}
