package dev.tilewright.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kernels read like the tables above them: their two loops over K stand in short methods of their own. */
class DiagramTest {

    private static final Path SOURCES = Path.of("src/main/java/dev/tilewright/gemm");
    private static final int MOST_LINES = 25;

    @ParameterizedTest
    @CsvSource({"sm90/Sm90Kernel", "sm100/Sm100Kernel"})
    void loadAcquiresLoadsAndCommits(String kernel) throws IOException {
        List<String> load = method(kernel, "load");
        assertThat(load).hasSizeLessThanOrEqualTo(MOST_LINES);
        assertThat(String.join("\n", load)).containsSubsequence("forEachTile", ".acquire(", ".load(", ".commit(");
    }

    @ParameterizedTest
    @CsvSource({"sm90/Sm90Kernel", "sm100/Sm100Kernel"})
    void multiplyWaitsMultipliesAndReleases(String kernel) throws IOException {
        List<String> multiply = method(kernel, "multiply");
        assertThat(multiply).hasSizeLessThanOrEqualTo(MOST_LINES);
        assertThat(String.join("\n", multiply)).containsSubsequence(".await(", ".multiply(", ".release(", ".finish(");
    }

    /** The config says which operand has the rows of instructions, and {@code OutputPanels} what follows for D. */
    @Test
    void nobodyAsksWhetherOperandsAreSwapped() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            assertThat(files.filter(file -> file.toString().endsWith(".java")))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(read(file)).doesNotContain("swapAB()"));
        }
    }

    /** The lines of a private method, from its head to its last brace. */
    private static List<String> method(String kernel, String name) throws IOException {
        List<String> lines = Files.readAllLines(SOURCES.resolve(kernel + ".java"));
        List<String> method = lines.stream()
                .dropWhile(line -> !line.startsWith("    private void " + name + "("))
                .toList();
        int end = method.indexOf("    }");
        assertThat(end).as(kernel + " has a method " + name).isPositive();
        return method.subList(0, end + 1);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
