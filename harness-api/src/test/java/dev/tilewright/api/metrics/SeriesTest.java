package dev.tilewright.api.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A series that is 0 whatever happens tells nobody anything, and somebody looks at it: after a study each series has
 * been something else once, but for those that stand here with the reason.
 */
class SeriesTest {

    private static final Pattern SAMPLE = Pattern.compile("(\\w+(?:\\{.*})?) (\\S+)");

    /** A series, and why a service whose work went well may have it at 0. */
    private static final Map<String, String> MAY_BE_ZERO = Map.ofEntries(
            Map.entry("\\w+_bucket\\{.*", "less than the fastest took, or more than was counted"),
            Map.entry(
                    "tilewright_leases_ended_total\\{.*ending=\"(expired|undelivered|refused|cancelled)\".*",
                    "an alert asks for their increase, and would not see the first"),
            Map.entry("dbscheduler_task_completions_total\\{.*result=\"failed\".*", "no background task failed"),
            Map.entry("logback_events_total\\{.*level=\"(warn|error)\".*", "nothing went wrong"),
            Map.entry("hikaricp_connections.*", "of the moment, in which a pool may be at rest, or of waiting in vain"),
            Map.entry("http_server_requests_active_seconds_.*", "of the moment, in which nothing else may be answered"),
            Map.entry("jvm_memory_used_bytes\\{.*Survivor.*", "of the moment: nothing survived the last collection"),
            Map.entry("jvm_threads_states_threads\\{.*state=\"blocked\".*", "of the moment"),
            Map.entry("jvm_(gc|memory_usage_after_gc|classes_unloaded).*", "of collections, which may not have come"),
            Map.entry("(process|system)_cpu_usage.*", "of the moment"));

    @Test
    void noneIsAlwaysZero() {
        try (RunningService.Service service = RunningService.start(Map.of())) {
            assertThat(zero(service)).isEmpty();
        }
    }

    private static Set<String> zero(RunningService.Service service) {
        Api api = service.api();
        Map<String, Double> highest = new TreeMap<>();
        look(api, highest);
        api.submit("simulated:h200", "random", 5, "640x384x256");
        api.post("/api/v1/comparisons", """
                {"problem":{"m":640,"n":384,"k":256},"device":"cuda",
                "first":{"peer":"cublaslt"},"second":{"peer":"cublaslt","algorithm":"1"}}""").expect(202);
        service.clock().advance(Duration.ofSeconds(2));
        look(api, highest);
        assertThat(ScriptedWorker.cuda(api, 0).lease(1)).hasSize(1);
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        List<Lease> held = worker.lease(2);
        service.clock().advance(Duration.ofSeconds(2));
        look(api, highest);
        held.forEach(lease -> worker.complete(lease, 1000));
        worker.workOff(1000, 1);
        look(api, highest);

        assertThat(highest.keySet())
                .anyMatch(series -> series.startsWith("tilewright_trials_finished_total{")
                        && series.contains("outcome=\"completed\"")
                        && series.contains("kind=\"simulated\""));
        Set<String> zero = new TreeSet<>();
        highest.forEach((series, value) -> {
            if (value == 0 && MAY_BE_ZERO.keySet().stream().noneMatch(series::matches)) {
                zero.add(series);
            }
        });
        return zero;
    }

    /** What is not a number is not known, which is something else. */
    private static void look(Api api, Map<String, Double> highest) {
        api.get("/actuator/prometheus")
                .text()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(SAMPLE::matcher)
                .filter(Matcher::matches)
                .forEach(line -> highest.merge(line.group(1), Math.abs(Double.parseDouble(line.group(2))), Math::max));
    }
}
