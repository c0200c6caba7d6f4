package dev.tilewright.api.platform.process;

import dev.tilewright.api.platform.ServiceHome;
import dev.tilewright.model.text.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a service from the environment. Secrets may lie in files: {@code NAME_FILE} names the file of
 * {@code NAME}.
 *
 * @param databaseUrl of an external Postgres; {@code null} for the embedded one
 * @param databasePassword where the address has none
 * @param workerToken that of all workers; {@code null} to have one made
 * @param userToken that of the operator; {@code null} if users show none
 * @param readerToken that of a reader, such as Prometheus; {@code null} for none
 * @param login whether users show a token in any case
 * @param hosts names under which the service is asked for, with commas
 */
public record ServeEnvironment(
        ServiceHome home,
        @Nullable String databaseUrl,
        @Nullable String databasePassword,
        @Nullable String workerToken,
        @Nullable String userToken,
        @Nullable String readerToken,
        boolean login,
        @Nullable String hosts) {

    private static final int LEAST_TOKEN = 16;

    /**
     * Reads the variables, of which blank ones count as none.
     *
     * @throws IllegalArgumentException if a secret cannot be had, or a flag is neither true nor false, naming its
     *     variable
     */
    public static ServeEnvironment of(Map<String, String> variables) {
        String home = value(variables, "TILEWRIGHT_HOME");
        return new ServeEnvironment(
                new ServiceHome(home == null ? Path.of(System.getProperty("user.home"), ".tilewright") : Path.of(home)),
                secret(variables, "DATABASE_URL"),
                secret(variables, "DATABASE_PASSWORD"),
                secret(variables, "TILEWRIGHT_WORKER_TOKEN"),
                secret(variables, "TILEWRIGHT_USER_TOKEN"),
                secret(variables, "TILEWRIGHT_READER_TOKEN"),
                isTrue(variables, "TILEWRIGHT_LOGIN"),
                value(variables, "TILEWRIGHT_HOSTS"));
    }

    private static @Nullable String value(Map<String, String> variables, String name) {
        String value = variables.get(name);
        return value == null || value.isBlank() ? null : value;
    }

    private static boolean isTrue(Map<String, String> variables, String name) {
        String value = value(variables, name);
        if (value != null && !value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(name + ": must be true or false, got '" + value + "'");
        }
        return "true".equals(value);
    }

    private static @Nullable String secret(Map<String, String> variables, String name) {
        String value = value(variables, name);
        String file = value(variables, name + "_FILE");
        if (file == null) {
            return value;
        }
        if (value != null) {
            throw new IllegalArgumentException(name + " and " + name + "_FILE are both set: give one of them");
        }
        try {
            String content = Files.readString(Path.of(file)).strip();
            if (content.isEmpty()) {
                throw new IllegalArgumentException(name + "_FILE: " + file + " is empty");
            }
            return content;
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    name + "_FILE: cannot read " + file + ": " + FileFault.reason(unreadable), unreadable);
        }
    }

    /**
     * A token that somebody could guess, with the rule; empty if there is none. The variables, the files that they name
     * and the tokens in the home are checked alike.
     *
     * @throws IOException if a token in the home cannot be read
     */
    public Optional<String> shortToken() throws IOException {
        Map<String, String> tokens = new LinkedHashMap<>();
        put(tokens, "TILEWRIGHT_USER_TOKEN", userToken);
        put(tokens, "TILEWRIGHT_WORKER_TOKEN", workerToken);
        put(tokens, "TILEWRIGHT_READER_TOKEN", readerToken);
        putKept(tokens, home.workerToken(), workerToken);
        putKept(tokens, home.userToken(), userToken);
        return tokens.entrySet().stream()
                .filter(token -> token.getValue().strip().length() < LEAST_TOKEN)
                .findFirst()
                .map(token -> token.getKey() + ": a token has at least " + LEAST_TOKEN + " characters, got "
                        + token.getValue().strip().length() + "; make one with: openssl rand -hex 24");
    }

    private static void putKept(Map<String, String> tokens, Path kept, @Nullable String given) throws IOException {
        if (given == null && Files.exists(kept)) {
            tokens.put(kept.toString(), Files.readString(kept));
        }
    }

    private static void put(Map<String, String> tokens, String variable, @Nullable String token) {
        if (token != null) {
            tokens.put(variable, token);
        }
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return "the environment of a service on " + home.root();
    }
}
