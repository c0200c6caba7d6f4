package dev.tilewright.worker.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.launch.TensorMap;
import dev.tilewright.launch.Tolerance;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CborChannelTest {

    private static final TensorMap MAP = new TensorMap(
            ElementType.BF16, List.of(768L, 2048L), List.of(1536L), List.of(64, 128), List.of(1, 1), 128, false, 128);

    private static final List<KernelParameter> PARAMETERS = List.of(
            new KernelParameter.MapByValue("A", 64, MAP),
            new KernelParameter.Pointer("counter", 16),
            new KernelParameter.NullPointer(),
            new KernelParameter.Raw(new byte[] {1, -2}),
            new KernelParameter.Scalar(ElementType.F32, 0xBF40_0000L, Optional.of(ScalarRole.SCALE)),
            new KernelParameter.Struct(
                    24,
                    List.of(
                            new KernelParameter.Field(0, new KernelParameter.Pointer("D", 1L << 33)),
                            new KernelParameter.Field(8, new KernelParameter.Scalar(ElementType.U64, -1)))));

    private static final List<Fill> FILLS = List.of(
            new Fill.Uninitialised(),
            new Fill.Poison(),
            new Fill.Zeros(),
            new Fill.Constant(7, "7"),
            new Fill.Iota(1, 0.5),
            new Fill.Identity(),
            new Fill.Normal(OptionalLong.empty(), 0, 1),
            new Fill.Integers(OptionalLong.of(3), -2, 2),
            new Fill.LogUniform(OptionalLong.of(3), 0.5, 2),
            new Fill.Packed(new byte[] {3, -1}, "values"),
            new Fill.Fields(List.of(new KernelParameter.Field(0, new KernelParameter.MapByValue("B", 0, MAP)))));

    private static final List<Expectation> EXPECTATIONS = List.of(
            new Expectation.Gemm(
                    new Expectation.Operand("A", false),
                    new Expectation.Operand("B", true),
                    new Expectation.Operand("D", false),
                    Optional.of(new Expectation.Operand("C", false)),
                    Optional.of("bias"),
                    Epilogue.parse("alpha=0.3,beta=-2,bias-m,relu,clamp=0..6"),
                    1,
                    2048,
                    1024,
                    768,
                    new Tolerance.Bound(0.25, 1)),
            new Expectation.Content("D", new Fill.Packed(new byte[] {5}, "values"), new Tolerance.Within(1, 2)),
            new Expectation.Content("D", new Fill.Packed(new byte[] {6}, "values"), new Tolerance.Exact()),
            new Expectation.Unchanged("counter"));

    private static final RunnerRequest TRIAL = new RunnerRequest.RunTrial(
            Problem.of(new ProblemShape(2048, 1024, 768), DataType.BF16),
            Config.of(Map.of("scheduler", ParameterValue.of("atomic"), "tileM", ParameterValue.of(128))),
            new Kernel.Assembled(new Cubin(new byte[] {0, -1, 127}), launch("gemm"), 168),
            new Kernel.Assembled(new Cubin(new byte[0]), launch("gemm_traced"), 170),
            -7,
            List.of(Mode.SUSTAINED, Mode.COLD));

    private static LaunchDescription launch(String entry) {
        return new LaunchDescription(
                Optional.of(entry),
                new Extents(132, 2, 1),
                Extents.of(384),
                Optional.of(Extents.of(2)),
                213_088,
                true,
                FILLS.stream()
                        .map(fill -> new BufferDescription(fill.toString(), ElementType.U8, List.of(2L), 2, fill, 4096))
                        .toList(),
                PARAMETERS,
                EXPECTATIONS);
    }

    private static byte[] messages(Object... messages) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CborChannel<Object, RunnerRequest> channel =
                new CborChannel<>(InputStream.nullInputStream(), bytes, RunnerRequest.class);
        for (Object message : messages) {
            channel.send(message);
        }
        return bytes.toByteArray();
    }

    private static CborChannel<RunnerRequest, RunnerRequest> reading(byte[] bytes) {
        return new CborChannel<>(new ByteArrayInputStream(bytes), OutputStream.nullOutputStream(), RunnerRequest.class);
    }

    @Test
    void readsBackWhatWasWritten() throws IOException {
        CborChannel<RunnerRequest, RunnerRequest> channel = reading(messages(TRIAL, new RunnerRequest.Probe(), TRIAL));

        assertThat(channel.receive()).contains(TRIAL);
        assertThat(channel.receive()).contains(new RunnerRequest.Probe());
        assertThat(channel.receive()).contains(TRIAL);
        assertThat(channel.receive()).isEmpty();
    }

    @Test
    void saysWhereAStreamBroke() throws IOException {
        byte[] whole = messages(TRIAL);
        for (int length : new int[] {1, 5, 20, whole.length - 1}) {
            assertThatThrownBy(() -> reading(Arrays.copyOf(whole, length)).receive())
                    .as("%d of %d bytes", length, whole.length)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void refusesWhatIsNoMessage() {
        assertThatThrownBy(
                        () -> reading("Hello, world, this is a print".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                                .receive())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no message: it begins with")
                .hasMessageContaining("48656c6c");
    }

    @Test
    void refusesAnUnknownMessage() throws IOException {
        byte[] unknown = messages(Map.of("type", "selfDestruct"));

        assertThatThrownBy(() -> reading(unknown).receive())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not a RunnerRequest");
    }

    @Test
    void refusesALengthThatCannotBe() throws IOException {
        byte[] huge = messages(new RunnerRequest.Probe());
        huge[0] = 0x7f;

        assertThatThrownBy(() -> reading(huge).receive()).hasMessageContaining("at most 268435456");
    }

    /** A message without its last byte, behind a length that says so. */
    @Test
    void refusesAMessageThatIsCut() throws IOException {
        byte[] whole = messages(TRIAL);
        byte[] cut = Arrays.copyOf(whole, whole.length - 1);
        ByteBuffer.wrap(cut).putInt(0, cut.length - Integer.BYTES);

        assertThatThrownBy(() -> reading(cut).receive())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not a RunnerRequest");
    }

    @Test
    void knowsEveryKindOfWhatALaunchHas() {
        everyKind(PARAMETERS, KernelParameter.class);
        everyKind(FILLS, Fill.class);
        everyKind(EXPECTATIONS, Expectation.class);
    }

    /** The kinds that the round trip above covers. */
    private static void everyKind(List<?> some, Class<?> sealed) {
        assertThat(some.stream().<Class<?>>map(Object::getClass).distinct().toList())
                .containsExactlyInAnyOrder(sealed.getPermittedSubclasses());
    }
}
