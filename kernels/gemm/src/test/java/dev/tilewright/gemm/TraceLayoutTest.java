package dev.tilewright.gemm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceLayoutTest {

    /** Three rows of tiles in clusters of two rows: the fourth row is padding. */
    private static final TraceLayout LAYOUT = new TraceLayout(new TileGrid(3, 1, 2, 1));

    private static ByteBuffer trace() {
        ByteBuffer bytes = ByteBuffer.allocate((int) LAYOUT.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (int tile = 0; tile < 4; tile++) {
            int at = tile * TraceLayout.RECORD_BYTES;
            bytes.putInt(at + TraceLayout.VISITS, 1);
            bytes.putInt(at + TraceLayout.SM_ID, 130 + tile % 2);
            bytes.putInt(at + TraceLayout.CTA, tile % 2);
            bytes.putInt(at + TraceLayout.TILE_M, tile);
            bytes.putInt(at + TraceLayout.TILE_N, 0);
            bytes.putLong(at + TraceLayout.START_NS, 1L << 60);
            bytes.putLong(at + TraceLayout.END_NS, (1L << 60) + 10 + tile);
        }
        return bytes;
    }

    @Test
    void readsWhatTheKernelWrites() {
        assertThat(LAYOUT.bytes()).isEqualTo(4 * 48);
        List<TileRecord> records = LAYOUT.decode(trace().order(ByteOrder.BIG_ENDIAN));
        assertThat(records).hasSize(4);
        assertThat(records.get(1)).isEqualTo(new TileRecord(131, 1, 1, 0, 1L << 60, (1L << 60) + 11, false, 1, 0));
        assertThat(records.get(3)).isEqualTo(new TileRecord(131, 1, 3, 0, 1L << 60, (1L << 60) + 13, true, 1, 0));
    }

    @Test
    void beginsAtThePositionOfTheBuffer() {
        ByteBuffer larger = ByteBuffer.allocate((int) LAYOUT.bytes() + 100);
        larger.put(7, trace(), 0, (int) LAYOUT.bytes()).position(7);
        assertThat(LAYOUT.decode(larger)).isEqualTo(LAYOUT.decode(trace()));
    }

    @Test
    void refusesATileThatWasNotComputedOnce() {
        ByteBuffer twice = trace().putInt(2 * TraceLayout.RECORD_BYTES, 2);
        assertThatThrownBy(() -> LAYOUT.decode(twice))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("tile 2 of 4 (row 2, column 0) was computed 2 times instead of once");
        ByteBuffer never = trace().putInt(TraceLayout.RECORD_BYTES, 0);
        assertThatThrownBy(() -> LAYOUT.decode(never))
                .hasMessage("tile 1 of 4 (row 1, column 0) was computed 0 times instead of once");
    }

    @Test
    void refusesTimesThatRunBackwards() {
        ByteBuffer damaged = trace().putLong(TraceLayout.END_NS, 5);
        assertThatThrownBy(() -> LAYOUT.decode(damaged))
                .hasMessage("tile 0 started at 1152921504606846976 ns and ended at 5 ns: the trace is damaged");
    }

    @Test
    void refusesAShortBuffer() {
        assertThatThrownBy(() -> LAYOUT.decode(ByteBuffer.allocate(191)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has 192 bytes, the buffer only 191");
    }
}
