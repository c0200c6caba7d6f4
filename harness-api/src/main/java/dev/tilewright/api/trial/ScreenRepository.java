package dev.tilewright.api.trial;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Ends trials of table {@code trial} as workers reported them: many of a study in as many statements as one. */
@Repository
public class ScreenRepository {

    private final JdbcClient jdbc;
    private final JsonColumn json;
    private final TallyRepository tallies;

    ScreenRepository(JdbcClient jdbc, JsonColumn json, TallyRepository tallies) {
        this.jdbc = jdbc;
        this.json = json;
        this.tallies = tallies;
    }

    /** The result that a worker reported for a trial. */
    public record Screen(UUID trialId, TrialResult result) {

        private boolean isCompleted() {
            return result.outcome() == TrialOutcome.COMPLETED;
        }

        /** Medians of its screens of this mode; empty if it was not timed, or did not complete. */
        private List<Double> sustainedNs() {
            return result.measurements().stream()
                    .filter(measurement -> isCompleted() && measurement.mode() == Mode.SUSTAINED)
                    .map(Measurement::medianNs)
                    .toList();
        }
    }

    /** The rest of a trial, as it is when its screen is written. */
    private record Known(Config config, int ordinal) {}

    /** A completed trial with the median of its last sustained screen. */
    private record Timed(UUID id, int ordinal, double ns) {}

    /** Writes what a worker found; the trials must be leased, and the caller holds the study. Returns them in order. */
    public List<TrialRepository.Ended> finish(UUID studyId, Problem problem, List<Screen> screens, Instant now) {
        Map<UUID, Known> trials = write(screens, now);
        Tally before = tallies.ended(studyId, together(problem, screens, trials));
        List<TrialRepository.Ended> ended = new ArrayList<>();
        int completed = before.completed();
        Double best = before.screenTflops();
        for (Screen screen : screens) {
            List<Double> ns = screen.sustainedNs();
            completed += screen.isCompleted() ? 1 : 0;
            best = higher(best, fastest(problem, ns));
            ended.add(new TrialRepository.Ended(
                    screen.trialId(),
                    trials.get(screen.trialId()).config(),
                    screen.result().outcome(),
                    ns.isEmpty() ? null : problem.tflops(ns.getLast()),
                    before.finished() + ended.size() + 1,
                    completed,
                    best));
        }
        return ended;
    }

    private static @Nullable Double fastest(Problem problem, List<Double> ns) {
        return ns.stream().map(problem::tflops).max(Comparator.naturalOrder()).orElse(null);
    }

    private static @Nullable Double higher(@Nullable Double one, @Nullable Double other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Math.max(one, other);
    }

    private TallyRepository.Batch together(Problem problem, List<Screen> screens, Map<UUID, Known> trials) {
        Timed fastest = screens.stream()
                .filter(screen -> !screen.sustainedNs().isEmpty())
                .map(screen -> new Timed(
                        screen.trialId(),
                        trials.get(screen.trialId()).ordinal(),
                        screen.sustainedNs().getLast()))
                .min(Comparator.comparing(Timed::ns).thenComparing(Timed::ordinal))
                .orElse(null);
        return new TallyRepository.Batch(
                screens.size(),
                (int) screens.stream().filter(Screen::isCompleted).count(),
                fastest == null ? null : fastest.id(),
                fastest == null ? null : fastest.ns(),
                screens.stream()
                        .map(screen -> fastest(problem, screen.sustainedNs()))
                        .reduce(null, ScreenRepository::higher));
    }

    private Map<UUID, Known> write(List<Screen> screens, Instant now) {
        Map<UUID, Known> trials = new HashMap<>();
        // Numbers of the order are drawn before the rows are joined: in the order of the reports.
        jdbc.sql("""
                with said as materialized (
                    select nextval('trial_finish') as seq, r.* from json_to_recordset(cast(:screens as json)) as r("trialId" uuid,
                        result json))
                update trial t set state = 'finished', outcome = r.outcome, error_ratio = r."errorRatio", registers = c.registers,
                    spill_bytes = c."spillBytes", shared_bytes = c."sharedBytes", ptx_hash = c."ptxHash",
                    cubin_hash = c."cubinHash", grid_x = x."gridX", cluster_size = x."clusterSize", threads = x.threads,
                    evidence = (r.evidence - 'tileNs')::json, tile_ns = nullif(r.evidence -> 'tileNs', 'null')::json, checked = r.checked, times_ns = r."timesNs", log = r.log, finished_at = :now,
                    finish_seq = said.seq
                from said
                cross join lateral json_to_record(said.result) as r(outcome text, "errorRatio" double precision,
                    compilation json, executed json, evidence jsonb, checked jsonb, "timesNs" jsonb, log text)
                left join lateral json_to_record(r.compilation) as c(registers integer, "spillBytes" integer,
                    "sharedBytes" integer, "ptxHash" text, "cubinHash" text) on true
                left join lateral json_to_record(r.executed) as x("gridX" integer, "clusterSize" integer, threads integer)
                    on true
                where t.id = said."trialId" and t.state = 'leased' returning t.id, t.config, t.ordinal""")
                .param("screens", json.write(screens))
                .param("now", at(now))
                .query(row -> {
                    trials.put(
                            row.getObject("id", UUID.class),
                            new Known(json.read(row, "config", Config.class), row.getInt("ordinal")));
                });
        for (Screen screen : screens) {
            if (!trials.containsKey(screen.trialId())) {
                throw TrialRepository.notLeased(screen.trialId());
            }
        }
        return trials;
    }
}
