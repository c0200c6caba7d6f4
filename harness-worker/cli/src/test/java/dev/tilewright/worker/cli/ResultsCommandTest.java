package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.cli.board.MarkdownReport;
import dev.tilewright.worker.link.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ResultsCommandTest {

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter errors = new StringWriter();

    private int results(Object... arguments) {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        CommandLine line = RootCommand.commandLine(Map.of(), new ResultsCommand(new Printer(stream)));
        line.setErr(new PrintWriter(errors, true));
        return line.execute(
                Stream.concat(Stream.of("results"), Stream.of(arguments).map(Object::toString))
                        .toArray(String[]::new));
    }

    private Path sample(String name) throws IOException {
        return Files.copy(Path.of("src/test/resources/results", name), folder.resolve(name));
    }

    @Test
    void aDocumentIsPackedAndComesBack() throws IOException {
        Path document = sample("cuda.json");
        String before = Files.readString(document);

        assertThat(results("pack", "--replace", document)).isZero();
        Path packed = folder.resolve("cuda.columns");
        assertThat(document).doesNotExist();
        assertThat(Files.size(packed)).isLessThan(before.length() / 2);

        Path back = folder.resolve("back");
        assertThat(results("unpack", packed, "--to", back)).isZero();
        assertThat(Json.mapper().readTree(back.resolve("cuda.json").toFile()))
                .isEqualTo(Json.mapper().readTree(before));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(packed + ": " + Files.size(packed) + " bytes, were " + before.length())
                .contains(back.resolve("cuda.json").toString());
    }

    @Test
    void aTableIsPackedAndComesBack() throws IOException {
        String text = "# tilewright sweep 1\ntileM,registers,ns,registers\n128,232,12284.2,\n256,0,,168\n";
        Path table = Files.writeString(folder.resolve("a.csv"), text);
        assertThat(results("pack", table)).isZero();
        Files.delete(table);
        assertThat(results("unpack", folder.resolve("a.columns"))).isZero();
        assertThat(table).hasContent(text);
    }

    @Test
    void linesOfJsonArePackedAndComeBack() throws IOException {
        String text = "{\"ns\":[4461.397059310284,4495.5],\"waitSteps\":8}\n{\"ns\":[]}\n7\n";
        Path lines = Files.writeString(folder.resolve("blocks.jsonl"), text);
        assertThat(results("pack", "--replace", lines)).isZero();
        assertThat(lines).doesNotExist();
        assertThat(results("unpack", folder.resolve("blocks.columns"))).isZero();
        assertThat(lines).hasContent(text);
    }

    @Test
    void aTableOfSomethingElseIsRefused() throws IOException {
        Path other = Files.writeString(folder.resolve("gate.json"), "{\"cases\":[]}");
        assertThat(results("table", other)).isEqualTo(2);
        assertThat(errors.toString()).contains(other + ": no result document of tune: it has no studies");
    }

    @Test
    void aTableThatWouldNotComeBackIsRefusedAndStays() throws IOException {
        Path table = Files.writeString(folder.resolve("a.csv"), "a,b\r\n1,2\r\n");
        assertThat(results("pack", "--replace", table)).isEqualTo(2);
        assertThat(table).exists();
        assertThat(folder.resolve("a.columns")).doesNotExist();
        assertThat(errors.toString()).contains(table + ": would not come back as it is");
    }

    @Test
    void whatIsThereIsNotOverwritten() throws IOException {
        Path document = Files.writeString(folder.resolve("a.json"), "{\"a\":1}");
        Path table = Files.writeString(folder.resolve("a.csv"), "a\n1\n");
        assertThat(results("pack", "--replace", document, table)).isEqualTo(2);
        assertThat(table).exists();
        assertThat(results("unpack", folder.resolve("a.columns"))).isZero();
        assertThat(document).hasContent("{\"a\":1}");
        assertThat(results("unpack", folder.resolve("a.columns"))).isEqualTo(2);
        assertThat(errors.toString())
                .contains(table + ": " + folder.resolve("a.columns") + " is there already")
                .contains(document + " is there already");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[0.12345678901234567891] | or a double, got 0.12345678901234567891",
                "[123456789012345678901]  | at most 64 bits",
                "{\"a\":1,\"a\":2}        | has a key twice, line 1",
                "[\"\\ud800\"]            | half a surrogate pair"
            })
    void whatWouldBeLostIsRefused(String json, String reason) throws IOException {
        Path document = Files.writeString(folder.resolve("a.json"), json);
        assertThat(results("pack", "--replace", document)).isEqualTo(2);
        assertThat(errors.toString()).contains(document + ": ").contains(reason);
        assertThat(document).exists();
        assertThat(folder.resolve("a.columns")).doesNotExist();
    }

    @Test
    void theMarkdownOfADocumentIsWrittenAnew() throws IOException {
        Path document = sample("cuda.json");
        assertThat(results("pack", document)).isZero();
        Path markdown = folder.resolve("cuda.md");

        assertThat(results("table", "--commit", "abc123", folder.resolve("cuda.columns")))
                .isZero();
        List<String> first = Files.readAllLines(markdown);
        assertThat(first).contains("* commit abc123").anyMatch(line -> line.startsWith("| shape |"));

        assertThat(results("table", document)).isZero();
        assertThat(Files.readAllLines(markdown))
                .as("the commit of the present table stays")
                .isEqualTo(first);

        Files.write(markdown, MarkdownReport.races(List.of(ExampleBoards.raced())), StandardOpenOption.APPEND);
        List<String> raced = Files.readAllLines(markdown);
        assertThat(results("table", document)).isZero();
        assertThat(Files.readAllLines(markdown))
                .as("races stand in the table alone")
                .isEqualTo(raced);
    }

    @Test
    void whatCannotBeReadIsNamed() throws IOException {
        Path wrong = Files.writeString(folder.resolve("a.columns"), "[]");
        assertThat(results("unpack", wrong)).isEqualTo(2);
        assertThat(results("unpack", folder.resolve("b.json"))).isEqualTo(2);
        assertThat(results("unpack", sample("cuda.json"))).isEqualTo(2);
        assertThat(results("pack", Files.writeString(folder.resolve("c.json"), "{oops")))
                .isEqualTo(2);
        assertThat(errors.toString())
                .contains(wrong + ": no file of columns: it does not begin with 'tilewright columns 1'")
                .contains("cannot read " + folder.resolve("b.json"))
                .contains("cuda.json: no file of columns: its name does not end with .columns")
                .contains("c.json: ");
    }
}
