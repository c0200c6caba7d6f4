package dev.tilewright.api.bundle;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code bundle}. */
@Repository
class BundleRepository {

    private static final String SELECT = "select hash, name, bytes, uploaded_by, uploaded_at from bundle ";

    private final JdbcClient jdbc;

    BundleRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Keeps a bundle; one that is there already is the newest of its name again. */
    void keep(BundleRow bundle, byte[] zip) {
        jdbc.sql("""
                insert into bundle (hash, name, bytes, zip, uploaded_by, uploaded_at)
                values (:hash, :name, :bytes, :zip, :by, :at)
                on conflict (hash) do update set uploaded_by = excluded.uploaded_by, uploaded_at = excluded.uploaded_at,
                    seq = excluded.seq""")
                .param("hash", bundle.hash())
                .param("name", bundle.name())
                .param("bytes", bundle.bytes())
                .param("zip", zip)
                .param("by", bundle.uploadedBy())
                .param("at", at(bundle.uploadedAt()))
                .update();
    }

    /** The newest of each name, by name. */
    List<BundleRow> newest() {
        return rows(jdbc.sql("select distinct on (name) hash, name, bytes, uploaded_by, uploaded_at from bundle"
                + " order by name, seq desc"));
    }

    /** The newest version of a name. */
    Optional<BundleRow> newest(String name) {
        return rows(jdbc.sql(SELECT + "where name = :name order by seq desc limit 1")
                        .param("name", name))
                .stream()
                .findFirst();
    }

    /** All versions of a name, the newest first. */
    List<BundleRow> versions(String name) {
        return rows(jdbc.sql(SELECT + "where name = :name order by seq desc").param("name", name));
    }

    Optional<byte[]> zip(String version) {
        return jdbc.sql("select zip from bundle where version = :version")
                .param("version", version)
                .query((row, number) -> row.getBytes("zip"))
                .optional();
    }

    private static List<BundleRow> rows(JdbcClient.StatementSpec asked) {
        return asked.query((row, number) -> new BundleRow(
                        row.getString("hash"),
                        row.getString("name"),
                        row.getInt("bytes"),
                        row.getString("uploaded_by"),
                        row.getObject("uploaded_at", OffsetDateTime.class).toInstant()))
                .list();
    }
}
