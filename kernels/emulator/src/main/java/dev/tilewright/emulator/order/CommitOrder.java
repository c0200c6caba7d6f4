package dev.tilewright.emulator.order;

/** What a tcgen05.commit hands over: the work that it tracks, and with it everything that this work came behind. */
public final class CommitOrder {
    final Access tracked;
    final Knowledge behind;

    CommitOrder(Access tracked, Knowledge behind) {
        this.tracked = tracked;
        this.behind = behind;
    }
}
