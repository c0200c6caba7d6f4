package dev.tilewright.api.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What dashboards and alert rules ask of Prometheus is what the service says. */
final class DashboardSelectors {

    private static final Path DASHBOARDS = Path.of("../dashboards");
    private static final Pattern METRIC =
            Pattern.compile("\\b((?:tilewright|http_server_requests)_[a-z_]+)(?:\\{([^}]*)})?");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(!?=~?)\\s*\"([^\"]*)\"");

    /** One time series of a scrape. */
    private record Series(String name, Map<String, String> labels) {

        static Series parse(String line) {
            Matcher metric = METRIC.matcher(line);
            assertThat(metric.lookingAt()).as(line).isTrue();
            Map<String, String> labels = new HashMap<>();
            if (metric.group(2) != null) {
                LABEL.matcher(metric.group(2)).results().forEach(label -> labels.put(label.group(1), label.group(3)));
            }
            return new Series(metric.group(1), labels);
        }

        /** Whether a selector of PromQL with {@code =} and {@code !=} could be about this series. */
        boolean answers(MatchResult selector) {
            return name.equals(selector.group(1))
                    && (selector.group(2) == null
                            || LABEL.matcher(selector.group(2))
                                    .results()
                                    .allMatch(label -> label.group(2).equals("=")
                                            ? label.group(3).equals(labels.get(label.group(1)))
                                            : labels.containsKey(label.group(1))));
        }
    }

    private DashboardSelectors() {}

    /** @param scrape of a service that has done a little of everything */
    static void assertFoundIn(String scrape) throws IOException {
        List<Series> scraped = series(scrape);
        List<MatchResult> selectors = expressions().stream()
                .flatMap(expression -> METRIC.matcher(expression).results())
                .toList();
        assertThat(selectors)
                .extracting(selector -> selector.group(1))
                .contains(
                        "tilewright_trials",
                        "tilewright_leases_ended_total",
                        "tilewright_trials_finished_total",
                        "http_server_requests_seconds_count");
        assertThat(selectors)
                .allSatisfy(selector ->
                        assertThat(scraped).as(selector.group()).anyMatch(series -> series.answers(selector)));
    }

    private static List<Series> series(String scrape) {
        return scrape.lines()
                .filter(line -> METRIC.matcher(line).lookingAt())
                .map(Series::parse)
                .toList();
    }

    private static List<String> expressions() throws IOException {
        JsonMapper json = JsonMapper.builder().build();
        List<String> expressions = new ArrayList<>();
        try (Stream<Path> files = Files.list(DASHBOARDS.resolve("generated"))) {
            for (Path file : files.toList()) {
                for (JsonNode expression : json.readTree(Files.readString(file)).findValues("expr")) {
                    expressions.add(expression.asString());
                }
            }
        }
        Files.readAllLines(DASHBOARDS.resolve("prometheus/rules.yml")).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("expr:"))
                .forEach(expressions::add);
        return expressions;
    }
}
