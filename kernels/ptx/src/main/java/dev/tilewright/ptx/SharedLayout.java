package dev.tilewright.ptx;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The layout of the dynamic shared memory of a kernel: its regions in the order of their offsets. */
public record SharedLayout(List<SharedRegion> regions) {
    public SharedLayout {
        regions = List.copyOf(regions);
        int end = 0;
        for (SharedRegion region : regions) {
            if (region.offset() < end) {
                throw new IllegalArgumentException("shared region " + region.name() + ": offset must be at least " + end
                        + ", got " + region.offset());
            }
            end = region.end();
        }
    }

    /** Bytes the launch must ask for. */
    public int bytes() {
        return regions.isEmpty() ? 0 : regions.getLast().end();
    }

    /** The alignment of the whole, in bytes. */
    public int alignment() {
        return regions.stream().mapToInt(SharedRegion::alignment).max().orElse(1);
    }

    /** The region that holds the byte. */
    public Optional<SharedRegion> at(long offset) {
        return regions.stream()
                .filter(region -> offset >= region.offset() && offset < region.end())
                .findFirst();
    }

    /** Hands out regions one after the other, each aligned. */
    static final class Allocator {
        private final List<SharedRegion> regions = new ArrayList<>();

        SharedRegion allocate(String name, SharedRegion.Kind kind, int bytes, int alignment) {
            SharedRegion.requireAlignment(name, alignment);
            if (regions.stream().anyMatch(region -> region.name().equals(name))) {
                throw new IllegalArgumentException("shared region '" + name + "' is already allocated");
            }
            int end = regions.isEmpty() ? 0 : regions.getLast().end();
            int offset = Math.multiplyExact(Math.ceilDiv(end, alignment), alignment);
            SharedRegion region = new SharedRegion(name, kind, offset, bytes, alignment);
            regions.add(region);
            return region;
        }

        SharedLayout layout() {
            return new SharedLayout(regions);
        }
    }
}
