package dev.tilewright.proof.emulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.hazard.Hazard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The handbook's table of hazards and the emulator's hazards are the same. */
class HazardTableTest {
    private static final Path HANDBOOK = Path.of("..", "..", "docs", "emulator", "README.md");

    private static List<String> rows() throws IOException {
        String text = Files.readString(HANDBOOK);
        String table = text.substring(text.indexOf("## Hazards"), text.indexOf("## What it does not do"));
        return table.lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| hazard ") && !line.startsWith("| ---"))
                .map(line -> line.substring(2, line.indexOf(" |", 2)))
                .toList();
    }

    @Test
    void everyHazardHasARow() throws IOException {
        assertThat(rows())
                .containsExactlyInAnyOrderElementsOf(Stream.of(Hazard.class.getPermittedSubclasses())
                        .map(HazardWords::kind)
                        .toList());
    }
}
