package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.mainloop.WgmmaMainloop;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The emulator computes what an H200 computed, to the bit, and that lies within the error bound of the reference.
 * {@link OnGpuAgreementTest} recorded the other side.
 */
class AgreementTest {

    private static final Path FILE = Path.of("src/test/resources/proof/h200-agreement.json.gz");
    private static final int SMS = 4;

    private static List<Agreement.Case> cases() throws IOException {
        try (InputStream packed = new GZIPInputStream(Files.newInputStream(FILE))) {
            return Json.mapper().readValue(packed, Agreement.class).cases();
        }
    }

    static Stream<Agreement.Case> all() throws IOException {
        return cases().stream();
    }

    static Stream<Agreement.Case> kept() throws IOException {
        return cases().stream().filter(one -> one.values() != null && one.data() == GemmData.Kind.NORMAL);
    }

    @Test
    void thereAreEnoughOfEachScheduler() throws IOException {
        assertThat(all().map(one -> one.config().name("scheduler")).distinct())
                .containsExactlyInAnyOrder("single", "static", "atomic");
        assertThat(all().map(one -> one.config().canonical() + one.shape()).distinct())
                .hasSizeGreaterThanOrEqualTo(30);
        assertThat(kept()).hasSizeGreaterThanOrEqualTo(6);
    }

    @ParameterizedTest
    @MethodSource("all")
    void sumsAreEqualToTheBit(Agreement.Case recorded) {
        GemmData data = data(recorded);
        assertThat(Agreement.sha256(emulated(recorded, data))).isEqualTo(recorded.output());
    }

    @ParameterizedTest
    @MethodSource("kept")
    void theyLieWithinTheBound(Agreement.Case recorded) {
        GemmData data = data(recorded);
        byte[] gpu = recorded.unpackedValues();
        assertThat(Agreement.sha256(gpu)).isEqualTo(recorded.output());
        assertThat(data.flaw(gpu, 1, Witness.NONE)).isEmpty();
    }

    private static GemmData data(Agreement.Case recorded) {
        Problem problem = Problem.of(recorded.shape(), DataType.BF16);
        GemmData data = new GemmData(problem, recorded.data(), recorded.seed(), WgmmaMainloop.sumError(DataType.BF16));
        assertThat(Agreement.sha256(data.a(), data.b()))
                .as("the same A and B as then")
                .isEqualTo(recorded.inputs());
        return data;
    }

    private static byte[] emulated(Agreement.Case recorded, GemmData data) {
        GemmFamily family = GemmFamilies.standard().named("sm90-gemm");
        GemmKernel kernel = family.build(recorded.config(), false);
        Problem problem = Problem.of(recorded.shape(), DataType.BF16);
        RunEnd verdict = new EmulatedGemm(kernel, kernel.launch(problem, DeviceLimits.of(SMS), recorded.config()))
                .run(data, Options.seed(recorded.seed()));
        assertThat(verdict).isInstanceOf(RunEnd.Completed.class);
        return ((RunEnd.Completed) verdict).buffer(BufferRole.D.name());
    }
}
