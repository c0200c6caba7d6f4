package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.SecretFile;
import dev.tilewright.api.platform.http.PagePaths;
import dev.tilewright.model.space.Sha256;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Sessions of browsers. A login opens one, a logout ends that one alone, and all sessions of a token end with the
 * token. A session opens pages alone, so that nothing but a header opens the API.
 */
@Component
public final class Sessions {

    /** The longest life of a session. */
    static final Duration LIFE = Duration.ofDays(30);

    /** Sessions of one caller at once; the next login ends the oldest. */
    static final int MOST = 100;

    private final KnownSessions kept;
    private final Tokens tokens;
    private final Clock clock;

    Sessions(KnownSessions kept, Tokens tokens, Clock clock) {
        this.kept = kept;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** The caller whose session a request for a page shows. */
    Optional<Caller> caller(HttpServletRequest request) {
        return PagePaths.include(request.getServletPath())
                ? SessionCookie.id(request).flatMap(this::caller)
                : Optional.empty();
    }

    private Optional<Caller> caller(String id) {
        return kept.find(Sha256.hex(id), clock.instant())
                .flatMap(found ->
                        found.seal() == null ? Optional.ofNullable(found.holder()) : tokens.sealed(id, found.seal()));
    }

    /** Opens a session with a new id, and ends the one that the browser had. */
    public void open(Caller caller, HttpServletRequest request, HttpServletResponse response) {
        SessionCookie.id(request).map(Sha256::hex).ifPresent(kept::end);
        String id = SecretFile.draw();
        Instant now = clock.instant();
        kept.add(
                new KnownSessions.Session(
                        Sha256.hex(id), caller.name(), tokens.seal(id, caller).orElse(null)),
                now,
                now.plus(LIFE),
                MOST);
        SessionCookie.set(id, LIFE, request, response);
    }

    /** Ends the session of this browser. */
    public void end(HttpServletRequest request, HttpServletResponse response) {
        SessionCookie.id(request).map(Sha256::hex).ifPresent(kept::end);
        SessionCookie.set("", Duration.ZERO, request, response);
    }
}
