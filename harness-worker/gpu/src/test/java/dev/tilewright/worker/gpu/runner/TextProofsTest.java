package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult.CheckedText;
import dev.tilewright.model.exchange.GpuTaskResult.TextHazard;
import dev.tilewright.model.exchange.GpuTaskResult.TextVerdict;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Texts of users on the emulator: the examples of the documentation, right, with a fence deleted, and with mistakes.
 */
class TextProofsTest {

    private static final Path EXAMPLES = Path.of("../../docs/examples/check");

    private static String example(String file) throws IOException {
        return Files.readString(EXAMPLES.resolve(file));
    }

    private static CheckedText check(String ptx, String launch, @Nullable String entry) {
        return new TextProofs(4)
                .check(new GpuTask.CheckText(ptx, launch, entry, 3, 2), new Phases(() -> 0, phase -> {}));
    }

    @Test
    void aRightKernelIsProved() throws IOException {
        CheckedText right = check(example("simt-gemm.ptx"), example("simt-gemm.yaml"), null);
        assertThat(right.verdict()).as(String.join("\n", right.lines())).isEqualTo(TextVerdict.PROVED);
        assertThat(right.lines()).anySatisfy(line -> assertThat(line).startsWith("proved: "));
        assertThat(right.hazards()).isEmpty();
    }

    @Test
    void aDeletedFenceIsAHazardWithItsPlace() throws IOException {
        CheckedText wrong = check(example("sm90-gemm-no-fence.ptx"), example("sm90-gemm-no-fence.yaml"), null);
        assertThat(wrong.verdict()).as(String.join("\n", wrong.lines())).isEqualTo(TextVerdict.HAZARD);
        TextHazard hazard = wrong.hazards().getFirst();
        assertThat(hazard.rule()).isNotBlank();
        assertThat(hazard.message()).isNotBlank();
        assertThat(hazard.site().line()).isPositive();
        assertThat(hazard.excerpt()).isNotEmpty();
        assertThat(wrong.lines()).anySatisfy(line -> assertThat(line).contains(hazard.rule()));
    }

    @Test
    void aRuleThatIsAcceptedIsToldAndRefutesNothing() throws IOException {
        String ptx = example("sm90-gemm-no-fence.ptx");
        String launch = example("sm90-gemm-no-fence.yaml");
        List<String> broken = check(ptx, launch, null).hazards().stream()
                .map(TextHazard::rule)
                .distinct()
                .toList();
        CheckedText accepted = new TextProofs(4)
                .check(new GpuTask.CheckText(ptx, launch, null, 3, 2, broken), new Phases(() -> 0, phase -> {}));
        assertThat(accepted.hazards()).noneMatch(hazard -> broken.contains(hazard.rule()));
        assertThat(accepted.lines()).anySatisfy(line -> assertThat(line).contains("accepted"));

        CheckedText unknown = new TextProofs(4)
                .check(
                        new GpuTask.CheckText(ptx, launch, null, 3, 2, List.of("no-such-rule")),
                        new Phases(() -> 0, phase -> {}));
        assertThat(unknown.verdict()).isEqualTo(TextVerdict.WRONG);
        assertThat(unknown.lines())
                .singleElement()
                .asString()
                .startsWith("accepted rules: there is no rule 'no-such-rule'");
    }

    /** The pages are tested with what is said of this example; {@code -Dpages.accept=true} writes it. */
    @Test
    void thePagesAreTestedWithWhatIsSaidHere() throws IOException {
        CheckedText said = new TextProofs(4)
                .check(
                        new GpuTask.CheckText(
                                example("sm90-gemm-no-fence.ptx"), example("sm90-gemm-no-fence.yaml"), null, 1, 5),
                        new Phases(() -> 0, phase -> {}));
        Path stored = Path.of("../../harness-api/src/test/resources/dev/tilewright/api/web/no-fence.json");
        if (Boolean.getBoolean("pages.accept")) {
            Files.createDirectories(stored.getParent());
            Files.write(stored, Json.pretty().writeValueAsBytes(said));
        }
        assertThat(Json.mapper().readValue(stored.toFile(), CheckedText.class)).isEqualTo(said);
    }

    @Test
    void whatCannotBeRunSaysWhy() throws IOException {
        assertThat(check("mov.u32 %r0, 1;", example("simt-gemm.yaml"), null).verdict())
                .isEqualTo(TextVerdict.WRONG);
        assertThat(check(example("simt-gemm.ptx"), "grid: [4", null))
                .extracting(CheckedText::verdict, CheckedText::hazards)
                .containsExactly(TextVerdict.WRONG, List.of());
        assertThat(check(example("simt-gemm.ptx"), example("simt-gemm.yaml"), "other")
                        .lines())
                .singleElement()
                .asString()
                .contains("other");
    }

    /** Files of the worker are not those of the user. */
    @Test
    void aDescriptionReadsNoFile() throws IOException {
        Path secret = Files.writeString(Path.of("target/secret.bin"), "0123456789abcdef");
        try {
            String launch = example("simt-gemm.yaml")
                    .replaceFirst("init: normal", "init: {file: " + secret.toAbsolutePath() + "}");
            CheckedText refused = check(example("simt-gemm.ptx"), launch, null);
            assertThat(refused.verdict()).isEqualTo(TextVerdict.WRONG);
            assertThat(refused.lines())
                    .singleElement()
                    .asString()
                    .startsWith("launch.yaml:")
                    .contains("comes without its files");
        } finally {
            Files.delete(secret);
        }
    }
}
