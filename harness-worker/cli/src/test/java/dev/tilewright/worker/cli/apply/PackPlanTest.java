package dev.tilewright.worker.cli.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import dev.tilewright.worker.cli.capture.CaptureFile;
import dev.tilewright.worker.cli.capture.CapturePlan;
import dev.tilewright.worker.cli.capture.CaptureReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackPlanTest {

    @TempDir
    private Path folder;

    /** Kernels that say which question they answer. */
    private static final KernelSource SOURCE = new KernelSource() {
        @Override
        public Choice choose(Problem problem) {
            return Taken.of("sm90-gemm", problem.shape().m(), config("one"), 1, Optional.of(2.0));
        }

        @Override
        public Choice choose(RangedProblem problem) {
            int middle = (problem.range().least() + problem.range().most()) / 2;
            return Taken.of(
                    "sm90-gemm",
                    List.of(
                            new Span(problem.range().least(), middle, config("few"), 1, 1),
                            new Span(middle + 1, problem.range().most(), config("many"), 1, 1)));
        }

        @Override
        public PackDevice device() {
            throw new UnsupportedOperationException();
        }
    };

    private static Config config(String kind) {
        return Config.parse("kind=" + kind);
    }

    private CapturePlan recorded(String rows) throws IOException {
        CaptureFile file =
                CaptureReader.read("x", Files.writeString(folder.resolve("capture.json"), """
                {"schemaVersion": 1, "program": [], "end": "finished", "seconds": 1, "observedSeconds": 1,
                 "versions": {}, "device": null, "notProfiled": "no GPU", "problems": [
                 {"n": 4096, "k": 4096, "batch": 1, "types": "bf16,bf16,bf16", "major": "k,k,n", "epilogue": "",
                 "scales": "tensor", "aligned": true, "ops": ["mm"], "rows": [%s]}]}""".formatted(rows)));
        return CapturePlan.byShare(file, 0.02, Optional.empty());
    }

    private static String row(int m, long calls) {
        return "{\"m\": " + m + ", \"calls\": " + calls + ", \"replays\": 0}";
    }

    /** An M with a kernel of its own lies within the range of the others, or at its end, or outside. */
    @Test
    void theKernelOfOneMGoesBeforeThatOfARange() throws Exception {
        String rows = IntStream.rangeClosed(1, 200)
                .mapToObj(m -> row(m, m == 50 || m == 100 || m == 101 || m == 200 ? 1000 : 1))
                .collect(Collectors.joining(", "));

        PackPlan plan = PackPlan.of(recorded(rows), SOURCE);

        assertThat(plan.left()).isEmpty();
        assertThat(plan.share()).isEqualTo(1);
        PackPlan.Product product = plan.products().getFirst();
        assertThat(plan.products()).hasSize(1);
        assertThat(product.launches()).isEqualTo(4 * 1000 + 196);
        assertThat(product.problem().range()).hasToString("1-200x4096x4096");
        assertThat(product.rows().stream()
                        .map(row ->
                                row.from() + "-" + row.to() + " " + row.config().canonical()))
                .containsExactly(
                        "1-49 kind=few",
                        "50-50 kind=one",
                        "51-99 kind=few",
                        "100-100 kind=one",
                        "101-101 kind=one",
                        "102-199 kind=many",
                        "200-200 kind=one");
    }

    @Test
    void oneMAloneIsNoRange() throws Exception {
        PackPlan plan = PackPlan.of(recorded(row(7, 5)), SOURCE);

        assertThat(plan.products().getFirst().rows())
                .containsExactly(new KernelSource.Row(7, 7, config("one"), Optional.of(1.0), Optional.of(2.0)));
    }
}
