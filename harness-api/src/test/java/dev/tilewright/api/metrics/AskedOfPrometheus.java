package dev.tilewright.api.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every query of the dashboards and every alert rule. */
final class AskedOfPrometheus {

    private static final Path DASHBOARDS = Path.of("../dashboards");

    private AskedOfPrometheus() {}

    static List<DashboardSelectors.Expression> panels() throws IOException {
        List<DashboardSelectors.Expression> panels = new ArrayList<>();
        try (Stream<Path> files = Files.list(DASHBOARDS.resolve("generated"))) {
            for (Path file : files.sorted().toList()) {
                for (JsonNode panel :
                        JsonMapper.shared().readTree(Files.readString(file)).get("panels")) {
                    for (JsonNode target : panel.get("targets")) {
                        if (target.has("expr")) {
                            panels.add(new DashboardSelectors.Expression(
                                    panel.get("title").asString(),
                                    target.get("expr").asString(),
                                    target.get("legendFormat").asString()));
                        }
                    }
                }
            }
        }
        return panels;
    }

    static List<DashboardSelectors.Expression> alerts() throws IOException {
        return alerts(Files.readString(DASHBOARDS.resolve("prometheus/rules.yml")));
    }

    /** @param rules a file of alert rules */
    static List<DashboardSelectors.Expression> alerts(String rules) {
        List<DashboardSelectors.Expression> alerts = new ArrayList<>();
        Map<?, ?> file = new Yaml().load(rules);
        for (Object group : (List<?>) file.get("groups")) {
            for (Object rule : (List<?>) ((Map<?, ?>) group).get("rules")) {
                Map<?, ?> alert = (Map<?, ?>) rule;
                alerts.add(new DashboardSelectors.Expression(
                        alert.get("alert").toString(),
                        alert.get("expr").toString(),
                        alert.get("annotations").toString()));
            }
        }
        return alerts;
    }
}
