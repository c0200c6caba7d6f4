package dev.tilewright.api.gate.waiver;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.gate.document.CaseResult.Waiver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code gate_waiver}. */
@Repository
public class WaiverRepository {

    private final JdbcClient jdbc;

    WaiverRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void insert(Waiver waiver, Instant now) {
        jdbc.sql("""
                insert into gate_waiver (id, gate, case_name, cubin_hash, author, reason, created_at, expires_at)
                values (:id, :gate, :case, :cubin, :author, :reason, :now, :expires)""")
                .param("id", waiver.id())
                .param("gate", waiver.gate())
                .param("case", waiver.caseName())
                .param("cubin", waiver.cubinHash())
                .param("author", waiver.author())
                .param("reason", waiver.reason())
                .param("now", at(now))
                .param("expires", at(waiver.expiresAt()))
                .update();
    }

    /** Whether a run of the gate has measured such a candidate. */
    boolean isMeasured(String gate, String caseName, String cubinHash) {
        return jdbc.sql("""
                select exists (
                    select from gate_run r join gate_case c on c.run_id = r.id
                        join gate_stage s on s.run_id = c.run_id and s.ordinal = c.ordinal
                    where r.gate = :gate and c.name = :case and c.sentinel is null
                        and s.candidate ->> 'cubinHash' = :cubin)""")
                .param("gate", gate)
                .param("case", caseName)
                .param("cubin", cubinHash)
                .query(Boolean.class)
                .single();
    }

    /** All of a gate, the newest first; those that have ended, too. */
    List<Waiver> of(String gate) {
        return jdbc.sql("select * from gate_waiver where gate = :gate order by seq desc")
                .param("gate", gate)
                .query((row, number) -> map(row))
                .list();
    }

    Optional<Waiver> find(String gate, UUID id) {
        return jdbc.sql("select * from gate_waiver where gate = :gate and id = :id")
                .param("gate", gate)
                .param("id", id)
                .query((row, number) -> map(row))
                .optional();
    }

    /** The newest that covers the candidate of a case at a moment. */
    public Optional<Waiver> covering(String gate, String caseName, String cubinHash, Instant now) {
        return jdbc.sql("""
                select * from gate_waiver
                where gate = :gate and case_name = :case and cubin_hash = :cubin and expires_at > :now
                order by seq desc limit 1""")
                .param("gate", gate)
                .param("case", caseName)
                .param("cubin", cubinHash)
                .param("now", at(now))
                .query((row, number) -> map(row))
                .optional();
    }

    void delete(UUID id) {
        jdbc.sql("delete from gate_waiver where id = :id").param("id", id).update();
    }

    private static Waiver map(ResultSet row) throws SQLException {
        return new Waiver(
                row.getObject("id", UUID.class),
                row.getString("gate"),
                row.getString("case_name"),
                row.getString("cubin_hash"),
                row.getString("author"),
                row.getString("reason"),
                JsonColumn.instant(row, "expires_at"));
    }
}
