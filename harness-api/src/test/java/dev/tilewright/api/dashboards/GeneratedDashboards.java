package dev.tilewright.api.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboards as Grafana reads them. */
public final class GeneratedDashboards {

    private static final String RESULTS = "grafana-postgresql-datasource";

    private GeneratedDashboards() {}

    /**
     * A query of a panel or a variable.
     *
     * @param shown the legend of what it finds; empty where it has none
     */
    public record Query(String dashboard, String name, String text, String shown) {}

    /** All SQL. */
    static List<Query> sql() throws IOException {
        List<Query> queries = new ArrayList<>();
        for (JsonNode dashboard : all()) {
            String uid = dashboard.get("uid").asString();
            for (JsonNode variable : dashboard.path("templating").path("list")) {
                if (variable.get("type").asString().equals("query")) {
                    queries.add(new Query(
                            uid,
                            "$" + variable.get("name").asString(),
                            variable.get("query").asString(),
                            ""));
                }
            }
            targets(dashboard, true, "rawSql", queries);
        }
        return queries;
    }

    /** All PromQL. */
    public static List<Query> promql() throws IOException {
        List<Query> queries = new ArrayList<>();
        for (JsonNode dashboard : all()) {
            targets(dashboard, false, "expr", queries);
        }
        return queries;
    }

    private static void targets(JsonNode dashboard, boolean results, String text, List<Query> queries) {
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.get("targets")) {
                if (target.get("datasource").get("type").asString().equals(RESULTS) == results) {
                    queries.add(new Query(
                            dashboard.get("uid").asString(),
                            panel.get("title").asString(),
                            target.get(text).asString(),
                            target.path("legendFormat").asString("")));
                }
            }
        }
    }

    static List<JsonNode> all() throws IOException {
        List<JsonNode> dashboards = new ArrayList<>();
        try (Stream<Path> found = Files.list(folder().resolve("generated"))) {
            for (Path file : found.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList()) {
                dashboards.add(JsonMapper.shared().readTree(Files.readString(file)));
            }
        }
        assertThat(dashboards).hasSizeGreaterThan(2);
        return dashboards;
    }

    /** {@code dashboards/}, two above when Maven runs the module, and below when the root is the working directory. */
    public static Path folder() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve("dashboards/generated"))) {
            folder = folder.getParent();
        }
        assertThat(folder)
                .as("a folder above %s with dashboards/generated", Path.of("").toAbsolutePath())
                .isNotNull();
        return Objects.requireNonNull(folder).resolve("dashboards");
    }
}
