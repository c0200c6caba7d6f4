package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.kernel.TileWalk;
import dev.tilewright.gemm.mainloop.AccumulatorCursor;
import dev.tilewright.gemm.mainloop.AccumulatorSlots;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.TensorAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stores accumulators from tensor memory, by one warpgroup, panel by panel: 128 rows of {@code epilogueN} columns. Warp
 * w reaches lanes 32w..32w+31 alone, which are the rows of its threads: a thread reads its row of a panel, converts it
 * and writes it into shared memory in chunks of 16 bytes, swizzled over the row as the map of D expects it.
 *
 * <p>The accumulator is handed back as soon as its last panel has been read, before that panel is written and stored:
 * the next tile but one is multiplied meanwhile.
 */
public final class TensorMemoryEpilogue {

    private static final int ALIGNMENT = 1024;
    private static final int REGISTER_BYTES = 4;
    private static final int LANE_SHIFT = 16;

    /**
     * The ring of panels.
     *
     * @param rows of a panel, and of a CTA's tile
     * @param columns of a panel
     */
    public record Panels(SharedRegion region, int rows, int columns, DataType type) {

        private static final int OF_RING = 2;

        /** Declares the ring of panels. */
        public static Panels declare(EntryBuilder entry, int rows, int columns, DataType type) {
            int bytes = rows * columns * type.bytes();
            return new Panels(entry.shared("panels", OF_RING * bytes, ALIGNMENT), rows, columns, type);
        }

        int pitch() {
            return columns * type.bytes();
        }
    }

    private final Panels panels;
    private final PanelRing ring;
    private final int panelsOfTile;
    private final EpilogueSteps steps;
    private final AccumulatorSlots accumulators;
    private final Reg<B32> ownLanes;
    private final List<Reg<B32>> chunkAddresses;
    private final Optional<Reg<B32>> leaderEmpty;
    private final AccumulatorCursor place;
    private final Reg<B32> thread;

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param steps what is done to the sums before they are stored
     * @param thread 0..127
     */
    public TensorMemoryEpilogue(
            CodeBuilder b,
            Panels panels,
            AccumulatorSlots accumulators,
            ClusterPlace cluster,
            Reg<B32> tensorBase,
            EpilogueSteps steps,
            Reg<B32> thread) {
        this.panels = panels;
        this.steps = steps.prepared(b);
        this.thread = thread;
        this.accumulators = accumulators;
        Reg<Pred> issues = b.eq(thread, 0);
        panelsOfTile = accumulators.tileN() / panels.columns();
        ring = new PanelRing(
                panels.region(),
                Panels.OF_RING,
                panels.region().bytes() / Panels.OF_RING,
                b.sharedBase(),
                issues,
                Optional.empty(),
                WarpgroupBarrier.alone(),
                tiles());
        ownLanes = b.add(tensorBase, b.shl(b.and(thread, -32L), LANE_SHIFT));
        chunkAddresses = chunkAddresses(b, thread);
        leaderEmpty = accumulators.group() == CtaGroup.ONE
                ? Optional.empty()
                : Optional.of(b.mapToRank(
                                accumulators.pipeline().empty().pointer(b, 0),
                                cluster.pair(b).leaderRank())
                        .base());
        place = accumulators.reading(b);
    }

    private PanelRing.Tiles tiles() {
        if (!accumulators.refilled()) {
            return PanelRing.Tiles.ALONE;
        }
        return panelsOfTile % Panels.OF_RING == 0 ? PanelRing.Tiles.FOLLOW_ON : PanelRing.Tiles.BEGIN_ANEW;
    }

    /** Addresses of the chunks of the thread's row, exchanged as in any {@link PanelWriter}. */
    private List<Reg<B32>> chunkAddresses(CodeBuilder b, Reg<B32> row) {
        int chunks = panels.pitch() / PanelWriter.CHUNK_BYTES;
        Reg<B32> exchange = PanelWriter.exchange(b, row, panels.pitch());
        Reg<B32> rowStart = panels.region().element(b, row, panels.pitch()).base();
        List<Reg<B32>> addresses = new ArrayList<>();
        for (int chunk = 0; chunk < chunks; chunk++) {
            addresses.add(b.add(b.shl(b.xor(exchange, chunk), 4), rowStart));
        }
        return List.copyOf(addresses);
    }

