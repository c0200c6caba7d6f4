package dev.tilewright.api.range;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.platform.database.OneOrMany;
import dev.tilewright.api.study.JobOptions;
import dev.tilewright.api.worker.WorkerRepository;
import dev.tilewright.model.exchange.KnownRanges;
import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.RangePhase;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code job_range}. */
@Repository
record RangeRepository(JdbcClient jdbc, JsonColumn json) {

    private static final String SELECT = "select r.*, j.options from job_range r join job j on j.id = r.job_id ";

    /** Adds the ranges of a new job, each in its first phase. */
    void insert(UUID jobId, List<RangedProblem> ranges) {
        for (int ordinal = 0; ordinal < ranges.size(); ordinal++) {
            jdbc.sql("""
                    insert into job_range (job_id, ordinal, problem, phase)
                    values (:job, :ordinal, cast(:problem as jsonb), 'search')""")
                    .param("job", jobId)
                    .param("ordinal", ordinal)
                    .param("problem", json.write(ranges.get(ordinal)))
                    .update();
        }
    }

    /** The ranges of jobs, those of each in their order. */
    List<RangeRow> ofJobs(List<UUID> jobIds) {
        OneOrMany jobs = new OneOrMany(jobIds);
        return jdbc.sql(SELECT + "where r.job_id = %s order by r.job_id, r.ordinal".formatted(jobs.in("jobs")))
                .param("jobs", jobs.value())
                .query((row, number) -> map(row))
                .list();
    }

    /** The newest checked table of a problem, of each family on each model of a real GPU. */
    List<KnownRanges.KnownRange> known(RangedProblem problem, @Nullable String testbed, @Nullable String family) {
        return jdbc.sql("""
                select distinct on (j.options ->> 'family', t.device)
                    r.*, j.options, j.finished_at, t.kind, t.device, t.driver, t.assembler, t.sm_count, t.clock_policy
                from job_range r join job j on j.id = r.job_id
                join lateral (
                    select b.* from study s join testbed b on b.id = s.testbed_id
                    where s.job_id = r.job_id and cast(s.of_range ->> 'range' as integer) = r.ordinal limit 1) t on true
                where r.phase = 'over' and r.error is null and r.kernels is not null and t.kind = 'cuda'
                    and r.problem = cast(:problem as jsonb)
                    and (cast(:testbed as text) is null or strpos(lower(t.device), lower(:testbed)) > 0)
                    and (cast(:family as text) is null or j.options ->> 'family' = :family)
                order by j.options ->> 'family', t.device, j.seq desc""")
                .param("problem", json.write(problem))
                .param("testbed", testbed)
                .param("family", family)
                .query((row, number) -> new KnownRanges.KnownRange(
                        row.getObject("job_id", UUID.class),
                        JsonColumn.instant(row, "finished_at"),
                        WorkerRepository.testbed(row),
                        map(row).document()))
                .list();
    }

    /** The ranges that are to come to their next phase: the studies of this one are over. */
    List<RangeRow> due() {
        return jdbc.sql(SELECT + """
                where r.phase <> 'over' and j.state in ('queued', 'running') and not exists (
                    select from study s where s.job_id = r.job_id and s.state in ('queued', 'running')
                        and cast(s.of_range ->> 'range' as integer) = r.ordinal)
                order by j.seq, r.ordinal""").query((row, number) -> map(row)).list();
    }

    /**
     * Moves a range on; false if another replica was faster.
     *
     * @param table {@code null} as long as there is none
     */
    boolean move(RangeRow range, RangePhase next, RangeDocument.@Nullable Table table, @Nullable String error) {
        return jdbc.sql("""
                update job_range set phase = :next, kernels = cast(:table as jsonb), error = :error
                where job_id = :job and ordinal = :ordinal and phase = :phase""")
                        .param("job", range.jobId())
                        .param("ordinal", range.ordinal())
                        .param("phase", range.phase().toString())
                        .param("next", next.toString())
                        .param("table", json.write(table))
                        .param("error", error)
                        .update()
                == 1;
    }

    /** Ends what is open of a job that is cancelled: no study is added afterwards. */
    void cancel(UUID jobId) {
        jdbc.sql(
                        "update job_range set phase = 'over', error = 'the job was cancelled' where job_id = :job and phase <> 'over'")
                .param("job", jobId)
                .update();
    }

    private RangeRow map(ResultSet row) throws SQLException {
        return new RangeRow(
                row.getObject("job_id", UUID.class),
                row.getInt("ordinal"),
                json.read(row, "problem", RangedProblem.class),
                json.read(row, "options", JobOptions.class),
                JsonColumn.word(row, "phase", RangePhase.class),
                json.readOrNull(row, "kernels", RangeDocument.Table.class),
                row.getString("error"));
    }
}
