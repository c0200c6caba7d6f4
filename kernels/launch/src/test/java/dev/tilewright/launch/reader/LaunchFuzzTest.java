package dev.tilewright.launch.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.launch.document.DocumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever becomes of a description, reading it ends with a launch or with an error that has a position. */
class LaunchFuzzTest {
    private static final int TRIES = 3000;
    private static final List<String> PIECES = List.of(
            "0",
            "-1",
            "99999999999999999999",
            "1e9999",
            "0x",
            "nan",
            "null",
            "true",
            "''",
            "[]",
            "{}",
            "[[",
            "}}",
            ":",
            "\n",
            "\t",
            "*a",
            "&a",
            "!!int",
            "- ",
            "#",
            "init",
            "buffer",
            "A",
            "D",
            "shape",
            "4294967296",
            "\u0000",
            "\uD83D",
            "?",
            "|");

    @ParameterizedTest
    @ValueSource(strings = {"simt-gemm.yaml", "tile-gemm.yaml", "sm90-gemm.yaml"})
    void neverThrowsAnythingElse(String name) throws IOException {
        Path directory = Path.of("..", "..", "docs", "examples", "check");
        String text = Files.readString(directory.resolve(name));
        SplittableRandom random = new SplittableRandom(name.hashCode());
        int refused = 0;
        for (int i = 0; i < TRIES; i++) {
            StringBuilder changed = new StringBuilder(text);
            for (int edit = random.nextInt(1, 4); edit > 0; edit--) {
                int at = random.nextInt(changed.length());
                int end = Math.min(changed.length(), at + random.nextInt(12));
                changed.replace(at, end, random.nextBoolean() ? PIECES.get(random.nextInt(PIECES.size())) : "");
            }
            try {
                LaunchReader.read(changed.toString(), random.nextInt(8) == 0, directory);
            } catch (DocumentException wrong) {
                refused++;
                assertThat(wrong.getMessage()).matches("(?s)[0-9]+:[0-9]+: .*");
            }
        }
        assertThat(refused).isBetween(TRIES / 4, TRIES);
    }
}