    /**
     * Stores a tile. The stores of a padding tile are left out, its barriers are not.
     *
     * @param walk of the role, by which it moves D
     */
    public void store(CodeBuilder b, TileWalk walk, TileWalk.Found tile) {
        b.comment("epilogue: the sums go to D, panel by panel");
        Reg<Pred> holdsOutput = walk.holdsOutput(b, tile);
        GenericAddress map = walk.maps(b, tile, Optional.of(ring.issues())).getFirst();
        Reg<B32> row = b.mulLo(tile.place().m(), panels.rows());
        Reg<B32> column = b.mulLo(tile.place().n(), accumulators.tileN());
        TileSteps stepsOfTile = steps.of(b, tile.gemm());
        Reg<Pred> storing = b.andPred(ring.issues(), holdsOutput);
        ring.begin(b);
        place.await(b);
        b.tensorFenceAfterSync();
        Reg<B32> slot = place.columns(b, ownLanes);
        for (int panel = 0; panel < panelsOfTile; panel++) {
            b.comment("epilogue: panel " + panel + " of " + panelsOfTile);
            int firstColumn = panel * panels.columns();
            List<Reg<B32>> values = read(b, new TensorAddress(slot, firstColumn));
            if (panel == panelsOfTile - 1) {
                handBack(b);
            }
            write(b, stored(b, values, row, column, firstColumn, stepsOfTile), ring.offset(panel));
            ring.publish(b, panel, panel == panelsOfTile - 1);
            Reg<B32> panelColumn = panel == 0 ? column : b.add(column, (long) firstColumn);
            ring.store(b, panel, map, List.of(panelColumn, row), storing);
        }
        place.advance(b);
    }

    private List<Reg<B32>> read(CodeBuilder b, TensorAddress address) {
        List<Reg<B32>> values = new ArrayList<>();
        for (int column = 0; column < panels.columns(); column++) {
            values.add(b.b32());
        }
        b.tensorRead(values, address);
        b.comment("wait for the values from tensor memory");
        b.tensorWaitRead();
        return values;
    }

    /**
     * One lane of each warp, after all its lanes have their values: each lane has waited for its own. Not where nobody
     * fills the accumulator again: whoever gives tensor memory back comes behind the last barrier.
     */
    private void handBack(CodeBuilder b) {
        if (!accumulators.refilled()) {
            return;
        }
        b.tensorFenceBeforeSync();
        b.comment("wait until all lanes have their values");
        b.syncWarp();
        Reg<Pred> one = b.eq(b.special(SpecialRegister.LANEID), 0);
        b.ifThen(one, lane -> {
            Address empty = leaderEmpty
                    .<Address>map(first -> ClusterAddress.of(place.empty(lane, first)))
                    .orElseGet(() -> place.empty(lane));
            lane.with(new Mbarrier.Arrive(accumulators.release(), empty, Optional.empty()));
        });
    }

    /** The thread's row of a panel after the steps of the epilogue, in the type of D. */
    private List<Reg<B32>> stored(
            CodeBuilder b, List<Reg<B32>> values, Reg<B32> row, Reg<B32> column, int firstColumn, TileSteps steps) {
        if (panels.type() == DataType.F32 && steps.isNone()) {
            return values;
        }
        Fragment.Line rows = new Fragment.Line(c -> c.add(row, thread), _ -> 0);
        Fragment.Line columns = new Fragment.Line(c -> c.add(column, firstColumn), value -> value);
        List<Reg<F32>> floats = values.stream().map(b::floatOf).toList();
        List<Reg<F32>> results = steps.apply(b, new Fragment(floats, rows, columns));
        return panels.type() == DataType.F32
                ? results.stream().map(b::bitsOf).toList()
                : PanelWriter.packed(b, PanelWriter.pair(panels.type()), results);
    }

    private void write(CodeBuilder b, List<Reg<B32>> row, int buffer) {
        int perChunk = PanelWriter.CHUNK_BYTES / REGISTER_BYTES;
        for (int chunk = 0; chunk < chunkAddresses.size(); chunk++) {
            List<Reg<B32>> values = row.subList(chunk * perChunk, (chunk + 1) * perChunk);
            b.stVector(ScalarType.B32, new SharedAddress(chunkAddresses.get(chunk), buffer), values);
        }
    }

    /** Waits until every panel was read, so that the CTA may end. */
    public void drain(CodeBuilder b) {
        ring.drain(b);
    }
}
