package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.space.sm90.Sm90Config;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Where a CTA receives the sums of the panels that it adds up, from the CTAs of its cluster that have the other parts
 * of K. Each warpgroup has its own room and barriers.
 *
 * <pre>
 *   room       of each other part, of each panel that the CTA adds up: vectors of 4 sums, of one thread beside another
 *   arrived    for each such panel 1 arrival + the bytes of the other parts
 *   free       1 arrival of each part that adds up panels: it has read those of the tile; where other tiles follow
 * </pre>
 *
 * The room is apart from the stages. A part that is ahead sends its sums while this CTA still multiplies, and the load
 * thread fills stages for the next tile meanwhile.
 *
 * @param room of all warpgroups
 * @param arrived barriers of all warpgroups, one behind the other; each is declared for itself, because a CTA does not
 *     use those of panels that belong to other parts
 * @param free barriers of all warpgroups; absent if a CTA has one tile
 */
public record ClusterSums(
        Sm90Config config, SharedRegion room, List<SharedRegion> arrived, Optional<SharedRegion> free) {

    public ClusterSums {
        arrived = List.copyOf(arrived);
    }

    /** Bytes of a vector of sums, moved by one instruction. */
    static final int VECTOR_BYTES = 16;

    /** Bytes from a vector of a thread to its next one. */
    static final int NEXT_VECTOR = 128 * VECTOR_BYTES;

    /** Declares the room; the barriers follow by {@link #declareBarriers}, behind all data. */
    public static Optional<SharedRegion> declareRoom(EntryBuilder entry, Sm90Config config) {
        return config.split().parts() == 1
                ? Optional.empty()
                : Optional.of(entry.shared("sums", config.split().roomBytes(), VECTOR_BYTES));
    }

    /** @param room from {@link #declareRoom} */
    public static ClusterSums declareBarriers(EntryBuilder entry, Sm90Config config, SharedRegion room) {
        int warpgroups = config.multiply().consumers();
        List<SharedRegion> arrived = IntStream.range(
                        0, warpgroups * config.split().panelsOfPart())
                .mapToObj(barrier -> entry.barriers("sumsArrived" + barrier, 1))
                .toList();
        return new ClusterSums(
                config,
                room,
                arrived,
                config.split().refillsRoom() ? Optional.of(entry.barriers("sumsFree", warpgroups)) : Optional.empty());
    }

    /** Initialises all barriers; one thread. */
    public void initialize(CodeBuilder b) {
        arrived.forEach(barrier -> b.mbarrierInit(barrier.barrier(b, 0), 1));
        free.ifPresent(region -> {
            for (int barrier = 0; barrier < region.count(); barrier++) {
                b.mbarrierInit(region.barrier(b, barrier), config.split().owners());
            }
        });
    }

    /** Bytes of the room for the panels that one other part sends. */
    int partBytes() {
        return config.split().panelsOfPart() * config.split().panelSumsBytes();
    }

    /**
     * Where a thread has its first sums of a part.
     *
     * @param warpgroup index
     * @param thread 0..127
     */
    Reg<B32> ofThread(CodeBuilder b, Reg<B32> warpgroup, Reg<B32> thread) {
        Reg<B32> first = room.pointer(b, 0);
        Reg<B32> own = config.multiply().consumers() == 1
                ? first
                : b.mad(warpgroup, Immediate.b32((config.split().parts() - 1) * partBytes()), first);
        return b.mad(thread, Immediate.b32(VECTOR_BYTES), own);
    }

    /** The barrier of the first panel of a warpgroup. */
    SharedAddress arrivedOf(CodeBuilder b, Reg<B32> warpgroup) {
        return arrived.getFirst().element(b, warpgroup, config.split().panelsOfPart() * SharedRegion.BARRIER_BYTES);
    }

    /** The barrier that says that the sums of a warpgroup have been read by all who were sent some. */
    static SharedAddress freeOf(CodeBuilder b, SharedRegion free, Reg<B32> warpgroup) {
        return free.element(b, warpgroup, SharedRegion.BARRIER_BYTES);
    }
}
