package dev.tilewright.api.web.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.Stored;
import dev.tilewright.api.web.Visit;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@ExtendWith(RunningService.class)
class StudyPagesTest {

    /** The service writes a decimal point, whatever language the browser asks for. */
    @Test
    void numbersAreTheSameInEveryLanguage(Api api) {
        String job = api.submit("simulated:h200", "random", 8, "640x384x256");
        ScriptedWorker.simulated(api).workOff(1000, 7);
        String study = api.job(job).get("studies").get(0).get("id").asString();
        Api.Answer page = api.send(api.request("/studies/" + study)
                .header("accept", "text/html")
                .header("accept-language", "de")
                .GET());
        assertThat(page.text())
                .contains("best value over worst: +")
                .containsPattern("In all rows: [^<]*stage screen")
                .containsPattern("\\+\\d+\\.\\d %")
                .doesNotContainPattern("\\d,\\d %");
    }

    /** What could not be carried out is not shown as what came to its end. */
    @Test
    void aStudyThatFailedLooksLikeOne(Api api) {
        String job = api.submit("simulated:h200", "random", 8, "640x384x256");
        ScriptedWorker only = ScriptedWorker.simulated(api);
        Lease lease = only.leaseOne();
        only.report(lease, new Report.Refused(lease.fence(), "another build")).taken();
        String study = api.job(job).get("studies").get(0).get("id").asString();
        for (String path : List.of("/", "/jobs/" + job, "/studies/" + study)) {
            assertThat(Visit.at(api, "/").read(path))
                    .as(path)
                    .contains("<span class=\"tag failed\">failed</span>", "the last one: another build")
                    .doesNotContain(">finished</span>");
        }
    }

    /** The winner is the last of more trials than are read, and the first is no even one. */
    @Test
    void theWinnerOfALongStudyIsOnItsPageAndChartsSayWhatTheyShow(Api api, Service service) {
        Stored.Large study = new Stored(api, service).study(ScriptedWorker.simulated(api), 5400);
        String winner = service.jdbc()
                .sql("""
                with last as (
                    select id from trial where study_id = cast(:study as uuid) and ordinal = 5399),
                again as (
                    insert into measurement (study_id, trial_id, mode, stage, blocks, launches, median_ns, ci_low_ns,
                        ci_high_ns, tflops, created_at)
                    select study_id, trial_id, mode, stage, blocks, launches, 500, 500, 500, 2000, created_at
                    from measurement where trial_id = (select id from last))
                update study_tally set fastest_trial = (select id from last), fastest_ns = 500, best_tflops = 2000
                where study_id = cast(:study as uuid) returning fastest_trial::text""")
                .param("study", study.study())
                .query(String.class)
                .single();
        assertThat(Visit.at(api, "/").read("/studies/" + study.study()))
                .contains(
                        "/trials/" + winner,
                        "The first 1,000 of 5,400 timed trials",
                        "Shown are 5,001 of 5,400 trials: an even sample, and each trial that was the best so far.");
        JsonNode charts = api.get("/studies/" + study.study() + "/charts").expect(200);
        assertThat(charts.get("numbers")).hasSize(5001);
        assertThat(charts.at("/numbers/0").asInt()).isEqualTo(1);
        assertThat(charts.at("/numbers/5000").asInt()).isEqualTo(5400);
        assertThat(charts.at("/says/trials").asString())
                .contains("Of 5,400 trials", "the best, number 5,400,", "Shown are 5,001 of 5,400 trials");
        assertThat(api.get("/trials/" + winner).status()).isEqualTo(200);
    }

    /** The share of the other scheduler is behind all trials that a page reads for its rows. */
    @Test
    void pageAndRestCompareSchedulersOfALongStudyAlike(Api api, Service service) {
        Stored.Large study = new Stored(api, service).study(ScriptedWorker.simulated(api), 5400);
        service.jdbc().sql("""
                with others as (
                    update trial set config = jsonb_set(config, '{scheduler}', '"atomic"')
                    where study_id = cast(:study as uuid) and ordinal between 5390 and 5395)
                update study set space = '{"points": 99999, "size": 99999}' where id = cast(:study as uuid)""").param("study", study.study()).update();
        String rest = api.get("/api/v1/studies/" + study.study() + "/schedulers")
                .expect(200)
                .at("/lines/1")
                .asString();
        assertThat(rest).contains("best against best", "(each of them had at least 6 of 5900 trials)");
        assertThat(Visit.at(api, "/").read("/studies/" + study.study() + "/schedulers"))
                .contains(rest);
    }

    @ParameterizedTest
    @CsvSource({
        "24, 24, ''",
        "30, 25, All 30 timed trials",
        "3000, 25, 'The first 1,000 of 3,000 timed trials'",
        "3000, 1000, ''"
    })
    void theLinkSaysWhatItShows(int timed, int shown, String says) {
        assertThat(StudyPages.more(timed, shown)).isEqualTo(says);
    }

    /** A job has a name of 200 characters at the most. */
    @Test
    void aProblemOfManyGroupsCanBeTunedAgain() {
        assertThat(StudyPages.again(Problem.of(new ProblemShape(2048, 1024, 768), DataType.F16)))
                .isEqualTo("again: 2048x1024x768 f16");
        Problem grouped = new Problem(
                IntStream.range(0, 64)
                        .mapToObj(i -> new ProblemShape(1000 + i, 2048, 768))
                        .toList(),
                1,
                OperandTypes.of(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
        assertThat(StudyPages.again(grouped)).hasSizeLessThanOrEqualTo(200).contains("1000x2048x768 + ", " more bf16");
    }
}
