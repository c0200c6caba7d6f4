package dev.tilewright.api.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.gate.GateAnswers;
import dev.tilewright.api.gate.GateScript;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.StoredResult;
import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult.CheckedText;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.simulator.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/**
 * What people do with the pages, in a real browser. With {@code -Dpages.every-look=true} pictures of all of them are in
 * {@code target/screenshots}.
 */
@ExtendWith(RunningService.class)
class PagesInBrowserTest {

    private static final String TOKEN = "the-token-of-the-operator";

    private static Browser browser;

    @BeforeAll
    static void start(Api api) {
        browser = new Browser(api.uri("").toString());
    }

    @AfterAll
    static void stop() {
        browser.close();
    }

    @AfterEach
    void leave() {
        browser.leave();
    }

    /** A page as it must be, with its pictures. */
    private static void looksRight(String name) throws IOException {
        browser.expectUsable();
        browser.keep(name);
        browser.expectQuiet();
    }

    @Test
    void aJobIsSubmittedAndWatchedItsWinnerOpenedItsSchedulersCompared(Api api) throws IOException {
        Simulator model = Simulator.of(SimulatedGpus.named("h200"));
        ScriptedWorker worker =
                new ScriptedWorker(api, UUID.randomUUID(), "simulated:h200", model.testbed()).register();
        browser.open("/");
        browser.fill("#shapes", "5000x1400x1024\n640x384x0");
        browser.click("main form button.main");
        browser.awaitText("The job was not submitted", "k must be at least 1, got 0");
        browser.forgetConsole();
        looksRight("jobs-refused");

        browser.fill("#shapes", "5000x1400x1024");
        browser.fill("#family", "bundle:nope");
        browser.click("main form button.main");
        browser.awaitText("Family: there is no bundle:nope");
        browser.fill("#family", "");
        browser.fill("#peers", "bundle:nope");
        browser.click("main form button.main");
        browser.awaitText("Peers: run in finals, and auto runs none", "Peers: there is no bundle:nope");
        browser.forgetConsole();

        browser.fill("#peers", "");
        browser.fill("#trials", "24");
        browser.fill("#name", "a night's run");
        browser.click("main form button.main");
        browser.await("main .tag", "queued");
        assertThat(browser.path()).startsWith("/studies/");
        String study = browser.path();
        List<Lease> leases = worker.lease(8);
        Lease spilled = leases.getLast();
        worker.report(spilled, TrialReports.spilled(spilled)).taken();
        leases.subList(0, 7)
                .forEach(lease -> worker.report(lease, TrialReports.withText(ScriptedWorker.predicted(model, lease)))
                        .taken());
        // Nobody loads the page again: it asks by itself.
        browser.await("#progress", "8 of at most 24 trials");
        browser.await("main", "Nobody measured these numbers: the model h200");
        looksRight("study-running");

        browser.open("/");
        browser.await("#jobs", "a night's run");
        assertThat(browser.all("tr .tag.simulated")).isNotEmpty();
        looksRight("jobs");

        browser.open(study);
        worker.workOff((lease, _) -> TrialReports.withText(ScriptedWorker.predicted(model, lease)));
        browser.await("#progress .tag", "finished");
        browser.await("main", "What each parameter does");
        assertThat(browser.find(".copy code").getText())
                .startsWith("tilewright tune --shape 5000x1400x1024 --config 'sm90-gemm ")
                .endsWith(" --device simulated:h200");
        theBoardIsSortedAndFiltered();
        browser.await("#over-trials-says", "Of 23 trials the first ran at");
        browser.await("#over-trials-says", "after the study began; the last trial ended after");
        browser.await("#parallel-says", "; the best has ");
        looksRight("study-simulated");

        browser.clickText("Compare schedulers");
        browser.await("h1", "Tile schedulers side by side");
        assertThat(browser.all(".card h3")).extracting(card -> card.getText()).contains("static", "atomic", "single");
        assertThat(browser.find(".lead").getText()).startsWith("the scheduler is worth, same config: ");
        looksRight("schedulers-simulated");

        browser.open(study);
        browser.click("#winner");
        browser.await("h1", "128");
        browser.awaitText("Who computed what, and when", "This trial", "Config in words");
        browser.awaitText("idle at the end", "The same as a table");
        aTileIsNamedByPointerAndKeys();
        assertThat(browser.all(".card.twin h3"))
                .extracting(twin -> twin.getText())
                .doesNotContain(api.get("/api/v1" + browser.path())
                        .expect(200)
                        .get("config")
                        .get("scheduler")
                        .asString())
                .isNotEmpty()
                .allSatisfy(scheduler -> assertThat(
                                browser.all("svg[aria-label^='Tiles per SM under " + scheduler + ": ']"))
                        .hasSize(1));
        assertThat(browser.find(".card.twin").getText()).containsPattern("[0-9.]+ .s.*, [0-9.]+ TFLOP/s.*; this one");
        browser.unfold("load");
        browser.await("details[open] pre", "//@ role load");
        looksRight("trial-simulated");

        browser.open("/trials/" + ((Work.Screen) spilled.work()).trialId());
        browser.await(".tag.failed", "spill");
        browser.awaitText("36 bytes spill stores", "What its time went to", "1.45 s", "3.2 ms", "Spilled", "72 bytes");
        looksRight("trial-spill");

        browser.open("/predict");
        browser.fill("#shape", "2048x1024x");
        browser.await("#picks .error", "a shape is MxNxK");
        browser.fill("#shape", "2048x1024x768");
        browser.await("#picks table", "TFLOP/s");
        looksRight("predict");
    }

