package dev.tilewright.emulator.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxText;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What must be fenced and waited for around wgmma, and kernels that do so and run clean. */
class WgmmaOrderTest {
    private static final String FENCE = "wgmma.fence.sync.aligned;\n";
    private static final String WAIT = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
    private static final String SS =
            "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {d0, d1, d2, d3}, desc, desc, 1;\n";
    private static final String RS =
            "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {d0, d1, d2, d3}, {a0, a1, a2, a3}, desc, 1;\n";
    private static final String RS_TOO =
            "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {e0, e1, e2, e3}, {a0, a1, a2, a3}, desc, 1;\n";

    /** 128 threads write 16 KiB of operands; registers a, d and e are written; the body follows. */
    private static PtxText kernel(String proxyFence, String body) {
        StringBuilder head = new StringBuilder("""
            .reg .b32 t, base, at, a<4>, d<4>, e<4>, x, low;
            .reg .b64 out, desc, high;
            mov.u32 t, %tid.x;
            mov.u32 base, smem;
            mad.lo.u32 at, t, 128, base;
            ld.param.u64 out, [p0];
            mad.wide.u32 out, t, 16, out;
            """);
        for (int i = 0; i < 128; i += 4) {
            head.append("st.shared.u32 [at+").append(i).append("], t;\n");
        }
        for (int i = 0; i < 4; i++) {
            head.append("mov.u32 a%d, t;\nmov.u32 d%d, 0;\nmov.u32 e%d, 0;\n".formatted(i, i, i));
        }
        head.append(proxyFence).append("""
            shr.u32 low, base, 4;
            cvt.u64.u32 desc, low;
            mov.b64 high, 0x4000004000010000;
            or.b64 desc, desc, high;
            """);
        String tail = "st.global.v4.u32 [out], {d0, d1, d2, d3};\n";
        return PtxText.of(head + body + tail, 128, Buffer.of("out", new byte[2048]));
    }

    private static final String BEFORE = "fence.proxy.async.shared::cta;\nbar.sync 0;\n";

    private static Hazard hazard(String body) {
        return kernel(BEFORE, body).finding().hazard();
    }

    @ParameterizedTest
    @ValueSource(strings = {BEFORE, "bar.sync 0;\nfence.proxy.async.shared::cta;\n"})
    void fencedOperandsAreClean(String order) {
        kernel(order, FENCE + SS + WAIT).clean("out");
    }

    @Test
    void operandsWithoutProxyFence() {
        assertThat(kernel("bar.sync 0;\n", FENCE + SS + WAIT).finding().hazard())
                .isInstanceOf(Hazard.MissingProxyFence.class);
    }

