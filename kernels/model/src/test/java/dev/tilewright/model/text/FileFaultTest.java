package dev.tilewright.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFaultTest {
    @TempDir
    Path folder;

    private static String reason(ThrowingCallable attempt) {
        return FileFault.reason(catchThrowableOfType(IOException.class, attempt));
    }

    /** Failures as the platform throws them. */
    @Test
    void noClassAndNoPathIsInAReason() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "text");
        assertThat(reason(() -> Files.readString(folder.resolve("none")))).isEqualTo("no such file or folder");
        assertThat(reason(() -> Files.readString(folder))).isEqualTo("is a directory");
        assertThat(reason(() -> Files.createFile(file))).isEqualTo("a file of that name is there");
        assertThat(reason(() -> Files.createFile(file.resolve("below")))).isEqualTo("not a directory");
        assertThat(reason(() -> Files.delete(folder))).isEqualTo("the folder is not empty");
        assertThat(reason(() -> Files.newDirectoryStream(file).close())).isEqualTo("it is no folder");
        assertThat(reason(() -> new ZipFile(file.toFile()).close()))
                .isEqualTo("it is no zip archive, or a damaged one");
        Files.write(file, new byte[] {(byte) 0xff});
        assertThat(reason(() -> Files.readString(file))).isEqualTo("it is no UTF-8 text");
        assertThat(reason(() -> new ProcessBuilder("no-such-program", "x").start()))
                .isEqualTo("no such file or directory");
        assertThat(FileFault.reason(new IOException())).isEqualTo("input or output failed");
    }
}
