package dev.tilewright.api.platform.http;

import dev.tilewright.api.platform.SecretFile;
import dev.tilewright.api.platform.ServiceSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The tokens that workers and users show. */
@Component
public final class Tokens {

    private final byte[] worker;
    private final byte @Nullable [] user;

    Tokens(ServiceSettings settings) throws IOException {
        settings.files().create();
        if (settings.workerToken() != null) {
            SecretFile.write(settings.files().workerToken(), settings.workerToken());
        }
        worker = bytes(SecretFile.readOrCreate(settings.files().workerToken()));
        user = settings.userToken() == null ? null : bytes(settings.userToken());
    }

    /** Whether this is the workers' token; takes as long for a wrong one as for the right one. */
    boolean isWorker(String token) {
        return MessageDigest.isEqual(worker, bytes(token));
    }

    /** Whether this is the users' token. */
    boolean isUser(String token) {
        return user != null && MessageDigest.isEqual(user, bytes(token));
    }

    boolean usersNeedOne() {
        return user != null;
    }

    private static byte[] bytes(String token) {
        return token.getBytes(StandardCharsets.UTF_8);
    }
}
