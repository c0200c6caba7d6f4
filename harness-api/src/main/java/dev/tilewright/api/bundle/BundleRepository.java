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

    /** Lets nobody else keep or delete one until the transaction ends. */
    void lock() {
        jdbc.sql("lock table bundle in share row exclusive mode").update();
    }

    /** Bytes of all zips but that of one hash. */
    long bytesBeside(String hash) {
        return jdbc.sql("select coalesce(sum(bytes), 0) from bundle where hash <> :hash")
                .param("hash", hash)
                .query(Long.class)
                .single();
    }

    /** A version, which nobody deletes until the transaction ends. */
    Optional<BundleRow> held(String name, String version) {
        return rows(jdbc.sql(SELECT + "where name = :name and version = :version for key share")
                        .param("name", name)
                        .param("version", version))
                .stream()
                .findFirst();
    }

    /** The same of one that is to be deleted: who holds it has come to an end. */
    Optional<BundleRow> toDelete(String name, String version) {
        return rows(jdbc.sql(SELECT + "where name = :name and version = :version for update")
                        .param("name", name)
                        .param("version", version))
                .stream()
                .findFirst();
    }

    void delete(String hash) {
        jdbc.sql("delete from bundle where hash = :hash").param("hash", hash).update();
    }

    /**
     * Open work that needs the kernels of a family, if there is any: a job, also with it as a peer, a task, or a run of
     * a gate that names it anywhere.
     */
    Optional<String> user(String family) {
        return jdbc.sql("""
                select 'job ' || job.id from job join study on study.job_id = job.id
                where (study.family = :family or jsonb_exists(job.options -> 'peers', :family))
                    and job.state in ('queued', 'running')
                union all
                select kind || ' ' || id from gpu_task
                where state in ('queued', 'leased') and position(:family in request::text) > 0
                union all
                select 'gate run ' || r.id from gate_run r join gate_case c on c.run_id = r.id
                where r.state in ('queued', 'running') and position(:family in c.spec::text) > 0
                limit 1""").param("family", family).query(String.class).optional();
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
