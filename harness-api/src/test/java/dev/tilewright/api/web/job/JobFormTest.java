package dev.tilewright.api.web.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.problem.Scales;
import org.junit.jupiter.api.Test;

/** What is filled in is asked of the service; what is left empty, the service chooses. */
class JobFormTest {

    @Test
    void whatIsFilledInIsAskedFor() {
        JobRequest request = new JobForm(
                        " night ",
                        "2048x1024x768\n\n 64x72x80+8x16x24 ",
                        "e4m3,e5m2,bf16",
                        "row",
                        "bias, gelu",
                        "cuda:0",
                        " bundle:mine",
                        "bundle:theirs, bundle:others",
                        "random",
                        "12",
                        "30",
                        "static, atomic",
                        "16",
                        "on")
                .request();

        assertThat(request.name()).isEqualTo("night");
        assertThat(request.problems()).hasSize(2);
        assertThat(request.problems().getLast().groups())
                .extracting(group -> group.n())
                .containsExactly(72, 16);
        assertThat(request.problems())
                .allSatisfy(problem -> assertThat(problem.scales()).isEqualTo(Scales.ROW))
                .allSatisfy(problem -> assertThat(problem.epilogue()).hasToString("bias,gelu-tanh"));
        assertThat(request.family()).isEqualTo("bundle:mine");
        assertThat(request.peers()).containsExactly("bundle:theirs", "bundle:others");
        assertThat(request.device()).isEqualTo("cuda:0");
        assertThat(request.strategy()).isEqualTo("random");
        assertThat(request.schedulers()).containsExactly("static", "atomic");
        assertThat(request.kernels()).isEqualTo(16);
        assertThat(request.check()).isTrue();
    }

    @Test
    void aLineMayBeARangeOfM() {
        JobRequest request =
                new JobForm(null, "1-4096x1024x768", "f16", "", null, "", "", null, "", "", "", "", "", null).request();

        assertThat(request.problems()).singleElement().hasToString("1-4096x1024x768 f16");
    }

    @Test
    void whatIsLeftEmptyTheServiceChooses() {
        JobForm empty = JobForm.empty();
        JobRequest request = new JobForm(
                        null, "2048x1024x768", empty.types(), null, null, "", "", null, "", "", "", "", "", null)
                .request();

        assertThat(request.family()).isNull();
        assertThat(request.peers()).isEmpty();
        assertThat(request.device()).isNull();
        assertThat(request.strategy()).isNull();
        assertThat(request.check()).isFalse();
    }

    @Test
    void allThatCannotBeReadIsSaidAtOnce() {
        JobForm wrong =
                new JobForm("", "2048x1024", "bf17", "rows", "gelu,bais", "", "", "", "", "many", "", "", "", "");

        assertThatThrownBy(wrong::request)
                .isInstanceOfSatisfying(
                        ApiProblem.class,
                        refused -> assertThat(refused.faults())
                                .extracting(Fault::pointer)
                                .containsExactly("Types", "Scales", "Epilogue", "Shapes", "Trials"));
    }

    @Test
    void aFaultNamesItsField() {
        assertThat(JobForm.field("/problems/1/groups/0/k")).isEqualTo("Shape 2");
        assertThat(JobForm.field("/peers/0")).isEqualTo("Peers");
        assertThat(JobForm.field("/budget/trials")).isEqualTo("Trials");
    }
}
