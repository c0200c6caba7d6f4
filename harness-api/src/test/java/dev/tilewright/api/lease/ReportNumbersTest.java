package dev.tilewright.api.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.exchange.WorkerRegistration;
import dev.tilewright.model.trial.TileTimes;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Numbers of reports are checked before they are believed. */
@ExtendWith(RunningService.class)
class ReportNumbersTest {

    private static final double FLOPS = 2.0 * 640 * 384 * 256;

    private static Lease lease(Api api, ScriptedWorker worker) {
        api.submit(worker.device(), "random", 2, "640x384x256");
        return worker.leaseOne();
    }

    private static Api.Answer send(Api api, ScriptedWorker worker, Lease lease, String report) {
        String body = "{\"reports\":[{\"leaseId\":\"" + lease.leaseId() + "\",\"report\":" + report + "}]}";
        return api.post(
                "/api/v1/reports",
                body,
                "authorization",
                "Bearer " + RunningService.WORKER_TOKEN,
                WorkerRegistration.TOKEN_HEADER,
                worker.token());
    }

    private static String json(Api api, ScriptedWorker worker, Lease lease) {
        return api.mapper().writeValueAsString(worker.completed(lease, 5000));
    }

    /** What is not a number at all, or not one of its kind, is not even read. */
    @ParameterizedTest
    @CsvSource({
        "'\"medianNs\":5000.0', '\"medianNs\":1e400', 'must be a finite number, got Infinity'",
        "'\"medianNs\":5000.0', '\"medianNs\":\"NaN\"', must be positive",
        "'\"medianNs\":5000.0', '\"medianNs\":\"5000\"', must be a number",
        "'\"medianNs\":5000.0', '\"medianNs\":-5000.0', must be positive",
        "'\"ciHighNs\":5050.0', '\"ciHighNs\":1e400', 'must be a finite number, got Infinity'",
        "'\"ciHighNs\":5050.0', '\"ciHighNs\":\"NaN\"', 'must be a finite number, got NaN'",
        "'\"ciHighNs\":5050.0', '\"ciHighNs\":\"-Infinity\"', 'must be a finite number, got -Infinity'",
        "'\"errorRatio\":0.25', '\"errorRatio\":1e999', 'must be a finite number, got Infinity'",
        "'\"launches\":10', '\"launches\":10.5', must be a whole number",
        "'\"launches\":10', '\"launches\":\"10\"', must be a whole number",
        "'\"launches\":10', '\"launches\":1e40', must be a whole number",
        "'\"medianNs\":5000.0', '\"medianNs\":5000.0,\"tflops\":1e9', unknown property"
    })
    void whatIsNoNumberIsNotRead(String good, String bad, String rule, Api api) {
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = lease(api, worker);
        String report = json(api, worker, lease);
        assertThat(report).contains(good);
        Api.Answer answer = send(api, worker, lease, report.replace(good, bad));
        assertThat(answer.problem(422).get("detail").asString()).contains(rule);
        assertThat(send(api, worker, lease, report).expect(200).get("refused")).isEmpty();
    }

    /** A token of JavaScript that JSON does not have. */
    @Test
    void nanIsNotJson(Api api) {
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = lease(api, worker);
        String report = json(api, worker, lease);
        for (String word : List.of("NaN", "Infinity", "-Infinity")) {
            send(api, worker, lease, report.replace("\"medianNs\":5000.0", "\"medianNs\":" + word))
                    .problem(400);
        }
    }

