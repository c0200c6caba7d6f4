package dev.tilewright.api.check;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.model.exchange.KernelCheck;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code kernel_check}. */
@Repository
record CheckRepository(JdbcClient jdbc) {

    /**
     * Keeps a check unless the text was checked by this build of the emulator already. A refutation takes the place of
     * a proof, never the other way round: one run that goes wrong outweighs any number that went right.
     */
    void keep(String ptxHash, UUID workerId, Checked checked, Instant now) {
        ProblemShape run = Objects.requireNonNull(checked.runShape());
        jdbc.sql("""
                insert into kernel_check (ptx_hash, emulator, verdict, outcome, m, n, k, run_m, run_n, run_k, sms, seed, seeds,
                    steps, error_ratio, finding, worker_id, checked_at)
                values (:hash, :emulator, :verdict, :outcome, :m, :n, :k, :runM, :runN, :runK, :sms, :seed, :seeds, :steps,
                    :errorRatio, :finding, :worker, :now)
                on conflict (ptx_hash, emulator) do update set verdict = excluded.verdict, outcome = excluded.outcome,
                    m = excluded.m, n = excluded.n, k = excluded.k, run_m = excluded.run_m, run_n = excluded.run_n,
                    run_k = excluded.run_k, sms = excluded.sms, seed = excluded.seed, seeds = excluded.seeds,
                    steps = excluded.steps, error_ratio = excluded.error_ratio, finding = excluded.finding,
                    worker_id = excluded.worker_id, checked_at = excluded.checked_at
                where kernel_check.verdict = 'proved' and excluded.verdict = 'refuted'""")
                .param("hash", ptxHash)
                .param("emulator", checked.emulator())
                .param("verdict", checked.verdict().toString())
                .param("outcome", checked.outcome().toString())
                .param("m", checked.shape().m())
                .param("n", checked.shape().n())
                .param("k", checked.shape().k())
                .param("runM", run.m())
                .param("runN", run.n())
                .param("runK", run.k())
                .param("sms", checked.sms())
                .param("seed", checked.seed())
                .param("seeds", checked.seeds())
                .param("steps", checked.steps())
                .param("errorRatio", checked.errorRatio())
                .param("finding", checked.finding())
                .param("worker", workerId)
                .param("now", at(now))
                .update();
    }

    /**
     * The checks of a text, the newest first.
     *
     * @param emulator build of the emulator; {@code null} for all
     */
    List<KernelCheck> of(String ptxHash, @Nullable String emulator) {
        return jdbc.sql("""
                select * from kernel_check
                where ptx_hash = :hash and emulator = coalesce(cast(:emulator as text), emulator)
                order by checked_at desc, emulator""")
                .param("hash", ptxHash)
                .param("emulator", emulator)
                .query((row, number) -> map(row))
                .list();
    }

    private static KernelCheck map(ResultSet row) throws SQLException {
        Checked checked = new Checked(
                JsonColumn.word(row, "verdict", Verdict.class),
                JsonColumn.word(row, "outcome", TrialOutcome.class),
                new ProblemShape(row.getInt("m"), row.getInt("n"), row.getInt("k")),
                new ProblemShape(row.getInt("run_m"), row.getInt("run_n"), row.getInt("run_k")),
                row.getInt("sms"),
                row.getLong("seed"),
                row.getInt("seeds"),
                row.getLong("steps"),
                JsonColumn.realOrNull(row, "error_ratio"),
                row.getString("emulator"),
                true,
                row.getString("finding"));
        return new KernelCheck(
                row.getString("ptx_hash"),
                checked,
                row.getObject("worker_id", UUID.class),
                JsonColumn.instant(row, "checked_at"));
    }
}
