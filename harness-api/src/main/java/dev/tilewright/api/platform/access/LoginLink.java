package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.SecretFile;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** A link that opens one session of the operator, once. The process alone knows its secret. */
@Component
public final class LoginLink {

    /** The life of a link. */
    public static final Duration LIFE = Duration.ofMinutes(10);

    private final Clock clock;
    private final AtomicReference<@Nullable Drawn> open = new AtomicReference<>();

    private record Drawn(String secret, Instant end) {}

    LoginLink(Clock clock) {
        this.clock = clock;
    }

    /** Draws the secret of a link; the link before it ends. */
    public String draw() {
        Drawn drawn = new Drawn(SecretFile.draw(), clock.instant().plus(LIFE));
        open.set(drawn);
        return drawn.secret();
    }

    /** The caller whose session a secret opens; empty if the link was used, is too old or was never drawn. */
    public Optional<Caller> use(String secret) {
        Drawn drawn = open.get();
        return drawn != null
                        && Signature.equal(drawn.secret(), secret)
                        && clock.instant().isBefore(drawn.end())
                        && open.compareAndSet(drawn, null)
                ? Optional.of(Caller.OPERATOR)
                : Optional.empty();
    }
}
