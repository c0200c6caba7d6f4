package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.space.Sm90Config;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stores the accumulators of one warpgroup as bf16, panel by panel: 64 rows of {@code epilogueN} columns, through the
 * {@link PanelRing} of the warpgroup's own.
 *
 * <p>Rows of a panel are swizzled over their own length, as the map of D expects it, so that stmatrix meets no bank
 * conflict. Where the width is no multiple of a panel the last one is narrower: its rows keep their pitch and swizzle,
 * and its own map has a narrower box.
 */
public final class TmaStoreEpilogue {

    private static final int ALIGNMENT = 1024;
    /** Columns of the four 8x8 matrices of one stmatrix. */
    private static final int STEP_COLUMNS = 16;

    private static final int CHUNK_COLUMNS = 8;

    private final Sm90Config config;
    private final PanelRing ring;
    private final List<Reg<B32>> laneAddresses;

    /** Declares the panels of all warpgroups. */
    public static SharedRegion declare(EntryBuilder entry, Sm90Config config) {
        return entry.shared("panels", config.consumers() * PanelRing.PANELS * config.panelBytes(), ALIGNMENT);
    }

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param warpgroup index among the consumers
     * @param threadInWarpgroup 0..127
     */
    public TmaStoreEpilogue(
            CodeBuilder b,
            Sm90Config config,
            SharedRegion panels,
            Reg<B32> sharedBase,
            Reg<B32> warpgroup,
            Reg<B32> threadInWarpgroup) {
        this.config = config;
        Reg<Pred> issues = b.eq(threadInWarpgroup, 0);
        Reg<B32> base = b.mad(warpgroup, Immediate.b32(PanelRing.PANELS * config.panelBytes()), sharedBase);
        Optional<Reg<B32>> second = config.consumers() == 1 ? Optional.empty() : Optional.of(warpgroup);
        ring = new PanelRing(panels, config.panelBytes(), base, issues, second);
        laneAddresses = laneAddresses(b, threadInWarpgroup);
    }

    /**
     * Where each lane's row of an stmatrix begins, for each step of 16 columns: lanes 0..15 hold the addresses of the
     * warp's 16 rows, lanes 16..31 those of the next 8 columns. The 16-byte chunk is exchanged by the row, as the
     * swizzle does it: by row mod 8 over 128 bytes, by half the row mod 4 over 64.
     */
    private List<Reg<B32>> laneAddresses(CodeBuilder b, Reg<B32> threadInWarpgroup) {
        Reg<B32> lane = b.and(threadInWarpgroup, 31);
        Reg<B32> row = b.add(b.shl(b.shr(threadInWarpgroup, 5), 4), b.and(lane, 15));
        Reg<B32> rowStart = b.mad(row, Immediate.b32(pitch()), ring.base());
        Reg<B32> exchange = pitch() == 128 ? b.and(lane, 7) : b.and(b.shr(lane, 1), 3);
        Reg<B32> half = b.shr(lane, 4);
        List<Reg<B32>> addresses = new ArrayList<>();
        for (int step = 0; step < config.epilogueN() / STEP_COLUMNS; step++) {
            Reg<B32> chunk = b.xor(b.add(half, 2L * step), exchange);
            addresses.add(b.add(b.shl(chunk, 4), rowStart));
        }
        return List.copyOf(addresses);
    }

    private int pitch() {
        return config.epilogueN() * Sm90Config.ELEMENT_BYTES;
    }

    /**
     * Stores a tile.
     *
     * @param accumulators of the first 64 rows, then of the next
     * @param row first row of the warpgroup in D
     * @param column first column in D
     * @param inside whether the tile holds output; the stores of a padding tile are left out, its barriers are not
     * @param maps of D: box {@code epilogueN} x 64, and that of the last panel if it is narrower
     */
    public void store(
            CodeBuilder b,
            List<Reg<F32>> accumulators,
            Reg<B32> row,
            Reg<B32> column,
            Reg<Pred> inside,
            List<GenericAddress> maps) {
        Reg<Pred> storing = b.andPred(ring.issues(), inside);
        ring.begin(b);
        int panelsAcross = Math.ceilDiv(config.tileN(), config.epilogueN());
        int perMma = config.tileN() / 2;
        for (int mma = 0; mma < config.mmaPerWarpgroup(); mma++) {
            Reg<B32> panelRow = mma == 0 ? row : b.add(row, (long) mma * Sm90Config.MMA_ROWS);
            for (int across = 0; across < panelsAcross; across++) {
                int panel = mma * panelsAcross + across;
                int firstColumn = across * config.epilogueN();
                int columns = Math.min(config.epilogueN(), config.tileN() - firstColumn);
                int firstAccumulator = mma * perMma + firstColumn / 2;
                List<Reg<F32>> values = accumulators.subList(firstAccumulator, firstAccumulator + columns / 2);
                writePanel(b, values, ring.offset(panel));
                ring.publish(b, panel);
                Reg<B32> panelColumn = across == 0 ? column : b.add(column, (long) firstColumn);
                GenericAddress target = columns == config.epilogueN() ? maps.getFirst() : maps.getLast();
                ring.store(b, panel, target, panelColumn, panelRow, storing);
            }
        }
    }

    /** Whether this thread issues the stores. */
    public Reg<Pred> issues() {
        return ring.issues();
    }

    /** Waits until every panel was read, so that the CTA may end. */
    public void drain(CodeBuilder b) {
        ring.drain(b);
    }

    /** Thread's columns: pairs at 8 * i + 2 * (lane mod 4), for rows lane / 4 and 8 below. */
    private void writePanel(CodeBuilder b, List<Reg<F32>> accumulators, int buffer) {
        int columns = accumulators.size() * 2;
        for (int column = 0; column < columns; column += STEP_COLUMNS) {
            List<Reg<B32>> packed = new ArrayList<>();
            int last = Math.min(column + STEP_COLUMNS, columns);
            for (int pair = column / 2; pair < last / 2; pair += 2) {
                packed.add(b.bf16x2(accumulators.get(pair), accumulators.get(pair + 1)));
            }
            Reg<B32> lane = laneAddresses.get(column / STEP_COLUMNS);
            b.stmatrix(new SharedAddress(lane, buffer), packed);
        }
        if (columns % CHUNK_COLUMNS != 0) {
            throw new IllegalArgumentException("a panel has a multiple of 8 columns, got " + columns);
        }
    }
}
