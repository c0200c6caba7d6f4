package dev.tilewright.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.drawn.DrawnProblems;
import dev.tilewright.api.drawn.RunProvenance;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.sm90.Sm90GemmSpace;
import dev.tilewright.testing.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Drawn problems from the job to the result, with a worker that builds and assembles every kernel. */
@Tag("full")
class DrawnEndToEndIT {

    private static final int TRIALS = 160;
    private static final int ALL = 10;
    private static final int SMS = 132;
    private static final Path DOCUMENT = Path.of("../docs/results/drawn-end-to-end.md");

    private final FamilySpace family = new Sm90GemmSpace();
    private Installation installation = new Installation(Path.of("nowhere"), Path.of("nowhere"));

    @BeforeEach
    void place() throws IOException {
        installation = Installation.placed("drawn");
    }

    @AfterEach
    void leaveNothingBehind() {
        installation.destroy();
    }

    @Test
    void everyOneEndsWithAsManyTrialsAsWereAskedForOrTheWholeSpace() throws Exception {
        DrawnProblems drawn = DrawnProblems.ofThisRun();
        int count = DrawnProblems.count(ALL);
        Process serve = installation.serve();
        installation.await("the service", installation::api);
        List<String> rows = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            Problem problem = drawn.of(number, family, SMS);
            rows.add(row(number, problem));
            System.out.print(rows.getLast());
        }
        Files.writeString(ResultFile.of(DOCUMENT), """
                # Drawn problems end to end

                Written by `DrawnEndToEndIT`: problems drawn at random (`DrawnProblems`), each as a study of %d trials by the
                strategy `model` on `simulated:h200`, by the real service with its worker, which builds and assembles
                every kernel. Seconds are from the job to its end.

                %s, `-Ddraws.seed=%d`.

                | number | problem | types | configs in the space | trials | completed | seconds |
                | --- | --- | --- | --- | --- | --- | --- |
                %s""".formatted(
                        TRIALS, RunProvenance.line(), drawn.seed(), String.join("", rows)));
        serve.destroy();
        serve.waitFor();
        FileSystemUtils.deleteRecursively(installation.home());
    }

    private String row(int number, Problem problem) throws Exception {
        long started = System.nanoTime();
        String job = installation
                .post("/api/v1/jobs", """
                        {"problems":[%s],"strategy":"model","budget":{"trials":%d},"seed":%d,"device":"simulated:h200"}""".formatted(JsonMapper.shared().writeValueAsString(problem), TRIALS, number))
                .get("id")
                .asString();
        installation.await(
                "the end of number " + number,
                () -> Optional.of(installation
                                .get("/api/v1/jobs/" + job)
                                .get("state")
                                .asString())
                        .filter("finished"::equals));
        double seconds = (System.nanoTime() - started) / 1e9;
        JsonNode study = installation
                .get("/api/v1/jobs/" + job + "/result")
                .get("studies")
                .get(0);
        long size = study.get("space").get("size").asLong();
        List<Config> configs = study.get("trials")
                .valueStream()
                .map(trial -> JsonMapper.shared().treeToValue(trial.get("config"), Config.class))
                .toList();
        SearchSpace space = family.space(problem, DeviceLimits.of(SMS)).usual(Map.of());
        assertThat(study.get("error").isNull())
                .as("number %d: %s", number, study.get("error"))
                .isTrue();
        assertThat((long) configs.size()).as("trials of number %d", number).isEqualTo(Math.min(TRIALS, size));
        assertThat(configs)
                .as("configs of number %d", number)
                .doesNotHaveDuplicates()
                .allSatisfy(config -> assertThat(space.violation(config)).isEmpty());
        Stream<String> cells = Stream.of(
                Integer.toString(number),
                problem.shapes(),
                problem.types().a() + ", " + problem.types().b() + ", "
                        + problem.types().d(),
                Long.toString(size),
                Integer.toString(configs.size()),
                study.get("counts").get("completed").asString(),
                String.format(Locale.ROOT, "%.1f", seconds));
        return "| " + String.join(" | ", cells.toList()) + " |\n";
    }
}
