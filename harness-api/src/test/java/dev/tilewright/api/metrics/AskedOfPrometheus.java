package dev.tilewright.api.metrics;

import dev.tilewright.api.dashboards.GeneratedDashboards;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.Yaml;

/** Every query of the dashboards and every alert rule. */
final class AskedOfPrometheus {

    private AskedOfPrometheus() {}

    static List<DashboardSelectors.Expression> panels() throws IOException {
        return GeneratedDashboards.promql().stream()
                .map(query -> new DashboardSelectors.Expression(query.name(), query.text(), query.shown()))
                .toList();
    }

    static List<DashboardSelectors.Expression> alerts() throws IOException {
        return alerts(Files.readString(GeneratedDashboards.folder().resolve("prometheus/rules.yml")));
    }

    /** What an autoscaler of Kubernetes follows, as selectors. */
    static List<DashboardSelectors.Expression> scaling() throws IOException {
        Map<?, ?> scaler = new Yaml()
                .load(Files.readString(
                        GeneratedDashboards.folder().resolveSibling("packaging/kubernetes/scaling.yaml")));
        List<DashboardSelectors.Expression> followed = new ArrayList<>();
        for (Object metric : (List<?>) ((Map<?, ?>) scaler.get("spec")).get("metrics")) {
            Map<?, ?> external = (Map<?, ?>) ((Map<?, ?>) ((Map<?, ?>) metric).get("external")).get("metric");
            Map<?, ?> labels = (Map<?, ?>) ((Map<?, ?>) external.get("selector")).get("matchLabels");
            String selector = labels.entrySet().stream()
                    .map(label -> label.getKey() + "=\"" + label.getValue() + "\"")
                    .collect(Collectors.joining(",", "{", "}"));
            followed.add(new DashboardSelectors.Expression("scaling", external.get("name") + selector, ""));
        }
        return followed;
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
