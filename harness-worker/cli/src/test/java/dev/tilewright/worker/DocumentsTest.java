package dev.tilewright.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What documents refer to is there, and a figure of the README stands in a file that the tool wrote. */
class DocumentsTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)\\s]*)?\\)");
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

    @Test
    void everyLinkOfADocumentLeadsToAFile() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path document : documents()) {
            Matcher link =
                    LINK.matcher(FENCED.matcher(Files.readString(document)).replaceAll(""));
            while (link.find()) {
                String target = link.group(1);
                if (!target.contains("://")
                        && !Files.exists(document.resolveSibling(target).normalize())) {
                    dead.add(document + ": " + target);
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void eachMeasuredRowOfTheReadmeIsARowOfTheToolsTable() throws IOException {
        List<String> written = Files.readAllLines(ROOT.resolve("docs/results/h200/plain-tune.md"));
        List<String> shown = Files.readAllLines(ROOT.resolve("README.md")).stream()
                .filter(line -> line.matches("\\| \\d+x\\d+x\\d+ \\|.*"))
                .toList();
        assertThat(shown).isNotEmpty();
        assertThat(written).containsAll(shown);
    }
}
