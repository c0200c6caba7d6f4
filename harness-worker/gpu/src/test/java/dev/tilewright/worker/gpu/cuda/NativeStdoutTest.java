package dev.tilewright.worker.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class NativeStdoutTest {

    /** Started as a process of its own: standard output can be claimed only once. */
    static final class Child {
        public static void main(String[] arguments) throws IOException, InterruptedException {
            try (OutputStream claimed = NativeStdout.claim()) {
                System.out.println("noise of Java");
                new ProcessBuilder("/bin/echo", "noise of C")
                        .inheritIO()
                        .start()
                        .waitFor();
                claimed.write("message".getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private static Path location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    @Test
    @Timeout(60)
    void onlyMessagesReachStandardOutput() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        location(NativeStdout.class) + ":" + location(Child.class),
                        Child.class.getName())
                .start();
        child.getOutputStream().close();
        String out = new String(child.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        String err = new String(child.getErrorStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(out).as(err).isEqualTo("message");
        assertThat(err).contains("noise of Java").contains("noise of C");
    }
}
