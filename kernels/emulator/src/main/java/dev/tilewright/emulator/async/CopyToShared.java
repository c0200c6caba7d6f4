package dev.tilewright.emulator.async;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.memory.GlobalMemory;
import dev.tilewright.emulator.memory.GlobalMemory.GlobalBuffer;
import dev.tilewright.emulator.memory.Landing;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.emulator.tensor.BoxWalk;
import dev.tilewright.emulator.tensor.Swizzle;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.emulator.tensor.TensorMap.Reading;
import dev.tilewright.emulator.warp.Origin;

/** A copy from global memory into the shared memory of one CTA, counted on a barrier there. */
public final class CopyToShared implements PendingOperation {
    private static final int CHUNK = 16;
    /** The source of the bytes. */
    public sealed interface Source {
        int bytes();

        /** Bytes of shared memory it spans. */
        int span();
    }

    /** A box of a tensor; element {0,0..} lies at {@code base}. */
    public record Box(TensorMap map, long base, int[] coordinates) implements Source {
        @Override
        public int bytes() {
            return map.boxBytes();
        }

        @Override
        public int span() {
            return map.rows() * map.pitch();
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    /** Bytes in a row. */
    public record Range(long address, int bytes) implements Source {
        @Override
        public int span() {
            return bytes;
        }
    }

    private final Origin origin;
    private final GlobalMemory global;
    private final SharedMemory shared;
    private final int destination;
    private final Source source;
    private final Mbarrier barrier;
    private final Landing landing;

    /**
     * A copy just issued: claims its destination.
     *
     * @param destination offset in the shared memory
     */
    public CopyToShared(
            Origin origin, GlobalMemory global, Source source, SharedMemory shared, int destination, Mbarrier barrier) {
        this.origin = origin;
        this.global = global;
        this.shared = shared;
        this.destination = destination;
        this.source = source;
        this.barrier = barrier;
        // The barrier may lie in the other CTA of a pair: it counts copies all the same.
        landing = Landing.onBarrier(origin.manner(), origin.evidence(), barrier.cta(), barrier);
        shared.requireInside(destination, source.span(), "copy");
        readSource();
        switch (source) {
            case Range range -> shared.beginCopy(destination, range.bytes(), landing);
            case Box box -> {
                TensorMap map = box.map();
                if (map.pitch() == map.rowBytes()) {
                    shared.beginCopy(destination, map.boxBytes(), landing);
                } else {
                    for (int row = 0; row < map.rows(); row++) {
                        for (int at = 0; at < map.rowBytes(); at += CHUNK) {
                            int swizzled = map.swizzle().apply(destination + row * map.pitch() + at);
                            shared.beginCopy(swizzled, CHUNK, landing);
                        }
                    }
                }
            }
        }
    }

    /** Its reading of global memory, as of its issue. */
    private void readSource() {
        switch (source) {
            case Range(long address, int bytes) ->
                global.bulkRead(landing.access(), address, visitor -> visitor.range(address, bytes));
            case Box(TensorMap map, long base, int[] coordinates) ->
                global.bulkRead(
                        landing.access(),
                        base,
                        visitor -> BoxWalk.walk(map, coordinates, (row, offset, skip, inside) -> {
                            if (inside > 0) {
                                visitor.range(base + offset + skip, inside);
                            }
                        }));
        }
    }

    @Override
    public Origin origin() {
        return origin;
    }

    @Override
    public boolean advance() {
        switch (source) {
            case Range(long address, int bytes) -> {
                GlobalBuffer from = global.holding(address, bytes, "copy");
                shared.land(destination, from.data(), (int) (address - from.base()), bytes, landing);
            }
            case Box box -> land(box);
        }
        barrier.complete(source.bytes(), origin.evidence());
        return true;
    }

    private void land(Box box) {
        TensorMap map = box.map();
        Swizzle swizzle = map.swizzle();
        byte[] outside = {(byte) (map.fillNan() ? 0xFF : 0)};
        byte[] edge = new byte[CHUNK];
        boolean asStored = map.reading() == Reading.AS_STORED;
        BoxWalk.walk(map, box.coordinates(), (row, offset, skip, inside) -> {
            long address = box.base() + offset;
            GlobalBuffer from = inside == 0 ? null : global.holding(address + skip, inside, "copy of a box");
            for (int at = 0; at < map.rowBytes(); at += CHUNK) {
                int swizzled = swizzle.apply(destination + row + at);
                if (from == null || at + CHUNK <= skip || at >= skip + inside) {
                    shared.landFill(swizzled, CHUNK, outside[0], landing);
                } else if (asStored && at >= skip && at + CHUNK <= skip + inside) {
                    shared.land(swizzled, from.data(), (int) (address - from.base()) + at, CHUNK, landing);
                } else {
                    for (int i = 0; i < CHUNK; i++) {
                        boolean within = at + i >= skip && at + i < skip + inside;
                        edge[i] = within ? from.data()[(int) (address - from.base()) + at + i] : outside[0];
                    }
                    if (!asStored) {
                        convert(map, edge, at, skip, inside);
                    }
                    shared.land(swizzled, edge, 0, CHUNK, landing);
                }
            }
        });
    }

    /** Rounds the elements of a chunk that lie inside. */
    private static void convert(TensorMap map, byte[] chunk, int at, int skip, int inside) {
        int size = map.type().bytes();
        for (int i = 0; i < CHUNK; i += size) {
            if (at + i >= skip && at + i < skip + inside) {
                Bytes.put(chunk, i, size, map.read(Bytes.get(chunk, i, size)));
            }
        }
    }
}
