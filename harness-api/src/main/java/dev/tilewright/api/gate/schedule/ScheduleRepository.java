package dev.tilewright.api.gate.schedule;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.GateSchedule;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code gate_schedule}. */
@Repository
class ScheduleRepository {

    private final JdbcClient jdbc;
    private final JsonColumn json;

    ScheduleRepository(JdbcClient jdbc, JsonColumn json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /** Keeps the schedule of a gate in place of the one before; what came of the last time stays. */
    void keep(String gate, GateSchedule.ScheduleRequest asked, String author, Instant nextAt) {
        jdbc.sql("""
                insert into gate_schedule (gate, line, request, author, next_at)
                values (:gate, :line, cast(:request as jsonb), :author, :next)
                on conflict (gate) do update set line = excluded.line, request = excluded.request, author = excluded.author,
                    next_at = excluded.next_at""")
                .param("gate", gate)
                .param("line", asked.when())
                .param("request", json.write(asked.request()))
                .param("author", author)
                .param("next", at(nextAt))
                .update();
    }

    Optional<GateSchedule> find(String gate) {
        return jdbc.sql("select * from gate_schedule where gate = :gate")
                .param("gate", gate)
                .query((row, number) -> map(row))
                .optional();
    }

    List<GateSchedule> all() {
        return jdbc.sql("select * from gate_schedule order by gate")
                .query((row, number) -> map(row))
                .list();
    }

    /** Gates whose time has come. */
    List<String> due(Instant now) {
        return jdbc.sql("select gate from gate_schedule where next_at <= :now order by next_at")
                .param("now", at(now))
                .query(String.class)
                .list();
    }

    /** Holds a schedule whose time has come until the transaction ends; empty if somebody else has it or had it. */
    Optional<GateSchedule> take(String gate, Instant now) {
        return jdbc.sql("select * from gate_schedule where gate = :gate and next_at <= :now for update skip locked")
                .param("gate", gate)
                .param("now", at(now))
                .query((row, number) -> map(row))
                .optional();
    }

    /**
     * Notes what came of its time.
     *
     * @param run {@code null} if there is none
     * @param error why there is none
     */
    void ran(String gate, Instant now, Instant nextAt, @Nullable UUID run, @Nullable String error) {
        jdbc.sql("""
                update gate_schedule set last_at = :now, next_at = :next, last_run = :run, last_error = :error
                where gate = :gate""")
                .param("gate", gate)
                .param("now", at(now))
                .param("next", at(nextAt))
                .param("run", run)
                .param("error", error)
                .update();
    }

    boolean delete(String gate) {
        return jdbc.sql("delete from gate_schedule where gate = :gate")
                        .param("gate", gate)
                        .update()
                == 1;
    }

    private GateSchedule map(ResultSet row) throws SQLException {
        return new GateSchedule(
                row.getString("gate"),
                row.getString("line"),
                json.read(row, "request", GateRequest.class),
                row.getString("author"),
                JsonColumn.instant(row, "next_at"),
                JsonColumn.instantOrNull(row, "last_at"),
                row.getObject("last_run", UUID.class),
                row.getString("last_error"));
    }
}
