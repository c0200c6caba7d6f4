package dev.tilewright.api.kernel;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Tables {@code kernel_file} and {@code trial_launch}. */
@Repository
record KernelRepository(JdbcClient jdbc, JsonColumn json) {

    /** A file that may be there already. */
    record Stored(String hash, int bytes, byte[] gzip) {}

    /** The launch of the trial of a lease. */
    record Launched(UUID leaseId, String launchHash) {}

    /**
     * Keeps files that are not there, in the order of their hashes. One that is there for long becomes young again:
     * nobody refers to it, perhaps, and it would be deleted before the trials at hand do.
     */
    void keep(List<Stored> files, Instant now) {
        jdbc.sql("""
                insert into kernel_file (hash, bytes, gzip, created_at)
                select r.hash, r.bytes, decode(r.gzip, 'base64'), :now
                from json_to_recordset(cast(:files as json)) as r(hash text, bytes integer, gzip text) order by r.hash
                on conflict (hash) do update set created_at = excluded.created_at
                where kernel_file.created_at < excluded.created_at - interval '12 hours'""").param("files", json.write(files)).param("now", at(now)).update();
    }

    /** Says which launches the trials of leases had. */
    void launched(List<Launched> launches) {
        jdbc.sql("""
                insert into trial_launch (trial_id, launch_hash)
                select l.trial_id, r."launchHash"
                from json_to_recordset(cast(:launches as json)) as r("leaseId" uuid, "launchHash" text)
                    join lease l on l.id = r."leaseId"
                where l.trial_id is not null order by l.trial_id
                on conflict (trial_id) do nothing""").param("launches", json.write(launches)).update();
    }

    /**
     * A file of a trial.
     *
     * @param hash {@code null} if the trial has none
     * @param gzip {@code null} if it is not stored
     */
    record Found(@Nullable String hash, byte @Nullable [] gzip) {}

    /** Empty if there is no such trial. */
    Optional<Found> find(UUID trialId, KernelPart file) {
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

    /** Stored files of these trials; a trial without any is left out. */
    Map<UUID, Set<KernelPart>> kept(Collection<UUID> trialIds) {
        Map<UUID, Set<KernelPart>> kept = new HashMap<>();
        jdbc.sql("""
                select t.id, case f.hash when t.ptx_hash then 'ptx' when t.cubin_hash then 'cubin' else 'launch' end as file
                from trial t left join trial_launch l on l.trial_id = t.id
                    join kernel_file f on f.hash in (t.ptx_hash, t.cubin_hash, l.launch_hash)
                where t.id = any(cast(:ids as uuid[]))""")
                .param("ids", trialIds.stream().map(UUID::toString).toArray(String[]::new))
                .query(row -> {
                    kept.computeIfAbsent(row.getObject("id", UUID.class), id -> EnumSet.noneOf(KernelPart.class))
                            .add(JsonColumn.word(row, "file", KernelPart.class));
                });
        return kept;
    }
}
