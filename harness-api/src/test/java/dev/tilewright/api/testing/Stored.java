package dev.tilewright.api.testing;

import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TileTimes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Much that was stored before, written by SQL: through the service it would take hours. */
public final class Stored {

    /** Trials of a large study that wait, so that its driver has nothing to ask. */
    private static final int QUEUED = 500;

    private static final int SMS = 132;

    private final Api api;
    private final JdbcClient jdbc;

    public Stored(Api api, Service service) {
        // With the limits of migrations: no request writes so much at once.
        this(api, service.context().getBean("migrationDataSource", DataSource.class));
    }

    public Stored(Api api, DataSource database) {
        this.api = api;
        this.jdbc = JdbcClient.create(database);
    }

    /** A job of one study, by the ids of both. */
    public record Large(String job, String study) {}

    /** A study that runs on the testbed of a worker, with so many completed trials as large as those of a GPU. */
    public Large study(ScriptedWorker worker, int trials) {
        return study(worker, trials, QUEUED);
    }

    /** The same, with so many more that wait. */
    public Large study(ScriptedWorker worker, int trials, int queued) {
        UUID job = job(trials + queued, worker.device());
        UUID study = UUID.randomUUID();
        jdbc.sql("""
                insert into study (id, job_id, ordinal, problem, m, n, k, dtype, family, state, testbed_id, family_build,
                    space_hash, space, started_at, accepted)
                select :study, :job, 0, cast(:problem as jsonb), 640, 384, 256, 'bf16', 'toy', 'running', d.testbed_id,
                    'build', 'hash', '{"points": 24, "size": 20}', now(), true
                from worker_device d where d.worker_id = :worker""")
                .param("study", study)
                .param("job", job)
                .param("problem", problem(640, 384, 256))
                .param("worker", worker.id())
                .update();
        jdbc.sql("""
                insert into trial (id, study_id, ordinal, family, config, config_hash, state, outcome, attempts, fence, registers,
                    spill_bytes, shared_bytes, ptx_hash, cubin_hash, grid_x, cluster_size, threads, evidence, times_ns, log,
                    created_at, finished_at, finish_seq)
                select gen_random_uuid(), :study, i, 'toy', jsonb_build_object('scheduler', 'static', 'tileM', 64, 'tileN', i),
                    md5(i::text) || md5('-' || i), case when done then 'finished' else 'queued' end,
                    case when done then 'completed' end, done::int, done::int, case when done then 168 end,
                    case when done then 0 end, case when done then 200000 end, case when done then md5(i::text) end,
                    case when done then md5(i::text) end, case when done then 132 end, 1, 384,
                    case when done then cast(:evidence as jsonb) end, '{"measure": 5000000}', '', now(),
                    case when done then now() end, case when done then nextval('trial_finish') end
                from (select i, i < :trials as done from generate_series(0, :trials + :queued - 1) i) rows""")
                .param("study", study)
                .param("trials", trials)
                .param("queued", queued)
                .param("evidence", api.mapper().writeValueAsString(evidence()))
                .update();
        jdbc.sql("""
                insert into measurement (study_id, trial_id, mode, stage, blocks, launches, median_ns, tflops, created_at)
                select study_id, id, 'sustained', 'screen', 1, 10, 1000 + ordinal, 1e6 / (1000 + ordinal), now()
                from trial where study_id = :study and state = 'finished'""").param("study", study).update();
        jdbc.sql("""
                insert into lease (id, study_id, trial_id, worker_id, device, fence, attempt, granted_at, expires_at, ended_at, ending)
                select gen_random_uuid(), study_id, id, :worker, :device, 1, 1, now(), now() + interval '15 s', now(), 'reported'
                from trial where study_id = :study and state = 'finished'""")
                .param("study", study)
                .param("worker", worker.id())
                .param("device", worker.device())
                .update();
        jdbc.sql("""
                insert into study_tally (study_id, asked, finished, completed, fastest_trial, fastest_ns, best_tflops)
                select :study, :asked, :trials, :trials, id, 1000, 1000 from trial where study_id = :study and ordinal = 0""")
                .param("study", study)
                .param("asked", trials + queued)
                .param("trials", trials)
                .update();
        jdbc.sql("insert into event (job_id, type, terminal, data, created_at)"
                        + " select :job, 'trial.finished', false, '{}', now() from generate_series(1, :trials)")
                .param("job", job)
                .param("trials", trials)
                .update();
        analyze();
        return new Large(job.toString(), study.toString());
    }

    /** Gives all completed trials of a study the times of as many tiles as are kept of a run. */
    public void tileTimes(Large study) {
        List<List<Long>> times = new ArrayList<>();
        Random random = new Random(7);
        for (int sm = 0; sm < SMS; sm++) {
            List<Long> own = new ArrayList<>();
            for (long end = 0; own.size() / 2 < TileTimes.MOST / SMS; ) {
                own.add(end + random.nextLong(100));
                end = own.getLast() + 9_000 + random.nextLong(2_000);
                own.add(end);
            }
            times.add(own);
        }
        jdbc.sql("update trial set tile_ns = cast(:times as json) where study_id = :study and state = 'finished'")
                .param("times", api.mapper().writeValueAsString(times))
                .param("study", UUID.fromString(study.study()))
                .update();
    }

