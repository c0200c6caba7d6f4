package dev.tilewright.api.gate;

import dev.tilewright.gate.decision.Sentinel;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.statistics.ShareBounds;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Results of the sentinels of all runs, which are stored in {@code gate_case}. */
@Repository
record SentinelRepository(JdbcClient jdbc) {

    private static final double ERROR = 0.05;

    /** How often it was wrong on GPUs of a model; empty where that was never measured. */
    Optional<GateRun.ErrorRates> errorRates(String gpu) {
        return jdbc.sql("""
                select count(*) filter (where c.sentinel = 'equal') as equal_runs,
                    count(*) filter (where c.sentinel = 'equal' and s.verdict = :fail) as false_fails,
                    count(*) filter (where c.sentinel = 'slowed') as slowed_runs,
                    count(*) filter (where c.sentinel = 'slowed' and s.verdict = :fail) as caught
                from gate_run r join testbed t on t.id = r.testbed_id
                    join gate_case c on c.run_id = r.id
                    join gate_stage s on s.run_id = c.run_id and s.ordinal = c.ordinal and s.number = 1
                where t.device = :gpu and c.sentinel is not null and s.counted > 0""")
                .param("gpu", gpu)
                .param("fail", GateVerdict.FAIL.toString())
                .query((row, number) -> errorRates(
                        row.getInt("equal_runs"),
                        row.getInt("false_fails"),
                        row.getInt("slowed_runs"),
                        row.getInt("caught")))
                .single();
    }

    private static Optional<GateRun.ErrorRates> errorRates(int equalRuns, int falseFails, int slowedRuns, int caught) {
        if (equalRuns == 0 || slowedRuns == 0) {
            return Optional.empty();
        }
        return Optional.of(new GateRun.ErrorRates(
                equalRuns,
                falseFails,
                ShareBounds.of(falseFails, equalRuns, ERROR).high(),
                slowedRuns,
                Sentinel.SLOWED.slowedByPercent(),
                caught,
                ShareBounds.of(caught, slowedRuns, ERROR).low()));
    }
}
