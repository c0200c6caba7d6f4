package dev.tilewright.api.platform.http;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Row count and a hash of all contents of each table, to see whether anything was changed. */
final class StoredContents {

    private StoredContents() {}

    /** Our tables alone: those of db-scheduler change by themselves. */
    static Map<String, String> of(JdbcClient jdbc) {
        List<String> tables = jdbc.sql("""
                select table_name from information_schema.tables
                where table_schema = 'public' and table_type = 'BASE TABLE'
                  and table_name not in ('scheduled_tasks', 'flyway_schema_history')""").query(String.class).list();
        // Who drives a study changes every two seconds, whatever is asked.
        Map<String, String> contents = new TreeMap<>();
        for (String table : tables) {
            contents.put(
                    table,
                    jdbc.sql("select count(*) || ' ' || md5(coalesce(string_agg(row, '|' order by row), '')) from"
                                    + " (select (to_jsonb(t) - array['driven_by', 'driven_until'])::text as row from "
                                    + table + " t) rows")
                            .query(String.class)
                            .single());
        }
        return contents;
    }
}