    /** As of a GPU with so many SMs. */
    private static SchedulerEvidence evidence() {
        List<Long> times = Collections.nCopies(SMS, 123_456_789L);
        return new SchedulerEvidence(Collections.nCopies(SMS, 7), times, times, 0.2, null);
    }

    /** What a job of the toy family asks for. */
    private static String options(int trials, String device) {
        return """
                {"family": "toy", "restriction": {"values": {}, "full": false}, "strategy": "random",
                 "budget": {"trials": %d, "seconds": null, "finalists": 3}, "seed": 1, "device": "%s", "check": false}""".formatted(trials, device);
    }

    private UUID job(int trials, String device) {
        UUID job = UUID.randomUUID();
        jdbc.sql("""
                insert into job (id, name, state, options, created_at)
                values (:job, 'large', 'running', cast(:options as jsonb), now())""")
                .param("job", job)
                .param("options", options(trials, device))
                .update();
        return job;
    }

    /**
     * Jobs of one study each: every second has a final on a real GPU, the others wait for a device that nobody has.
     * Their problems differ.
     */
    public void jobs(int first, int count) {
        jdbc.sql("""
                insert into testbed (id, kind, device, driver, assembler, sm_count, clock_policy, created_at, ran_at)
                values (md5('gpu')::uuid, 'cuda', 'NVIDIA H200', '580.1', 'ptxas 13.0.88', 132, 'factory', now(), now())
                on conflict do nothing""").update();
        String rows = "from generate_series(%d, %d) i".formatted(first, first + count - 1);
        jdbc.sql("""
                insert into job (id, name, state, options, created_at, finished_at)
                select md5('job' || i)::uuid, 'job ' || i, case when i %% 2 = 0 then 'finished' else 'queued' end,
                    cast(:options as jsonb), now(), case when i %% 2 = 0 then now() end %s""".formatted(rows)).param("options", options(1, "cuda:7")).update();
        jdbc.sql("""
                insert into study (id, job_id, ordinal, problem, m, n, k, dtype, family, state, testbed_id, family_build,
                    space_hash, space, started_at, finished_at, accepted)
                select md5('study' || i)::uuid, md5('job' || i)::uuid, 0, jsonb_set(cast(:problem as jsonb), '{groups,0,m}',
                    to_jsonb(i + 1)), i + 1, 384, 256, 'bf16', 'toy',
                    case when i %% 2 = 0 then 'finished' else 'queued' end, case when i %% 2 = 0 then md5('gpu')::uuid end,
                    case when i %% 2 = 0 then 'build' end, case when i %% 2 = 0 then 'hash' end,
                    case when i %% 2 = 0 then cast('{"points": 24, "size": 20}' as jsonb) end,
                    case when i %% 2 = 0 then now() end, case when i %% 2 = 0 then now() end, true %s""".formatted(rows)).param("problem", problem(640, 384, 256)).update();
        jdbc.sql("""
                insert into study_queue select j.options ->> 'device', s.family, s.seq, s.id from study s join job j on j.id = s.job_id
                where s.state = 'queued' on conflict do nothing""").update();
        String finals = rows + " where i % 2 = 0";
        jdbc.sql("insert into study_tally (study_id, asked, finished, completed) select md5('study' || i)::uuid,"
                        + " (i % 2 = 0)::int, (i % 2 = 0)::int, (i % 2 = 0)::int " + rows)
                .update();
        jdbc.sql("""
                insert into trial (id, study_id, ordinal, family, config, config_hash, state, outcome, attempts, fence, created_at,
                    finished_at, finish_seq)
                select md5('trial' || i)::uuid, md5('study' || i)::uuid, 0, 'toy', '{"tileM": 64}', repeat('a', 64), 'finished',
                    'completed', 1, 1, now(), now(), nextval('trial_finish')\s""" + finals).update();
        jdbc.sql("insert into final_run (study_id, state, contenders, created_at, finished_at)"
                        + " select md5('study' || i)::uuid, 'finished', '[]', now(), now() " + finals)
                .update();
        jdbc.sql("insert into final_arm (id, study_id, name, trial_id, family, config, outcome, log) select"
                        + " md5('arm' || i)::uuid, md5('study' || i)::uuid, 'ours', md5('trial' || i)::uuid, 'toy',"
                        + " '{\"tileM\": 64}', 'completed', '' " + finals)
                .update();
        jdbc.sql(
                        "insert into measurement (study_id, trial_id, arm_id, mode, stage, blocks, launches, median_ns, tflops,"
                                + " created_at) select md5('study' || i)::uuid, md5('trial' || i)::uuid, md5('arm' || i)::uuid,"
                                + " 'sustained', 'final', 5, 50, 1000, 100, now() " + finals)
                .update();
        analyze();
    }

    /** As the background process of Postgres does a minute after such a change. */
    private void analyze() {
        jdbc.sql("analyze job, study, study_tally, study_queue, trial, measurement, lease, event, final_run, final_arm")
                .update();
    }

    private String problem(int m, int n, int k) {
        String id = api.submit("auto", "random", 1, m + "x" + n + "x" + k);
        String problem = jdbc.sql("select problem::text from study where job_id = cast(:job as uuid)")
                .param("job", id)
                .query(String.class)
                .single();
        jdbc.sql("delete from job where id = cast(:job as uuid)")
                .param("job", id)
                .update();
        return problem;
    }
}
