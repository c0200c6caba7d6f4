package dev.tilewright.system.faults;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * What is known of a sweep that has ended, and what is wrong with it: by its result, by the views of the database and
 * by its events.
 *
 * @param lost trials that were asked for and are not there, or that ended as none of what their config decides
 * @param twice trials, configs, ordinals, reports, measurements and events that are there more than once
 * @param inFlight leases that lived when the fault began
 * @param attempts attempts that were lost with whoever held them
 * @param late of these the attempts that began after the fault, with which it has nothing to do
 * @param undelivered leases that no worker heard of, which count for nothing
 * @param odd what else is not as it must be, in words
 */
record SweepRecord(int lost, int twice, int inFlight, int attempts, int late, int undelivered, List<String> odd) {

    /** What the config decides: very few drawn ones are spilled by the assembler. */
    private static final Set<String> DECIDED = Set.of("completed", "spill");

    /**
     * Reads that of a job with one study.
     *
     * @param trials that were asked for
     */
    static SweepRecord of(Installation installation, String job, int trials, Moment fault) throws Exception {
        JsonNode study = installation.await(
                "the result",
                () -> Optional.of(installation
                        .get("/api/v1/jobs/" + job + "/result")
                        .get("studies")
                        .get(0)));
        List<JsonNode> found = study.get("trials").valueStream().toList();
        List<JsonNode> good = found.stream()
                .filter(trial -> DECIDED.contains(trial.get("outcome").asString()))
                .toList();
        Database database = new Database(installation, job);
        List<String> odd = new ArrayList<>();
        if (!study.get("error").isNull()) {
            odd.add("the study ended with " + study.get("error"));
        }
        found.stream().filter(trial -> !good.contains(trial)).forEach(trial -> odd.add("a trial: " + trial));
        long completed = good.stream()
                .filter(trial -> trial.get("outcome").asString().equals("completed"))
                .count();
        JsonNode sweep = study.get("sweep");
        // There is none where the clock was set back before its first lease.
        if (!sweep.isNull() && sweep.get("configs").asLong() != completed) {
            odd.add(completed + " trials ran, and the sweep has " + sweep.get("configs"));
        }
        List<Integer> ordinals =
                found.stream().map(trial -> trial.get("ordinal").asInt()).toList();
        if (!ordinals.equals(IntStream.range(0, trials).boxed().toList())) {
            odd.add("ordinals " + ordinals);
        }
        database.rows("""
                select t.ordinal, t.attempts, count(l.id) filter (where l.ending in ('reported', 'expired'))
                from study s join trial t on t.study_id = s.id left join lease l on l.trial_id = t.id
                where s.job_id = '%s'
                group by t.id, t.ordinal, t.attempts
                having t.attempts <> count(l.id) filter (where l.ending in ('reported', 'expired'))""").forEach(row -> odd.add("trial, its attempts, its leases: " + row));
        database.rows("""
                select l.id from lease l join study s on s.id = l.study_id
                where s.job_id = '%s' and l.ending is null""").forEach(row -> odd.add("a live lease: " + row));
        int twice = repeated(found, trial -> trial.get("id"))
                + repeated(found, trial -> trial.get("config"))
                + repeated(ordinals, ordinal -> ordinal)
                + database.count("""
                select coalesce(sum(reports - 1), 0) from (select count(*) as reports
                    from lease l join study s on s.id = l.study_id
                    where s.job_id = '%s' and l.trial_id is not null and l.ending = 'reported' group by l.trial_id) as reported""")
                + database.count("""
                select coalesce(sum(times - 1), 0) from (select count(*) as times
                    from measurement m join study s on s.id = m.study_id
                    where s.job_id = '%s' and m.trial_id is not null group by m.trial_id, m.arm_id, m.mode, m.stage) as measured""")
                + database.count("""
                select count(*) - count(distinct data ->> 'trialId') from event
                where job_id = '%s' and type = 'trial.finished'""");
        int unreported = database.count("""
                select count(*) from trial t join study s on s.id = t.study_id where s.job_id = '%s'
                    and not exists (select from lease l where l.trial_id = t.id and l.ending = 'reported')""");
        return new SweepRecord(
                Math.max(trials - good.size(), unreported),
                twice,
                switch (fault) {
                    case Moment.Dated(Instant begun) ->
                        database.count("""
                            select count(*) from lease l join study s on s.id = l.study_id
                            where s.job_id = '%s' and l.granted_at <= '""" + begun + "' and l.ended_at >= '" + begun + "'");
                    case Moment.Met(int live) -> live;
                },
                database.count("""
                    select count(*) from lease l join study s on s.id = l.study_id
                    where s.job_id = '%s' and l.ending = 'expired'"""),
                switch (fault) {
                    case Moment.Dated(Instant begun) -> database.count("""
                            select count(*) from lease l join study s on s.id = l.study_id
                            where s.job_id = '%s' and l.ending = 'expired' and l.granted_at > '""" + begun + "'");
                    case Moment.Met _ -> 0;
                },
                database.count("""
                    select count(*) from lease l join study s on s.id = l.study_id
                    where s.job_id = '%s' and l.ending = 'undelivered'"""),
                odd);
    }

    /** When a fault began. */
    sealed interface Moment {

        /** By the clock that dates leases too. */
        record Dated(Instant begun) implements Moment {}

        /** That clock itself was set. What lived just after is known. */
        record Met(int live) implements Moment {

            static Met now(Installation installation, String job) throws Exception {
                return new Met(new Database(installation, job).count("""
                        select count(*) from lease l join study s on s.id = l.study_id
                        where s.job_id = '%s' and l.ending is null"""));
            }
        }
    }

    private static <T> int repeated(List<T> all, Function<T, Object> key) {
        return all.size() - new HashSet<>(all.stream().map(key).toList()).size();
    }

    /** Questions to the database about one job, which every query names as {@code %s}. */
    private record Database(Installation installation, String job) {

        int count(String sql) throws Exception {
            return Integer.parseInt(rows(sql).getFirst());
        }

        List<String> rows(String sql) throws Exception {
            return installation.await("the database", () -> Optional.of(once(sql.formatted(job))));
        }

        private List<String> once(String sql) throws IOException {
            List<String> rows = new ArrayList<>();
            try (Connection connection = installation.database();
                    Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(sql)) {
                int columns = result.getMetaData().getColumnCount();
                while (result.next()) {
                    List<String> row = new ArrayList<>();
                    for (int column = 1; column <= columns; column++) {
                        row.add(result.getString(column));
                    }
                    rows.add(String.join(" ", row));
                }
                return rows;
            } catch (SQLException away) {
                throw new IOException(away);
            }
        }
    }
}
