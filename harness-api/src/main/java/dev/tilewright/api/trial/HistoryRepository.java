package dev.tilewright.api.trial;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TrialOutcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The history of a study for its search. A trial that has ended says the same for ever, so what was read last is kept,
 * and of a long history only what is new is read again: trials that were open, and those that were asked since. A
 * replica that takes a study over from another reads all of it once.
 */
@Repository
class HistoryRepository {

    /** Trials that are kept of all studies together, about 1 KB each; those of the study at hand whatever they are. */
    private static final int KEPT = 100_000;

    private final JdbcClient jdbc;
    private final JsonColumn json;
    private final Map<UUID, List<Known>> known = new LinkedHashMap<>();

    HistoryRepository(JdbcClient jdbc, JsonColumn json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    private record Known(int ordinal, TrialRepository.Seen seen) {

        boolean isOpen() {
            return seen.outcome() == null;
        }
    }

    /** The trials of the search so far, in the order in which it asked. */
    List<TrialRepository.Seen> of(UUID studyId) {
        List<Known> before = known(studyId);
        Map<Integer, Known> news = new LinkedHashMap<>();
        read(studyId, before).forEach(trial -> news.put(trial.ordinal(), trial));
        List<Known> now = new ArrayList<>(before.size() + news.size());
        for (Known trial : before) {
            Known anew = news.remove(trial.ordinal());
            now.add(anew == null ? trial : anew);
        }
        now.addAll(news.values());
        keep(studyId, List.copyOf(now));
        return now.stream().map(Known::seen).toList();
    }

    /** Trials that are not known yet, in their order. */
    private List<Known> read(UUID studyId, List<Known> before) {
        return jdbc.sql("""
                select t.ordinal, t.config, t.outcome, screen.median_ns, screen.sm_clock_mhz, screen.anchor_ratio
                from trial t left join lateral (
                    select m.median_ns, m.sm_clock_mhz, m.anchor_ratio from measurement m
                    where m.trial_id = t.id and m.mode = 'sustained' and m.stage = 'screen'
                        and t.outcome is distinct from 'implausible'
                    order by m.id desc limit 1) screen on true
                where t.study_id = :study and (t.ordinal > :last or t.ordinal = any(cast(:open as integer[])))
                    and (t.outcome is distinct from 'pruned' or t.attempts > 0)
                order by t.ordinal""")
                .param("study", studyId)
                .param("last", before.isEmpty() ? -1 : before.getLast().ordinal())
                .param(
                        "open",
                        before.stream()
                                .filter(Known::isOpen)
                                .map(trial -> Integer.toString(trial.ordinal()))
                                .toArray(String[]::new))
                .query((row, number) -> new Known(
                        row.getInt("ordinal"),
                        new TrialRepository.Seen(
                                json.read(row, "config", Config.class),
                                JsonColumn.wordOrNull(row, "outcome", TrialOutcome.class),
                                screen(row))))
                .list();
    }

    /** The screen in the current row. */
    static ScreenScale.@Nullable ScreenTime screen(ResultSet row) throws SQLException {
        Double medianNs = JsonColumn.realOrNull(row, "median_ns");
        return medianNs == null
                ? null
                : new ScreenScale.ScreenTime(
                        medianNs,
                        JsonColumn.realOrNull(row, "sm_clock_mhz"),
                        JsonColumn.realOrNull(row, "anchor_ratio"));
    }

    private synchronized List<Known> known(UUID studyId) {
        return known.getOrDefault(studyId, List.of());
    }

    /** Of those that were asked for last as many as there is room for. */
    private synchronized void keep(UUID studyId, List<Known> trials) {
        known.remove(studyId);
        known.put(studyId, trials);
        int all = known.values().stream().mapToInt(List::size).sum();
        Iterator<List<Known>> oldest = known.values().iterator();
        while (all > KEPT && known.size() > 1) {
            all -= oldest.next().size();
            oldest.remove();
        }
    }
}
