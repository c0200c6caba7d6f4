package dev.tilewright.emulator.order;

/** The order that a tcgen05.commit passes on: the work that it tracks, and everything before that work. */
public final class CommitOrder {
    final Access tracked;
    final HappenedBefore behind;

    CommitOrder(Access tracked, HappenedBefore behind) {
        this.tracked = tracked;
        this.behind = behind;
    }
}
