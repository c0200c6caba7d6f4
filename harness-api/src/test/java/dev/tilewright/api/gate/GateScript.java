package dev.tilewright.api.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** A gate that is asked for, driven and answered step by step. */
public record GateScript(Api api, Service service) {

    public static final String GATE = "/api/v1/gates/gemm";

    static final String FIRST = "{\"scheduler\":\"static\",\"tileM\":128,\"tileN\":64,\"rasterGroup\":1}";
    static final String SECOND = "{\"scheduler\":\"static\",\"tileM\":64,\"tileN\":128,\"rasterGroup\":2}";

    /** A case of the toy family: the second config beside the first. */
    public static String gateCase(String name) {
        return gateCase(
                name,
                "{\"family\":\"toy\",\"config\":" + SECOND + "}",
                "{\"kernel\":{\"family\":\"toy\",\"config\":" + FIRST + "}}");
    }

    static String gateCase(String name, String candidate, String baseline) {
        return """
                {"name":"%s","problem":{"m":640,"n":384,"k":256},"candidate":%s,"baseline":%s}""".formatted(name, candidate, baseline);
    }

    /** @param more properties, each with a comma in front */
    public static String body(String more, String... cases) {
        return "{\"seed\":7%s,\"cases\":[%s]}".formatted(more, String.join(",", cases));
    }

    public String submit(String more, String... cases) {
        return api.post(GATE + "/runs", body(more, cases)).expect(202).get("id").asString();
    }

    JsonNode run(String id) {
        return api.get("/api/v1/gate-runs/" + id).expect(200);
    }

    JsonNode only(String id) {
        return run(id).get("cases").get(0);
    }

    /** Has the service move all runs on. */
    void look() {
        service.bean(GateDriver.class).look();
    }

    /** What the GPU is asked. */
    static GpuTask.Compare task(Lease lease) {
        return (GpuTask.Compare) ((Work.Run) lease.work()).task();
    }

    /** Answers everything that the service asks a GPU for, until it asks for nothing more; returns what was asked. */
    public List<GpuTask.Compare> workOff(ScriptedWorker gpu, Function<GpuTask.Compare, Compared> answer) {
        List<GpuTask.Compare> asked = new ArrayList<>();
        look();
        for (List<Lease> leases = gpu.leaseNow(1); !leases.isEmpty(); leases = gpu.leaseNow(1)) {
            Lease lease = leases.getFirst();
            asked.add(task(lease));
            look();
            gpu.report(lease, new Report.Ran(lease.fence(), answer.apply(task(lease))))
                    .taken();
            look();
        }
        return asked;
    }

    /** The only lease that a GPU gets now. */
    Lease lease(ScriptedWorker gpu) {
        look();
        List<Lease> leases = gpu.leaseNow(1);
        assertThat(leases).hasSize(1);
        look();
        return leases.getFirst();
    }

    void report(ScriptedWorker gpu, Lease lease, Compared answer) {
        gpu.report(lease, new Report.Ran(lease.fence(), answer)).taken();
        look();
    }

    public JsonNode finished(String id) {
        JsonNode run = run(id);
        assertThat(run.get("state").asString()).as(run.toPrettyString()).isEqualTo("finished");
        return run;
    }

    static String path(UUID id) {
        return "/api/v1/gate-runs/" + id;
    }
}
