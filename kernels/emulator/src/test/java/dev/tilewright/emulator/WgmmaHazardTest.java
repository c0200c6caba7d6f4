package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.TinyKernel.Context;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Hazards of matrix products, each with a kernel of a few instructions. */
class WgmmaHazardTest {
    private static final int ROW = 128;

    private static Reg<B64> descriptor(CodeBuilder b, Reg<B32> address) {
        Reg<B32> low = b.or(b.shr(b.and(address, 0x3FFFF), 4), 0x10000);
        return b.pack(low, Immediate.b32(0x40000040));
    }

    /** All threads write the operands, fence, and meet. */
    private static Reg<B64> operands(Context p) {
        CodeBuilder b = p.b();
        b.forRange("fill", 0, Immediate.b32(16), (l, i) -> {
            Reg<B32> at = l.mad(i, 512, l.mad(p.thread(), 4, p.base()));
            l.st32(new SharedAddress(at, p.data().offset()), Immediate.b32(0x3F803F80));
        });
        b.fenceProxyAsyncShared();
        b.syncThreads();
        return descriptor(b, b.add(p.base(), p.data().offset()));
    }

    private static Finding multiply(Consumer<CodeBuilder> before, boolean commit, Consumer<CodeBuilder> after) {
        return new TinyKernel(128, 1, p -> {
                    Reg<B64> matrix = operands(p);
                    before.accept(p.b());
                    List<Reg<F32>> d = p.b().f32Array("d", 4);
                    p.b().wgmma(ScalarType.BF16, d, matrix, matrix, false);
                    if (commit) {
                        p.b().wgmmaCommitGroup();
                    }
                    after.accept(p.b());
                    p.b().stF32(
                                    GlobalAddress.of(p.b().madWide(
                                                    p.thread(), 4, p.buffer().base())),
                                    d.getFirst());
                })
                .finding();
    }

    @Test
    void wgmmaWithoutFence() {
        Finding finding = multiply(b -> {}, true, b -> b.wgmmaWaitGroup(0));
        assertThat(finding.hazard()).isInstanceOf(Hazard.MissingWgmmaFence.class);
        assertThat(finding.message())
                .contains("the wgmma of line ", "takes register %d_0 and the warp has executed no wgmma.fence before");
    }

    @Test
    void accumulatorBeforeItsWait() {
        Finding noWait = multiply(CodeBuilder::wgmmaFence, true, b -> {});
        assertThat(noWait.hazard()).isInstanceOf(Hazard.AccumulatorInFlight.class);
        assertThat(noWait.message())
                .contains("touches register %d_0 before a wgmma.wait_group covers")
                .containsPattern("in flight: line \\d+ 'st.global.*into it, line \\d+ 'wgmma.mma_async");
        Finding noCommit = multiply(CodeBuilder::wgmmaFence, false, b -> b.wgmmaWaitGroup(0));
        assertThat(noCommit.hazard()).isInstanceOf(Hazard.AccumulatorInFlight.class);
    }

    @Test
    void descriptorInTheMiddleOfARow() {
        Finding finding = new TinyKernel(128, 1, p -> {
                    operands(p);
                    p.b().wgmmaFence();
                    Reg<B64> matrix =
                            descriptor(p.b(), p.b().add(p.base(), p.data().offset() + ROW - 16));
                    p.b().wgmma(ScalarType.BF16, p.b().f32Array("d", 4), matrix, matrix, false);
                    p.b().wgmmaCommitGroup();
                    p.b().wgmmaWaitGroup(0);
                })
                .finding();
        assertThat(finding.hazard()).isInstanceOf(Hazard.BadDescriptor.class);
        assertThat(finding.message()).contains("where a row of 32 bytes does not fit");
    }
}
