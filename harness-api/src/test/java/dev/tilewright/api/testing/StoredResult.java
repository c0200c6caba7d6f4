package dev.tilewright.api.testing;

import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.results.ColumnFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A stored result document in the database, as if its study had been run here: a final needs a GPU. */
public final class StoredResult {

    private final JdbcClient jdbc;
    private final JsonMapper mapper;

    public StoredResult(Service service) {
        this.jdbc = JdbcClient.create(service.context().getBean("migrationDataSource", DataSource.class));
        this.mapper = service.bean(JsonMapper.class);
    }

    /** Stores the first study of a document; returns its id. */
    public String store(String file) {
        JsonNode document;
        try {
            document = ColumnFile.read(
                    Path.of("src", "test", "resources", "results").resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JsonNode study = document.get("studies").get(0);
        UUID testbed = testbed(study.get("testbed"));
        job(document.get("job"), study);
        study(study, testbed);
        trials(study);
        arms(study);
        measurements(study);
        ratios(study);
        jdbc.sql("analyze job, study, study_tally, trial, measurement, final_run, final_arm")
                .update();
        return study.get("id").asString();
    }

    private UUID testbed(JsonNode testbed) {
        return jdbc.sql("""
                insert into testbed (id, kind, device, driver, assembler, sm_count, clock_policy, created_at, ran_at)
                select gen_random_uuid(), t.kind, t.device, t.driver, t.assembler, t."smCount", t."clockPolicy", now(), now()
                from json_to_record(cast(:testbed as json)) as t(kind text, device text, driver text, assembler text,
                    "smCount" integer, "clockPolicy" text)
                on conflict (kind, device, driver, assembler, sm_count, clock_policy) do update set ran_at = now()
                returning id""")
                .param("testbed", testbed.toString())
                .query(UUID.class)
                .single();
    }

    private void job(JsonNode job, JsonNode study) {
        String options = mapper.writeValueAsString(Map.of(
                "family", study.get("family").asString(),
                "restriction", Map.of("values", Map.of(), "full", false),
                "strategy", job.get("strategy").asString(),
                "budget", job.get("budget"),
                "seed", job.get("seed").asLong(),
                "device", job.get("device").asString(),
                "check", false));
        jdbc.sql("""
                insert into job (id, name, state, options, submitted_by, created_at, finished_at)
                values (cast(:id as uuid), :name, 'finished', cast(:options as jsonb), 'h200-night', cast(:created as timestamptz),
                    cast(:finished as timestamptz))""")
                .param("id", job.get("id").asString())
                .param("name", job.get("name").asString())
                .param("options", options)
                .param("created", job.get("createdAt").asString())
                .param("finished", job.get("finishedAt").asString())
                .update();
    }

    private void study(JsonNode study, UUID testbed) {
        Problem problem =
                mapper.treeToValue(study.get("problem"), ProblemDocument.class).problem();
        jdbc.sql("""
                insert into study (id, job_id, ordinal, problem, m, n, k, dtype, family, state, testbed_id, family_build,
                    space_hash, space, started_at, finished_at, accepted, exhausted)
                values (cast(:id as uuid), cast(:job as uuid), 0, cast(:problem as jsonb), :m, :n, :k, :dtype, :family, 'finished',
                    :testbed, 'build', 'hash', cast(:space as jsonb), cast(:started as timestamptz),
                    cast(:finished as timestamptz), true, true)""")
                .param("id", study.get("id").asString())
                .param("job", study.get("jobId").asString())
                .param("problem", mapper.writeValueAsString(problem))
                .param("m", problem.shape().m())
                .param("n", problem.shape().n())
                .param("k", problem.shape().k())
                .param("dtype", problem.types().a().toString())
                .param("family", study.get("family").asString())
                .param("testbed", testbed)
                .param(
                        "space",
                        "{\"points\": %s, \"size\": %s}"
                                .formatted(
                                        study.get("space").get("points"),
                                        study.get("space").get("size")))
                .param("started", study.get("startedAt").asString())
                .param("finished", study.get("finishedAt").asString())
                .update();
    }

    private void trials(JsonNode study) {
        jdbc.sql("""
                insert into trial (id, study_id, ordinal, family, config, config_hash, state, outcome, attempts, fence, error_ratio,
                    registers, spill_bytes, shared_bytes, ptx_hash, cubin_hash, grid_x, cluster_size, threads, evidence, times_ns,
                    log, created_at, finished_at, finish_seq)
                select r.id, cast(:study as uuid), r.ordinal, r.family, r.config, md5(r.config::text) || md5(r.id::text),
                    'finished', r.outcome, 1, 1, r."errorRatio", r.registers, r."spillBytes", r."sharedBytes", r."ptxHash",
                    r."cubinHash", (r.executed ->> 'gridX')::int, (r.executed ->> 'clusterSize')::int,
                    (r.executed ->> 'threads')::int, nullif(r.evidence, 'null'), r."timesNs", r.log, r."createdAt", r."finishedAt",
                    nextval('trial_finish')
                from json_to_recordset(cast(:rows as json)) as r(id uuid, ordinal integer, family text, config jsonb, outcome text,
                    "errorRatio" double precision, registers integer, "spillBytes" integer, "sharedBytes" integer, "ptxHash" text,
                    "cubinHash" text, executed jsonb, evidence jsonb, "timesNs" jsonb, log text, "createdAt" timestamptz,
                    "finishedAt" timestamptz)
                order by r."finishedAt\"""")
                .param("study", study.get("id").asString())
                .param("rows", study.get("trials").toString())
                .update();
        jdbc.sql("""
                insert into study_tally (study_id, asked, finished, completed, fastest_trial, fastest_ns, best_tflops, final_tflops)
                select cast(:study as uuid), count(*), count(*), count(*) filter (where outcome = 'completed'), cast(:best as uuid),
                    cast(:ns as double precision), cast(:tflops as double precision), cast(:tflops as double precision)
                from trial where study_id = cast(:study as uuid)""")
                .param("study", study.get("id").asString())
                .param("best", study.get("best").get("id").asString())
                .param("ns", study.get("best").get("medianNs").asDouble())
                .param("tflops", study.get("best").get("tflops").asDouble())
                .update();
    }

    /** Each contender of the race, and each peer. */
    private void arms(JsonNode study) {
        String id = study.get("id").asString();
        jdbc.sql("""
                insert into final_run (study_id, state, contenders, created_at, finished_at)
                values (cast(:study as uuid), 'finished', '[]', now(), now())""").param("study", id).update();
        String ours = contenders(study)
                .map(trial -> "{\"name\":\"ours %s\",\"trial\":%s,\"family\":%s,\"config\":%s,\"outcome\":%s}"
                        .formatted(
                                trial.get("ordinal"),
                                trial.get("id"),
                                trial.get("family"),
                                trial.get("config"),
                                trial.get("outcome")))
                .collect(Collectors.joining(",", "[", "]"));
        for (String rows : new String[] {ours, study.get("peers").toString()}) {
            jdbc.sql("""
                    insert into final_arm (id, study_id, name, trial_id, family, config, outcome, log)
                    select gen_random_uuid(), cast(:study as uuid), r.name, r.trial, r.family, r.config, r.outcome, ''
                    from json_to_recordset(cast(:rows as json)) as r(name text, trial uuid, family text, config jsonb, outcome text)""").param("study", id).param("rows", rows).update();
        }
    }

    private static Stream<JsonNode> contenders(JsonNode study) {
        return study.get("trials")
                .valueStream()
                .filter(trial -> trial.get("measurements")
                        .valueStream()
                        .anyMatch(each -> !each.get("stage").asString().equals("screen")));
    }

    private void measurements(JsonNode study) {
        for (String[] each : new String[][] {
            {"id", study.get("trials").toString()}, {"name", study.get("peers").toString()}
        }) {
            jdbc.sql("""
                    insert into measurement (study_id, trial_id, arm_id, mode, stage, blocks, launches, median_ns, ci_low_ns, ci_high_ns,
                        tflops, sm_clock_mhz, power_watts, temperature_celsius, anchor_ratio, anchor_ratio_low, anchor_ratio_high,
                        anchor_ratio_blocks, created_at)
                    select cast(:study as uuid), o.trial, case when m.stage <> 'screen' then a.id end, m.mode, m.stage,
                        m.blocks, m.launches, m."medianNs", m."ciLowNs", m."ciHighNs", m.tflops, m."smClockMhz", m."powerWatts",
                        m."temperatureCelsius", (m."ratioToAnchor" ->> 'value')::double precision,
                        (m."ratioToAnchor" ->> 'low')::double precision, (m."ratioToAnchor" ->> 'high')::double precision,
                        (m."ratioToAnchor" ->> 'blocks')::integer, now()
                    from json_array_elements(cast(:owners as json)) owner
                    cross join lateral (select case when :key = 'id' then (owner ->> 'id')::uuid end as trial, owner ->> 'name' as name) o
                    cross join lateral json_to_recordset(owner -> 'measurements') as m(mode text, stage text, blocks integer,
                        launches integer, "medianNs" double precision, "ciLowNs" double precision, "ciHighNs" double precision,
                        tflops double precision, "smClockMhz" double precision, "powerWatts" double precision,
                        "temperatureCelsius" double precision, "ratioToAnchor" json)
                    left join final_arm a on a.study_id = cast(:study as uuid)
                        and (a.trial_id = o.trial or o.trial is null and a.name = o.name)""")
                    .param("study", study.get("id").asString())
                    .param("key", each[0])
                    .param("owners", each[1])
                    .update();
        }
    }

    /** The document has those of the best config alone. */
    private void ratios(JsonNode study) {
        ratio(study, study.get("bestPeer").asString(), "ratioToBestPeer");
    }

    private void ratio(JsonNode study, String peer, String name) {
        jdbc.sql("""
                insert into arm_ratio (arm_id, peer_id, mode, value, low, high, blocks)
                select o.id, p.id, 'sustained', :value, :low, :high, 10 from final_arm o join final_arm p on p.study_id = o.study_id
                where o.study_id = cast(:study as uuid) and o.trial_id = cast(:best as uuid) and p.name = :peer""")
                .param("study", study.get("id").asString())
                .param("best", study.get("best").get("id").asString())
                .param("peer", peer)
                .param("value", study.get(name).asDouble())
                .param("low", study.get(name + "Ci").get(0).asDouble())
                .param("high", study.get(name + "Ci").get(1).asDouble())
                .update();
    }
}
