package dev.tilewright.api.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tilewright.api.platform.http.MalformedRequests.Malformed;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.testing.Selection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Malformed requests over all of {@code openapi.json}: each is refused in words, and nothing is changed. The seed is
 * drawn anew and printed; {@code -Ddraws.seed=N} draws the same again.
 */
@ExtendWith(RunningService.class)
class MalformedRequestsTest {

    /** So often is looked whether anything was changed. */
    private static final int BATCH = 50;
    /** Others would say the same again. */
    private static final int MOST_FAILURES = 20;

    private static final Pattern TRACE = Pattern.compile(
            "\\tat |Exception|\\bjava\\.|jakarta\\.|org\\.(springframework|apache|postgresql)|tools\\.jackson");
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}&&[^\\r\\n\\t]]");

    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        root.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        root.detachAppender(log);
    }

    @Test
    void aSampleIsRefusedAndChangesNothing(Api api, Service service) throws IOException {
        refuse(400, api, service);
    }

    @Test
    @Tag("full")
    void twentyThousandAreRefusedAndChangeNothing(Api api, Service service) throws IOException {
        refuse(20_000, api, service);
    }

    private void refuse(int count, Api api, Service service) throws IOException {
        long seed = Selection.seed();
        String drawn = "malformed requests: -Ddraws.seed=" + seed;
        System.out.println(drawn);
        MalformedRequests requests =
                new MalformedRequests(api.get("/v3/api-docs").expect(200), rows(api), new SplittableRandom(seed));
        RawHttp http = new RawHttp(api.uri("/").getPort());
        Map<String, String> before = StoredContents.of(service.jdbc());
        Map<Integer, Integer> statuses = new TreeMap<>();
        List<String> failures = new ArrayList<>();
        List<Malformed> batch = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            Malformed request = requests.next();
            batch.add(request);
            RawHttp.Answer answer = http.ask(request.bytes());
            statuses.merge(answer.status(), 1, Integer::sum);
            List<String> wrong = faults(answer, api);
            if (!wrong.isEmpty() && failures.size() < MOST_FAILURES) {
                failures.add(
                        "request " + i + ": " + wrong + "\n" + request + "\n" + answer.head() + "\n" + answer.body());
            }
            if (i % BATCH == 0 || i == count) {
                assertThat(StoredContents.of(service.jdbc()))
                        .as("%s, one of the last %d requests up to %d: %s", drawn, batch.size(), i, batch)
                        .isEqualTo(before);
                batch.clear();
            }
        }
        System.out.println("malformed requests: statuses " + statuses);
        assertThat(failures).as(drawn).isEmpty();
        assertThat(statuses.keySet()).as("many ways were tried").contains(400, 403, 404, 405, 415, 422);
    }

    /** A queued job, one at work, and a worker with leases: what passes would change one of them. */
    private static List<String> rows(Api api) {
        String queued = api.submit("cuda", "random", 8, "640x384x256");
        String running = api.submit("simulated:h200", "random", 8, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        String lease = worker.leaseOne().leaseId().toString();
        String study = api.job(running).get("studies").get(0).get("id").asString();
        String trial = api.get("/api/v1/studies/" + study + "/trials")
                .expect(200)
                .at("/items/0/id")
                .asString();
        return List.of(queued, running, worker.id().toString(), lease, study, trial);
    }

    private List<String> faults(RawHttp.Answer answer, Api api) {
        List<String> faults = new ArrayList<>();
        int status = answer.status();
        if (!(status >= 400 && status < 500 || status == 501 || status == 505)) {
            faults.add("status " + status);
        }
        if (TRACE.matcher(answer.body()).find()
                || CONTROL.matcher(answer.body()).find()) {
            faults.add("a trace or a control character in the body");
        }
        if (!answer.body().isEmpty()) {
            JsonNode problem = api.mapper().readTree(answer.body());
            if (!answer.head().contains("application/problem+json")
                    || problem.path("status").asInt(0) != status
                    || problem.path("detail").asString("").isBlank()) {
                faults.add("no problem document");
            }
        }
        log.list.stream()
                .filter(line ->
                        line.getThrowableProxy() != null || line.getLevel().isGreaterOrEqual(Level.ERROR))
                .forEach(line -> faults.add("log: " + line + " "
                        + (line.getThrowableProxy() == null
                                ? ""
                                : line.getThrowableProxy().getClassName()
                                        + line.getThrowableProxy().getMessage())));
        log.list.clear();
        return faults;
    }
}
