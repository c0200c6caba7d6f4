package dev.tilewright.system.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** What all threads of the JVMs of an installation do, for failures. */
record ThreadDumps(Installation installation) {

    private static final int PATIENCE_SECONDS = 20;

    @Override
    public String toString() {
        return installation
                .processes()
                .filter(process -> process.info()
                        .command()
                        .filter(command -> command.endsWith("/java"))
                        .isPresent())
                .map(process -> "\n== threads of process " + process.pid() + "\n" + of(process.pid()))
                .collect(Collectors.joining());
    }

    private static String of(long pid) {
        try {
            Path dump = Files.createTempFile("threads", ".txt");
            Process jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(pid),
                            "Thread.print")
                    .redirectErrorStream(true)
                    .redirectOutput(dump.toFile())
                    .start();
            // One that is stopped answers nobody.
            if (!jcmd.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                jcmd.destroyForcibly();
            }
            String text = Files.readString(dump, StandardCharsets.UTF_8);
            Files.delete(dump);
            return text;
        } catch (IOException e) {
            return "(" + e + ")";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "(interrupted)";
        }
    }
}
