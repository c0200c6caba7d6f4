package dev.tilewright.api.trial;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.model.exchange.TrialCounts;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Table {@code study_tally}: changed in the transaction that changes the trials, by whoever holds the study. A study
 * with many trials is not counted for each report, poll and lease.
 */
@Repository
public class TallyRepository {

    private final JdbcClient jdbc;

    TallyRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** How a study stands. */
    public Tally of(UUID studyId) {
        return jdbc.sql("select * from study_tally where study_id = :study")
                .param("study", studyId)
                .query((row, number) -> map(row))
                .single();
    }

    /**
     * How a study stands, with what is open.
     *
     * @param swept whether a trial was reported
     * @param raced whether a final was stored
     */
    public record Standing(Tally tally, TrialCounts counts, boolean swept, boolean raced) {}

    /** The same with what is open. Workers hold few trials at a time: their leases are counted. */
    public Standing standing(UUID studyId) {
        return jdbc.sql("""
                select y.*, (select count(*) from lease l
                    where l.study_id = :study and l.ended_at is null and l.trial_id is not null) as leased,
                    exists (select from sweep s where s.study_id = :study) as swept,
                    exists (select from final_arm a where a.study_id = :study) as raced
                from study_tally y where y.study_id = :study""")
                .param("study", studyId)
                .query((row, number) -> {
                    Tally tally = map(row);
                    int leased = row.getInt("leased");
                    return new Standing(
                            tally,
                            new TrialCounts(
                                    tally.asked(),
                                    tally.asked() - tally.finished() - leased,
                                    leased,
                                    tally.finished(),
                                    tally.completed(),
                                    tally.recorded()),
                            row.getBoolean("swept"),
                            row.getBoolean("raced"));
                })
                .single();
    }

    /** How many trials of a study there are. */
    public TrialCounts counts(UUID studyId) {
        return standing(studyId).counts();
    }

    /** The tally in the current row, with the columns of the table. */
    public static Tally map(ResultSet row) throws SQLException {
        return new Tally(
                row.getInt("asked"),
                row.getInt("finished"),
                row.getInt("completed"),
                row.getInt("recorded"),
                row.getObject("fastest_trial", UUID.class),
                JsonColumn.realOrNull(row, "best_tflops"),
                JsonColumn.realOrNull(row, "final_tflops"));
    }

    void asked(UUID studyId, int trials) {
        add(studyId, "asked", trials);
    }

    void recorded(UUID studyId, int trials) {
        add(studyId, "recorded", trials);
    }

    /** Trials ended otherwise than completed. */
    Tally finished(UUID studyId, int trials) {
        return add(studyId, "finished", trials);
    }

    /** Trials that had completed turned out wrong. */
    void disproved(UUID studyId, int trials) {
        add(studyId, "completed", -trials);
    }

    private Tally add(UUID studyId, String column, int trials) {
        return jdbc.sql("update study_tally set %1$s = %1$s + :trials where study_id = :study returning *"
                        .formatted(column))
                .param("trials", trials)
                .param("study", studyId)
                .query((row, number) -> map(row))
                .single();
    }

    /**
     * Trials that ended together.
     *
     * @param fastest of those that completed, by its last sustained screen, of two the one that was asked first;
     *     {@code null} if none was timed, as are the following
     * @param screenTflops the highest sustained rate of these
     */
    record Batch(
            int finished,
            int completed,
            @Nullable UUID fastest,
            @Nullable Double fastestNs,
            @Nullable Double screenTflops) {}

    /** Trials ended; returns how the study stood before. */
    Tally ended(UUID studyId, Batch batch) {
        return jdbc.sql("""
                with before as (select * from study_tally where study_id = :study),
                changed as (
                    update study_tally y set finished = y.finished + :finished, completed = y.completed + :completed,
                        best_tflops = greatest(y.best_tflops, f.tflops),
                        fastest_trial = case when f.first then f.trial else y.fastest_trial end,
                        fastest_ns = case when f.first then f.ns else y.fastest_ns end
                    from before b, lateral (
                        select n.*, n.ns is not null and (b.fastest_ns is null or b.fastest_ns > n.ns or b.fastest_ns = n.ns
                            and (select ordinal from trial where id = b.fastest_trial)
                                > (select ordinal from trial where id = n.trial)) as first
                        from (select cast(:trial as uuid) as trial, cast(:ns as double precision) as ns,
                            cast(:tflops as double precision) as tflops) n) f
                    where y.study_id = :study)
                select * from before""")
                .param("study", studyId)
                .param("finished", batch.finished())
                .param("completed", batch.completed())
                .param("trial", batch.fastest())
                .param("ns", batch.fastestNs())
                .param("tflops", batch.screenTflops())
                .query((row, number) -> map(row))
                .single();
    }

    /** A final was stored: its figures count now, and those of whom it disproved no longer. Reads the study, once. */
    public void raced(UUID studyId) {
        jdbc.sql("""
                with timed as (
                    select m.id, m.trial_id, m.stage, m.median_ns, m.tflops, t.ordinal
                    from measurement m join trial t on t.id = m.trial_id
                    where m.study_id = :study and m.mode = 'sustained' and t.outcome = 'completed'),
                screened as (
                    select distinct on (trial_id) * from timed where stage = 'screen' order by trial_id, id desc),
                fastest as (select * from screened order by median_ns, ordinal limit 1)
                update study_tally set best_tflops = (select max(tflops) from timed where stage = 'screen'),
                    final_tflops = (select max(tflops) from timed where stage = 'final'),
                    fastest_trial = (select trial_id from fastest), fastest_ns = (select median_ns from fastest)
                where study_id = :study""").param("study", studyId).update();
    }
}
