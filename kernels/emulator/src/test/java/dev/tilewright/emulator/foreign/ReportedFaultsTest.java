package dev.tilewright.emulator.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.tensor.Swizzle;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.ptx.type.ScalarType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that were reported of public kernels, each as a small kernel of ours with its corrected twin. */
class ReportedFaultsTest {
    private static final int SEEDS = 10;
    private static final int ONE = 0x3F80;

    private static String text(String name) {
        try (InputStream in = ReportedFaultsTest.class.getResourceAsStream(name + ".ptx")) {
            if (in == null) {
                throw new IllegalStateException("no resource " + name + ".ptx");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text without its lines that have such a mark. */
    private static String without(String text, String mark) {
        String changed = text.replaceAll("(?m)^.*// " + mark + "$", "");
        assertThat(changed).isNotEqualTo(text);
        return changed;
    }

    private static String replaced(String text, String what, String by) {
        assertThat(text).contains(what);
        return text.replace(what, by);
    }

    private static PtxLaunch reused(String text) {
        int[] words = new int[384];
        Arrays.setAll(words, i -> i);
        return new PtxLaunch(text, "k").block(64, 1, 1).words("A", words).words("D", new int[384]);
    }

    /** A stage is read by threads and loaded over: a fence.proxy.async stands between. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ld.shared.b32 %v, [%at];
        ld.volatile.shared.b32 %v, [%at];
        atom.shared.or.b32 %v, [%at], 0;
        ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v}, [%s];
        cvt.u64.u32 %o, %at; cvta.shared.u64 %o, %o; ld.b32 %v, [%o];
        """)
    void reusedStage(String read) {
        String right = replaced(text("reused_stage"), "ld.shared.b32 %v, [%at];", read);
        for (int seed = 0; seed < SEEDS; seed++) {
            reused(right).run(seed);
        }
        Finding finding = reused(without(right, "fix")).findingWithin(SEEDS);
        if (read.startsWith("atom")) {
            assertThat(finding.rule()).isEqualTo(Rule.MISSING_PROXY_FENCE);
        } else {
            assertThat(finding.rule()).isEqualTo(Rule.REUSE_UNFENCED);
            assertThat(finding.message()).contains("the copy of k line", "stage+0", "read by k line");
        }
    }

    /** The fence may be the issuer's, behind the barrier; before the read it is none. */
    @Test
    void whereTheFenceStands() {
        String none = without(text("reused_stage"), "fix");
        String issuer = replaced(none, "NEXT:", "NEXT:\n  @%one fence.proxy.async.shared::cta;");
        reused(issuer).run(1);
        String before = replaced(none, "  ld.shared.b32", "  fence.proxy.async.shared::cta;\n  ld.shared.b32");
        assertThat(reused(before).findingWithin(SEEDS).rule()).isEqualTo(Rule.REUSE_UNFENCED);
    }

    /** A warning decides nothing: manual and reports differ. */
    @Test
    void deallocBeforeThePeerHasAllocated() {
        for (boolean right : new boolean[] {true, false}) {
            String text = right ? text("pair_dealloc") : without(text("pair_dealloc"), "fix");
            for (int seed = 0; seed < SEEDS; seed++) {
                RunEnd.Completed run = pair(text).run(seed).completed();
                assertThat(run.accepted().stream().map(Finding::rule))
                        .isEqualTo(right ? List.of() : List.of(Rule.PAIR_DEALLOC_EARLY));
            }
        }
    }

    private static PtxLaunch pair(String text) {
        return new PtxLaunch(text, "k").grid(4, 1, 1).cluster(2).words("D", new int[4]);
    }

    private static PtxLaunch rows(String text) {
        short[] ones = new short[512];
        Arrays.fill(ones, (short) ONE);
        return new PtxLaunch(text, "k")
                .block(128, 1, 1)
                .shorts("A", ones)
                .buffer(new Buffer("D", new byte[2048], 0, false));
    }

    /** Rows of A that nobody loaded harm nobody, as long as what comes of them is not stored. */
    @ParameterizedTest
    @ValueSource(strings = {"0, 1, 1, 0, 0;", "1, 1, 1, 0, 0;"})
    void unusedRowsOfWgmma(String scale) {
        String zeros = "  mov.f32 %c0, 0f00000000;\n  mov.f32 %c1, 0f00000000;\n  mov.f32 %c2, 0f00000000;\n"
                + "  mov.f32 %c3, 0f00000000;\n";
        String text = replaced(text("unused_rows"), "0, 1, 1, 0, 0;", scale);
        String right = replaced(text, "  wgmma.fence", zeros + "  wgmma.fence");
        rows(right).run(1);
        Finding finding = rows(replaced(right, "@%p st.global", "st.global")).findingWithin(SEEDS);
        assertThat(finding.rule()).isEqualTo(Rule.UNINITIALISED_READ);
        assertThat(finding.message())
                .contains("register %c0 of lane 0, which comes of this: the wgmma of k line", "tile+1024");
        assertThat(finding.site().instruction()).startsWith("st.global.v4.f32");
    }

    /** Columns of B likewise; and accumulators that nobody has set, if the product adds to them. */
    @Test
    void missingColumnsAndAccumulators() {
        String columns = replaced(text("unused_rows"), "[%s+2048], [%a], 256, [%b];", "[%s+2048], [%a], 128, [%b];");
        Finding missing = rows(replaced(columns, "[%b], 1280;", "[%b], 1152;")).findingWithin(SEEDS);
        assertThat(missing.message()).contains("which comes of this: the wgmma of k line");
        Finding never = rows(replaced(text("unused_rows"), "0, 1, 1, 0, 0;", "1, 1, 1, 0, 0;"))
                .findingWithin(SEEDS);
        assertThat(never.message()).contains("register %c0", "nobody wrote");
    }

    /** The same through ldmatrix and mma.sync: the rows of one matrix of four are missing. */
    @Test
    void unusedRowsOfMma() {
        String right = text("unused_rows_mma");
        mma(right).run(1);
        Finding finding = mma(replaced(right, "st.global.f32 [%d], %c0", "st.global.f32 [%d], %c2"))
                .findingWithin(SEEDS);
        assertThat(finding.message())
                .contains("register %c2 of lane 0, which comes of this: the load of k line", "tile+");
        String branches = replaced(right, ".reg .b32 %t", ".reg .pred %p; .reg .b32 %t");
        String used = "setp.gt.f32 %p, %c2, 0f00000000; @%p st.global.f32 [%d], %c0";
        assertThat(mma(replaced(branches, "st.global.f32 [%d], %c0", used))
                        .findingWithin(SEEDS)
                        .message())
                .contains("register %p of lane 0, which comes of this: the load of k line");
    }

    private static PtxLaunch mma(String text) {
        int[] ones = new int[32];
        Arrays.fill(ones, 0x3C003C00);
        return new PtxLaunch(text, "k").words("A", ones).words("D", new int[64]);
    }

    private static PtxLaunch handed(String text) {
        int[] words = new int[256];
        Arrays.setAll(words, i -> 1000 + i);
        TensorMap map = TensorMap.tiled(ScalarType.U32, List.of(16L, 16L), List.of(64L), List.of(16, 8), Swizzle.NONE);
        return new PtxLaunch(text, "k")
                .block(96, 1, 1)
                .map("X", map)
                .buffer(new Buffer("own", new byte[128], 64, false))
                .words("D", 0)
                .variable("X", PtxLaunch.bytes(words));
    }

    /**
     * The thread that acquires a map need not be the thread that loads by it: 8.9.5 asks for a fence along the path.
     */
    @ParameterizedTest
    @ValueSource(strings = {"as it is", "late", "cta"})
    void handedMap(String form) {
        String text = text("handed_map");
        String acquire = "fence.proxy.tensormap::generic.acquire.gpu [%own], 128;";
        String right = switch (form) {
            case "late" -> replaced(without(text, "acquire"), "// late", acquire);
            case "cta" -> replaced(replaced(text, "release.gpu", "release.cta"), "acquire.gpu", "acquire.cta");
            default -> text;
        };
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(handed(right).run(seed).words("D")).containsExactly(1128);
        }
    }

    @Test
    void handedMapWithoutItsFences() {
        String text = text("handed_map");
        String acquire = "fence.proxy.tensormap::generic.acquire.gpu [%own], 128;";
        String none = without(text, "acquire");
        assertThat(handed(none).findingWithin(SEEDS).rule()).isEqualTo(Rule.MISSING_PROXY_FENCE);
        // By warp 2, which the loading thread does not come behind.
        String beside = replaced(none, "  // beside", "  setp.eq.u32 %p, %w, 2;\n  @%p " + acquire + "\n");
        assertThat(handed(beside).findingWithin(SEEDS).message())
                .contains("fence.proxy.tensormap::generic.acquire", "written by k line");
        // Before the write that it is for.
        String early = replaced(none, "  tensormap.cp_fenceproxy", "  " + acquire + "\n  tensormap.cp_fenceproxy");
        assertThat(handed(early).findingWithin(SEEDS).rule()).isEqualTo(Rule.MISSING_PROXY_FENCE);
        // Of another map.
        String other = replaced(text, acquire, "fence.proxy.tensormap::generic.acquire.gpu [%d], 128;");
        assertThat(handed(other).findingWithin(SEEDS).rule()).isEqualTo(Rule.MISSING_PROXY_FENCE);
        assertThat(handed(without(text, "meet")).findingWithin(SEEDS).rule()).isEqualTo(Rule.RACE);
    }
}
