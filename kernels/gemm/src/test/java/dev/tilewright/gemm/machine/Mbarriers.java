package dev.tilewright.gemm.machine;

import java.util.HashMap;
import java.util.Map;

/** The mbarriers of one CTA by their shared address: arrivals and bytes, phases by parity. */
final class Mbarriers {

    private static final class Barrier {
        private final int count;
        private int pending;
        private long bytes;
        private int phase;

        private Barrier(int count) {
            this.count = count;
            this.pending = count;
        }

        private void settle() {
            if (pending == 0 && bytes == 0) {
                phase++;
                pending = count;
            }
        }
    }

    private final Map<Long, Barrier> barriers = new HashMap<>();

    void init(long address, int count) {
        if (barriers.put(address, new Barrier(count)) != null) {
            throw new IllegalStateException("barrier " + address + " is initialised twice");
        }
    }

    void arrive(long address, long expectedBytes) {
        Barrier barrier = at(address);
        if (barrier.pending == 0) {
            throw new IllegalStateException("one arrival too many at barrier " + address);
        }
        barrier.bytes += expectedBytes;
        barrier.pending--;
        barrier.settle();
    }

    void complete(long address, long bytes) {
        Barrier barrier = at(address);
        barrier.bytes -= bytes;
        barrier.settle();
    }

    /** Whether the phase of this parity is over. */
    boolean passed(long address, int parity) {
        return (at(address).phase & 1) != parity;
    }

    private Barrier at(long address) {
        Barrier barrier = barriers.get(address);
        if (barrier == null) {
            throw new IllegalStateException("no barrier was initialised at " + address);
        }
        return barrier;
    }
}
