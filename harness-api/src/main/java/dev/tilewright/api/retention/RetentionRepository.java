package dev.tilewright.api.retention;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.model.exchange.StudyState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Finds what is old, and deletes it with all that belongs to it. */
@Repository
record RetentionRepository(JdbcClient jdbc) {

    /** So many rows of a large study go in one statement, which has to end within the limit of its pool. */
    private static final int CHUNK = 2000;

    /**
     * A job that the caller holds until the transaction ends.
     *
     * @param studies those of it
     */
    record Held(StudyState state, @Nullable String submittedBy, List<UUID> studies) {}

    /** Holds a job; empty if there is none. */
    Optional<Held> hold(UUID job) {
        return jdbc.sql("select state, submitted_by from job where id = :job for update")
                .param("job", job)
                .query((row, number) -> new Held(
                        JsonColumn.word(row, "state", StudyState.class), row.getString("submitted_by"), studies(job)))
                .optional();
    }

    private List<UUID> studies(UUID job) {
        return jdbc.sql("select id from study where job_id = :job")
                .param("job", job)
                .query(UUID.class)
                .list();
    }

    /** Jobs that came to this before then, the oldest first. */
    List<UUID> jobs(StudyState state, Instant before) {
        return jdbc.sql("select id from job where finished_at < :before and state = :state order by finished_at")
                .param("before", at(before))
                .param("state", state.toString())
                .query(UUID.class)
                .list();
    }

    /** Deletes a job that the caller holds, with its studies, trials, finals and events. */
    void delete(UUID job) {
        String some = "delete from trial where id in (select t.id from trial t join study s on s.id = t.study_id"
                + " where s.job_id = :job limit " + CHUNK + ")";
        while (jdbc.sql(some).param("job", job).update() > 0) {
            // The next ones.
        }
        jdbc.sql("delete from idempotency_key where made_id = :job")
                .param("job", job)
                .update();
        jdbc.sql("delete from job where id = :job").param("job", job).update();
    }

    /** Studies that ended before then and have their raw evidence, of jobs that are over; the oldest first. */
    List<UUID> withEvidence(Instant before) {
        return jdbc.sql("""
            select s.id from study s join job j on j.id = s.job_id
            where s.finished_at < :before and s.evidence_deleted_at is null and j.finished_at is not null
            order by s.finished_at\
            """).param("before", at(before)).query(UUID.class).list();
    }

    /**
     * Deletes what the results of a study were made of: tiles by SM and their times, phases and logs of its completed
     * trials, launches, leases, blocks of its final, and the events of its job but the last.
     */
    void deleteEvidence(UUID study, Instant now) {
        String trials = """
            update trial set evidence = null, tile_ns = null, times_ns = null, log = case when outcome = 'completed' then null else log end
            where id in (select id from trial where study_id = :study and (evidence is not null or times_ns is not null)
                limit %d)\
            """.formatted(CHUNK);
        while (jdbc.sql(trials).param("study", study).update() > 0) {
            // The next ones.
        }
        for (String statement : List.of(
                // The first one of a trial says when the sweep began.
                "delete from lease where study_id = :study and id is distinct from (select id from lease"
                        + " where study_id = :study and trial_id is not null order by granted_at limit 1)",
                "delete from trial_launch l using trial t where t.study_id = :study and l.trial_id = t.id",
                "delete from final_block b using final_arm a where a.study_id = :study and b.arm_id = a.id",
                "delete from final_discard where study_id = :study",
                "delete from event where job_id = (select job_id from study where id = :study) and not terminal")) {
            jdbc.sql(statement).param("study", study).update();
        }
        jdbc.sql("update study set evidence_deleted_at = :now where id = :study")
                .param("study", study)
                .param("now", at(now))
                .update();
    }

    /**
     * The outcome of one statement, which looks at a bounded number of rows and may delete none of them.
     *
     * @param last key of the last row it looked at; empty if there was none
     */
    record Chunk(int deleted, Optional<String> last) {}

    /**
     * Deletes files that no trial with kept evidence refers to, among the next ones in the order of their hashes.
     * Storing an existing file renews its age, so a file about to be referred to survives.
     *
     * @param after hash behind which it looks; empty for the first chunk
     */
    Chunk deleteUnusedFiles(Instant storedBefore, String after) {
        return chunk(UNUSED_FILES, storedBefore, after);
    }

    /** Deletes checks whose text no trial has and no file is, likewise; a key is a hash with an emulator behind it. */
    Chunk deleteUnusedChecks(Instant before, String after) {
        return chunk(UNUSED_CHECKS, before, after);
    }

    /** Deletes checks by other builds of the emulator than the one that checked last, likewise. */
    Chunk deleteChecksOfOldBuilds(Instant before, String after) {
        return chunk(CHECKS_OF_OLD_BUILDS, before, after);
    }

    private Chunk chunk(String statement, Instant before, String after) {
        return jdbc.sql(statement)
                .param("before", at(before))
                .param("after", after)
                .query((row, number) -> new Chunk(row.getInt("deleted"), Optional.ofNullable(row.getString("last"))))
                .single();
    }

    // "offset 0" keeps each question one of its own: three look-ups by index for a row. As joins they read all trials.
    static final String UNUSED_FILES = """
        with page as materialized (
            select hash from kernel_file where created_at < :before and hash > :after order by hash limit %1$d),
        gone as (
            delete from kernel_file where hash in (
                select f.hash from kernel_file f
                where f.hash in (select hash from page) and f.created_at < :before
                    and not exists (select from trial t join study s on s.id = t.study_id
                        where t.ptx_hash = f.hash and s.evidence_deleted_at is null offset 0)
                    and not exists (select from trial t join study s on s.id = t.study_id
                        where t.cubin_hash = f.hash and s.evidence_deleted_at is null offset 0)
                    and not exists (select from trial_launch l where l.launch_hash = f.hash offset 0)
                for update of f skip locked)
            returning 1)
        select (select count(*) from gone) as deleted, (select max(hash) from page) as last\
        """.formatted(CHUNK);

    static final String UNUSED_CHECKS = ofChecks("""
        not exists (select from trial t where t.ptx_hash = c.ptx_hash offset 0)
            and not exists (select from kernel_file f where f.hash = c.ptx_hash offset 0)\
        """);

    private static final String CHECKS_OF_OLD_BUILDS =
            ofChecks("c.emulator <> (select emulator from kernel_check order by checked_at desc limit 1)");

    private static String ofChecks(String condition) {
        return """
            with page as materialized (
                select ptx_hash, emulator from kernel_check
                where checked_at < :before and (ptx_hash, emulator) > (left(:after, 64), substr(:after, 65))
                order by ptx_hash, emulator limit %1$d),
            gone as (
                delete from kernel_check where (ptx_hash, emulator) in (
                    select c.ptx_hash, c.emulator from kernel_check c
                    where (c.ptx_hash, c.emulator) in (select ptx_hash, emulator from page)
                        and c.checked_at < :before and %2$s
                    for update of c skip locked)
                returning 1)
            select (select count(*) from gone) as deleted, (select max(ptx_hash || emulator) from page) as last\
            """.formatted(CHUNK, condition);
    }
}
