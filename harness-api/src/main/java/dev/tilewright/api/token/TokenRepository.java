package dev.tilewright.api.token;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.access.KnownTokens;
import dev.tilewright.api.platform.access.Role;
import dev.tilewright.api.platform.database.JsonColumn;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code access_token}. */
@Repository
record TokenRepository(JdbcClient jdbc) implements KnownTokens {

    /**
     * Adds a token.
     *
     * @return false if there is one of its name, or as many as there may be
     */
    boolean insert(TokenDocument token, String hash, int most) {
        return jdbc.sql("""
                insert into access_token (name, role, token_hash, created_by, created_at)
                select :name, :role, :hash, :by, :now where (select count(*) from access_token) < :most
                on conflict (name) do nothing""")
                        .param("name", token.name())
                        .param("role", token.role().toString())
                        .param("hash", hash)
                        .param("by", token.createdBy())
                        .param("now", at(token.createdAt()))
                        .param("most", most)
                        .update()
                == 1;
    }

    boolean exists(String name) {
        return jdbc.sql("select exists (select from access_token where name = :name)")
                .param("name", name)
                .query(Boolean.class)
                .single();
    }

    List<TokenDocument> all() {
        return jdbc.sql("select * from access_token order by name")
                .query((row, number) -> new TokenDocument(
                        row.getString("name"),
                        JsonColumn.word(row, "role", Role.class),
                        row.getString("created_by"),
                        JsonColumn.instant(row, "created_at")))
                .list();
    }

    boolean delete(String name) {
        return jdbc.sql("delete from access_token where name = :name")
                        .param("name", name)
                        .update()
                == 1;
    }

    @Override
    public Map<String, Caller> byHash() {
        return jdbc
                .sql("select * from access_token")
                .query((row, number) -> Map.entry(
                        row.getString("token_hash"),
                        new Caller(row.getString("name"), JsonColumn.word(row, "role", Role.class))))
                .list()
                .stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
