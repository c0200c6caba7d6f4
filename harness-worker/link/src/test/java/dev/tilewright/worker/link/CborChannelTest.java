package dev.tilewright.worker.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.launch.Swizzle;
import dev.tilewright.model.problem.DataType;
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
import org.junit.jupiter.api.Test;

class CborChannelTest {

    private static final RunnerRequest TRIAL = new RunnerRequest.RunTrial(
            Problem.of(new ProblemShape(2048, 1024, 768), DataType.BF16),
            Config.of(Map.of("scheduler", ParameterValue.of("atomic"), "tileM", ParameterValue.of(128))),
            new Kernel(new Cubin(new byte[] {0, -1, 127}), launch("gemm"), 168),
            new Kernel(new Cubin(new byte[0]), launch("gemm_traced"), 170),
            -7,
            List.of(Mode.SUSTAINED, Mode.COLD));

    private static KernelLaunch launch(String entry) {
        return new KernelLaunch(
                entry,
                132,
                384,
                2,
                213_088,
                List.of(
                        new Argument.TensorMap(
                                BufferRole.A,
                                64,
                                DataType.BF16,
                                List.of(768L, 2048L),
                                List.of(1536L),
                                List.of(64, 128),
                                Swizzle.B128,
                                128),
                        new Argument.Pointer(BufferRole.COUNTER, 16),
                        new Argument.U32(-1),
                        new Argument.F32(-0.75f),
                        new Argument.U64(1L << 40)),
                List.of(new BufferDemand(BufferRole.COUNTER, 64, BufferDemand.Zero.EACH_LAUNCH)),
                List.of(
                        new FilledBuffer.Words(BufferRole.TILES, List.of(3, -1)),
                        new FilledBuffer.Maps(
                                BufferRole.MAPS,
                                List.of(new Argument.TensorMap(
                                        BufferRole.D,
                                        1L << 33,
                                        DataType.F32,
                                        List.of(24L, 8L),
                                        List.of(96L),
                                        List.of(16, 128),
                                        Swizzle.B64,
                                        0)))));
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
    void knowsEveryKindOfArgument() {
        assertThat(launch("gemm").arguments().stream().map(Object::getClass).toList())
                .as("the kinds that the round trip above covers")
                .containsExactlyInAnyOrder(Argument.class.getPermittedSubclasses());
    }
}
