package dev.tilewright.api.idempotency;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code idempotency_key}. */
@Repository
record KeyRepository(JdbcClient jdbc) {

    /** Takes a key for this transaction; false if another request of the caller with this key is in flight. */
    boolean take(String caller, String key) {
        return jdbc.sql("select pg_try_advisory_xact_lock(hashtextextended(:caller || chr(10) || :key, 7))")
                .param("caller", caller)
                .param("key", key)
                .query(Boolean.class)
                .single();
    }

    /** The first use of a key. */
    record Used(String fingerprint, String kind, UUID madeId) {}

    Optional<Used> used(String caller, String key) {
        return jdbc.sql("select fingerprint, kind, made_id from idempotency_key where caller = :caller and key = :key")
                .param("caller", caller)
                .param("key", key)
                .query((row, number) -> new Used(
                        row.getString("fingerprint"), row.getString("kind"), row.getObject("made_id", UUID.class)))
                .optional();
    }

    void use(String caller, String key, Used used, Instant now) {
        jdbc.sql("""
            insert into idempotency_key (caller, key, fingerprint, kind, made_id, created_at)
            values (:caller, :key, :fingerprint, :kind, :made, :now)\
            """)
                .param("caller", caller)
                .param("key", key)
                .param("fingerprint", used.fingerprint())
                .param("kind", used.kind())
                .param("made", used.madeId())
                .param("now", at(now))
                .update();
    }

    int forgetBefore(Instant before) {
        return jdbc.sql("delete from idempotency_key where created_at < :before")
                .param("before", at(before))
                .update();
    }
}
