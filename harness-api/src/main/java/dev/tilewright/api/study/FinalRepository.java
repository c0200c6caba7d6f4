package dev.tilewright.api.study;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.platform.database.OneOrMany;
import dev.tilewright.api.work.LeaseRepository;
import dev.tilewright.api.work.WorkId;
import dev.tilewright.api.work.WorkState;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.PeerSearch;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.StudyStage;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;

/** Tables {@code final_run}, {@code final_arm}, {@code final_block}, {@code final_discard} and {@code arm_ratio}. */
@Repository
public class FinalRepository {

    private static final TypeReference<List<Work.Contender>> CONTENDERS = new TypeReference<>() {};
    private static final TypeReference<List<String>> LINES = new TypeReference<>() {};

    private static final TypeReference<List<PeerSearch>> SEARCHES = new TypeReference<>() {};

    private final JdbcClient jdbc;
    private final JsonColumn json;

    FinalRepository(JdbcClient jdbc, JsonColumn json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    public void queue(UUID studyId, List<Work.Contender> contenders, Instant now) {
        jdbc.sql("""
                insert into final_run (study_id, state, contenders, created_at)
                values (:study, 'queued', cast(:contenders as jsonb), :now)""")
                .param("study", studyId)
                .param("contenders", json.write(contenders))
                .param("now", at(now))
                .update();
    }

    /** The stage of a running study. */
    public StudyStage stage(UUID studyId) {
        return jdbc.sql("select raced_at is not null from final_run where study_id = :study")
                .param("study", studyId)
                .query(Boolean.class)
                .optional()
                .map(raced -> raced ? StudyStage.FINAL : StudyStage.RACE)
                .orElse(StudyStage.SWEEP);
    }

    /** Notes that the race of a leased final is over; false if that was known. */
    public boolean raced(UUID studyId, Instant now) {
        return jdbc.sql("""
                update final_run set raced_at = :now
                where study_id = :study and state = 'leased' and raced_at is null""").param("study", studyId).param("now", at(now)).update() == 1;
    }

    public Optional<List<Work.Contender>> contenders(UUID studyId) {
        return jdbc.sql("select contenders from final_run where study_id = :study")
                .param("study", studyId)
                .query((row, number) -> json.read(row, "contenders", CONTENDERS))
                .optional();
    }

    /** A final that waits in the queue. */
    public record Queued(WorkState state, List<Work.Contender> contenders) {}

    /** Holds the final of a study if it waits, and if the study may be referred to at this moment. */
    public Optional<Queued> queued(UUID studyId) {
        return jdbc.sql("""
                with free as (select id from study where id = :study for key share skip locked)
                select * from final_run where study_id = :study and state = 'queued' and exists (select from free)
                for update skip locked""")
                .param("study", studyId)
                .query((row, number) -> new Queued(
                        LeaseRepository.state(WorkId.ofFinal(studyId), row), json.read(row, "contenders", CONTENDERS)))
                .optional();
    }

    /** Ends a leased final. */
    public void finish(UUID studyId, FinalResult result, Instant now) {
        int changed = jdbc.sql("""
                update final_run set state = 'finished', log = :log, neighbours = cast(:neighbours as jsonb),
                    peer_searches = cast(:searches as jsonb), finished_at = :now
                where study_id = :study and state = 'leased'""")
                .param("study", studyId)
                .param("log", result.log())
                .param("neighbours", json.write(result.neighbours()))
                .param("searches", json.write(result.searches()))
                .param("now", at(now))
                .update();
        expectOne(changed, studyId);
    }

    /**
     * The searches for faster kernels of peers in the final of a study; none of a final that is older than such
     * searches.
     */
    public List<PeerSearch> searches(UUID studyId) {
        return jdbc.sql("select peer_searches from final_run where study_id = :study and peer_searches is not null")
                .param("study", studyId)
                .query((row, number) -> json.read(row, "peer_searches", SEARCHES))
                .optional()
                .orElse(List.of());
    }

    /** Ends a final that is queued or leased and will not be run. */
    public void drop(UUID studyId, String log, Instant now) {
        jdbc.sql("""
                update final_run set state = 'finished', log = :log, finished_at = :now
                where study_id = :study and state <> 'finished'""")
                .param("study", studyId)
                .param("log", log)
                .param("now", at(now))
                .update();
    }

    /** Other processes that were on the GPU during a final, or why they cannot be observed; empty before its end. */
    public List<String> neighbours(UUID studyId) {
        return jdbc.sql("select neighbours from final_run where study_id = :study")
                .param("study", studyId)
                .query((row, number) -> json.read(row, "neighbours", LINES))
                .optional()
                .orElse(List.of());
    }

    private static void expectOne(int changed, UUID studyId) {
        if (changed != 1) {
            throw new IllegalStateException("the final of study " + studyId + " is not leased");
        }
    }

    private record NewArm(UUID id, @JsonUnwrapped Report.Arm arm) {}

    /** Adds the arms of a study, whose names differ, and returns their ids by name. */
    public Map<String, UUID> insertArms(UUID studyId, List<Report.Arm> arms) {
        List<NewArm> rows =
                arms.stream().map(arm -> new NewArm(UUID.randomUUID(), arm)).toList();
        jdbc.sql("""
                insert into final_arm (id, study_id, name, trial_id, family, config, outcome, error_ratio, log)
                select r.id, :study, r.name, r."trialId", r.family, r.config, r.outcome, r."errorRatio", r.log
                from json_to_recordset(cast(:rows as json)) as r(id uuid, name text, "trialId" uuid, family text, config jsonb,
                    outcome text, "errorRatio" double precision, log text)""").param("study", studyId).param("rows", json.write(rows)).update();
        return rows.stream().collect(Collectors.toMap(row -> row.arm().name(), NewArm::id));
    }

    /** Adds the raw blocks of arms that were just added. */
    public void insertBlocks(UUID studyId, List<Report.Block> blocks) {
        jdbc.sql("""
                insert into final_block (arm_id, stage, question, mode, index, position, launch_ns, sm_clock_mhz, power_watts,
                    temperature_celsius, throttle_reasons)
                select a.id, r.stage, r.question, r.mode, r.index, r.position, r."launchNs", r."smClockMhz", r."powerWatts",
                    r."temperatureCelsius", r."throttleReasons"
                from json_to_recordset(cast(:rows as json)) as r(arm text, stage text, question text, mode text,
                    index integer, position integer, "launchNs" double precision, "smClockMhz" double precision,
                    "powerWatts" double precision, "temperatureCelsius" double precision, "throttleReasons" bigint)
                join final_arm a on a.study_id = :study and a.name = r.arm""").param("study", studyId).param("rows", json.write(blocks)).update();
    }

    public void insertDiscards(UUID studyId, List<Discard> discards) {
        jdbc.sql("""
                insert into final_discard (study_id, stage, question, mode, index, reason)
                select :study, r.stage, r.question, r.mode, r.index, r.reason
                from json_to_recordset(cast(:rows as json)) as r(stage text, question text, mode text, index integer,
                    reason text)""")
                .param("study", studyId)
                .param("rows", json.write(discards))
                .update();
    }

    /** Blocks of a study's race and final that do not count, in the order in which they were run. */
    public List<Discard> discards(UUID studyId) {
        return jdbc.sql("select * from final_discard where study_id = :study order by id")
                .param("study", studyId)
                .query((row, number) -> new Discard(
                        JsonColumn.word(row, "stage", Stage.class),
                        JsonColumn.word(row, "question", Question.class),
                        JsonColumn.word(row, "mode", Mode.class),
                        row.getInt("index"),
                        row.getString("reason")))
                .list();
    }

    /** Adds the ratios of arms that were just added. */
    public void insertRatios(UUID studyId, List<Report.ArmRatio> ratios) {
        jdbc.sql("""
                insert into arm_ratio (arm_id, peer_id, mode, value, low, high, blocks)
                select a.id, p.id, r.mode, v.value, v.low, v.high, v.blocks
                from json_to_recordset(cast(:rows as json)) as r(arm text, peer text, mode text, ratio json)
                cross join lateral json_to_record(r.ratio) as v(value double precision, low double precision,
                    high double precision, blocks integer)
                join final_arm a on a.study_id = :study and a.name = r.arm
                join final_arm p on p.study_id = :study and p.name = r.peer""").param("study", studyId).param("rows", json.write(ratios)).update();
    }

    /** The arms of finals by study, ours before the peers. */
    public Map<UUID, List<FinalArm>> arms(List<UUID> studyIds) {
        return byStudy(
                """
                select a.*, t.ordinal from final_arm a left join trial t on t.id = a.trial_id
                where a.study_id = %s order by a.trial_id is null, a.name""",
                studyIds,
                (row, number) -> new FinalArm(
                        row.getObject("id", UUID.class),
                        row.getString("name"),
                        row.getObject("trial_id", UUID.class),
                        JsonColumn.wholeOrNull(row, "ordinal"),
                        row.getString("family"),
                        json.read(row, "config", Config.class),
                        JsonColumn.word(row, "outcome", TrialOutcome.class),
                        row.getString("log")));
    }

    /** How much faster arms are than peers, by study. */
    public Map<UUID, List<FinalArm.Against>> ratios(List<UUID> studyIds) {
        return byStudy(
                """
                select a.study_id, r.* from arm_ratio r join final_arm a on a.id = r.arm_id
                where a.study_id = %s order by r.arm_id, r.peer_id, r.mode""",
                studyIds,
                (row, number) -> new FinalArm.Against(
                        row.getObject("arm_id", UUID.class),
                        row.getObject("peer_id", UUID.class),
                        JsonColumn.word(row, "mode", Mode.class),
                        new Ratio(
                                row.getDouble("value"),
                                row.getDouble("low"),
                                row.getDouble("high"),
                                row.getInt("blocks"))));
    }

    /** @param sql with a place for what the id of the study is compared with */
    private <T> Map<UUID, List<T>> byStudy(String sql, List<UUID> studyIds, RowMapper<T> reader) {
        Map<UUID, List<T>> groups = new HashMap<>();
        OneOrMany studies = new OneOrMany(studyIds);
        jdbc.sql(sql.formatted(studies.in("studies")))
                .param("studies", studies.value())
                .query(row -> {
                    groups.computeIfAbsent(row.getObject("study_id", UUID.class), study -> new ArrayList<>())
                            .add(reader.mapRow(row, 0));
                });
        return groups;
    }
}
