package dev.tilewright.api.web.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
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
