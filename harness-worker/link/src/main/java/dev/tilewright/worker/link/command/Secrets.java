package dev.tilewright.worker.link.command;

import dev.tilewright.model.text.FileFault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tokens from where no process list shows them: a file, standard input, or the environment.
 *
 * @param environment in which {@code NAME} has a secret, or {@code NAME_FILE} names a file that has it
 */
public record Secrets(Map<String, String> environment) {

    private static final String OF_A_FILE = "_FILE";

    /** The description of options that take a secret. */
    static final String SOURCES = "@FILE, or - for standard input";

    /**
     * The secret that an option names, or the first that one of the variables has; {@code null} if there is none.
     *
     * @param text {@code @FILE} or {@code -}; {@code null} if the option was not given
     */
    @Nullable
    public String read(String option, @Nullable String text, String... variables) {
        if (text != null) {
            return named(option, text);
        }
        return Stream.of(variables)
                .map(this::variable)
                .filter(secret -> secret != null)
                .findFirst()
                .orElse(null);
    }

    private static String named(String option, String text) {
        if (text.equals("-")) {
            try {
                return checked(option, "standard input", System.in.readAllBytes());
            } catch (IOException unreadable) {
                throw refused(option + ": cannot read standard input: " + FileFault.reason(unreadable));
            }
        }
        if (text.startsWith("@") && text.length() > 1) {
            return file(option, Path.of(text.substring(1)));
        }
        // It is not repeated: this may well be the secret.
        throw refused(option + ": must be " + SOURCES
                + ", since every user of this machine can read a token on a command line");
    }

    private @Nullable String variable(String name) {
        String value = environment.get(name);
        String file = environment.get(name + OF_A_FILE);
        boolean inFile = file != null && !file.isBlank();
        if (value == null || value.isBlank()) {
            return inFile ? file(name + OF_A_FILE, Path.of(file)) : null;
        }
        if (inFile) {
            throw refused(name + " and " + name + OF_A_FILE + " are both set: give one of them");
        }
        return value.strip();
    }

    private static String file(String source, Path file) {
        try {
            return checked(source, file.toString(), Files.readAllBytes(file));
        } catch (IOException unreadable) {
            throw refused(source + ": cannot read " + file);
        }
    }

    private static String checked(String source, String where, byte[] bytes) {
        String secret = new String(bytes, StandardCharsets.UTF_8).strip();
        if (!secret.matches("\\S+")) {
            throw refused(source + ": " + where + (secret.isEmpty() ? " is empty" : " has more than one word"));
        }
        return secret;
    }

    private static CommandFailedException refused(String line) {
        return CommandFailedException.usage(line);
    }
}