    /** A click on a column turns its order, the filter leaves rows with all its words. */
    private static void theBoardIsSortedAndFiltered() {
        String first = browser.find("#board tbody tr td").getText();
        browser.click("#board thead th:nth-child(3) button");
        browser.click("#board thead th:nth-child(3) button");
        browser.await("#board thead th[aria-sort='descending']", "us");
        assertThat(browser.find("#board tbody tr td").getText()).isNotEqualTo(first);
        browser.fill("#filter-text", "atomic");
        browser.await("#filter output", " rows");
        assertThat(browser.all("#board tbody tr:not([hidden]) th"))
                .isNotEmpty()
                .allSatisfy(config -> assertThat(config.getText()).contains("atomic"));
        browser.run("const filter = document.querySelector('#filter-text'); filter.value = '';"
                + " filter.dispatchEvent(new Event('input', {bubbles: true}))");
        assertThat(browser.all("#board tbody tr[hidden]")).isEmpty();
        browser.click("#board thead th button");
    }

    /** By the keys from the first tile to the second, by the mouse to another map, which has the same axis of time. */
    private static void aTileIsNamedByPointerAndKeys() {
        browser.await("canvas[data-drawn]", "");
        browser.run("document.querySelector('canvas[data-map]').focus()");
        browser.press(Keys.ARROW_RIGHT);
        browser.await("output", "Occupancy of the SMs, SM 0: tile 1 of ");
        browser.press(Keys.ARROW_DOWN, "+");
        browser.await("output", "Occupancy of the SMs, SM 1: tile 1 of ");
        String last = "[...document.querySelectorAll('canvas[data-map]')].at(-1)";
        browser.run(
                "const box = %s.getBoundingClientRect(); %s.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + 60, clientY: box.top + 20}))"
                        .formatted(last, last));
        browser.await("output", "Occupancy of the SMs under ");
        browser.click("[data-zoom='0']");
    }

