package dev.tilewright.emulator.order;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The fence.proxy.async that lanes of a warp executed, each in an epoch in which nothing else was released. */
final class ProxyFences {

    /**
     * One that some lanes executed together.
     *
     * @param known what each of the lanes knew before it
     * @param evidence where it was executed
     */
    private record Fence(
            int lanes,
            int epoch,
            boolean shared,
            boolean global,
            Clock known,
            @Nullable Evidence evidence) {

        private boolean reaches(boolean globalMemory) {
            return globalMemory ? global : shared;
        }

        /** Whether it comes behind a write of its warp. */
        private boolean isBehindOwn(Access write, int writeLane, Agent threads) {
            return write.agent == threads && (lanes >>> writeLane & 1) != 0 && write.epoch <= epoch;
        }

        /** Whether it comes behind a write that its lanes know of. */
        private boolean isBehindKnown(Access write, int writeLane) {
            return known.covers(write.agent, writeLane, write.epoch);
        }
    }

    private final WarpOrder warp;
    private final List<Fence> fences = new ArrayList<>();

    ProxyFences(WarpOrder warp) {
        this.warp = warp;
    }

    /** Lanes execute one now; those that know the same share it. */
    void add(int lanes, boolean shared, boolean global, Evidence evidence) {
        for (int rest = lanes; rest != 0; ) {
            Clock visible = visible(Integer.numberOfTrailingZeros(rest));
            int alike = 0;
            for (int others = rest; others != 0; others &= others - 1) {
                int lane = Integer.numberOfTrailingZeros(others);
                if (visible(lane) == visible) {
                    alike |= 1 << lane;
                }
            }
            fences.add(new Fence(alike, warp.epoch(), shared, global, visible, evidence));
            rest &= ~alike;
        }
    }

    private Clock visible(int lane) {
        return warp.known(lane).visible();
    }

    /**
     * One behind a write, whether or not anything comes behind it.
     *
     * @param global whether the memory is global, not shared
     */
    Optional<Evidence> behind(Access write, int writeLane, boolean global) {
        return fences.stream()
                .filter(fence -> fence.reaches(global)
                        && (fence.isBehindOwn(write, writeLane, warp.threads())
                                || fence.isBehindKnown(write, writeLane)))
                .map(Fence::evidence)
                .flatMap(Stream::ofNullable)
                .findFirst();
    }

    /** Whether one came behind a write and before what a lane of some warp does now. */
    boolean isBetween(Access write, int writeLane, WarpOrder reader, int readerLane, boolean global) {
        for (Fence fence : fences.reversed()) {
            if (!fence.reaches(global)) {
                continue;
            }
            if (fence.isBehindOwn(write, writeLane, warp.threads()) && isKnown(fence, writeLane, reader, readerLane)) {
                return true;
            }
            if (fence.isBehindKnown(write, writeLane)) {
                for (int rest = fence.lanes; rest != 0; rest &= rest - 1) {
                    if (isKnown(fence, Integer.numberOfTrailingZeros(rest), reader, readerLane)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean isKnown(Fence fence, int lane, WarpOrder reader, int readerLane) {
        return reader == warp && lane == readerLane
                || reader.whole(readerLane).visible().covers(warp.threads(), lane, fence.epoch);
    }
}
