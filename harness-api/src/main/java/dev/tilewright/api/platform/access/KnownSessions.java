package dev.tilewright.api.platform.access;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The store of sessions and of the key that signs forms. */
public interface KnownSessions {

    /**
     * A session as it is stored.
     *
     * @param idHash SHA-256 of its id
     * @param caller name of the caller
     * @param seal proof that the caller had a token that the service was started with; {@code null} for a stored token,
     *     whose session is deleted with it
     */
    record Session(String idHash, String caller, @Nullable String seal) {}

    /**
     * The caller of a session.
     *
     * @param holder of the stored token; {@code null} if the service was started with the token
     * @param seal as in {@link Session}
     */
    record Found(@Nullable Caller holder, @Nullable String seal) {}

    /**
     * Adds a session. Deletes those that have ended, and the oldest ones of a caller that has too many.
     *
     * @param most sessions of one caller
     */
    void add(Session session, Instant now, Instant end, int most);

    /** The session with this id, unless it has ended. */
    Optional<Found> find(String idHash, Instant now);

    /** Ends a session. */
    void end(String idHash);

    /** The key that signs forms, which all replicas share. The first replica ever stores the drawn one. */
    String formKey(String drawn);
}
