package dev.tilewright.api.kernel;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Tables {@code kernel_file} and {@code trial_launch}. */
@Repository
class KernelRepository {

    private final JdbcClient jdbc;

    KernelRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Keeps a file, unless it is there. */
    void keep(String hash, int bytes, byte[] gzip, Instant now) {
        jdbc.sql("""
                insert into kernel_file (hash, bytes, gzip, created_at) values (:hash, :bytes, :gzip, :now)
                on conflict (hash) do nothing""")
                .param("hash", hash)
                .param("bytes", bytes)
                .param("gzip", gzip)
                .param("now", at(now))
                .update();
    }

    /** Says which launch the trial of a lease had. */
    void launched(UUID leaseId, String launchHash) {
        jdbc.sql("""
                insert into trial_launch (trial_id, launch_hash)
                select l.trial_id, :hash from lease l where l.id = :lease and l.trial_id is not null
                on conflict (trial_id) do nothing""").param("lease", leaseId).param("hash", launchHash).update();
    }

    /**
     * A file of a trial.
     *
     * @param hash {@code null} if the trial has none
     * @param gzip {@code null} if it is not stored
     */
    record Found(@Nullable String hash, byte @Nullable [] gzip) {}

    /** Empty if there is no such trial. */
    Optional<Found> find(UUID trialId, KernelFile file) {
        String hash = switch (file) {
            case PTX -> "t.ptx_hash";
            case CUBIN -> "t.cubin_hash";
            case LAUNCH -> "l.launch_hash";
        };
        return jdbc.sql("""
                select %1$s as hash, f.gzip from trial t left join trial_launch l on l.trial_id = t.id
                    left join kernel_file f on f.hash = %1$s
                where t.id = :id""".formatted(hash))
                .param("id", trialId)
                .query((row, number) -> new Found(row.getString("hash"), row.getBytes("gzip")))
                .optional();
    }
}
