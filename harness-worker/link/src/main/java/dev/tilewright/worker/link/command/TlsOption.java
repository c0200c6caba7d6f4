package dev.tilewright.worker.link.command;

import dev.tilewright.worker.link.client.Trust;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whose certificates a verb believes at a service with {@code https://}. */
public final class TlsOption {

    private static final String VARIABLE = "TILEWRIGHT_TLS_CA";

    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description = "Certificate (PEM) of the authority that signed that of the service, if Java does not know it"
                    + " (also TILEWRIGHT_TLS_CA).")
    private @Nullable Path authority;

    public Trust trust(Map<String, String> environment) {
        String variable = environment.get(VARIABLE);
        boolean set = variable != null && !variable.isBlank();
        if (authority == null && !set) {
            return Trust.ofJava();
        }
        Path file = authority == null ? Path.of(variable) : authority;
        try {
            return Trust.ofAuthority(file);
        } catch (IOException unusable) {
            throw CommandFailedException.usage(
                    (authority == null ? VARIABLE : "--tls-ca") + ": no certificate can be read from " + file,
                    unusable);
        }
    }
}
