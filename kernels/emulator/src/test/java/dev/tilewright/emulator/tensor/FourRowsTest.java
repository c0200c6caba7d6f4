package dev.tilewright.emulator.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxText;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.ptx.type.ScalarType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** tile::gather4 and tile::scatter4: four rows of a tensor that are no neighbours, some of them outside. */
class FourRowsTest {
    private static final int WIDTH = 40;
    private static final int ROWS = 10;
    private static final int[] FROM = {6, 0, 12, 3};
    private static final int[] TO = {1, -1, 9, 4};
    private static final int COLUMN = 12;
    private static final String WAIT = """
            WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [bar], 0;
            @!p bra WAIT;
            """;
    private static final String DONE = "cp.async.bulk.wait_group 0;\n";

    private static TensorMap map(int rows, Swizzle swizzle) {
        int width = swizzle == Swizzle.NONE ? 32 : swizzle.span() / 4;
        return TensorMap.tiled(
                ScalarType.U32, List.of((long) WIDTH, (long) ROWS), List.of(4L * WIDTH), List.of(width, rows), swizzle);
    }

    private static String body(int bytes) {
        return """
                .reg .b32 t, base, bar, x;
                .reg .pred p;
                .reg .b64 gin, gout;
                mov.u32 t, %%tid.x;
                mov.u32 base, smem;
                add.u32 bar, base, 4096;
                setp.ne.u32 p, t, 0;
                @p ret;
                mov.u64 gin, m0;
                cvta.param.u64 gin, gin;
                mov.u64 gout, m1;
                cvta.param.u64 gout, gout;
                mbarrier.init.shared::cta.b64 [bar], 1;
                fence.mbarrier_init.release.cluster;
                mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], %d;
                cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [gin, {12, 6, 0, 12, 3}];
                cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [base], [gin, {12, 6, 0, 12, 3}], [bar];
                %scp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [gout, {12, 1, -1, 9, 4}], [base];
                cp.async.bulk.commit_group;
                %s
                """.formatted(bytes, WAIT, DONE);
    }

    private static PtxText text(String body, TensorMap map) {
        ByteBuffer in = ByteBuffer.allocate(4 * WIDTH * ROWS).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < WIDTH * ROWS; i++) {
            in.putInt(4 * i, 1 + i);
        }
        return PtxText.withMaps(
                body,
                32,
                List.of(new Argument.Map("in", 0, map), new Argument.Map("out", 0, map)),
                Buffer.of("in", in.array()),
                Buffer.of("out", new byte[4 * WIDTH * ROWS]));
    }

    @ParameterizedTest
    @EnumSource(Swizzle.class)
    void fourRowsThereAndBack(Swizzle swizzle) {
        TensorMap map = map(1, swizzle);
        int width = map.box().getFirst();
        ByteBuffer out =
                ByteBuffer.wrap(text(body(4 * 4 * width), map).clean("out")).order(ByteOrder.LITTLE_ENDIAN);
        int[] expected = new int[WIDTH * ROWS];
        for (int i = 0; i < 4; i++) {
            for (int column = COLUMN; column < Math.min(WIDTH, COLUMN + width); column++) {
                if (TO[i] >= 0 && TO[i] < ROWS) {
                    expected[TO[i] * WIDTH + column] = FROM[i] < ROWS ? 1 + FROM[i] * WIDTH + column : 0;
                }
            }
        }
        for (int i = 0; i < expected.length; i++) {
            assertThat(out.getInt(4 * i))
                    .as("row %d, column %d", i / WIDTH, i % WIDTH)
                    .isEqualTo(expected[i]);
        }
    }

    @Test
    void theBoxHasOneRow() {
        assertThat(text(body(2048), map(4, Swizzle.NONE)).finding().message())
                .contains("a box of one row for a copy of four rows, got [32, 4]");
    }

    @Test
    void theRowsMustBeWaitedFor() {
        assertThat(text(body(512).replace(WAIT, ""), map(1, Swizzle.NONE))
                        .finding()
                        .hazard())
                .isInstanceOf(Hazard.ReadBeforeCopy.class);
    }

    @Test
    void bytesOfFourRowsAreCounted() {
        assertThat(text(body(128), map(1, Swizzle.NONE)).finding().hazard())
                .isInstanceOfAny(Hazard.UnbalancedTx.class, Hazard.Deadlock.class);
    }

    @Test
    void whatIsStoredIsOwnedUntilItWasRead() {
        assertThat(text(body(512).replace(DONE, "st.shared.u32 [base], t;\n" + DONE), map(1, Swizzle.NONE))
                        .finding()
                        .hazard())
                .isInstanceOf(Hazard.OverwrittenWhileRead.class);
    }
}
