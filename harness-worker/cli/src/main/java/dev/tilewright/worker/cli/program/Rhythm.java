package dev.tilewright.worker.cli.program;

import dev.tilewright.gate.decision.Sentinel;
import java.time.Duration;

/**
 * How the runs of a block follow each other.
 *
 * @param steps of a turn that count
 * @param rounds in each of which each run has one turn
 * @param more steps of a turn that is slowed
 * @param waitPercent of a step, that a run that is slowed waits behind it
 */
record Rhythm(int steps, int rounds, int more, double waitPercent) {

    /** One step more than so many is as much as the sentinel must take longer. */
    private static final int SLOWED_BY_ONE = (int) Math.round(100 / Sentinel.SLOWED.slowedByPercent());

    /** A block has whole times that many steps if they take no longer than so many blocks. */
    private static final int LONGEST = 3;

    /** A turn is short beside the seconds in which a host keeps its speed. */
    private static final int TURNS = 25;

    /** The first step of a turn does not count, and costs time: so many follow it. */
    private static final int STEPS_OF_A_TURN = 2;

    /** Each run of a block in one turn. */
    static Rhythm steady(double stepNs, Duration block) {
        int least = least(stepNs, block);
        int whole = Math.ceilDiv(least, SLOWED_BY_ONE) * SLOWED_BY_ONE;
        return whole * stepNs <= LONGEST * block.toNanos()
                ? new Rhythm(whole, 1, whole / SLOWED_BY_ONE, 0)
                : new Rhythm(least, 1, 0, Sentinel.SLOWED.slowedByPercent());
    }

    /** Turns of a few steps: each waits where it is slowed, for a step more would be half a turn. */
    static Rhythm inTurns(double stepNs, Duration block) {
        int turn = Math.max(STEPS_OF_A_TURN, Math.ceilDiv(least(stepNs, block), TURNS));
        return new Rhythm(turn, TURNS, 0, Sentinel.SLOWED.slowedByPercent());
    }

    private static int least(double stepNs, Duration block) {
        return (int) Math.clamp(Math.ceil(block.toNanos() / stepNs), 1, 100_000);
    }
}
