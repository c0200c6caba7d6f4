package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.SecretFile;
import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.model.space.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Finds the holder of a token: of the tokens that the service is started with, or of a stored one. */
@Component
public final class Tokens {

    private final byte[] workers;
    private final byte @Nullable [] operator;
    private final byte @Nullable [] reader;
    private final RecentTokens kept;

    Tokens(ServiceSettings settings, RecentTokens kept) throws IOException {
        settings.files().create();
        if (settings.workerToken() != null) {
            SecretFile.write(settings.files().workerToken(), settings.workerToken());
        }
        this.workers = bytes(SecretFile.readOrCreate(settings.files().workerToken()));
        this.operator = settings.userToken() == null ? null : bytes(settings.userToken());
        this.reader = settings.readerToken() == null ? null : bytes(settings.readerToken());
        this.kept = kept;
    }

    /** The holder of this token; empty if it is not known. A wrong token takes as long as a right one. */
    public Optional<Caller> caller(String token) {
        byte[] shown = bytes(token);
        if (MessageDigest.isEqual(workers, shown)) {
            return Optional.of(Caller.WORKERS);
        }
        if (operator != null && MessageDigest.isEqual(operator, shown)) {
            return Optional.of(Caller.OPERATOR);
        }
        if (reader != null && MessageDigest.isEqual(reader, shown)) {
            return Optional.of(Caller.READER);
        }
        return kept.caller(Sha256.hex(token));
    }

    /** Whether users have to show one: where the service was started with one for its operator. */
    public boolean usersNeedOne() {
        return operator != null;
    }

    private static byte[] bytes(String token) {
        return token.getBytes(StandardCharsets.UTF_8);
    }
}
