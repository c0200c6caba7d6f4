package dev.tilewright.api.gate.trend;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.gate.document.GateTrend.Point;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Effects of finished runs: they are in {@code gate_case}. */
@Repository
record TrendRepository(JdbcClient jdbc) {

    /** A point and what it is of. */
    record Of(String caseName, String gpu, Point point) {}

    /**
     * The newest effects of a branch, oldest first.
     *
     * @param caseName {@code null} for all cases
     */
    List<Of> effects(String gate, String branch, @Nullable String caseName, int limit) {
        return jdbc.sql("""
                select * from (
                    select r.seq, r.id, r.commit, r.finished_at, t.device, c.ordinal, c.name,
                        (c.effect ->> 'percent')::double precision as percent,
                        (c.effect ->> 'low')::double precision as low, (c.effect ->> 'high')::double precision as high
                    from gate_run r join testbed t on t.id = r.testbed_id join gate_case c on c.run_id = r.id
                    where r.gate = :gate and r.branch = :branch and r.state = 'finished' and c.sentinel is null
                        and c.effect is not null and (cast(:case as text) is null or c.name = :case)
                    order by r.seq desc, c.ordinal limit :limit) newest
                order by seq, ordinal""")
                .param("gate", gate)
                .param("branch", branch)
                .param("case", caseName)
                .param("limit", limit)
                .query((row, number) -> new Of(
                        row.getString("name"),
                        row.getString("device"),
                        new Point(
                                row.getObject("id", UUID.class),
                                row.getString("commit"),
                                JsonColumn.instant(row, "finished_at"),
                                row.getDouble("percent"),
                                row.getDouble("low"),
                                row.getDouble("high"))))
                .list();
    }
}
