package dev.tilewright.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The Python interpreter of the machine. */
public final class Python {

    private static final String PROGRAM = found();

    private Python() {}

    /**
     * The path of the interpreter that {@code python3} starts. A {@code python3} of pyenv is a script that chooses an
     * interpreter, which takes longer than the start of the interpreter.
     */
    public static String program() {
        return PROGRAM;
    }

    private static String found() {
        try {
            Process asked = new ProcessBuilder("python3", "-c", "import sys; print(sys.executable)")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String path = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return path.isEmpty() ? "python3" : path;
        } catch (IOException none) {
            // A test that needs it fails, or is skipped, where it starts it.
            return "python3";
        }
    }
}
