package dev.tilewright.gemm;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The trace buffer of a traced twin: one record of 48 bytes for each CTA tile, or each piece of one that is split along
 * K, padding included, in the order of {@code piece * clusterSize + rank}. The buffer is zero before the launch; each
 * visit adds one to its count, so that a tile that was missed or computed twice shows.
 *
 * <p>A record, little-endian: u32 visits, u32 SM id, u32 CTA, u32 tile row, u32 tile column, u32 failed queries, u64
 * start ns, u64 end ns, u64 unused. Failed queries are those of a dynamic scheduler that found no tile after this one,
 * in the record of rank 0; families that do not count them leave 0.
 */
public record TraceLayout(TileNumbering tiles) {

    public static final int RECORD_BYTES = 48;
    public static final int VISITS = 0;
    public static final int SM_ID = 4;
    public static final int CTA = 8;
    public static final int TILE_M = 12;
    public static final int TILE_N = 16;
    public static final int FAILED_QUERIES = 20;
    public static final int START_NS = 24;
    public static final int END_NS = 32;

    /** The layout for a problem under a config. */
    public static TraceLayout of(Problem problem, Config config) {
        return new TraceLayout(TileNumbering.of(problem, config));
    }

    /** Size of the buffer in bytes. */
    public long bytes() {
        return (long) tiles.allPieces() * RECORD_BYTES;
    }

    /**
     * Reads the records of one launch, in the order of the buffer.
     *
     * @param buffer at least {@link #bytes()} from its position on; its byte order does not matter
     * @throws IllegalStateException naming the first tile that was not computed exactly once, or whose times run
     *     backwards
     */
    public List<TileRecord> decode(ByteBuffer buffer) {
        if (buffer.remaining() < bytes()) {
            throw new IllegalArgumentException("the trace of " + tiles.allPieces() + " tiles has " + bytes()
                    + " bytes, the buffer only " + buffer.remaining());
        }
        ByteBuffer bytes = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
        List<TileRecord> records = new ArrayList<>(tiles.allPieces());
        for (int index = 0; index < tiles.allPieces(); index++) {
            records.add(decode(bytes, index));
        }
        return List.copyOf(records);
    }

    private TileRecord decode(ByteBuffer bytes, int index) {
        int at = index * RECORD_BYTES;
        int tileM = bytes.getInt(at + TILE_M);
        int tileN = bytes.getInt(at + TILE_N);
        int visits = bytes.getInt(at + VISITS);
        if (visits != 1) {
            throw new IllegalStateException("tile " + index + " of " + tiles.allPieces() + " (row " + tileM
                    + ", column " + tileN + ") was computed " + visits + " times instead of once");
        }
        long start = bytes.getLong(at + START_NS);
        long end = bytes.getLong(at + END_NS);
        if (start <= 0 || end < start) {
            throw new IllegalStateException(
                    "tile " + index + " started at " + start + " ns and ended at " + end + " ns: the trace is damaged");
        }
        return new TileRecord(
                bytes.getInt(at + SM_ID),
                bytes.getInt(at + CTA),
                tileM,
                tileN,
                start,
                end,
                tiles.isPadding(index / tiles.clusterSize(), tileM, tileN),
                index % tiles.clusterSize(),
                bytes.getInt(at + FAILED_QUERIES));
    }
}
