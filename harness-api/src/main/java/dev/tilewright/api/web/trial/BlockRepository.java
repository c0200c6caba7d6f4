package dev.tilewright.api.web.trial;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.web.Figures;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The timed blocks of a trial in its races and its final: of each its time, clock, power and temperature. */
@Repository
final class BlockRepository {

    private final JdbcClient jdbc;

    BlockRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A block as the page shows it.
     *
     * @param question what it was timed for: an answer at the same clock, or in the steady state
     * @param position of the kernel within the block, from 1: as which one it ran
     */
    record Block(
            String stage,
            String question,
            String mode,
            int index,
            int position,
            String time,
            String clock,
            String power,
            String temperature) {}

    /** Races before the final, in the order in which they were timed; none if it was in neither. */
    List<Block> of(UUID trial) {
        return jdbc.sql("""
                select b.* from final_block b join final_arm a on a.id = b.arm_id where a.trial_id = :trial
                order by b.stage, b.question, b.mode, b.index""")
                .param("trial", trial)
                .query((row, _) -> new Block(
                        row.getString("stage"),
                        row.getString("question").replace('_', ' '),
                        row.getString("mode"),
                        row.getInt("index"),
                        row.getInt("position") + 1,
                        Figures.fine(row.getDouble("launch_ns")),
                        Figures.megahertz(JsonColumn.realOrNull(row, "sm_clock_mhz")),
                        Figures.watts(JsonColumn.realOrNull(row, "power_watts")),
                        Figures.celsius(JsonColumn.realOrNull(row, "temperature_celsius"))))
                .list();
    }
}
