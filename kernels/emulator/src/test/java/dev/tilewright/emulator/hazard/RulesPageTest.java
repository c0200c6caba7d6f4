package dev.tilewright.emulator.hazard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of rules and the emulator's rules are the same. */
class RulesPageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "emulator", "rules.md");

    private static List<String> names(Predicate<Rule> some) {
        return Arrays.stream(Rule.values()).filter(some).map(Rule::text).toList();
    }

    private static List<String> found(String text, String pattern) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static String between(String text, String from, String to) {
        return text.substring(text.indexOf(from), text.indexOf(to));
    }

    @Test
    void everyRuleIsOnThePage() throws IOException {
        String page = Files.readString(PAGE);
        String goOn = between(page, "# Rules behind which a run goes on", "# Rules that only warn");
        String warn = between(page, "# Rules that only warn", "# Rules that end a run");
        String end = page.substring(page.indexOf("# Rules that end a run"));
        String heading = "^### `([a-z0-9-]+)`$";
        assertThat(found(goOn, heading)).containsExactlyInAnyOrderElementsOf(names(Rule::acceptable));
        assertThat(found(warn, heading)).containsExactlyInAnyOrderElementsOf(names(Rule::warns));
        assertThat(found(end, heading)).containsExactlyInAnyOrderElementsOf(names(Rule::ends));
    }

    @Test
    void theGroupIsTold() throws IOException {
        String page = Files.readString(PAGE);
        String group = between(page, "The group `vendor-idioms`", "By name alone can be accepted");
        assertThat(found(group, "^\\| `([a-z0-9-]+)` \\|"))
                .containsExactlyInAnyOrderElementsOf(names(Rule::vendorIdiom));
        String alone = between(page, "By name alone can be accepted", "## What was decided to be no fault");
        assertThat(found(alone, "`([a-z0-9-]+)`"))
                .containsExactlyInAnyOrderElementsOf(names(rule -> rule.acceptable() && !rule.vendorIdiom()));
    }

    /** Where the manual says so, what breaks it, how hardware behaves. */
    @Test
    void everyRuleSaysThreeThings() throws IOException {
        for (String section : Files.readString(PAGE).split("(?m)^### ")) {
            if (section.startsWith("`")) {
                assertThat(section).containsPattern("[Mm]anual:?|programming guide|The same,");
                assertThat(section.replaceAll("\\s+", " ")).contains("Hardware: ");
            }
        }
    }
}
