package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.SecretFile;
import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.model.space.Sha256;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Finds the holder of a token: of the tokens that the service is started with, or of a stored one. */
@Component
public final class Tokens {

    private final String workers;
    private final @Nullable String operator;
    private final @Nullable String reader;
    private final RecentTokens kept;

    Tokens(ServiceSettings settings, RecentTokens kept) throws IOException {
        settings.files().create();
        if (settings.workerToken() != null) {
            SecretFile.write(settings.files().workerToken(), settings.workerToken());
        }
        this.workers = SecretFile.readOrCreate(settings.files().workerToken());
        this.operator = settings.drawsUserToken()
                ? SecretFile.readOrCreate(settings.files().userToken())
                : settings.userToken();
        this.reader = settings.readerToken();
        this.kept = kept;
    }

    /** The holder of this token; empty if it is not known. A wrong token takes as long as a right one. */
    public Optional<Caller> caller(String token) {
        if (Signature.equal(workers, token)) {
            return Optional.of(Caller.WORKERS);
        }
        if (operator != null && Signature.equal(operator, token)) {
            return Optional.of(Caller.OPERATOR);
        }
        if (reader != null && Signature.equal(reader, token)) {
            return Optional.of(Caller.READER);
        }
        return kept.caller(Sha256.hex(token));
    }

    /**
     * The proof, for the holder of a session, that its caller had a token that the service was started with. It tells
     * nothing of the token to somebody who does not know the id of the session.
     *
     * @return empty for the caller of a stored token
     */
    Optional<String> seal(String id, Caller caller) {
        String token = caller.equals(Caller.OPERATOR) ? operator : caller.equals(Caller.READER) ? reader : null;
        return Optional.ofNullable(token).map(secret -> Signature.of(id, secret));
    }

    /** The caller whose token gives this seal; empty if the service was started with another token since. */
    Optional<Caller> sealed(String id, String seal) {
        return Stream.of(Caller.OPERATOR, Caller.READER)
                .filter(caller -> seal(id, caller)
                        .filter(now -> Signature.equal(now, seal))
                        .isPresent())
                .findFirst();
    }

    /** Whether users have to show one: where the service has one for its operator. */
    public boolean usersNeedOne() {
        return operator != null;
    }
}