    /** As docs/concepts.md shows them. Of a GPU with busy SMs who deals tiles beforehand waits for the last of them. */
    @Test
    void theFourSchedulersAreSeenSideBySide(Api api) throws IOException {
        Simulator model = Simulator.of(SimulatedGpus.named("b200"));
        ScriptedWorker worker =
                new ScriptedWorker(api, UUID.randomUUID(), "simulated:b200", model.testbed()).register();
        String job = api.post("/api/v1/jobs", """
                        {"problems":[{"m":4096,"n":7168,"k":2048,"scenario":{"busySms":16}}],"device":"simulated:b200",
                        "parameters":{"tileM":[256],"tileN":[256],"tileK":[64],"ctaGroup":[2],"clusterM":[2],"clusterN":[2],
                        "loadStages":[5],"rasterOrder":["alongN"]},"budget":{"trials":40},"seed":3}""").expect(202).get("id").asString();
        worker.workOff((lease, _) -> ScriptedWorker.predicted(model, lease));
        browser.open("/studies/" + api.job(job).get("studies").get(0).get("id").asString() + "/schedulers");
        browser.await("h1", "Tile schedulers side by side");
        assertThat(browser.all(".card h3"))
                .extracting(card -> card.getText())
                .containsExactlyInAnyOrder("single", "static", "atomic", "clc");
        assertThat(browser.all(".card.winner h3"))
                .extracting(card -> card.getText())
                .doesNotContain("static");
        assertThat(browser.find(".lead").getText()).startsWith("the scheduler is worth, same config: ");
        browser.awaitText("Each is the same config but for its scheduler");
        looksRight("schedulers-b200");
        browser.keepForDocs("schedulers.png", ".cards");

        String over = api.post("/api/v1/jobs", """
                        {"problems":[{"m":4096,"n":7168,"k":2048},{"m":4096,"n":7168,"k":2048,"scenario":{"busySms":64}}],
                        "device":"simulated:b200","eachScheduler":true,"parameters":{"tileM":[256],"tileN":[256],"tileK":[64],
                        "ctaGroup":[2],"clusterM":[2],"clusterN":[2],"loadStages":[5],"rasterOrder":["alongN"]},
                        "budget":{"trials":8},"seed":3}""").expect(202).get("id").asString();
        worker.workOff((lease, _) -> ScriptedWorker.predicted(model, lease));
        browser.open("/jobs/" + over);
        browser.clickText("Tile schedulers over busy SMs");
        browser.await("h1", "Tile schedulers over busy SMs");
        assertThat(browser.all("[aria-label^='Times of the schedulers'] tbody tr"))
                .hasSize(2);
        assertThat(browser.find(".lead").getText()).contains(" leads ", " busy SMs");
        assertThat(browser.all("#maps canvas[data-map]")).hasSize(4);
        browser.click("#maps [data-busy='0']");
        browser.await("#maps h2", "at 0 busy SMs");
        looksRight("schedulers-over-busy-sms");
    }

    /** From the first key on: past the pages to the form, through its fields, and off. */
    @Test
    void aJobIsSubmittedWithTheKeyboardAlone(Api api) {
        ScriptedWorker.simulated(api);
        browser.open("/");
        browser.press(Keys.TAB);
        assertThat(browser.focused().getText()).isEqualTo("Skip to the content");
        assertThat(browser.focused().getRect().x)
                .as("it is seen once it has the focus")
                .isNotNegative();
        browser.press(Keys.ENTER);
        browser.press(Keys.TAB);
        assertThat(browser.focused().getText()).isEqualTo("Tune problem shapes");
        assertThat(browser.find("#shapes").isDisplayed()).isTrue();
        browser.press(Keys.ENTER);
        assertThat(browser.find("#shapes").isDisplayed()).isFalse();
        browser.press(Keys.SPACE);
        browser.press(Keys.TAB);
        assertThat(browser.focused().getDomAttribute("id")).isEqualTo("shapes");
        browser.press("640x384x256");
        browser.tabTo("#trials");
        browser.press("8");
        browser.tabTo("#name");
        browser.press("by hand", Keys.ENTER);
        browser.await("h1", "640x384x256 bf16");
        assertThat(browser.path()).startsWith("/studies/");
        assertThat(api.get("/api/v1/jobs")
                        .expect(200)
                        .get("items")
                        .get(0)
                        .get("name")
                        .asString())
                .isEqualTo("by hand");
        browser.expectQuiet();
    }

