package dev.tilewright.api.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.simulator.Simulator;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.ranking.AlikeTrials;
import dev.tilewright.space.ranking.FairShare;
import dev.tilewright.space.ranking.SchedulerWorth;
import dev.tilewright.space.ranking.TimedTrial;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document that the terminal prints, the pages and REST say the same of one study. */
@ExtendWith(RunningService.class)
class OneRankingTest {

    private static final int TRIALS = 24;
    private static final Pattern TRIAL =
            Pattern.compile("<th scope=\"row\" class=\"words\"><a href=\"/trials/([^\"]+)\"");

    private static StudyResult studied(Api api, int trials) {
        Simulator model = Simulator.of(SimulatedGpus.B200);
        String job = api.post(
                        "/api/v1/jobs",
                        "{\"problems\":[{\"m\":4096,\"n\":4096,\"k\":2048}],\"device\":\"simulated:b200\",\"budget\":{\"trials\":"
                                + trials + "}}")
                .expect(202)
                .get("id")
                .asString();
        new ScriptedWorker(api, UUID.randomUUID(), "simulated:b200", model.testbed())
                .register()
                .workOff((lease, _) -> ScriptedWorker.predicted(model, lease));
        return JsonMapper.builder()
                .build()
                .treeToValue(api.result(job), ResultDocument.class)
                .studies()
                .getFirst();
    }

    private static List<String> lines(StudyResult study) {
        return SchedulerWorth.of(
                        study.document(),
                        study.trials().stream().map(TimedTrial::of).toList(),
                        Families.standard())
                .orElseThrow()
                .lines();
    }

    @Test
    void winnerOrderAndSchedulersAreThoseOfAllThree(Api api) {
        StudyResult study = studied(api, TRIALS);
        List<TrialDocument> ranked = study.trials().stream()
                .filter(TrialDocument::isTimed)
                .sorted((one, other) -> TimedTrial.ORDER.compare(TimedTrial.of(one), TimedTrial.of(other)))
                .toList();
        List<AlikeTrials<TrialDocument>> rows = AlikeTrials.of(ranked, TimedTrial::of, TRIALS);
        String path = "/studies/" + study.document().id();
        String page = api.get(path).text();
        JsonNode rest = api.get("/api/v1" + path + "/schedulers").expect(200);

        assertThat(study.trials()).hasSize(TRIALS);
        assertThat(ranked.getFirst().id())
                .isEqualTo(study.bestTrial().orElseThrow().id());
        assertThat(rest.get("winner").get("trialId").asString())
                .isEqualTo(ranked.getFirst().id().toString());
        assertThat(TRIAL.matcher(page).results().map(found -> found.group(1)))
                .containsExactlyElementsOf(
                        rows.stream().map(row -> row.first().id().toString()).toList());
        List<String> alike = rows.stream()
                .filter(row -> !row.alike().isEmpty())
                .map(row -> row.note(TrialDocument::config).strip())
                .toList();
        assertThat(alike).as("to the model some are equal").isNotEmpty();
        assertThat(page).contains(alike);
        List<String> lines = lines(study);
        assertThat(lines).hasSize(2);
        assertThat(rest.get("lines").valueStream().map(JsonNode::asString)).containsExactlyElementsOf(lines);
        assertThat(page).contains(lines);
        assertThat(api.get(path + "/schedulers").text()).contains(lines);
    }

    /** Of 24 trials each scheduler has its three, and so the best of static is not a copy of the winner alone. */
    @Test
    void eachSchedulerHasItsShare(Api api) {
        StudyResult study = studied(api, TRIALS);
        Map<String, Long> trials = study.trials().stream()
                .map(TimedTrial::of)
                .collect(Collectors.groupingBy(trial -> trial.scheduler().orElseThrow(), Collectors.counting()));

        assertThat(trials).containsOnlyKeys("static", "clc", "atomic", "single");
        assertThat(trials.values()).allMatch(count -> count >= FairShare.of(TRIALS));
        assertThat(lines(study).getLast()).startsWith("the scheduler is worth, best against best: ");
        SchedulerWorth worth = SchedulerWorth.of(
                        study.document(),
                        study.trials().stream().map(TimedTrial::of).toList(),
                        Families.standard())
                .orElseThrow();
        assertThat(worth.sameConfig()).isNotEmpty();
        double winner = worth.winner().last().orElseThrow().interval().medianNs();
        double dealt =
                worth.best().get("static").last().orElseThrow().interval().medianNs();
        assertThat(winner / dealt).as("%s", lines(study)).isGreaterThan(0.93);
    }
}
