package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.tilewright.worker.cli.board.Board;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every board of a verb in a narrow terminal. */
class BoardsFitTest {

    private static List<String> printed(Board board, int width) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new Printer(new PrintStream(out, true, StandardCharsets.UTF_8), width).show(board);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80})
    void noLineIsWiderThanItsTerminalButForCommands(int width) {
        assertThat(ExampleBoards.all())
                .allSatisfy(board -> assertThat(printed(board, width))
                        .as(board.getClass().getSimpleName())
                        .isNotEmpty()
                        .filteredOn(line -> !line.matches("\\s*(\\S+: )?tilewright .*"))
                        .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(width)));
    }

    /** A printer would wrap a row that is too wide, so it is looked for before. */
    @ParameterizedTest
    @ValueSource(ints = {60, 80})
    void noRowOfATableIsWrapped(int width) {
        assertThat(ExampleBoards.all())
                .allSatisfy(board -> assertThat(board.lines(width))
                        .as(board.getClass().getSimpleName())
                        .filteredOn(line -> line.matches(" .*\\S {2,}\\S.*"))
                        .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(width)));
    }

    @Test
    void atTheLeastWidthTheyArePrintedAsWell() {
        int least = Terminal.boardWidth(Map.of("COLUMNS", "10"));
        assertThat(least).isEqualTo(40);
        assertThat(ExampleBoards.all())
                .allSatisfy(board -> assertThat(printed(board, least)).isNotEmpty());
    }

    @Test
    void intoAFileOrAPipeTheyAreAsWideAsTheyCome() {
        assertThat(ExampleBoards.all())
                .allSatisfy(board -> assertThat(printed(board, Board.ANY_WIDTH)).isEqualTo(board.lines()));
    }

    @Test
    void aSentenceIsWrappedWhereAWidthIsGiven() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        String sentence = "job 7 of the last night tunes the problem 1024x640x256 bf16 again";
        Printer.of(Map.of("COLUMNS", "40"), stream).println(sentence);
        Printer.of(Map.of("COLUMNS", "40"), stream).copy(sentence);
        Printer.of(Map.of(), stream).println(sentence);
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "job 7 of the last night tunes the", "    problem 1024x640x256 bf16 again", sentence, sentence);
    }

    /** A new board needs an example. */
    @Test
    void noBoardIsLeftOut() {
        Set<String> seen =
                ExampleBoards.all().map(board -> board.getClass().getName()).collect(Collectors.toSet());
        assertThat(new ClassFileImporter()
                                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                                .importPackagesOf(Printer.class)
                                .stream()
                                .filter(type -> type.isAssignableTo(Board.class) && !type.isInterface())
                                .map(JavaClass::getName))
                .hasSizeGreaterThan(10)
                .containsOnlyOnceElementsOf(seen)
                .isSubsetOf(seen);
    }
}
