package dev.tilewright.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Texts kept beside the tests. */
final class Golden {
    private Golden() {}

    static void check(String name, String text) {
        Path file = Path.of("src/test/java/dev/tilewright/ptx", name + ".expected.ptx");
        try {
            if (Boolean.getBoolean("golden.accept")) {
                Files.writeString(file, text);
            }
            assertThat(text).as(file + " (rewrite with -Dgolden.accept=true)").isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
