package dev.tilewright.worker.link.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChildTest {

    @TempDir
    private Path directory;

    /** A program that exits with what it serves, fails, or waits for ever. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) {
            Child.run(arguments, served -> () -> {
                if (served.equals("forever")) {
                    new CountDownLatch(1).await();
                }
                return Integer.parseInt(served);
            });
        }
    }

    private Process started(List<String> arguments) throws IOException {
        ChildCommand command = ChildCommand.jvm("child", 64, directory, Map.of(), Program.class, "replaced");
        List<String> line =
                new ArrayList<>(command.command().subList(0, command.command().size() - 2));
        line.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().putAll(command.environment());
        builder.environment().remove("TILEWRIGHT_DEBUG");
        return builder.start();
    }

    private static String said(Process child) throws IOException {
        return new String(child.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, ''", "3, 3, ''", "nonsense, 4, NumberFormatException"})
    void exitsWithWhatItsServiceSays(String served, int exit, String reason) throws Exception {
        Process child =
                started(List.of(served, Long.toString(ProcessHandle.current().pid())));

        assertThat(said(child)).contains(reason);
        assertThat(child.waitFor()).isEqualTo(exit);
    }

    @ParameterizedTest
    @CsvSource({"0, a child takes what it serves", "0 x, NumberFormatException"})
    void saysWhatIsWrongWithItsArguments(String arguments, String reason) throws Exception {
        Process child = started(List.of(arguments.split(" ")));

        assertThat(said(child)).contains(reason);
        assertThat(child.waitFor()).isEqualTo(4);
    }

    @Test
    void endsWithItsParent() throws Exception {
        Process parent = new ProcessBuilder("sleep", "600").start();
        Process child = started(List.of("forever", Long.toString(parent.pid())));
        assertThat(child.isAlive()).isTrue();

        parent.destroyForcibly();

        assertThat(child.waitFor()).isEqualTo(4);
    }
}