    @Test
    void aJobIsCancelledAndTunedAgain(Api api) throws IOException {
        ScriptedWorker.simulated(api);
        String job = api.submit("simulated:h200", "random", 8, "640x384x256", "64x128x256");
        browser.open("/jobs/" + job);
        browser.awaitText("640x384x256 bf16", "64x128x256 bf16");
        looksRight("job");
        browser.click("main form button");
        browser.await("#studies .tag", "cancelled");
        browser.clickText("640x384x256 bf16");
        browser.click("form[action$='/again'] button");
        browser.await("h1", "640x384x256 bf16");
        assertThat(api.get("/api/v1/jobs").expect(200).get("items")).hasSize(2);
        browser.click("form[action$='/cancel'] button");
        browser.await("#progress .tag", "cancelled");
        assertThat(browser.all("form[action$='/cancel']")).isEmpty();
        browser.expectQuiet();
    }

    /** A final needs a GPU: these were run on an H200. */
    @Test
    void measuredFinalsAreShownWithTheirIntervals(Api api, RunningService.Service service) throws IOException {
        StoredResult results = new StoredResult(service);
        String study = results.store("h200/in-teams/5616x1400x4584.columns");
        for (String more : List.of("4096x4096x4096", "8192x8192x512")) {
            results.store("h200/in-teams/" + more + ".columns");
        }
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        gpu.register(new DeviceOffer(
                        gpu.device(),
                        gpu.testbed(),
                        List.of(
                                new DeviceOffer.Deal(1, 0, 1, 0, 0, 0),
                                new DeviceOffer.Deal(2, 0, 8, 8, 2, 1),
                                new DeviceOffer.Deal(4, 0, 8, 4, 0, 0))))
                .expect(200);
        browser.open("/studies/" + study);
        browser.awaitText(
                "616.0 TFLOP/s",
                "117.0 µs",
                "0.991 [0.987, 0.995] of the best peer, cublaslt algorithm=gemmEx",
                "rows are ranked by stage: final before contend before screen");
        assertThat(browser.text()).doesNotContain("imulated");
        looksRight("study-h200");
        browser.keepForDocs("study.png");
        browser.open("/studies/" + study + "/schedulers");
        assertThat(browser.find(".lead").getText()).startsWith("the scheduler is worth, same config: static ");
        browser.awaitText("compared by their screen");
        assertThat(browser.all(".card"))
                .as("the rate of the final is beside no screen")
                .extracting(card -> card.getText())
                .isNotEmpty()
                .noneMatch(text -> text.contains("616.0"));
        looksRight("schedulers-h200");
        browser.open("/studies/" + study);
        browser.click("#winner");
        browser.await("h1", "static");
        browser.awaitText("MHz", "°C", " W", "Registers of a thread");
        looksRight("trial-h200");
        browser.open("/shapes");
        assertThat(browser.all("td.heat")).hasSizeGreaterThanOrEqualTo(9);
        assertThat(browser.all("td.behind")).isNotEmpty();
        looksRight("shapes");
        browser.open("/workers");
        browser.await("#workers", "NVIDIA H200");
        browser.await("#workers", "of 2: 8 GPCs × 8, then 2 × 1");
        looksRight("workers");
    }

