package dev.tilewright.api.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
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

    /** A series, and why a service whose study went well may have it at 0. */
    private static final Map<String, String> MAY_BE_ZERO = Map.ofEntries(
            Map.entry("\\w+_bucket\\{.*", "less than the fastest took, or more than was counted"),
            Map.entry(
                    "tilewright_leases_ended_total\\{.*ending=\"(expired|undelivered|refused|cancelled)\".*",
                    "an alert asks for their increase, and would not see the first"));

    @Test
    void noneIsAlwaysZero() throws InterruptedException {
        try (RunningService.Service service = RunningService.start(Map.of())) {
            assertThat(zero(service.api())).isEmpty();
        }
    }

    private static Set<String> zero(Api api) throws InterruptedException {
        Map<String, Double> highest = new TreeMap<>();
        look(api, highest);
        api.submit("simulated:h200", "random", 5, "640x384x256");
        look(api, highest);
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        List<Lease> held = worker.lease(2);
        Thread.sleep(1100);
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
