package dev.tilewright.api.gate;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.gate.decision.Sentinel;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateBlocks;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Retune;
import dev.tilewright.model.trial.Discard;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;

/** Tables {@code gate_case} and {@code gate_stage}. */
@Repository
record GateCaseRepository(JdbcClient jdbc, JsonColumn json) {

    private static final TypeReference<List<Discard>> DISCARDS = new TypeReference<>() {};
    private static final TypeReference<List<String>> DOUBTS = new TypeReference<>() {};

    private static final String STAGES = """
            select ordinal, number, task_id, seed, taken_at, seconds, verdict, reason, effect, counted, baseline_ns, discards, doubts, gpu,
                candidate, baseline, log""";

    void insert(UUID runId, List<GateCaseRow> cases) {
        for (GateCaseRow each : cases) {
            jdbc.sql("""
                    insert into gate_case (run_id, ordinal, name, sentinel, spec)
                    values (:run, :ordinal, :name, :sentinel, cast(:spec as jsonb))""")
                    .param("run", runId)
                    .param("ordinal", each.ordinal())
                    .param("name", each.spec().name())
                    .param("sentinel", each.sentinel() == null ? null : lowerCase(each.sentinel()))
                    .param("spec", json.write(each.spec()))
                    .update();
        }
    }

    /** All cases of a run, sentinels behind those of the request. */
    List<GateCaseRow> of(UUID runId) {
        return jdbc.sql("select * from gate_case where run_id = :run order by ordinal")
                .param("run", runId)
                .query((row, number) -> map(row))
                .list();
    }

    void decide(UUID runId, GateCaseRow decided) {
        GateCaseRow.CaseVerdict verdict = Objects.requireNonNull(decided.verdict());
        jdbc.sql("""
                update gate_case set verdict = :verdict, reason = :reason, effect = cast(:effect as jsonb),
                    waiver = cast(:waiver as jsonb), retune = cast(:retune as jsonb)
                where run_id = :run and ordinal = :ordinal""")
                .param("run", runId)
                .param("ordinal", decided.ordinal())
                .param("verdict", verdict.verdict().toString())
                .param("reason", verdict.reason())
                .param("effect", json.write(verdict.effect()))
                .param("waiver", json.write(decided.waiver()))
                .param("retune", json.write(decided.retune()))
                .update();
    }

    /** It is further in being tuned again. */
    void retune(UUID runId, int ordinal, Retune retune) {
        jdbc.sql("update gate_case set retune = cast(:retune as jsonb) where run_id = :run and ordinal = :ordinal")
                .param("run", runId)
                .param("ordinal", ordinal)
                .param("retune", json.write(retune))
                .update();
    }

    /** A task is asked for it. */
    void ask(UUID runId, StageRow stage) {
        jdbc.sql("""
                insert into gate_stage (run_id, ordinal, number, task_id, seed)
                values (:run, :ordinal, :number, :task, :seed)""")
                .param("run", runId)
                .param("ordinal", stage.ordinal())
                .param("number", stage.number())
                .param("task", stage.taskId())
                .param("seed", stage.seed())
                .update();
    }

    /** Its task is over. Blocks are taken once: a stage that has been taken stays as it is. */
    void take(UUID runId, StageRow stage, GateBlocks.Columns blocks) {
        StageRow.Taken taken = Objects.requireNonNull(stage.taken());
        jdbc.sql("""
                update gate_stage set taken_at = :at, seconds = :seconds, verdict = :verdict, reason = :reason,
                    effect = cast(:effect as jsonb), counted = :counted, baseline_ns = :baselineNs, blocks = cast(:blocks as jsonb),
                    discards = cast(:discards as jsonb), doubts = cast(:doubts as jsonb), gpu = :gpu, candidate = cast(:candidate as jsonb),
                    baseline = cast(:baseline as jsonb), log = :log
                where run_id = :run and ordinal = :ordinal and number = :number and taken_at is null""")
                .param("run", runId)
                .param("ordinal", stage.ordinal())
                .param("number", stage.number())
                .param("at", at(taken.at()))
                .param("seconds", taken.seconds())
                .param("verdict", taken.verdict().toString())
                .param("reason", taken.reason())
                .param("effect", json.write(taken.effect()))
                .param("counted", taken.counted())
                .param("baselineNs", taken.baselineNs())
                .param("blocks", json.write(blocks))
                .param("discards", json.write(taken.discards()))
                .param("doubts", json.write(taken.doubts()))
                .param("gpu", taken.gpu())
                .param("candidate", json.write(taken.candidate()))
                .param("baseline", json.write(taken.baseline()))
                .param("log", taken.log())
                .update();
    }

    /** All stages of a run, by case and number. */
    List<StageRow> stages(UUID runId) {
        return jdbc.sql(STAGES + " from gate_stage where run_id = :run order by ordinal, number")
                .param("run", runId)
                .query((row, number) -> stage(row))
                .list();
    }

    /** Stages with a taken task, with their blocks. */
    List<StageRow.WithBlocks> blocks(UUID runId) {
        return blocks(runId, null);
    }

    /** The same of one case. */
    List<StageRow.WithBlocks> blocks(UUID runId, @Nullable Integer ordinal) {
        return jdbc.sql(STAGES + """
                , blocks from gate_stage where run_id = :run and taken_at is not null
                    and ordinal = coalesce(cast(:ordinal as integer), ordinal)
                order by ordinal, number""")
                .param("run", runId)
                .param("ordinal", ordinal)
                .query((row, number) ->
                        new StageRow.WithBlocks(stage(row), json.read(row, "blocks", GateBlocks.Columns.class)))
                .list();
    }

    static String lowerCase(Sentinel sentinel) {
        return sentinel.name().toLowerCase(Locale.ROOT);
    }

    private GateCaseRow map(ResultSet row) throws SQLException {
        return new GateCaseRow(
                row.getInt("ordinal"),
                JsonColumn.wordOrNull(row, "sentinel", Sentinel.class),
                json.read(row, "spec", CaseSpec.class),
                verdict(row),
                json.readOrNull(row, "waiver", CaseResult.Waiver.class),
                json.readOrNull(row, "retune", Retune.class));
    }

    private GateCaseRow.@Nullable CaseVerdict verdict(ResultSet row) throws SQLException {
        GateVerdict verdict = JsonColumn.wordOrNull(row, "verdict", GateVerdict.class);
        return verdict == null
                ? null
                : new GateCaseRow.CaseVerdict(
                        verdict, row.getString("reason"), json.readOrNull(row, "effect", Effect.class));
    }

    private StageRow stage(ResultSet row) throws SQLException {
        return new StageRow(
                row.getInt("ordinal"),
                row.getInt("number"),
                row.getObject("task_id", UUID.class),
                row.getLong("seed"),
                row.getObject("taken_at") == null ? null : taken(row));
    }

    private StageRow.Taken taken(ResultSet row) throws SQLException {
        return new StageRow.Taken(
                JsonColumn.instant(row, "taken_at"),
                row.getDouble("seconds"),
                JsonColumn.word(row, "verdict", GateVerdict.class),
                row.getString("reason"),
                json.readOrNull(row, "effect", Effect.class),
                row.getInt("counted"),
                JsonColumn.realOrNull(row, "baseline_ns"),
                json.read(row, "discards", DISCARDS),
                json.read(row, "doubts", DOUBTS),
                row.getString("gpu"),
                json.readOrNull(row, "candidate", CaseResult.Side.class),
                json.readOrNull(row, "baseline", CaseResult.Side.class),
                row.getString("log"));
    }
}
