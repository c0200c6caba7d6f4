package dev.tilewright.api.web.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FoldedTextTest {

    @Test
    void eachRoleOfAKernelIsAPartAndNoLineIsLost() throws IOException {
        String text = Files.readString(Path.of("../docs/examples/check/sm90-gemm.ptx"));
        FoldedText folded = FoldedText.of(text);
        assertThat(folded.parts().stream().map(FoldedText.Part::role).filter(role -> role != null))
                .contains("load", "scheduler", "multiply");
        assertThat(folded.parts().stream()
                        .map(FoldedText.Part::text)
                        .filter(part -> !part.isBlank())
                        .collect(Collectors.joining("\n"))
                        .replaceAll("\\s+", " "))
                .isEqualTo(text.strip().replaceAll("\\s+", " "));
        FoldedText.Part load = folded.parts().stream()
                .filter(part -> "load".equals(part.role()))
                .findFirst()
                .orElseThrow();
        assertThat(load.text().lines().findFirst().orElseThrow()).contains("//@ role load");
        assertThat(text.lines().toList().get(load.first() - 1)).contains("//@ role load");
        assertThat(text.lines().toList().get(load.last() - 1)).contains("//@ end role load");
        assertThat(folded.truncated()).isFalse();
    }

    @Test
    void aTextThatNamesNoRoleIsOnePart() {
        FoldedText folded = FoldedText.of(".version 8.0\nret;\n");
        assertThat(folded.parts()).singleElement().satisfies(part -> {
            assertThat(part.role()).isNull();
            assertThat(part.first()).isEqualTo(1);
            assertThat(part.last()).isEqualTo(2);
        });
    }

    @Test
    void aVeryLongTextIsCutAndSaysSo() {
        FoldedText folded = FoldedText.of("ret;\n".repeat(7000));
        assertThat(folded.truncated()).isTrue();
        assertThat(folded.lines()).isEqualTo(7000);
        assertThat(folded.parts().getLast().last()).isEqualTo(6000);
    }
}