    /** A branch that became slower once, a failure that somebody accepted, and a run on a model. */
    @Test
    void theRunsOfAGateAreReadFromItsTrendToTheBlocksOfACase(Api api, RunningService.Service service)
            throws IOException {
        browser.open("/gates");
        browser.awaitText("No gate has run yet");
        looksRight("gates-none");
        GateScript gate = new GateScript(api, service);
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        for (int i = 0; i < 20; i++) {
            double percent = i < 10 ? 0 : 0.8;
            // Another seed, other noise.
            api.post(
                            GateScript.GATE + "/runs",
                            GateScript.body(
                                            ",\"branch\":\"main\",\"commit\":\"%08x\"".formatted(0x4f1c2aa + 7919 * i),
                                            GateScript.gateCase("square"))
                                    .replace("\"seed\":7", "\"seed\":" + (2 * i + 1)))
                    .expect(202);
            gate.workOff(gpu, task -> answer(task, percent));
        }
        String failed = gate.submit(
                ",\"branch\":\"main\",\"commit\":\"bad0c0de\"",
                GateScript.gateCase("square"),
                GateScript.gateCase("tall"));
        gate.workOff(gpu, task -> answer(task, 3));
        String module = gate.finished(failed)
                .get("cases")
                .get(0)
                .get("candidate")
                .get("cubinHash")
                .asString();
        api.post(GateScript.GATE + "/waivers", """
                {"case":"square","cubinHash":"%s","reason":"pays for the new epilogue","expiresAt":"%s"}""".formatted(
                                module, service.clock().instant().plus(Duration.ofDays(30))))
                .expect(201);
        gate.submit(",\"branch\":\"topic\",\"device\":\"simulated:h200\"", GateScript.gateCase("square"));

        browser.open("/gates");
        browser.awaitText("gemm", "simulated:h200");
        assertThat(browser.all("tr .tag.simulated")).hasSize(1);
        browser.clickText("gemm");
        browser.await("h1", "Gate gemm");
        browser.awaitText(
                "pays for the new epilogue",
                "(anybody)",
                "bad0c0de",
                "Where the effect of a case has changed for good",
                "04f2f800");
        browser.await("#trend-says", "the newest of ");
        looksRight("gate");
        browser.clickText("bad0c0de");
        browser.await("h1", "Run of commit");
        browser.awaitText("Sentinels", "in a second process", "a slowdown of ");
        assertThat(browser.text()).containsPattern("\\+(2\\.9|3\\.0)\\d % \\[\\+2\\.");
        looksRight("gate-run-failed");
        browser.clickText("square");
        browser.await("h1", "Case square");
        browser.awaitText("Blocks", "fails above 1.00 %", "candidate", "baseline");
        browser.await("#blocks-says", "The candidate takes longer by +");
        // As many as the table below it counts: the rule needs no more of the 40 that were timed.
        browser.await("#blocks-says", "Counted: 20 of 40 blocks of process 1, 10 of 40 blocks of process 2;");
        assertThat(browser.find("table tbody td:nth-child(4)").getText()).isEqualTo("20");
        browser.click("details.panel summary");
        looksRight("gate-case");
        browser.fill("#reason", "until the scheduler is back");
        browser.run("document.querySelector('#expires').value = '2026-12-24'");
        browser.click("details.panel form button");
        browser.await("h1", "Gate gemm");
        browser.awaitText("until the scheduler is back");
        browser.click("form[action$='/take-back'] button");
        browser.await("h1", "Gate gemm");
        browser.awaitGone("until the scheduler is back");

        browser.click("#schedule summary");
        browser.fill("#when", "never");
        browser.click("#schedule button");
        browser.awaitText("The gate was not scheduled", "got 'never'");
        browser.forgetConsole();
        looksRight("gate-schedule-refused");
        browser.fill("#when", "DAILY|03:00");
        browser.click("#schedule button");
        browser.await("dl.facts", "DAILY|03:00");
        browser.open("/gates");
        browser.awaitText("Schedules", "DAILY|03:00", "simulated:h200");
        looksRight("gates");
        browser.clickText("gemm");
        browser.await("dl.facts", "DAILY|03:00");
        browser.click("form[action$='/schedule/end'] button");
        browser.await("h1", "Gates");
        assertThat(browser.text()).doesNotContain("DAILY|03:00");

        browser.open("/gates/gemm?branch=topic");
        browser.click("tbody th a");
        browser.await("main", "Nothing was measured");
        assertThat(browser.all(".tag.simulated")).isNotEmpty();
        looksRight("gate-run-simulated");
    }

