package dev.tilewright.gate.qualification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gate.qualification.QualificationRun.Purpose;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class QualificationPageTest {

    private static final double DEVIATION = 0.007;
    private static final Instant AT = Instant.parse("2026-11-25T22:00:00Z");

    private final Random random = new Random(20261125);

    private QualificationRun run(String problem, Purpose purpose, double percent, int blocks, @Nullable String error) {
        double[] candidate = new double[blocks];
        double[] baseline = new double[blocks];
        double[] clock = new double[blocks];
        for (int i = 0; i < blocks; i++) {
            baseline[i] = 50_000;
            candidate[i] = 50_000 * (1 + percent / 100) * Math.exp(DEVIATION * random.nextGaussian());
            clock[i] = 1700;
        }
        return new QualificationRun(
                problem,
                "sm90-gemm tileM=128",
                purpose,
                percent,
                percent > 0 ? 400L : null,
                error == null ? "GPU-1" : null,
                "NVIDIA H100",
                "580",
                "abc",
                AT,
                7,
                0.75,
                "CBBC".repeat((blocks + 3) / 4).substring(0, blocks),
                candidate,
                baseline,
                clock,
                clock,
                List.of(),
                List.of(),
                error);
    }

    private List<QualificationRun> runs() {
        List<QualificationRun> runs = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            runs.add(run(i % 2 == 0 ? "512x512x512" : "4096x4096x4096", Purpose.CASE, 0, 40, null));
            runs.add(run("512x512x512", Purpose.CASE, 2, 40, null));
        }
        runs.add(run("512x512x512", Purpose.TRUTH, 2, 2000, null));
        return runs;
    }

    private static String line(List<String> page, String start) {
        return page.stream().filter(line -> line.startsWith(start)).findFirst().orElse("");
    }

    @Test
    void saysHowOftenAGateIsWrongAndRight() {
        List<String> page = QualificationPage.of(runs());
        // 1 - 0.05^(1/60) = 4.87 %
        assertThat(line(page, "| all | 60 |"))
                .startsWith("| all | 60 | 0 | 0 | 0 | 0 (0.00 %) | 4.87 % | 0.")
                .endsWith("| 0.75 |");
        // 0.05^(1/60) = 95.13 %
        assertThat(line(page, "| 512x512x512 | 2 % | 60 |"))
                .startsWith(
                        "| 512x512x512 | 2 % | 60 | 60 (100.00 %) | 95.13 % | 60 (100.00 %) | 95.13 % | 0 (0.00 %) | 30 of"
                                + " 30 | +");
        assertThat(line(page, "| 512x512x512 | 2 % | GPU-1 | 2000 |"))
                .contains("| +")
                .contains("| 60 | ");
        assertThat(page)
                .anyMatch(line -> line.startsWith("10000 gates were drawn from the 60 equal cases: a first stage"
                        + " fails a case in 0, and 0 gates fail."));
        assertThat(line(page, "| GPU-1 | NVIDIA H100 | 580 | abc | 120 |")).isNotEmpty();
    }

    @Test
    void whatCouldNotBeTimedCountsAsInconclusive() {
        List<QualificationRun> runs = new ArrayList<>(runs());
        runs.add(run("512x512x512", Purpose.CASE, 0, 0, "three workers were lost with it"));
        List<String> page = QualificationPage.of(runs);
        assertThat(line(page, "| all | 61 |")).contains("| 1 (1.64 %) |");
        assertThat(page).contains("* 1 case without a verdict: three workers were lost with it");
    }

    @Test
    void withoutACaseThereIsNoPage() {
        assertThatThrownBy(() -> QualificationPage.of(List.of(run("512x512x512", Purpose.TRUTH, 1, 40, null))))
                .hasMessageContaining("no case among 1 run");
    }

    @Test
    void aRunIsWrittenAndReadAgain() {
        JsonMapper mapper = JsonMapper.builder().build();
        QualificationRun run = run("512x512x512", Purpose.CASE, 0.5, 4, null);
        QualificationRun read = mapper.readValue(mapper.writeValueAsString(run), QualificationRun.class);
        assertThat(read.blocks()).isEqualTo(run.blocks());
        assertThat(read).usingRecursiveComparison().isEqualTo(run);
    }
}
