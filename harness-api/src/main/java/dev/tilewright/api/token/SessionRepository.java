package dev.tilewright.api.token;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.access.KnownSessions;
import dev.tilewright.api.platform.access.Role;
import dev.tilewright.api.platform.database.JsonColumn;
import java.time.Instant;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Tables {@code browser_session} and {@code service_key}. */
@Repository
record SessionRepository(JdbcClient jdbc) implements KnownSessions {

    @Override
    public void add(Session session, Instant now, Instant end, int most) {
        jdbc.sql("""
            with ended as (delete from browser_session where ends_at <= :now or id_hash in (
                select id_hash from browser_session where caller = :caller order by ends_at desc offset :others))
            insert into browser_session (id_hash, caller, token_name, seal, ends_at)
            values (:id, :caller, case when :seal::text is null then :caller end, :seal, :end)""")
                .param("now", at(now))
                .param("caller", session.caller())
                .param("others", most - 1)
                .param("id", session.idHash())
                .param("seal", session.seal())
                .param("end", at(end))
                .update();
    }

    @Override
    public Optional<Found> find(String idHash, Instant now) {
        return jdbc.sql("""
            select t.name, t.role, s.seal from browser_session s left join access_token t on t.name = s.token_name
            where s.id_hash = :id and s.ends_at > :now""")
                .param("id", idHash)
                .param("now", at(now))
                .query((row, number) -> new Found(
                        row.getString("name") == null
                                ? null
                                : new Caller(row.getString("name"), JsonColumn.word(row, "role", Role.class)),
                        row.getString("seal")))
                .optional();
    }

    @Override
    public void end(String idHash) {
        jdbc.sql("delete from browser_session where id_hash = :id")
                .param("id", idHash)
                .update();
    }

    @Override
    public String formKey(String drawn) {
        jdbc.sql("insert into service_key (purpose, key) values ('forms', :key) on conflict do nothing")
                .param("key", drawn)
                .update();
        return jdbc.sql("select key from service_key where purpose = 'forms'")
                .query(String.class)
                .single();
    }
}