    /** The example of the documentation with a fence deleted; what a worker says of it, this worker says. */
    @Test
    void aKernelIsPastedAndItsFindingRead(Api api) throws IOException {
        browser.open("/check");
        browser.awaitText("No worker offers an emulated GPU");
        looksRight("check-nobody");
        ScriptedWorker emulator = ScriptedWorker.emulated(api);
        browser.open("/check");
        browser.paste("#ptx", Files.readString(Path.of("../docs/examples/check/sm90-gemm-no-fence.ptx")));
        browser.paste("#launch", Files.readString(Path.of("../docs/examples/check/sm90-gemm-no-fence.yaml")));
        browser.fill("#seeds", "33");
        browser.run("document.querySelector('form.paste').noValidate = true");
        browser.click("form.paste button");
        browser.awaitText("Runs: must be from 1 to 32, got 33", "The text was not taken");
        browser.forgetConsole();
        looksRight("check-refused");
        browser.fill("#seeds", "5");
        browser.click("form.paste button");
        browser.await("#progress .tag", "queued");
        looksRight("check-waits");
        Lease lease = emulator.leaseOne();
        browser.await("#progress .tag", "leased");
        CheckedText found = api.mapper().readValue(getClass().getResourceAsStream("no-fence.json"), CheckedText.class);
        emulator.report(lease, new Report.Ran(lease.fence(), found)).taken();
        browser.await("#progress .tag", "hazard");
        assertThat(browser.find(".finding").getText())
                .contains(found.hazards().getFirst().rule(), "warp", "line")
                .contains(found.hazards().getFirst().excerpt().getFirst().strip());
        looksRight("check-finding");
        browser.keepForDocs("check.png");
    }

    private static Compared answer(GpuTask.Compare task, double percent) {
        return task.measureEqual() ? GateAnswers.asAsked(task) : GateAnswers.slower(task, percent);
    }

    @Test
    void aRunIsWatchedAndCancelled(Api api, RunningService.Service service) {
        String run = new GateScript(api, service).submit("", GateScript.gateCase("square"));
        browser.open("/gate-runs/" + run);
        assertThat(browser.find("#progress .tag").getText()).isEqualTo("queued");
        browser.click("main form button");
        browser.await("#progress .tag", "cancelled");
        browser.expectQuiet();
    }

    @Test
    void whoHasATokenLogsInAndOut() throws IOException {
        try (RunningService.Service guarded =
                RunningService.start(Map.of("tilewright.user-token", TOKEN, "db-scheduler.enabled", "false"))) {
            Browser visitor = browser.at(guarded.api().uri("").toString());
            visitor.open("/shapes");
            visitor.awaitText("Log in");
            visitor.forgetConsole();
            visitor.expectUsable();
            visitor.keep("login");
            visitor.fill("#token", "wrong");
            visitor.click("main form button");
            visitor.await("main", "This token is not known here");
            visitor.forgetConsole();
            visitor.fill("#token", TOKEN);
            visitor.click("main form button");
            visitor.await("h1", "Best configs by shape");
            assertThat(visitor.run("return document.cookie"))
                    .as("what a script sees")
                    .isEqualTo("");
            visitor.clickText("Jobs");
            visitor.await("h1", "Jobs");
            visitor.expectQuiet();
            visitor.click("header form button");
            visitor.await("h1", "Log in");
            visitor.expectQuiet();
            visitor.open("/");
            visitor.awaitText("Log in");
            visitor.leave();
        }
    }

    @Test
    void aPageThatIsNotThereSaysSo() throws IOException {
        browser.open("/nope");
        browser.awaitText("404");
        browser.forgetConsole();
        looksRight("problem");
    }
}
