package dev.tilewright.api.platform;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the service was asked to run.
 *
 * @param home folder of everything it keeps
 * @param startedBy who started the service, for people who find it running
 * @param databaseUrl an external Postgres; {@code null} for the embedded one
 * @param databasePassword that of an external Postgres, where its address has none
 * @param workerToken what workers show; {@code null} to generate one in the home folder
 * @param userToken what users show; {@code null} if none is asked for, which is allowed on the loopback address alone,
 *     or if {@code login} has one drawn
 * @param readerToken what a reader shows beside those whose tokens are kept, such as Prometheus; {@code null} for none
 * @param login whether users show a token in any case, and one link logs a browser in
 * @param leaseTtl how long a lease lives without a heartbeat
 * @param deviceWait how long a job or a task waits while no worker that is heard has a device for it; then it fails
 * @param askDeadline how long a search strategy may think about one question; who is late ends its study
 * @param check whether every job has each kernel text proved on the emulator before it may run
 * @param migrate whether the database of an older program may be changed without a copy of ours
 */
@ConfigurationProperties("tilewright")
public record ServiceSettings(
        Path home,
        @Nullable String startedBy,
        @Nullable String databaseUrl,
        @Nullable String databasePassword,
        @Nullable String workerToken,
        @Nullable String userToken,
        @Nullable String readerToken,
        @DefaultValue("false") boolean login,
        @DefaultValue("15s") Duration leaseTtl,
        @DefaultValue("15m") Duration deviceWait,
        @DefaultValue("30s") Duration askDeadline,
        @DefaultValue("false") boolean check,
        @DefaultValue("false") boolean migrate) {

    /** An empty token is none, and one from a file may have the end of its line. */
    public ServiceSettings {
        workerToken = stripped(workerToken);
        userToken = stripped(userToken);
        readerToken = stripped(readerToken);
        if (readerToken != null && (readerToken.equals(userToken) || readerToken.equals(workerToken))) {
            throw new IllegalArgumentException(
                    "the token of a reader must be another than those of the operator and of workers");
        }
    }

    private static @Nullable String stripped(@Nullable String token) {
        return token == null || token.isBlank() ? null : token.strip();
    }

    /** Whether the token of the operator is the one in the home. */
    public boolean drawsUserToken() {
        return login && userToken == null;
    }

    /** The folders and files under the home. */
    public ServiceHome files() {
        return new ServiceHome(home);
    }
}
