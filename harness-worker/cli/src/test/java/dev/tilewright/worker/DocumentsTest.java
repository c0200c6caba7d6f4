package dev.tilewright.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What documents refer to is there, a figure of the README stands in a file that the tool wrote, and what is stored is
 * light.
 */
class DocumentsTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern REPORT = Pattern.compile("docs/results/(?!(README|format|hopper-log)\\.md$)");
    private static final int MOST_COLUMNS = 120;
    private static final String FIXTURES = "src/test/resources";
    private static final long MOST_BYTES = 9_000_000;
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)?(#[^)\\s]*)?\\)");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");

    private static List<Path> documents() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
                                    .map(ROOT::resolve),
                            docs.filter(file -> file.toString().endsWith(".md")))
                    .toList();
        }
    }

    /** What a forge calls the headings of a document. */
    private static Set<String> anchors(Path document) throws IOException {
        return FENCED.matcher(Files.readString(document))
                .replaceAll("")
                .lines()
                .filter(line -> line.matches("#+ .*"))
                .map(line -> line.replaceFirst("#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void everyLinkOfADocumentLeadsToAFileAndItsHeading() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path document : documents()) {
            Matcher link =
                    LINK.matcher(FENCED.matcher(Files.readString(document)).replaceAll(""));
            while (link.find()) {
                String target = link.group(1) == null ? "" : link.group(1);
                Path file = target.isEmpty()
                        ? document
                        : document.resolveSibling(target).normalize();
                if (target.contains("://")) {
                    continue;
                }
                if (!Files.exists(file)
                        || link.group(2) != null
                                && target.matches("|.*\\.md")
                                && !anchors(file).contains(link.group(2).substring(1))) {
                    dead.add(document + ": " + link.group());
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    /** Tables, pictures and what is fenced have their own width; so have the reports that the tool writes. */
    @Test
    void noLineOfADocumentIsLongerThanItMayBe() throws IOException {
        List<String> longer = new ArrayList<>();
        for (Path document : documents()) {
            if (!REPORT.matcher(document.toString()).find()) {
                FENCED.matcher(Files.readString(document))
                        .replaceAll("")
                        .lines()
                        .filter(line -> line.length() > MOST_COLUMNS
                                && !line.stripLeading().startsWith("|")
                                && !line.startsWith("!["))
                        .forEach(line -> longer.add(document + ": " + line));
            }
        }
        assertThat(longer).isEmpty();
    }

    /** What a clone carries of evidence and fixtures: what no document cites and no test reads is taken out. */
    @Test
    void resultsAndFixturesOfTestsAreLight() throws IOException {
        List<Path> folders =
                new ArrayList<>(List.of(ROOT.resolve("docs/results"), ROOT.resolve("harness-api/" + FIXTURES)));
        for (String programs : List.of("kernels", "harness-worker")) {
            try (Stream<Path> modules = Files.list(ROOT.resolve(programs))) {
                modules.map(module -> module.resolve(FIXTURES))
                        .filter(Files::isDirectory)
                        .forEach(folders::add);
            }
        }
        long bytes = 0;
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                bytes += files.filter(Files::isRegularFile)
                        .mapToLong(file -> file.toFile().length())
                        .sum();
            }
        }
        assertThat(bytes).as("bytes of " + folders).isLessThanOrEqualTo(MOST_BYTES);
    }

    @Test
    void eachPackageSaysWhatComesInAndGoesOutAndWhatItMustNotKnow() throws IOException {
        List<String> silent = new ArrayList<>();
        for (String module : List.of("kernels", "harness-api", "harness-worker")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
                for (Path file : files.filter(each -> each.endsWith("package-info.java"))
                        .filter(each -> each.toString().contains("src/main/java"))
                        .toList()) {
                    String text = Files.readString(file).replaceAll("\\s+\\*?\\s*", " ");
                    if (!text.matches(".*(Comes in|In): .*(Goes out|Out): .*[Mm]ust not .*")) {
                        silent.add(file.toString());
                    }
                }
            }
        }
        assertThat(silent).isEmpty();
    }

    /** The columns of a table that a document has for each shape, by the shape and the head of the column. */
    private static Map<String, Map<String, String>> rows(String document) throws IOException {
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        List<String> head = List.of();
        for (String line : Files.readAllLines(ROOT.resolve(document))) {
            List<String> cells =
                    Stream.of(line.split("\\|")).map(String::strip).skip(1).toList();
            if (line.startsWith("| shape |")) {
                head = cells;
            } else if (line.matches("\\| \\d+x\\d+x\\d+ \\|.*")) {
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 0; i < head.size(); i++) {
                    row.put(head.get(i), cells.get(i));
                }
                rows.put(cells.getFirst(), row);
            }
        }
        return rows;
    }

    /** The figures above the table count all rows of the tool's: those that are shown are not all that there is. */
    @Test
    void eachMeasuredFigureOfTheReadmeIsOneOfTheToolsTable() throws IOException {
        Map<String, Map<String, String>> written = rows("docs/results/h200/plain-tune.md");
        Map<String, Map<String, String>> shown = rows("README.md");
        assertThat(shown).isNotEmpty();
        assertThat(shown)
                .allSatisfy((shape, row) -> assertThat(written.get(shape)).containsAllEntriesOf(row));
        assertThat(shown)
                .as("the slowest is shown")
                .containsKey(written.entrySet().stream()
                        .min(Comparator.comparing(row -> row.getValue().get("to the best peer")))
                        .orElseThrow()
                        .getKey());

        double logs = 0;
        int faster = 0;
        int slower = 0;
        for (Map<String, String> row : written.values()) {
            List<Double> interval = Stream.of(
                            row.get("95 % interval").replaceAll("[\\[\\]]", "").split(", "))
                    .map(Double::valueOf)
                    .toList();
            faster += interval.getFirst() > 1 ? 1 : 0;
            slower += interval.getLast() < 1 ? 1 : 0;
            logs += Math.log(Double.parseDouble(row.get("to the best peer")));
        }
        Matcher mean = Pattern.compile("Geometric mean of the ratios (\\d\\.\\d{3}),")
                .matcher(Files.readString(ROOT.resolve("docs/results/h200/plain-tune.md")));
        assertThat(mean.find()).as("the tool writes the mean").isTrue();
        // The rows are rounded to a thousandth; the tool's mean is not of rounded ones.
        assertThat(Double.parseDouble(mean.group(1))).isCloseTo(Math.exp(logs / written.size()), within(0.001));
        assertThat(Files.readString(ROOT.resolve("README.md")).replaceAll("\\s+", " "))
                .contains(
                        "Of [" + written.size() + " shapes]",
                        faster + " are surely faster and " + slower + " surely slower",
                        "the geometric mean is " + mean.group(1) + ".");
    }

    @Test
    void theReadmeHasNinetyLines() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(90);
    }
}
