package dev.tilewright.api.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.space.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The house rules of dashboards over their JSON: they hold where there is no node to run {@code dashboards/test}. */
class DashboardRulesTest {

    private static final int COLUMNS = 24;
    private static final String SERVICE = "${service}";
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([A-Za-z_]\\w*)");

    static List<JsonNode> dashboards() throws IOException {
        return GeneratedDashboards.all();
    }

    /** Nobody changed the sources and left out {@code npm run generate}, or changed what it writes. */
    @Test
    void generatedIsOfTheseSources() throws IOException {
        Path folder = GeneratedDashboards.folder();
        List<String> sums = new ArrayList<>();
        for (String part : List.of("generated/*.json", "src/*.ts")) {
            try (var files = Files.newDirectoryStream(
                    folder.resolve(Path.of(part).getParent()),
                    Path.of(part).getFileName().toString())) {
                for (Path file : files) {
                    sums.add(Sha256.hex(Files.readAllBytes(file)) + "  " + folder.relativize(file));
                }
            }
        }
        assertThat(Files.readAllLines(folder.resolve("generated/sha256sums")))
                .as("else: npm run generate")
                .containsExactlyInAnyOrderElementsOf(sums);
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void panelsHaveIdTitleDescriptionAndUnitAndDoNotOverlap(JsonNode dashboard) {
        Set<String> taken = new HashSet<>();
        Set<String> titles = new HashSet<>();
        Set<Integer> ids = new HashSet<>();
        for (JsonNode panel : dashboard.get("panels")) {
            String title = panel.path("title").asString("");
            assertThat(title).isNotBlank();
            assertThat(titles.add(title)).as("only one panel %s", title).isTrue();
            assertThat(ids.add(panel.get("id").asInt())).as("id of %s", title).isTrue();
            assertThat(panel.path("description").asString(""))
                    .as("description of %s", title)
                    .endsWith(".");
            assertThat(panel.at("/fieldConfig/defaults/unit").asString(""))
                    .as("unit of %s", title)
                    .isNotBlank();
            JsonNode place = panel.get("gridPos");
            int right = place.get("x").asInt() + place.get("w").asInt();
            assertThat(right).as("columns of %s", title).isLessThanOrEqualTo(COLUMNS);
            for (int x = place.get("x").asInt(); x < right; x++) {
                for (int y = place.get("y").asInt();
                        y < place.get("y").asInt() + place.get("h").asInt();
                        y++) {
                    assertThat(taken.add(x + "," + y))
                            .as("%s overlaps at %d, %d", title, x, y)
                            .isTrue();
                }
            }
        }
        assertThat(titles).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void everyVariableIsDeclaredAndUsed(JsonNode dashboard) {
        Set<String> declared = dashboard
                .at("/templating/list")
                .valueStream()
                .map(variable -> variable.get("name").asString())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> used = Stream.of(dashboard.get("panels"), dashboard.get("links"), dashboard.at("/templating/list"))
                .flatMap(part -> VARIABLE.matcher(part.toString()).results())
                .map(variable -> variable.group(1))
                // Grafana's own macros and variables.
                .filter(name -> !name.startsWith("__"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(used).isEqualTo(declared);
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void linksLeadToPagesOfTheService(JsonNode dashboard) throws IOException {
        Set<String> pages = Pattern.compile("^\\| `(/[^`]*)` \\|", Pattern.MULTILINE)
                .matcher(Files.readString(GeneratedDashboards.folder().resolveSibling("docs/pages.md")))
                .results()
                .map((MatchResult page) -> page.group(1).replaceAll("\\{\\w+}", "*"))
                .collect(Collectors.toSet());
        List<JsonNode> links =
                new ArrayList<>(dashboard.get("links").valueStream().toList());
        assertThat(links).as("links above the panels").isNotEmpty();
        for (JsonNode override : dashboard.findValues("overrides")) {
            for (JsonNode property : override.findValues("properties")) {
                property.valueStream()
                        .filter(one -> one.get("id").asString().equals("links"))
                        .flatMap(one -> one.get("value").valueStream())
                        .forEach(links::add);
            }
        }
        for (JsonNode link : links) {
            String url = link.get("url").asString();
            assertThat(link.get("title").asString()).as("title of %s", url).isNotBlank();
            assertThat(url).startsWith(SERVICE + "/");
            assertThat(pages).contains(url.substring(SERVICE.length()).replaceAll("\\$\\{[^}]+}", "*"));
        }
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void targetsAskTheSourcesThatAreProvisioned(JsonNode dashboard) throws IOException {
        String provisioned =
                Files.readString(GeneratedDashboards.folder().resolve("provisioning/datasources/tilewright.yml"));
        for (JsonNode panel : dashboard.get("panels")) {
            String title = panel.get("title").asString();
            assertThat(panel.get("targets")).as("targets of %s", title).isNotEmpty();
            for (JsonNode target : panel.get("targets")) {
                assertThat(target.get("datasource")).as(title).isEqualTo(panel.get("datasource"));
                assertThat(provisioned)
                        .contains("uid: " + target.at("/datasource/uid").asString() + "\n    type: "
                                + target.at("/datasource/type").asString() + "\n");
            }
        }
    }

    /** What the rules refuse, they refuse: of a dashboard that breaks them. */
    @Test
    void aDashboardThatBreaksThemIsSeen() {
        JsonNode broken = JsonMapper.shared().readTree("""
                {"links":[],"templating":{"list":[{"name":"service"}]},
                "panels":[{"id":1,"title":"A","description":"no sentence","targets":[{"expr":"x{host=\\"$host\\"}"}],
                "fieldConfig":{"defaults":{"unit":"short"}},"gridPos":{"x":20,"y":0,"w":8,"h":8}}]}""");
        List<Runnable> rules = List.of(
                () -> panelsHaveIdTitleDescriptionAndUnitAndDoNotOverlap(broken),
                () -> everyVariableIsDeclaredAndUsed(broken));
        assertThat(rules).allSatisfy(rule -> assertThatThrownBy(rule::run).isInstanceOf(AssertionError.class));
    }
}