    /** Everything else that cannot be is named with its pointer, and the report alone is refused. */
    @ParameterizedTest
    @CsvSource({
        "'\"ciLowNs\":4950.0', '\"ciLowNs\":-1.0', /result/measurements/0/ciLowNs: must be positive",
        "'\"ciLowNs\":4950.0', '\"ciLowNs\":5001.0', /result/measurements/0/ciLowNs: the interval must have the median",
        "'\"ciHighNs\":5050.0', '\"ciHighNs\":null', '/result/measurements/0/ciLowNs: both ends of the interval or none'",
        "'\"medianNs\":5000.0', '\"medianNs\":9e13', /result/measurements/0/medianNs: must be positive and at most",
        "'\"smClockMhz\":1755.0', '\"smClockMhz\":0', /result/measurements/0/smClockMhz: must be positive",
        "'\"powerWatts\":null', '\"powerWatts\":-1', /result/measurements/0/powerWatts: must be at least 0",
        "'\"temperatureCelsius\":null', '\"temperatureCelsius\":-300', /result/measurements/0/temperatureCelsius: must be at least",
        "'\"ratioToAnchor\":null', '\"ratioToAnchor\":{\"value\":3,\"low\":1,\"high\":2,\"blocks\":3}', "
                + "/result/measurements/0/ratioToAnchor: must be positive with low <= value <= high",
        "'\"ratioToAnchor\":null', '\"ratioToAnchor\":{\"value\":1,\"low\":1,\"high\":1,\"blocks\":0}', "
                + "/result/measurements/0/ratioToAnchor/blocks: must be at least 1",
        "'\"errorRatio\":0.25', '\"errorRatio\":-0.25', /result/errorRatio: must be at least 0",
        "'\"registers\":168', '\"registers\":-1', /result/compilation/registers: must be at least 0",
        "'\"gridX\":132', '\"gridX\":0', /result/executed/gridX: must be at least 1",
        "'\"tilesPerSm\":[2,', '\"tilesPerSm\":[-2,', /result/evidence/tilesPerSm/0: must be at least 0",
        "'\"lastEndNs\":[90,', '\"lastEndNs\":[-90,', /result/evidence/lastEndNs/0: must be at least 0",
        "'\"idleTailFraction\":0.2', '\"idleTailFraction\":1.2', /result/evidence/idleTailFraction: must be from 0 to 1",
        "'\"tracedSlowdown\":null', '\"tracedSlowdown\":0', /result/evidence/tracedSlowdown: must be positive",
        "'[[0,40,45,90],[5,60],', '[[0,40,45,90],', /result/evidence/tileNs: must have an entry for each of 3 SMs",
        "'[0,40,45,90]', '[0,40,45]', /result/evidence/tileNs/0: must have a start and an end for each of 2 tiles",
        "'[0,40,45,90]', '[0,40]', /result/evidence/tileNs/0: must have a start and an end for each of 2 tiles",
        "'[0,40,45,90]', '[0,40,45,91]', '/result/evidence/tileNs/0/3: must be at least 45 and at most 90, got 91'",
        "'[0,40,45,90]', '[45,90,0,40]', '/result/evidence/tileNs/0/2: must be at least 45 and at most 40, got 0'",
        "'[0,40,45,90]', '[0,40,45,44]', '/result/evidence/tileNs/0/2: must be at least 0 and at most 44, got 45'",
        "'[5,60]', '[4,60]', '/result/evidence/tileNs/1/0: must be at least 5 and at most 60, got 4'",
        "'\"measure\":5000000', '\"measure\":-5000000', /result/timesNs/measure: must be at least 0",
        "'\"measure\":5000000', '\"measure\":9000000000000000000', /result/timesNs/measure: must be at least 0 and at most",
        "'\"outcome\":\"completed\"', '\"outcome\":\"implausible\"', /result/outcome: must be what the worker saw"
    })
    void whatCannotBeIsRefused(String good, String bad, String fault, Api api) {
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = lease(api, worker);
        String report = json(api, worker, lease);
        assertThat(report).contains(good);
        JsonNode refused =
                send(api, worker, lease, report.replace(good, bad)).expect(200).get("refused");
        assertThat(refused).hasSize(1);
        assertThat(refused.get(0).get("status").asInt()).isEqualTo(422);
        assertThat(Api.errors(refused.get(0)))
                .anySatisfy(error -> assertThat(error).startsWith(fault));
        assertThat(send(api, worker, lease, report).expect(200).get("refused")).isEmpty();
    }

    /** A part of them would look like a whole with gaps. */
    @Test
    void timesOfMoreTilesThanAreKeptAreRefused(Api api) {
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = lease(api, worker);
        String many = "0,90," + "90,90,".repeat(TileTimes.MOST - 2);
        String most =
                json(api, worker, lease).replace("[0,40,45,90]", "[" + many.substring(0, many.length() - 1) + "]");
        JsonNode refused = send(api, worker, lease, most).expect(200).get("refused");
        assertThat(Api.errors(refused.get(0)))
                .containsExactly(
                        "/result/evidence/tileNs: must be null where there are more than 4096 tiles, got 4097");
        assertThat(send(api, worker, lease, most.replaceFirst("90,90,", ""))
                        .expect(200)
                        .get("refused"))
                .isEmpty();
    }

