package dev.tilewright.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.web.Visit;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.simulator.Simulator;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.web.util.HtmlUtils;

/**
 * The terminal and the page of a study say the same of it: ranks, configs, ties, numbers, and the line to repeat it.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TerminalAndPageIT {

    private static final Pattern ROW =
            Pattern.compile("<tr[^>]*>\\s*<td class=\"right\">\\d+</td>.*?</tr>", Pattern.DOTALL);
    private static final Pattern CELL = Pattern.compile("<t[dh][^>]*>(.*?)</t[dh]>", Pattern.DOTALL);
    private static final int ROWS = 10;

    @TempDir
    private Path folder;

    @Test
    void ranksNamesAndNumbersAreTheSame() throws Exception {
        Simulator model = Simulator.of(SimulatedGpus.named("h200"));
        try (Service service = RunningService.start(Map.of("db-scheduler.enabled", "false"))) {
            ScriptedWorker worker =
                    new ScriptedWorker(service.api(), UUID.randomUUID(), "simulated:h200", model.testbed()).register();
            LaunchedVerb verb = LaunchedVerb.start(
                    folder,
                    400,
                    "tune",
                    "--shape",
                    "2048x1024x768",
                    "--trials",
                    "40",
                    "--device",
                    "simulated:h200",
                    "--api",
                    service.api().uri("/").toString());
            int exit = verb.toItsEnd(() -> worker.workOff((lease, _) -> ScriptedWorker.predicted(model, lease)));
            String said = verb.said();
            assertThat(exit).as(said).isZero();
            String job = service.api()
                    .get("/api/v1/jobs")
                    .expect(200)
                    .at("/items/0/id")
                    .asString();
            String study = service.api().job(job).at("/studies/0/id").asString();
            String page = Visit.at(service.api(), "/").read("/studies/" + study);

            List<List<String>> rows = ROW.matcher(page)
                    .results()
                    .limit(ROWS)
                    .map(row -> cells(row.group()))
                    .toList();
            assertThat(rows).hasSizeGreaterThan(5);
            assertThat(said.lines().filter(line -> line.matches(" +\\d+  .* completed .*")))
                    .as(said)
                    .zipSatisfy(
                            rows,
                            (line, row) -> assertThat(line.strip())
                                    .startsWith(row.get(0) + "  " + row.get(1) + " ")
                                    .containsSubsequence(row.subList(1, 6)));
            assertThat(rows).extracting(row -> row.get(1)).anyMatch(config -> config.contains(" alike: "));
            String again = said.lines()
                    .filter(line -> line.startsWith("again: "))
                    .collect(Collectors.joining())
                    .substring("again: ".length());
            String text = text(page);
            assertThat(text).contains(again);
            assertThat(said.lines().filter(line -> line.startsWith("the scheduler is worth")))
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(text).contains(line));
        }
    }

    /** Rank, config with its ties, and the numbers. */
    private static List<String> cells(String row) {
        Matcher cells = CELL.matcher(row);
        return cells.results().map(cell -> text(cell.group(1)).strip()).toList();
    }

    private static String text(String html) {
        return HtmlUtils.htmlUnescape(html.replaceAll("<[^>]*>", "")).replaceAll("\\s+", " ");
    }
}
