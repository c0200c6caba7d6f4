package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.worker.cli.board.ListedShape;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapesFileTest {

    private static List<ShapesFile.Line> shapes(String text) {
        return new ShapesFile("list", text.lines().toList())
                .shapes(line -> Optional.ofNullable(line.shape().k() == 31 ? "rows of 31 elements" : null));
    }

    private static final ShapesFile.Line QKV = new ShapesFile.Line(
            3,
            new ProblemShape(1, 6144, 4096),
            null,
            2,
            new OperandTypes(DataType.E4M3, DataType.E5M2, DataType.BF16),
            new ListedShape("qkv, \"decode\"", 32.5));

    @Test
    void readsCsvInAnyOrderOfColumns() {
        assertThat(shapes("""
            # a comment
            name,k,n,m,batch,types,weight
            "qkv, ""decode""\",4096,6144,1,2,"e4m3,e5m2,bf16",32.5

            ,264,136,72,,f16,\
            """))
                .containsExactly(
                        QKV,
                        new ShapesFile.Line(
                                5,
                                new ProblemShape(72, 136, 264),
                                null,
                                null,
                                OperandTypes.of(DataType.F16),
                                new ListedShape(null, null)));
    }

    @Test
    void readsAnObjectALine() {
        assertThat(shapes("""


            {"m":1,"n":6144,"k":4096,"batch":2,"types":"e4m3,e5m2,bf16","name":"qkv, \\"decode\\"","weight":32.5}
            {"m":72,"n":136,"k":264,"name":null}\
            """))
                .containsExactly(
                        QKV,
                        new ShapesFile.Line(
                                4, new ProblemShape(72, 136, 264), null, null, null, new ListedShape(null, null)));
    }

    /** The same weights with any number of rows, and with one of them. */
    @Test
    void anMMayBeARange() {
        assertThat(shapes("m,n,k~1-4096,136,264~1,136,264~{\"m\":\"8-16\",\"n\":136,\"k\":264}".replace('~', '\n')))
                .extracting(ShapesFile.Line::shape, ShapesFile.Line::mTo)
                .containsExactly(
                        tuple(new ProblemShape(1, 136, 264), 4096),
                        tuple(new ProblemShape(1, 136, 264), null),
                        tuple(new ProblemShape(8, 136, 264), 16));
    }

    @Test
    void theListOfLlamaIsReadWhole() throws IOException {
        Path file = Path.of("..", "..", "docs", "examples", "shapes", "llama.csv");
        List<ShapesFile.Line> shapes =
                ShapesFile.read(file, InputStream.nullInputStream()).shapes(_ -> Optional.empty());

        assertThat(shapes).hasSize(32).allMatch(line -> line.listed().weight() != null);
        assertThat(shapes.stream().map(line -> line.shape().m())).contains(1, 8, 64, 4096);
    }

    @Test
    void readsStandardInput() {
        InputStream input = new ByteArrayInputStream("m,n,k\n64,72,80\n".getBytes(StandardCharsets.UTF_8));

        assertThat(ShapesFile.read(Path.of("-"), input).shapes(_ -> Optional.empty()))
                .extracting(ShapesFile.Line::shape)
                .containsExactly(new ProblemShape(64, 72, 80));
    }

    @Test
    void saysAllFaultsAtOnce() {
        String text = """
            m,n,k,types,weight
            8,16,24,bf16,1
            8,x,0,fp16,-1
            8,16,24,bf16,2
            8,16
            {"m":1,
            8,16,31,,
            """;
        assertThatThrownBy(() -> shapes(text)).isInstanceOfSatisfying(CommandFailedException.class, wrong -> {
            assertThat(wrong).hasMessageStartingWith("--shapes: list, line 3: n must be a whole number from 1 to ");
            assertThat(wrong.details())
                    .hasSize(7)
                    .satisfiesExactly(
                            line -> assertThat(line).startsWith("list, line 3: k must be a whole number"),
                            line -> assertThat(line).startsWith("list, line 3: types: unknown data type 'fp16'"),
                            line -> assertThat(line).startsWith("list, line 3: weight must be"),
                            line -> assertThat(line).startsWith("list, line 5: has 2 cells below a header of 5"),
                            line -> assertThat(line).startsWith("list, line 6: is no JSON from line 1, column"),
                            line -> assertThat(line).startsWith("list, line 4: is the shape of line 2 again"),
                            line -> assertThat(line).isEqualTo("list, line 7: rows of 31 elements"));
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "m;n;k | line 1: unknown column 'm;n;k'; known: m, n, k, batch, types, name, weight",
                "m,n,k,wieght~1,2,3,4 | line 1: unknown column 'wieght'; known: m, n, k",
                "m,n,k,Weight~1,2,3,4 | line 1: unknown column 'Weight'; known: m, n, k, batch, types, name, weight;"
                        + " did you mean weight?",
                "m,n~1,2 | line 1: the header must name m, n and k, got 'm,n'",
                "m,n,k,m~1,2,3,4 | line 1: names a column twice",
                "m,n,k~1,2 | line 2: has 2 cells below a header of 3",
                "m,n,k,types~8,8,8,bf16,bf16,f32 | line 2: has 6 cells below a header of 4; three types in a cell need"
                        + " quotes",
                "m,n,k~~1,0,3 | line 3: n must be a whole number from 1 to 2147483647, got '0'",
                "m,n,k~1,2,99999999999 | line 2: k must be a whole number from 1 to 2147483647, got '99999999999'",
                "m,n,k~8-2,2,3 | line 2: m: the least M of a range must be below the most, got 8-2",
                "m,n,k~0-4,2,3 | line 2: m must be a whole number from 1 to 2147483647, got '0'",
                "m,n,k~1-99999999999,2,3 | line 2: m must be a whole number from 1 to 2147483647, got '99999999999'",
                "m,n,k~1-8,2,3~1-8,2,3 | line 3: is the shape of line 2 again; add up their weights in one line",
                "m,n,k~1,,3 | line 2: n is missing",
                "m,n,k,batch~1,2,3,0 | line 2: batch must be a whole number from 1",
                "m,n,k,types~1,2,3,fp16 | line 2: types: unknown data type 'fp16'; known: bf16, f16, f32, e4m3, e5m2;"
                        + " did you mean f16?",
                "m,n,k,weight~1,2,3,-1 | line 2: weight must be a number of at least 0, got '-1'",
                "m,n,k,weight~1,2,3,NaN | line 2: weight must be a number of at least 0, got 'NaN'",
                "m,n,k,name~1,2,3,\"x | line 2: a quote is not closed",
                "m,n,k~8,16,24~8,16,24 | line 3: is the shape of line 2 again; add up their weights in one line",
                "{\"m\":1} | line 1: n is missing",
                "{\"m\":1,\"rows\":2} | line 1: unknown key 'rows'; known: m, n, k",
                "{\"m\":1, | line 1: is no JSON from line 1, column",
                "m,n,k | has no shape",
            })
    void namesTheLineAndTheRule(String text, String reason) {
        assertThatThrownBy(() -> shapes(text.replace("~", "\n")))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageStartingWith("--shapes: list")
                .hasMessageContaining(reason);
    }

    @Test
    void hasLimits(@TempDir Path folder) throws IOException {
        StringBuilder many = new StringBuilder("m,n,k\n");
        for (int i = 1; i <= ShapesFile.MOST_SHAPES + 1; i++) {
            many.append("64,64,").append(64 * i).append('\n');
        }
        assertThatThrownBy(() -> shapes(many.toString())).hasMessageContaining("must have at most 256 shapes, has 257");

        Path large = Files.write(folder.resolve("large.csv"), new byte[ShapesFile.MOST_BYTES + 1]);
        Path binary = Files.write(folder.resolve("binary.csv"), new byte[] {(byte) 0xff, (byte) 0xfe});
        for (Map.Entry<Path, String> wrong : Map.of(
                        large, "must have at most 1048576 bytes", binary, "must be text in UTF-8", folder, "is none")
                .entrySet()) {
            assertThatThrownBy(() -> ShapesFile.read(wrong.getKey(), InputStream.nullInputStream()))
                    .isInstanceOf(CommandFailedException.class)
                    .hasMessageStartingWith("--shapes: ")
                    .hasMessageContaining(wrong.getValue());
        }
    }
}
