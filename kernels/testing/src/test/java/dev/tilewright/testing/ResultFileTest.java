package dev.tilewright.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFileTest {

    @Test
    void aRunWithoutFiguresWritesACopy(@TempDir Path folder) throws IOException {
        Path document = Files.writeString(folder.resolve("figures-of-a-test.md"), "committed");
        Path written = ResultFile.of(document);
        try {
            assertThat(written).isNotEqualTo(document).hasContent("committed");
            Files.writeString(written, "new");
            assertThat(ResultFile.of(document)).isEqualTo(written).hasContent("new");
            assertThat(document).hasContent("committed");
        } finally {
            Files.delete(written);
        }
    }

    @Test
    void aRunWithFiguresWritesTheDocument(@TempDir Path folder) {
        System.setProperty("tilewright.figures", "true");
        try {
            Path document = folder.resolve("new/figures.md");
            assertThat(ResultFile.of(document)).isEqualTo(document);
            assertThat(document.getParent()).isDirectory();
        } finally {
            System.clearProperty("tilewright.figures");
        }
    }
}