    /** Who asks for many trials reads them without. */
    @Test
    void timesOfSingleTilesAreOfOneTrialAlone(Api api, Service service) {
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        String job = api.submit(worker.device(), "random", 2, "640x384x256");
        Lease timed = worker.leaseOne();
        worker.complete(timed, 5000);
        Lease untimed = worker.leaseOne();
        String without = json(api, worker, untimed).replaceAll("\"tileNs\":\\[.*?]]", "\"tileNs\":null");
        assertThat(send(api, worker, untimed, without).expect(200).get("refused"))
                .isEmpty();
        JsonNode evidence = trial(api, timed).get("evidence");
        assertThat(evidence.get("tileNs").toString()).isEqualTo("[[0,40,45,90],[5,60],[9,61]]");
        assertThat(evidence.get("lastEndNs").toString()).isEqualTo("[90,60,61]");
        assertThat(trial(api, untimed).get("evidence").has("tileNs")).isFalse();
        assertThat(service.jdbc()
                        .sql("select count(*) from trial where tile_ns is null and evidence is not null")
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);
        JsonNode result = api.get("/api/v1/jobs/" + job + "/result").expect(200);
        assertThat(result.get("studies").get(0).get("trials"))
                .hasSize(2)
                .allSatisfy(trial -> assertThat(trial.get("evidence").propertyNames())
                        .contains("lastEndNs")
                        .doesNotContain("tileNs"));
    }

    @Test
    void ratesAreComputedFromTimeAndShape(Api api, Service service) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease lease = lease(api, worker);
        worker.complete(lease, 5000);
        double tflops = FLOPS / 5000 / 1e3;
        assertThat(service.jdbc()
                        .sql("select tflops from measurement")
                        .query(Double.class)
                        .single())
                .isCloseTo(tflops, within(1e-9));
        JsonNode trial = trial(api, lease);
        assertThat(trial.get("tflops").asDouble()).isCloseTo(tflops, within(1e-9));
        assertThat(trial.get("measurements").get(0).get("tflops").asDouble()).isCloseTo(tflops, within(1e-9));
    }

    private static JsonNode trial(Api api, Lease lease) {
        return api.get("/api/v1/trials/" + ((Work.Screen) lease.work()).trialId())
                .expect(200);
    }

    @Test
    void whatIsFasterThanTheGpuIsImplausibleAndServedNowhere(Api api, Service service) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        String job = api.submit("simulated:h200", "random", 2, "640x384x256");
        // An H200 has 132 * 4096 * 1.98 GHz = 1070.5 TFLOP/s.
        Lease fast = worker.leaseOne();
        worker.complete(fast, FLOPS / 1071e3);
        Lease honest = worker.leaseOne();
        worker.complete(honest, FLOPS / 1070e3);

        JsonNode trial = trial(api, fast);
        assertThat(trial.get("outcome").asString()).isEqualTo("implausible");
        assertThat(trial.get("tflops").isNull()).isTrue();
        assertThat(trial.get("log").asString())
                .startsWith("not believed: ")
                .endsWith("1071.0 TFLOP/s, and h200 does 1070.5 at the most");
        assertThat(trial.get("measurements")).as("kept as evidence").hasSize(1);
        JsonNode study = api.result(job).get("studies").get(0);
        assertThat(study.get("counts").get("completed").asInt()).isEqualTo(1);
        assertThat(study.get("best").get("id")).isEqualTo(trial(api, honest).get("id"));
        assertThat(service.jdbc()
                        .sql("select count(*) from v_trial where tflops > 1070.6")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    @Test
    void anOutcomeThatIsNotCompletedDoesNotHideAnImplausibleTime(Api api) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease lease = lease(api, worker);
        Report.Screened noise = new Report.Screened(
                lease.fence(), worker.completed(lease, 1).result().endedBy(TrialOutcome.NOISE, ""));
        worker.report(lease, noise).taken();
        assertThat(trial(api, lease).get("outcome").asString()).isEqualTo("implausible");
        assertThat(trial(api, lease).get("tflops").isNull()).isTrue();
    }

    @Test
    void aGpuThatNobodyKnowsIsBelievedMore(Api api) {
        api.submit("cuda", "random", 2, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.smallCuda(api, 200);
        Lease lease = worker.leaseOne();
        worker.complete(lease, FLOPS / 5_000e3);
        assertThat(trial(api, lease).get("outcome").asString()).isEqualTo("completed");
        Lease impossible = worker.leaseOne();
        worker.complete(impossible, FLOPS / 50_000e3);
        assertThat(trial(api, impossible).get("outcome").asString()).isEqualTo("implausible");
    }
}
