package dev.tilewright.gemm.param;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferDemand.Zero;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.gemm.launch.FloatRole;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundParamsTest {

    /** Facts of a launch, as far as a test needs them. */
    private record Facts(int rows, int columns) {}

    @Test
    void aLaunchPassesEachParameterWhatItWasDeclaredWithInTheOrderOfTheDeclarations() {
        BoundParams<Facts> params = new BoundParams<>();
        params.u32("rows", Facts::rows);
        params.buffer("sums", BufferRole.WORKSPACE, Zero.ONCE, facts -> 4L * facts.rows() * facts.columns());
        params.f32("scale", FloatRole.SCALE, 0.5f);
        params.words("tiles", BufferRole.TILES, facts -> List.of(facts.columns(), facts.rows()));
        params.u32("columns", Facts::columns);

        Facts facts = new Facts(3, 5);
        assertThat(params.params())
                .extracting(Param::name)
                .containsExactly("rows", "sums", "scale", "tiles", "columns");
        assertThat(params.arguments(facts))
                .containsExactly(
                        new Argument.U32(3),
                        new Argument.Pointer(BufferRole.WORKSPACE, 0),
                        new Argument.F32(FloatRole.SCALE, 0.5f),
                        new Argument.Pointer(BufferRole.TILES, 0),
                        new Argument.U32(5));
        assertThat(params.buffers(facts)).containsExactly(new BufferDemand(BufferRole.WORKSPACE, 60, Zero.ONCE));
        assertThat(params.filled(facts)).containsExactly(new FilledBuffer.Words(BufferRole.TILES, List.of(5, 3)));
    }

    @Test
    void anEntryRefusesTwoParametersOfOneName() {
        BoundParams<Facts> params = new BoundParams<>();
        params.u32("rows", Facts::rows);
        params.u32("rows", Facts::columns);
        assertThatThrownBy(() -> PtxModule.build(
                        Target.SM_90A,
                        module -> module.entry("twice", entry -> params.params().forEach(entry::param))))
                .hasMessage("parameter 'rows' is already declared in entry twice");
    }
}
