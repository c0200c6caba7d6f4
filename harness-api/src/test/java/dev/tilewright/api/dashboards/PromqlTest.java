package dev.tilewright.api.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * Prometheus can read every query of the dashboards, and every metric that they and the alert rules name is in
 * docs/operations.md, which MetricsTest holds to the service's own scrape.
 */
class PromqlTest {

    private static final Pattern METRIC = Pattern.compile("\\b(tilewright_\\w+)");

    @TempDir
    Path folder;

    private record Said(int code, String text) {}

    private static Said run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text.strip());
    }

    private static String promtool() throws IOException, InterruptedException {
        Said found = run(GeneratedDashboards.folder()
                .resolveSibling("packaging/promtool.sh")
                .toString());
        assertThat(found.code()).as(found.text()).isZero();
        return found.text();
    }

    /** Each query as a rule, which promtool parses. */
    private Said check(List<String> queries) throws IOException, InterruptedException {
        StringBuilder rules = new StringBuilder("groups:\n  - name: panels\n    rules:\n");
        for (int i = 0; i < queries.size(); i++) {
            rules.append("      - record: panel:")
                    .append(i)
                    .append("\n        expr: ")
                    .append(JsonMapper.shared()
                            .writeValueAsString(queries.get(i).replace("$__rate_interval", "5m")))
                    .append('\n');
        }
        Path file = Files.writeString(folder.resolve("panels.yml"), rules.toString());
        return run(promtool(), "check", "rules", file.toString());
    }

    @Test
    void prometheusReadsEveryQuery() throws Exception {
        List<String> queries = GeneratedDashboards.promql().stream()
                .map(GeneratedDashboards.Query::text)
                .toList();
        assertThat(queries).hasSizeGreaterThan(10);
        Said said = check(queries);
        assertThat(said.code()).as(said.text()).isZero();
        assertThat(said.text()).contains(queries.size() + " rules found");
        assertThat(check(List.of("sum by (x (y)")).code())
                .as("a query that is none")
                .isNotZero();
    }

    @Test
    void everyMetricIsOneOfTheDocumentation() throws IOException {
        String documentation = Files.readString(GeneratedDashboards.folder().resolveSibling("docs/operations.md"));
        StringBuilder all =
                new StringBuilder(Files.readString(GeneratedDashboards.folder().resolve("prometheus/rules.yml")));
        GeneratedDashboards.promql().forEach(query -> all.append('\n').append(query.text()));
        Matcher metric = METRIC.matcher(all);
        int found = 0;
        while (metric.find()) {
            found++;
            assertThat(documentation).contains("`" + metric.group(1).replaceAll("_(bucket|sum|count|max)$", "") + "`");
        }
        assertThat(found).isGreaterThan(10);
    }

    @Test
    void alertRulesDoWhatTheySay() throws Exception {
        Path prometheus = GeneratedDashboards.folder().resolve("prometheus");
        for (String[] command : List.of(
                new String[] {
                    promtool(),
                    "check",
                    "rules",
                    prometheus.resolve("rules.yml").toString()
                },
                new String[] {
                    promtool(),
                    "test",
                    "rules",
                    prometheus.resolve("rules.test.yml").toString()
                })) {
            Said said = run(command);
            assertThat(said.code()).as(said.text()).isZero();
        }
    }
}
