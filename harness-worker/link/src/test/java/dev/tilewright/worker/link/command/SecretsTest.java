package dev.tilewright.worker.link.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsTest {

    @TempDir
    private Path folder;

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    @Test
    void anOptionGoesBeforeVariablesAndTheFirstVariableBeforeTheSecond() throws IOException {
        Secrets secrets = new Secrets(Map.of("A_FILE", file("a", " of-a \n"), "B", "of-b", "C", " "));
        assertThat(secrets.read("--token", "@" + file("o", "of-the-option"), "A", "B"))
                .isEqualTo("of-the-option");
        assertThat(secrets.read("--token", null, "A", "B")).isEqualTo("of-a");
        assertThat(secrets.read("--token", null, "C", "B")).isEqualTo("of-b");
        assertThat(secrets.read("--token", null, "C", "D")).isNull();
    }

    @Test
    void whatCannotBeMeantIsRefusedWithoutTheSecret() throws IOException {
        Secrets secrets = new Secrets(Map.of("A_FILE", file("a", "x"), "A", "y", "B_FILE", file("b", "\n")));
        assertThatThrownBy(() -> secrets.read("--token", "s3cret"))
                .hasMessageStartingWith("--token: must be @FILE, or - for standard input")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> secrets.read("--token", "@")).hasMessageStartingWith("--token: must be @FILE");
        assertThatThrownBy(() -> secrets.read("--token", null, "A"))
                .hasMessage("A and A_FILE are both set: give one of them");
        assertThatThrownBy(() -> secrets.read("--token", null, "B"))
                .hasMessage("B_FILE: " + folder.resolve("b") + " is empty");
        String two = file("c", "two words");
        assertThatThrownBy(() -> secrets.read("--token", "@" + two))
                .hasMessage("--token: " + two + " has more than one word");
    }
}