    /** 128 threads bring 16 KiB of operands by cp.async; the body follows what orders them. */
    private static PtxText copied(String order, String body) {
        StringBuilder head = new StringBuilder("""
            .reg .b32 t, base, at, d<4>, low;
            .reg .b64 out, in, desc, high;
            mov.u32 t, %tid.x;
            mov.u32 base, smem;
            mad.lo.u32 at, t, 128, base;
            ld.param.u64 out, [p0];
            mad.wide.u32 out, t, 16, out;
            ld.param.u64 in, [p1];
            mad.wide.u32 in, t, 128, in;
            mov.u32 d0, 0; mov.u32 d1, 0; mov.u32 d2, 0; mov.u32 d3, 0;
            """);
        for (int i = 0; i < 128; i += 16) {
            head.append("cp.async.cg.shared.global [at+%d], [in+%d], 16;\n".formatted(i, i));
        }
        head.append(order).append("""
            shr.u32 low, base, 4;
            cvt.u64.u32 desc, low;
            mov.b64 high, 0x4000004000010000;
            or.b64 desc, desc, high;
            """);
        String tail = "st.global.v4.u32 [out], {d0, d1, d2, d3};\n";
        byte[] content = new byte[16384];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (i % 5 - 2);
        }
        return PtxText.of(head + body + tail, 128, Buffer.of("out", new byte[2048]), Buffer.of("in", content));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cp.async.wait_all;\nbar.sync 0;\n",
                "cp.async.commit_group;\ncp.async.wait_group 0;\nbar.sync 0;\n"
            })
    void operandsOfCpAsyncNeedNoProxyFence(String order) {
        byte[] unfenced = copied(order, FENCE + SS + WAIT).clean("out");
        byte[] fenced = copied(order + "fence.proxy.async.shared::cta;\n", FENCE + SS + WAIT)
                .clean("out");
        assertThat(unfenced).isEqualTo(fenced);
    }

    @Test
    void operandsOfCpAsyncNeedTheirWaitAndABarrierAllTheSame() {
        assertThat(copied("bar.sync 0;\n", FENCE + SS + WAIT).finding().hazard())
                .isInstanceOf(Hazard.ReadBeforeCopy.class);
        assertThat(copied("cp.async.wait_all;\n", FENCE + SS + WAIT).finding().hazard())
                .isInstanceOfAny(Hazard.Race.class, Hazard.ReadBeforeCopy.class);
    }

    @Test
    void otherReadersOfTheSameCopiesNeedTheFence() {
        String store = """
            cp.async.bulk.global.shared::cta.bulk_group [out], [base], 16;
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group 0;
            """;
        assertThat(copied("cp.async.wait_all;\nbar.sync 0;\n", FENCE + SS + WAIT + store)
                        .finding()
                        .hazard())
                .isInstanceOf(Hazard.MissingProxyFence.class);
    }

    @Test
    void aStoreOverACopyNeedsTheFence() {
        assertThat(copied("cp.async.wait_all;\nst.shared.u32 [at], t;\nbar.sync 0;\n", FENCE + SS + WAIT)
                        .finding()
                        .hazard())
                .isInstanceOf(Hazard.MissingProxyFence.class);
    }

    @Test
    void theWriteThatWasNotFencedIsNamed() {
        assertThat(kernel("bar.sync 0;\n", FENCE + SS + WAIT).finding().message())
                .startsWith("missing fence.proxy.async: the wgmma of k line ")
                .containsPattern("written by k line \\d+ 'st.shared::cta.u32 \\[at\\+?\\d*\\], t;' \\(CTA 0 rank 0,"
                        + " warp \\d, lane \\d+\\): no thread executed that fence between the write and");
    }

    @Test
    void aFenceWithoutABarrierBehindItIsNotBlamed() {
        String fenced = "fence.proxy.async.shared::cta;\n";
        assertThat(kernel(fenced, FENCE + SS + WAIT).finding().message())
                .startsWith("missing order behind fence.proxy.async: the wgmma of k line ")
                .contains("the fence of k line ", "no order leads from it to the access: a barrier behind it");
    }

    @Test
    void registersAreNamedWithBothLines() {
        assertThat(kernel(BEFORE, FENCE + RS + "mov.u32 a2, 7;\n" + WAIT)
                        .finding()
                        .message())
                .containsPattern("in flight: line \\d+ 'mov.u32 a2, 7;' writes register a2 before a wgmma.wait_group"
                        + " covers the wgmma that reads it, line \\d+ 'wgmma.mma_async");
        assertThat(kernel(BEFORE, FENCE + RS + WAIT + "mov.u32 a1, 7;\n" + RS + WAIT)
                        .finding()
                        .message())
                .containsPattern("the wgmma of line \\d+ 'wgmma.mma_async.* takes register a1 and the warp's last"
                        + " wgmma.fence came before line \\d+ 'mov.u32 a1, 7;', which touched it");
    }

    @Test
    void twoProductsMayShareAFragment() {
        kernel(BEFORE, FENCE + RS + RS_TOO + WAIT).clean("out");
        kernel(BEFORE, FENCE + RS + WAIT + "mov.u32 a0, 7;\n" + FENCE + RS + WAIT)
                .clean("out");
        // Reading a fragment changes nothing for the product under way.
        kernel(BEFORE, FENCE + RS + "mov.u32 x, a0;\n" + RS_TOO + WAIT).clean("out");
    }

    @Test
    void fragmentIsWrittenBeforeItsWait() {
        assertThat(hazard(FENCE + RS + "mov.u32 a2, 7;\n" + WAIT)).isInstanceOf(Hazard.FragmentInFlight.class);
        assertThat(hazard(FENCE + RS + "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;\n"
                        + "mov.u32 a2, 7;\n" + WAIT))
                .isInstanceOf(Hazard.FragmentInFlight.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mov.u32 a1, 7;", "mov.u32 d3, 7;", "mov.u32 x, d3;"})
    void registersAreTouchedWithoutFence(String touch) {
        kernel(BEFORE, FENCE + RS + WAIT + touch + "\n" + FENCE + RS + WAIT).clean("out");
        assertThat(hazard(FENCE + RS + WAIT + touch + "\n" + RS + WAIT)).isInstanceOf(Hazard.MissingWgmmaFence.class);
    }

    @Test
    void accumulatorsOfIntegersInFlight() {
        assertThat(hazard(FENCE + SS + "mov.u32 x, d0;\n" + WAIT)).isInstanceOf(Hazard.AccumulatorInFlight.class);
        assertThat(hazard(SS + WAIT)).isInstanceOf(Hazard.MissingWgmmaFence.class);
    }

    /** Accumulators follow without a fence from one product to the next of the same shape alone. */
    @Test
    void anotherShapeNeedsAFence() {
        String wide =
                "wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8 {d0, d1, d2, d3, e0, e1, e2, e3}, desc, desc, 1;\n";
        kernel(BEFORE, FENCE + SS + SS + WAIT).clean("out");
        kernel(BEFORE, FENCE + SS + FENCE + wide + WAIT).clean("out");
        assertThat(hazard(FENCE + SS + wide + WAIT)).isInstanceOf(Hazard.MissingWgmmaFence.class);
    }

    @Test
    void operandsAreOwnedUntilTheWait() {
        String store = "st.shared.u32 [at], t;\n";
        kernel(BEFORE, FENCE + SS + WAIT + "bar.sync 0;\n" + store).clean("out");
        assertThat(hazard(FENCE + SS + store + WAIT)).isInstanceOf(Hazard.OverwrittenWhileRead.class);
    }

    /** The base offset is that of the pattern, which for what tensor copies wrote is 0 wherever a matrix begins. */
    @ParameterizedTest
    @ValueSource(strings = {"0x0000000000000008", "0x0002000000000000"})
    void matricesBeginAtAnyRow(String change) {
        kernel(BEFORE, "mov.b64 high, " + change + ";\nadd.u64 desc, desc, high;\n" + FENCE + SS + WAIT)
                .clean("out");
    }

    @ParameterizedTest
    @CsvSource({
        "0x0000000000000007, where a row of 32 bytes does not fit",
        "0x0000000000004000, bits 14-15",
        "0x0000000040000000, bits 14-15",
        "0x0010000000000000, bits 14-15"
    })
    void wrongDescriptors(String change, String rule) {
        Hazard hazard = hazard("mov.b64 high, " + change + ";\nadd.u64 desc, desc, high;\n" + FENCE + SS + WAIT);
        assertThat(hazard).isInstanceOf(Hazard.BadDescriptor.class);
        assertThat(hazard.message()).contains(rule);
    }

    @Test
    void descriptorsThatLeaveSharedMemory() {
        assertThat(hazard("mov.b64 high, 0x3000;\nadd.u64 desc, desc, high;\n" + FENCE + SS + WAIT))
                .isInstanceOf(Hazard.OutOfBounds.class);
        assertThat(hazard("mov.b64 high, 0x800;\nadd.u64 desc, desc, high;\n" + FENCE + SS + WAIT))
                .isInstanceOf(Hazard.UninitialisedRead.class);
    }
}
