package dev.tilewright.emulator.order;

/** What a tcgen05.commit hands over: the work that it tracks, and with it everything that this work came behind. */
public final class CommitOrder {
    final Access tracked;
    final HappenedBefore behind;

    CommitOrder(Access tracked, HappenedBefore behind) {
        this.tracked = tracked;
        this.behind = behind;
    }
}
